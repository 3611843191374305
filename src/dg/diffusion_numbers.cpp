// SPDX-License-Identifier: Apache-2.0
#include "dg/diffusion_numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"

namespace swell {

namespace {

constexpr std::int64_t piece_numbers = 1 << 15;  // of a piece for the device, 256 KiB
constexpr int most_modes = 125;  // of an element where sharpen() pays

// Where material is looked at, in coordinates of the element.
Matrix sample_points(const DiffusionRules& rules) {
  const Shape shape = rules.element.shape;
  if (rules.constant) return middle_of(shape);
  const Eigen::Index inside = rules.volume.points.rows(), side = rules.face.points.rows();
  Matrix points(inside + rules.element.face_count * side, rules.element.dim);
  points.topRows(inside) = rules.volume.points;
  for (int f = 0; f < rules.element.face_count; ++f) points.middleRows(inside + f * side, side) = moved_inwards(rules.at_face[f], shape);
  return points;
}

[[noreturn]] void refuse_material(const DiffusionProblem& problem, std::int64_t cell, double value, const double* at) {
  throw InputError("The material 'k' = {} has the value {} at ({}, {}, {}) in {}; it must be a number above 0 everywhere.",
                   problem.conductivity[problem.mesh->cells().region[cell]].text(), value, at[0], at[1], at[2],
                   problem.mesh->label(cell));
}

bool is_material(double value) { return value > 0 && std::isfinite(value); }

// make(batch, to) for the numbers of each batch.
template <class Make>
void in_pieces(std::int64_t batches, std::int64_t of_batch, const DiffusionNumbers::Sink& sink, const Make& make) {
  const std::int64_t most = std::max<std::int64_t>(1, piece_numbers / of_batch);
  std::vector<double> piece;
  for (std::int64_t first = 0; first < batches; first += most) {
    const std::int64_t count = std::min(most, batches - first);
    piece.resize(static_cast<std::size_t>(count * of_batch));
    for (std::int64_t i = 0; i < count; ++i) make(first + i, piece.data() + i * of_batch);
    sink(piece, first * of_batch);
  }
}

}  // namespace

std::optional<std::vector<double>> one_value_each(const DiffusionProblem& problem, const DiffusionRules& rules,
                                                  const DiffusionGeometry& geometry) {
  for (const DiffusionBoundary& b : problem.boundary)
    if (b.kind == DiffusionBoundary::Kind::robin && !b.transfer.is_constant()) return std::nullopt;
  if (!geometry.all_straight()) return std::nullopt;
  const Mesh& mesh = *problem.mesh;
  const ReferenceElement& element = rules.element;
  Matrix points(rules.volume.points.rows() + element.node_count, element.dim);
  points << rules.volume.points, moved_inwards(element.nodes, element.shape);
  const CellMap map(mesh, points);
  std::vector<double> x(points.rows() * element.dim), each(static_cast<std::size_t>(mesh.cell_count()));
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell) {
    const Expression& k = problem.conductivity[mesh.cells().region[cell]];
    if (k.is_constant()) {
      each[cell] = k.constant();
      continue;
    }
    map.coordinates(cell, x.data());
    for (int p = 0; p < points.rows(); ++p) {
      double at[4] = {0, 0, 0, 0};
      std::copy_n(x.data() + p * element.dim, element.dim, at);
      const double value = k(at);
      if (p == 0) each[cell] = value;
      if (value != each[cell]) return std::nullopt;
    }
  }
  return each;
}

DiffusionNumbers::DiffusionNumbers(const DiffusionProblem& problem, const DiffusionRules& rules, const DiffusionGeometry& geometry,
                                   const DiffusionSides& sides)
    : problem_(problem), mesh_(*problem.mesh), rules_(rules), geometry_(geometry), sides_(sides), dim_(mesh_.dim),
      faces_(rules.element.face_count), lanes_(rules.lanes), middle_(mesh_, middle_of(mesh_.shape())) {
  const Matrix points = sample_points(rules);
  offsets_ = points - middle_of(mesh_.shape()).replicate(points.rows(), 1);
  if (!geometry.all_straight()) points_.emplace(mesh_, points);
  place_.assign(static_cast<std::size_t>(4 * points.rows()), 0.0);
  value_.resize(static_cast<std::size_t>(points.rows()));
  behind_.resize(static_cast<std::size_t>(lanes_));
  inside_.resize(static_cast<std::size_t>(rules.volume_sets() * lanes_));
  // Lanes past the last cell have a material that divides nothing by 0.
  at_faces_.assign(static_cast<std::size_t>(rules.batches * faces_ * rules.face_sets() * lanes_), 1.0);
  steepness_.assign(static_cast<std::size_t>(rules.batches * faces_ * lanes_), 0.0);
  const int order = rules.element.order - (is_simplex(mesh_.shape()) ? 1 : 0);
  if (rules.constant || mode_count(mesh_.shape(), order) > most_modes) return;
  modes_inside_ = modes(mesh_.shape(), order, rules.volume.points);
  for (const Matrix& at : rules.at_face) modes_at_face_.push_back(modes(mesh_.shape(), order, at));
}

