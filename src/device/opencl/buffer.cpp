// SPDX-License-Identifier: Apache-2.0
#include "device/opencl/buffer.hpp"

#include "base/error.hpp"
#include "device/timed_copy.hpp"

#include <algorithm>
#include <array>

namespace swell {
namespace {

// Padding behind the end, as on the CPU, so that prefetches and whole groups at the last items stay inside.
constexpr std::size_t slack_bytes = 4096;
constexpr std::size_t unit_bytes = 128;
constexpr double gib(double bytes) { return bytes / (std::size_t(1) << 30); }

// Error codes of drivers that are out of memory; some report it only when the buffer is first written.
bool is_memory_short(opencl::Result result) {
  return result == opencl::memory_allocation_failure || result == opencl::out_of_resources ||
         result == opencl::out_of_host_memory;
}

}  // namespace

OpenclBuffer::OpenclBuffer(std::shared_ptr<OpenclState> state, std::size_t bytes, std::string_view label)
    : state_(std::move(state)), label_(label), bytes_(bytes), whole_bytes_(0), memory_(nullptr, nullptr) {
  DeviceCounters& counters = state_->counters;
  const auto most = static_cast<std::size_t>(state_->largest_allocation);
  const auto room = static_cast<std::size_t>(state_->memory - std::min(state_->memory, counters.bytes));
  const double used = gib(static_cast<double>(counters.bytes)), wanted = gib(static_cast<double>(bytes));
  const double memory = gib(static_cast<double>(state_->memory));
  const auto no_room = [&] {
    return RunError("there is no memory for {} ({:.3g} GiB): {:.3g} of the device's {:.3g} GiB are already used by "
                    "this run", label_, wanted, used, memory);
  };
  constexpr std::size_t more = slack_bytes + unit_bytes;
  if (bytes > room || room - bytes < more) throw no_room();
  if (bytes > most || most - bytes < more)
    throw RunError("there is no memory for {} ({:.3g} GiB): one array on this device has at most {:.3g} GiB", label_,
                   wanted, gib(static_cast<double>(most)));
  whole_bytes_ = (bytes + slack_bytes + unit_bytes - 1) / unit_bytes * unit_bytes;
  opencl::Result result = opencl::success;
  memory_ = {state_->api->CreateBuffer(state_->context.get(), opencl::memory_read_write, whole_bytes_, nullptr, &result),
             state_->api->ReleaseMemObject};
  if (result == opencl::success) result = enqueue_zeros();
  if (is_memory_short(result)) throw no_room();
  opencl::check(result, "clCreateBuffer");
  ++counters.allocations;
  counters.bytes += static_cast<std::int64_t>(bytes);
}

OpenclBuffer::~OpenclBuffer() { state_->counters.bytes -= static_cast<std::int64_t>(bytes_); }

void OpenclBuffer::check_range(std::size_t bytes, std::size_t offset) const {
  if (offset > bytes_ || bytes > bytes_ - offset)
    throw std::logic_error(fmt::format("{} bytes at {} are outside of the buffer '{}' of {} bytes", bytes, offset,
                                       label_, bytes_));
}

void OpenclBuffer::write(const void* from, std::size_t bytes, std::size_t offset) {
  check_range(bytes, offset);
  const TimedCopy counted(state_->counters.copies, state_->counters.sent, bytes);
  if (bytes > 0)
    opencl::check(state_->api->EnqueueWriteBuffer(state_->queue.get(), memory_.get(), opencl::yes, offset, bytes, from, 0,
                                                  nullptr, nullptr), "clEnqueueWriteBuffer");
}

void OpenclBuffer::read(void* to, std::size_t bytes, std::size_t offset) const {
  check_range(bytes, offset);
  const TimedCopy counted(state_->counters.copies, state_->counters.received, bytes);
  if (bytes > 0)
    opencl::check(state_->api->EnqueueReadBuffer(state_->queue.get(), memory_.get(), opencl::yes, offset, bytes, to, 0,
                                                 nullptr, nullptr), "clEnqueueReadBuffer");
}

opencl::Result OpenclBuffer::enqueue_zeros() {
  constexpr std::array<std::uint32_t, 4> zeros{};
  return state_->api->EnqueueFillBuffer(state_->queue.get(), memory_.get(), zeros.data(), sizeof zeros, 0, whole_bytes_,
                                        0, nullptr, nullptr);
}

void OpenclBuffer::fill_zero() { opencl::check(enqueue_zeros(), "clEnqueueFillBuffer"); }

}  // namespace swell
