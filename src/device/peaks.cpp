// SPDX-License-Identifier: Apache-2.0
#include "device/peaks.hpp"

#include "base/error.hpp"
#include "device/cpu/machine.hpp"
#include "device/texts.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

namespace swell {
namespace {

// A multiply-add takes four or five cycles and two start in each, so that ten or more must be under way; the registers
// also hold the factor and the term.
int accumulators(const DeviceInfo& info) { return info.vector_registers >= 32 ? 24 : 12; }

std::unique_ptr<Program> compile_peaks(Device& device, Precision precision) {
  const std::string text = fmt::format("#define ACCUMULATORS {}\n\n{}", accumulators(device.info()),
                                       device_texts("device/" + device.info().backend + "/peaks.h"));
  return device.compile({"peaks", text, {"stage_plain", "stage_stream_state", "stage_stream_both", "multiply_add"},
                         precision, true});
}

// The shortest of several runs: what disturbs a run only makes it longer. On a slow or busy machine fewer runs do.
constexpr double most_seconds = 0.3;

template <class Action>
double best_seconds(Queue& queue, int runs, Action action) {
  double best = std::numeric_limits<double>::infinity(), spent = 0;
  for (int n = 0; n < runs && spent < most_seconds; ++n) {
    const auto start = std::chrono::steady_clock::now();
    action();
    queue.finish();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    best = std::min(best, seconds);
    spent += seconds;
  }
  return best;
}

double measure_bandwidth(Device& device) {
  constexpr std::int64_t least = std::int64_t(400) << 20, most = std::int64_t(1) << 30;
  constexpr int arrays = 3, streams = 4, runs = 6;
  const std::int64_t wanted = std::clamp(4 * last_cache_bytes(), least, most);
  const std::int64_t total = std::min(wanted, device.info().memory / 4);
  const std::int64_t vector_bytes = device.lanes(Precision::double_) * std::int64_t(sizeof(double));
  const std::int64_t items = total / arrays / vector_bytes;
  const auto bytes = static_cast<std::size_t>(items * vector_bytes);
  const auto o_q = device.allocate(bytes, "the bandwidth measurement"),
             o_w = device.allocate(bytes, "the bandwidth measurement"),
             o_r = device.allocate(bytes, "the bandwidth measurement");
  const auto program = compile_peaks(device, Precision::double_);
  double best = std::numeric_limits<double>::infinity();
  for (const char* name : {"stage_plain", "stage_stream_state", "stage_stream_both"}) {
    const Kernel& kernel = program->kernel(name);
    best = std::min(best, best_seconds(device.queue(), runs, [&] {
      device.queue().launch(kernel, items, {*o_q, *o_w, *o_r, Argument::real(0.5), Argument::real(0.25)});
    }));
  }
  return streams * static_cast<double>(bytes) / best;
}

double measure_fma(Device& device, Precision precision) {
  constexpr std::int64_t repeats = 1'000'000;  // about 5 ms on a fast core, 50 on a slow one
  constexpr int runs = 10;
  const auto program = compile_peaks(device, precision);
  const std::int64_t items = device.info().threads;
  const int lanes = device.lanes(precision);
  const auto bytes = static_cast<std::size_t>(items) * lanes * bytes_of(precision);
  const auto o_out = device.allocate(bytes, "the peak measurement");
  const double seconds = best_seconds(device.queue(), runs, [&] {
    device.queue().launch(program->kernel("multiply_add"), items,
                          {*o_out, Argument::real(0.5), Argument::real(0.25), repeats});
  });
  return 2.0 * accumulators(device.info()) * lanes * static_cast<double>(repeats * items) / seconds;
}

}  // namespace

Peaks measure_peaks(Device& device) {
  return {measure_bandwidth(device), measure_fma(device, Precision::double_), measure_fma(device, Precision::single_)};
}

}  // namespace swell
