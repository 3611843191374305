// SPDX-License-Identifier: Apache-2.0
#include "device/peaks.hpp"

#include "base/error.hpp"
#include "device/machine.hpp"
#include "device/texts.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>
#include <vector>

namespace swell {
namespace {

// A multiply-add takes four or five cycles and two start in each, so that ten or more must be under way; the registers
// also hold the factor and the term. A GPU has other threads to turn to, and more sums spare it turns of the loop.
int accumulators(const DeviceInfo& info) {
  if (info.simt) return 16;
  return info.vector_registers >= 32 ? 24 : 12;
}

// Ways to store: through the caches or by non-temporal stores, where the backend has them.
std::vector<std::string> stage_kernels(const DeviceInfo& info) {
  if (info.backend == "opencl") return {"stage_plain"};
  return {"stage_plain", "stage_stream_state", "stage_stream_both"};
}

std::unique_ptr<Program> compile_peaks(Device& device, Precision precision) {
  const DeviceInfo& info = device.info();
  const std::string text = fmt::format("#define ACCUMULATORS {}\n\n{}", accumulators(info),
                                       device_texts("device/" + info.backend + "/peaks.h"));
  std::vector<std::string> kernels = stage_kernels(info);
  kernels.push_back("multiply_add");
  return device.compile({"peaks", text, kernels, precision, true});
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

// Far more than the caches hold: the size of the processor's is known, a GPU has less than 1 MiB for each of its processors.
std::int64_t stream_bytes(const DeviceInfo& info) {
  constexpr std::int64_t mib = 1 << 20, least = 400 * mib, of_processor = 48 * mib, most = 1024 * mib;
  const std::int64_t wanted = info.simt ? info.processors * of_processor
                                                     : std::clamp(4 * last_cache_bytes(), least, most);
  return std::min(wanted, info.memory / 4);
}

double measure_bandwidth(Device& device) {
  constexpr int arrays = 3, streams = 4, runs = 6;
  const Precision precision = device.info().doubles ? Precision::double_ : Precision::single_;
  const std::int64_t item_bytes = device.lanes(precision) * static_cast<std::int64_t>(bytes_of(precision));
  const std::int64_t items = stream_bytes(device.info()) / arrays / item_bytes;
  const auto bytes = static_cast<std::size_t>(items * item_bytes);
  const auto o_q = device.allocate(bytes, "the bandwidth measurement"),
             o_w = device.allocate(bytes, "the bandwidth measurement"),
             o_r = device.allocate(bytes, "the bandwidth measurement");
  const auto program = compile_peaks(device, precision);
  double best = std::numeric_limits<double>::infinity();
  for (const std::string& name : stage_kernels(device.info())) {
    const Kernel& kernel = program->kernel(name);
    best = std::min(best, best_seconds(device.queue(), runs, [&] {
      device.queue().launch(kernel, items, {*o_q, *o_w, *o_r, Argument::real(0.5), Argument::real(0.25)});
    }));
  }
  return streams * static_cast<double>(bytes) / best;
}

double measure_fma(Device& device, Precision precision) {
  const DeviceInfo& info = device.info();
  if (precision == Precision::double_ && !info.doubles) return 0;
  constexpr int runs = 10, threads_of_processor = 2048;
  constexpr std::int64_t first_repeats = 1000, most_repeats = 1'000'000;
  constexpr double wanted_seconds = 0.02;
  const auto program = compile_peaks(device, precision);
  const std::int64_t items = info.simt ? info.processors * std::int64_t(threads_of_processor) : info.threads;
  const int lanes = device.lanes(precision);
  const auto o_out = device.allocate(static_cast<std::size_t>(items) * lanes * bytes_of(precision), "the peak measurement");
  const auto seconds = [&](std::int64_t repeats, int times) {
    return best_seconds(device.queue(), times, [&] {
      device.queue().launch(program->kernel("multiply_add"), items,
                            {*o_out, Argument::real(0.5), Argument::real(0.25), repeats});
    });
  };
  // A first trial says how many repeats take long enough for the start to be nothing; the first launch loads the kernel.
  const double trial = seconds(first_repeats, 2) / first_repeats;
  const auto repeats = std::clamp(static_cast<std::int64_t>(wanted_seconds / trial), first_repeats, most_repeats);
  return 2.0 * accumulators(info) * lanes * static_cast<double>(repeats * items) / seconds(repeats, runs);
}

// Operations that a product of one warp replaces: 16 x 8 sums over 4 columns in double, over 8 in single precision.
constexpr double product_operations(Precision precision) { return 2.0 * 16 * 8 * (precision == Precision::double_ ? 4 : 8); }

double measure_tensor(Device& device, Precision precision) {
  const DeviceInfo& info = device.info();
  if (info.backend != "cuda" || info.tensor_cores == 0) return 0;
  constexpr int products = 8, warps = 8, threads = 32 * warps, groups_of_processor = 2, runs = 10;
  constexpr std::int64_t repeats = 20000;  // 10 to 20 ms on an H200
  ProgramText text{"matrix-peak", fmt::format("#define ACCUMULATORS {}\n\n{}", products,
                                              device_texts("device/cuda/matrix_peak.h")),
                   {"matrix_products"}, precision};
  text.group = threads;
  const auto program = device.compile(text);
  const std::int64_t items = std::int64_t(info.processors) * groups_of_processor;
  const auto o_out = device.allocate(static_cast<std::size_t>(items) * threads * bytes_of(precision), "the peak measurement");
  const double seconds = best_seconds(device.queue(), runs, [&] {
    device.queue().launch(program->kernel("matrix_products"), items,
                          {*o_out, Argument::real(0.5), Argument::real(0.25), repeats});
  });
  return product_operations(precision) * products * warps * static_cast<double>(repeats * items) / seconds;
}

}  // namespace

Peaks measure_peaks(Device& device) {
  Peaks peaks;
  peaks.bandwidth = measure_bandwidth(device);
  peaks.fma_double = measure_fma(device, Precision::double_);
  peaks.fma_single = measure_fma(device, Precision::single_);
  peaks.tensor_double = measure_tensor(device, Precision::double_);
  peaks.tensor_single = measure_tensor(device, Precision::single_);
  return peaks;
}

Bound bound_of(const Work& work, const Peaks& peaks, Precision precision) {
  const bool wide = precision == Precision::double_;
  const double fma = wide ? peaks.fma_double : peaks.fma_single;
  const double tensor = wide ? peaks.tensor_double : peaks.tensor_single;
  const Bound moved{work.bytes / peaks.bandwidth, "bandwidth"};
  const Bound computed{work.flops / std::max(fma, tensor), tensor > fma ? "tensor" : "fma"};
  return computed.seconds > moved.seconds ? computed : moved;
}

}  // namespace swell
