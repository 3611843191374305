// SPDX-License-Identifier: Apache-2.0
#include "cg/element_data.hpp"

#include <cmath>
#include <set>

#include "base/error.hpp"
#include "base/host_threads.hpp"
#include "mesh/geometry.hpp"

namespace swell {

namespace {

// The upper triangle of J grad r_d . grad r_e, then J, from dx_i/dr_j as [i][j], all times a weight.
template <int dim>
void metric_of(const double* jacobian, double weight, double* out) {
  using Square = Eigen::Matrix<double, dim, dim, Eigen::RowMajor>;
  const Eigen::Map<const Square> map(jacobian);
  const Square inverse = map.inverse();  // dr_d/dx_i
  const double volume = weight * std::abs(map.determinant());
  const Square metric = volume * inverse * inverse.transpose();
  for (int d = 0; d < dim; ++d)
    for (int e = d; e < dim; ++e) *out++ = metric(d, e);
  *out = volume;
}

// The same, of so many dimensions.
void metric_of(int dim, const double* jacobian, double weight, double* out) {
  (dim == 1 ? metric_of<1> : dim == 2 ? metric_of<2> : metric_of<3>)(jacobian, weight, out);
}

void check_positive(const char* name, const Expression& from, double value, const double* at, const Mesh& mesh,
                    std::int64_t cell) {
  if (value > 0 && std::isfinite(value)) return;
  throw InputError("The material '{}' = {} has the value {} at ({}, {}, {}) in {}; it must be a number above 0 everywhere.", name,
                   from.text(), value, at[0], at[1], at[2], mesh.label(cell));
}

// [point][node][value, axes]
std::vector<double> values_and_slopes(const ReferenceElement& element, const Cubature& rule) {
  const Matrix values = element.interpolation(rule.points);
  const auto slopes = element.interpolation_gradients(rule.points);
  std::vector<double> out;
  for (int p = 0; p < rule.points.rows(); ++p)
    for (int n = 0; n < element.node_count; ++n) {
      out.push_back(values(p, n));
      for (int d = 0; d < element.dim; ++d) out.push_back(slopes[d](p, n));
    }
  return out;
}

}  // namespace

void ask_ahead(const Mesh& mesh, const Slots& slots, std::size_t slot) {
  constexpr std::size_t ahead = 12;
  if (slot + ahead < slots.size() && slots[slot + ahead] >= 0) __builtin_prefetch(mesh.nodes_of(slots[slot + ahead]).data());
}

Cubature element_rule(const ReferenceElement& element) { return cubature(element.shape, 2 * element.order); }

bool constant_inside(const ElementKind& kind) { return is_simplex(kind.shape) && kind.affine && !kind.varying; }

std::vector<double> element_matrices(const ReferenceElement& element, const ElementKind& kind, const Cubature& rule) {
  if (is_tensor(element.shape)) return {0.0};
  const int nodes = element.node_count, dim = element.dim;
  if (!constant_inside(kind)) return values_and_slopes(element, rule);
  std::vector<double> out;
  // The Lagrange functions of one degree less; on the middle, the constant 1.
  Matrix points = Matrix::Constant(1, dim, -1 + 2.0 / (dim + 1)), lower = Matrix::Ones(rule.points.rows(), 1);
  if (element.order > 1) {
    const ReferenceElement less(element.shape, element.order - 1);
    points = less.nodes;
    lower = less.interpolation(rule.points);
  }
  const auto slopes = element.interpolation_gradients(points), at_rule = element.interpolation_gradients(rule.points);
  for (int p = 0; p < points.rows(); ++p)
    for (int n = 0; n < nodes; ++n)
      for (int d = 0; d < dim; ++d) out.push_back(slopes[d](p, n));
  std::array<Matrix, 3> back;
  for (int d = 0; d < dim; ++d) back[d] = at_rule[d].transpose() * rule.weights.asDiagonal() * lower;
  for (int n = 0; n < nodes; ++n)
    for (int p = 0; p < points.rows(); ++p)
      for (int d = 0; d < dim; ++d) out.push_back(back[d](n, p));
  out.insert(out.end(), element.mass.data(), element.mass.data() + element.mass.size());
  return out;
}

std::vector<double> row_matrices(const ReferenceElement& element, const ElementKind& kind, const Cubature& rule) {
  if (!kind.affine || kind.varying) return values_and_slopes(element, rule);
  // The mass, and for each pair of axes the stiffness that a metric of that entry and its mirror image gives.
  const Matrix values = element.interpolation(rule.points);
  const auto slopes = element.interpolation_gradients(rule.points);
  std::vector<Matrix> terms{values.transpose() * rule.weights.asDiagonal() * values};
  for (int d = 0; d < element.dim; ++d)
    for (int e = d; e < element.dim; ++e) {
      const Matrix one = slopes[d].transpose() * rule.weights.asDiagonal() * slopes[e];
      terms.push_back(d == e ? one : Matrix(one + one.transpose()));
    }
  std::vector<double> out;
  for (int n = 0; n < element.node_count; ++n)
    for (int m = 0; m < element.node_count; ++m)
      for (const Matrix& term : terms) out.push_back(term(n, m));
  return out;
}

double product_flops(const ReferenceElement& element, const ElementKind& kind, const Cubature& rule) {
  const double nodes = element.node_count, dim = element.dim, points = static_cast<double>(rule.points.rows());
  const double at_point = dim * (2 * dim - 1) + 2 * dim, mass = kind.steady ? 0 : 2;
  if (is_tensor(element.shape)) return 8 * dim * nodes * (element.order + 1) + points * (at_point + mass);
  if (!constant_inside(kind)) return points * (4 * nodes * (dim + 1) + at_point + mass);
  if (element.order == 1) return dim + at_point + mass * (nodes + 1);
  const double slopes = mode_count(element.shape, element.order - 1);
  return slopes * (4 * nodes * dim + at_point) + mass * nodes * nodes;
}

std::vector<double> element_geometry(const Mesh& mesh, const ElementKind& kind, const Cubature& rule, const Slots& slots) {
  const int dim = mesh.dim, numbers = dim * (dim + 1) / 2 + (kind.steady ? 0 : 1), lanes = kind.lanes;
  const int points = kind.affine ? 1 : static_cast<int>(rule.points.rows());
  const CellMap map(mesh, kind.shape, kind.affine ? Matrix(rule.points.topRows(1)) : rule.points);
  std::vector<double> out(slots.size() * points * numbers, 0.0);
  for_pieces(std::ssize(slots), [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> jacobians(points * dim * dim);
    double metric[7];
    for (std::int64_t slot = begin; slot < end; ++slot) {
      if (slots[slot] < 0) continue;
      map.jacobians(slots[slot], jacobians.data());
      for (int p = 0; p < points; ++p) {
        metric_of(dim, jacobians.data() + p * dim * dim, kind.affine ? 1.0 : rule.weights(p), metric);
        for (int g = 0; g < numbers; ++g) out[((slot / lanes * points + p) * numbers + g) * lanes + slot % lanes] = metric[g];
      }
    }
  });
  return out;
}

Matrix middle_point(Shape shape) {
  Matrix middle(1, dimension(shape));
  for (int d = 0; d < dimension(shape); ++d) middle(0, d) = reference_middle(shape)[d];
  return middle;
}

std::vector<double> element_material(const DiffusionProblem& problem, const ElementKind& kind, const Cubature& rule,
                                     const Slots& slots) {
  const Mesh& mesh = *problem.mesh;
  const int dim = mesh.dim, lanes = kind.lanes, points = kind.varying ? static_cast<int>(rule.points.rows()) : 1;
  const int numbers = kind.steady ? 1 : 2;
  const CellMap map(mesh, kind.shape, kind.varying ? rule.points : middle_point(kind.shape));
  std::vector<double> out(slots.size() * points * numbers, 0.0), x(points * dim);
  std::vector<char> fit;  // [region]: numbers that may stay
  for (const DiffusionMaterial& m : problem.material)
    fit.push_back(m.conductivity.is_constant() && m.conductivity.constant() > 0 && m.capacity.is_constant() && m.capacity.constant() > 0);
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    const std::int64_t cell = slots[slot];
    if (cell < 0) continue;
    ask_ahead(mesh, slots, slot);
    const auto region = static_cast<std::size_t>(mesh.region_of(cell));
    const DiffusionMaterial& m = problem.material[region];
    if (!fit[region]) map.coordinates(cell, x.data());  // for the expressions, or for a refusal
    for (int p = 0; p < points; ++p) {
      double at[4] = {0, 0, 0, 0};
      for (int d = 0; d < dim; ++d) at[d] = x[p * dim + d];
      double* to = out.data() + (slot / lanes * points + p) * numbers * lanes + slot % lanes;
      to[0] = m.conductivity(at);
      check_positive("k", m.conductivity, to[0], at, mesh, cell);
      if (kind.steady) continue;
      to[lanes] = m.capacity(at);
      check_positive("rhoC", m.capacity, to[lanes], at, mesh, cell);
    }
  }
  return out;
}

