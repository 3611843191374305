// SPDX-License-Identifier: Apache-2.0
#include "dg/diffusion_data.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "mesh/geometry.hpp"

namespace swell {

namespace {

constexpr double inwards = 1e-10;  // part of the way to the middle

// The direction of a reference face's outer normal.
Vector reference_normal(Shape shape, int face) {
  Vector normal = Vector::Zero(dimension(shape));
  if (is_simplex(shape) && face == 0)
    normal.setOnes();
  else if (is_simplex(shape))
    normal(face - 1) = -1;
  else
    normal(face / 2) = face % 2 ? 1 : -1;
  return normal;
}

// C of |v|^2 on a face <= C |F| / |K| |v|^2 in the cell for polynomials v of degree p: on simplices Warburton and Hesthaven
// 2003, used for the penalty by Shahbazi 2005; on tensor products half of what both faces across one axis have together,
// v(-1)^2 + v(1)^2 <= (p + 1)(p + 2) / 2 |v|^2 on [-1, 1].
double trace_constant(Shape shape, int p) {
  const int dim = dimension(shape);
  return is_simplex(shape) ? (p + 1.0) * (p + dim) / dim : (p + 1.0) * (p + 2) / 2;
}

// At a point of a face of a cell.
struct FacePoint {
  double measure = 0, k = 0;         // of the face, without the rule's weight; material of this side
  std::array<double, 3> along{};     // J^-1 n: the derivative along the outer normal by those along the reference axes
  std::array<double, 4> place{};
};

class DataBuilder {
 public:
  DataBuilder(const DiffusionProblem& problem, const DiffusionRules& rules)
      : problem_(problem), mesh_(*problem.mesh), rules_(rules), dim_(mesh_.dim), faces_(rules.element.face_count),
        points_(static_cast<int>(rules.face.points.rows())) {}

  DiffusionData build() {
    const std::int64_t places = mesh_.cell_count() * std::max<std::int64_t>(faces_ * rules_.turned.size(), rules_.element.node_count);
    if (places > std::numeric_limits<std::int32_t>::max())
      throw InputError("The mesh {} has {} cells, more than discontinuous elements can number.", mesh_.name,
                       mesh_.cell_count());
    make_volume();
    make_points();
    const int kept = rules_.constant ? 1 : points_, numbers = dim_ + 1, lanes = rules_.lanes;
    data_.face.assign(rules_.batches * faces_ * kept * numbers * lanes, 0.0);
    data_.behind.assign(rules_.batches * faces_ * lanes, -1);
    for (std::int64_t cell = 0; cell < mesh_.own_count(); ++cell) {
      for (int f = 0; f < faces_; ++f) {
        const std::int64_t at = (cell / lanes * faces_ + f) * kept * numbers * lanes + cell % lanes;
        for (int p = 0; p < kept; ++p) write_face_point(cell, f, p, data_.face.data() + at + p * numbers * lanes);
        const Neighbour& n = mesh_.neighbour(cell, f);
        const auto turns = static_cast<std::int64_t>(rules_.turned.size());
        if (n.cell >= 0)
          data_.behind[(cell / lanes * faces_ + f) * lanes + cell % lanes] =
              static_cast<std::int32_t>((n.cell * faces_ + n.face) * turns + n.orientation);
      }
      add_sides(cell);
    }
    return std::move(data_);
  }

 private:
  const FacePoint& point(std::int64_t cell, int face, int p) const { return all_[(cell * faces_ + face) * points_ + p]; }

  std::int32_t boundary_of(const Neighbour& n) const {
    return static_cast<std::int32_t>(n.boundary >= 0 ? n.boundary : problem_.boundary.size() - 1);
  }

  double steepness(std::int64_t cell, int face) const { return steepness_[cell * faces_ + face] / least_[cell]; }

  void make_volume() {
    const int points = static_cast<int>(rules_.volume.points.rows()), kept = rules_.constant ? 1 : points;
    const int numbers = dim_ * (dim_ + 1) / 2, lanes = rules_.lanes;
    const CellMap map(mesh_, rules_.volume.points);
    std::vector<double> jacobians(points * dim_ * dim_), x(points * dim_);
    data_.metric.assign(rules_.batches * kept * numbers * lanes, 0.0);
    volume_.assign(mesh_.cell_count(), 0.0);
    least_.assign(mesh_.cell_count(), 0.0);
    most_.assign(mesh_.cell_count(), 0.0);
    for (std::int64_t cell = 0; cell < mesh_.cell_count(); ++cell) {
      map.jacobians(cell, jacobians.data());
      map.coordinates(cell, x.data());
      double smallest = INFINITY, least = INFINITY;
      for (int p = 0; p < points; ++p) {
        const Eigen::Map<const Matrix> jacobian(jacobians.data() + p * dim_ * dim_, dim_, dim_);
        const double k = conductivity_at(problem_, cell, x.data() + p * dim_), j = std::abs(jacobian.determinant());
        smallest = std::min(smallest, j);
        least = std::min(least, k);
        most_[cell] = std::max(most_[cell], k);
        if (p >= kept) continue;
        const Matrix inverse = jacobian.inverse();
        const Matrix metric = k * j * (rules_.constant ? 1 : rules_.volume.weights(p)) * inverse * inverse.transpose();
        double* to = data_.metric.data() + (cell / lanes * kept + p) * numbers * lanes + cell % lanes;
        for (int d = 0; d < dim_; ++d)
          for (int e = d; e < dim_; ++e, to += lanes) *to = metric(d, e);
      }
      volume_[cell] = smallest * reference_measure(mesh_.shape());
      least_[cell] = least;
    }
  }

