// SPDX-License-Identifier: Apache-2.0
#include "dg/monitor.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dg/model.hpp"

namespace swell {

namespace {

// Chunks of the first level: enough for every thread of a GPU; on a CPU enough for its threads to share evenly. Fixed
// numbers, so that sums do not depend on the machine's size.
constexpr std::int64_t most_chunks_simt = 65536, most_chunks = 256;
constexpr std::int64_t fewest_values = 16;  // of a chunk: the levels behind the first should stay small
constexpr std::int64_t few_chunks_simt = 256, few_chunks = 16;

}  // namespace

Monitor::Monitor(Device& device, Precision precision, std::size_t ranges) : device_(device), precision_(precision) {
  const auto room = static_cast<std::size_t>(device.info().threads_are_lanes ? most_chunks_simt : most_chunks) * ranges;
  program_ = device.compile(
      {"reduce",
       fmt::format("#define DOUBLES {}\n{}", device.info().doubles ? 1 : 0, kernel_texts("kernels/reduce.h")),
       {"sum_values", "sum_totals", "watch", "lowest_found", "judge"},
       precision,
       false});
  // Sums and indices in turn: both fit into 8 bytes.
  many_ = device.allocate(room * sizeof(std::int64_t), "partial results");
  few_ = device.allocate(few_chunks_simt * sizeof(std::int64_t), "partial results");
  verdict_ = device.allocate(2 * sizeof(std::int64_t), "the watch's verdict");
}

std::int64_t Monitor::chunks(const Range& range) const {
  const auto most = device_.info().threads_are_lanes ? most_chunks_simt : most_chunks;
  return std::clamp<std::int64_t>(range.count / fewest_values, 1, most);
}

std::size_t Monitor::total_bytes() const { return device_.info().doubles ? sizeof(double) : bytes_of(precision_); }

void Monitor::sum(const Buffer& values, const std::vector<Range>& ranges, Buffer& log, std::int64_t place) {
  std::int64_t filled = 0;
  const auto word = static_cast<double>(bytes_of(precision_)), wide = static_cast<double>(total_bytes());
  for (const Range& range : ranges) {
    const auto n = chunks(range);
    device_.queue().launch(program_->kernel("sum_values"), n, {values, *many_, range.first, range.count, n, filled},
                           {word * static_cast<double>(range.count), static_cast<double>(range.count)});
    filled += n;
  }
  const auto few = std::min(filled, device_.info().threads_are_lanes ? few_chunks_simt : few_chunks);
  const auto work = [&](std::int64_t count) {
    return Work{wide * static_cast<double>(count), static_cast<double>(count)};
  };
  device_.queue().launch(program_->kernel("sum_totals"), few, {*many_, *few_, filled, few, std::int64_t{0}},
                         work(filled));
  device_.queue().launch(program_->kernel("sum_totals"), 1, {*few_, log, few, std::int64_t{1}, place}, work(few));
}

std::unique_ptr<Buffer> Monitor::make_log(std::int64_t places) const {
  return device_.allocate(static_cast<std::size_t>(places) * total_bytes(), "a log of sums");
}

std::vector<double> Monitor::read_log(const Buffer& log, std::int64_t places) const {
  device_.queue().finish();
  const auto count = static_cast<std::size_t>(places);
  std::vector<double> values(count);
  if (total_bytes() == sizeof(double)) {
    log.read(values.data(), count * sizeof(double));
  } else {
    std::vector<float> single(count);
    log.read(single.data(), count * sizeof(float));
    std::copy(single.begin(), single.end(), values.begin());
  }
  return values;
}

void Monitor::watch(const Buffer& values, const std::vector<Range>& ranges, std::int64_t step) {
  std::int64_t filled = 0;
  const auto word = static_cast<double>(bytes_of(precision_));
  for (const Range& range : ranges) {
    const auto n = chunks(range);
    device_.queue().launch(program_->kernel("watch"), n, {values, *many_, range.first, range.count, n, filled},
                           {word * static_cast<double>(range.count), static_cast<double>(range.count)});
    filled += n;
  }
  const auto few = std::min(filled, device_.info().threads_are_lanes ? few_chunks_simt : few_chunks);
  const auto work = [](std::int64_t count) {
    return Work{static_cast<double>(sizeof(std::int64_t)) * static_cast<double>(count), 0};
  };
  device_.queue().launch(program_->kernel("lowest_found"), few, {*many_, *few_, filled, few}, work(filled));
  device_.queue().launch(program_->kernel("judge"), 1, {*few_, *verdict_, few, step}, work(few));
}

Verdict Monitor::verdict() const {
  device_.queue().finish();
  std::int64_t found[2];
  verdict_->read(found, sizeof found);
  return {found[0] == 0, found[1], found[0] - 1};
}

void Monitor::forget() { verdict_->fill_zero(); }

}  // namespace swell