bool has_source(const DiffusionProblem& problem) {
  return !(problem.source.is_constant() && problem.source.constant() == 0);
}

bool source_has_places(const DiffusionProblem& problem) {
  return problem.source.uses("x") || problem.source.uses("y") || problem.source.uses("z");
}

SourceData source_data(const DiffusionProblem& problem, const ReferenceElement& element, const ElementKind& kind,
                       const Cubature& rule, const Slots& slots) {
  const Mesh& mesh = *problem.mesh;
  const int dim = mesh.dim, lanes = kind.lanes, points = static_cast<int>(rule.points.rows());
  const int weights = kind.affine ? 1 : points;
  const bool places = source_has_places(problem);
  const CellMap map(mesh, kind.shape, rule.points), volumes(mesh, kind.shape, kind.affine ? Matrix(rule.points.topRows(1)) : rule.points);
  SourceData data;
  data.points.assign(places ? slots.size() * points * dim : 0, 0.0);
  data.weight.assign(slots.size() * weights, 0.0);
  for_pieces(std::ssize(slots), [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> x(points * dim), jacobians(weights * dim * dim);
    double metric[7];
    for (std::int64_t slot = begin; slot < end; ++slot) {
      if (slots[slot] < 0) continue;
      if (places) {
        map.coordinates(slots[slot], x.data());
        for (int i = 0; i < points * dim; ++i) data.points[(slot / lanes * points * dim + i) * lanes + slot % lanes] = x[i];
      }
      volumes.jacobians(slots[slot], jacobians.data());
      for (int p = 0; p < weights; ++p) {
        metric_of(dim, jacobians.data() + p * dim * dim, kind.affine ? 1.0 : rule.weights(p), metric);
        data.weight[(slot / lanes * weights + p) * lanes + slot % lanes] = metric[dim * (dim + 1) / 2];
      }
    }
  });
  const Matrix values = element.interpolation(rule.points);
  data.values.assign(values.data(), values.data() + values.size());
  return data;
}

