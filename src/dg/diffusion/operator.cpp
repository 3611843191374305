// SPDX-License-Identifier: Apache-2.0
#include "dg/diffusion/operator.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <thread>

#include "base/timer.hpp"
#include "dg/diffusion/text.hpp"
#include "mesh/geometry.hpp"
#include "mesh/partition.hpp"

namespace swell {

namespace {

double bytes_of_all(std::initializer_list<const Buffer*> buffers) {
  double bytes = 0;
  for (const Buffer* buffer : buffers) bytes += static_cast<double>(buffer->bytes());
  return bytes;
}

// Threads for work on the host: those of a device that is the host, or this rank's share beside a GPU.
int host_threads(const Vectors& vectors) {
  constexpr int most = 8;
  const DeviceInfo& info = vectors.device().info();
  if (!info.simt) return info.threads;
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()) / vectors.ranks().count(), 1, most);
}

}  // namespace

DiffusionOperator::DiffusionOperator(DiffusionProblem problem, Vectors& vectors)
    : problem_(std::move(problem)),
      vectors_(vectors),
      rules_(problem_, vectors.device().lanes(problem_.precision)),
      geometry_(problem_, rules_),
      sides_(problem_, rules_, geometry_),
      points_(vectors) {
  behind_ = vectors.upload(cells_behind(mesh(), rules_), "cells behind the faces");
  trace_ = vectors.make(rules_.batches * rules_.lanes * element().face_count * rules_.face_points() * 2, "traces");
  side_cell_ = vectors.upload(sides_.cell, "cells at the boundary");
  side_spec_ = vectors.upload(sides_.spec, "boundaries of the sides");
  side_place_ = vectors.upload(sides_.place, "points of the sides");
  side_weight_ = vectors.upload(sides_.weight, "weights of the sides");
  make_load();
  set_points(std::move(problem_.points));
  renew_material();
  if (!vectors.ranks().single()) make_exchange();
}

ProgramText DiffusionOperator::cells_text(const DiffusionRules& rules) const {
  return diffusion_text(rules, problem_.precision, !vectors_.ranks().single());
}

// The source is integrated by the rule of cells whose numbers differ.
ProgramText DiffusionOperator::loads_text(const DiffusionRules& rules) const {
  return diffusion_load_text(problem_, rules, rules_.volume_sets());
}

void DiffusionOperator::compile_loads(Kind& kind) {
  const Stopwatch clock;
  kind.loads = vectors_.device().compile(loads_text(kind.rules));
  compile_seconds_ += clock.seconds();
}

DiffusionOperator::Kind& DiffusionOperator::kind_for(bool constant) {
  auto& kind = constant ? constant_ : varying_;
  if (!kind) {
    auto made = std::make_unique<Kind>(constant ? rules_.constant_rules() : rules_);
    made->numbers = std::make_unique<DiffusionNumbers>(problem_, made->rules, geometry_, sides_, host_threads(vectors_));
    const Stopwatch clock;
    made->cells = vectors_.device().compile(cells_text(made->rules));
    compile_seconds_ += clock.seconds();
    made->matrix = vectors_.upload(diffusion_matrices(made->rules), "matrices");
    made->metric = vectors_.make(made->numbers->metric_size(), "geometry and material");
    made->face = vectors_.make(made->numbers->face_size(), "geometry and material of the faces");
    kind = std::move(made);
  }
  if (!kind->loads) compile_loads(*kind);
  return *kind;
}

void DiffusionOperator::renew_material() {
  auto each = one_value_each(problem_, rules_, geometry_, host_threads(vectors_));
  kind_ = &kind_for(vectors_.ranks().all(each.has_value()));
  kind_->numbers->set_material(
      std::move(each).value_or(std::vector<double>()),
      [&](const std::vector<double>& numbers, std::int64_t first) { vectors_.write(numbers, *kind_->metric, first); });
  renew_faces();
}

void DiffusionOperator::renew_faces() {
  const bool held = kind_->numbers->write_faces(
      [&](const std::vector<double>& numbers, std::int64_t first) { vectors_.write(numbers, *kind_->face, first); });
  floating_ = !vectors_.ranks().any(held);
}

void DiffusionOperator::set_material(std::vector<DiffusionMaterial> material) {
  problem_.material = std::move(material);
  renew_material();
}

