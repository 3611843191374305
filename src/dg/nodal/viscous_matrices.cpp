// SPDX-License-Identifier: Apache-2.0
#include "dg/nodal/viscous_matrices.hpp"

#include <limits>

namespace swell {

namespace {

// Derivatives along each reference coordinate, and what jumps at face nodes add to them.
Matrix gradient_matrix(const ReferenceElement& element, int d) {
  const int nodes = element.node_count, on_face = element.face_node_count;
  Matrix all(nodes, nodes + element.lift.cols());
  all.leftCols(nodes) = element.derivative[d];
  for (int face = 0; face < element.face_count; ++face) {
    // The scaled normal is the sum of all gradients of reference coordinates on face 0, less one of them on the others.
    const double normal = face == 0 ? 1 : face - 1 == d ? -1 : 0;
    all.middleCols(nodes + face * on_face, on_face) = normal * element.lift.middleCols(face * on_face, on_face);
  }
  return all;
}

// M^-1, or what takes its place, times the integrals of phi f over the faces, f at the points of all faces.
Matrix face_matrix(const ReferenceElement& element, const GroupPoints& points, const Matrix& inverse_mass) {
  const Eigen::Index on_face = points.face.rows();
  Matrix all(element.node_count, element.face_count * on_face);
  for (int f = 0; f < element.face_count; ++f)
    all.middleCols(f * on_face, on_face) =
        inverse_mass * element.interpolation(face_points(element.shape, f, points.on(element, f))).transpose() *
        points.weights_on(element, f).asDiagonal();
  return all;
}

}  // namespace

std::vector<double> viscous_matrices(const ReferenceElement& element, const Group& group, const GroupPoints& points, int tile_rows) {
  if (tile_rows == 0) tile_rows = std::numeric_limits<int>::max();
  std::vector<double> all;
  const auto append = [&](const Matrix& matrix) {
    const auto packed = pack(matrix, tile_rows);
    all.insert(all.end(), packed.begin(), packed.end());
  };
  const int nodes = element.node_count, dim = element.dim;
  if (is_tensor(element.shape)) return {0.0};
  const MassBlocks blocks = by_points(group) ? mass_blocks(element, group, points) : MassBlocks{};
  const Matrix inverse_mass =
      blocks.rows > 0 ? Matrix(blocks.to_nodes.transpose()) : Matrix(element.vandermonde * element.vandermonde.transpose());
  if (!by_points(group)) {
    Matrix weak(nodes, dim * nodes + element.lift.cols());
    for (int d = 0; d < dim; ++d) {
      append(gradient_matrix(element, d));
      weak.middleCols(d * nodes, nodes) = -inverse_mass * element.derivative[d].transpose() * element.mass;
    }
    weak.rightCols(element.lift.cols()) = element.lift;
    append(weak);
    return all;
  }
  const Matrix values = element.interpolation(points.volume), faces = face_matrix(element, points, inverse_mass);
  const Matrix projection = inverse_mass * values.transpose() * points.weights.asDiagonal();
  const auto slopes = element.interpolation_gradients(points.volume);
  const Eigen::Index volume = points.volume.rows();
  append(values);
  for (const Shape side : face_shapes(element.shape))
    append(trace_matrix(element, side, side == face_shape(element.shape, 0) ? points.face : points.other_face));
  for (int d = 0; d < dim; ++d) append(slopes[d]);
  Matrix lifted(nodes, volume + faces.cols()), weak(nodes, dim * volume + faces.cols());
  lifted << projection, faces;
  append(lifted);
  append(projection);
  for (int d = 0; d < dim; ++d) weak.middleCols(d * volume, volume) = -inverse_mass * slopes[d].transpose() * points.weights.asDiagonal();
  weak.rightCols(faces.cols()) = faces;
  append(weak);
  if (blocks.rows > 0) append(blocks.to_nodes);
  return all;
}

}  // namespace swell
