// SPDX-License-Identifier: Apache-2.0
// Curved cells: against the dense operator where the metric terms are the same, and by what must hold exactly.
#include "problems.hpp"

namespace swell {
namespace {

struct Bend {
  ModelIn model;
  Shape shape;
  int order, geometry_order;
};

std::string bend_name(const Bend& b) {
  return test_name(b.model) + "_" + std::string(shape_name(b.shape)) + "_" + std::to_string(b.order) + "_geometry_" +
         std::to_string(b.geometry_order);
}

Mesh bent_box(const Bend& bend, bool periodic) {
  const bool plane = dimension(bend.shape) == 2;
  Mesh mesh =
      unit_box(bend.shape, plane ? std::vector<std::int64_t>{3, 2} : std::vector<std::int64_t>{2, 2, 1}, periodic);
  deform(mesh, bend.geometry_order, periodic ? wavy : bent);
  return mesh;
}

class FreeStream : public testing::TestWithParam<Bend> {};

TEST_P(FreeStream, StaysOnBentCells) {
  const auto& [model, shape, order, geometry_order] = GetParam();
  const Mesh mesh = bent_box(GetParam(), false);
  Random random(4);
  const Vector constant =
      random.matrix(static_cast<Eigen::Index>(load_model(model.name, model.dim).fields.size()), 1).col(0);
  NodalOperator dg(free_stream_problem(mesh, model, order, constant), test_device());
  const State q(mesh.cell_count(), constant.transpose().replicate(dg.element().node_count, 1));
  EXPECT_LT(largest(rate_of(dg, q)), 1e-12 * largest(rate_of(dg, random_state(dg, random))));
}

// Geometry orders up to the order of the fields; above it tensor cells are curved like their nodes.
INSTANTIATE_TEST_SUITE_P(
    Bent, FreeStream,
    testing::Values(Bend{{"acoustics", 2}, Shape::triangle, 3, 4}, Bend{{"advection", 2}, Shape::triangle, 2, 3},
                    Bend{{"acoustics", 2}, Shape::quadrilateral, 3, 1},
                    Bend{{"acoustics", 2}, Shape::quadrilateral, 3, 4},
                    Bend{{"advection", 2}, Shape::quadrilateral, 1, 2},
                    Bend{{"acoustics", 3}, Shape::tetrahedron, 2, 3}, Bend{{"advection", 3}, Shape::tetrahedron, 3, 2},
                    Bend{{"acoustics", 3}, Shape::hexahedron, 3, 1}, Bend{{"acoustics", 3}, Shape::hexahedron, 3, 3},
                    Bend{{"advection", 3}, Shape::hexahedron, 2, 4}),
    [](const auto& given) { return bend_name(given.param); });

TEST(FreeStreamOnDisc, Stays) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
    DiscOptions options;
    options.cells = 2;
    options.geometry_order = 3;
    options.shape = shape;
    const Mesh mesh = make_disc(options);
    Random random(4);
    const Vector constant = random.matrix(3, 1).col(0);
    NodalOperator dg(free_stream_problem(mesh, {"acoustics", 2}, 3, constant), test_device());
    const State q(mesh.cell_count(), constant.transpose().replicate(dg.element().node_count, 1));
    EXPECT_LT(largest(rate_of(dg, q)), 1e-12 * largest(rate_of(dg, random_state(dg, random)))) << shape_name(shape);
  }
}

class CurvedOperator : public testing::TestWithParam<Bend> {};

TEST_P(CurvedOperator, IsTheDenseOne) {
  Random random(8);
  Mesh mesh = bent_box(GetParam(), false);
  region_per_cell(mesh);
  const Problem problem = random_problem(mesh, GetParam().model, GetParam().order, random);
  NodalOperator dg(problem, test_device());
  const State q = random_state(dg, random), expected = DenseOperator(problem, probe_of(GetParam().model)).rate(q, 0.2);
  EXPECT_LT(distance(rate_of(dg, q, 0.2), expected), 1e-12 * largest(expected));
}

// On hexahedra that are curved more, the operator's metric terms are those whose discrete divergence vanishes; only for
// these does the free stream stay.
INSTANTIATE_TEST_SUITE_P(Bent, CurvedOperator,
                         testing::Values(Bend{{"maxwell-tm", 2}, Shape::triangle, 3, 3},
                                         Bend{{"elastic", 2}, Shape::triangle, 2, 2},
                                         Bend{{"maxwell-tm", 2}, Shape::quadrilateral, 3, 3},
                                         Bend{{"acoustics", 2}, Shape::quadrilateral, 3, 1},
                                         Bend{{"elastic", 2}, Shape::quadrilateral, 1, 2},
                                         Bend{{"advection", 2}, Shape::quadrilateral, 2, 1},
                                         Bend{{"maxwell", 3}, Shape::tetrahedron, 2, 2},
                                         Bend{{"acoustics", 3}, Shape::hexahedron, 1, 1},
                                         Bend{{"elastic", 3}, Shape::hexahedron, 2, 1},
                                         Bend{{"maxwell", 3}, Shape::hexahedron, 2, 2}),
                         [](const auto& given) { return bend_name(given.param); });

// Cells that are no parallelograms beside some that are: both evaluate the same flux on their face.
TEST(CellsOfBothKinds, MeetAsTheDenseOperatorSays) {
  for (const Shape shape : {Shape::quadrilateral, Shape::hexahedron})
    for (const bool varying : {false, true}) {
      Random random(5);
      Mesh mesh = unit_box(shape, {4, 2, 1}, false);
      for (std::size_t p = 0; p < mesh.points.size(); p += mesh.dim)
        if (mesh.points[p] < 0.3) mesh.points[p] += 0.05 * mesh.points[p + 1];
      turn_cells(mesh, random);
      region_per_cell(mesh);
      Problem problem = random_problem(mesh, {"acoustics", dimension(shape)}, 2, random);
      if (varying) problem.material[1][0] = parse("1.5 + 0.4*sin(2*x + 3*y)");
      NodalOperator dg(problem, test_device());
      EXPECT_GE(dg.layout().groups.size(), 2U);
      const State q = random_state(dg, random), expected = DenseOperator(problem, probe_of({"acoustics", dimension(shape)})).rate(q, 0.2);
      EXPECT_LT(distance(rate_of(dg, q, 0.2), expected), 1e-12 * largest(expected)) << shape_name(shape) << varying;
    }
}

// Parallelograms given with a high geometry order are found to be straight, and give what straight ones give.
TEST(StraightCells, AreTheSameWhateverTheirGeometryOrder) {
  for (const Shape shape : {Shape::triangle, Shape::hexahedron}) {
    Mesh plain = unit_box(shape, {2, 1, 1}, false);
    shear(plain);
    Mesh high = plain;
    deform(high, 3, [](std::array<double, 3> x) { return x; });
    const ModelIn model{"acoustics", dimension(shape)};
    Random random(2), same(2);
    NodalOperator a(random_problem(plain, model, 2, random), test_device()),
        b(random_problem(high, model, 2, same), test_device());
    EXPECT_FALSE(b.layout().groups.front().curved);
    const State q = random_state(a, random);
    EXPECT_LT(distance(rate_of(a, q), rate_of(b, q)), 1e-12 * largest(rate_of(a, q)));
  }
}

}  // namespace
}  // namespace swell
