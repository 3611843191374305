// SPDX-License-Identifier: Apache-2.0
// An exchange that is broken on purpose is seen in the answer, in every family: the tests of equal bits can fail.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "broken_ranks.hpp"
#include "device/device.hpp"
#include "sim/heat/heat.hpp"
#include "sim/simulation.hpp"
#include "support.hpp"

namespace swell {
namespace {

class BrokenExchange : public testing::TestWithParam<NamedCase> {};

TEST_P(BrokenExchange, ChangesTheAnswer) {
  const Outcome alone = outcome(GetParam().toml, "cpu:1", lone_rank());
  std::map<std::int64_t, const std::vector<double>*> wanted;
  for (std::size_t i = 0; i < alone.cells.size(); ++i) wanted[alone.cells[i]] = &alone.values[i];
  for (const Fault fault : {Fault::none, Fault::lost, Fault::swapped, Fault::late})
    on_ranks(3, [&](Ranks& ranks) {
      BrokenRanks broken(ranks, fault);
      const Outcome part = outcome(GetParam().toml, "cpu:1", broken);
      bool different = false;
      for (std::size_t i = 0; i < part.cells.size(); ++i)
        different = different || part.values[i] != *wanted.at(part.cells[i]);
      EXPECT_EQ(ranks.any(different), fault != Fault::none) << static_cast<int>(fault);
    });
}

INSTANTIATE_TEST_SUITE_P(Families, BrokenExchange, testing::ValuesIn(families("[6, 5]", 4)), name_of);

// Heat does without the bits of one rank: what is spoilt must show beyond what its solver leaves, or keep it from an end.
class BrokenHeatExchange : public testing::TestWithParam<NamedCase> {};

TEST_P(BrokenHeatExchange, ChangesTheAnswer) {
  constexpr double tolerance = 1e-12;
  const auto solved = [&](Ranks& ranks) {
    const auto device = open_device("cpu:1");
    HeatSimulation simulation(parse_case(GetParam().toml, "test.toml"), *device, ranks);
    simulation.finish();
    return simulation.nodal_values();
  };
  on_ranks(2, [&](Ranks& ranks) {
    const std::vector<double> wanted = solved(ranks);
    for (const Fault fault : {Fault::none, Fault::gone, Fault::swapped, Fault::late, Fault::cut}) {
      BrokenRanks broken(ranks, fault);
      double furthest = 0;
      try {
        const std::vector<double> found = solved(broken);
        for (std::size_t i = 0; i < wanted.size(); ++i) furthest = std::max(furthest, std::abs(found[i] - wanted[i]));
      } catch (const NotConverged&) {
        furthest = 1;
      }
      EXPECT_EQ(ranks.any(!(furthest <= tolerance)), fault != Fault::none) << static_cast<int>(fault);
    }
  });
}

std::vector<NamedCase> heat_cases() {
  const std::string box = "[mesh]\nbox = { low = [0, 0, 0], high = [1, 1, 1], cells = [4, 3, 6], element = \"tetrahedron\", periodic = [false, false, ";
  const std::string open = box + "false] }\n", around = box + "true] }\n";
  const std::string heat = "[model]\nname = \"heat\"\norder = 1\n[initial]\nT = \"sin(2*x+y)*cos(y-z*x)\"\n[source]\nT = \"x+z\"\n"
                           "[time]\nsteps = 4\ndt = 0.05\n[boundary]\nxmin = { kind = \"temperature\", T = \"y\" }\n";
  const std::string tight = "[solver]\ntolerance = 1e-14\niterations = 500\n", varies = "[material]\nk = \"1+x*z\"\n";
  const std::string transfer = "xmax = { kind = \"robin\", h = 2, T = 1 }\n";
  const std::string discontinuous = "[model]\nname = \"poisson\"\norder = 1\nfamily = \"discontinuous\"\n[source]\nu = \"x+z\"\n"
                                    "[boundary]\nxmin = { kind = \"dirichlet\", u = \"y\" }\n";
  return {{"grid", open + heat + tight},
          {"grid_periodic", around + heat + tight},
          {"grid_expressions", open + heat + tight + varies},
          {"grid_transfers", open + heat + transfer + tight},
          {"elements", open + heat + tight + "form = \"elements\"\n"},
          {"discontinuous", open + discontinuous + tight}};
}
INSTANTIATE_TEST_SUITE_P(Forms, BrokenHeatExchange, testing::ValuesIn(heat_cases()), name_of);

}  // namespace
}  // namespace swell