void DiffusionNumbers::set_material(const std::vector<double>& each, const Sink& metric) {
  in_pieces(rules_.batches, metric_of_batch(), metric, [&](std::int64_t batch, double* to) {
    std::fill(inside_.begin(), inside_.end(), 1.0);
    const std::int64_t first = batch * lanes_, last = std::min(first + lanes_, mesh_.cell_count());
    for (std::int64_t cell = first; cell < last; ++cell) look_at(cell, rules_.constant ? each[cell] : 0);
    write_metric(batch, to);
  });
}

// Of a straight cell from its middle: x = x_m + J (r - r_m).
void DiffusionNumbers::place_points(std::int64_t cell) {
  const auto points = static_cast<std::int64_t>(value_.size());
  if (!geometry_.straight[cell / lanes_]) {
    std::vector<double> x(static_cast<std::size_t>(points * dim_));
    points_->coordinates(cell, x.data());
    for (std::int64_t p = 0; p < points; ++p) std::copy_n(x.data() + p * dim_, dim_, place_.data() + 4 * p);
    return;
  }
  double x[3], jacobian[9];
  middle_.coordinates(cell, x);
  middle_.jacobians(cell, jacobian);
  for (std::int64_t p = 0; p < points; ++p) {
    const double* const way = offsets_.data() + p * dim_;
    double* const to = place_.data() + 4 * p;
    if (dim_ == 2)
      for (int i = 0; i < 2; ++i) to[i] = x[i] + jacobian[2 * i] * way[0] + jacobian[2 * i + 1] * way[1];
    else
      for (int i = 0; i < 3; ++i) to[i] = x[i] + jacobian[3 * i] * way[0] + jacobian[3 * i + 1] * way[1] + jacobian[3 * i + 2] * way[2];
  }
}

// Fills in the cell's part of inside_, at_faces_ and steepness_.
void DiffusionNumbers::look_at(std::int64_t cell, double each) {
  const std::int64_t batch = cell / lanes_, lane = cell % lanes_;
  const Expression& k = problem_.conductivity[mesh_.cells().region[cell]];
  const bool same = rules_.constant || k.is_constant();
  const int inside = rules_.volume_sets(), on_faces = faces_ * rules_.face_sets();
  double* const at_faces = at_faces_.data() + batch * on_faces * lanes_ + lane;
  if (same) {
    const double value = rules_.constant ? each : k.constant();
    if (!is_material(value)) {
      place_points(cell);
      refuse_material(problem_, cell, value, place_.data());
    }
    for (int p = 0; p < inside; ++p) inside_[p * lanes_ + lane] = value;
    for (int p = 0; p < on_faces; ++p) at_faces[p * lanes_] = value;
    for (int f = 0; f < faces_; ++f) {
      const std::int64_t at = (batch * faces_ + f) * lanes_ + lane;
      steepness_[at] = geometry_.steepness[at];
    }
    return;
  }
  place_points(cell);
  for (std::size_t p = 0; p < value_.size(); ++p) {
    value_[p] = k(place_.data() + 4 * p);
    if (!is_material(value_[p])) refuse_material(problem_, cell, value_[p], place_.data() + 4 * p);
  }
  for (int p = 0; p < inside; ++p) inside_[p * lanes_ + lane] = value_[p];
  for (int p = 0; p < on_faces; ++p) at_faces[p * lanes_] = value_[inside + p];
  find_steepness(cell);
}

// T = faces C |F| / |K| times what the material rises from the least in the cell to the most on the face, or less by sharpen().
void DiffusionNumbers::find_steepness(std::int64_t cell) {
  constexpr double little = 2;  // that the material may rise before sharpen() pays
  const int inside = rules_.volume_sets(), points = rules_.face_sets();
  const auto [low, high] = std::minmax_element(value_.begin(), value_.begin() + inside);
  double least = *low, most = *high;
  std::array<double, 6> steepness{};  // a hexahedron has most faces
  const std::int64_t at = cell / lanes_ * faces_ * lanes_ + cell % lanes_;
  for (int f = 0; f < faces_; ++f) {
    const auto first = value_.begin() + inside + f * points;
    const auto [lowest, highest] = std::minmax_element(first, first + points);
    const double on_face = std::max(least, *highest);
    steepness[f] = geometry_.steepness[at + f * lanes_] * on_face;
    least = std::min(least, *lowest);
    most = std::max(most, on_face);
  }
  for (int f = 0; f < faces_; ++f) steepness[f] /= least;
  if (most > little * least && !modes_at_face_.empty() && is_affine(mesh_, cell)) sharpen(cell, steepness.data());
  for (int f = 0; f < faces_; ++f) steepness_[at + f * lanes_] = steepness[f];
}

