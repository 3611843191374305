// SPDX-License-Identifier: Apache-2.0
#include "mesh/sheets.hpp"

#include "gmsh_text.hpp"
#include "helpers.hpp"
#include "mesh/part_bytes.hpp"
#include "mesh/partition.hpp"
#include "sheeted.hpp"

namespace swell::test {
namespace {

std::int64_t point_count(const Mesh& mesh) { return static_cast<std::int64_t>(mesh.points.size()) / mesh.dim; }

// The cells that are reached from the first one across faces.
std::int64_t reached(const Mesh& mesh) {
  std::vector<char> seen(mesh.cell_count(), 0);
  std::vector<std::int64_t> open{0};
  seen[0] = 1;
  std::int64_t count = 0;
  while (!open.empty()) {
    const auto cell = open.back();
    open.pop_back();
    ++count;
    for (int f = 0; f < face_count(mesh.shape()); ++f)
      if (const auto n = mesh.neighbour(cell, f).cell; n >= 0 && !seen[n]) seen[n] = 1, open.push_back(n);
  }
  return count;
}

Mesh cut(Mesh mesh) {
  std::vector<char> chosen(mesh.boundaries.size(), 0);
  chosen.back() = 1;
  cut_sheets(mesh, chosen);
  return mesh;
}

TEST(Sheets, PartAMeshInTwoWithPointsOfTheirOwn) {
  for (const Shape shape : all_shapes) {
    const Mesh before = cut_in_two(shape, 2), mesh = cut(before);
    const auto faces = static_cast<std::int64_t>(before.inner_faces.size());
    ASSERT_EQ(faces, dimension(shape) == 1 ? 1 : dimension(shape) == 2 ? 2 : is_simplex(shape) ? 8 : 4);
    EXPECT_EQ(boundary_counts(mesh)[mesh.boundaries.size() - 1], 2 * faces);
    EXPECT_EQ(point_count(mesh), point_count(before) + (dimension(shape) == 1 ? 1 : dimension(shape) == 2 ? 3 : 9));
    EXPECT_EQ(reached(before), mesh.cell_count());
    EXPECT_EQ(reached(mesh), mesh.cell_count() / 2);
    EXPECT_LT(largest_face_gap(mesh), 1e-12);
    EXPECT_TRUE(mesh.inner_faces.empty());
    ASSERT_EQ(mesh.sheets.size(), before.inner_faces.size());
    for (const SheetFace& sheet : mesh.sheets)
      for (const int side : {0, 1}) EXPECT_EQ(mesh.neighbour(sheet.cell[side], sheet.face[side]).boundary, sheet.boundary);
    for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell)
      for (int v = 0; v < vertex_count(shape); ++v) EXPECT_EQ(mesh.vertex(cell, v), before.vertex(cell, v));
  }
}

TEST(Sheets, StayJoinedAtTheirRim) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
    const Mesh before = slit(shape, 4), mesh = cut(before);
    EXPECT_EQ(point_count(mesh), point_count(before) + 2) << "the vertices at x = -1 and -0.5, not the rim at 0";
    EXPECT_EQ(reached(mesh), mesh.cell_count());
  }
  for (const Shape shape : {Shape::tetrahedron, Shape::hexahedron}) {
    Mesh before = make_box({.low = {-1, -1, -1}, .high = {1, 1, 1}, .cells = {4, 4, 4}, .shape = shape, .periodic = {}});
    name_inner_faces(before, "plate", [](const auto& x) { return std::abs(x[0]) < 0.5 && std::abs(x[1]) < 0.5 && at(x[2], 0); });
    const Mesh mesh = cut(before);
    EXPECT_EQ(point_count(mesh), point_count(before) + 1) << "the plate's middle alone is no part of its rim";
    EXPECT_EQ(reached(mesh), mesh.cell_count());
  }
}

TEST(Sheets, ThatCrossMakeFourPointsOfTheirCrossing) {
  Mesh before = make_box({.low = {-1, -1}, .high = {1, 1}, .cells = {4, 4}, .shape = Shape::quadrilateral, .periodic = {}});
  name_inner_faces(before, "cross", [](const auto& x) { return at(x[0], 0) || at(x[1], 0); });
  const Mesh mesh = cut(before);
  EXPECT_EQ(point_count(mesh), point_count(before) + 8 + 3);
  EXPECT_EQ(reached(mesh), mesh.cell_count() / 4);
}

TEST(Sheets, AreCutAlongTheChosenGroupsOnly) {
  Mesh mesh = cut_in_two(Shape::triangle, 2);
  name_inner_faces(mesh, "other", [](const auto& x) { return at(x[1], 0.5); });
  const auto others = static_cast<std::size_t>(std::count_if(mesh.inner_faces.begin(), mesh.inner_faces.end(),
                                                             [&](const InnerFace& f) { return mesh.boundaries[f.boundary] == "other"; }));
  std::vector<char> chosen(mesh.boundaries.size(), 0);
  chosen[chosen.size() - 2] = 1;
  cut_sheets(mesh, chosen);
  EXPECT_EQ(mesh.inner_faces.size(), others);
  EXPECT_EQ(mesh.sheets.size(), 2u);
  EXPECT_EQ(reached(mesh), mesh.cell_count() / 2);
}

