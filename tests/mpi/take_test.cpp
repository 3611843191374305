// SPDX-License-Identifier: Apache-2.0
// A second case on several ranks takes over what the first has set up, as on one.
#include <gtest/gtest.h>

#include "device/device.hpp"
#include "sim/heat.hpp"
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

// Counts as in the sweep of one rank (tests/unit/sim/sweep.cpp). Seconds are those of the slowest rank, the best of several.
TEST_P(TakeOnRanks, SetsUpASecondMaterialForLessThanATenthOfTheFirst) {
  on_ranks(2, [&](Ranks& ranks) {
    const auto device = open_device("cpu:1");
    const auto with = [&](const char* material, const char* more = "time.theta=0.5") {
      return parse_case(rod, "rod.toml",
                        {fmt::format("solver.form={}", GetParam().form), fmt::format("mesh.partition.method={}", GetParam().partition),
                         fmt::format("material.k=\"{}\"", material), more});
    };
    const Case one = with("if(x < 0.5, 1, 3)"), other = with("if(x < 0.25, 5, 2)");
    double first = 1e300, second = 1e300;
    for (int again = 0; again < 3; ++again) {
      ranks.barrier();
      first = std::min(first, ranks.largest(HeatSimulation(one, *device, ranks).setup_seconds()));
    }
    HeatSimulation simulation(one, *device, ranks);
    simulation.finish();
    const auto before = device->counters();
    ASSERT_TRUE(simulation.take(other));
    EXPECT_EQ(device->counters().compiles, before.compiles);
    EXPECT_LE(device->counters().allocations - before.allocations, 3);
    for (int again = 0; again < 6; ++again) {
      ranks.barrier();
      ASSERT_TRUE(simulation.take(again % 2 == 0 ? one : other));
      second = std::min(second, ranks.largest(simulation.setup_seconds()));
    }
    EXPECT_LT(second, 0.1 * first);
    simulation.finish();
    HeatSimulation anew(other, *device, ranks);
    anew.finish();
    EXPECT_EQ(simulation.nodal_values(), anew.nodal_values());
    EXPECT_FALSE(simulation.take(with("1", "mesh.partition.fractions=[1, 3]"))) << "other parts are another set-up";
  });
}
// Parts along the curve may lie in one material of the first case and in both of the second.
INSTANTIATE_TEST_SUITE_P(Forms, TakeOnRanks,
                         testing::Values(Taken{"grid", "auto"}, Taken{"elements", "auto"}, Taken{"elements", "curve"}),
                         [](const auto& test) { return fmt::format("{}_{}", test.param.form, test.param.partition); });

}  // namespace
}  // namespace swell
