// SPDX-License-Identifier: Apache-2.0
#include <Eigen/SVD>
#include <algorithm>
#include <numeric>

#include "all_elements.hpp"

namespace swell {
namespace {

// The largest distance from the image of a node under a permutation of the vertices to the node of the permuted index.
double asymmetry(Shape shape, int order, const std::vector<int>& permutation) {
  const ReferenceElement& e = element_of(shape, order);
  const int corners = vertex_count(shape);
  const std::vector<LatticeIndex> indices = lattice_indices(shape, order);
  double worst = 0.0;
  for (int node = 0; node < e.node_count; ++node) {
    std::vector<double> weight(4, 0.0), image(4, 0.0);
    std::vector<int> steps(4, 0), image_steps(4, 0);
    weight[0] = 1.0;
    steps[0] = order;
    for (int d = 0; d < e.dim; ++d) {
      weight[d + 1] = 0.5 * (1.0 + e.nodes(node, d));
      steps[d + 1] = indices[node][d];
      weight[0] -= weight[d + 1];
      steps[0] -= steps[d + 1];
    }
    for (int v = 0; v < corners; ++v) {
      image[permutation[v]] = weight[v];
      image_steps[permutation[v]] = steps[v];
    }
    const int other = lattice_number(shape, order, {image_steps[1], image_steps[2], image_steps[3]});
    for (int d = 0; d < e.dim; ++d) worst = std::max(worst, std::abs(2.0 * image[d + 1] - 1.0 - e.nodes(other, d)));
  }
  return worst;
}

TEST(Nodes, OfSimplicesHaveAllSymmetriesOfTheShape) {
  for (const Shape shape : {Shape::triangle, Shape::tetrahedron})
    for (int order = 1; order <= max_order(shape); ++order) {
      std::vector<int> permutation(vertex_count(shape));
      std::iota(permutation.begin(), permutation.end(), 0);
      do {
        EXPECT_LT(asymmetry(shape, order, permutation), 1e-14) << label(shape, order);
      } while (std::ranges::next_permutation(permutation).found);
    }
}

TEST(Nodes, OfTensorShapesMirrorExactly) {
  for (const Shape shape : {Shape::line, Shape::quadrilateral, Shape::hexahedron})
    for (int order = 1; order <= max_order(shape); ++order)
      EXPECT_EQ(element_of(shape, order).nodes, -element_of(shape, order).nodes.colwise().reverse());
}

TEST(Nodes, OfFacesOfAShapeAreOneSetOnTheReferenceFaceWithLobattoPointsOnEdges) {
  for (const Shape shape : cell_shapes)
    for (int order = 1; order <= max_order(shape); ++order) {
      SCOPED_TRACE(label(shape, order));
      const ReferenceElement& e = element_of(shape, order);
      for (int face = 0; face < e.face_count; ++face) {
        const Shape side = face_shape(shape, face);
        Matrix on_face = nodes(side, order);
        if (e.dim == 3 && side == Shape::triangle) {  // triangles in space carry a tetrahedron's blend: the face t = -1 has the face's coordinates
          const ReferenceElement& tetrahedron = element_of(Shape::tetrahedron, order);
          for (int i = 0; i < tetrahedron.face_node_count; ++i) on_face.row(i) = tetrahedron.nodes.row(tetrahedron.face_node(3, i)).head(2);
        }
        const Matrix expected = face_points(shape, face, on_face);
        ASSERT_EQ(e.face_size(face), on_face.rows());
        for (int i = 0; i < e.face_node_count; ++i)
          if (i >= e.face_size(face))
            EXPECT_EQ(e.face_node(face, i), e.face_node(face, i - 1));
          else
            EXPECT_LT((e.nodes.row(e.face_node(face, i)) - expected.row(i)).cwiseAbs().maxCoeff(), 1e-14);
      }
      const Matrix lobatto = gauss_lobatto(order).points;
      for (int i = 0; i <= order; ++i) EXPECT_NEAR(e.nodes(i, 0), lobatto(i, 0), 1e-14);
    }
}

Vector lebesgue_function(const ReferenceElement& e, const Matrix& points) {
  return e.interpolation(points).cwiseAbs().rowwise().sum();
}

// The largest value on a lattice of samples, then uphill from each of its highest points in ever smaller steps.
double lebesgue_constant(const ReferenceElement& e, int samples) {
  const std::vector<LatticeIndex> indices = lattice_indices(e.shape, samples);
  Matrix points(indices.size(), e.dim);
  for (std::size_t row = 0; row < indices.size(); ++row)
    for (int d = 0; d < e.dim; ++d) points(row, d) = 2.0 * indices[row][d] / samples - 1.0;
  const Vector values = lebesgue_function(e, points);
  std::vector<int> highest(values.size());
  std::iota(highest.begin(), highest.end(), 0);
  std::ranges::sort(highest, [&](int a, int b) { return values[a] > values[b]; });
  double largest = 0.0;
  for (std::size_t start = 0; start < std::min<std::size_t>(12, highest.size()); ++start) {
    Matrix best = points.row(highest[start]);
    double value = values[highest[start]];
    for (double step = 1.0 / samples; step > 1e-3;) {
      Matrix around = best.replicate(2 * e.dim, 1);
      for (int d = 0; d < e.dim; ++d) around(2 * d, d) += step, around(2 * d + 1, d) -= step;
      for (Eigen::Index row = 0; row < around.rows(); ++row)
        if (around.row(row).minCoeff() < -1.0 || around.row(row).sum() > 2.0 - e.dim) around.row(row) = best;
      Eigen::Index up = 0;
      const double found = lebesgue_function(e, around).maxCoeff(&up);
      if (found > value)
        value = found, best = Matrix(around.row(up));
      else
        step *= 0.5;
    }
    largest = std::max(largest, value);
  }
  return largest;
}

// Warburton (2006), "An explicit construction of interpolation nodes on the simplex", optimised alpha.
TEST(Nodes, OfTheTriangleHaveTheLebesgueConstantsOfWarburton) {
  const std::array<double, 12> published = {1.00, 1.67, 2.11, 2.66, 3.12, 3.70, 4.27, 4.96, 5.74, 6.67, 7.90, 9.36};
  for (int order = 1; order <= 12; ++order)
    EXPECT_NEAR(lebesgue_constant(element_of(Shape::triangle, order), 40), published[order - 1],
                0.005 * published[order - 1])
        << "order " << order;
}

TEST(Nodes, OfTheTetrahedronHaveTheLebesgueConstantsOfWarburton) {
  const std::array<double, 10> published = {1.00, 2.00, 2.93, 4.07, 5.32, 7.01, 9.21, 12.54, 17.02, 24.36};
  for (int order = 1; order <= 10; ++order)
    EXPECT_NEAR(lebesgue_constant(element_of(Shape::tetrahedron, order), 18), published[order - 1],
                0.01 * published[order - 1])
        << "order " << order;
}

double condition(const Matrix& matrix) {
  const Vector values = Eigen::JacobiSVD<Eigen::MatrixXd>(matrix).singularValues();
  return values[0] / values[values.size() - 1];
}

// Interpolation in an orthonormal basis at good nodes: the condition number grows slowly (about order^2 at the orders
// used; Hesthaven and Warburton 2008, sections 3.1 and 6.1), whereas that of equispaced points grows like 2^order.
TEST(Nodes, KeepTheVandermondeMatrixWellConditioned) {
  const auto at_highest_order = [](Shape shape) { return condition(element_of(shape, max_order(shape)).vandermonde); };
  EXPECT_NEAR(at_highest_order(Shape::line), 4.80, 0.05);
  EXPECT_NEAR(at_highest_order(Shape::triangle), 36.1, 0.5);
  EXPECT_NEAR(at_highest_order(Shape::tetrahedron), 144.9, 1.5);
  EXPECT_NEAR(at_highest_order(Shape::quadrilateral), 4.80 * 4.80, 0.5);
  EXPECT_NEAR(at_highest_order(Shape::pyramid), 102.9, 1);
  EXPECT_GT(condition(modes(Shape::triangle, 12, lattice(Shape::triangle, 12))), 300.0);
}

}  // namespace
}  // namespace swell
