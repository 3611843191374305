// SPDX-License-Identifier: Apache-2.0
#include "element/shape.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "all_elements.hpp"

namespace swell {
namespace {

TEST(Shape, NamesLeadBackToTheirShape) {
  for (const Shape shape : cell_shapes) EXPECT_EQ(shape_from_name(shape_name(shape)), shape);
  EXPECT_FALSE(shape_from_name("octahedron").has_value());
}

TEST(Shape, SimplexFacesLieOppositeTheirVertex) {
  for (const Shape shape : {Shape::line, Shape::triangle, Shape::tetrahedron})
    for (int face = 0; face < face_count(shape); ++face) {
      const auto vertices = face_vertices(shape, face);
      EXPECT_TRUE(std::ranges::is_sorted(vertices));
      EXPECT_EQ(static_cast<int>(vertices.size()), vertex_count(shape) - 1);
      EXPECT_EQ(std::ranges::find(vertices, face), vertices.end());
    }
}

TEST(Shape, TensorFacesLieAtTheEndsOfTheirDirection) {
  for (const Shape shape : {Shape::quadrilateral, Shape::hexahedron})
    for (int face = 0; face < face_count(shape); ++face) {
      const auto vertices = face_vertices(shape, face);
      EXPECT_TRUE(std::ranges::is_sorted(vertices));
      EXPECT_EQ(static_cast<int>(vertices.size()), vertex_count(shape) / 2);
      for (const int vertex : vertices) EXPECT_EQ((vertex >> (face / 2)) & 1, face % 2);
    }
}

TEST(Shape, FacesOfPrismsAndPyramidsListTheirVerticesAsTheirOwnShapesDo) {
  for (const Shape shape : {Shape::prism, Shape::pyramid}) {
    const Matrix corners = lattice(shape, 1);
    int triangles = 0;
    for (int face = 0; face < face_count(shape); ++face) {
      const auto vertices = face_vertices(shape, face);
      EXPECT_TRUE(std::ranges::is_sorted(vertices));
      triangles += face_shape(shape, face) == Shape::triangle;
      ASSERT_EQ(static_cast<int>(vertices.size()), vertex_count(face_shape(shape, face)));
      if (vertices.size() == 4) {  // a parallelogram whose last vertex lies opposite the first one
        EXPECT_EQ(corners.row(vertices[3]) - corners.row(vertices[2]), corners.row(vertices[1]) - corners.row(vertices[0]));
      }
    }
    EXPECT_EQ(triangles, shape == Shape::prism ? 2 : 4);
  }
}

TEST(Shape, HoldsItsMiddleAndItsVerticesAndNothingBeyondItsFaces) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::hexahedron, Shape::prism, Shape::pyramid}) {
    const auto middle = reference_middle(shape);
    const Matrix corners = lattice(shape, 1);
    for (int d = 0; d < dimension(shape); ++d) EXPECT_NEAR(middle[d], corners.col(d).mean(), 1e-15);
    EXPECT_TRUE(reference_holds(shape, middle.data(), 0));
    for (int v = 0; v < vertex_count(shape); ++v) EXPECT_TRUE(reference_holds(shape, corners.row(v).eval().data(), 1e-14));
    for (int face = 0; face < face_count(shape); ++face) {
      Matrix beyond = Matrix::Zero(1, dimension(shape));
      for (const int v : face_vertices(shape, face)) beyond += corners.row(v) / static_cast<double>(face_vertices(shape, face).size());
      for (int d = 0; d < dimension(shape); ++d) beyond(0, d) += 0.01 * (beyond(0, d) - middle[d]);
      EXPECT_FALSE(reference_holds(shape, beyond.data(), 1e-3)) << shape_name(shape) << face;
    }
  }
}

TEST(Shape, OrientationsAreTheSymmetriesOfTheFace) {
  for (const Shape face : {Shape::point, Shape::line, Shape::triangle, Shape::quadrilateral}) {
    const Matrix corners = lattice(face, 1);
    std::vector<int> map(vertex_count(face));
    for (int i = 0; i < vertex_count(face); ++i) map[i] = i;
    EXPECT_TRUE(std::ranges::equal(orientation(face, 0), map));
    int symmetries = 0;
    do {  // every permutation of the corners: a symmetry of the simplex always, of the square if distances stay
      bool keeps_distances = true;
      for (int a = 0; a < vertex_count(face); ++a)
        for (int b = 0; b < vertex_count(face); ++b)
          if (!is_simplex(face))
            keeps_distances = keeps_distances && (corners.row(a) - corners.row(b)).norm() ==
                                                     (corners.row(map[a]) - corners.row(map[b])).norm();
      const int number = find_orientation(face, map);
      EXPECT_EQ(number >= 0, keeps_distances);
      if (keeps_distances) {
        ++symmetries;
        EXPECT_TRUE(std::ranges::equal(orientation(face, number), map));
      }
    } while (std::ranges::next_permutation(map).found);
    EXPECT_EQ(symmetries, orientation_count(face));
  }
}

TEST(Lattice, NumbersFollowTheListOfIndices) {
  for (const Shape shape : cell_shapes)
    for (int order = 0; order <= 12; ++order) {
      const std::vector<LatticeIndex> indices = lattice_indices(shape, order);
      ASSERT_EQ(static_cast<int>(indices.size()), lattice_count(shape, order));
      for (std::size_t i = 0; i < indices.size(); ++i)
        ASSERT_EQ(lattice_number(shape, order, indices[i]), static_cast<int>(i)) << label(shape, order);
    }
}

TEST(Lattice, OfOrderOneIsTheVertices) {
  for (const Shape shape : cell_shapes) {
    const Matrix points = lattice(shape, 1);
    ASSERT_EQ(points.rows(), vertex_count(shape));
    for (int v = 0; v < vertex_count(shape); ++v)
      for (int d = 0; d < dimension(shape); ++d)
        if (shape == Shape::prism)
          EXPECT_EQ(points(v, d), d == 2 ? (v < 3 ? -1.0 : 1.0) : v % 3 == d + 1 ? 1.0 : -1.0);
        else if (is_simplex(shape))
          EXPECT_EQ(points(v, d), v == d + 1 ? 1.0 : -1.0);
        else
          EXPECT_EQ(points(v, d), 2.0 * ((v >> d) & 1) - 1.0);
  }
}

}  // namespace
}  // namespace swell
