// SPDX-License-Identifier: Apache-2.0
// Material that a kernel writes by expressions it reads as data, against what the host finds at each point.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "bent.hpp"
#include "cg/material_fill.hpp"

namespace swell {
namespace {

Device& cpu() {
  static const auto device = open_device("cpu");
  return *device;
}

Expression formula(const std::string& text) { return Expression::parse(text, {"x", "y", "z"}, "the test"); }

// Two regions side by side: cells of both come together in batches.
Mesh two_regions(Shape shape) {
  const int dim = dimension(shape);
  Mesh mesh = make_box({std::vector<double>(dim, 0.0), std::vector<double>(dim, 1.0), std::vector<std::int64_t>(dim, 3), shape,
                        std::vector<bool>(dim, false)});
  mesh.regions.emplace_back("other");
  auto& region = mesh.blocks.front().region;
  for (std::size_t cell = 0; cell < region.size(); ++cell) region[cell] = cell % 5 < 2 || cell > 20 ? 1 : 0;
  return mesh;
}

struct Filled {
  DiffusionProblem problem;
  Cubature rule;
  Slots slots;  // with an empty one at the end where lanes are left
  int lanes;
};

Filled filled_on(const Mesh& mesh, int order, Precision precision, int lanes) {
  Filled filled;
  filled.problem.mesh = &mesh;
  filled.problem.order = order;
  filled.problem.precision = precision;
  filled.rule = element_rule(ReferenceElement(mesh.shape(), order));
  filled.lanes = lanes;
  filled.slots.resize(static_cast<std::size_t>((mesh.cell_count() + lanes - 1) / lanes * lanes), -1);
  std::iota(filled.slots.begin(), filled.slots.begin() + mesh.cell_count(), 0);
  std::swap(filled.slots[0], filled.slots[static_cast<std::size_t>(mesh.cell_count()) - 1]);
  return filled;
}

void expect_host_values(const Filled& filled, bool steady, bool varying) {
  Vectors vectors(cpu(), filled.problem.precision);
  MaterialFill fill(filled.problem, filled.problem.mesh->shape(), filled.rule, filled.slots, filled.lanes, steady, vectors);
  std::unique_ptr<Buffer> buffer;
  fill.fill(varying, buffer);
  const ElementKind kind{.shape = filled.problem.mesh->shape(), .affine = true, .varying = varying, .steady = steady, .lanes = filled.lanes};
  const auto expected = element_material(filled.problem, kind, filled.rule, filled.slots);
  const auto values = vectors.download(*buffer, static_cast<std::int64_t>(expected.size()));
  const double rounding = filled.problem.precision == Precision::double_ ? 1e-14 : 1e-7;
  for (std::size_t i = 0; i < values.size(); ++i) ASSERT_NEAR(values[i], expected[i], rounding * expected[i]) << i;
}

TEST(MaterialFill, WritesWhatTheHostFinds) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::hexahedron})
    for (const bool curved : {false, true})
      for (const Precision precision : {Precision::double_, Precision::single_})
        for (const int lanes : {1, cpu().lanes(precision)}) {
          const bool usual = precision == Precision::double_ && lanes > 1;
          if (!usual && (curved || shape != Shape::tetrahedron)) continue;  // each has a text of its own
          const Mesh mesh = curved ? bent(two_regions(shape)) : two_regions(shape);
          for (const int order : {1, 3}) {
            Filled filled = filled_on(mesh, order, precision, lanes);
            filled.problem.material = {{formula("2 + x*y - 0.5*z"), formula("if(x < 0.4, 45, exp(y)*3)")},
                                       {formula("3"), formula("1.5 + tanh(9*(x - 0.4)) + sin(y)^2")}};
            for (const bool steady : {false, true})
              for (const bool varying : {false, true}) {
                SCOPED_TRACE(fmt::format("{} order {} lanes {}", shape_name(shape), order, lanes));
                expect_host_values(filled, steady, varying);
                if (HasFatalFailure()) return;
              }
          }
        }
}

