// SPDX-License-Identifier: Apache-2.0
#include "dg/diffusion/numbers.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>

#include "base/error.hpp"

namespace swell {

namespace {

constexpr std::int64_t piece_numbers = 1 << 15;  // of a piece for the device, 256 KiB

// The points at which the material is evaluated, in coordinates of the element.
Matrix sample_points(const DiffusionRules& rules) {
  const Shape shape = rules.element.shape;
  if (rules.constant) return middle_of(shape);
  const Eigen::Index inside = rules.volume.points.rows(), side = rules.face.points.rows();
  Matrix points(inside + rules.element.face_count * side, rules.element.dim);
  points.topRows(inside) = rules.volume.points;
  for (int f = 0; f < rules.element.face_count; ++f) points.middleRows(inside + f * side, side) = moved_inwards(rules.at_face[f], shape);
  return points;
}

bool is_material(double value) { return value > 0 && value <= std::numeric_limits<double>::max(); }

}  // namespace

std::optional<std::vector<double>> one_value_each(const DiffusionProblem& problem, const DiffusionRules& rules,
                                                  const DiffusionGeometry& geometry, int threads) {
  for (const DiffusionBoundary& b : problem.boundary)
    if (b.kind == DiffusionBoundary::Kind::robin && !b.transfer.is_constant()) return std::nullopt;
  if (!geometry.all_straight()) return std::nullopt;
  const Mesh& mesh = *problem.mesh;
  const ReferenceElement& element = rules.element;
  Matrix points(rules.volume.points.rows() + element.node_count, element.dim);
  points << rules.volume.points, moved_inwards(element.nodes, element.shape);
  const CellMap map(mesh, points);
  const int count = static_cast<int>(points.rows());
  std::vector<double> each(static_cast<std::size_t>(mesh.cell_count()));
  std::atomic<bool> several = false;
  const auto look = [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> x(points.size());
    std::vector<ExpressionRunner> runner;
    for (const auto& m : problem.material) runner.emplace_back(m.conductivity, count);
    for (std::int64_t cell = begin; cell < end && !several; ++cell) {
      const auto region = mesh.cells().region[cell];
      if (problem.material[region].conductivity.is_constant()) {
        each[cell] = problem.material[region].conductivity.constant();
        continue;
      }
      map.coordinates(cell, x.data());
      for (int d = 0; d < element.dim; ++d)
        for (int p = 0; p < count; ++p) runner[region].variable(d)[p] = x[p * element.dim + d];
      const double* const values = runner[region].run(count);
      each[cell] = values[0];
      if (std::any_of(values, values + count, [&](double value) { return value != values[0]; })) several = true;
    }
  };
  // Most expressions vary already in the first cells, and constants need no threads.
  constexpr std::int64_t some = 64;
  const bool numbers = std::all_of(problem.material.begin(), problem.material.end(), [](const auto& m) { return m.conductivity.is_constant(); });
  const std::int64_t all = mesh.cell_count(), alone = numbers ? all : std::min(all, some);
  look(0, alone);
  if (several) return std::nullopt;
  std::vector<std::thread> others;
  for (int i = 0; i < threads && alone < all; ++i)
    others.emplace_back(look, alone + (all - alone) * i / threads, alone + (all - alone) * (i + 1) / threads);
  for (std::thread& thread : others) thread.join();
  if (several) return std::nullopt;
  return each;
}

DiffusionNumbers::DiffusionNumbers(const DiffusionProblem& problem, const DiffusionRules& rules, const DiffusionGeometry& geometry,
                                   const DiffusionSides& sides, int threads)
    : problem_(problem), mesh_(*problem.mesh), rules_(rules), geometry_(geometry), sides_(sides), dim_(mesh_.dim),
      faces_(rules.element.face_count), lanes_(rules.lanes), points_(sample_points(rules)),
      middle_(mesh_, middle_of(mesh_.shape())) {
  const Matrix middle = middle_of(mesh_.shape());
  for (int p = 0; p < points_.rows(); ++p) {
    auto& way = way_.emplace_back();
    for (int d = 0; d < dim_; ++d) way[d] = points_(p, d) - middle(0, d);
  }
  if (!geometry.all_straight()) map_.emplace(mesh_, points_);
  const auto lanes = static_cast<std::size_t>(lanes_);
  work_.resize(static_cast<std::size_t>(std::max(1, threads)));
  for (Work& work : work_) {
    work.value.resize(static_cast<std::size_t>(rules.volume_sets() + faces_ * rules.face_sets()) * lanes);
    work.material.resize(lanes);
    work.behind.resize(lanes);
    work.place.assign(3 * work.value.size(), 0.0);
    work.x.resize(static_cast<std::size_t>(points_.size()));
  }
  first_.assign(static_cast<std::size_t>(rules.face_sets()), 0);
  // Lanes past the last cell have a material that divides nothing by 0.
  at_faces_.assign(static_cast<std::size_t>(rules.batches * faces_ * rules.face_sets() * lanes_), 1.0);
  steepness_.assign(static_cast<std::size_t>(rules.batches * faces_ * lanes_), 0.0);
  if (!rules.constant) penalty_ = std::make_unique<DiffusionPenalty>(rules, geometry, problem.penalty);
}

// Calls make(batch, to, work) for the entries of each batch, by several threads. Where some fail, the error of the first piece
// is thrown, whichever thread had it.
template <class Make>
void DiffusionNumbers::in_pieces(std::int64_t batches, std::int64_t of_batch, const Sink& sink, const Make& make) {
  const std::int64_t most = std::max<std::int64_t>(1, piece_numbers / of_batch), pieces = (batches + most - 1) / most;
  std::atomic<std::int64_t> next = 0;
  std::mutex one_at_a_time;
  std::int64_t failed = pieces;
  std::exception_ptr why;
  const auto run = [&](Work& work) {
    std::vector<double> piece;
    for (std::int64_t number = next++; number < pieces; number = next++) try {
        const std::int64_t first = number * most, count = std::min(most, batches - first);
        piece.resize(static_cast<std::size_t>(count * of_batch));
        for (std::int64_t i = 0; i < count; ++i) make(first + i, piece.data() + i * of_batch, work);
        const std::lock_guard lock(one_at_a_time);
        sink(piece, first * of_batch);
      } catch (...) {
        const std::lock_guard lock(one_at_a_time);
        if (number < failed) failed = number, why = std::current_exception();
        return;  // all pieces before this one have been begun
      }
  };
  std::vector<std::thread> others;
  for (std::int64_t i = 1; i < std::min<std::int64_t>(pieces, static_cast<std::int64_t>(work_.size())); ++i)
    others.emplace_back(run, std::ref(work_[i]));
  run(work_.front());
  for (std::thread& thread : others) thread.join();
  if (why) std::rethrow_exception(why);
}

void DiffusionNumbers::set_material(const std::vector<double>& each, const Sink& metric) {
  if (!rules_.constant) find_frames();
  for (Work& work : work_) {
    work.runner.clear();
    if (!rules_.constant)
      for (const auto& m : problem_.material) work.runner.emplace_back(m.conductivity, static_cast<int>(work.value.size()));
  }
  in_pieces(rules_.batches, metric_of_batch(), metric, [&](std::int64_t batch, double* to, Work& work) {
    look_at(batch, each, work);
    write_metric(batch, work, to);
  });
}

// Fills work.value, and the values that are stored for the faces.
void DiffusionNumbers::look_at(std::int64_t batch, const std::vector<double>& each, Work& work) {
  const std::int64_t first = batch * lanes_, inside = rules_.volume_sets() * lanes_;
  const auto numbers = static_cast<std::int64_t>(work.value.size());
  bool same = true;
  std::fill(work.value.begin(), work.value.end(), 1.0);
  for (std::int64_t cell = first; cell < cells_end(batch); ++cell) {
    const Expression& k = problem_.material[mesh_.cells().region[cell]].conductivity;
    work.material[cell - first] = &k;
    const bool known = rules_.constant || k.is_constant();
    same = same && known;
    if (known)
      for (std::int64_t at = cell - first; at < numbers; at += lanes_) work.value[at] = rules_.constant ? each[cell] : k.constant();
  }
  if (!same) {
    place_points(batch, work);
    look_at_points(batch, work);
  }
  check_material(batch, work);
  std::copy(work.value.begin() + inside, work.value.end(), at_faces_.begin() + batch * (numbers - inside));
  if (!same) return find_steepness(batch, work);
  const std::int64_t faces = faces_ * lanes_;
  std::copy_n(geometry_.steepness.begin() + batch * faces, faces, steepness_.begin() + batch * faces);
}

// The middles of straight cells and the derivatives of their maps, kept for the next material.
void DiffusionNumbers::find_frames() {
  if (!frame_.empty()) return;
  frame_.assign(static_cast<std::size_t>(rules_.batches * 12 * lanes_), 0.0);
  double x[3], jacobian[9];
  for (std::int64_t cell = 0; cell < mesh_.cell_count(); ++cell) {
    if (!geometry_.straight[cell / lanes_]) continue;
    middle_.coordinates(cell, x);
    middle_.jacobians(cell, jacobian);
    double* const to = frame_.data() + cell / lanes_ * 12 * lanes_ + cell % lanes_;
    for (int i = 0; i < dim_; ++i) {
      to[4 * i * lanes_] = x[i];
      for (int j = 0; j < dim_; ++j) to[(4 * i + 1 + j) * lanes_] = jacobian[i * dim_ + j];
    }
  }
}

// The points of straight cells follow from the cells' middles: x = x_m + J (r - r_m).
void DiffusionNumbers::place_points(std::int64_t batch, Work& work) {
  const auto points = static_cast<std::int64_t>(way_.size());
  if (!geometry_.straight[batch]) {
    for (std::int64_t cell = batch * lanes_; cell < cells_end(batch); ++cell) {
      map_->coordinates(cell, work.x.data());
      for (std::int64_t p = 0; p < points; ++p)
        for (int i = 0; i < dim_; ++i) work.place[(i * points + p) * lanes_ + cell % lanes_] = work.x[p * dim_ + i];
    }
    return;
  }
  for (int i = 0; i < dim_; ++i) {
    const double* const row = frame_.data() + (batch * 12 + 4 * i) * lanes_;
    double* to = work.place.data() + i * points * lanes_;
    for (std::int64_t p = 0; p < points; ++p, to += lanes_) {
      const auto [a, b, c] = way_[p];
      for (int lane = 0; lane < lanes_; ++lane)
        to[lane] = row[lane] + row[lanes_ + lane] * a + row[2 * lanes_ + lane] * b + row[3 * lanes_ + lane] * c;
    }
  }
}

// Each region's expression at all places of the batch, for the cells that have it.
void DiffusionNumbers::look_at_points(std::int64_t batch, Work& work) {
  const std::int64_t first = batch * lanes_, numbers = static_cast<std::int64_t>(work.value.size());
  const auto region = [&](std::int64_t cell) { return mesh_.cells().region[cell]; };
  for (std::int64_t cell = first; cell < cells_end(batch); ++cell) {
    bool seen = false;
    for (std::int64_t before = first; before < cell; ++before) seen = seen || region(before) == region(cell);
    if (seen) continue;
    ExpressionRunner& runner = work.runner[region(cell)];
    for (int d = 0; d < dim_; ++d) std::copy_n(work.place.data() + d * numbers, numbers, runner.variable(d));
    const double* const values = runner.run(static_cast<int>(numbers));
    for (std::int64_t like = cell; like < cells_end(batch); ++like)
      if (region(like) == region(cell))
        for (std::int64_t at = like - first; at < numbers; at += lanes_) work.value[at] = values[at];
  }
}

void DiffusionNumbers::check_material(std::int64_t batch, const Work& work) const {
  bool all = true;
  for (const double value : work.value) all = all && is_material(value);
  if (all) return;
  const CellMap map(mesh_, points_);
  std::vector<double> x(static_cast<std::size_t>(points_.size()));
  for (std::int64_t cell = batch * lanes_; cell < cells_end(batch); ++cell)
    for (std::size_t p = 0; p < way_.size(); ++p) {
      const double value = work.value[p * lanes_ + cell % lanes_];
      if (is_material(value)) continue;
      map.coordinates(cell, x.data());
      double at[3] = {0, 0, 0};
      std::copy_n(x.data() + p * dim_, dim_, at);
      throw InputError("The material 'k' = {} has the value {} at ({}, {}, {}) in {}; it must be a number above 0 everywhere.",
                       work.material[cell % lanes_]->text(), value, at[0], at[1], at[2], mesh_.label(cell));
    }
}

// T = faces C |F| / |K| times the ratio of the largest material on the face to the least in the cell, or less by
// DiffusionPenalty.
void DiffusionNumbers::find_steepness(std::int64_t batch, Work& work) {
  constexpr double little = 2;  // that the material may rise before looking closer pays
  const int inside = rules_.volume_sets(), points = rules_.face_sets();
  for (int lane = 0; lane < lanes_; ++lane) {
    const double* value = work.value.data() + lane;
    double* const steepness = steepness_.data() + batch * faces_ * lanes_ + lane;
    const double* const of_one = geometry_.steepness.data() + batch * faces_ * lanes_ + lane;
    double least = *value, most = *value;
    for (int p = 0; p < inside; ++p, value += lanes_) {
      least = std::min(least, *value);
      most = std::max(most, *value);
    }
    for (int f = 0; f < faces_; ++f) {
      double on_face = least;
      for (int p = 0; p < points; ++p, value += lanes_) {
        least = std::min(least, *value);
        on_face = std::max(on_face, *value);
      }
      most = std::max(most, on_face);
      steepness[f * lanes_] = of_one[f * lanes_] * on_face;
    }
    for (int f = 0; f < faces_; ++f) steepness[f * lanes_] /= least;
    const std::int64_t cell = batch * lanes_ + lane;
    if (most > little * least && is_affine(mesh_, cell)) penalty_->sharpen(cell, work.value.data() + lane, steepness);
  }
}

void DiffusionNumbers::write_metric(std::int64_t batch, const Work& work, double* to) const {
  const int metrics = dim_ * (dim_ + 1) / 2;
  const double* from = geometry_.metric.data() + geometry_.metric_at[batch];
  for (int p = 0; p < rules_.volume_sets(); ++p) {
    const double* const k = work.value.data() + p * lanes_;
    const double weight = rules_.constant ? 1 : rules_.volume.weights(p);
    for (int m = 0; m < metrics; ++m, to += lanes_)
      for (int lane = 0; lane < lanes_; ++lane) to[lane] = weight * k[lane] * from[m * lanes_ + lane];
    if (!geometry_.straight[batch]) from += metrics * lanes_;
  }
}

bool DiffusionNumbers::write_faces(const Sink& face) {
  std::atomic<bool> held = false;
  const std::int64_t own_batches = (mesh_.own_count() + lanes_ - 1) / lanes_;
  in_pieces(own_batches, face_of_batch(), face, [&](std::int64_t batch, double* to, Work& work) {
    for (int f = 0; f < faces_; ++f) {
      find_behind(batch, f, work);
      write_face(batch, f, work, to + f * (face_of_batch() / faces_));
    }
    const auto first = std::lower_bound(sides_.cell.begin(), sides_.cell.end(), batch * lanes_);
    for (auto side = first - sides_.cell.begin(); side < std::ssize(sides_.cell) && sides_.cell[side] / lanes_ == batch; ++side)
      if (write_transfers(static_cast<std::size_t>(side), to)) held = true;
  });
  return held;
}

void DiffusionNumbers::find_behind(std::int64_t batch, int f, Work& work) const {
  const std::int64_t sets = rules_.face_sets();
  for (int lane = 0; lane < lanes_; ++lane) {
    Behind& behind = work.behind[lane] = {.k = at_faces_.data() + (batch * faces_ + f) * sets * lanes_ + lane, .turned = first_.data()};
    const std::int64_t cell = batch * lanes_ + lane;
    if (cell >= mesh_.own_count()) continue;
    const Neighbour& n = mesh_.neighbour(cell, f);
    if (n.cell < 0) {
      const std::size_t number = n.boundary >= 0 ? n.boundary : problem_.boundary.size() - 1;
      behind.part = problem_.boundary[number].kind == DiffusionBoundary::Kind::value ? 1 : 0;
      continue;
    }
    const std::int64_t side = n.cell / lanes_ * faces_ + n.face, at = n.cell % lanes_;
    behind.boundary = false;
    behind.k = at_faces_.data() + side * sets * lanes_ + at;
    if (!rules_.constant) behind.turned = rules_.turned[n.orientation].data();
    behind.steepness = steepness_[side * lanes_ + at];
  }
}

// Slopes: measure w k J^-1 n, so that they give the own part of the average flux {k grad u . n}; w = k' / (k + k') with k'
// behind the face (Ern, Stephansen and Zunino 2009). Penalty: measure sigma. With the steepness T of a cell, Young's inequality
// on each face makes the operator coercive for sigma >= k_h (w T + w' T') / 2, k_h = 2 k k' / (k + k'), and for sigma >= k T
// where a value is given: there w = 1. Where a flux is given both are 0.
void DiffusionNumbers::write_face(std::int64_t batch, int f, const Work& work, double* to) const {
  const int sets = rules_.face_sets();
  const bool straight = geometry_.straight[batch];
  const double* const own = at_faces_.data() + (batch * faces_ + f) * sets * lanes_;
  const double* const steepness = steepness_.data() + (batch * faces_ + f) * lanes_;
  const double* from = geometry_.side.data() + geometry_.side_at[batch] + f * (straight ? 1 : sets) * (dim_ + 1) * lanes_;
  for (int p = 0; p < sets; ++p, to += (dim_ + 1) * lanes_) {
    const double weight = rules_.constant ? 1 : rules_.face.weights(p);
    for (int lane = 0; lane < lanes_; ++lane) {
      const Behind& other = work.behind[lane];
      const double k = own[p * lanes_ + lane], there = other.k[other.turned[p] * lanes_];
      const double part = other.boundary ? other.part : there / (k + there), slope = weight * part * k;
      for (int d = 0; d < dim_; ++d) to[d * lanes_ + lane] = slope * from[d * lanes_ + lane];
      to[dim_ * lanes_ + lane] = slope * (part * steepness[lane] + (1 - part) * other.steepness) * from[dim_ * lanes_ + lane];
    }
    if (!straight) from += (dim_ + 1) * lanes_;
  }
}

// The transfers of a cell at the boundary are its penalties there. Whether it has some, or given values.
bool DiffusionNumbers::write_transfers(std::size_t side, double* batch) const {
  const int sets = rules_.face_sets(), points = rules_.face_points();
  bool held = false;
  for (int f = 0; f < faces_; ++f) {
    const std::int32_t spec = sides_.spec[side * faces_ + f];
    if (spec < 0) continue;
    const DiffusionBoundary& boundary = problem_.boundary[spec];
    if (boundary.kind == DiffusionBoundary::Kind::value) held = true;
    if (boundary.kind != DiffusionBoundary::Kind::robin) continue;
    for (int p = 0; p < sets; ++p) {
      const std::size_t at = (side * faces_ + f) * points + p;
      double place[4] = {0, 0, 0, 0};
      std::copy_n(sides_.place.data() + at * dim_, dim_, place);
      const double transfer = boundary.transfer(place);
      if (!(transfer >= 0) || !std::isfinite(transfer))
        throw InputError("The heat transfer h = {} of boundary '{}' has the value {} at ({}, {}, {}); it must not be below 0.",
                         boundary.transfer.text(),
                         static_cast<std::size_t>(spec) < mesh_.boundaries.size() ? mesh_.boundaries[spec] : "", transfer, place[0],
                         place[1], place[2]);
      held = held || transfer > 0;
      const double measure = sides_.weight[at] / (rules_.constant ? rules_.face.weights(p) : 1);
      batch[((f * sets + p) * (dim_ + 1) + dim_) * lanes_ + sides_.cell[side] % lanes_] = transfer * measure;
    }
  }
  return held;
}

}  // namespace swell
