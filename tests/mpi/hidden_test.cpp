// SPDX-License-Identifier: Apache-2.0
// The exchange is hidden: messages leave before the elements inside are done, they are polled meanwhile, and messages that have
// arrived by then are not waited for.
#include <gtest/gtest.h>

#include "device/device.hpp"
#include "dg/halo.hpp"
#include "sim/heat/heat.hpp"
#include "sim/simulation.hpp"
#include "support.hpp"
#include "wrapped_ranks.hpp"

namespace swell {
namespace {

// A transfer that arrives only when it was polled so many times: a neighbour that is late, without a clock.
constexpr int looks_until_arrival = 4;

struct Seen {
  std::int64_t started = 0, waited = 0;
};

class LateTransfer : public Transfer {
 public:
  LateTransfer(std::unique_ptr<Transfer> real, Seen& seen) : real_(std::move(real)), seen_(seen) {}
  void start() override {
    ++seen_.started;
    looks_ = 0;
    real_->start();
  }
  bool test() override {
    if (++looks_ < looks_until_arrival) return false;
    real_->finish();
    return true;
  }
  void finish() override {
    ++seen_.waited;
    real_->finish();
  }

 private:
  std::unique_ptr<Transfer> real_;
  Seen& seen_;
  int looks_ = 0;
};

// Ranks whose messages are late.
class LateRanks : public WrappedRanks {
 public:
  LateRanks(Ranks& real, Seen& seen) : WrappedRanks(real), seen_(seen) {}
  std::unique_ptr<Transfer> transfer(std::span<const Message> expected, std::span<const Message> sent) override {
    return std::make_unique<LateTransfer>(real_.transfer(expected, sent), seen_);
  }