// A number that was never parsed has no variables: it must not take the place of another expression's.
TEST(MaterialFill, TakesNumbersBesideExpressions) {
  for (const bool varying : {false, true}) {
    const Mesh mesh = two_regions(Shape::triangle);
    Filled filled = filled_on(mesh, 3, Precision::double_, cpu().lanes(Precision::double_));
    filled.problem.material = {{formula("2 + x*y"), Expression(3.0)}, {Expression(1.0), formula("1 + x")}};
    expect_host_values(filled, false, varying);
  }
}

TEST(MaterialFill, KnowsWhetherMaterialVariesInsideElements) {
  const Mesh mesh = two_regions(Shape::tetrahedron);
  const auto varies = [&](int order, const char* first, const char* second, bool steady = false) {
    Filled filled = filled_on(mesh, order, Precision::double_, 8);
    filled.problem.material = {{formula("1"), formula(first)}, {formula("x + 1"), formula(second)}};
    if (steady) filled.problem.material[1].capacity = formula("x + 1");
    Vectors vectors(cpu(), Precision::double_);
    return MaterialFill(filled.problem, mesh.shape(), filled.rule, filled.slots, 8, steady, vectors).varies();
  };
  EXPECT_TRUE(varies(2, "1", "1"));                                     // rhoC does
  EXPECT_FALSE(varies(2, "1", "1", true));                              // which is not evaluated
  EXPECT_TRUE(varies(2, "x", "1", true));
  EXPECT_FALSE(varies(2, "if(x < 1/3, 2, 5)", "floor(3*y) + 1", true));  // between layers of cells
  EXPECT_TRUE(varies(2, "if(x < 0.4, 2, 5)", "1", true));
  EXPECT_FALSE(varies(1, "x", "y"));                                    // linear simplices have one value each
}

TEST(MaterialFill, RefusesWhatIsNotAboveZeroAndNamesThePlace) {
  const Mesh mesh = two_regions(Shape::hexahedron);
  for (const char* wrong : {"x - 0.9", "0", "-1", "1/(x - x)", "sqrt(x - 0.5)"}) {
    Filled filled = filled_on(mesh, 2, Precision::double_, 8);
    filled.problem.material = {{formula("1"), formula("1")}, {formula("1"), formula("1")}};
    filled.problem.material[1].conductivity = formula(wrong);
    Vectors vectors(cpu(), Precision::double_);
    MaterialFill fill(filled.problem, filled.problem.mesh->shape(), filled.rule, filled.slots, 8, false, vectors);
    std::unique_ptr<Buffer> buffer;
    try {
      fill.fill(fill.varies(), buffer);
      FAIL() << wrong;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("The material 'k' ="), std::string::npos) << error.what();
    }
  }
}

// Other expressions need no compiler, and other values no memory.
TEST(MaterialFill, CompilesOnceForAllExpressions) {
  const Mesh mesh = two_regions(Shape::hexahedron);
  Filled filled = filled_on(mesh, 2, Precision::double_, 8);
  filled.problem.material = {{formula("1"), formula("1 + x")}, {formula("1"), formula("2")}};
  Vectors vectors(cpu(), Precision::double_);
  MaterialFill fill(filled.problem, filled.problem.mesh->shape(), filled.rule, filled.slots, 8, false, vectors);
  std::unique_ptr<Buffer> buffer;
  fill.fill(true, buffer);
  const Buffer* const before = buffer.get();
  const auto compiles = cpu().counters().compiles;
  for (const char* text : {"2 + y*y", "exp(x)*cos(y)^2 + 0.1", "if(x < 0.3, 45, 2)"}) {
    filled.problem.material[1].conductivity = formula(text);
    fill.fill(true, buffer);
    EXPECT_EQ(buffer.get(), before);
  }
  EXPECT_EQ(cpu().counters().compiles, compiles);
}

}  // namespace
}  // namespace swell
