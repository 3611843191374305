// SPDX-License-Identifier: Apache-2.0
#include "dg/diffusion/geometry.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "mesh/geometry.hpp"

namespace swell {

namespace {

// C of |v|^2 on a face <= C |F| / |K| |v|^2 in the cell for polynomials v of degree p: on simplices Warburton and Hesthaven
// 2003, used for the penalty by Shahbazi 2005; on tensor products half of what both faces across one axis have together,
// v(-1)^2 + v(1)^2 <= (p + 1)(p + 2) / 2 |v|^2 on [-1, 1].
double trace_constant(Shape shape, int p) {
  const int dim = dimension(shape);
  return is_simplex(shape) ? (p + 1.0) * (p + dim) / dim : (p + 1.0) * (p + 2) / 2;
}

// A face of the reference element.
template <int dim>
struct ReferenceFace {
  Eigen::Matrix<double, dim, 1> normal = Eigen::Matrix<double, dim, 1>::Zero();  // the direction of its outer one
  Eigen::Matrix<double, dim, dim - 1> tangents;  // how the element's coordinates change along those of the face

  ReferenceFace(Shape shape, int face) {
    if (is_simplex(shape) && face == 0)
      normal.setOnes();
    else if (is_simplex(shape))
      normal(face - 1) = -1;
    else
      normal(face / 2) = face % 2 ? 1 : -1;
    const Matrix corners = face_points(shape, face, lattice(face_shape(shape), 1));
    for (int j = 0; j + 1 < dim; ++j) tangents.col(j) = (corners.row(j + 1) - corners.row(0)).transpose() / 2;
  }
};

// Sizes are known here: matrices that are not would take memory at every point.
template <int dim>
class GeometryBuilder {
 public:
  GeometryBuilder(const DiffusionProblem& problem, const DiffusionRules& rules, DiffusionGeometry& to)
      : mesh_(*problem.mesh), rules_(rules), to_(to), faces_(rules.element.face_count), lanes_(rules.lanes),
        middle_(mesh_, middle_of(mesh_.shape())), inside_(mesh_, rules.volume.points) {
    for (int f = 0; f < faces_; ++f) {
      face_.emplace_back(mesh_.shape(), f);
      on_face_.emplace_back(mesh_, rules.at_face[f]);
    }
    const int points = std::max(rules.volume_sets(), rules.face_points());
    jacobians_.resize(static_cast<std::size_t>(points) * dim * dim);
    scale_ = faces_ * trace_constant(mesh_.shape(), rules.element.order) * reference_measure(face_shape(mesh_.shape())) *
             problem.penalty / reference_measure(mesh_.shape());
  }

  void build() {
    make_room();
    for (std::int64_t cell = 0; cell < mesh_.cell_count(); ++cell) {
      const std::int64_t batch = cell / lanes_, lane = cell % lanes_;
      const bool straight = to_.straight[batch];
      if (straight) middle_.jacobians(cell, jacobians_.data());
      double* metric = to_.metric.data() + to_.metric_at[batch] + lane;
      if (!straight) inside_.jacobians(cell, jacobians_.data());
      double smallest = INFINITY;
      for (int p = 0; p < (straight ? 1 : rules_.volume_sets()); ++p, metric += dim * (dim + 1) / 2 * lanes_)
        smallest = std::min(smallest, write_metric(p, metric));
      to_.volume[cell] = smallest;
      double* side = to_.side.data() + to_.side_at[batch] + lane;
      for (int f = 0; f < faces_; ++f) {
        if (!straight) on_face_[f].jacobians(cell, jacobians_.data());
        double largest = 0;
        for (int p = 0; p < (straight ? 1 : rules_.face_points()); ++p, side += (dim + 1) * lanes_)
          largest = std::max(largest, write_side(p, face_[f], side));
        to_.steepness[(batch * faces_ + f) * lanes_ + lane] = scale_ * largest / smallest;
      }
    }
  }

 private:
  using Square = Eigen::Matrix<double, dim, dim, Eigen::RowMajor>;
  Eigen::Map<const Square> jacobian(int point) const { return Eigen::Map<const Square>(jacobians_.data() + point * dim * dim); }

  void make_room() {
    to_.straight.assign(static_cast<std::size_t>(rules_.batches), 1);
    for (std::int64_t cell = 0; cell < mesh_.cell_count(); ++cell)
      if (!is_affine(mesh_, cell)) to_.straight[cell / lanes_] = 0;
    std::int64_t metrics = 0, sides = 0;
    for (const bool straight : to_.straight) {
      to_.metric_at.push_back(metrics);
      to_.side_at.push_back(sides);
      metrics += (straight ? 1 : rules_.volume_sets()) * dim * (dim + 1) / 2 * lanes_;
      sides += (straight ? 1 : rules_.face_points()) * faces_ * (dim + 1) * lanes_;
    }
    to_.metric.assign(static_cast<std::size_t>(metrics), 0.0);
    to_.side.assign(static_cast<std::size_t>(sides), 0.0);
    to_.steepness.assign(static_cast<std::size_t>(rules_.batches * faces_ * lanes_), 0.0);
    to_.volume.resize(static_cast<std::size_t>(mesh_.cell_count()));
  }