  void make_points() {
    const Shape shape = mesh_.shape(), side = face_shape(shape);
    all_.resize(mesh_.cell_count() * faces_ * points_);
    steepness_.resize(mesh_.cell_count() * faces_);
    std::vector<double> x(points_ * dim_), inside(points_ * dim_), jacobians(points_ * dim_ * dim_);
    const double scale = faces_ * trace_constant(shape, rules_.element.order) * reference_measure(side) * problem_.penalty;
    for (int f = 0; f < faces_; ++f) {
      const CellMap map(mesh_, rules_.at_face[f]), inner(mesh_, moved_inwards(rules_.at_face[f], shape));
      // How the element's coordinates change along those of the face.
      Matrix tangents(dim_, dim_ - 1);
      const Matrix corners = face_points(shape, f, lattice(side, 1));
      for (int j = 0; j + 1 < dim_; ++j) tangents.col(j) = (corners.row(j + 1) - corners.row(0)).transpose() / 2;
      const Vector normal = reference_normal(shape, f);
      for (std::int64_t cell = 0; cell < mesh_.cell_count(); ++cell) {
        map.coordinates(cell, x.data());
        map.jacobians(cell, jacobians.data());
        inner.coordinates(cell, inside.data());
        double largest = 0, most = least_[cell];
        for (int p = 0; p < points_; ++p) {
          FacePoint& to = all_[(cell * faces_ + f) * points_ + p];
          const Eigen::Map<const Matrix> jacobian(jacobians.data() + p * dim_ * dim_, dim_, dim_);
          const Matrix inverse = jacobian.inverse(), across = jacobian * tangents;
          const Vector along = inverse * (inverse.transpose() * normal).normalized();
          to.measure = std::sqrt((across.transpose() * across).determinant());
          to.k = conductivity_at(problem_, cell, inside.data() + p * dim_);
          std::copy_n(along.data(), dim_, to.along.begin());
          std::copy_n(x.data() + p * dim_, dim_, to.place.begin());
          largest = std::max(largest, to.measure);
          most = std::max(most, to.k);
          least_[cell] = std::min(least_[cell], to.k);
        }
        steepness_[cell * faces_ + f] = scale * largest / volume_[cell] * most;
        most_[cell] = std::max(most_[cell], most);
      }
    }
    if (!rules_.constant) sharpen();
  }

  // A jump of the material inside a cell makes T from its least and most far too steep: where the face sees much, so does most of
  // the cell. There T comes from the largest of (integral of k v^2 on the face) / (the same in the cell) over the polynomials v
  // that a slope can be, by the operator's own points. On curved cells a slope is no polynomial.
  void sharpen() {
    constexpr double little = 2;   // that the material may rise before this pays
    constexpr int most_modes = 125;
    const Shape shape = mesh_.shape();
    const int order = rules_.element.order - (is_simplex(shape) ? 1 : 0);
    const Matrix inside = modes(shape, order, rules_.volume.points);
    if (inside.cols() > most_modes) return;
    std::vector<Matrix> at_face;
    for (int f = 0; f < faces_; ++f) at_face.push_back(modes(shape, order, rules_.at_face[f]));
    const int points = static_cast<int>(rules_.volume.points.rows());
    const CellMap map(mesh_, rules_.volume.points);
    std::vector<double> x(points * dim_);
    Vector weight(points), on_face(points_);
    for (std::int64_t cell = 0; cell < mesh_.cell_count(); ++cell) {
      if (most_[cell] <= little * least_[cell] || !is_affine(mesh_, cell)) continue;
      map.coordinates(cell, x.data());
      const double j = volume_[cell] / reference_measure(shape);
      for (int p = 0; p < points; ++p)
        weight(p) = j * rules_.volume.weights(p) * conductivity_at(problem_, cell, x.data() + p * dim_);
      const Eigen::LLT<Eigen::MatrixXd> factor(inside.transpose() * weight.asDiagonal() * inside);
      for (int f = 0; f < faces_; ++f) {
        for (int p = 0; p < points_; ++p) {
          const FacePoint& at = point(cell, f, p);
          on_face(p) = std::sqrt(at.measure * rules_.face.weights(p) * at.k);
        }
        const Eigen::MatrixXd half = factor.matrixL().solve(Eigen::MatrixXd(at_face[f].transpose() * on_face.asDiagonal()));
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(half.transpose() * half, Eigen::EigenvaluesOnly);
        double& steepness = steepness_[cell * faces_ + f];
        steepness = std::min(steepness, faces_ * problem_.penalty * solver.eigenvalues().maxCoeff() * least_[cell]);
      }
    }
  }

