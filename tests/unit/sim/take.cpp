// SPDX-License-Identifier: Apache-2.0
// A second case takes over what the first has set up: it gets the answers of one that was made from nothing, and a change of
// the material costs less than a tenth of that.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "processor_seconds.hpp"
#include "sim/heat/heat.hpp"

namespace swell {
namespace {

struct Taken {
  const char *name, *model, *element, *preconditioner;
  int order, cells;
  bool discontinuous() const { return std::string(model).find("discontinuous") != std::string::npos; }
};

const char* const heat = "name = \"heat\"";
const char* const discontinuous = "name = \"poisson\"\nfamily = \"discontinuous\"";

Case case_of(const Taken& taken, const char* material, const char* transfer = "2", const char* flux = "y") {
  std::string text = fmt::format(
      "[mesh]\nbox = {{ low = [0, 0, 0], high = [1, 1, 1], cells = [{0}, {0}, {0}], element = \"{1}\" }}\n"
      "[model]\n{2}\norder = {3}\n[material]\nk = \"{4}\"\n[solver]\npreconditioner = \"{5}\"\n"
      "[boundary]\nxmin = {{ kind = \"robin\", h = \"{6}\", T = 1 }}\nxmax = {{ kind = \"flux\", q = \"{7}\" }}\n",
      taken.cells, taken.element, taken.model, taken.order, material, taken.preconditioner, transfer, flux);
  if (!taken.discontinuous()) text += "[time]\nsteps = 1\ndt = 0.1\n";
  return parse_case(text, "taken.toml");
}

std::vector<double> answer(HeatSimulation& simulation) {
  simulation.finish();
  return simulation.nodal_values();
}

class TakenOver : public testing::TestWithParam<Taken> {
 protected:
  // Bits are the same but where a multigrid guesses eigenvalues.
  void expect_answer_of(const Case& c, HeatSimulation& simulation, Device& device) {
    HeatSimulation anew(c, device);
    const auto expected = answer(anew), values = answer(simulation);
    ASSERT_EQ(values.size(), expected.size());
    if (std::string(GetParam().preconditioner) == "jacobi") {
      EXPECT_EQ(values, expected);
      return;
    }
    double largest = 0, off = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      largest = std::max(largest, std::abs(expected[i]));
      off = std::max(off, std::abs(values[i] - expected[i]));
    }
    EXPECT_LE(off, 1e-8 * largest);
  }

  // Expects the answers of each case in turn, on the set-up of the first.
  void expect_answers_of(const std::vector<Case>& cases) {
    const auto device = open_device("cpu:1");
    HeatSimulation simulation(case_of(small(), "3"), *device);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      SCOPED_TRACE(fmt::format("case {}", i));
      ASSERT_TRUE(simulation.adopt(cases[i]));
      expect_answer_of(cases[i], simulation, *device);
    }
  }

  static Taken small() {
    Taken small = GetParam();
    small.cells = 4;
    return small;
  }
};

// From a number to another one, to an expression, to one of another form, to one that jumps between cells, and back.
TEST_P(TakenOver, HasTheAnswersOfACaseMadeFromNothing) {
  std::vector<Case> cases;
  for (const char* material : {"2", "1 + x", "2 + exp(-y)*x", "if(x < 0.5, 1, 5)", "if(x + y < 0.7, 1, 5)", "3", "1 + x"})
    cases.push_back(case_of(small(), material));
  expect_answers_of(cases);
}

// Fluxes, and heat transfers by numbers and by expressions, alone and with a material.
TEST_P(TakenOver, HasTheAnswersOfACaseWithOtherLoads) {
  expect_answers_of({case_of(small(), "3", "2", "y + 1"), case_of(small(), "3", "5", "y"), case_of(small(), "3", "5 + z", "y"),
                     case_of(small(), "1 + x", "1 + z", "2"), case_of(small(), "3", "2", "y")});
}

// After a case that was refused half-way, whatever it was.
TEST_P(TakenOver, IsNotMisledByACaseThatWasRefused) {
  const auto device = open_device("cpu:1");
  HeatSimulation simulation(case_of(small(), "3"), *device);
  for (const Case& wrong : {case_of(small(), "x - 0.6"), case_of(small(), "3", "0.6 - z"), case_of(small(), "-1")}) {
    EXPECT_THROW(simulation.adopt(wrong), InputError);
    EXPECT_THROW(simulation.adopt(wrong), InputError);
    ASSERT_TRUE(simulation.adopt(case_of(small(), "3")));
    expect_answer_of(case_of(small(), "3"), simulation, *device);
  }
}

