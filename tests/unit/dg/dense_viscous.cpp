// SPDX-License-Identifier: Apache-2.0
#include "dense_viscous.hpp"

#include <algorithm>

namespace swell {

namespace {

// dq[field][axis] of each point.
Matrix joined(const std::vector<Matrix>& slopes) {
  const auto dim = static_cast<Eigen::Index>(slopes.size());
  Matrix all(slopes[0].rows(), slopes[0].cols() * dim);
  for (Eigen::Index k = 0; k < slopes[0].cols(); ++k)
    for (Eigen::Index a = 0; a < dim; ++a) all.col(k * dim + a) = slopes[a].col(k);
  return all;
}

void add_jump(Matrix& dq, const Matrix& jump, const Matrix& n) {
  for (Eigen::Index k = 0; k < jump.cols(); ++k)
    for (Eigen::Index a = 0; a < n.cols(); ++a) dq.col(k * n.cols() + a) += jump.col(k).cwiseProduct(n.col(a));
}

}  // namespace

const BoundarySpec& DenseViscous::spec_of(const Neighbour& n) const {
  return n.boundary >= 0 ? problem_.boundary[n.boundary] : problem_.boundary.back();
}

Matrix DenseViscous::wall_value(const BoundarySpec& spec, const Matrix& own, const Matrix& m, const Matrix& n, const Matrix& x,
                                double t) const {
  if (spec.kind == BoundarySpec::Kind::dirichlet) return ghost(spec, own, m, n, x, t);
  const Matrix data = spec.data.empty() ? Matrix(Matrix::Zero(x.rows(), 1)) : expressions(spec.data, x, t);
  const BoundaryKind& kind = *probe_.model().boundary(spec.name);
  if (kind.gradient) return own;
  const Matrix state = probe_.boundary(spec.name, own, m, n, data);
  return kind.mirror ? Matrix(0.5 * (state + own)) : state;
}

Matrix DenseViscous::wall_flux(const BoundarySpec& spec, const Matrix& own, Matrix dq, double penalty, const Matrix& m, const Matrix& n,
                               const Matrix& x, double t) const {
  const Matrix value = wall_value(spec, own, m, n, x, t);
  add_jump(dq, 2 * penalty * (value - own), n);
  if (spec.kind == BoundarySpec::Kind::dirichlet) return probe_.viscous_flux(value, dq, m, n);
  const Matrix data = spec.data.empty() ? Matrix(Matrix::Zero(x.rows(), 1)) : expressions(spec.data, x, t);
  if (probe_.model().has("through_" + spec.name)) return 0 * own;  // the pages of the tests let nothing through such a wall
  if (probe_.model().boundary(spec.name)->gradient) return probe_.boundary(spec.name, own, m, n, data);
  return probe_.viscous_flux(value, dq, m, n);
}

Matrix DenseViscous::wall_places(std::int64_t cell, int face) const { return at_points(cell) ? side_.points : nodes_on_face(face); }

Matrix DenseViscous::from_places(std::int64_t cell, int face, const Matrix& values) const {
  if (at_points(cell)) return values;
  const Matrix traces = element_.interpolation(face_points(mesh_.shape(), face, side_.points));
  Matrix to_points(traces.rows(), element_.face_node_count);
  for (int i = 0; i < element_.face_node_count; ++i) to_points.col(i) = traces.col(element_.face_node(face, i));
  return to_points * values;
}

double DenseViscous::over_height(std::int64_t cell, int face) const {
  const Shape side = face_shape(mesh_.shape());
  const Matrix middle = side == Shape::point ? Matrix(1, 0) : Matrix(lattice(side, 1).colwise().mean());
  const CellMap map(mesh_, face_points(mesh_.shape(), face, middle));
  const Eigen::MatrixXd gradients = jacobians(cell, map)[0].inverse();
  if (!is_simplex(mesh_.shape())) return gradients.row(face / 2).norm() / 2;
  return (face == 0 ? Eigen::MatrixXd(gradients.colwise().sum()) : Eigen::MatrixXd(gradients.row(face - 1))).norm() / 2;
}

double DenseViscous::penalty(std::int64_t cell, int face) const {
  const Neighbour& n = mesh_.neighbour(cell, face);
  const double other = n.cell >= 0 ? over_height(n.cell, n.face) : 0;
  return 0.1 * (problem_.order + 1) * (problem_.order + 1) * std::max(over_height(cell, face), other);
}

DenseViscous::Traces DenseViscous::traces(const State& q, std::int64_t cell, int face, const Face& at, double t) const {
  Traces out;
  const Matrix trace = element_.interpolation(face_points(mesh_.shape(), face, side_.points));
  out.own = trace * q[cell];
  out.own_m = material(cell, at.x, t);
  const Neighbour& n = mesh_.neighbour(cell, face);
  if (n.cell >= 0) {
    std::tie(out.behind, out.behind_m) = behind(q, cell, face, out.own_m, t);
    return out;
  }
  const Matrix places = wall_places(cell, face);
  const Face wall = face_geometry(cell, face, places, Vector::Ones(places.rows()));
  const Matrix own = element_.interpolation(face_points(mesh_.shape(), face, places)) * q[cell];
  const Matrix value = wall_value(spec_of(n), own, material(cell, wall.x, t), wall.normal, wall.x, t);
  out.behind = from_places(cell, face, 2 * value - own);
  out.behind_m = out.own_m;
  return out;
}

// Sums against all test functions become nodal values, by the weight-adjusted mass.
Matrix DenseViscous::solved(std::int64_t cell, const Matrix& sum) const {
  const auto jacobian = jacobians(cell, map_);
  Matrix at = values_ * inverse_mass_ * sum;
  for (Eigen::Index p = 0; p < at.rows(); ++p) at.row(p) /= jacobian[p].determinant();
  return inverse_mass_ * values_.transpose() * volume_.weights.asDiagonal() * at;
}

std::vector<State> DenseViscous::gradients(const State& q, double t) const {
  std::vector<State> all(mesh_.dim, State(q.size()));
  for (std::int64_t cell = 0; cell < mesh_.cell_count(); ++cell) {
    const auto jacobian = jacobians(cell, map_);
    std::vector<Matrix> sum(mesh_.dim, Matrix::Zero(element_.node_count, probe_.fields()));
    for (int a = 0; a < mesh_.dim; ++a)
      for (int d = 0; d < mesh_.dim; ++d) {
        Matrix slope = slopes_[d] * q[cell];
        for (Eigen::Index p = 0; p < slope.rows(); ++p)
          slope.row(p) *= volume_.weights(p) * jacobian[p].determinant() * jacobian[p].inverse()(d, a);
        sum[a] += values_.transpose() * slope;
      }
    for (int f = 0; f < element_.face_count; ++f) {
      const Face face = face_geometry(cell, f, side_.points, side_.weights);
      const Matrix trace = element_.interpolation(face_points(mesh_.shape(), f, side_.points));
      const Traces sides = traces(q, cell, f, face, t);
      for (int a = 0; a < mesh_.dim; ++a)
        sum[a] += trace.transpose() * face.weight.cwiseProduct(face.normal.col(a)).asDiagonal() * (0.5 * (sides.behind - sides.own));
    }
    for (int a = 0; a < mesh_.dim; ++a) all[a][cell] = solved(cell, sum[a]);
  }
  return all;
}

State DenseViscous::divergence(const State& q, double t) const {
  const std::vector<State> g = gradients(q, t);
  const int dim = mesh_.dim;
  State all;
  for (std::int64_t cell = 0; cell < mesh_.cell_count(); ++cell) {
    const auto jacobian = jacobians(cell, map_);
    // Straight simplices have the flux as a polynomial through its values at nodes.
    const bool by_nodes = is_simplex(mesh_.shape()) && !at_points(cell);
    const Matrix m = material(cell, places(cell, map_), t);
    std::vector<Matrix> slopes;
    for (int a = 0; a < dim; ++a) slopes.push_back(by_nodes ? g[a][cell] : Matrix(values_ * g[a][cell]));
    Matrix sum = Matrix::Zero(element_.node_count, probe_.fields());
    for (int d = 0; d < dim; ++d) {
      Matrix direction(values_.rows(), dim);
      for (Eigen::Index p = 0; p < direction.rows(); ++p) direction.row(p) = jacobian[p].determinant() * jacobian[p].inverse().row(d);
      const Eigen::Index nodes = element_.node_count;
      const Matrix flux = by_nodes ? Matrix(values_ * probe_.viscous_flux(q[cell], joined(slopes), m.row(0).replicate(nodes, 1),
                                                                          direction.row(0).replicate(nodes, 1)))
                                   : probe_.viscous_flux(values_ * q[cell], joined(slopes), m, direction);
      sum -= slopes_[d].transpose() * volume_.weights.asDiagonal() * flux;
    }
    for (int f = 0; f < element_.face_count; ++f) {
      const Face face = face_geometry(cell, f, side_.points, side_.weights);
      const Matrix trace = element_.interpolation(face_points(mesh_.shape(), f, side_.points));
      const Neighbour& n = mesh_.neighbour(cell, f);
      const double steep = penalty(cell, f);
      Matrix star;
      if (n.cell < 0) {
        const Matrix on_face = wall_places(cell, f);
        const Face wall = face_geometry(cell, f, on_face, Vector::Ones(on_face.rows()));
        const Matrix to_places = element_.interpolation(face_points(mesh_.shape(), f, on_face));
        std::vector<Matrix> here;
        for (int a = 0; a < dim; ++a) here.push_back(to_places * g[a][cell]);
        star = from_places(cell, f, wall_flux(spec_of(n), to_places * q[cell], joined(here), steep, material(cell, wall.x, t),
                                              wall.normal, wall.x, t));
      } else {
        Traces sides = traces(q, cell, f, face, t);
        std::vector<Matrix> own, behind;
        for (int a = 0; a < dim; ++a) {
          Traces slope = traces(g[a], cell, f, face, t);
          own.push_back(slope.own);
          behind.push_back(slope.behind);
        }
        Matrix normal = face.normal, to_points = Matrix::Identity(trace.rows(), trace.rows());
        if (by_nodes) {
          to_points = from_places(cell, f, Matrix::Identity(element_.face_node_count, element_.face_node_count));
          const auto back = to_points.completeOrthogonalDecomposition();
          const auto at_nodes = [&](Matrix& values) { values = back.solve(values).eval(); };
          const Eigen::Index nodes = element_.face_node_count;
          at_nodes(sides.own);
          at_nodes(sides.behind);
          for (int a = 0; a < dim; ++a) at_nodes(own[a]), at_nodes(behind[a]);
          sides.own_m = sides.own_m.row(0).replicate(nodes, 1).eval();
          sides.behind_m = sides.behind_m.row(0).replicate(nodes, 1).eval();
          normal = face.normal.row(0).replicate(nodes, 1);
        }
        Matrix dl = joined(own), dr = joined(behind);
        add_jump(dl, steep * (sides.behind - sides.own), normal);
        add_jump(dr, steep * (sides.behind - sides.own), normal);
        star = to_points * (0.5 * (probe_.viscous_flux(sides.own, dl, sides.own_m, normal) +
                                   probe_.viscous_flux(sides.behind, dr, sides.behind_m, normal)));
      }
      sum += trace.transpose() * face.weight.asDiagonal() * star;
    }
    all.push_back(solved(cell, sum));
  }
  return all;
}

}  // namespace swell