  // Returns J.
  double write_metric(int point, double* out) const {
    const Square inverse = jacobian(point).inverse();
    const double j = std::abs(jacobian(point).determinant());
    const Square metric = j * inverse * inverse.transpose();
    for (int d = 0; d < dim; ++d)
      for (int e = d; e < dim; ++e, out += lanes_) *out = metric(d, e);
    return j;
  }

  // Returns J_face.
  double write_side(int point, const ReferenceFace<dim>& face, double* out) const {
    const Square inverse = jacobian(point).inverse();
    double measure = 1;  // of a point
    if constexpr (dim > 1) {
      const Eigen::Matrix<double, dim, dim - 1> across = jacobian(point) * face.tangents;
      const Eigen::Matrix<double, dim - 1, dim - 1> square = across.transpose() * across;
      measure = std::sqrt(square.determinant());
    }
    const Eigen::Matrix<double, dim, 1> outer = inverse.transpose() * face.normal;
    const Eigen::Matrix<double, dim, 1> along = inverse * outer.normalized();
    for (int d = 0; d < dim; ++d) out[d * lanes_] = measure * along(d);
    out[dim * lanes_] = measure;
    return measure;
  }

  const Mesh& mesh_;
  const DiffusionRules& rules_;
  DiffusionGeometry& to_;
  const int faces_, lanes_;
  const CellMap middle_, inside_;
  std::vector<ReferenceFace<dim>> face_;
  std::vector<CellMap> on_face_;
  std::vector<double> jacobians_;
  double scale_ = 0;
};

}  // namespace

DiffusionGeometry::DiffusionGeometry(const DiffusionProblem& problem, const DiffusionRules& rules) {
  if (problem.mesh->dim == 1)
    GeometryBuilder<1>(problem, rules, *this).build();
  else if (problem.mesh->dim == 2)
    GeometryBuilder<2>(problem, rules, *this).build();
  else
    GeometryBuilder<3>(problem, rules, *this).build();
}

bool DiffusionGeometry::all_straight() const {
  return std::all_of(straight.begin(), straight.end(), [](char is) { return is != 0; });
}

std::vector<std::int32_t> cells_behind(const Mesh& mesh, const DiffusionRules& rules) {
  const std::int64_t faces = rules.element.face_count, lanes = rules.lanes, turns = static_cast<std::int64_t>(rules.turned.size());
  if (mesh.cell_count() * std::max<std::int64_t>(faces * turns, rules.element.node_count) > std::numeric_limits<std::int32_t>::max())
    throw InputError("The mesh {} has {} cells, more than discontinuous elements can number.", mesh.name, mesh.cell_count());
  std::vector<std::int32_t> behind(static_cast<std::size_t>(rules.batches * faces * lanes), -1);
  for (std::int64_t cell = 0; cell < mesh.own_count(); ++cell)
    for (int f = 0; f < faces; ++f) {
      const Neighbour& n = mesh.neighbour(cell, f);
      if (n.cell >= 0)
        behind[(cell / lanes * faces + f) * lanes + cell % lanes] =
            static_cast<std::int32_t>((n.cell * faces + n.face) * turns + n.orientation);
    }
  return behind;
}

DiffusionSides::DiffusionSides(const DiffusionProblem& problem, const DiffusionRules& rules, const DiffusionGeometry& geometry) {
  const Mesh& mesh = *problem.mesh;
  const int faces = rules.element.face_count, points = rules.face_points(), dim = mesh.dim, lanes = rules.lanes;
  std::vector<CellMap> maps;
  for (const Matrix& at : rules.at_face) maps.emplace_back(mesh, at);
  std::vector<double> x(points * dim);
  for (std::int64_t at = 0; at < mesh.own_count(); ++at) {
    bool any = false;
    for (int f = 0; f < faces; ++f) any = any || mesh.neighbour(at, f).cell < 0;
    if (!any) continue;
    cell.push_back(static_cast<std::int32_t>(at));
    const int sets = geometry.straight[at / lanes] ? 1 : points;
    const double* measure = geometry.side.data() + geometry.side_at[at / lanes] + dim * lanes + at % lanes;
    for (int f = 0; f < faces; ++f) {
      const Neighbour& n = mesh.neighbour(at, f);
      const auto nameless = static_cast<std::int32_t>(problem.boundary.size()) - 1;
      spec.push_back(n.cell >= 0 ? -1 : n.boundary >= 0 ? n.boundary : nameless);
      maps[f].coordinates(at, x.data());
      place.insert(place.end(), x.begin(), x.end());
      for (int p = 0; p < points; ++p)
        weight.push_back(measure[(f * sets + (sets == 1 ? 0 : p)) * (dim + 1) * lanes] * rules.face.weights(p));
    }
  }
}

}  // namespace swell
