// SPDX-License-Identifier: Apache-2.0
#include "dense_operator.hpp"

#include <algorithm>
#include <cmath>

#include "element/line_rule.hpp"
#include "element/symmetric_cubature.hpp"

namespace swell {

namespace {

// Exact for products of two polynomials of the order and the metric terms; the same degree as the operator's own rule,
// since on curved cells the result depends on it.
Cubature rule(const Problem& problem, Shape shape) {
  if (problem.volume_form == VolumeForm::split) return lobatto_product(shape, problem.order);
  if (!is_simplex(problem.mesh->shape())) return cubature(shape, 2 * problem.order + 1);
  const int metric = (problem.mesh->cells().geometry_order - 1) * (problem.mesh->dim - 1);
  if (problem.volume_form == VolumeForm::quadrature) {
    const int degree = metric + (problem.degree > 0 ? problem.degree : 2 * problem.order);
    return shape == problem.mesh->shape() ? cubature(shape, degree) : symmetric_cubature(shape, degree + 1);
  }
  const int degree = 2 * problem.order + std::max(2, metric);
  return shape == problem.mesh->shape() ? cubature(shape, degree) : symmetric_cubature(shape, degree);
}

// Linear (or bilinear) functions of the vertices of a face at its points.
Matrix vertex_functions(Shape side, const Matrix& points) {
  Matrix out(points.rows(), vertex_count(side));
  for (Eigen::Index p = 0; p < points.rows(); ++p) {
    const double r = points.cols() > 0 ? points(p, 0) : 0, s = points.cols() > 1 ? points(p, 1) : 0;
    if (side == Shape::point)
      out(p, 0) = 1;
    else if (side == Shape::line)
      out.row(p) << (1 - r) / 2, (1 + r) / 2;
    else if (side == Shape::triangle)
      out.row(p) << -(r + s) / 2, (1 + r) / 2, (1 + s) / 2;
    else
      out.row(p) << (1 - r) * (1 - s) / 4, (1 + r) * (1 - s) / 4, (1 - r) * (1 + s) / 4, (1 + r) * (1 + s) / 4;
  }
  return out;
}

Matrix first_row(const Matrix& all, Eigen::Index times) { return all.row(0).replicate(times, 1); }

Matrix face_vertex_places(const Mesh& mesh, std::int64_t cell, int face) {
  const auto local = face_vertices(mesh.shape(), face);
  Matrix out(local.size(), mesh.dim);
  for (std::size_t i = 0; i < local.size(); ++i)
    for (int d = 0; d < mesh.dim; ++d) out(i, d) = mesh.vertex(cell, local[i])[d];
  return out;
}

}  // namespace

DenseOperator::DenseOperator(const Problem& problem, const ModelProbe& probe)
    : problem_(problem),
      mesh_(*problem.mesh),
      probe_(probe),
      element_(mesh_.shape(), problem.order),
      volume_(rule(problem, mesh_.shape())),
      side_(rule(problem, face_shape(mesh_.shape()))),
      values_(element_.interpolation(volume_.points)),
      inverse_mass_((values_.transpose() * volume_.weights.asDiagonal() * values_).inverse()),
      slopes_(element_.interpolation_gradients(volume_.points)),
      map_(mesh_, volume_.points),
      elements_(mesh_, problem.order),
      field_(problem, elements_.nodes()),
      adjusted_(problem, elements_, field_),
      light_points_(adjusted_.possible()
                        ? group_points(element_, Group{.shape = mesh_.shape(), .varying = true, .weights = 1}, 1)
                        : GroupPoints{volume_.points, {}, volume_.weights, {}, {}, {}}),
      full_{volume_.weights, values_, map_},
      light_{light_points_.weights, element_.interpolation(light_points_.volume), CellMap(mesh_, light_points_.volume)} {}

// Straight cells whose faces all have one material on each side.
bool DenseOperator::weighed(std::int64_t cell) const {
  if (!adjusted_.possible() || !needs_points(cell) || !is_affine(mesh_, cell)) return false;
  std::vector<double> own(field_.parameters()), behind(own);
  for (int f = 0; f < element_.face_count; ++f)
    if (!adjusted_.face(cell, f, own.data(), behind.data())) return false;
  return true;
}

Matrix DenseOperator::expressions(const std::vector<Expression>& all, const Matrix& x, double t) const {
  Matrix out = Matrix::Zero(x.rows(), static_cast<Eigen::Index>(all.size()));
  for (Eigen::Index p = 0; p < x.rows(); ++p) {
    double at[4] = {x(p, 0), mesh_.dim > 1 ? x(p, 1) : 0, mesh_.dim == 3 ? x(p, 2) : 0, t};
    for (std::size_t i = 0; i < all.size(); ++i) out(p, i) = all[i](at);
  }
  return out;
}

Matrix DenseOperator::material(std::int64_t cell, const Matrix& x, double t) const {
  return expressions(problem_.material[mesh_.cells().region[cell]], x, t);
}

Matrix DenseOperator::places(std::int64_t cell, const CellMap& map) const {
  Matrix x(map.point_count(), mesh_.dim);
  map.coordinates(cell, x.data());
  return x;
}

std::vector<Eigen::MatrixXd> DenseOperator::jacobians(std::int64_t cell, const CellMap& map) const {
  const int dim = mesh_.dim;
  std::vector<double> raw(map.point_count() * dim * dim);
  map.jacobians(cell, raw.data());
  std::vector<Eigen::MatrixXd> all;
  for (int p = 0; p < map.point_count(); ++p)
    all.push_back(Eigen::Map<const Matrix>(raw.data() + p * dim * dim, dim, dim));
  return all;
}

// From the tangents of the face: turned by a right angle in 2D, their cross product in 3D. In 1D from the middle of the cell outwards.
DenseOperator::Face DenseOperator::face_geometry(std::int64_t cell, int face, const Matrix& reference,
                                                 const Vector& weights) const {
  const int dim = mesh_.dim;
  const Matrix on_cell = face_points(mesh_.shape(), face, reference);
  const CellMap map(mesh_, on_cell);
  const Matrix origin = face_points(mesh_.shape(), face, Matrix::Zero(1, dim - 1));
  const Matrix axes = face_points(mesh_.shape(), face, Matrix::Identity(dim - 1, dim - 1));
  const auto jacobian = jacobians(cell, map);
  Matrix middle(1, dim);
  CellMap(mesh_, element_.nodes.colwise().mean()).coordinates(cell, middle.data());
  Face out{places(cell, map), Matrix(reference.rows(), dim), Vector(reference.rows())};
  for (Eigen::Index p = 0; p < reference.rows(); ++p) {
    Matrix tangent = Matrix::Identity(3, 3).bottomRows(2);  // z is the second one in 2D
    if (dim == 1) tangent << 0, 1, 0, 0, 0, 1;
    if (dim == 2) tangent.row(0).setZero();
    for (int k = 0; k + 1 < dim; ++k)
      tangent.row(k).head(dim) = jacobian[p] * (axes.row(k) - origin.row(0)).transpose();
    const Eigen::Vector3d a = tangent.row(0), b = tangent.row(1), cross = a.cross(b);
    double outwards = 0;
    for (int d = 0; d < dim; ++d) outwards += cross(d) * (out.x(p, d) - middle(0, d));
    for (int d = 0; d < dim; ++d) out.normal(p, d) = std::copysign(1.0, outwards) * cross(d) / cross.norm();
    out.weight(p) = weights(p) * cross.norm();
  }
  return out;
}

Matrix DenseOperator::wave(const WaveSpec& spec, const Matrix& m, const Matrix& x, double t) const {
  const auto row = [&](const std::array<double, 3>& v) -> Matrix {
    return Eigen::RowVector3d(v[0], v[1], v[2]).replicate(x.rows(), 1);
  };
  const Matrix direction = row(spec.direction), polarisation = row(spec.polarisation);
  const Vector speed = probe_.plane_wave_speed(m, direction, polarisation);
  Vector value(x.rows());
  for (Eigen::Index p = 0; p < x.rows(); ++p) {
    double along = 0;
    for (int d = 0; d < mesh_.dim; ++d) along += (x(p, d) - spec.origin[d]) * spec.direction[d];
    const double s = t - along / speed(p);
    value(p) = spec.pulse(&s);
  }
  return probe_.plane_wave(m, direction, polarisation, value);
}

// The ghost that gives the wall's state its full weight with the upwind flux, twice it with the central one.
Matrix DenseOperator::ghost(const BoundarySpec& spec, const Matrix& own, const Matrix& m, const Matrix& n,
                            const Matrix& x, double t) const {
  if (spec.kind == BoundarySpec::Kind::dirichlet && spec.in_variables) return probe_.fields_of(expressions(spec.data, x, t), m);
  if (spec.kind == BoundarySpec::Kind::dirichlet) return expressions(spec.data, x, t);
  const double alpha = problem_.flux == FluxKind::rusanov ? 1 : problem_.alpha;
  const auto from_wall = [&](const Matrix& wall) -> Matrix {
    return 2 / (1 + alpha) * wall + (1 - 2 / (1 + alpha)) * own;
  };
  if (spec.kind == BoundarySpec::Kind::incident) {
    const Matrix incident = wave(*spec.wave, m, x, t);
    return from_wall(incident + probe_.boundary("absorbing", own - incident, m, n, Matrix::Zero(x.rows(), 1)));
  }
  if (probe_.model().boundary(spec.name)->gradient) return own;
  const Matrix data = spec.data.empty() ? Matrix(Matrix::Zero(x.rows(), 1)) : expressions(spec.data, x, t);
  const Matrix state = probe_.boundary(spec.name, own, m, n, data);
  return probe_.model().boundary(spec.name)->mirror ? state : from_wall(state);
}

// Cells that are curved, or that see material that varies. With nonlinear models on tensor shapes these are all, where there is
// one.
bool DenseOperator::at_points(std::int64_t cell) const {
  if (!is_simplex(mesh_.shape()) && !probe_.model().linear) {
    for (std::int64_t any = 0; any < mesh_.cell_count(); ++any)
      if (needs_points(any)) return true;
    return false;
  }
  return needs_points(cell) && !weighed(cell);
}

bool DenseOperator::needs_points(std::int64_t cell) const {
  if (problem_.volume_form == VolumeForm::quadrature) return true;
  const auto varies = [&](std::int64_t other) {
    const auto& all = problem_.material[mesh_.cells().region[other]];
    return std::any_of(all.begin(), all.end(), [](const Expression& e) { return !e.is_constant(); });
  };
  bool varying = varies(cell);
  for (int f = 0; f < element_.face_count; ++f)
    if (const auto other = mesh_.neighbour(cell, f).cell; other >= 0) varying = varying || varies(other);
  return varying || !is_affine(mesh_, cell);
}

// The mean of weak and strong form, on tensor cells where the rule is not exact for both: curved, but not too little.
bool DenseOperator::takes_mean(std::int64_t cell) const {
  const bool exact = (mesh_.dim - 1) * mesh_.cells().geometry_order <= 2;
  if (is_simplex(mesh_.shape()) || is_affine(mesh_, cell) || exact || !probe_.model().linear) return false;
  const auto& material = problem_.material[mesh_.cells().region[cell]];
  const bool constant = std::all_of(material.begin(), material.end(), [](const Expression& e) { return e.is_constant(); });
  return constant || probe_.model().has("mass");
}

std::pair<Matrix, Matrix> DenseOperator::behind(const State& q, std::int64_t cell, int face, const Matrix& own_material,
                                                double t) const {
  const Neighbour& n = mesh_.neighbour(cell, face);
  const Shape side = face_shape(mesh_.shape());
  if (n.cell < 0 && at_points(cell)) {
    const Face at = face_geometry(cell, face, side_.points, side_.weights);
    const Matrix own = element_.interpolation(face_points(mesh_.shape(), face, side_.points)) * q[cell];
    const auto& spec = n.boundary >= 0 ? problem_.boundary[n.boundary] : problem_.boundary.back();
    return {ghost(spec, own, own_material, at.normal, at.x, t), own_material};
  }
  if (n.cell < 0) {
    // At the element's nodes on the face, as polynomials of the order.
    const Matrix traces = element_.interpolation(face_points(mesh_.shape(), face, side_.points));
    Matrix own(element_.face_node_count, probe_.fields()), trace(side_.points.rows(), own.rows());
    for (int i = 0; i < element_.face_node_count; ++i) {
      own.row(i) = q[cell].row(element_.face_node(face, i));
      trace.col(i) = traces.col(element_.face_node(face, i));
    }
    const Matrix on_face = nodes_on_face(face);
    const Face at = face_geometry(cell, face, on_face, Vector::Ones(on_face.rows()));
    const auto& spec = n.boundary >= 0 ? problem_.boundary[n.boundary] : problem_.boundary.back();
    return {trace * ghost(spec, own, material(cell, at.x, t), at.normal, at.x, t), own_material};
  }
  Matrix mine = face_vertex_places(mesh_, cell, face), theirs = face_vertex_places(mesh_, n.cell, n.face);
  mine.rowwise() -= mine.colwise().mean().eval();
  theirs.rowwise() -= theirs.colwise().mean().eval();
  const Matrix corners = lattice(mesh_.shape(), 1);
  const auto local = face_vertices(mesh_.shape(), n.face);
  Matrix meeting(mine.rows(), mesh_.dim);
  for (Eigen::Index i = 0; i < mine.rows(); ++i) {
    Eigen::Index nearest = 0;
    (theirs.rowwise() - mine.row(i)).rowwise().norm().minCoeff(&nearest);
    meeting.row(i) = corners.row(local[nearest]);
  }
  const Matrix reference = vertex_functions(side, side_.points) * meeting;
  return {element_.interpolation(reference) * q[n.cell],
          material(n.cell, places(n.cell, CellMap(mesh_, reference)), t)};
}

Matrix DenseOperator::nodes_on_face(int face) const {
  const int dim = mesh_.dim;
  const Matrix origin = face_points(mesh_.shape(), face, Matrix::Zero(1, dim - 1));
  const Matrix axes = face_points(mesh_.shape(), face, Matrix::Identity(dim - 1, dim - 1)).rowwise() - origin.row(0);
  Matrix reference(element_.face_node_count, dim);
  for (int i = 0; i < element_.face_node_count; ++i)
    reference.row(i) = element_.nodes.row(element_.face_node(face, i)) - origin.row(0);
  return dim == 1 ? Matrix(reference.rows(), 0) : Matrix(reference * axes.transpose() * (axes * axes.transpose()).inverse());
}

Matrix DenseOperator::numerical_flux(const Matrix& ql, const Matrix& ml, const Matrix& qr, const Matrix& mr,
                                     const Matrix& n) const {
  if (problem_.flux == FluxKind::rusanov) return probe_.numerical_flux("rusanov", ql, ml, qr, mr, n);
  return (1 - problem_.alpha) * probe_.numerical_flux("central", ql, ml, qr, mr, n) +
         problem_.alpha * probe_.numerical_flux(problem_.riemann, ql, ml, qr, mr, n);
}

// -sum_j 2 D_ij F#(v_i, v_j; (G_i + G_j)/2) for all nodes of the cell, whose D couples those of one line only.
Matrix DenseOperator::pair_terms(const Matrix& q, const Matrix& m, const std::vector<Eigen::MatrixXd>& jacobian) const {
  const Matrix v = probe_.model().variables.empty() ? q : probe_.variables_of(q, m);
  Matrix sum = Matrix::Zero(q.rows(), q.cols());
  for (int d = 0; d < element_.dim; ++d) {
    Matrix direction(q.rows(), element_.dim);
    for (Eigen::Index p = 0; p < q.rows(); ++p) direction.row(p) = jacobian[p].determinant() * jacobian[p].inverse().row(d);
    for (Eigen::Index i = 0; i < q.rows(); ++i) {
      const Matrix mean = 0.5 * (direction + direction.row(i).replicate(q.rows(), 1)), own = v.row(i).replicate(q.rows(), 1),
                   material = 0.5 * (m + m.row(i).replicate(q.rows(), 1)), flux = probe_.pair(problem_.pair, own, v, material, mean);
      for (Eigen::Index j = 0; j < q.rows(); ++j) sum.row(i) -= 2 * slopes_[d](i, j) * flux.row(j);
    }
  }
  return sum;
}

State DenseOperator::rate(const State& q, double t) const {
  State all;
  const ReferenceElement& e = element_;
  for (std::int64_t cell = 0; cell < mesh_.cell_count(); ++cell) {
    const auto jacobian = jacobians(cell, map_);
    const Matrix at = values_ * q[cell], m = material(cell, places(cell, map_), t);
    // On straight cells fluxes are polynomials through their values at nodes: of a nonlinear model that is a choice.
    const bool pairs = problem_.volume_form == VolumeForm::split;
    const bool by_nodes = !pairs && !probe_.model().linear && !at_points(cell);
    const bool mean = !pairs && takes_mean(cell);
    Matrix sum = Matrix::Zero(e.node_count, probe_.fields());
    if (pairs) sum = volume_.weights.asDiagonal() * pair_terms(q[cell], m, jacobian);
    for (int d = 0; d < e.dim && !pairs; ++d) {
      Matrix direction(at.rows(), e.dim);
      for (Eigen::Index p = 0; p < at.rows(); ++p)
        direction.row(p) = jacobian[p].determinant() * jacobian[p].inverse().row(d);
      const Matrix flux = by_nodes ? Matrix(values_ * probe_.flux(q[cell], first_row(m, e.node_count), first_row(direction, e.node_count)))
                                   : probe_.flux(at, m, direction);
      sum += (mean ? 0.5 : 1.0) * slopes_[d].transpose() * volume_.weights.asDiagonal() * flux;
      if (mean)
        sum -= 0.5 * values_.transpose() * volume_.weights.asDiagonal() * probe_.flux(slopes_[d] * q[cell], m, direction);
    }
    for (int f = 0; f < e.face_count; ++f) {
      const Face face = face_geometry(cell, f, side_.points, side_.weights);
      const Matrix trace = e.interpolation(face_points(mesh_.shape(), f, side_.points));
      Matrix own_m = material(cell, face.x, t);
      auto [other, other_m] = behind(q, cell, f, own_m, t);
      std::vector<double> one(field_.parameters()), two(one);
      if (adjusted_.face(cell, f, one.data(), two.data()))
        for (Eigen::Index p = 0; p < own_m.rows(); ++p)
          for (Eigen::Index k = 0; k < own_m.cols(); ++k) own_m(p, k) = one[k], other_m(p, k) = two[k];
      Matrix star;
      if (by_nodes) {
        Matrix to_points(trace.rows(), e.face_node_count), own(e.face_node_count, probe_.fields());
        for (int i = 0; i < e.face_node_count; ++i) {
          to_points.col(i) = trace.col(e.face_node(f, i));
          own.row(i) = q[cell].row(e.face_node(f, i));
        }
        const Matrix theirs = to_points.completeOrthogonalDecomposition().solve(other);
        star = to_points * numerical_flux(own, first_row(own_m, own.rows()), theirs, first_row(other_m, own.rows()),
                                          first_row(face.normal, own.rows()));
      } else {
        star = numerical_flux(trace * q[cell], own_m, other, other_m, face.normal);
        if (pairs) star -= probe_.flux(trace * q[cell], own_m, face.normal);
        if (mean) star -= 0.5 * probe_.flux(trace * q[cell], own_m, face.normal);
      }
      sum -= trace.transpose() * face.weight.asDiagonal() * star;
    }
    const Rule& rule = rule_of(cell);
    const auto scale = jacobians(cell, rule.map);
    const Matrix inside = material(cell, places(cell, rule.map), t);
    Matrix balance = rule.values * inverse_mass_ * sum;
    for (Eigen::Index p = 0; p < balance.rows(); ++p) balance.row(p) /= scale[p].determinant();
    if (!problem_.source.empty())
      balance += rule.values * expressions(problem_.source, places(cell, CellMap(mesh_, e.nodes)), t);
    if (probe_.model().has("reaction")) balance += probe_.reaction(rule.values * q[cell], inside);
    all.push_back(inverse_mass_ * rule.values.transpose() * rule.weights.asDiagonal() * probe_.inverse_mass(inside, balance));
  }
  return all;
}

std::pair<Vector, Vector> DenseOperator::integral_of_mass_times(const State& values) const {
  Vector sum = Vector::Zero(probe_.fields()), size = sum;
  for (std::int64_t cell = 0; cell < mesh_.cell_count(); ++cell) {
    const Rule& rule = rule_of(cell);
    const auto jacobian = jacobians(cell, rule.map);
    const Matrix moment = probe_.mass(material(cell, places(cell, rule.map), 0), rule.values * values[cell]);
    for (Eigen::Index p = 0; p < moment.rows(); ++p) {
      const double w = rule.weights(p) * jacobian[p].determinant();
      sum += w * moment.row(p).transpose();
      size += w * moment.row(p).cwiseAbs().transpose();
    }
  }
  return {sum, size};
}

double DenseOperator::weighted_product(const State& a, const State& b) const {
  double sum = 0;
  for (std::int64_t cell = 0; cell < mesh_.cell_count(); ++cell) {
    const Rule& rule = rule_of(cell);
    const auto jacobian = jacobians(cell, rule.map);
    const Matrix m = material(cell, places(cell, rule.map), 0);
    const Matrix inverse = probe_.inverse_mass(m, Matrix::Ones(m.rows(), probe_.fields()));
    for (int f = 0; f < probe_.fields(); ++f) {
      Vector weight = rule.weights.cwiseProduct(inverse.col(f));
      for (Eigen::Index p = 0; p < weight.size(); ++p) weight(p) /= jacobian[p].determinant();
      const Matrix mass = inverse_mass_.inverse(), adjusted = rule.values.transpose() * weight.asDiagonal() * rule.values;
      const Vector right = mass * b[cell].col(f);
      sum += (mass * a[cell].col(f)).dot(adjusted.ldlt().solve(right));
    }
  }
  return sum;
}

}  // namespace swell
