// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <set>

#include "helpers.hpp"

namespace swell::test {
namespace {

Mesh mesh_of(Shape shape, std::vector<double> points, std::vector<std::int64_t> nodes) {
  Mesh mesh;
  mesh.dim = dimension(shape);
  mesh.name = "test";
  mesh.points = std::move(points);
  mesh.regions = {""};
  CellBlock block;
  block.shape = shape;
  block.nodes_per_cell = vertex_count(shape);
  block.region.assign(nodes.size() / block.nodes_per_cell, 0);
  block.nodes = std::move(nodes);
  mesh.blocks.push_back(std::move(block));
  return mesh;
}

// All orders of the vertices that are rotations of the shape: result[rotation][i] is the old number of new vertex i.
std::vector<std::vector<int>> rotations(Shape shape) {
  const Matrix corner = lattice(shape, 1);
  const int n = vertex_count(shape), dim = dimension(shape);
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::vector<int>> found;
  do {
    Eigen::MatrixXd old_sides(dim, dim), new_sides(dim, dim);
    for (int a = 0; a < dim; ++a) {
      const int end = is_simplex(shape) ? a + 1 : 1 << a;
      old_sides.col(a) = (corner.row(end) - corner.row(0)).transpose();
      new_sides.col(a) = (corner.row(order[end]) - corner.row(order[0])).transpose();
    }
    const Eigen::MatrixXd turn = new_sides * old_sides.inverse();
    bool affine = turn.determinant() > 0.5;
    for (int v = 0; v < n && affine; ++v) {
      const Vector image = turn * (corner.row(v) - corner.row(0)).transpose();
      affine = (image.transpose() - (corner.row(order[v]) - corner.row(order[0]))).norm() < 1e-12;
    }
    if (affine) found.push_back(order);
  } while (std::next_permutation(order.begin(), order.end()));
  return found;
}

std::vector<std::int64_t> renumbered(const std::vector<std::int64_t>& cell, const std::vector<int>& rotation) {
  std::vector<std::int64_t> nodes;
  for (const int v : rotation) nodes.push_back(cell[v]);
  return nodes;
}

void expect_every_pairing(Shape shape, const std::vector<double>& points, const std::vector<std::int64_t>& first,
                          const std::vector<std::int64_t>& second, std::size_t pairings) {
  std::set<std::array<int, 3>> seen;
  const auto turns = rotations(shape);
  for (const auto& a : turns)
    for (const auto& b : turns) {
      auto nodes = renumbered(first, a);
      const auto more = renumbered(second, b);
      nodes.insert(nodes.end(), more.begin(), more.end());
      Mesh mesh = mesh_of(shape, points, nodes);
      check_geometry(mesh);
      connect(mesh, {}, {});
      EXPECT_LT(largest_face_gap(mesh), 1e-14);
      for (int f = 0; f < face_count(shape); ++f)
        if (mesh.neighbour(0, f).cell == 1)
          seen.insert({f, mesh.neighbour(0, f).face, mesh.neighbour(0, f).orientation});
    }
  EXPECT_EQ(seen.size(), pairings);
}

TEST(Connect, MatchesEveryPairingOfTetrahedra) {
  ASSERT_EQ(rotations(Shape::tetrahedron).size(), 12u);
  const std::vector<double> points{0, 0, 0, 1, 0, 0, 0, 1, 0, 0.1, 0.2, 1, 0.3, 0.2, -1};
  // 4 x 4 faces, each pair in three of the six orientations: the others would put both cells on one side.
  expect_every_pairing(Shape::tetrahedron, points, {0, 1, 2, 3}, {0, 2, 1, 4}, 48);
}

TEST(Connect, MatchesEveryPairingOfHexahedra) {
  ASSERT_EQ(rotations(Shape::hexahedron).size(), 24u);
  std::vector<double> points;
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 2; ++i) points.insert(points.end(), {i + 0.1 * j * k, j + 0.05 * i, k + 0.1 * i * j});
  expect_every_pairing(Shape::hexahedron, points, {0, 1, 2, 3, 4, 5, 6, 7}, {4, 5, 6, 7, 8, 9, 10, 11}, 144);
}

TEST(Connect, MatchesEveryPairingOfTrianglesAndQuadrilaterals) {
  expect_every_pairing(Shape::triangle, {0, 0, 1, 0, 0, 1, 1, 1}, {0, 1, 2}, {1, 3, 2}, 9);
  expect_every_pairing(Shape::quadrilateral, {0, 0, 1, 0, 0, 1, 1, 1, 2, 0, 2, 1.5}, {0, 1, 2, 3}, {1, 4, 3, 5}, 16);
}

TEST(Connect, SurvivesRandomNumbersOfPointsAndVertices) {
  std::mt19937 random(3);
  for (const Shape shape : wide_shapes) {
    BoxOptions box;
    box.shape = shape;
    box.low.assign(dimension(shape), 0.0), box.high.assign(dimension(shape), 1.0),
        box.cells.assign(dimension(shape), 4);
    const Mesh plain = make_box(box);
    std::vector<std::int64_t> shuffle(plain.points.size() / plain.dim);
    std::iota(shuffle.begin(), shuffle.end(), 0);
    std::shuffle(shuffle.begin(), shuffle.end(), random);
    std::vector<double> points(plain.points.size());
    for (std::size_t p = 0; p < shuffle.size(); ++p)
      for (int d = 0; d < plain.dim; ++d) points[shuffle[p] * plain.dim + d] = plain.points[p * plain.dim + d];
    const auto turns = rotations(shape);
    std::vector<std::int64_t> nodes;
    const int n = vertex_count(shape);
    for (std::int64_t c = 0; c < plain.cell_count(); ++c) {
      std::vector<std::int64_t> cell;
      for (int v = 0; v < n; ++v) cell.push_back(shuffle[plain.cells().nodes[c * n + v]]);
      cell = renumbered(cell, turns[random() % turns.size()]);
      if (random() % 2) {  // the mirror image: the first two axes change places
        std::swap(cell[1], cell[2]);
        if (shape == Shape::hexahedron) std::swap(cell[5], cell[6]);
      }
      nodes.insert(nodes.end(), cell.begin(), cell.end());
    }
    Mesh mesh = mesh_of(shape, points, nodes);
    orient_cells(mesh);
    connect(mesh, {}, {});
    EXPECT_LT(largest_face_gap(mesh), 1e-14) << shape_name(shape);
    EXPECT_NEAR(measure(mesh), 1, 1e-12) << shape_name(shape);
    EXPECT_EQ(boundary_counts(mesh).back(), 2 * plain.dim * boundary_counts(plain)[0]);
  }
}

const std::vector<double> square{0, 0, 1, 0, 0, 1, 1, 1, 2, 0, 2, 1};

TEST(Connect, RefusesARepeatedVertex) {
  Mesh mesh = mesh_of(Shape::triangle, square, {0, 1, 2, 1, 3, 3});
  EXPECT_SENTENCE(connect(mesh, {}, {}), "cell 1 has the same point at two of its vertices");
}

TEST(Connect, RefusesDuplicateCells) {
  Mesh mesh = mesh_of(Shape::triangle, square, {0, 1, 2, 1, 3, 2, 2, 0, 1});
  mesh.blocks[0].tag = {11, 12, 13};
  EXPECT_SENTENCE(connect(mesh, {}, {}), "element 11 and element 13 have the same vertices");
  Mesh alone = mesh_of(Shape::triangle, square, {0, 1, 2, 2, 0, 1});
  EXPECT_SENTENCE(connect(alone, {}, {}), "cell 0 and cell 1 have the same vertices");
}

TEST(Connect, RefusesThreeCellsOnAFace) {
  Mesh mesh = mesh_of(Shape::triangle, square, {0, 1, 2, 1, 3, 2, 1, 5, 2});
  EXPECT_SENTENCE(connect(mesh, {}, {}), "cell 0, cell 1 and cell 2 share one face");
}

TEST(Connect, RefusesOverlappingCells) {
  Mesh mesh = mesh_of(Shape::triangle, square, {0, 1, 3, 0, 1, 2});
  EXPECT_SENTENCE(connect(mesh, {}, {}), "cell 0 and cell 1 lie on the same side of their common face");
}

TEST(Connect, RefusesFacesThatAreTwisted) {
  std::vector<double> points;
  for (int k = 0; k < 3; ++k)
    for (int v = 0; v < 4; ++v) points.insert(points.end(), {double(v & 1), double(v >> 1), double(k)});
  Mesh mesh = mesh_of(Shape::hexahedron, points, {0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 7, 6, 8, 9, 10, 11});
  EXPECT_SENTENCE(connect(mesh, {}, {}), "cell 0 and cell 1 share four points but run round");
}

TEST(Connect, RefusesNamedFacesThatBelongToNoCell) {
  Mesh mesh = mesh_of(Shape::triangle, square, {0, 1, 2, 1, 3, 2});
  mesh.boundaries = {"wall"};
  EXPECT_SENTENCE(connect(mesh, {{{0, 3, -1, -1}, 0}}, {}), "a face of the boundary 'wall' belongs to no cell");
}

TEST(Connect, RefusesTwoNamesForOneFace) {
  Mesh mesh = mesh_of(Shape::triangle, square, {0, 1, 2, 1, 3, 2});
  mesh.boundaries = {"wall", "door"};
  EXPECT_SENTENCE(connect(mesh, {{{0, 1, -1, -1}, 0}, {{1, 0, -1, -1}, 1}}, {}), "'wall' and 'door'");
  connect(mesh, {{{0, 1, -1, -1}, 0}, {{1, 0, -1, -1}, 0}}, {});
  EXPECT_EQ(mesh.neighbour(0, 2).boundary, 0);
}

TEST(Connect, KeepsNamedFacesInsideTheDomainAside) {
  Mesh mesh = mesh_of(Shape::triangle, square, {0, 1, 2, 1, 3, 2});
  mesh.boundaries = {"between"};
  connect(mesh, {{{2, 1, -1, -1}, 0}}, {});
  EXPECT_EQ(mesh.neighbour(0, 0).cell, 1);
  EXPECT_EQ(mesh.neighbour(0, 0).boundary, -1);
  ASSERT_EQ(mesh.inner_faces.size(), 1u);
  EXPECT_EQ(mesh.inner_faces[0].cell, 0);
  EXPECT_EQ(mesh.inner_faces[0].face, 0);
}

TEST(Connect, RefusesPeriodicFacesWithoutAPartner) {
  Mesh mesh = mesh_of(Shape::quadrilateral, square, {0, 1, 2, 3, 1, 4, 3, 5});
  EXPECT_SENTENCE(connect(mesh, {}, {{{{0, 1}, {2, 3}}}}), "cell 0 on a periodic side has no partner");
  EXPECT_SENTENCE(connect(mesh, {}, {{{{0, 0}, {2, 2}}}}), "cell 0 on a periodic side has no partner");
  connect(mesh, {}, {{{{0, 4}, {2, 5}}}});
  EXPECT_EQ(mesh.neighbour(0, 0).cell, 1);
  EXPECT_EQ(mesh.neighbour(1, 1).cell, 0);
}

TEST(Connect, RefusesPeriodicSidesThatAreRotatedOrAmbiguous) {
  Mesh mesh = mesh_of(Shape::quadrilateral, square, {0, 1, 2, 3, 1, 4, 3, 5});
  EXPECT_SENTENCE(connect(mesh, {}, {{{{0, 5}, {2, 4}}}}), "no translation");
  EXPECT_SENTENCE(connect(mesh, {}, {{{{0, 4}, {0, 5}}}}), "two partners");
}

TEST(Orientation, TurnsNegativeCellsRound) {
  for (const Shape shape : all_shapes) {
    BoxOptions box;
    box.shape = shape;
    box.low.assign(dimension(shape), 0.0), box.high.assign(dimension(shape), 1.0),
        box.cells.assign(dimension(shape), 2);
    Mesh mesh = make_box(box);
    for (std::size_t p = 0; p < mesh.points.size(); p += mesh.dim) mesh.points[p] = 1 - mesh.points[p];
    EXPECT_SENTENCE(check_geometry(mesh), "cell 0 near (1");
    EXPECT_SENTENCE(check_geometry(mesh), "is inverted");
    orient_cells(mesh);
    check_geometry(mesh);
    connect(mesh, {}, {});
    EXPECT_NEAR(measure(mesh), 1, 1e-13);
    EXPECT_LT(largest_face_gap(mesh), 1e-14);
  }
}

TEST(Connect, RefusesLinesThatOverlapOrBranch) {
  Mesh overlapping = mesh_of(Shape::line, {0, 1, 0.5}, {0, 1, 0, 2});
  EXPECT_SENTENCE(connect(overlapping, {}, {}), "cell 0 and cell 1 lie on the same side of their common face");
  Mesh branching = mesh_of(Shape::line, {0, 1, 2, 3}, {0, 1, 1, 2, 1, 3});
  EXPECT_SENTENCE(connect(branching, {}, {}), "cell 0, cell 1 and cell 2 share one face");
  Mesh flat = mesh_of(Shape::line, {1, 1}, {0, 1});
  EXPECT_SENTENCE(check_geometry(flat), "cell 0 near (1) has no length");
}

TEST(Orientation, TurnsCurvedLinesRound) {
  Mesh mesh = make_box({.low = {0}, .high = {1}, .cells = {3}, .shape = Shape::line, .periodic = {}, .bend = 0.05, .geometry_order = 3});
  for (double& x : mesh.points) x = -x;
  orient_cells(mesh);
  check_geometry(mesh);
  connect(mesh, {}, {});
  EXPECT_NEAR(measure(mesh), 1, 1e-13);
  EXPECT_LT(largest_face_gap(mesh), 1e-14);
}

TEST(Orientation, TurnsCurvedCellsRound) {
  Mesh mesh = make_disc({{0, 0}, 1, 2, 4, Shape::triangle});
  const double area = measure(mesh);
  for (double& x : mesh.points) x = -x;
  for (std::size_t p = 0; p < mesh.points.size(); p += 2) mesh.points[p] = -mesh.points[p];
  orient_cells(mesh);
  connect(mesh, {}, {});
  EXPECT_NEAR(measure(mesh), area, 1e-13);
  EXPECT_LT(largest_face_gap(mesh), 1e-14);
}

TEST(Orientation, RefusesFoldedFlatAndInfiniteCells) {
  Mesh arrow = mesh_of(Shape::quadrilateral, {0, 0, 1, 0, 0, 1, 0.2, 0.2}, {0, 1, 2, 3});
  EXPECT_SENTENCE(orient_cells(arrow), "folds over itself");
  Mesh bow = mesh_of(Shape::quadrilateral, {0, 0, 1, 0, 1, 1, 0, 1}, {0, 1, 2, 3});
  EXPECT_SENTENCE(orient_cells(bow), "cell 0 near (0, 0)");
  Mesh corner = mesh_of(Shape::quadrilateral, {0, 0, 1, 0, 0, 1, 0.5, 0.5}, {0, 1, 2, 3});
  EXPECT_SENTENCE(orient_cells(corner), "its Jacobian vanishes");
  Mesh flat = mesh_of(Shape::triangle, {0, 0, 1, 1, 3, 3}, {0, 1, 2});
  EXPECT_SENTENCE(orient_cells(flat), "has no area");
  Mesh plane = mesh_of(Shape::tetrahedron, {0, 0, 0, 1, 0, 0, 0, 1, 0, 0.3, 0.3, 0}, {0, 1, 2, 3});
  EXPECT_SENTENCE(orient_cells(plane), "has no volume");
  Mesh infinite = mesh_of(Shape::triangle, {0, 0, 1, NAN, 0, 1}, {0, 1, 2});
  EXPECT_SENTENCE(orient_cells(infinite), "not finite");
  Mesh thin = mesh_of(Shape::triangle, {0, 0, 1e6, 0, 0, 1e-3}, {0, 1, 2});
  orient_cells(thin);  // long cells are no error
}

TEST(Orientation, RefusesACurvedCellThatFoldsBetweenItsNodes) {
  Mesh mesh = make_disc({{0, 0}, 1, 2, 2, Shape::triangle});
  for (std::int64_t c = 0; c < mesh.cell_count(); ++c) {
    if (is_affine(mesh, c)) continue;
    // Pull the middle of an edge beyond a quarter of its length: the Jacobian at the edge's end changes sign.
    const std::int64_t* nodes = &mesh.cells().nodes[c * 6];
    for (int d = 0; d < 2; ++d)
      mesh.points[2 * nodes[1] + d] = 0.8 * mesh.points[2 * nodes[0] + d] + 0.2 * mesh.points[2 * nodes[2] + d];
    break;
  }
  EXPECT_SENTENCE(check_geometry(mesh), "folds over itself");
}

}  // namespace
}  // namespace swell::test
