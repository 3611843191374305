// SPDX-License-Identifier: Apache-2.0
// A second case on several ranks adopts the set-up of the first, as on one.
#include <gtest/gtest.h>

#include "../unit/sim/processor_seconds.hpp"
#include "device/device.hpp"
#include "sim/heat/heat.hpp"
#include "support.hpp"

namespace swell {
namespace {

const std::string rod =
    "[mesh]\nbox = { low = [0, 0, 0], high = [1, 1, 1], cells = [16, 16, 16], element = \"tetrahedron\" }\n"
    "[model]\nname = \"heat\"\norder = 1\n[material]\nrhoC = 2\n"
    "[boundary]\nxmin = { kind = \"temperature\", T = 1 }\nxmax = { kind = \"flux\", q = \"y + t\" }\n[time]\nsteps = 2\ndt = 0.1\n";

struct Taken {
  const char *form, *partition;
};

class TakeOnRanks : public testing::TestWithParam<Taken> {};

// Counts as in the sweep of one rank (tests/unit/sim/sweep.cpp). Seconds are those of the rank that needs most.
TEST_P(TakeOnRanks, SetsUpASecondMaterialForLessThanATenthOfTheFirst) {
  on_ranks(2, [&](Ranks& ranks) {
    const auto device = open_device("cpu:1");
    const auto with = [&](const char* material, const char* more = "time.theta=0.5") {
      return parse_case(rod, "rod.toml",
                        {fmt::format("solver.form={}", GetParam().form), fmt::format("mesh.partition.method={}", GetParam().partition),
                         fmt::format("material.k=\"{}\"", material), more});
    };
    const Case one = with("if(x < 0.5, 1, 3)"), other = with("if(x < 0.25, 5, 2)");
    const double first = ranks.largest(least_processor_seconds(3, [&](int) { HeatSimulation(one, *device, ranks); }));
    HeatSimulation simulation(one, *device, ranks);
    simulation.finish();
    const auto before = device->counters();
    ASSERT_TRUE(simulation.adopt(other));
    EXPECT_EQ(device->counters().compiles, before.compiles);
    EXPECT_LE(device->counters().allocations - before.allocations, 3);
    const double second = ranks.largest(
        least_processor_seconds(6, [&](int again) { EXPECT_TRUE(simulation.adopt(again % 2 == 0 ? one : other)); }));
    EXPECT_LT(second, 0.1 * first);
    simulation.finish();
    HeatSimulation anew(other, *device, ranks);
    anew.finish();
    EXPECT_EQ(simulation.nodal_values(), anew.nodal_values());
    EXPECT_FALSE(simulation.adopt(with("1", "mesh.partition.fractions=[1, 3]"))) << "other parts are another set-up";
  });
}
// Parts along the curve may lie in one material of the first case and in both of the second.
INSTANTIATE_TEST_SUITE_P(Forms, TakeOnRanks,
                         testing::Values(Taken{"grid", "auto"}, Taken{"elements", "auto"}, Taken{"elements", "curve"}),
                         [](const auto& test) { return fmt::format("{}_{}", test.param.form, test.param.partition); });

// Multigrid, and discontinuous elements.
struct TakenOver {
  const char *name, *model, *preconditioner;
};

class TakeLevelsOnRanks : public testing::TestWithParam<TakenOver> {};

// Numbers, expressions and back, alone and with another heat transfer, have the answers of a case made from nothing.
TEST_P(TakeLevelsOnRanks, HasTheAnswersOfACaseMadeFromNothing) {
  on_ranks(2, [&](Ranks& ranks) {
    const auto device = open_device("cpu:1");
    const auto with = [&](const char* material, const char* transfer = "2", int cells = 3) {
      const std::string text = fmt::format(
          "[mesh]\nbox = {{ low = [0, 0, 0], high = [1, 1, 1], cells = [{0}, {0}, {0}], element = \"tetrahedron\" }}\n"
          "[model]\n{1}order = 2\n[material]\nk = \"{2}\"\n[solver]\npreconditioner = \"{3}\"\n"
          "[boundary]\nxmin = {{ kind = \"robin\", h = \"{4}\", T = 1 }}\nxmax = {{ kind = \"flux\", q = \"y\" }}\n",
          cells, GetParam().model, material, GetParam().preconditioner, transfer);
      return parse_case(text, "taken.toml");
    };
    HeatSimulation simulation(with("3"), *device, ranks);
    for (const auto& [material, transfer] :
         {std::pair{"2", "2"}, {"1 + x", "2"}, {"if(x < 0.5, 1, 5)", "2"}, {"3", "5"}, {"1 + y*y", "1 + z"}, {"3", "2"}}) {
      const Case next = with(material, transfer);
      ASSERT_TRUE(simulation.adopt(next));
      simulation.finish();
      HeatSimulation anew(next, *device, ranks);
      anew.finish();
      const auto values = simulation.nodal_values(), expected = anew.nodal_values();
      ASSERT_EQ(values.size(), expected.size());
      for (std::size_t i = 0; i < values.size(); ++i) ASSERT_NEAR(values[i], expected[i], 1e-8) << material << " " << transfer;
    }
    const Case two = with("2", "2", 10), three = with("3", "2", 10);
    const double first = ranks.largest(least_processor_seconds(3, [&](int) { HeatSimulation(two, *device, ranks); }));
    HeatSimulation large(two, *device, ranks);
    const double second = ranks.largest(
        least_processor_seconds(6, [&](int again) { EXPECT_TRUE(large.adopt(again % 2 == 0 ? three : two)); }));
    EXPECT_LT(second, 0.1 * first);
  });
}
INSTANTIATE_TEST_SUITE_P(Elements, TakeLevelsOnRanks,
                         testing::Values(TakenOver{"multigrid", "name = \"poisson\"\n", "multigrid"},
                                         TakenOver{"discontinuous", "name = \"poisson\"\nfamily = \"discontinuous\"\n", "jacobi"},
                                         TakenOver{"discontinuous_multigrid", "name = \"poisson\"\nfamily = \"discontinuous\"\n",
                                                   "multigrid"}),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace swell
