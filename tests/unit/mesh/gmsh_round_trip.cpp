// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <map>
#include <numbers>

#include "gmsh_text.hpp"
#include "helpers.hpp"
#include "mesh/report.hpp"

namespace swell::test {
namespace {

// A box of cells of a higher geometry order, bent by a smooth map that keeps the sides opposite each other alike.
Mesh bent_box(Shape shape, int order, bool periodic) {
  BoxOptions box;
  const int dim = dimension(shape);
  box.shape = shape;
  box.low.assign(dim, 0.0), box.high.assign(dim, 1.0), box.cells.assign(dim, 2);
  box.periodic.assign(dim, false);
  box.periodic[0] = periodic;
  const Mesh straight = make_box(box);
  Mesh mesh = straight;
  mesh.points.clear();
  mesh.name = "bent";
  CellBlock& block = mesh.blocks[0];
  block.geometry_order = order;
  block.nodes_per_cell = mode_count(shape, order);
  block.nodes.clear();
  const CellMap map(straight, lattice(shape, order));
  std::vector<double> x(map.point_count() * dim);
  std::map<std::vector<long>, std::int64_t> known;
  for (std::int64_t c = 0; c < straight.cell_count(); ++c) {
    map.coordinates(c, x.data());
    for (int n = 0; n < map.point_count(); ++n) {
      std::vector<long> key;
      for (int d = 0; d < dim; ++d) key.push_back(std::lround(1e9 * x[n * dim + d]));
      const auto [at, is_new] = known.insert({key, static_cast<std::int64_t>(known.size())});
      block.nodes.push_back(at->second);
      if (!is_new) continue;
      const double* p = &x[n * dim];
      for (int d = 0; d < dim; ++d)
        mesh.points.push_back(p[d] + (order > 1 ? 0.03 * std::sin(2 * std::numbers::pi * p[(d + 1) % dim]) : 0.0));
    }
  }
  mesh.regions = {"", "left", "right hand"};
  for (std::int64_t c = 0; c < mesh.cell_count(); ++c) block.region[c] = static_cast<std::int32_t>(c % 3);
  check_geometry(mesh);
  return mesh;
}

void expect_same(const Mesh& a, const Mesh& b) {
  EXPECT_EQ(a.dim, b.dim);
  EXPECT_EQ(a.points, b.points);
  EXPECT_EQ(a.cells().nodes, b.cells().nodes);
  EXPECT_EQ(a.cells().geometry_order, b.cells().geometry_order);
  ASSERT_EQ(a.neighbours.size(), b.neighbours.size());
  const auto name = [](const Mesh& mesh, const Neighbour& n) {
    return n.boundary < 0 ? "" : mesh.boundaries[n.boundary];
  };
  for (std::size_t i = 0; i < a.neighbours.size(); ++i) {
    const Neighbour &n = a.neighbours[i], &m = b.neighbours[i];
    EXPECT_TRUE(n.cell == m.cell && (n.cell < 0 || (n.face == m.face && n.orientation == m.orientation)));
    EXPECT_EQ(name(a, n), name(b, m));
  }
  for (std::int64_t c = 0; c < a.cell_count(); ++c)
    EXPECT_EQ(a.regions[a.cells().region[c]], b.regions[b.cells().region[c]]);
}

// Version 4.1 lists elements group by group, so cells may come back in another order; one region keeps the order.
TEST(GmshRoundTrip, GivesTheSameMeshInEveryFormatShapeAndOrder) {
  for (const Shape shape : all_shapes)
    for (int order = 1; order <= 4; ++order)
      for (const bool periodic : {false, true}) {
        Mesh mesh = bent_box(shape, order, periodic);
        std::fill(mesh.blocks[0].region.begin(), mesh.blocks[0].region.end(), 1);
        for (const GmshFormat& format : all_formats) expect_same(mesh, read_bytes(gmsh_bytes(mesh, format)));
      }
}

TEST(GmshRoundTrip, KeepsRegionsWithTheirVolumes) {
  const Mesh mesh = bent_box(Shape::tetrahedron, 2, true);
  for (const GmshFormat& format : all_formats) {
    const Mesh back = read_bytes(gmsh_bytes(mesh, format));
    EXPECT_NEAR(measure(back), measure(mesh), 1e-13);
    EXPECT_LT(largest_face_gap(back, {1, 0, 0}), 1e-13);
    EXPECT_EQ(measure_quality(back).periodic_faces, 8);
    EXPECT_EQ(back.regions, mesh.regions);
    EXPECT_EQ(boundary_counts(back), boundary_counts(mesh));
    for (std::int32_t r = 0; r < 3; ++r)
      EXPECT_EQ(std::count(back.cells().region.begin(), back.cells().region.end(), r), 16);
  }
}

TEST(GmshRoundTrip, KeepsADiscAndItsRim) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral})
    for (int order = 1; order <= 4; ++order) {
      const Mesh mesh = make_disc({{0, 0}, 1, 2, order, shape});
      for (const GmshFormat& format : all_formats) expect_same(mesh, read_bytes(gmsh_bytes(mesh, format)));
    }
}

