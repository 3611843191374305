// SPDX-License-Identifier: Apache-2.0
// Continuous elements of several shapes in one mesh: one numbering, and the matrix of all of them.
#include <gtest/gtest.h>

#include "cg/heat.hpp"
#include "matrix_support.hpp"
#include "mesh/sources.hpp"

namespace swell {
namespace {

struct Asked {
  int dim, order;
};

BoxOptions mixed_box(int dim, std::vector<std::int64_t> cells) {
  const auto size = static_cast<std::size_t>(dim);
  BoxOptions box{std::vector<double>(size, 0.0), {1, 0.8, 1.2}, std::move(cells), dim == 3 ? Shape::hexahedron : Shape::quadrilateral, {}};
  box.high.resize(size);
  box.mixed = true;
  return box;
}

// All pairs of neighbours are in a box of the plane of 4 x 3 rectangles, and every shape in one of space of 3 x 1 x 4 bricks.
BoxOptions small_box(const Asked& asked) { return asked.dim == 3 ? mixed_box(3, {3, 1, 4}) : mixed_box(2, {4, 3}); }

class MixedElements : public testing::TestWithParam<Asked> {};

// Rectangles and bricks have one lattice of nodes, however they are cut.
TEST_P(MixedElements, HaveAsManyUnknownsAsTheLatticeOfTheBox) {
  const auto [dim, order] = GetParam();
  for (const bool periodic : {false, true}) {
    BoxOptions box = small_box(GetParam());
    box.periodic.assign(static_cast<std::size_t>(dim), false);
    box.periodic[0] = periodic;
    const Mesh mesh = make_box(box);
    ASSERT_TRUE(mesh.mixed());
    std::int64_t lattice = 1;
    for (std::size_t d = 0; d < box.cells.size(); ++d) lattice *= box.cells[d] * order + (box.periodic[d] ? 0 : 1);
    EXPECT_EQ(number_nodes(mesh, Elements(mesh, order), std::vector<char>(7, 0)).count, lattice);
  }
}

// Every node of an unknown lies at one place, whatever the shapes of the cells that have it.
TEST_P(MixedElements, PutNodesOfOneUnknownInOnePlace) {
  const auto [dim, order] = GetParam();
  BoxOptions box = small_box(GetParam());
  box.move = 0.2;
  const Mesh mesh = make_box(box);
  const Elements elements(mesh, order);
  const Numbering numbering = number_nodes(mesh, elements, std::vector<char>(7, 0));
  std::vector<std::vector<double>> place(numbering.count);
  elements.for_cells([&, width = dim](std::int64_t cell, const ReferenceElement& element, std::int64_t first) {
    std::vector<double> x(element.node_count * width);
    CellMap(mesh, element.shape, element.nodes).coordinates(cell, x.data());
    for (int n = 0; n < element.node_count; ++n) {
      auto& known = place[numbering.of_node[first + n]];
      const std::vector<double> here(x.begin() + n * width, x.begin() + (n + 1) * width);
      if (known.empty()) known = here;
      for (int d = 0; d < width; ++d) ASSERT_NEAR(known[d], here[d], 1e-14);
    }
  });
}

class MixedProducts : public testing::TestWithParam<Asked> {};

// Straight, moved and curved; numbers and expressions as material, in two regions that cut through the shapes.
TEST_P(MixedProducts, AreTheAssembledMatrixInEveryForm) {
  for (const char* kind : {"straight", "moved", "curved"})
    for (const char* conductivity : {"2.5", "1 + x*y"})
      for (const Precision precision : {Precision::double_, Precision::single_})
        for (const DiffusionForm form : {DiffusionForm::elements, DiffusionForm::vertices}) {
          BoxOptions box = small_box(GetParam());
          const bool curved = std::string(kind) == "curved";
          if (std::string(kind) == "moved") box.move = 0.2;
          if (curved) box.bend = 0.1, box.geometry_order = 2;
          // Each text is compiled: the precision and the material change nothing that depends on the geometry or the form.
          if (precision == Precision::single_ && (std::string(kind) != "moved" || conductivity[0] == '2')) continue;
          if (curved && conductivity[0] == '2') continue;
          // Four shapes take long to compile.
          if (GetParam().dim == 3 && (std::string(kind) != "moved" || conductivity[0] == '2' || precision == Precision::single_ ||
                                      form == DiffusionForm::vertices))
            continue;
          Mesh mesh = make_box(box);
          mesh.regions.emplace_back("other");
          for (CellBlock& block : mesh.blocks)
            for (std::size_t cell = 0; cell < block.region.size(); ++cell) block.region[cell] = cell % 3 == 0;
          DiffusionProblem problem = problem_on(mesh, GetParam().order);
          problem.material = {{formula("3"), formula(conductivity)}, {formula("2"), formula("7")}};
          problem.precision = precision;
          problem.form = form;
          expect_the_assembled_matrix(problem);
          if (HasFatalFailure()) FAIL() << kind << ", " << conductivity << ", form " << static_cast<int>(form);
        }
}

std::vector<Asked> with_orders(std::initializer_list<int> orders, std::initializer_list<int> in_space) {
  std::vector<Asked> all;
  for (const int order : orders) all.push_back({2, order});
  for (const int order : in_space) all.push_back({3, order});
  return all;
}
std::string name_of(const testing::TestParamInfo<Asked>& given) {
  return "dim" + std::to_string(given.param.dim) + "order" + std::to_string(given.param.order);
}
INSTANTIATE_TEST_SUITE_P(Continuous, MixedElements, testing::ValuesIn(with_orders({1, 2, 3, 4, 5, 6, 7, 8}, {1, 2, 3, 4})), name_of);
INSTANTIATE_TEST_SUITE_P(Continuous, MixedProducts, testing::ValuesIn(with_orders({1, 2, 3, 6}, {2})), name_of);

// Many blocks of each shape on the processor, whose sums meet between shapes; at order 1 triangles go in fans.
TEST(MixedElementsInManyBlocks, AreTheAssembledMatrix) {
  for (const int order : {1, 3})
    for (const bool steady : {false, true}) {
      BoxOptions box = mixed_box(2, {47, 41});
      box.move = 0.15;
      const Mesh mesh = make_box(box);
      DiffusionProblem problem = problem_on(mesh, order);
      problem.material[0] = {formula("3 + y"), formula("if(x < 0.4, 1 + x*y, 40)")};
      expect_the_assembled_matrix(problem, steady);
      if (testing::Test::HasFatalFailure()) FAIL() << "order " << order << (steady ? ", steady" : "");
    }
}

// The sums that a product leaves are x . y.
TEST(MixedElementsInManyBlocks, LeaveTheProductOfTheirVectors) {
  const Mesh mesh = make_box(mixed_box(2, {47, 41}));
  const DiffusionProblem problem = problem_on(mesh, 2);
  Vectors vectors(cpu(), Precision::double_);
  ContinuousOperator of(problem, vectors);
  const Vector x = noise(of.length());
  const auto o_x = vectors.upload(std::vector<double>(x.begin(), x.end()), "x"), o_y = vectors.make(of.length(), "y");
  of.apply(0.7, 0.3, *o_x, *o_y, of.length());
  const double expected = vectors.dot(*o_x, *o_y, of.length());
  double sum = 0;
  for (const double part : vectors.read_totals(*of.dots().sums, of.dots().count)) sum += part;
  EXPECT_NEAR(sum, expected, 1e-13 * expected);
}

// -div grad u = 1 + x y with u = 0 on all sides, to a residual of 1e-10; `as_box`: the mesh is known as a box.
std::int64_t iterations(const BoxOptions& box, int order, bool as_box) {
  const Mesh mesh = make_box(box);
  DiffusionProblem problem = problem_on(mesh, order);
  for (DiffusionBoundary& boundary : problem.boundary) boundary.kind = DiffusionBoundary::Kind::value;
  problem.source = formula("1 + x*y");
  Vectors vectors(cpu(), Precision::double_);
  ContinuousOperator of(problem, vectors, true);
  HeatLevels levels(of, as_box ? std::optional(box) : std::nullopt, true);
  SteadySolver solver(of, {1e-10, 200});
  solver.precondition(levels);
  return solver.solve().iterations;
}

// As on meshes of one shape (multigrid_test.cpp): over orders, coarser boxes and aggregates.
TEST(MixedElementsWithMultigrid, NeedFewIterations) {
  for (const std::int64_t cells : {16, 32, 64}) EXPECT_LE(iterations(mixed_box(2, {cells, cells}), 1, true), 15) << cells;
  for (const int order : {2, 3, 4, 6, 8}) EXPECT_LE(iterations(mixed_box(2, {8, 8}), order, true), 25) << order;
  for (const std::int64_t cells : {48, 96}) EXPECT_LE(iterations(mixed_box(2, {cells, cells}), 1, false), 25) << cells;
  BoxOptions moved = mixed_box(2, {30, 30});
  moved.move = 0.2;
  EXPECT_LE(iterations(moved, 3, true), 25);
}

}  // namespace
}  // namespace swell
