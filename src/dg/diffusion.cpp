// SPDX-License-Identifier: Apache-2.0
#include "dg/diffusion.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/timer.hpp"
#include "dg/diffusion_text.hpp"
#include "mesh/geometry.hpp"
#include "mesh/partition.hpp"

namespace swell {

namespace {

double bytes_of_all(std::initializer_list<const Buffer*> buffers) {
  double bytes = 0;
  for (const Buffer* buffer : buffers) bytes += static_cast<double>(buffer->bytes());
  return bytes;
}

}  // namespace

DiffusionOperator::DiffusionOperator(DiffusionProblem problem, Vectors& vectors)
    : problem_(std::move(problem)),
      vectors_(vectors),
      rules_(problem_, vectors.device().lanes(problem_.precision), vectors.ranks()) {
  const DiffusionData data = diffusion_data(problem_, rules_);
  floating_ = vectors.ranks().all(data.floating);
  side_cells_ = static_cast<std::int64_t>(data.side_cell.size());
  const Stopwatch clock;
  cells_ = vectors.device().compile(diffusion_text(rules_, problem_.precision, !vectors.ranks().alone()));
  compile_seconds_ = clock.seconds();
  matrix_ = vectors.upload(diffusion_matrices(rules_), "matrices");
  metric_ = vectors.upload(data.metric, "geometry and material");
  face_ = vectors.upload(data.face, "geometry and material of the faces");
  behind_ = vectors.upload(data.behind, "cells behind the faces");
  trace_ = vectors.make(rules_.batches * rules_.lanes * element().face_count * rules_.face.points.rows() * 2, "traces");
  side_cell_ = vectors.upload(data.side_cell, "cells at the boundary");
  side_spec_ = vectors.upload(data.side_spec, "boundaries of the sides");
  side_place_ = vectors.upload(data.side_place, "points of the sides");
  side_weight_ = vectors.upload(data.side_weight, "weights of the sides");
  make_load();
  if (!vectors.ranks().alone()) make_exchange();
}

// Of each shared face the traces at its points, which lie `lanes` apart.
void DiffusionOperator::make_exchange() {
  const std::int64_t width = 2 * rules_.face.points.rows(), lanes = rules_.lanes, faces = element().face_count;
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
  const Cubature rule = cubature(element().shape, 2 * element().order);
  const int points = static_cast<int>(rule.points.rows());
  const Stopwatch clock;
  loads_ = vectors_.device().compile(diffusion_load_text(problem_, rules_, points));
  compile_seconds_ += clock.seconds();
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
  const double bytes = part_of_all(batches) * bytes_of_all({&x, face_.get(), trace_.get()});
  if (list_)
    launch(*cells_, "sipg_trace_listed", batches, {x, *matrix_, *face_, *trace_, *list_, mesh().own_count()}, bytes);
  else
    launch(*cells_, "sipg_trace", batches, {x, *matrix_, *face_, *trace_, mesh().own_count()}, bytes);
}

void DiffusionOperator::product(const Buffer& x, Buffer& y, Items batches) {
  // Traces are read from both sides of a face.
  const double bytes = part_of_all(batches) *
                       bytes_of_all({&x, &y, metric_.get(), face_.get(), behind_.get(), trace_.get(), trace_.get()});
  if (list_)
    launch(*cells_, "sipg_apply_listed", batches,
           {x, *matrix_, *metric_, *face_, *behind_, *trace_, y, *list_, mesh().own_count()}, bytes);
  else
    launch(*cells_, "sipg_apply", batches, {x, *matrix_, *metric_, *face_, *behind_, *trace_, y, mesh().own_count()}, bytes);
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
  return 3 * vector + bytes_of_all({metric_.get(), face_.get(), face_.get(), behind_.get(), trace_.get(), trace_.get(),
                                    trace_.get()});
}

void DiffusionOperator::inverse_diagonal(Buffer& y) {
  launch(*cells_, "sipg_inverse_diagonal", own_batches(), {*matrix_, *metric_, *face_, y, mesh().own_count()},
         bytes_of_all({&y, metric_.get(), face_.get()}));
}

void DiffusionOperator::load(Buffer& y) {
  launch(*loads_, "sipg_load_volume", mesh().own_count(), {*load_points_, *load_weight_, *load_values_, y},
         bytes_of_all({&y, load_points_.get(), load_weight_.get()}));
  launch(*loads_, "sipg_load_sides", side_cells_,
         {*side_cell_, *side_spec_, *side_place_, *side_weight_, *matrix_, *face_, y, std::int64_t{rules_.lanes}},
         bytes_of_all({side_place_.get(), side_weight_.get()}));
}

void DiffusionOperator::sample(const Buffer& x, const Buffer& unknown, const Buffer& weight, Buffer& out,
                               std::int64_t count, std::int64_t offset) {
  launch(*loads_, "sipg_sample", count, {x, unknown, weight, out, offset}, 0);
}

DiffusionSolver::DiffusionSolver(DiffusionOperator& of, SolverOptions options)
    : of_(of), vectors_(of.vectors()), options_(options), solver_(vectors_, of) {
  for (auto* vector : {&now_, &right_, &inverse_diagonal_}) *vector = vectors_.make(of.size(), "field and right-hand side");
  of.inverse_diagonal(*inverse_diagonal_);
  solver_.precondition(*inverse_diagonal_);
}

SolveReport DiffusionSolver::solve() {
  of_.load(*right_);
  return solver_.solve(*right_, *now_, options_, of_.floating());
}

}  // namespace swell
