// SPDX-License-Identifier: Apache-2.0
#include "dg/monitor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "base/exact_sum.hpp"
#include "model/model.hpp"

namespace swell {

namespace {

// Chunks of the first level: enough for every thread of a GPU; on a CPU enough for its threads to share evenly. Sums have
// fewer, since each keeps many entries.
constexpr std::int64_t most_chunks_simt = 65536, most_chunks = 256, most_sums = 4096;
constexpr std::int64_t fewest_values = 16;  // of a chunk: the levels behind the first should stay small
constexpr std::int64_t few_chunks_simt = 256, few_chunks = 16;

// Digits of 32 bits below and above the point (kernels/shared/reduce.h): in double from 2^-256 to 2^256, room for all energies
// in whatever units; where there are only floats, from 2^-96 to the largest of them.
struct Digits {
  std::int64_t low, high;
};
constexpr Digits digits_double{8, 8}, digits_single{3, 4};

Digits digits(const Device& device) { return device.info().doubles ? digits_double : digits_single; }

std::int64_t entries_of(const Device& device) { return digits(device).low + digits(device).high + 1; }

// Numbers of the first level and of the second: sums and indices in turn.
std::array<std::int64_t, 2> level_sizes(const Device& device, std::size_t ranges) {
  const bool simt = device.info().simt;
  const std::int64_t indices = simt ? most_chunks_simt : most_chunks, sums = simt ? most_sums : most_chunks;
  return {std::max(indices, sums * entries_of(device)) * static_cast<std::int64_t>(ranges), few_chunks_simt * entries_of(device)};
}

}  // namespace

Monitor::Monitor(Device& device, Precision precision, std::size_t ranges) : device_(device), precision_(precision) {
  program_ = device.compile({"reduce",
                             fmt::format("#define DOUBLES {}\n#define LOW {}\n#define HIGH {}\n{}",
                                         device.info().doubles ? 1 : 0, digits(device).low, digits(device).high,
                                         kernel_texts("kernels/shared/reduce.h")),
                             {"sum_values", "sum_totals", "watch", "watch_marks", "lowest_found", "judge"},
                             precision,
                             false});
  const auto [many, few] = level_sizes(device, ranges);
  many_ = device.allocate(static_cast<std::size_t>(many) * sizeof(std::int64_t), "partial results");
  few_ = device.allocate(static_cast<std::size_t>(few) * sizeof(std::int64_t), "partial results");
  verdict_ = device.allocate(2 * sizeof(std::int64_t), "the watch's verdict");
}

std::int64_t Monitor::bytes(const Device& device, std::size_t ranges) {
  const auto [many, few] = level_sizes(device, ranges);
  return (many + few + 2) * static_cast<std::int64_t>(sizeof(std::int64_t));
}

std::int64_t Monitor::chunks(std::int64_t count) const {
  const auto most = device_.info().simt ? most_chunks_simt : most_chunks;
  return std::clamp<std::int64_t>(count / fewest_values, 1, most);
}

std::int64_t Monitor::entries() const { return entries_of(device_); }

void Monitor::sum(const Buffer& values, const std::vector<Range>& ranges, Buffer& log, std::int64_t place) {
  std::int64_t filled = 0;
  const auto word = static_cast<double>(bytes_of(precision_)), each = static_cast<double>(entries());
  for (const Range& range : ranges) {
    const auto n = std::min(chunks(range.count), most_sums);
    const auto count = static_cast<double>(range.count);
    device_.queue().launch(program_->kernel("sum_values"), n, {values, *many_, range.first, range.count, n, filled},
                           {word * count, 4 * each * count});
    filled += n;
  }
  const auto few = std::min(filled, device_.info().simt ? few_chunks_simt : few_chunks);
  const auto work = [&](std::int64_t count) {
    return Work{static_cast<double>(sizeof(std::int64_t)) * each * static_cast<double>(count), 0};
  };
  device_.queue().launch(program_->kernel("sum_totals"), few * entries(), {*many_, *few_, filled, few, std::int64_t{0}},
                         work(filled));
  device_.queue().launch(program_->kernel("sum_totals"), entries(), {*few_, log, few, std::int64_t{1}, place}, work(few));
}

std::unique_ptr<Buffer> Monitor::make_log(std::int64_t places) const {
  return device_.allocate(static_cast<std::size_t>(places * entries()) * sizeof(std::int64_t), "a log of sums");
}

std::vector<double> Monitor::read_log(const Buffer& log, std::int64_t places, Ranks& ranks) const {
  device_.queue().finish();
  const auto each = static_cast<std::size_t>(entries());
  std::vector<std::int64_t> all(static_cast<std::size_t>(places) * each);
  log.read(all.data(), all.size() * sizeof(std::int64_t));
  ranks.sum(all);
  std::vector<double> values;
  for (std::size_t i = 0; i < all.size(); i += each) {
    ExactSum sum;
    sum.add_digits(std::span(all).subspan(i, each - 1), -digits(device_).low);
    if (all[i + each - 1] > 0) sum.add(std::numeric_limits<double>::quiet_NaN());
    values.push_back(sum.value());
  }
  return values;
}

void Monitor::watch(const Buffer& values, const std::vector<Range>& ranges, std::int64_t step) {
  std::int64_t filled = 0;
  const auto word = static_cast<double>(bytes_of(precision_));
  for (const Range& range : ranges) {
    const auto n = chunks(range.count);
    device_.queue().launch(program_->kernel("watch"), n, {values, *many_, range.first, range.count, n, filled},
                           {word * static_cast<double>(range.count), static_cast<double>(range.count)});
    filled += n;
  }
  judge(filled, step);
}

void Monitor::watch(const Buffer& values, const Buffer& marks, std::int64_t elements, std::int64_t width,
                    std::int64_t numbers, std::int64_t step) {
  const auto n = chunks(elements);
  device_.queue().launch(program_->kernel("watch_marks"), n, {values, marks, *many_, elements, n, width, numbers},
                         {static_cast<double>(bytes_of(precision_)) * static_cast<double>(elements), 0});
  judge(n, step);
}

void Monitor::judge(std::int64_t filled, std::int64_t step) {
  const auto few = std::min(filled, device_.info().simt ? few_chunks_simt : few_chunks);
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
