// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "bent.hpp"
#include "matrix_support.hpp"
#include "mesh/sources.hpp"

namespace swell {
namespace {

Mesh box(Shape shape, std::int64_t cells, bool periodic = false) {
  const int dim = dimension(shape);
  return make_box({std::vector<double>(dim, 0.0), std::vector<double>(dim, 1.0), std::vector<std::int64_t>(dim, cells),
                   shape, std::vector<bool>(dim, periodic)});
}

struct Asked {
  Shape shape;
  int order;
};

class EveryElement : public testing::TestWithParam<Asked> {};

// C0: (cells * order + 1)^dim points on a tensor box; the simplices of a box share the same lattice of vertices, and a
// periodic box has one less along each axis.
TEST_P(EveryElement, HasAsManyUnknownsAsTheLatticeOfTheBox) {
  const auto [shape, order] = GetParam();
  for (const bool periodic : {false, true}) {
    const std::int64_t cells = 3;
    const Mesh mesh = box(shape, cells, periodic);
    const Numbering numbering = number_nodes(mesh, Elements(mesh, order), std::vector<char>(7, 0));
    const auto line = cells * order + (periodic ? 0 : 1);
    EXPECT_EQ(numbering.count, dimension(shape) == 2 ? line * line : line * line * line);
  }
}

// Every node of an unknown lies at one place: no orientation is mistaken.
TEST_P(EveryElement, PutsNodesOfOneUnknownInOnePlace) {
  const auto [shape, order] = GetParam();
  const Mesh mesh = box(shape, 2);
  const ReferenceElement element(shape, order);
  const Numbering numbering = number_nodes(mesh, Elements(mesh, order), std::vector<char>(7, 0));
  const CellMap map(mesh, element.nodes);
  std::vector<std::vector<double>> place(numbering.count);
  std::vector<double> x(element.node_count * mesh.dim);
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell) {
    map.coordinates(cell, x.data());
    for (int n = 0; n < element.node_count; ++n) {
      auto& known = place[numbering.of_node[cell * element.node_count + n]];
      const std::vector<double> here(x.begin() + n * mesh.dim, x.begin() + (n + 1) * mesh.dim);
      if (known.empty()) known = here;
      for (int d = 0; d < mesh.dim; ++d) ASSERT_NEAR(known[d], here[d], 1e-14);
    }
  }
}

TEST_P(EveryElement, IsTheAssembledMatrixInEveryForm) {
  const auto [shape, order] = GetParam();
  const Mesh mesh = box(shape, dimension(shape) == 3 && order > 4 ? 1 : 2);
  for (const char* conductivity : {"2.5", "1 + x*y"})
    for (const Precision precision : {Precision::double_, Precision::single_})
      for (const DiffusionForm form : {DiffusionForm::elements, DiffusionForm::vertices}) {
        DiffusionProblem problem = problem_on(mesh, order);
        problem.material[0] = {formula("3"), formula(conductivity)};
        problem.precision = precision;
        problem.form = form;
        expect_the_assembled_matrix(problem);
        if (HasFatalFailure()) FAIL() << conductivity << ", form " << static_cast<int>(form);
      }
}

TEST_P(EveryElement, IsTheAssembledMatrixOnCurvedCellsInEveryForm) {
  const auto [shape, order] = GetParam();
  const Mesh mesh = bent(box(shape, dimension(shape) == 3 && order > 4 ? 1 : 2));
  for (const DiffusionForm form : {DiffusionForm::elements, DiffusionForm::vertices}) {
    DiffusionProblem problem = problem_on(mesh, order);
    problem.material[0] = {formula("3"), formula("1 + x*y")};
    problem.form = form;
    expect_the_assembled_matrix(problem);
    if (HasFatalFailure()) FAIL() << "form " << static_cast<int>(form);
  }
}

std::vector<Asked> all_elements() {
  std::vector<Asked> all;
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::hexahedron})
    for (int order = 1; order <= 8; ++order) all.push_back({shape, order});
  return all;
}
INSTANTIATE_TEST_SUITE_P(Continuous, EveryElement, testing::ValuesIn(all_elements()), [](const auto& given) {
  return std::string(shape_name(given.param.shape)) + std::to_string(given.param.order);
});

// Cells of no two equal shapes, more than a block has, and no multiple of the lanes.
Mesh shaken(const std::vector<std::int64_t>& cells, bool periodic) {
  const std::size_t dim = cells.size();
  const std::vector<double> high = {1, 0.8, 1.2};
  Mesh mesh = make_box({std::vector<double>(dim, 0.0), {high.begin(), high.begin() + static_cast<long>(dim)}, cells,
                        dim == 3 ? Shape::tetrahedron : Shape::triangle, std::vector<bool>(dim, periodic)});
  std::mt19937_64 engine(5);
  // A vertex that lies at several places is not moved, so that the sides still fit together.
  for (double& x : mesh.points)
    if (!periodic) x += 0.02 * std::generate_canonical<double, 53>(engine);
  return mesh;
}

TEST(LinearSimplices, AreTheAssembledMatrixInBlocksOfFans) {
  for (const auto& cells : {std::vector<std::int64_t>{1, 1, 1}, {7, 5, 6}, {13, 12, 11}, {1, 1}, {23, 21}})
    for (const bool periodic : {false, true})
      for (const bool steady : {false, true})
        for (const Precision precision : {Precision::double_, Precision::single_}) {
          if (periodic && cells[0] < 3) continue;
          const Mesh mesh = shaken(cells, periodic);
          DiffusionProblem problem = problem_on(mesh, 1);
          problem.material[0] = {formula("3 + y"), formula("if(x < 0.4, 1 + x*y, 40)")};
          problem.precision = precision;
          expect_the_assembled_matrix(problem, steady);
          if (testing::Test::HasFatalFailure())
            FAIL() << testing::PrintToString(cells) << (periodic ? ", periodic" : "") << (steady ? ", steady" : "");
        }
}

}  // namespace
}  // namespace swell