void DiffusionOperator::set_loads(std::vector<DiffusionBoundary> boundary, Expression source) {
  bool same = true, same_kind = true;
  for (std::size_t i = 0; i < boundary.size(); ++i) {
    const Expression &now = boundary[i].transfer, &before = problem_.boundary[i].transfer;
    same = same && now.text() == before.text();
    same_kind = same_kind && now.is_constant() == before.is_constant();
  }
  problem_.boundary = std::move(boundary);
  problem_.source = std::move(source);
  for (auto* kind : {&constant_, &varying_})
    if (*kind) (*kind)->loads.reset();
  compile_loads(*kind_);
  if (!same_kind)
    renew_material();
  else if (!same)
    renew_faces();
}

void DiffusionOperator::set_points(std::vector<PointSourceSpec> points) {
  problem_.points = std::move(points);
  std::vector<std::int32_t> places(static_cast<std::size_t>(element().node_count));
  std::vector<PointLoad> loads;
  for (const PointSourceSpec& p : problem_.points) {
    if (p.cell < 0) continue;
    std::iota(places.begin(), places.end(), static_cast<std::int32_t>(p.cell * element().node_count));
    loads.push_back(point_load(element(), p.reference, places, p.balance[0], p.signal));
  }
  points_.set(std::move(loads));
}

// Whether an expression has one value in each cell shows only once it is looked at.
std::vector<bool> DiffusionOperator::kinds_for(const std::vector<DiffusionMaterial>& material) const {
  if (!geometry_.all_straight()) return {false};
  if (std::all_of(material.begin(), material.end(), [](const auto& m) { return m.conductivity.is_constant(); })) return {true};
  return {true, false};
}

std::vector<ProgramText> DiffusionOperator::texts_for(const std::vector<DiffusionMaterial>& material) const {
  std::vector<ProgramText> all;
  for (const bool constant : kinds_for(material)) {
    const DiffusionRules rules = constant ? rules_.constant_rules() : rules_;
    all.push_back(cells_text(rules));
    all.push_back(loads_text(rules));
  }
  return all;
}

void DiffusionOperator::expect(const std::vector<DiffusionMaterial>& material) {
  for (const bool constant : kinds_for(material)) kind_for(constant);
}

// Exchanges the traces at the points of each shared face, which lie `lanes` apart.
void DiffusionOperator::make_exchange() {
  const std::int64_t width = 2 * rules_.face_points(), lanes = rules_.lanes, faces = element().face_count;
  const auto places = [&](const std::vector<SharedFace>& shared) {
    std::vector<std::int64_t> all;
    for (const SharedFace& side : shared) all.push_back((side.cell / lanes * faces + side.face) * width * lanes + side.cell % lanes);
    return all;
  };
  std::vector<HaloRows> rows;
  std::vector<char> touches(static_cast<std::size_t>(own_batches()), 0);
  for (const NeighbourRank& other : neighbour_ranks(mesh())) {
    rows.push_back({other.rank, places(other.sent), places(other.expected)});
    for (const SharedFace& side : other.sent) touches[side.cell / lanes] = 1;
  }
  std::vector<std::int32_t> list(touches.size());
  std::iota(list.begin(), list.end(), 0);
  inner_batches_ = std::stable_partition(list.begin(), list.end(), [&](auto batch) { return !touches[batch]; }) - list.begin();
  list_ = vectors_.upload(list, "cells that touch other ranks last");
  exchange_ = std::make_unique<HaloExchange>(vectors_.device(), problem_.precision, vectors_.ranks(), rows, width, lanes);
}

void DiffusionOperator::make_load() {
  const int dim = mesh().dim;
  const Cubature& rule = rules_.volume;
  const int points = static_cast<int>(rule.points.rows());
  const CellMap map(mesh(), rule.points);
  const std::int64_t cells = mesh().own_count();
  std::vector<double> place(cells * points * dim), weight(cells * points);
  std::vector<double> jacobians(points * dim * dim);
  for (std::int64_t cell = 0; cell < cells; ++cell) {
    map.coordinates(cell, place.data() + cell * points * dim);
    map.jacobians(cell, jacobians.data());
    for (int p = 0; p < points; ++p)
      weight[cell * points + p] =
          rule.weights(p) * std::abs(Eigen::Map<const Matrix>(jacobians.data() + p * dim * dim, dim, dim).determinant());
  }
  load_points_ = vectors_.upload(place, "points of the source");
  load_weight_ = vectors_.upload(weight, "weights of the source");
  const Matrix values = element().interpolation(rule.points);
  load_values_ = vectors_.upload(std::vector<double>(values.data(), values.data() + values.size()), "test functions");
}

