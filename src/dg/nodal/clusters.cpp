// SPDX-License-Identifier: Apache-2.0
// Local time stepping in the nodal family: a step of ADER for one cluster. Elements of other clusters are seen through copies of
// the nodes of their faces, so that the kernels are those of a step for all.
#include "base/error.hpp"
#include "base/timer.hpp"
#include "dg/nodal/operator.hpp"
#include "dg/nodal_predictor.hpp"

namespace swell {

namespace {

using How = RowCopies::How;

}  // namespace

void NodalOperator::build_clusters() {
  if (layout_->clusters == 1) return;
  boundary_rule_ = boundary_rule_of_clusters(problem_, *layout_, *material_, device_);
  if (near_ && near_->points.ghosts && !boundary_rule_.times.empty())
    throw InputError("time.local with boundary data takes no point source beside a boundary: leave time.local out.");
  std::vector<std::vector<RowCopies::Row>> rows(2 * static_cast<std::size_t>(layout_->clusters));
  for (std::size_t i = 0; i < layout_->between.size(); ++i) {
    const ClusterFace& face = layout_->between[i];
    const int here = layout_->group_of(face.slot).cluster, there = face.behind_cluster;
    auto& list = rows[here < there ? seen_by_finer(there) : seen_by_coarser(there)];
    const std::int32_t* behind = layout_->behind_face(face.slot, face.face);
    const std::int64_t to = behind[0] * std::int64_t{layout_->unit}, from = layout_->first_node(face.behind);
    for (int node = 0; node < element_.face_node_count; ++node)
      list.push_back({(to + layout_->codes[behind[1]][node]) * fields(), (from + layout_->codes[face.behind_code][node]) * fields()});
  }
  const Stopwatch clock;
  between_ = std::make_unique<RowCopies>(device_, problem_.precision, fields(), rows);
  for (const auto& g : groups_)
    if (g.group.near) near_cluster_ = g.group.cluster;
  near_cluster_ = static_cast<int>(problem_.ranks->largest(near_cluster_));
  const auto exchange = [&](int cluster, bool seen_by_finer) {
    return std::make_unique<HaloExchange>(device_, problem_.precision, *problem_.ranks,
                                          halo_rows(neighbour_ranks_of_cluster(problem_, cluster, seen_by_finer)), fields(), 1, halo_.get());
  };
  for (int k = 0; halo_ && k < layout_->clusters; ++k) exchanges_.push_back({exchange(k, true), exchange(k, false)});
  compile_seconds_ += clock.seconds();
}

// For a rate at one time.
void NodalOperator::copy_between(Buffer& q) {
  for (std::size_t list = 0; list < 2 * static_cast<std::size_t>(layout_->clusters); ++list) between_->copy(list, q, How::set);
}

void NodalOperator::add(const Group& group, Buffer& q, const Buffer& change) {
  const std::int64_t words = std::int64_t{element_.node_count} * fields(), stride = device_.info().simt ? 1 : words * layout_->lanes;
  device_.queue().launch(pointwise().kernel("combine"), Items(group.place * words / stride, group.padded * words / stride),
                         {q, q, Argument::real(1), change, Argument::real(1), q, Argument::real(0), q, Argument::real(0), stride, std::int64_t{2}},
                         moved(3 * group.padded * words, group.padded * words));
}

void NodalOperator::predict(int cluster, int half, Buffer& q, double t, double dt, const Carried& carried) {
  if (!integral_) {
    integral_ = make_state("integral over the step");
    next_ = make_state("change of a step");
  }
  const auto predict_groups = [&](bool border) {
    for (const auto& g : groups_)
      if (g.group.cluster == cluster && g.group.border == border)
        predictor_part().predict(q, dt, *integral_, carried, stage_work(), Items(g.group.first, g.group.padded), true);
  };
  if (half == 1) between_->copy(seen_by_finer(cluster + 1), *integral_, How::rest);
  if (cluster > 0) {
    for (const auto& g : groups_)
      if (g.group.cluster == cluster && g.group.beside_finer > 0)
        predictor_part().predict(q, dt / 2, *integral_, carried, stage_work(), Items(g.group.first, g.group.beside_finer), false);
    if (halo_) {
      exchanges_[cluster].half->start(*integral_);
      exchanges_[cluster].half->finish(*integral_);
    }
    between_->copy(seen_by_finer(cluster), *integral_, How::set);
  }
  predict_groups(true);
  const bool is_near = cluster == near_cluster_;  // these take the place of what they would be without their faces
  if (is_near) {
    predict_groups(false);
    predict_near(t, dt, q);
  }
  if (halo_) exchanges_[cluster].whole->start(*integral_);
  if (!is_near) predict_groups(false);
  if (halo_) exchanges_[cluster].whole->finish(*integral_);
  between_->copy(seen_by_coarser(cluster), *integral_, half == 0 ? How::set : How::add);
}

void NodalOperator::correct(int cluster, Buffer& q, double t, double dt) {
  for (const Ghosts& g : ghosts_)
    if (g.cluster == cluster)
      boundary_rule_.visit(t, dt, [&](double time, double of_trace, double part, bool more) { fill_ghosts(time, *integral_, g, of_trace, part, more); });
  for (const auto& g : groups_)
    if (g.group.cluster == cluster) {
      launch(g, "rate", *integral_, *next_, *dummy_buffer_, 0, 0, 0);
      add(g.group, q, *next_);
    }
  if (cluster == near_cluster_) add_series(near_->points.mean_row(), dt, q);
}

}  // namespace swell
