// SPDX-License-Identifier: Apache-2.0
// Meshes of tetrahedra, hexahedra, prisms and pyramids.
#include <map>
#include <set>

#include "gmsh_text.hpp"
#include "helpers.hpp"
#include "mesh/part_bytes.hpp"
#include "mesh/partition.hpp"
#include "mesh/report.hpp"
#include "mixed_checks.hpp"

namespace swell::test {
namespace {

const std::vector<Shape> all_shapes{Shape::tetrahedron, Shape::hexahedron, Shape::prism, Shape::pyramid};

Mesh box_in_space(std::vector<std::int64_t> cells, bool periodic = false, double move = 0, double bend = 0, int geometry_order = 1) {
  BoxOptions box;
  box.low = {0, 0, 0}, box.high = {3, 2, 1}, box.cells = std::move(cells);
  box.shape = Shape::hexahedron;
  box.mixed = true;
  box.periodic = {periodic, periodic, periodic};
  box.move = move, box.bend = bend, box.geometry_order = geometry_order;
  return make_box(box);
}

TEST(MixedBoxInSpace, HasAllPairsOfNeighboursInAllKindsOfFaces) {
  const Mesh mesh = box_in_space({3, 3, 4});
  EXPECT_EQ(mesh.shapes(), all_shapes);
  std::set<std::tuple<Shape, Shape, Shape>> pairs;
  for (std::int64_t c = 0; c < mesh.cell_count(); ++c)
    for (int f = 0; f < face_count(mesh.shape_of(c)); ++f)
      if (const auto other = mesh.neighbour(c, f).cell; other >= 0)
        pairs.insert({face_shape(mesh.shape_of(c), f), mesh.shape_of(c), mesh.shape_of(other)});
  // Of tetrahedra, prisms and pyramids by triangles, of hexahedra, prisms and pyramids by quadrilaterals.
  EXPECT_EQ(pairs.size(), 9u + 9u);
}

TEST(MixedBoxInSpace, IsConnectedWithoutGapsOverlapsOrLostSides) {
  for (const bool periodic : {false, true})
    for (const int geometry_order : {1, 2, 3}) {
      const Mesh mesh = box_in_space({3, 3, 4}, periodic, 0.15, geometry_order > 1 ? 0.05 : 0, geometry_order);
      EXPECT_NEAR(measure_by_rule(mesh), 6, 1e-12);
      EXPECT_LT(largest_gap(mesh, 4, {periodic ? 3.0 : 0, periodic ? 2.0 : 0, periodic ? 1.0 : 0}), 1e-13);
      const MeshQuality quality = measure_quality(mesh);
      EXPECT_NEAR(quality.total_measure, 6, 1e-12);
      EXPECT_EQ(quality.boundary_faces == 0, periodic);
      for (const Neighbour& n : mesh.neighbours) EXPECT_TRUE(n.cell >= 0 || n.boundary >= 0);
    }
}

// Of 36 bricks 6 are whole, 15 are two prisms, 3 are tetrahedra and 12 pyramids.
TEST(MixedBoxInSpace, IsReportedShapeByShape) {
  const std::string words = describe(box_in_space({3, 3, 4}));
  for (const char* line : {"18 of shape tetrahedron", "6 of shape hexahedron", "30 of shape prism", "36 of shape pyramid"})
    EXPECT_NE(words.find(line), std::string::npos) << line << words;
}

TEST(MixedBoxInSpace, RefusesPeriodsThatItsPatternDoesNotHave) {
  BoxOptions box;
  box.low = {0, 0, 0}, box.high = {1, 1, 1}, box.cells = {3, 4, 4};
  box.shape = Shape::hexahedron;
  box.mixed = true;
  box.periodic = {true, false, true};
  EXPECT_EQ(make_box(box).dim, 3);
  box.periodic = {true, true, true};
  EXPECT_SENTENCE(make_box(box), "mesh.box.cells[1] = 4 must be a multiple of 3");
}

TEST(WedgeBox, IsConnectedWithoutGapsOverlapsOrLostSides) {
  for (const Shape shape : {Shape::prism, Shape::pyramid})
    for (const bool periodic : {false, true}) {
      BoxOptions box;
      box.low = {0, 0, 0}, box.high = {3, 2, 1}, box.cells = {4, 2, 2};
      box.shape = shape;
      box.move = 0.15;
      box.periodic = {periodic, periodic, periodic};
      const Mesh mesh = make_box(box);
      EXPECT_EQ(mesh.cell_count(), 16 * (shape == Shape::prism ? 2 : 3));
      EXPECT_NEAR(measure_by_rule(mesh), 6, 1e-13);
      EXPECT_LT(largest_gap(mesh, 3, {periodic ? 3.0 : 0, periodic ? 2.0 : 0, periodic ? 1.0 : 0}), 1e-13);
      for (const Neighbour& n : mesh.neighbours) EXPECT_EQ(n.cell >= 0, periodic || n.boundary < 0);
    }
  BoxOptions odd;
  odd.low = {0, 0, 0}, odd.high = {1, 1, 1}, odd.cells = {2, 3, 2};
  odd.shape = Shape::pyramid;
  EXPECT_SENTENCE(make_box(odd), "mesh.box.cells[1] = 3 must be even");
}

TEST(MixedMeshInSpace, FindsPointsInCellsOfEveryShape) {
  for (const int geometry_order : {1, 2}) {
    const Mesh mesh = box_in_space({3, 3, 4}, false, 0.15, geometry_order > 1 ? 0.05 : 0, geometry_order);
    const Locator locator(mesh);
    std::mt19937_64 engine(3);
    std::set<Shape> found;
    for (int i = 0; i < 300; ++i) {
      double at[3];
      for (int d = 0; d < 3; ++d) at[d] = (3 - d) * std::generate_canonical<double, 53>(engine);
      const Locator::Hit hit = locator.find(at);
      ASSERT_GE(hit.cell, 0);
      Matrix reference(1, 3);
      for (int d = 0; d < 3; ++d) reference(0, d) = hit.reference[d];
      double x[3];
      CellMap(mesh, mesh.shape_of(hit.cell), reference).coordinates(hit.cell, x);
      EXPECT_NEAR(std::hypot(x[0] - at[0], x[1] - at[1], x[2] - at[2]), 0, 1e-12);
      found.insert(mesh.shape_of(hit.cell));
    }
    EXPECT_EQ(found.size(), 4u);
    // Vertices belong to some cell: apexes of pyramids too, where their functions are rational.
    for (std::int64_t c = 0; c < mesh.cell_count(); ++c)
      for (int v = 0; v < vertex_count(mesh.shape_of(c)); ++v) EXPECT_GE(locator.find(mesh.vertex(c, v).data()).cell, 0) << c << ' ' << v;
  }
}

TEST(MixedMeshInSpace, GoesThroughGmshFilesOfBothVersions) {
  for (const auto& [periodic, geometry_order] : {std::pair{true, 1}, {false, 2}, {false, 4}}) {
    const Mesh mesh = box_in_space({3, 3, 4}, periodic, 0.1, geometry_order > 1 ? 0.05 : 0, geometry_order);
    for (const GmshFormat& format : all_formats) {
      const Mesh back = read_bytes(gmsh_bytes(mesh, format));
      ASSERT_EQ(back.shapes(), all_shapes);
      EXPECT_EQ(back.points, mesh.points);
      for (std::size_t b = 0; b < 4; ++b) EXPECT_EQ(back.blocks[b].nodes, mesh.blocks[b].nodes);
      for (std::size_t i = 0; i < mesh.neighbours.size(); ++i) EXPECT_EQ(back.neighbours[i].cell, mesh.neighbours[i].cell);
    }
  }
}

// A prism, and a pyramid on one of its quadrilaterals, of order 2 as Gmsh 4.8 wrote them.
const std::string quadratic =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n23\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 0 1\n6 0 1 1\n7 0.5 -1 0.5\n"
    "8 0.5 0 0\n9 0 0.5 0\n10 0 0 0.5\n11 0.5 0.5 0\n12 1 0 0.5\n13 0 1 0.5\n14 0.5 0 1\n15 0 0.5 1\n16 0.5 0.5 1\n17 0.5 0 0.5\n"
    "18 0 0.5 0.5\n19 0.5 0.5 0.5\n20 0.25 -0.5 0.25\n21 0.75 -0.5 0.25\n22 0.75 -0.5 0.75\n23 0.25 -0.5 0.75\n$EndNodes\n"
    "$Elements\n2\n1 13 2 0 1 1 2 3 4 5 6 8 9 10 11 12 13 14 15 16 17 18 19\n"
    "2 14 2 0 1 1 2 5 4 7 8 10 20 12 21 14 22 23 17\n$EndElements\n";

TEST(MixedMeshInSpace, IsReadAsGmshNumbersItsNodes) {
  const Mesh mesh = read_bytes(quadratic);
  EXPECT_EQ(mesh.shapes(), (std::vector{Shape::prism, Shape::pyramid}));
  EXPECT_EQ(mesh.geometry_order(), 2);
  EXPECT_NEAR(measure_by_rule(mesh), 0.5 + 1.0 / 3, 1e-14);
  EXPECT_TRUE(is_affine(mesh, 0));
  EXPECT_TRUE(is_affine(mesh, 1));
  EXPECT_EQ(mesh.neighbour(1, 0).cell, 0);
  EXPECT_LT(largest_gap(mesh, 2, {}), 1e-15);
}

TEST(MixedMeshInSpace, TurnsCellsRoundAndRefusesFoldedOnesByName) {
  const std::string head =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0.5 0.5 1\n$EndNodes\n$Elements\n1\n";
  EXPECT_NEAR(measure_by_rule(read_bytes(head + "31 7 2 0 1 1 4 3 2 5\n$EndElements\n")), 1.0 / 3, 1e-15);
  // Corners of the base that do not go round it.
  EXPECT_SENTENCE(read_bytes(head + "31 7 2 0 1 1 3 2 4 5\n$EndElements\n"), "element 31");
}

TEST(MixedMeshInSpace, RefusesPyramidsThatAreTurnedInsideOut) {
  // Below the lower face of a cube its pyramid has room; with its apex pushed through that face it lies where the cube does.
  const auto text = [](const std::string& height) {
    return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n9\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 1 0 1\n7 1 1 1\n8 0 1 1\n9 0.5 0.5 " +
           height + "\n$EndNodes\n$Elements\n2\n1 5 2 0 1 1 2 3 4 5 6 7 8\n2 7 2 0 1 1 2 3 4 9\n$EndElements\n";
  };
  EXPECT_NEAR(measure_by_rule(read_bytes(text("-0.5"))), 1 + 0.5 / 3, 1e-14);
  EXPECT_SENTENCE(read_bytes(text("0.5")), "same side");
  EXPECT_SENTENCE(read_bytes(text("0")), "element 2");
  // Here the middle node of a curved base lies beyond the apex.
  const std::string middle = "\n17 0.5 0 0.5\n";
  std::string folded = quadratic;
  EXPECT_SENTENCE(read_bytes(folded.replace(folded.find(middle), middle.size(), "\n17 0.5 -1.5 0.5\n")), "element 2");
}

TEST(MixedMeshInSpace, RefusesTrianglesAgainstAQuadrilateral) {
  // A cube, and two tetrahedra that share halves of its face x = 1.
  const std::string text =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n9\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 1 0 1\n7 1 1 1\n8 0 1 1\n"
      "9 2 0.5 0.5\n$EndNodes\n$Elements\n3\n1 5 2 0 1 1 2 3 4 5 6 7 8\n2 4 2 0 1 2 3 7 9\n3 4 2 0 1 2 7 6 9\n$EndElements\n";
  EXPECT_SENTENCE(read_bytes(text), "put pyramids between");
}

TEST(MixedMeshInSpace, FallsIntoPartsThatKnowAllShapes) {
  const Mesh whole = box_in_space({3, 3, 4}, true);
  const auto owner = partition(whole, {PartitionKind::curve, 3, {}, {}});
  std::int64_t cells = 0;
  for (int rank = 0; rank < 3; ++rank) {
    const Mesh part = mesh_of_bytes(bytes_of(part_of(whole, owner, rank)));
    EXPECT_EQ(part.shapes(), whole.shapes());
    cells += part.own_count();
    for (std::int64_t cell = 0; cell < part.own_count(); ++cell) {
      const auto number = part.number_of(cell);
      EXPECT_EQ(part.shape_of(cell), whole.shape_of(number));
      for (int f = 0; f < face_count(part.shape_of(cell)); ++f) {
        const Neighbour &n = part.neighbour(cell, f), &m = whole.neighbour(number, f);
        EXPECT_TRUE(part.number_of(n.cell) == m.cell && n.face == m.face && n.orientation == m.orientation);
      }
    }
  }
  EXPECT_EQ(cells, whole.cell_count());
}

}  // namespace
}  // namespace swell::test
