// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <limits>

#include "dg/group_data.hpp"
#include "element/dense.hpp"
#include "element/lattice.hpp"
#include "element/line_rule.hpp"
#include "element/prism.hpp"
#include "element/pyramid.hpp"
#include "element/symmetric_cubature.hpp"

namespace swell {

int adjusted_degree(int order) { return 2 * order; }

namespace {

// Straight prisms and pyramids: exact for test function x unknown x metric terms, of degree 2 p + 1 along each line, in the triangle and
// in each collapsed coordinate.
Cubature volume_rule(const ReferenceElement& element, const Group& group, int metric) {
  const int order = element.order;
  if (element.shape == Shape::prism) return prism_cubature(symmetric_cubature(Shape::triangle, 2 * order + 1), gauss_jacobi(0, 0, order + 1));
  if (element.shape == Shape::pyramid) return pyramid_cubature(order + 1, order + 1);
  return cubature(element.shape, 2 * order + (group.curved ? metric : 2));
}

void repeat_last(Cubature& rule, Eigen::Index count) {
  const Eigen::Index had = rule.weights.size();
  rule.points.conservativeResize(count, Eigen::NoChange);
  rule.weights.conservativeResize(count);
  for (Eigen::Index p = had; p < count; ++p) {
    rule.points.row(p) = rule.points.row(had - 1);
    rule.weights(p) = 0;
  }
}

}  // namespace

GroupPoints group_points(const ReferenceElement& element, const Group& group, int geometry_order) {
  const Shape side = face_shape(element.shape, 0);
  if (group.pairs) {
    const Cubature volume = lobatto_product(element.shape, element.order), face = lobatto_product(side, element.order);
    return {volume.points, face.points, volume.weights, face.weights, {}, {}};
  }
  if (is_tensor(element.shape)) {
    const Cubature volume = gauss_product(element.shape, element.order), face = gauss_product(side, element.order);
    return {volume.points, face.points, volume.weights, face.weights, {}, {}};
  }
  if (group.adjusted()) {
    // For the weights alone: exact for products of the basis, so that a weight of one changes nothing.
    const Cubature volume = sparse_cubature(element.shape, adjusted_degree(element.order));
    return {volume.points, {}, volume.weights, {}, {}, {}};
  }
  if (!group.curved && !group.varying) return {};
  // Exact for test function x unknown x metric terms, of degree (g - 1) (dim - 1); two more where only the material varies. Both
  // sides of a face must take the same points, whichever group they are in and however they number its vertices.
  if (group.degree > 0 && is_simplex(element.shape)) {
    // The metric terms come on top of the degree that was asked for; a trace meets a flux and a test function.
    const int more = (geometry_order - 1) * (element.dim - 1);
    if (group.gauss_faces) {
      const Cubature volume = sparse_cubature(element.shape, group.degree + more), face = gauss_product(side, element.order);
      return {volume.points, face.points, volume.weights, face.weights, {}, {}};
    }
    const Cubature volume = cubature(element.shape, group.degree + more), face = symmetric_cubature(side, group.degree + 1 + more);
    return {volume.points, face.points, volume.weights, face.weights, {}, {}};
  }
  const int metric = std::max(2, (geometry_order - 1) * (element.dim - 1));
  const auto on_side = [&](Shape of) {
    return of == Shape::quadrilateral || group.gauss_faces ? gauss_product(of, element.order) : symmetric_cubature(of, 2 * element.order + metric);
  };
  const Cubature volume = volume_rule(element, group, metric);
  Cubature face = on_side(side);
  if (is_simplex(element.shape)) return {volume.points, face.points, volume.weights, face.weights, {}, {}};
  Cubature other = on_side(face_shapes(element.shape).back());
  const Eigen::Index count = std::max(face.weights.size(), other.weights.size());
  repeat_last(face, count);
  repeat_last(other, count);
  return {volume.points, face.points, volume.weights, face.weights, other.points, other.weights, group.curved && geometry_order > 1};
}

Matrix trace_matrix(const ReferenceElement& element, Shape side, const Matrix& on_face) {
  int face = 0;
  while (face_shape(element.shape, face) != side) ++face;
  const Matrix traces = element.interpolation(face_points(element.shape, face, on_face));
  Matrix trace = Matrix::Zero(on_face.rows(), element.face_node_count);
  for (int i = 0; i < element.face_size(face); ++i) trace.col(i) = traces.col(element.face_node(face, i));
  return trace;
}

// The mass matrix of prisms and pyramids whose maps are not affine, in functions that make blocks of it.
namespace {

std::vector<double> determinants(const CellMap& map, std::int64_t cell) {
  std::vector<double> jacobians(static_cast<std::size_t>(map.point_count()) * 9), all;
  double scaled[9];
  map.jacobians(cell, jacobians.data());
  for (int p = 0; p < map.point_count(); ++p) all.push_back(cofactors(3, jacobians.data() + 9 * static_cast<std::ptrdiff_t>(p), scaled));
  return all;
}

// Column k * (modes of the triangle) + m: mode m times the polynomial that is 1 / sqrt(w_k) at Gauss point k and 0 at the others.
MassBlocks prism_blocks(const ReferenceElement& element, const GroupPoints& points) {
  const int layer = lattice_count(Shape::triangle, element.order), lines = element.order + 1;
  const Cubature gauss = gauss_jacobi(0, 0, lines);
  MassBlocks blocks;
  blocks.rows = layer;
  const Matrix in_triangle = modes(Shape::triangle, element.order, element.nodes.topLeftCorner(layer, 2));
  const Matrix high = modes(Shape::line, element.order, gauss_lobatto(element.order).points) *
                      modes(Shape::line, element.order, gauss.points).transpose() * gauss.weights.cwiseSqrt().asDiagonal();
  blocks.to_nodes = Matrix(element.node_count, element.node_count);
  for (int k = 0; k < lines; ++k)
    for (int j = 0; j < lines; ++j) blocks.to_nodes.block(j * layer, k * layer, layer, layer) = high(j, k) * in_triangle;
  blocks.from_nodes = inverse_by_full_pivots(blocks.to_nodes);
  const Eigen::Index in_layer = points.volume.rows() / lines;
  blocks.in_layer = modes(Shape::triangle, element.order, points.volume.topLeftCorner(in_layer, 2));
  blocks.layer_weights = Vector(lines);
  for (int k = 0; k < lines; ++k)
    blocks.layer_weights(k) = points.weights.segment(k * in_layer, in_layer).sum() / reference_measure(Shape::triangle);
  return blocks;
}

MassBlocks whole_block(const ReferenceElement& element, const GroupPoints& points) {
  return {element.node_count, element.vandermonde, inverse_by_full_pivots(element.vandermonde), {},
          modes(element.shape, element.order, points.volume), Vector::Ones(1)};
}

}  // namespace

MassBlocks mass_blocks(const ReferenceElement& element, const Group& group, const GroupPoints& points) {
  if (!group.curved) return {};
  if (element.shape == Shape::prism) return prism_blocks(element, points);
  if (element.shape != Shape::pyramid) return {};
  if (points.bent) return whole_block(element, points);
  PyramidPoints functions = pyramid_points(element.order);
  return {1, functions.to_nodes, functions.from_nodes, functions.points, {}, {}};
}

void inverse_blocks(const MassBlocks& blocks, const GroupPoints& points, const CellMap& map, std::int64_t cell, double* out) {
  const std::vector<double> sizes = determinants(map, cell);
  if (blocks.rows == 1) {
    for (std::size_t i = 0; i < sizes.size(); ++i) out[i] = 1 / sizes[i];
    return;
  }
  const Eigen::Index count = blocks.in_layer.rows(), rows = blocks.rows, layers = points.volume.rows() / count;
  for (Eigen::Index k = 0; k < layers; ++k) {
    Vector weight = points.weights.segment(k * count, count) / blocks.layer_weights(k);
    for (Eigen::Index q = 0; q < count; ++q) weight(q) *= sizes[static_cast<std::size_t>(k * count + q)];
    Eigen::Map<Matrix>(out + k * rows * rows, rows, rows) = inverse(blocks.in_layer.transpose() * weight.asDiagonal() * blocks.in_layer);
  }
}

int curved_geometry_words(const ReferenceElement& element, const GroupPoints& points, const MassBlocks& blocks) {
  return static_cast<int>(points.volume.rows()) * (element.dim * element.dim + 1) + element.node_count * blocks.rows;
}

std::vector<double> pack(const Matrix& matrix, int tile_rows) {
  std::vector<double> out;
  out.reserve(matrix.size());
  for (Eigen::Index first = 0; first < matrix.rows(); first += tile_rows) {
    const auto last = std::min<Eigen::Index>(first + tile_rows, matrix.rows());
    for (Eigen::Index k = 0; k < matrix.cols(); ++k)
      for (Eigen::Index r = first; r < last; ++r) out.push_back(matrix(r, k));
  }
  return out;
}

namespace {

void append(std::vector<double>& all, const Matrix& matrix, int tile_rows) {
  const auto packed = pack(matrix, tile_rows);
  all.insert(all.end(), packed.begin(), packed.end());
}

Matrix strong_matrix(const ReferenceElement& element) {
  Matrix all(element.node_count, element.dim * element.node_count + element.lift.cols());
  for (int d = 0; d < element.dim; ++d)
    all.middleCols(d * element.node_count, element.node_count) = -element.derivative[d];
  all.rightCols(element.lift.cols()) = element.lift;
  return all;
}

// x to 11 bits, as the products of floats take their factors.
float eleven_bits(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return std::bit_cast<float>((bits + 0x1000U) & 0xffffe000U);
}

// One product's part of a matrix for the 32 lanes of a warp: lane l holds row l / 4 and column l % 4 of each of `steps` parts.
// Two parts: floats that are sums of numbers of 11 bits, the larger ones of both parts and then the smaller ones.
void append_fragment(std::vector<double>& all, const Matrix& matrix, int row, int column, double factor, int steps) {
  for (int lane = 0; lane < 32; ++lane) {
    const auto entry = [&](int s) {
      const int r = row + lane / 4, c = column + 4 * s + lane % 4;
      return r < matrix.rows() && c < matrix.cols() ? factor * matrix(r, c) : 0.0;
    };
    if (steps == 1) {
      all.push_back(entry(0));
      continue;
    }
    const auto first = static_cast<float>(entry(0)), second = static_cast<float>(entry(1));
    for (const float x : {first, second}) all.push_back(eleven_bits(x));
    for (const float x : {first, second}) all.push_back(eleven_bits(x - eleven_bits(x)));
  }
}

// A matrix as [tile][step].
void append_product_fragments(std::vector<double>& all, const Matrix& matrix, int steps) {
  for (int row = 0; row < matrix.rows(); row += 8)
    for (int column = 0; column < matrix.cols(); column += 4 * steps) append_fragment(all, matrix, row, column, 1, steps);
}

// -D as [tile][step][axis], then LIFT as [tile][step], for kernels/nodal/matrix_simplex.h.
void append_fragments(std::vector<double>& all, const ReferenceElement& element, int steps) {
  const int columns = 4 * steps;
  for (int row = 0; row < element.node_count; row += 8)
    for (int column = 0; column < element.node_count; column += columns)
      for (int d = 0; d < element.dim; ++d) append_fragment(all, element.derivative[d], row, column, -1, steps);
  append_product_fragments(all, element.lift, steps);
}

// From values at the points back to the nodes.
Matrix projection(const ReferenceElement& element, const Matrix& values, const Vector& weights) {
  return element.vandermonde * element.vandermonde.transpose() * values.transpose() * weights.asDiagonal();
}

// The way of a weight-adjusted mass to the points and back; where the first of them lies as fragments also as it is, for the energy.
void append_adjustment(std::vector<double>& all, const ReferenceElement& element, const GroupPoints& points, const Variant& variant) {
  const Matrix values = element.interpolation(points.volume), back = projection(element, values, points.weights);
  const bool simd = variant.text == Variant::Text::simd;
  const int tile_rows = simd ? variant.constant("ADJUST_ROWS") : std::numeric_limits<int>::max();
  if (variant.text == Variant::Text::matrix) {
    append_product_fragments(all, values, variant.constant("FRAGMENTS"));
    append_product_fragments(all, back, variant.constant("FRAGMENTS"));
  }
  append(all, values, tile_rows);
  if (variant.text != Variant::Text::matrix) append(all, back, tile_rows);
}

// [P_r | P_s | P_t | -L]: volume and face points back to the nodes, or, where the mass has blocks, tested with their functions.
Matrix weak_matrix(const ReferenceElement& element, const GroupPoints& points, const MassBlocks& blocks) {
  const auto volume = points.volume.rows(), face = points.face.rows();
  const Matrix inverse_mass = blocks.rows > 0 ? Matrix(blocks.to_nodes.transpose()) : element.vandermonde * element.vandermonde.transpose();
  const auto gradients = element.interpolation_gradients(points.volume);
  Matrix all(element.node_count, element.dim * volume + element.face_count * face);
  for (int d = 0; d < element.dim; ++d)
    all.middleCols(d * volume, volume) = inverse_mass * gradients[d].transpose() * points.weights.asDiagonal();
  for (int f = 0; f < element.face_count; ++f) {
    const Matrix values = element.interpolation(face_points(element.shape, f, points.on(element, f)));
    all.middleCols(element.dim * volume + f * face, face) =
        -inverse_mass * values.transpose() * points.weights_on(element, f).asDiagonal();
  }
  return all;
}

}  // namespace

std::vector<double> group_matrices(const ReferenceElement& element, const Group& group, const GroupPoints& points,
                                   const Variant& variant) {
  // On GPUs a thread is a row: one block.
  const int tile_rows = variant.text == Variant::Text::simd ? variant.constant("TILE_ROWS") : std::numeric_limits<int>::max();
  std::vector<double> all;
  if (group.pairs || is_tensor(element.shape)) return all;
  if (!by_points(group)) {
    if (variant.text == Variant::Text::matrix)
      append_fragments(all, element, variant.constant("FRAGMENTS"));
    else
      append(all, strong_matrix(element), tile_rows);
    if (group.adjusted())
      append_adjustment(all, element, points, variant);
    else
      append(all, element.mass, tile_rows);
    return all;
  }
  const Matrix values = element.interpolation(points.volume);
  append(all, values, tile_rows);
  const MassBlocks blocks = mass_blocks(element, group, points);
  for (const Shape side : face_shapes(element.shape))
    append(all, trace_matrix(element, side, side == face_shape(element.shape, 0) ? points.face : points.other_face), tile_rows);
  append(all, weak_matrix(element, points, blocks), tile_rows);
  if (blocks.rows > 0) {
    const Matrix at_points = values * blocks.to_nodes;
    append(all, at_points.transpose() * points.weights.asDiagonal(), tile_rows);
    append(all, at_points, tile_rows);
    append(all, blocks.to_nodes, tile_rows);
  } else {
    append(all, projection(element, values, points.weights), tile_rows);
  }
  if (!points.bent && (!group.gauss_faces || !group.curved)) return all;
  // For the split form.
  const auto gradients = element.interpolation_gradients(points.volume);
  for (int d = 0; d < element.dim; ++d) append(all, gradients[d], tile_rows);
  return all;
}

}  // namespace swell
