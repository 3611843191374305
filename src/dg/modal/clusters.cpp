// SPDX-License-Identifier: Apache-2.0
// Local time stepping in the modal family: a step of ADER for one cluster. Elements of other clusters are seen through copies of
// their records, so that the kernels are those of a step for all.
#include <algorithm>

#include "base/error.hpp"
#include "base/timer.hpp"
#include "dg/modal/operator.hpp"

namespace swell {

namespace {

using How = RowCopies::How;

}  // namespace

void ModalOperator::build_clusters() {
  if (layout_->clusters == 1) return;
  boundary_rule_ = boundary_rule_of_clusters(problem_, *layout_, *material_, device_);
  if (near_ && near_->points.ghosts && !boundary_rule_.times.empty())
    throw InputError("time.local with boundary data takes no point source beside a boundary: leave time.local out.");
  clusters_.resize(layout_->clusters);
  for (const Group& group : layout_->groups) {
    Cluster& cluster = clusters_[group.cluster];
    const std::int64_t first = group.first / together();
    (group.near ? cluster.near : group.border ? cluster.far.border : cluster.far.inner).emplace_back(first, group.padded / together());
    if (group.near) near_cluster_ = group.cluster;
    if (group.beside_finer > 0) cluster.beside_finer.emplace_back(first, (group.beside_finer + together() - 1) / together());
  }
  const auto cluster_of_ghost = [&](std::int64_t g) { return layout_->group_of(layout_->ghosts[g].slot).cluster; };
  const auto ghosts = static_cast<std::int64_t>(layout_->ghosts.size());
  for (std::int64_t first = 0, last = 0; first < ghosts; first = last) {
    while (last < ghosts && cluster_of_ghost(last) == cluster_of_ghost(first)) ++last;
    clusters_[cluster_of_ghost(first)].ghosts.emplace_back(first, last - first);
  }
  near_cluster_ = static_cast<int>(problem_.ranks->largest(near_cluster_));
  for (int k = 0; halo_ && k < layout_->clusters; ++k)
    clusters_[k].exchange = {make_halo(neighbour_ranks_of_cluster(problem_, k, true)), make_halo(neighbour_ranks_of_cluster(problem_, k, false))};
  const std::int64_t width = modes_->values * fields();
  std::vector<std::vector<RowCopies::Row>> rows(2 * clusters_.size());
  for (std::size_t i = 0; i < layout_->between.size(); ++i) {
    const ClusterFace& face = layout_->between[i];
    const Neighbour& behind = problem_.mesh->neighbour(layout_->cell_of_slot[face.slot], face.face);
    const int here = layout_->group_of(face.slot).cluster, there = face.behind_cluster;
    rows[here < there ? seen_by_finer(there) : seen_by_coarser(there)].push_back(
        {between_record(static_cast<std::int64_t>(i)) * width, (face.behind * modes_->faces + behind.face) * width});
  }
  const Stopwatch clock;
  between_ = std::make_unique<RowCopies>(device_, problem_.precision, width, rows);
  compile_seconds_ += clock.seconds();
  if (!pattern_.flux_changes()) return;
  // States behind a face do not change with time.
  const std::int64_t of_material = modes_->values * std::max<std::int64_t>(1, material_->parameters());
  for (auto& list : rows)
    for (auto& row : list) row = {row.to / width * of_material, row.from / width * of_material};
  RowCopies material(device_, problem_.precision, of_material, rows);
  for (std::size_t list = 0; list < rows.size(); ++list) material.copy(list, *face_material_, How::set);
  device_.queue().finish();
}

// For a rate at one time.
void ModalOperator::copy_traces_between(Buffer& faces) {
  for (std::size_t list = 0; list < 2 * clusters_.size(); ++list) between_->copy(list, faces, How::set);
}

void ModalOperator::predict(int cluster, int half, Buffer& q, double t, double dt, const Carried& carried) {
  const Cluster& of = clusters_[cluster];
  if (modes_->varying && !integral_) integral_ = make_state("integral over the step");
  if (half == 1) between_->copy(seen_by_finer(cluster + 1), *faces_, How::rest);
  if (cluster > 0) {
    predict(q, dt / 2, nullptr, carried, of.beside_finer, Keep::traces);
    if (halo_) {
      of.exchange.half->start(*faces_);
      of.exchange.half->finish(*faces_);
    }
    between_->copy(seen_by_finer(cluster), *faces_, How::set);
  }
  if (cluster == near_cluster_) predict_near(t, dt, q);
  const Keep keep = integral_ ? Keep::integral : Keep::in_state;
  predict(q, dt, integral_.get(), carried, of.far.border, keep);
  if (halo_) of.exchange.whole->start(*faces_);
  predict(q, dt, integral_.get(), carried, of.far.inner, keep);
  if (halo_) of.exchange.whole->finish(*faces_);
  between_->copy(seen_by_coarser(cluster), *faces_, half == 0 ? How::set : How::add);
}

void ModalOperator::correct(int cluster, Buffer& q, double t, double dt) {
  const Cluster& of = clusters_[cluster];
  boundary_rule_.visit(t, dt, [&](double time, double of_trace, double part, bool more) { fill_ghosts(time, of.ghosts, of_trace, part, more); });
  for (const auto* elements : {&of.far.inner, &of.far.border}) {
    if (modes_->varying) operate(Ending::correct, *integral_, *neighbour_, q, q, *dummy_buffer_, 0, 0, 0, *elements);
    else correct(q, dt, *elements);
  }
  correct_near(q, q, of.near);
  marked_ = look_ && !near() && !modes_->varying;
  if (cluster == near_cluster_) add_series(near_->points.mean_row(), dt, q);
}

}  // namespace swell
