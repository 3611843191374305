// SPDX-License-Identifier: Apache-2.0
// A case that its device has too little memory for is refused before the first step, with the figure of `swell plan`.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "sim/simulation.hpp"
#include "small_device.hpp"
#include "study/plan.hpp"

namespace swell {
namespace {

class TooLittleMemory : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(TooLittleMemory, IsRefusedWithTheFigureOfThePlan) {
  const auto processor = open_device("cpu:1");
  const std::string toml =
      std::string("[mesh]\nbox = { low = [0, 0], high = [1, 1], cells = [24, 24] }\n[time]\nsteps = 2\n") + GetParam().second;
  const Case given = parse_case(toml, "test.toml");
  const std::int64_t need = plan_case(given, *processor).device_bytes;
  const std::int64_t before = processor->counters().bytes;
  SmallDevice enough(*processor, need), small(*processor, need - 1);
  try {
    const Simulation run(given, small);
    FAIL() << "was set up in too little memory";
  } catch (const RunError& refusal) {
    const std::string said = refusal.what();
    EXPECT_NE(said.find(fmt::format("needs {:.1f} MB of memory", static_cast<double>(need) / 1e6)), std::string::npos) << said;
    EXPECT_NE(said.find("swell plan"), std::string::npos) << said;
  }
  EXPECT_EQ(processor->counters().bytes, before) << "nothing is left behind";
  Simulation run(given, enough);
  run.advance(run.end());
  EXPECT_EQ(run.steps(), 2);
}

INSTANTIATE_TEST_SUITE_P(
    Families, TooLittleMemory,
    testing::Values(std::pair("nodal", "[model]\nname = \"acoustics\"\norder = 2\n"),
                    std::pair("nodal_ader", "scheme = \"ader\"\n[model]\nname = \"acoustics\"\norder = 2\n"),
                    std::pair("multistep", "scheme = \"ab3\"\n[model]\nname = \"acoustics\"\norder = 2\n"),
                    std::pair("modal", "[model]\nname = \"acoustics\"\norder = 2\nfamily = \"modal\"\n"),
                    std::pair("modal_ader", "scheme = \"ader\"\n[model]\nname = \"acoustics\"\norder = 2\nfamily = \"modal\"\n"),
                    std::pair("nodal_ader_remembering", "scheme = \"ader\"\n[model]\nname = \"acoustics\"\norder = 4\n"),
                    std::pair("modal_ader_remembering", "scheme = \"ader\"\n[model]\nname = \"acoustics\"\norder = 4\nfamily = \"modal\"\n"),
                    std::pair("ader_in_time", "scheme = \"ader\"\n[source]\np = \"sin(t)\"\n[model]\nname = \"acoustics\"\norder = 4\nfamily = \"modal\"\n"),
                    std::pair("levelset", "[model]\nname = \"levelset\"\norder = 2\n[levelset]\nthickness = 0.2\n[material]\nax = 1\n")),
    [](const auto& test) { return test.param.first; });

}  // namespace
}  // namespace swell