TEST(GmshRoundTrip, GoesThroughAFile) {
  const auto file = std::filesystem::temp_directory_path() / "swell-test-round-trip.msh";
  const Mesh mesh = make_disc({{0, 0}, 1, 2, 3, Shape::triangle});
  write_gmsh(mesh, file, {4, true, false, 8});
  const Mesh back = read_gmsh(file);
  expect_same(mesh, back);
  EXPECT_EQ(back.name, file.string());
  std::filesystem::remove(file);
  EXPECT_THROW(write_gmsh(mesh, "/nowhere/there.msh"), RunError);
}

Mesh read_data(const std::string& name) {
  return read_gmsh(std::string(SWELL_SOURCE_DIR) + "/tests/data/mesh/" + name);
}

TEST(GmshFiles, ReadDiscsOfOrderThreeAndFour) {
  const Mesh triangles = read_data("disc-order4-41.msh");
  EXPECT_NEAR(measure(triangles), 4 * std::numbers::pi, 1e-7);
  EXPECT_EQ(triangles.regions.back(), "glass");
  EXPECT_EQ(boundary_counts(triangles), (std::vector<std::int64_t>{23, 0}));
  EXPECT_LT(largest_face_gap(triangles, {}, 4), 1e-13);
  const Mesh quadrilaterals = read_data("quad-order3-22-binary.msh");
  EXPECT_NEAR(measure(quadrilaterals), std::numbers::pi, 1e-6);
  EXPECT_LT(largest_face_gap(quadrilaterals, {}, 4), 1e-13);
  EXPECT_EQ(boundary_counts(quadrilaterals), (std::vector<std::int64_t>{48, 0}));
}

TEST(GmshFiles, ReadASphereOfTetrahedraOfOrderThree) {
  const Mesh mesh = read_data("sphere-order3-41-binary.msh");
  EXPECT_NEAR(measure(mesh), 4 * std::numbers::pi / 3, 0.005);
  EXPECT_LT(largest_face_gap(mesh, {}, 4), 1e-12);
  EXPECT_EQ(mesh.boundaries, (std::vector<std::string>{"shell"}));
  EXPECT_EQ(measure_quality(mesh).curved_cells, 78);
}

TEST(GmshFiles, RefuseASphereSoCoarseThatItsCellsFoldOver) {
  EXPECT_SENTENCE(read_data("folded-order3-41-binary.msh"),
                  "element 97 near (-0.597592, 0.552789, 0.580782) folds over");
}

TEST(GmshFiles, ReadPeriodicCubes) {
  for (const char* name : {"periodic-22.msh", "periodic-order2-41-binary.msh"}) {
    const Mesh mesh = read_data(name);
    EXPECT_NEAR(measure(mesh), 1, 1e-11);
    EXPECT_EQ(measure_quality(mesh).periodic_faces, 28);
    EXPECT_EQ(measure_quality(mesh).boundary_faces, 28);
    EXPECT_LT(largest_face_gap(mesh, {1, 1, 0}), 1e-9);
  }
}

TEST(GmshFiles, ReadHexahedraOfOrderTwo) {
  const Mesh mesh = read_data("hexahedra-order2-22.msh");
  EXPECT_EQ(mesh.shape(), Shape::hexahedron);
  EXPECT_NEAR(measure(mesh), 1.1, 1e-11);
  EXPECT_EQ(mesh.boundaries, (std::vector<std::string>{"lid", "5"}));
  EXPECT_EQ(boundary_counts(mesh), (std::vector<std::int64_t>{4, 4, 16}));
  EXPECT_LT(largest_face_gap(mesh), 1e-12);
}

TEST(GmshFiles, ReadTwoRegionsTheSecondOfWhichIsNegative) {
  const Mesh mesh = read_data("two-regions-41.msh");
  EXPECT_EQ(mesh.regions, (std::vector<std::string>{"", "air", "glass"}));
  EXPECT_NEAR(measure(mesh), 2, 1e-11);
  EXPECT_EQ(mesh.inner_faces.size(), 2u);
  EXPECT_EQ(boundary_counts(mesh), (std::vector<std::int64_t>{12, 0, 0}));
  EXPECT_NE(describe(mesh).find("'between': 0 faces and 2 inside the domain"), std::string::npos);
  for (std::int64_t c = 0; c < mesh.cell_count(); ++c)
    EXPECT_EQ(mesh.regions[mesh.cells().region[c]],
              mesh.vertex(c, 0)[0] + mesh.vertex(c, 1)[0] + mesh.vertex(c, 2)[0] > 3 ? "glass" : "air");
}

}  // namespace
}  // namespace swell::test
