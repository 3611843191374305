// SPDX-License-Identifier: Apache-2.0
// Ranks that share a device must fit into its memory together.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../unit/study/small_device.hpp"
#include "base/error.hpp"
#include "sim/simulation.hpp"
#include "support.hpp"

namespace swell {
namespace {

const char* const toml =
    "[mesh]\nbox = { low = [0, 0], high = [1, 1], cells = [24, 24] }\n[model]\nname = \"acoustics\"\norder = 2\n[time]\nsteps = 2\n";

// The sentence that every rank throws, or nothing.
std::string refusal(std::int64_t memory, const std::string& device_name, Ranks& ranks) {
  const auto processor = open_device("cpu:1");
  SmallDevice device(*processor, memory);
  Case c = parse_case(toml, "test.toml");
  c.backend = device_name;
  try {
    const Simulation run(c, device, ranks);
  } catch (const RunError& error) {
    return error.what();
  }
  return "";
}

// The megabytes that the sentence says are needed.
double needed(const std::string& said) { return std::stod(said.substr(said.find("need ") + 5)); }

TEST(SharedMemory, IsCountedForAllRanksThatUseOneDevice) {
  on_ranks(2, [](Ranks& ranks) {
    const std::string said = refusal(1, "cuda:0", ranks);
    EXPECT_NE(said.find("The 2 ranks that share a device need "), std::string::npos) << said;
    const auto together = static_cast<std::int64_t>(1e6 * needed(said));
    // Three quarters of it hold either rank, but not both.
    EXPECT_EQ(refusal(3 * together / 4, "cuda:0", ranks).find("The 2 ranks that share a device need "), 0u);
    EXPECT_EQ(refusal(3 * together / 4, fmt::format("cpu:{}", 1 + ranks.rank()), ranks).find("The 2 ranks"), 0u)
        << "threads of one processor are one device";
    EXPECT_EQ(refusal(3 * together / 4, fmt::format("cuda:{}", ranks.rank()), ranks), "");
    EXPECT_EQ(refusal(together + together / 10, "cuda:0", ranks), "");
  });
}

// One rank of three has a small device of its own: all of them hear of it.
TEST(SharedMemory, OfOneRankIsRefusedByAll) {
  on_ranks(3, [](Ranks& ranks) {
    const std::string said = refusal(ranks.rank() == 1 ? 1000 : 1 << 30, fmt::format("cuda:{}", ranks.rank()), ranks);
    EXPECT_NE(said.find("The case needs "), std::string::npos) << said;
  });
}

}  // namespace
}  // namespace swell
