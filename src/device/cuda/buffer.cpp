// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/buffer.hpp"

#include "base/error.hpp"
#include "device/timed_copy.hpp"

#include <limits>

namespace swell {
namespace {

// Padding behind the end, so that wide loads at the last items stay inside.
constexpr std::size_t slack_bytes = 4096;

constexpr double gib(double bytes) { return bytes / (std::size_t(1) << 30); }

}  // namespace

CudaBuffer::CudaBuffer(std::shared_ptr<CudaState> state, std::size_t bytes, std::string_view label)
    : state_(std::move(state)), label_(label), bytes_(bytes) {
  const cuda::Driver& driver = *state_->driver;
  state_->make_current();
  const bool countable = bytes <= std::numeric_limits<std::size_t>::max() - slack_bytes;
  const cuda::Result result = countable ? driver.MemAlloc(&address_, bytes + slack_bytes) : cuda::out_of_memory;
  if (result == cuda::out_of_memory) {
    std::size_t available = 0, total = 0;
    driver.check(driver.MemGetInfo(&available, &total), "cuMemGetInfo");
    throw RunError("there is no memory for {} ({:.3g} GiB) on the GPU: {:.3g} of its {:.3g} GiB are free, {:.3g} are "
                   "used by this run", label_, gib(static_cast<double>(bytes)), gib(static_cast<double>(available)),
                   gib(static_cast<double>(total)), gib(static_cast<double>(state_->counters.bytes)));
  }
  driver.check(result, "cuMemAlloc");
  ++state_->counters.allocations;
  state_->counters.bytes += static_cast<std::int64_t>(bytes);
  fill_zero(bytes_ + slack_bytes);
}

CudaBuffer::~CudaBuffer() {
  state_->counters.bytes -= static_cast<std::int64_t>(bytes_);
  // Launches that are under way may still use it. Nothing can be done here about a device that is lost.
  state_->driver->CtxSetCurrent(state_->context);
  state_->driver->StreamSynchronize(state_->stream);
  state_->driver->MemFree(address_);
}

void CudaBuffer::check_range(std::size_t bytes, std::size_t offset) const {
  if (offset > bytes_ || bytes > bytes_ - offset)
    throw std::logic_error(fmt::format("{} bytes at {} are outside of the buffer '{}' of {} bytes", bytes, offset,
                                       label_, bytes_));
}

void CudaBuffer::write(const void* from, std::size_t bytes, std::size_t offset) {
  check_range(bytes, offset);
  const TimedCopy counted(state_->counters.copies, state_->counters.sent, bytes);
  const cuda::Driver& driver = *state_->driver;
  state_->make_current();
  if (bytes > 0)
    driver.check(driver.MemcpyHtoDAsync(address_ + offset, from, bytes, state_->stream), "cuMemcpyHtoDAsync");
  state_->wait();
}

void CudaBuffer::read(void* to, std::size_t bytes, std::size_t offset) const {
  check_range(bytes, offset);
  const TimedCopy counted(state_->counters.copies, state_->counters.received, bytes);
  const cuda::Driver& driver = *state_->driver;
  state_->make_current();
  if (bytes > 0)
    driver.check(driver.MemcpyDtoHAsync(to, address_ + offset, bytes, state_->stream), "cuMemcpyDtoHAsync");
  state_->wait();
}

void CudaBuffer::fill_zero(std::size_t bytes) {
  const cuda::Driver& driver = *state_->driver;
  state_->make_current();
  if (bytes > 0) driver.check(driver.MemsetD8Async(address_, 0, bytes, state_->stream), "cuMemsetD8Async");
}

}  // namespace swell