void DiffusionOperator::launch(const Program& program, const char* kernel, Items items,
                               std::initializer_list<Argument> arguments, double bytes) {
  if (items.count > 0) vectors_.device().queue().launch(program.kernel(kernel), items, arguments, {bytes, 0});
}

void DiffusionOperator::trace(const Buffer& x, Items batches) {
  const double bytes = part_of_all(batches) * bytes_of_all({&x, kind_->face.get(), trace_.get()});
  if (list_)
    launch(*kind_->cells, "sipg_trace_listed", batches, {x, *kind_->matrix, *kind_->face, *trace_, *list_, mesh().own_count()}, bytes);
  else
    launch(*kind_->cells, "sipg_trace", batches, {x, *kind_->matrix, *kind_->face, *trace_, mesh().own_count()}, bytes);
}

void DiffusionOperator::product(const Buffer& x, Buffer& y, Items batches) {
  // Traces are read from both sides of a face.
  const double bytes = part_of_all(batches) *
                       bytes_of_all({&x, &y, kind_->metric.get(), kind_->face.get(), behind_.get(), trace_.get(), trace_.get()});
  if (list_)
    launch(*kind_->cells, "sipg_apply_listed", batches,
           {x, *kind_->matrix, *kind_->metric, *kind_->face, *behind_, *trace_, y, *list_, mesh().own_count()}, bytes);
  else
    launch(*kind_->cells, "sipg_apply", batches,
           {x, *kind_->matrix, *kind_->metric, *kind_->face, *behind_, *trace_, y, mesh().own_count()}, bytes);
}

void DiffusionOperator::apply(const Buffer& x, Buffer& y) {
  if (!exchange_) {
    trace(x, own_batches());
    return product(x, y, own_batches());
  }
  const Items inner(inner_batches_), border(inner_batches_, own_batches() - inner_batches_);
  trace(x, border);
  exchange_->start(*trace_);
  trace(x, inner);
  product(x, y, inner);
  exchange_->finish(*trace_);
  product(x, y, border);
}

double DiffusionOperator::apply_bytes() const {
  const double vector = static_cast<double>(size()) * static_cast<double>(bytes_of(problem_.precision));
  return 3 * vector + bytes_of_all({kind_->metric.get(), kind_->face.get(), kind_->face.get(), behind_.get(), trace_.get(),
                                    trace_.get(), trace_.get()});
}

void DiffusionOperator::inverse_diagonal(Buffer& y) {
  launch(*kind_->cells, "sipg_inverse_diagonal", own_batches(), {*kind_->matrix, *kind_->metric, *kind_->face, y, mesh().own_count()},
         bytes_of_all({&y, kind_->metric.get(), kind_->face.get()}));
}

void DiffusionOperator::load(Buffer& y) {
  launch(*kind_->loads, "sipg_load_volume", mesh().own_count(), {*load_points_, *load_weight_, *load_values_, y},
         bytes_of_all({&y, load_points_.get(), load_weight_.get()}));
  launch(*kind_->loads, "sipg_load_sides", static_cast<std::int64_t>(sides_.cell.size()),
         {*side_cell_, *side_spec_, *side_place_, *side_weight_, *kind_->matrix, *kind_->face, y, std::int64_t{rules_.lanes}},
         bytes_of_all({side_place_.get(), side_weight_.get()}));
  points_.add(0, y, 0, size());
}

void DiffusionOperator::sample(const Buffer& x, const Buffer& unknown, const Buffer& weight, Buffer& out,
                               std::int64_t count, std::int64_t offset) {
  launch(*kind_->loads, "sipg_sample", count, {x, unknown, weight, out, offset}, 0);
}

DiffusionSolver::DiffusionSolver(DiffusionOperator& of, SolverOptions options)
    : of_(of), vectors_(of.vectors()), options_(options), solver_(vectors_, of) {
  for (auto* vector : {&now_, &right_, &inverse_diagonal_}) *vector = vectors_.make(of.size(), "field and right-hand side");
  solver_.precondition(*inverse_diagonal_);
}

SolveReport DiffusionSolver::solve() {
  make_inverse_diagonal();
  of_.load(*right_);
  now_->fill_zero();
  return solver_.solve(*right_, *now_, options_, of_.floating());
}

}  // namespace swell