 private:
  Seen& seen_;
};

class Hidden : public testing::TestWithParam<NamedCase> {};

TEST_P(Hidden, ExchangeIsNotWaitedForWhereItArrivesDuringTheWorkInside) {
  on_ranks(2, [&](Ranks& ranks) {
    Seen seen;
    LateRanks late(ranks, seen);
    const auto device = open_device("cpu:1");
    Simulation run(parse_case(GetParam().toml, "test.toml"), *device, late);
    const HaloExchange* halo = run.dg().halo();
    ASSERT_NE(halo, nullptr);
    const auto before = halo->times().exchanges;
    seen = {};  // the mesh was sent as well
    run.advance(run.end());
    EXPECT_GE(seen.started, 3);
    EXPECT_EQ(halo->times().exchanges - before, seen.started);
    EXPECT_EQ(seen.waited, 0);
    EXPECT_EQ(halo->times().waiting, 0);
    EXPECT_GT(halo->times().flying, 0);
    EXPECT_EQ(halo->times().hidden(), 1);
  });
}

INSTANTIATE_TEST_SUITE_P(Families, Hidden, testing::ValuesIn(families("[16, 16]", 3)), name_of);

std::string heat_case(const std::string& cells, int order, const std::string& more = "") {
  return "[mesh]\nbox = { low = [0, 0], high = [1, 1], cells = " + cells + " }\n[model]\nname = \"heat\"\norder = " +
         std::to_string(order) + "\n[initial]\nT = \"sin(2*x+y)\"\n[source]\nT = \"x*cos(3*t)\"\n[time]\nsteps = 2\ndt = 0.01\n" +
         "[boundary]\nxmax = { kind = \"robin\", h = 3, T = 0.5 }\n" + more;
}

// The fixed grid, and discontinuous elements.
std::string box_case(const std::string& cells, const std::string& model, const std::string& more) {
  return "[mesh]\nbox = { low = [0, 0, 0], high = [1, 1, 1], cells = " + cells + ", element = \"tetrahedron\" }\n[model]\n" + model +
         more;
}
const char* const grid_heat = "name = \"heat\"\norder = 1\n[initial]\nT = \"sin(2*x+y)\"\n[source]\nT = \"x*cos(3*t)\"\n[time]\n"
                              "steps = 2\ndt = 0.01\n[solver]\nform = \"grid\"\n";
const char* const grid_poisson = "name = \"poisson\"\norder = 1\n[source]\nu = \"x\"\n[solver]\nform = \"grid\"\n"
                                 "[boundary]\nzmin = { kind = \"dirichlet\", u = 0 }\n";
const char* const discontinuous = "name = \"poisson\"\norder = 2\nfamily = \"discontinuous\"\n[source]\nu = \"x\"\n[boundary]\n"
                                  "zmin = { kind = \"dirichlet\", u = 0 }\n";

struct HeatInParts {
  std::string name, toml;
  // Exchanges with nothing to do meanwhile: on the fixed grid those that end a step, and those of a new diagonal.
  std::int64_t waits = 0;
};
void PrintTo(const HeatInParts& parts, std::ostream* out) { *out << parts.name; }

class HiddenHeat : public testing::TestWithParam<HeatInParts> {};

// Products, right-hand sides and the diagonal: all of them send what ranks share before the rest is done.
TEST_P(HiddenHeat, ExchangeIsNotWaitedForWhereItArrivesDuringTheWorkInside) {
  on_ranks(2, [&](Ranks& ranks) {
    Seen seen;
    LateRanks late(ranks, seen);
    const auto device = open_device("cpu:1");
    HeatSimulation run(parse_case(GetParam().toml, "test.toml"), *device, late);
    ASSERT_NE(run.exchange(), nullptr);
    const HaloTimes before = run.exchange()->times();
    seen = {};  // the mesh and the first temperatures were sent as well
    run.finish();
    const HaloTimes after = run.exchange()->times();
    EXPECT_GE(seen.started - seen.waited, run.iterations());
    EXPECT_EQ(after.exchanges - before.exchanges, seen.started);
    EXPECT_EQ(seen.waited, GetParam().waits);
    EXPECT_EQ(after.waiting > before.waiting, seen.waited > 0);
    EXPECT_GT(after.flying - before.flying, after.waiting - before.waiting);
  });
}

INSTANTIATE_TEST_SUITE_P(
    Forms, HiddenHeat,
    testing::Values(HeatInParts{"linear", heat_case("[64, 64]", 1)}, HeatInParts{"cubic", heat_case("[24, 24]", 3)},
                    HeatInParts{"vertices", heat_case("[48, 48]", 2, "[solver]\nform = \"vertices\"\n")},
                    HeatInParts{"grid", box_case("[40, 40, 24]", grid_heat, ""), 3},
                    HeatInParts{"grid_expressions", box_case("[40, 40, 24]", grid_heat, "[material]\nk = \"1+x*z\"\n"), 3},
                    // In the general iteration.
                    HeatInParts{"grid_transfer",
                                box_case("[40, 40, 24]", grid_heat, "[boundary]\nxmax = { kind = \"robin\", h = 3, T = 0.5 }\n"), 2},
                    HeatInParts{"grid_periodic",
                                "[mesh]\nbox = { low = [0, 0, 0], high = [1, 1, 1], cells = [40, 40, 24], element = \"tetrahedron\", "
                                "periodic = [true, true, true] }\n[model]\n" + std::string(grid_heat), 3},
                    HeatInParts{"grid_poisson", box_case("[40, 40, 24]", grid_poisson, ""), 2},
                    HeatInParts{"discontinuous", box_case("[6, 6, 12]", discontinuous, "")}),
    [](const testing::TestParamInfo<HeatInParts>& test) { return test.param.name; });

// Nothing inside to be done: then the neighbour is waited for, and the times say so.
TEST(NotHidden, ExchangeIsWaitedForWhereThereIsNoWorkInside) {
  on_ranks(2, [&](Ranks& ranks) {
    Seen seen;
    LateRanks late(ranks, seen);
    const auto device = open_device("cpu:1");
    Simulation run(parse_case(families("[2, 1]", 3).front().toml, "test.toml"), *device, late);
    seen = {};
    run.advance(run.end());
    EXPECT_EQ(seen.waited, seen.started);
    EXPECT_GT(run.dg().halo()->times().waiting, 0);
    EXPECT_LT(run.dg().halo()->times().hidden(), 1);
  });
}

class HeatNotHidden : public testing::TestWithParam<HeatInParts> {};

TEST_P(HeatNotHidden, ExchangeIsWaitedForWhereThereIsNoWorkInside) {
  on_ranks(2, [&](Ranks& ranks) {
    Seen seen;
    LateRanks late(ranks, seen);
    const auto device = open_device("cpu:1");
    HeatSimulation run(parse_case(GetParam().toml, "test.toml"), *device, late);
    seen = {};
    run.finish();
    EXPECT_GT(seen.started, 0);
    EXPECT_EQ(seen.waited, seen.started);
    EXPECT_GT(run.exchange()->times().waiting, 0);
  });
}

INSTANTIATE_TEST_SUITE_P(Forms, HeatNotHidden,
                         testing::Values(HeatInParts{"elements", heat_case("[2, 1]", 1)},
                                         HeatInParts{"grid", box_case("[2, 2, 2]", grid_heat, "")},
                                         HeatInParts{"discontinuous", box_case("[1, 1, 2]", discontinuous, "")}),
                         [](const testing::TestParamInfo<HeatInParts>& test) { return test.param.name; });

}  // namespace
}  // namespace swell
