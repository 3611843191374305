// SPDX-License-Identifier: Apache-2.0
// The orders of VTK and Gmsh: samples that were read back from both programs, and that nothing is listed twice.
#include <algorithm>

#include "all_elements.hpp"
#include "element/gmsh_order.hpp"
#include "element/vtk_order.hpp"

namespace swell {
namespace {

std::vector<LatticeIndex> points_of(Shape shape, int order, const std::vector<int>& numbers) {
  const std::vector<LatticeIndex> indices = lattice_indices(shape, order);
  std::vector<LatticeIndex> points;
  for (const int number : numbers) points.push_back(indices[number]);
  return points;
}

TEST(PointOrder, ListsEveryLatticePointOnce) {
  for (const Shape shape : cell_shapes)
    for (int order = 1; order <= max_order(shape); ++order)
      for (const auto order_of : {vtk_lattice_order, gmsh_lattice_order}) {
        if (shape == Shape::pyramid && order_of == vtk_lattice_order) continue;  // VTK has none
        std::vector<int> numbers = order_of(shape, order);
        std::ranges::sort(numbers);
        ASSERT_EQ(static_cast<int>(numbers.size()), lattice_count(shape, order));
        for (int i = 0; i < lattice_count(shape, order); ++i) ASSERT_EQ(numbers[i], i) << label(shape, order);
      }
}

TEST(PointOrder, OfTrianglesGoesRoundTheEdgesAndRecursesInVtkAndGmsh) {
  const std::vector<LatticeIndex> expected = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 0, 0}, {2, 0, 0},
                                              {3, 0, 0}, {3, 1, 0}, {2, 2, 0}, {1, 3, 0}, {0, 3, 0},
                                              {0, 2, 0}, {0, 1, 0}, {1, 1, 0}, {2, 1, 0}, {1, 2, 0}};
  EXPECT_EQ(points_of(Shape::triangle, 4, vtk_lattice_order(Shape::triangle, 4)), expected);
  EXPECT_EQ(points_of(Shape::triangle, 4, gmsh_lattice_order(Shape::triangle, 4)), expected);
}

TEST(PointOrder, OfQuadrilateralsDiffersBetweenVtkAndGmsh) {
  const std::vector<LatticeIndex> vtk = {{0, 0, 0}, {3, 0, 0}, {3, 3, 0}, {0, 3, 0}, {1, 0, 0}, {2, 0, 0},
                                         {3, 1, 0}, {3, 2, 0}, {1, 3, 0}, {2, 3, 0}, {0, 1, 0}, {0, 2, 0},
                                         {1, 1, 0}, {2, 1, 0}, {1, 2, 0}, {2, 2, 0}};
  const std::vector<LatticeIndex> gmsh = {{0, 0, 0}, {3, 0, 0}, {3, 3, 0}, {0, 3, 0}, {1, 0, 0}, {2, 0, 0},
                                          {3, 1, 0}, {3, 2, 0}, {2, 3, 0}, {1, 3, 0}, {0, 2, 0}, {0, 1, 0},
                                          {1, 1, 0}, {2, 1, 0}, {2, 2, 0}, {1, 2, 0}};
  EXPECT_EQ(points_of(Shape::quadrilateral, 3, vtk_lattice_order(Shape::quadrilateral, 3)), vtk);
  EXPECT_EQ(points_of(Shape::quadrilateral, 3, gmsh_lattice_order(Shape::quadrilateral, 3)), gmsh);
}

TEST(PointOrder, OfTetrahedraExchangesEdgesBetweenVtkAndGmsh) {
  const std::vector<LatticeIndex> vtk = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {1, 0, 0},
                                         {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  std::vector<LatticeIndex> gmsh = vtk;
  std::swap(gmsh[8], gmsh[9]);
  EXPECT_EQ(points_of(Shape::tetrahedron, 2, vtk_lattice_order(Shape::tetrahedron, 2)), vtk);
  EXPECT_EQ(points_of(Shape::tetrahedron, 2, gmsh_lattice_order(Shape::tetrahedron, 2)), gmsh);
  const std::vector<LatticeIndex> cubic = points_of(Shape::tetrahedron, 3, gmsh_lattice_order(Shape::tetrahedron, 3));
  const std::vector<LatticeIndex> faces(cubic.end() - 4, cubic.end());
  EXPECT_EQ(faces, (std::vector<LatticeIndex>{{1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}}));
}

TEST(PointOrder, OfHexahedraPutsEdgesAndFacesWhereVtkAndGmshHaveThem) {
  const std::vector<LatticeIndex> corners = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0},
                                             {0, 0, 2}, {2, 0, 2}, {2, 2, 2}, {0, 2, 2}};
  std::vector<LatticeIndex> vtk = corners, gmsh = corners;
  for (const LatticeIndex& p : std::vector<LatticeIndex>{{1, 0, 0},
                                                         {2, 1, 0},
                                                         {1, 2, 0},
                                                         {0, 1, 0},
                                                         {1, 0, 2},
                                                         {2, 1, 2},
                                                         {1, 2, 2},
                                                         {0, 1, 2},
                                                         {0, 0, 1},
                                                         {2, 0, 1},
                                                         {2, 2, 1},
                                                         {0, 2, 1},
                                                         {0, 1, 1},
                                                         {2, 1, 1},
                                                         {1, 0, 1},
                                                         {1, 2, 1},
                                                         {1, 1, 0},
                                                         {1, 1, 2},
                                                         {1, 1, 1}})
    vtk.push_back(p);
  for (const LatticeIndex& p : std::vector<LatticeIndex>{{1, 0, 0},
                                                         {0, 1, 0},
                                                         {0, 0, 1},
                                                         {2, 1, 0},
                                                         {2, 0, 1},
                                                         {1, 2, 0},
                                                         {2, 2, 1},
                                                         {0, 2, 1},
                                                         {1, 0, 2},
                                                         {0, 1, 2},
                                                         {2, 1, 2},
                                                         {1, 2, 2},
                                                         {1, 1, 0},
                                                         {1, 0, 1},
                                                         {0, 1, 1},
                                                         {2, 1, 1},
                                                         {1, 2, 1},
                                                         {1, 1, 2},
                                                         {1, 1, 1}})
    gmsh.push_back(p);
  EXPECT_EQ(points_of(Shape::hexahedron, 2, vtk_lattice_order(Shape::hexahedron, 2)), vtk);
  EXPECT_EQ(points_of(Shape::hexahedron, 2, gmsh_lattice_order(Shape::hexahedron, 2)), gmsh);
}