// With all kernels in the cache, and loaded where the case knew what would come. The host looks at the expressions of
// discontinuous elements, on one thread, which is allowed a little more.
TEST_P(TakenOver, SetsUpASecondMaterialForLessThanATenthOfTheFirst) {
  constexpr double number = 0.1;
  const double expression = GetParam().discontinuous() ? 0.2 : 0.1;
  // Speed is meant at the level at which runs compile their kernels.
  ASSERT_EQ(setenv("SWELL_KERNEL_OPTIMIZE", "3", 1), 0);
  const auto device = open_device("cpu:1");
  const Case two = case_of(GetParam(), "2"), three = case_of(GetParam(), "3"), line = case_of(GetParam(), "1 + x"),
             curve = case_of(GetParam(), "1.5 + tanh(10*(y - 0.4))"), flux = case_of(GetParam(), "3", "2", "y + 1"),
             transfer = case_of(GetParam(), "3", "5");
  const auto first = [&](const Case& c) { return least_processor_seconds(3, [&](int) { HeatSimulation(c, *device); }); };
  const double of_number = first(three), of_expression = first(line);
  HeatSimulation simulation(three, *device);
  simulation.precompile_for(std::vector{line, curve});
  const auto seconds = [&](const Case& from, const Case& to, bool known = true) {
    double least = INFINITY;
    for (int again = 0; again < 6; ++again) {
      EXPECT_TRUE(simulation.adopt(from));
      const auto before = device->counters();
      least = std::min(least, least_processor_seconds(1, [&](int) { EXPECT_TRUE(simulation.adopt(to)); }));
      if (known || again > 0) {
        EXPECT_EQ(device->counters().compiles, before.compiles);
      }
    }
    return least;
  };
  EXPECT_LT(seconds(two, three), number * of_number);
  // Other loads come with another text, and are not promised to cost nothing.
  EXPECT_LT(seconds(three, flux, false), 0.3 * of_number);
  EXPECT_LT(seconds(three, transfer, false), 0.3 * of_number);
  EXPECT_LT(seconds(two, line), expression * of_number);
  EXPECT_LT(seconds(line, curve), expression * of_expression);
  EXPECT_LT(seconds(line, three), number * of_expression);
}

INSTANTIATE_TEST_SUITE_P(Elements, TakenOver,
                         testing::Values(Taken{"grid", heat, "tetrahedron", "jacobi", 1, 20},
                                         Taken{"tetrahedra", heat, "tetrahedron", "jacobi", 2, 8},
                                         Taken{"hexahedra", heat, "hexahedron", "jacobi", 3, 10},
                                         Taken{"tetrahedra_of_order_4", heat, "tetrahedron", "jacobi", 4, 6},
                                         Taken{"hexahedra_multigrid", heat, "hexahedron", "multigrid", 3, 8},
                                         Taken{"tetrahedra_multigrid", heat, "tetrahedron", "multigrid", 2, 8},
                                         Taken{"discontinuous_tetrahedra", discontinuous, "tetrahedron", "jacobi", 2, 8},
                                         Taken{"discontinuous_hexahedra", discontinuous, "hexahedron", "jacobi", 3, 8},
                                         Taken{"discontinuous_tetrahedra_multigrid", discontinuous, "tetrahedron", "multigrid", 2, 8},
                                         Taken{"discontinuous_hexahedra_multigrid", discontinuous, "hexahedron", "multigrid", 3, 8}),
                         [](const auto& test) { return test.param.name; });

// Once numbers and expressions have been there, nothing is compiled or allocated any more.
TEST(Discontinuous, KeepsTheMemoryOfBothKindsOfMaterial) {
  const Taken taken{"", discontinuous, "tetrahedron", "jacobi", 2, 4};
  const auto device = open_device("cpu:1");
  HeatSimulation simulation(case_of(taken, "3"), *device);
  ASSERT_TRUE(simulation.adopt(case_of(taken, "1 + x")));
  const auto before = device->counters();
  for (const char* material : {"2", "2 + y*y", "if(x < 0.5, 1, 3)", "1 + x"}) ASSERT_TRUE(simulation.adopt(case_of(taken, material)));
  EXPECT_EQ(device->counters().allocations, before.allocations);
  EXPECT_EQ(device->counters().compiles, before.compiles);
}

}  // namespace
}  // namespace swell