  // Slopes: measure w k J^-1 n, so that they give the own part of the average flux {k grad u . n}; w = k' / (k + k') with k'
  // behind the face (Ern, Stephansen and Zunino 2009). Penalty: measure sigma. With T = faces C |F| / |K| of a cell, times what
  // its material rises from the least in the cell to the most on the face, or less by sharpen(), Young's inequality on each face
  // makes the operator coercive for sigma >= k_h (w T + w' T') / 2, k_h = 2 k k' / (k + k'), and for sigma >= k T where a value
  // is given.
  void write_face_point(std::int64_t cell, int f, int p, double* to) {
    const FacePoint& own = point(cell, f, p);
    const Neighbour& n = mesh_.neighbour(cell, f);
    const double scale = own.measure * (rules_.constant ? 1 : rules_.face.weights(p));
    double part = 0, penalty = 0;
    if (n.cell >= 0) {
      const double k = point(n.cell, n.face, rules_.turned[n.orientation][p]).k;
      part = k / (own.k + k);
      penalty = part * own.k * (part * steepness(cell, f) + (1 - part) * steepness(n.cell, n.face));
    } else {
      const DiffusionBoundary& boundary = problem_.boundary[boundary_of(n)];
      if (boundary.kind == DiffusionBoundary::Kind::value) part = 1, penalty = own.k * steepness(cell, f), data_.floating = false;
      if (boundary.kind == DiffusionBoundary::Kind::robin) {
        penalty = boundary.transfer(own.place.data());
        if (!(penalty >= 0) || !std::isfinite(penalty))
          throw InputError("The heat transfer h = {} of boundary '{}' has the value {} at ({}, {}, {}); it must not be "
                           "below 0.",
                           boundary.transfer.text(), n.boundary >= 0 ? mesh_.boundaries[n.boundary] : "", penalty,
                           own.place[0], own.place[1], own.place[2]);
        if (penalty > 0) data_.floating = false;
      }
    }
    for (int d = 0; d < dim_; ++d) to[d * rules_.lanes] = scale * part * own.k * own.along[d];
    to[dim_ * rules_.lanes] = scale * penalty;
  }

  void add_sides(std::int64_t cell) {
    bool any = false;
    for (int f = 0; f < faces_; ++f) any = any || mesh_.neighbour(cell, f).cell < 0;
    if (!any) return;
    data_.side_cell.push_back(static_cast<std::int32_t>(cell));
    for (int f = 0; f < faces_; ++f) {
      const Neighbour& n = mesh_.neighbour(cell, f);
      data_.side_spec.push_back(n.cell < 0 ? boundary_of(n) : -1);
      for (int p = 0; p < points_; ++p) {
        const FacePoint& own = point(cell, f, p);
        data_.side_place.insert(data_.side_place.end(), own.place.begin(), own.place.begin() + dim_);
        data_.side_weight.push_back(own.measure * rules_.face.weights(p));
      }
    }
  }

  const DiffusionProblem& problem_;
  const Mesh& mesh_;
  const DiffusionRules& rules_;
  const int dim_, faces_, points_;
  DiffusionData data_;
  std::vector<double> volume_, least_;   // [cell], from below: its measure, its material
  std::vector<double> most_;             // [cell]: its material from above
  std::vector<double> steepness_;        // [cell][face]: T times the least material of the cell
  std::vector<FacePoint> all_;           // [cell][face][point]
};

}  // namespace

double conductivity_at(const DiffusionProblem& problem, std::int64_t cell, const double* x) {
  const Expression& k = problem.conductivity[problem.mesh->cells().region[cell]];
  double at[4] = {0, 0, 0, 0};
  std::copy_n(x, problem.mesh->dim, at);
  const double value = k(at);
  if (value > 0 && std::isfinite(value)) return value;
  throw InputError("The material 'k' = {} has the value {} at ({}, {}, {}) in {}; it must be a number above 0 everywhere.", k.text(),
                   value, at[0], at[1], at[2], problem.mesh->label(cell));
}

Matrix moved_inwards(const Matrix& points, Shape shape) {
  const int dim = dimension(shape);
  return ((1 - inwards) * points.array() + inwards * (is_simplex(shape) ? -1 + 2.0 / (dim + 1) : 0.0)).matrix();
}

DiffusionData diffusion_data(const DiffusionProblem& problem, const DiffusionRules& rules) {
  return DataBuilder(problem, rules).build();
}

}  // namespace swell