using Points = std::vector<LatticeIndex>;

// The points behind the corners, of elements that Gmsh 4.8 raised to this order and that VTK 9.1 numbered.
Points behind_corners(Shape shape, int order, const std::vector<int>& numbers) {
  Points all = points_of(shape, order, numbers);
  all.erase(all.begin(), all.begin() + vertex_count(shape));
  return all;
}

TEST(PointOrder, OfPrismsIsThatOfGmsh) {
  EXPECT_EQ(behind_corners(Shape::prism, 2, gmsh_lattice_order(Shape::prism, 2)),
            (Points{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {0, 1, 2}, {1, 1, 2}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}}));
  Points quartic = behind_corners(Shape::prism, 4, gmsh_lattice_order(Shape::prism, 4));
  quartic.erase(quartic.begin(), quartic.begin() + 27);  // edges
  EXPECT_EQ(quartic, (Points{{1, 1, 0}, {1, 2, 0}, {2, 1, 0}, {1, 1, 4}, {2, 1, 4}, {1, 2, 4}, {1, 0, 1}, {3, 0, 1}, {3, 0, 3}, {1, 0, 3},
                             {2, 0, 1}, {3, 0, 2}, {2, 0, 3}, {1, 0, 2}, {2, 0, 2}, {0, 1, 1}, {0, 1, 3}, {0, 3, 3}, {0, 3, 1}, {0, 1, 2},
                             {0, 2, 3}, {0, 3, 2}, {0, 2, 1}, {0, 2, 2}, {3, 1, 1}, {1, 3, 1}, {1, 3, 3}, {3, 1, 3}, {2, 2, 1}, {1, 3, 2},
                             {2, 2, 3}, {3, 1, 2}, {2, 2, 2}, {1, 1, 1}, {1, 1, 3}, {1, 1, 2}, {2, 1, 1}, {2, 1, 3}, {2, 1, 2}, {1, 2, 1},
                             {1, 2, 3}, {1, 2, 2}}));
}

TEST(PointOrder, OfPyramidsIsThatOfGmsh) {
  EXPECT_EQ(points_of(Shape::pyramid, 2, gmsh_lattice_order(Shape::pyramid, 2)),
            (Points{{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 2}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2, 1, 0}, {1, 0, 1}, {1, 2, 0},
                    {1, 1, 1}, {0, 1, 1}, {1, 1, 0}}));
  Points quartic = behind_corners(Shape::pyramid, 4, gmsh_lattice_order(Shape::pyramid, 4));
  quartic.erase(quartic.begin(), quartic.begin() + 24);  // edges
  EXPECT_EQ(quartic, (Points{{1, 0, 1}, {2, 0, 1}, {1, 0, 2}, {0, 2, 1}, {0, 1, 1}, {0, 1, 2}, {3, 1, 1}, {3, 2, 1}, {2, 1, 2},
                             {2, 3, 1}, {1, 3, 1}, {1, 2, 2}, {1, 1, 0}, {1, 3, 0}, {3, 3, 0}, {3, 1, 0}, {1, 2, 0}, {2, 3, 0},
                             {3, 2, 0}, {2, 1, 0}, {2, 2, 0}, {1, 1, 1}, {2, 1, 1}, {2, 2, 1}, {1, 2, 1}, {1, 1, 2}}));
}

TEST(PointOrder, OfPrismsIsThatOfVtk) {
  EXPECT_EQ(behind_corners(Shape::prism, 2, vtk_lattice_order(Shape::prism, 2)),
            (Points{{1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {1, 0, 2}, {1, 1, 2}, {0, 1, 2}, {0, 0, 1}, {2, 0, 1}, {0, 2, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}));
  Points quartic = behind_corners(Shape::prism, 4, vtk_lattice_order(Shape::prism, 4));
  quartic.erase(quartic.begin(), quartic.begin() + 27);  // edges
  EXPECT_EQ(quartic, (Points{{1, 1, 0}, {2, 1, 0}, {1, 2, 0}, {1, 1, 4}, {2, 1, 4}, {1, 2, 4}, {1, 0, 1}, {2, 0, 1}, {3, 0, 1}, {1, 0, 2},
                             {2, 0, 2}, {3, 0, 2}, {1, 0, 3}, {2, 0, 3}, {3, 0, 3}, {3, 1, 1}, {2, 2, 1}, {1, 3, 1}, {3, 1, 2}, {2, 2, 2},
                             {1, 3, 2}, {3, 1, 3}, {2, 2, 3}, {1, 3, 3}, {0, 3, 1}, {0, 2, 1}, {0, 1, 1}, {0, 3, 2}, {0, 2, 2}, {0, 1, 2},
                             {0, 3, 3}, {0, 2, 3}, {0, 1, 3}, {1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2}, {2, 1, 2}, {1, 2, 2}, {1, 1, 3},
                             {2, 1, 3}, {1, 2, 3}}));
}

}  // namespace
}  // namespace swell
