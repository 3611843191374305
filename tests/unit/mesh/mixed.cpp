// SPDX-License-Identifier: Apache-2.0
// Meshes of triangles and quadrilaterals.
#include <map>
#include <set>

#include "gmsh_text.hpp"
#include "helpers.hpp"
#include "mixed_checks.hpp"
#include "mesh/part_bytes.hpp"
#include "mesh/partition.hpp"
#include "mesh/report.hpp"

namespace swell::test {
namespace {

Mesh mixed_box(std::vector<std::int64_t> cells, bool periodic = false, double move = 0, double bend = 0, int geometry_order = 1) {
  BoxOptions box;
  box.low = {0, 0}, box.high = {2, 1}, box.cells = std::move(cells);
  box.shape = Shape::quadrilateral;
  box.mixed = true;
  box.periodic = {periodic, periodic};
  box.move = move, box.bend = bend, box.geometry_order = geometry_order;
  return make_box(box);
}

TEST(MixedBox, HasAllPairsOfNeighboursInEveryTurn) {
  const Mesh mesh = mixed_box({8, 6});
  EXPECT_EQ(mesh.shapes(), (std::vector{Shape::triangle, Shape::quadrilateral}));
  EXPECT_EQ(mesh.cell_count(), 24 * 2 + 24);
  std::set<std::pair<Shape, Shape>> pairs;
  for (std::int64_t c = 0; c < mesh.cell_count(); ++c)
    for (int f = 0; f < face_count(mesh.shape_of(c)); ++f)
      if (const auto other = mesh.neighbour(c, f).cell; other >= 0) pairs.insert({mesh.shape_of(c), mesh.shape_of(other)});
  EXPECT_EQ(pairs.size(), 4u);
}

TEST(MixedBox, IsConnectedWithoutGapsOverlapsOrLostSides) {
  for (const bool periodic : {false, true})
    for (const int geometry_order : {1, 2, 3}) {
      const Mesh mesh = mixed_box({4, 4}, periodic, 0.2, 0.1, geometry_order);
      EXPECT_NEAR(measure_by_rule(mesh), 2, 1e-13);
      EXPECT_LT(largest_gap(mesh, 4, {periodic ? 2.0 : 0, periodic ? 1.0 : 0, 0}), 1e-13);
      EXPECT_EQ(boundary_counts(mesh), periodic ? (std::vector<std::int64_t>{0}) : (std::vector<std::int64_t>{4, 4, 4, 4, 0}));
      const MeshQuality quality = measure_quality(mesh);
      EXPECT_NEAR(quality.total_measure, 2, 1e-13);
      EXPECT_EQ(quality.periodic_faces, periodic ? 8 : 0);
    }
}

TEST(MixedBox, IsReportedShapeByShape) {
  const std::string words = describe(mixed_box({4, 2}));
  EXPECT_NE(words.find("8 of shape triangle, geometry order 1"), std::string::npos) << words;
  EXPECT_NE(words.find("4 of shape quadrilateral, geometry order 1"), std::string::npos) << words;
}

TEST(MixedMesh, FindsPointsInCellsOfEveryShape) {
  const Mesh mesh = mixed_box({4, 4}, false, 0.2, 0.1, 2);
  const Locator locator(mesh);
  std::map<Shape, CellMap> maps;
  std::mt19937_64 engine(3);
  std::set<Shape> found;
  for (int i = 0; i < 200; ++i) {
    const double at[] = {2 * std::generate_canonical<double, 53>(engine), std::generate_canonical<double, 53>(engine)};
    const Locator::Hit hit = locator.find(at);
    ASSERT_GE(hit.cell, 0);
    const Shape shape = mesh.shape_of(hit.cell);
    Matrix reference(1, 2);
    reference << hit.reference[0], hit.reference[1];
    double x[2];
    CellMap(mesh, shape, reference).coordinates(hit.cell, x);
    EXPECT_NEAR(std::hypot(x[0] - at[0], x[1] - at[1]), 0, 1e-12);
    found.insert(shape);
  }
  EXPECT_EQ(found.size(), 2u);
}

TEST(MixedMesh, GoesThroughGmshFilesOfBothVersions) {
  for (const bool periodic : {false, true})
    for (const int geometry_order : {1, 2, 4}) {
      const Mesh mesh = mixed_box({4, 4}, periodic, 0.1, 0.1, geometry_order);
      for (const GmshFormat& format : all_formats) {
        const Mesh back = read_bytes(gmsh_bytes(mesh, format));
        ASSERT_EQ(back.blocks.size(), 2u);
        EXPECT_EQ(back.points, mesh.points);
        for (std::size_t b = 0; b < 2; ++b) EXPECT_EQ(back.blocks[b].nodes, mesh.blocks[b].nodes);
        for (std::size_t i = 0; i < mesh.neighbours.size(); ++i) EXPECT_EQ(back.neighbours[i].cell, mesh.neighbours[i].cell);
      }
    }
}

// A square of one quadrilateral and two triangles, as a mesher writes it: elements of all kinds mingled.
TEST(MixedMesh, IsReadWhateverTheOrderOfItsElements) {
  const Mesh mesh = read_bytes(
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n1 1 \"left\"\n$EndPhysicalNames\n"
      "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 2 0 0\n4 0 1 0\n5 1 1 0\n6 2 1 0\n$EndNodes\n"
      "$Elements\n4\n7 3 2 0 1 1 2 5 4\n8 2 2 0 1 2 3 6\n9 1 2 1 1 4 1\n10 2 2 0 1 2 6 5\n$EndElements\n");
  EXPECT_EQ(mesh.shapes(), (std::vector{Shape::triangle, Shape::quadrilateral}));
  EXPECT_EQ(mesh.label(2), "element 7");
  EXPECT_NEAR(measure_by_rule(mesh), 2, 1e-15);
  EXPECT_EQ(boundary_counts(mesh), (std::vector<std::int64_t>{1, 5}));
}

TEST(MixedMesh, FallsIntoPartsThatKnowAllShapes) {
  const Mesh whole = mixed_box({6, 4}, true);
  const auto owner = partition(whole, {PartitionKind::curve, 3, {}, {}});
  std::int64_t cells = 0;
  for (int rank = 0; rank < 3; ++rank) {
    const Mesh part = mesh_of_bytes(bytes_of(part_of(whole, owner, rank)));
    EXPECT_EQ(part.shapes(), whole.shapes());
    const Elements elements(part, 2), all(whole, 2);
    cells += part.own_count();
    for (std::int64_t cell = 0; cell < part.cell_count(); ++cell) {
      const auto number = part.number_of(cell);
      EXPECT_EQ(part.shape_of(cell), whole.shape_of(number));
      EXPECT_EQ(elements.whole_first_node(number), all.first_node(number));
      for (int v = 0; v < vertex_count(part.shape_of(cell)); ++v) EXPECT_EQ(part.vertex(cell, v), whole.vertex(number, v));
      if (cell >= part.own_count()) continue;
      for (int f = 0; f < face_count(part.shape_of(cell)); ++f) {
        const Neighbour &n = part.neighbour(cell, f), &m = whole.neighbour(number, f);
        EXPECT_TRUE(part.number_of(n.cell) == m.cell && n.face == m.face && n.orientation == m.orientation);
      }
    }
    const Mesh own = without_halo(part);
    EXPECT_EQ(own.cell_count(), part.own_count());
    EXPECT_EQ(static_cast<std::int64_t>(own.neighbours.size()), own.face_total());
  }
  EXPECT_EQ(cells, whole.cell_count());
}

}  // namespace
}  // namespace swell::test