std::vector<Shape> face_shapes(const Elements& elements) {
  std::set<Shape> all;
  for (const auto& [shape, element] : elements.all()) all.insert(face_shapes(shape).begin(), face_shapes(shape).end());
  return {all.begin(), all.end()};
}

namespace {

class FaceCollector {
 public:
  FaceCollector(const DiffusionProblem& problem, int order, Shape face, const Numbering& numbering)
      : problem_(problem), mesh_(*problem.mesh), numbering_(numbering), face_(face), rule_(cubature(face, 2 * order)) {
    data_.nodes = static_cast<int>(mode_count(face, order));
    data_.points = static_cast<int>(rule_.points.rows());
  }

  // The faces number f of the cells of one shape.
  void add(const ReferenceElement& element, int f, const Elements& elements) {
    const Matrix points = face_points(element.shape, f, rule_.points);
    if (data_.trace.empty()) make_trace(element.interpolation(points), element, f);
    const CellMap map(mesh_, element.shape, points);
    const Matrix corners = along_face(element.shape, f);
    elements.for_cells([&](std::int64_t cell, const ReferenceElement& of, std::int64_t first) {
      if (&of != &element) return;
      const Neighbour& n = mesh_.neighbour(cell, f);
      if (n.cell >= 0) return;
      const auto number = static_cast<std::int32_t>(n.boundary >= 0 ? n.boundary : problem_.boundary.size() - 1);
      const DiffusionBoundary& boundary = problem_.boundary[number];
      if (boundary.kind == DiffusionBoundary::Kind::value) return;
      const bool robin = boundary.kind == DiffusionBoundary::Kind::robin;
      if (!robin && boundary.value.is_constant() && boundary.value.constant() == 0) return;
      ++data_.count;
      data_.boundary.push_back(number);
      for (int i = 0; i < data_.nodes; ++i) data_.unknown.push_back(numbering_.of_node[first + element.face_node(f, i)]);
      add_points(map, corners, cell, number);
    });
  }

