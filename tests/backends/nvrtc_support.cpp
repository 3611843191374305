// SPDX-License-Identifier: Apache-2.0
#include "nvrtc_support.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "base/error.hpp"
#include "device/cuda/cuda.hpp"

namespace swell {
namespace {

constexpr int hopper = 90;

class Tally final : public testing::Environment {
 public:
  void TearDown() override {
    if (!skipped.empty()) fmt::print("CUDA kernel sources: skipped: {}\n", skipped);
    if (!sources.empty())
      fmt::print("CUDA kernel sources: {} compiled for sm_{}, {} of them in this run, the others came from the cache\n",
                 sources.size(), hopper, compiles);
  }
  std::set<std::string> sources;
  std::int64_t compiles = 0;
  std::string skipped;
};

Tally* const tally = static_cast<Tally*>(testing::AddGlobalTestEnvironment(new Tally));

class NotedNvrtc final : public Device {
 public:
  const DeviceInfo& info() const override { return inner_->info(); }
  std::unique_ptr<Buffer> allocate(std::size_t bytes, std::string_view label) override { return inner_->allocate(bytes, label); }
  std::unique_ptr<Window> window(Buffer& buffer, bool direct) override { return inner_->window(buffer, direct); }
  std::unique_ptr<Program> compile(const ProgramText& text) override {
    const std::int64_t before = counters().compiles;
    auto program = inner_->compile(text);
    tally->sources.insert(fmt::format("{} {} {}", bytes_of(text.precision), text.group, text.text));
    tally->compiles += counters().compiles - before;
    return program;
  }
  Queue& queue() override { return inner_->queue(); }
  const DeviceCounters& counters() const override { return inner_->counters(); }
  int lanes(Precision precision) const override { return inner_->lanes(precision); }

 private:
  std::unique_ptr<Device> inner_ = open_nvrtc_only(hopper);
};

}  // namespace

std::unique_ptr<Device> open_noted_nvrtc() {
  try {
    return std::make_unique<NotedNvrtc>();
  } catch (const RunError& absent) {
    tally->skipped = absent.what();
    throw;
  }
}

}  // namespace swell