// A jump of the material inside a cell makes T from its least and most far too steep: where the face sees much, so does most of
// the cell. There T comes from the largest of (integral of k v^2 on the face) / (the same in the cell) over the polynomials v
// that a slope can be, by the operator's own points. On curved cells a slope is no polynomial.
void DiffusionNumbers::sharpen(std::int64_t cell, double* steepness) {
  const int inside = rules_.volume_sets(), points = rules_.face_sets();
  const Eigen::Map<const Vector> k(value_.data(), inside);
  const Vector weight = geometry_.volume[cell] * rules_.volume.weights.cwiseProduct(k);
  const Eigen::LLT<Eigen::MatrixXd> factor(modes_inside_.transpose() * weight.asDiagonal() * modes_inside_);
  const std::int64_t batch = cell / lanes_, sets = geometry_.straight[batch] ? 1 : points;
  const double* const measure = geometry_.side.data() + geometry_.side_at[batch] + dim_ * lanes_ + cell % lanes_;
  Vector on_face(points);
  for (int f = 0; f < faces_; ++f) {
    for (int p = 0; p < points; ++p)
      on_face(p) = std::sqrt(measure[(f * sets + (sets == 1 ? 0 : p)) * (dim_ + 1) * lanes_] * rules_.face.weights(p) *
                             value_[inside + f * points + p]);
    const Eigen::MatrixXd half =
        factor.matrixL().solve(Eigen::MatrixXd(modes_at_face_[f].transpose() * on_face.asDiagonal()));
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(half.transpose() * half, Eigen::EigenvaluesOnly);
    steepness[f] = std::min(steepness[f], faces_ * problem_.penalty * solver.eigenvalues().maxCoeff());
  }
}

void DiffusionNumbers::write_metric(std::int64_t batch, double* to) const {
  const int metrics = dim_ * (dim_ + 1) / 2;
  const double* from = geometry_.metric.data() + geometry_.metric_at[batch];
  for (int p = 0; p < rules_.volume_sets(); ++p) {
    const double* const k = inside_.data() + p * lanes_;
    const double weight = rules_.constant ? 1 : rules_.volume.weights(p);
    for (int m = 0; m < metrics; ++m, to += lanes_)
      for (int lane = 0; lane < lanes_; ++lane) to[lane] = weight * k[lane] * from[m * lanes_ + lane];
    if (!geometry_.straight[batch]) from += metrics * lanes_;
  }
}

bool DiffusionNumbers::write_faces(const Sink& face) {
  bool held = false;
  std::size_t side = 0;
  const std::int64_t own_batches = (mesh_.own_count() + lanes_ - 1) / lanes_;
  in_pieces(own_batches, face_of_batch(), face, [&](std::int64_t batch, double* to) {
    for (int f = 0; f < faces_; ++f) {
      find_behind(batch, f);
      write_face(batch, f, to + f * (face_of_batch() / faces_));
    }
    for (; side < sides_.cell.size() && sides_.cell[side] / lanes_ == batch; ++side) held = write_transfers(side, to) || held;
  });
  return held;
}

void DiffusionNumbers::find_behind(std::int64_t batch, int f) {
  for (int lane = 0; lane < lanes_; ++lane) {
    Behind& behind = behind_[lane] = {};
    const std::int64_t cell = batch * lanes_ + lane;
    if (cell >= mesh_.own_count()) continue;
    const Neighbour& n = mesh_.neighbour(cell, f);
    if (n.cell < 0) {
      const std::size_t number = n.boundary >= 0 ? n.boundary : problem_.boundary.size() - 1;
      behind.part = problem_.boundary[number].kind == DiffusionBoundary::Kind::value ? 1 : 0;
      continue;
    }
    const std::int64_t side = n.cell / lanes_ * faces_ + n.face, at = n.cell % lanes_;
    behind.k = at_faces_.data() + side * rules_.face_sets() * lanes_ + at;
    behind.turned = rules_.turned[n.orientation].data();
    behind.steepness = steepness_[side * lanes_ + at];
  }
}

// Slopes: measure w k J^-1 n, so that they give the own part of the average flux {k grad u . n}; w = k' / (k + k') with k'
// behind the face (Ern, Stephansen and Zunino 2009). Penalty: measure sigma. With the steepness T of a cell, Young's inequality on
// each face makes the operator coercive for sigma >= k_h (w T + w' T') / 2, k_h = 2 k k' / (k + k'), and for sigma >= k T where a
// value is given: there w = 1. Where a flux is given both are 0.
void DiffusionNumbers::write_face(std::int64_t batch, int f, double* to) const {
  const int sets = rules_.face_sets();
  const bool straight = geometry_.straight[batch];
  const double* const own = at_faces_.data() + (batch * faces_ + f) * sets * lanes_;
  const double* const steepness = steepness_.data() + (batch * faces_ + f) * lanes_;
  const double* from = geometry_.side.data() + geometry_.side_at[batch] + f * (straight ? 1 : sets) * (dim_ + 1) * lanes_;
  for (int p = 0; p < sets; ++p, to += (dim_ + 1) * lanes_) {
    const double weight = rules_.constant ? 1 : rules_.face.weights(p);
    for (int lane = 0; lane < lanes_; ++lane) {
      const Behind& other = behind_[lane];
      const double k = own[p * lanes_ + lane];
      double part = other.part;
      if (other.k) {
        const double there = other.k[rules_.constant ? 0 : other.turned[p] * lanes_];
        part = there / (k + there);
      }
      const double slope = weight * part * k;
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