  FaceData take() { return std::move(data_); }

 private:
  // Face nodes are in the lattice order of the face, and face points go through the same map: one trace serves all faces.
  void make_trace(const Matrix& values, const ReferenceElement& element, int f) {
    for (int p = 0; p < data_.points; ++p)
      for (int i = 0; i < data_.nodes; ++i) data_.trace.push_back(values(p, element.face_node(f, i)));
  }

  // How the element's coordinates change along those of the face, for the face's measure.
  Matrix along_face(Shape shape, int f) const {
    const int dim = mesh_.dim;
    Matrix corners = Matrix::Zero(dim, dim - 1);
    const Matrix vertices = face_points(shape, f, lattice(face_, 1));
    for (int j = 0; j + 1 < dim; ++j)
      for (int d = 0; d < dim; ++d) corners(d, j) = (vertices(j + 1, d) - vertices(0, d)) / 2;
    return corners;
  }

  void add_points(const CellMap& map, const Matrix& corners, std::int64_t cell, std::int32_t number) {
    const DiffusionBoundary& boundary = problem_.boundary[number];
    const int dim = mesh_.dim;
    x_.resize(static_cast<std::size_t>(data_.points * dim));
    jacobians_.resize(static_cast<std::size_t>(data_.points * dim * dim));
    map.coordinates(cell, x_.data());
    map.jacobians(cell, jacobians_.data());
    for (int p = 0; p < data_.points; ++p) {
      const Eigen::Map<const Matrix> jacobian(jacobians_.data() + p * dim * dim, dim, dim);
      const Matrix along = jacobian * corners;
      const double measure = std::sqrt((along.transpose() * along).determinant());
      double at[4] = {0, 0, 0, 0};
      for (int d = 0; d < dim; ++d) data_.place.push_back(at[d] = x_[p * dim + d]);
      data_.weight.push_back(rule_.weights(p) * measure);
      const double h = boundary.kind == DiffusionBoundary::Kind::robin ? boundary.transfer(at) : 0.0;
      if (!(h >= 0) || !std::isfinite(h))
        throw InputError("The heat transfer h = {} of boundary '{}' has the value {} at ({}, {}, {}); it must not be "
                         "below 0.",
                         boundary.transfer.text(), number < std::ssize(mesh_.boundaries) ? mesh_.boundaries[number] : "", h, at[0], at[1], at[2]);
      data_.transfers = data_.transfers || h > 0;
      data_.transfer.push_back(data_.weight.back() * h);
    }
  }

  const DiffusionProblem& problem_;
  const Mesh& mesh_;
  const Numbering& numbering_;
  Shape face_;
  Cubature rule_;
  FaceData data_;
  std::vector<double> x_, jacobians_;
};

}  // namespace

FaceData face_data(const DiffusionProblem& problem, const Elements& elements, Shape face, const Numbering& numbering) {
  FaceCollector faces(problem, elements.order(), face, numbering);
  for (const auto& [shape, element] : elements.all())
    for (int f = 0; f < element.face_count; ++f)
      if (face_shape(shape, f) == face) faces.add(element, f, elements);
  return faces.take();
}

}  // namespace swell
