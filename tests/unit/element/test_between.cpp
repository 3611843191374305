// SPDX-License-Identifier: Apache-2.0
// Between elements: neighbours across a face, and orders of one shape.
#include <random>

#include "all_elements.hpp"

namespace swell {
namespace {

// Vertices of a neighbour whose face `face` lies on my face in this orientation, and whose rest lies outside.
Matrix neighbour_vertices(Shape shape, int my_face, int face, int orientation_number) {
  const Matrix mine = lattice(shape, 1);
  const auto here = face_vertices(shape, my_face), there = face_vertices(shape, face);
  const auto map = orientation(face_shape(shape), orientation_number);
  Matrix result(mine.rows(), mine.cols());
  Eigen::RowVectorXd face_centre = Eigen::RowVectorXd::Zero(mine.cols());
  for (const int v : here) face_centre += mine.row(v) / static_cast<double>(here.size());
  const Eigen::RowVectorXd outward = 2.0 * (face_centre - mine.colwise().mean());
  for (std::size_t i = 0; i < here.size(); ++i) {
    result.row(there[map[i]]) = mine.row(here[i]);
    if (!is_simplex(shape)) result.row(there[map[i]] ^ (1 << (face / 2))) = mine.row(here[i]) + outward;
  }
  if (is_simplex(shape)) result.row(face) = face_centre + outward;
  return result;
}

TEST(NeighbourNodes, CoincideForEveryPairingOfFacesAndEveryOrientation) {
  for (const Shape shape : modal_shapes)
    for (const int order : {1, 2, 3, 4, 7, max_order(shape)}) {
      SCOPED_TRACE(label(shape, order));
      const ReferenceElement& e = element_of(shape, order);
      const Matrix linear = element_of(shape, 1).interpolation(e.nodes);
      double worst = 0.0;
      for (int face = 0; face < e.face_count; ++face)
        for (int o = 0; o < orientation_count(face_shape(shape)); ++o) {
          const std::vector<int> theirs = e.neighbour_nodes(face, o);
          ASSERT_EQ(static_cast<int>(theirs.size()), e.face_node_count);
          for (int my_face = 0; my_face < e.face_count; ++my_face) {
            const Matrix placed = linear * neighbour_vertices(shape, my_face, face, o);
            for (int i = 0; i < e.face_node_count; ++i)
              worst =
                  std::max(worst, (placed.row(theirs[i]) - e.nodes.row(e.face_node(my_face, i))).cwiseAbs().maxCoeff());
          }
        }
      EXPECT_LT(worst, 4e-15);
    }
}

// Nodes of faces are one set on the reference face, whatever the shape behind them: what a face of a prism or a pyramid lists of a
// neighbour lies where the orientation sends that set.
TEST(NeighbourNodes, CoincideBetweenAllShapesInSpace) {
  for (const int order : {1, 2, 3, 4, 7, 10})
    for (const Shape shape : {Shape::tetrahedron, Shape::hexahedron, Shape::prism, Shape::pyramid}) {
      SCOPED_TRACE(label(shape, order));
      const ReferenceElement& e = element_of(shape, order);
      double worst = 0.0;
      for (int face = 0; face < e.face_count; ++face) {
        const Shape side = face_shape(shape, face);
        // My nodes on the reference face, from a shape of another kind that has such a face.
        const ReferenceElement& mine = element_of(side == Shape::triangle ? Shape::prism : Shape::pyramid, order);
        const Matrix on_face = mine.nodes.topLeftCorner(lattice_count(side, order), 2);
        const Matrix corners = lattice(side, 1);
        const Matrix to_corners = modes(side, 1, on_face) * modes(side, 1, corners).inverse();
        for (int o = 0; o < orientation_count(side); ++o) {
          Matrix turned = corners;
          for (Eigen::Index v = 0; v < corners.rows(); ++v) turned.row(v) = corners.row(orientation(side, o)[v]);
          const Matrix expected = face_points(shape, face, to_corners * turned);
          const std::vector<int> theirs = e.neighbour_nodes(face, o);
          for (Eigen::Index i = 0; i < expected.rows(); ++i)
            worst = std::max(worst, (e.nodes.row(theirs[i]) - expected.row(i)).cwiseAbs().maxCoeff());
        }
      }
      EXPECT_LT(worst, 1e-14);
    }
}

TEST(NeighbourNodes, InOrientationZeroAreTheFaceNodes) {
  on_every_element([](const ReferenceElement& e) {
    for (int face = 0; face < e.face_count; ++face)
      for (int i = 0; i < e.face_node_count; ++i) EXPECT_EQ(e.neighbour_nodes(face, 0)[i], e.face_node(face, i));
  });
}

Matrix random_points(int count, int dim) {
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> number(-1.0, -0.4);  // inside every shape
  Matrix points(count, dim);
  for (double& x : points.reshaped()) x = number(generator);
  return points;
}

TEST(Interpolation, IsExactForAllMonomialsOfItsOrder) {
  on_every_element([](const ReferenceElement& e) {
    const Matrix points = random_points(5, e.dim);
    const Matrix values = e.interpolation(points);
    const std::array<Matrix, 3> gradients = e.interpolation_gradients(points);
    double worst = 0.0, worst_gradient = 0.0;
    for (const LatticeIndex& power : monomials(e.shape, e.order)) {
      const Vector nodal = monomial(e.nodes, power);
      worst = std::max(worst, (values * nodal - monomial(points, power)).cwiseAbs().maxCoeff());
      for (int d = 0; d < e.dim; ++d)
        worst_gradient =
            std::max(worst_gradient, (gradients[d] * nodal - monomial(points, power, d)).cwiseAbs().maxCoeff());
    }
    EXPECT_LT(worst, 1e-13);
    EXPECT_LT(worst_gradient, 1e-11);
  });
}

TEST(InterpolationBetween, KeepsPolynomialsOfTheLowerOrder) {
  for (const Shape shape : cell_shapes)
    for (int from = 1; from <= 6; ++from)
      for (int to = 1; to <= 6; ++to) {
        const ReferenceElement &source = element_of(shape, from), &target = element_of(shape, to);
        const Matrix interpolate = interpolation_between(source, target);
        const Matrix project = projection_between(source, target);
        for (const LatticeIndex& power : monomials(shape, std::min(from, to))) {
          const Vector values = monomial(source.nodes, power), expected = monomial(target.nodes, power);
          EXPECT_LT((interpolate * values - expected).cwiseAbs().maxCoeff(), 1e-13);
          EXPECT_LT((project * values - expected).cwiseAbs().maxCoeff(), 1e-13);
        }
      }
}

TEST(ProjectionBetween, LeavesARemainderOrthogonalToTheLowerOrder) {
  for (const Shape shape : cell_shapes) {
    const ReferenceElement &high = element_of(shape, 6), &low = element_of(shape, 3);
    LatticeIndex power{};
    power[0] = 6;
    const Vector values = monomial(high.nodes, power);
    const Vector kept = interpolation_between(low, high) * (projection_between(high, low) * values);
    EXPECT_GT((values - kept).cwiseAbs().maxCoeff(), 1e-3);
    for (const LatticeIndex& test : monomials(shape, 3))
      EXPECT_NEAR(monomial(high.nodes, test).dot(high.mass * (values - kept)), 0.0, 1e-13);
  }
}

}  // namespace
}  // namespace swell
