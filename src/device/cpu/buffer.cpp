// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/buffer.hpp"

#include "base/error.hpp"
#include "device/timed_copy.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace swell {
namespace {

constexpr std::size_t line_bytes = 64;
constexpr std::size_t page_bytes = 4096;
constexpr std::size_t huge_page_bytes = std::size_t(2) << 20;
// Padding behind the end, so that prefetches and whole vectors at the last items stay inside.
constexpr std::size_t slack_bytes = 4096;

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }
constexpr double gib(double bytes) { return bytes / (std::size_t(1) << 30); }

std::byte* allocate_aligned(std::size_t bytes) {
  const bool large = bytes >= 2 * huge_page_bytes;
  const std::size_t unit = large ? huge_page_bytes : line_bytes;
  const std::size_t whole = round_up(bytes, unit);
  void* data = std::aligned_alloc(unit, whole);
  // A hint only: where the system has no huge pages to give, small ones serve.
  if (data && large) madvise(data, whole, MADV_HUGEPAGE);
  return static_cast<std::byte*>(data);
}

}  // namespace

CpuBuffer::CpuBuffer(std::shared_ptr<CpuState> state, std::size_t bytes, std::string_view label, std::int64_t memory)
    : state_(std::move(state)), label_(label), bytes_(bytes), data_(nullptr) {
  DeviceCounters& counters = state_->counters;
  const auto room = static_cast<std::size_t>(memory - std::min(memory, counters.bytes));
  if (bytes <= room && room - bytes >= slack_bytes) data_ = allocate_aligned(bytes + slack_bytes);
  if (!data_)
    throw RunError("there is no memory for {} ({:.3g} GiB): {:.3g} of the machine's {:.3g} GiB are already used by "
                   "this run", label_, gib(static_cast<double>(bytes)), gib(static_cast<double>(counters.bytes)),
                   gib(static_cast<double>(memory)));
  ++counters.allocations;
  counters.bytes += static_cast<std::int64_t>(bytes);
  fill_zero();
  std::memset(data_ + bytes_, 0, slack_bytes);
}

CpuBuffer::~CpuBuffer() {
  state_->counters.bytes -= static_cast<std::int64_t>(bytes_);
  std::free(data_);
}

void CpuBuffer::check_range(std::size_t bytes, std::size_t offset) const {
  if (offset > bytes_ || bytes > bytes_ - offset)
    throw std::logic_error(fmt::format("{} bytes at {} are outside of the buffer '{}' of {} bytes", bytes, offset,
                                       label_, bytes_));
}

void CpuBuffer::write(const void* from, std::size_t bytes, std::size_t offset) {
  check_range(bytes, offset);
  const TimedCopy counted(state_->counters.copies, state_->counters.sent, bytes);
  if (bytes > 0) std::memcpy(data_ + offset, from, bytes);
}

void CpuBuffer::read(void* to, std::size_t bytes, std::size_t offset) const {
  check_range(bytes, offset);
  const TimedCopy counted(state_->counters.copies, state_->counters.received, bytes);
  if (bytes > 0) std::memcpy(to, data_ + offset, bytes);
}

// The pool touches the memory page by page: each thread then has the part of its own items in its own NUMA node.
void CpuBuffer::fill_zero() {
  const auto pages = static_cast<std::int64_t>(round_up(bytes_, page_bytes) / page_bytes);
  const auto zero = [this](std::int64_t begin, std::int64_t end) {
    const std::size_t from = static_cast<std::size_t>(begin) * page_bytes;
    const std::size_t to = std::min(bytes_, static_cast<std::size_t>(end) * page_bytes);
    std::memset(data_ + from, 0, to - from);
  };
  state_->pool.parallel_for(pages, zero);
}

}  // namespace swell
