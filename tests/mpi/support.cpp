// SPDX-License-Identifier: Apache-2.0
#include "support.hpp"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <thread>

#include "comm/launch.hpp"
#include "device/device.hpp"
#include "device/opencl/opencl.hpp"
#include "sim/simulation.hpp"

namespace swell {

Ranks& everybody() { return world(); }

std::string usual_device() {
  const char* wish = std::getenv("SWELL_TEST_DEVICE");
  return wish ? wish : "cpu:1";
}

bool has_opencl() {
  static const bool usable = [] {
    for (const DeviceChoice& choice : opencl_choices())
      if (choice.usable) return true;
    return false;
  }();
  return usable;
}

namespace {

// Ends this process, and with it all ranks, unless it is destroyed in time.
class Patience {
 public:
  explicit Patience(std::chrono::seconds limit)
      : thread_([limit](const std::stop_token& enough) {
          std::mutex mutex;
          std::unique_lock lock(mutex);
          std::condition_variable_any never;
          if (never.wait_for(lock, enough, limit, [&] { return enough.stop_requested(); })) return;
          std::fputs("The other ranks still wait for the one that failed: all are ended.\n", stderr);
          std::_Exit(1);
        }) {}

 private:
  std::jthread thread_;
};

// Failures only, with the rank that saw them: only the first rank prints all.
class FailurePrinter : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo& test) override { test_ = fmt::format("{}.{}", test.test_suite_name(), test.name()); }
  void OnTestPartResult(const testing::TestPartResult& part) override {
    if (part.failed())
      fmt::print(stderr, "{} failed on rank {}, {}:{}: {}\n", test_, everybody().rank(), part.file_name() ? part.file_name() : "",
                 part.line_number(), part.message());
  }
  std::string test_;
};

}  // namespace

// A rank that left its work early does not come to where the others wait for it.
void on_ranks(int count, const std::function<void(Ranks&)>& work) {
  const bool takes_part = everybody().rank() < count;
  const auto some = everybody().split(takes_part ? 1 : 0);
  std::optional<Patience> patience;
  try {
    if (takes_part) work(*some);
  } catch (const std::exception& error) {
    [&] { FAIL() << error.what(); }();
  }
  if (testing::Test::HasFatalFailure()) patience.emplace(std::chrono::seconds(30));
  everybody().barrier();
}

void PrintTo(const NamedCase& named, std::ostream* out) { *out << named.name; }

std::string name_of(const testing::TestParamInfo<NamedCase>& test) { return test.param.name; }

std::vector<NamedCase> families(const std::string& cells, int steps) {
  const auto of = [&](const std::string& model, const std::string& field, const std::string& more = "") {
    return fmt::format("[mesh]\nbox = {{ low = [0, 0], high = [1, 1], cells = {} }}\n[initial]\n{} = \"sin(2*x+y)*cos(y-x*x)\"\n"
                       "[time]\nsteps = {}\n{}[model]\nname = \"{}\"\norder = 2\n", cells, field, steps, more, model);
  };
  const std::string ader = "scheme = \"ader\"\n", modal = "family = \"modal\"\n";
  const std::string moving = "[material]\nax = \"1+y\"\n[levelset]\nthickness = 0.2\nevery = 2\ntolerance = 0\n";
  return {{"nodal", of("acoustics", "p")},
          {"nodal_ader", of("acoustics", "p", ader)},
          {"modal", of("acoustics", "p") + modal},
          {"modal_ader", of("acoustics", "p", ader) + modal},
          {"levelset", of("levelset", "G", moving)}};
}

Outcome outcome(const std::string& toml, const std::string& device, Ranks& ranks) {
  const auto processor = open_device(device);
  Simulation simulation(parse_case(toml, "test.toml", {}, SWELL_SOURCE_DIR "/tests/data/mesh"), *processor, ranks);
  simulation.advance(simulation.end());
  Outcome result;
  const Operator& dg = simulation.dg();
  simulation.dg().states().read_state(simulation.state(), [&](std::int64_t cell, const double* values) {
    result.cells.push_back(simulation.mesh().number_of(cell));
    result.values.emplace_back(values, values + dg.element().node_count * dg.fields());
  });
  result.dt = simulation.dt();
  result.energy = simulation.energy();
  const ErrorNorms norms = simulation.errors();
  for (const auto* list : {&norms.l1, &norms.l2, &norms.linf}) result.errors.insert(result.errors.end(), list->begin(), list->end());
  result.errors.push_back(norms.total_l2);
  result.elements = simulation.elements();
  result.compiles = processor->counters().compiles;
  return result;
}

}  // namespace swell

int main(int count, char** words) {
  const swell::Launch launch(&count, &words);
  if (launch.ranks().single()) {
    std::puts("The tests of several ranks need mpirun and a build with MPI: skipped.");
    return 77;
  }
  testing::InitGoogleTest(&count, words);
  if (!launch.ranks().first()) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new swell::FailurePrinter);
  }
  const int failed = RUN_ALL_TESTS();
  return launch.ranks().any(failed != 0) ? 1 : 0;
}
