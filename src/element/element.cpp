// SPDX-License-Identifier: Apache-2.0
#include "element/element.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "element/dense.hpp"
#include "element/lattice.hpp"
#include "element/line_rule.hpp"

namespace swell {

namespace {

// One matrix per direction, first direction fastest: row (i,j), column (l,m) holds first(i,l) second(j,m).
Matrix tensor_product(const Matrix& first, const Matrix& second) {
  Matrix result(first.rows() * second.rows(), first.cols() * second.cols());
  for (Eigen::Index j = 0; j < second.rows(); ++j)
    for (Eigen::Index m = 0; m < second.cols(); ++m)
      result.block(j * first.rows(), m * first.cols(), first.rows(), first.cols()) = second(j, m) * first;
  return result;
}

Matrix tensor_power(const Matrix& line, int dim) {
  const Matrix square = tensor_product(line, line);
  return dim == 2 ? square : tensor_product(square, line);
}

// The row sums of a differentiation matrix are the derivative of 1: the diagonal makes them 0 (Baltensperger and
// Trummer 2003), which is also where most of the rounding goes.
void zero_row_sums(Matrix& derivative) {
  for (Eigen::Index i = 0; i < derivative.rows(); ++i) {
    derivative(i, i) = 0.0;
    derivative(i, i) = -derivative.row(i).sum();
  }
}

// Barycentric differentiation (Berrut and Trefethen 2004, section 9.3): D_ij = (w_j / w_i) / (x_i - x_j).
Matrix line_derivative(const Matrix& x) {
  const Eigen::Index count = x.rows();
  Vector weight = Vector::Ones(count);
  for (Eigen::Index i = 0; i < count; ++i)
    for (Eigen::Index j = 0; j < count; ++j)
      if (j != i) weight[i] /= x(i, 0) - x(j, 0);
  Matrix derivative = Matrix::Zero(count, count);
  for (Eigen::Index i = 0; i < count; ++i)
    for (Eigen::Index j = 0; j < count; ++j)
      if (j != i) derivative(i, j) = weight[j] / weight[i] / (x(i, 0) - x(j, 0));
  zero_row_sums(derivative);
  return derivative;
}

std::vector<int> all_face_nodes(Shape shape, int order) {
  std::size_t longest = 0;
  for (const Shape side : face_shapes(shape)) longest = std::max<std::size_t>(longest, lattice_count(side, order));
  std::vector<int> result;
  for (int face = 0; face < face_count(shape); ++face) {
    for (const LatticeIndex& index : lattice_indices(face_shape(shape, face), order))
      result.push_back(lattice_number(shape, order, lattice_on_face(shape, order, face_vertices(shape, face), index)));
    result.resize((face + 1) * longest, result.back());
  }
  return result;
}

// The mass matrix of the nodes of faces of a shape. On simplices the last face has r_d = -1 and the face's coordinates; prisms and
// pyramids have the faces of tetrahedra and hexahedra.
Matrix face_mass(const ReferenceElement& e, Shape side) {
  Matrix points(lattice_count(side, e.order), e.dim - 1);
  if (is_simplex(e.shape))
    for (int i = 0; i < e.face_node_count; ++i) points.row(i) = e.nodes.row(e.face_node(e.face_count - 1, i)).head(e.dim - 1);
  else if (side == Shape::triangle)
    points = nodes(Shape::tetrahedron, e.order).topLeftCorner(points.rows(), 2);
  else
    points = nodes(side, e.order);
  const Matrix inverse = inverse_by_full_pivots(modes(side, e.order, points));
  return inverse.transpose() * inverse;
}

// M^-1 = V V^T applied to the mass of each face, which is that of the face's own nodes on its reference shape.
Matrix dense_lift(const ReferenceElement& e) {
  Matrix integrals = Matrix::Zero(e.node_count, e.face_count * e.face_node_count);
  for (const Shape side : face_shapes(e.shape)) {
    const Matrix mass = face_mass(e, side);
    for (int face = 0; face < e.face_count; ++face)
      for (int i = 0; face_shape(e.shape, face) == side && i < e.face_size(face); ++i)
        integrals.row(e.face_node(face, i)).segment(face * e.face_node_count, e.face_size(face)) = mass.row(i);
  }
  return e.vandermonde * (e.vandermonde.transpose() * integrals);
}

// The tensor product's other factors cancel: a value at a face node reaches the nodes of the line that ends there.
Matrix tensor_lift(const ReferenceElement& e) {
  const LineRule line(e.order);
  const int length = e.order + 1;
  Matrix lift = Matrix::Zero(e.node_count, e.face_count * e.face_node_count);
  for (int face = 0, stride = 1; face < e.face_count; ++face) {
    for (int i = 0; i < e.face_node_count; ++i) {
      const int end = e.face_node(face, i), start = face % 2 == 0 ? end : end - e.order * stride;
      for (int n = 0; n < length; ++n)
        lift(start + n * stride, face * e.face_node_count + i) = line.nodal_lift(face % 2, n);
    }
    if (face % 2 == 1) stride *= length;
  }
  return lift;
}

// Derivatives of modes at the nodes, or of their projection.
std::array<Matrix, 3> gradients_at_nodes(const ReferenceElement& e) {
  if (e.shape != Shape::pyramid) return mode_gradients(e.shape, e.order, e.nodes);
  const Cubature rule = cubature(e.shape, 2 * e.order);
  std::array<Matrix, 3> gradients = mode_gradients(e.shape, e.order, rule.points);
  const Matrix project = e.vandermonde * modes(e.shape, e.order, rule.points).transpose() * rule.weights.asDiagonal();
  for (Matrix& of : gradients) of = (project * of).eval();
  return gradients;
}

void fill_dense(ReferenceElement& e) {
  e.vandermonde = modes(e.shape, e.order, e.nodes);
  e.inverse_vandermonde = inverse_by_full_pivots(e.vandermonde);
  e.mass = e.inverse_vandermonde.transpose() * e.inverse_vandermonde;
  const std::array<Matrix, 3> gradients = gradients_at_nodes(e);
  for (int d = 0; d < e.dim; ++d) {
    e.derivative[d] = gradients[d] * e.inverse_vandermonde;
    zero_row_sums(e.derivative[d]);
  }
  e.lift = dense_lift(e);
}

void fill_tensor(ReferenceElement& e) {
  const Matrix points = nodes(Shape::line, e.order);
  const Matrix vandermonde = modes(Shape::line, e.order, points);
  const Matrix inverse = inverse_by_full_pivots(vandermonde);
  e.vandermonde = tensor_power(vandermonde, e.dim);
  e.inverse_vandermonde = tensor_power(inverse, e.dim);
  e.mass = tensor_power(inverse.transpose() * inverse, e.dim);
  const Matrix identity = Matrix::Identity(e.order + 1, e.order + 1);
  const Matrix derivative = line_derivative(points);
  for (int d = 0; d < e.dim; ++d) {
    e.derivative[d] = d == 0 ? derivative : identity;
    for (int axis = 1; axis < e.dim; ++axis)
      e.derivative[d] = tensor_product(e.derivative[d], axis == d ? derivative : identity);
  }
  e.lift = tensor_lift(e);
}

// Values (or, in direction `along`, derivatives) of the line's interpolant in each direction, multiplied.
Matrix tensor_interpolation(const ReferenceElement& e, const Matrix& points, int along) {
  const Matrix inverse = inverse_by_full_pivots(modes(Shape::line, e.order, nodes(Shape::line, e.order)));
  std::array<Matrix, 3> factor;
  for (int d = 0; d < e.dim; ++d)
    factor[d] = (d == along ? mode_gradients(Shape::line, e.order, points.col(d))[0]
                            : modes(Shape::line, e.order, points.col(d))) *
                inverse;
  Matrix result(points.rows(), e.node_count);
  for (Eigen::Index row = 0; row < points.rows(); ++row) {
    Matrix product = factor[0].row(row);
    for (int d = 1; d < e.dim; ++d) product = tensor_product(product, factor[d].row(row));
    result.row(row) = product;
  }
  return result;
}

constexpr int no_direction = -1;

}  // namespace

int max_order(Shape shape) { return dimension(shape) == 3 ? 10 : 12; }

ReferenceElement::ReferenceElement(Shape element_shape, int element_order)
    : shape(element_shape), order(element_order), dim(dimension(element_shape)) {
  if (order < 1 || order > max_order(shape))
    throw InputError("The order {} is not available on the {}; choose an order from 1 to {}.", order, shape_name(shape),
                     max_order(shape));
  nodes = swell::nodes(shape, order);
  node_count = static_cast<int>(nodes.rows());
  face_nodes = all_face_nodes(shape, order);
  face_count = swell::face_count(shape);
  face_node_count = static_cast<int>(face_nodes.size()) / face_count;
  if (is_tensor(shape))
    fill_tensor(*this);
  else
    fill_dense(*this);
}

int ReferenceElement::face_size(int face) const { return lattice_count(face_shape(shape, face), order); }

std::vector<int> ReferenceElement::neighbour_nodes(int face, int orientation) const {
  const std::span<const int> vertices = face_vertices(shape, face);
  std::vector<int> seen_from_me;  // vertex i of my face is this vertex of the neighbour
  for (const int place : swell::orientation(face_shape(shape, face), orientation)) seen_from_me.push_back(vertices[place]);
  std::vector<int> result;
  for (const LatticeIndex& index : lattice_indices(face_shape(shape, face), order))
    result.push_back(lattice_number(shape, order, lattice_on_face(shape, order, seen_from_me, index)));
  result.resize(face_node_count, result.back());
  return result;
}

Matrix ReferenceElement::interpolation(const Matrix& points) const {
  if (is_tensor(shape)) return tensor_interpolation(*this, points, no_direction);
  return modes(shape, order, points) * inverse_vandermonde;
}

std::array<Matrix, 3> ReferenceElement::interpolation_gradients(const Matrix& points) const {
  std::array<Matrix, 3> result;
  if (!is_tensor(shape)) result = mode_gradients(shape, order, points);
  for (int d = 0; d < dim; ++d)
    result[d] = is_tensor(shape) ? tensor_interpolation(*this, points, d) : Matrix(result[d] * inverse_vandermonde);
  return result;
}

Matrix interpolation_between(const ReferenceElement& from, const ReferenceElement& to) {
  return from.interpolation(to.nodes);
}

// Modes are orthonormal: the L2 projection keeps those that both orders have.
Matrix projection_between(const ReferenceElement& from, const ReferenceElement& to) {
  const std::vector<LatticeIndex> shared = lattice_indices(from.shape, std::min(from.order, to.order));
  Matrix analyse(shared.size(), from.node_count), synthesise(to.node_count, shared.size());
  for (std::size_t m = 0; m < shared.size(); ++m) {
    analyse.row(m) = from.inverse_vandermonde.row(lattice_number(from.shape, from.order, shared[m]));
    synthesise.col(m) = to.vandermonde.col(lattice_number(to.shape, to.order, shared[m]));
  }
  return synthesise * analyse;
}

}  // namespace swell