// The file of a meshing program that doubles the points of a crack itself.
TEST(Sheets, ReadBackAsAMeshWhoseFileHasBothSides) {
  for (const Shape shape : all_shapes) {
    const Mesh mesh = cut(cut_in_two(shape, 2));
    const Mesh read = read_bytes(gmsh_bytes(mesh, {}));
    EXPECT_EQ(boundary_counts(read), boundary_counts(mesh));
    EXPECT_EQ(reached(read), reached(mesh));
    EXPECT_EQ(point_count(read), point_count(mesh));
    EXPECT_TRUE(read.inner_faces.empty());
  }
  const Mesh half = cut(slit(Shape::triangle, 4)), read = read_bytes(gmsh_bytes(half, {}));
  EXPECT_EQ(boundary_counts(read), boundary_counts(half));
  EXPECT_EQ(reached(read), half.cell_count());
}

TEST(Sheets, MayHaveTheirSidesOnTwoRanks) {
  const Mesh mesh = cut(cut_in_two(Shape::quadrilateral, 2));
  std::vector<std::int32_t> owner;
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell) owner.push_back(mesh.vertex(cell, 3)[0] > 1 ? 1 : 0);
  for (const int rank : {0, 1}) {
    const Mesh part = mesh_of_bytes(bytes_of(part_of(mesh, owner, rank)));
    EXPECT_TRUE(part.halo_rank.empty()) << "nothing passes a sheet";
    ASSERT_EQ(part.sheets.size(), 2u);
    for (const SheetFace& sheet : part.sheets) {
      ASSERT_TRUE((sheet.cell[0] >= 0) != (sheet.cell[1] >= 0));
      const int side = sheet.cell[0] >= 0 ? 0 : 1;
      EXPECT_EQ(part.neighbour(sheet.cell[side], sheet.face[side]).boundary, sheet.boundary);
    }
  }
}

TEST(Sheets, OfTwoNamesForOneFaceAreRefused) {
  Mesh mesh = cut_in_two(Shape::triangle, 1);
  name_inner_faces(mesh, "crack", [](const auto& x) { return at(x[0], 1); });
  EXPECT_SENTENCE(read_bytes(gmsh_bytes(mesh, {})), "'sheet' and 'crack'; a face may have one name only");
}

// One cell beside two, or a brick beside four.
Mesh hanging(Shape shape) {
  const int dim = dimension(shape);
  const auto box = [&](double from, std::int64_t cells) {
    BoxOptions options{.low = {from, 0}, .high = {from + 1, 1}, .cells = {1, cells}, .shape = shape, .periodic = {}};
    if (dim == 3) options.low.push_back(0), options.high.push_back(1), options.cells.push_back(cells);
    return make_box(options);
  };
  Mesh mesh = box(0, 1);
  const Mesh fine = box(1, 2);
  const auto shift = static_cast<std::int64_t>(mesh.points.size()) / dim;
  mesh.points.insert(mesh.points.end(), fine.points.begin(), fine.points.end());
  for (const auto node : fine.cells().nodes) mesh.blocks[0].nodes.push_back(node + shift);
  mesh.blocks[0].region.insert(mesh.blocks[0].region.end(), fine.cells().region.begin(), fine.cells().region.end());
  mesh.name = "test";
  mesh.boundaries = {"apart"};
  return mesh;
}

TEST(HangingNodes, AreRefused) {
  for (const Shape shape : wide_shapes) {
    Mesh mesh = hanging(shape);
    connect(mesh, {}, {});
    EXPECT_SENTENCE(check_hanging_nodes(mesh), "a hanging node; cells must share whole faces");
    EXPECT_SENTENCE(check_hanging_nodes(mesh), "lies on a face of cell");
    Mesh whole = cut_in_two(shape, 2);
    for (Neighbour& n : whole.neighbours) n.boundary = -1;
    EXPECT_NO_THROW(check_hanging_nodes(whole));
  }
}

TEST(HangingNodes, AreWantedWhereTheFacesHaveANameThatSaysSo) {
  Mesh mesh = hanging(Shape::quadrilateral);
  connect(mesh, {}, {});
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell)
    for (int f = 0; f < 4; ++f) {
      const auto v = face_vertices(Shape::quadrilateral, f);
      if (mesh.vertex(cell, v[0])[0] == 1 && mesh.vertex(cell, v[1])[0] == 1) mesh.neighbours[cell * 4 + f].boundary = 0;
    }
  EXPECT_NO_THROW(check_hanging_nodes(mesh));
}

}  // namespace
}  // namespace swell::test
