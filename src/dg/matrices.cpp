// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <limits>

#include "dg/group_data.hpp"
#include "element/line_rule.hpp"
#include "element/symmetric_cubature.hpp"

namespace swell {

int adjusted_degree(int order) { return 2 * order; }

GroupPoints group_points(const ReferenceElement& element, const Group& group, int geometry_order) {
  const Shape side = face_shape(element.shape);
  if (group.pairs) {
    const Cubature volume = lobatto_product(element.shape, element.order), face = lobatto_product(side, element.order);
    return {volume.points, face.points, volume.weights, face.weights};
  }
  if (!is_simplex(element.shape)) {
    const Cubature volume = gauss_product(element.shape, element.order), face = gauss_product(side, element.order);
    return {volume.points, face.points, volume.weights, face.weights};
  }
  if (group.adjusted()) {
    // For the weights alone: exact for products of the basis, so that a weight of one changes nothing.
    const Cubature volume = sparse_cubature(element.shape, adjusted_degree(element.order));
    return {volume.points, {}, volume.weights, {}};
  }
  if (!group.curved && !group.varying) return {};
  // Exact for test function x unknown x metric terms, of degree (g - 1) (dim - 1); two more where only the material varies. Both
  // sides of a face must take the same points, whichever group they are in and however they number its vertices.
  if (group.degree > 0) {
    // The metric terms come on top of the degree that was asked for; a trace meets a flux and a test function.
    const int more = (geometry_order - 1) * (element.dim - 1);
    const Cubature volume = cubature(element.shape, group.degree + more), face = symmetric_cubature(side, group.degree + 1 + more);
    return {volume.points, face.points, volume.weights, face.weights};
  }
  const int metric = std::max(2, (geometry_order - 1) * (element.dim - 1));
  const Cubature volume = cubature(element.shape, 2 * element.order + (group.curved ? metric : 2)),
                 face = group.gauss_faces ? gauss_product(side, element.order) : symmetric_cubature(side, 2 * element.order + metric);
  return {volume.points, face.points, volume.weights, face.weights};
}

Matrix trace_matrix(const ReferenceElement& element, const Matrix& on_face) {
  const Matrix traces = element.interpolation(face_points(element.shape, 0, on_face));
  Matrix trace(on_face.rows(), element.face_node_count);
  for (int i = 0; i < element.face_node_count; ++i) trace.col(i) = traces.col(element.face_node(0, i));
  return trace;
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

// [P_r | P_s | P_t | -L]: volume and face points back to the nodes.
Matrix weak_matrix(const ReferenceElement& element, const GroupPoints& points) {
  const auto volume = points.volume.rows(), face = points.face.rows();
  const Matrix inverse_mass = element.vandermonde * element.vandermonde.transpose();
  const auto gradients = element.interpolation_gradients(points.volume);
  Matrix all(element.node_count, element.dim * volume + element.face_count * face);
  for (int d = 0; d < element.dim; ++d)
    all.middleCols(d * volume, volume) = inverse_mass * gradients[d].transpose() * points.weights.asDiagonal();
  for (int f = 0; f < element.face_count; ++f) {
    const Matrix values = element.interpolation(face_points(element.shape, f, points.face));
    all.middleCols(element.dim * volume + f * face, face) =
        -inverse_mass * values.transpose() * points.face_weights.asDiagonal();
  }
  return all;
}

}  // namespace

std::vector<double> group_matrices(const ReferenceElement& element, const Group& group, const GroupPoints& points,
                                   const Variant& variant) {
  // On GPUs a thread is a row: one block.
  const int tile_rows = variant.text == Variant::Text::simd ? variant.constant("TILE_ROWS") : std::numeric_limits<int>::max();
  std::vector<double> all;
  if (group.pairs || !is_simplex(element.shape)) return all;
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
  append(all, trace_matrix(element, points.face), tile_rows);
  append(all, weak_matrix(element, points), tile_rows);
  append(all, projection(element, values, points.weights), tile_rows);
  if (!group.gauss_faces || !group.curved) return all;
  // For the split form beside quadrilaterals.
  const auto gradients = element.interpolation_gradients(points.volume);
  for (int d = 0; d < element.dim; ++d) append(all, gradients[d], tile_rows);
  return all;
}

}  // namespace swell
