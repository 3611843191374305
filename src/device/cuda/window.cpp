// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/window.hpp"

#include "device/cuda/buffer.hpp"
#include "device/timed_copy.hpp"

namespace swell {

CudaWindow::CudaWindow(std::shared_ptr<CudaState> state, Buffer& buffer, bool direct)
    : state_(std::move(state)), address_(CudaBuffer::address_of(buffer)), direct_(direct) {
  const cuda::Driver& driver = *state_->driver;
  state_->make_current();
  void* memory = reinterpret_cast<void*>(address_);
  if (!direct_) driver.check(driver.MemHostAlloc(&memory, buffer.bytes(), 0), "cuMemHostAlloc");
  bytes_ = {static_cast<std::byte*>(memory), buffer.bytes()};
  driver.check(driver.EventCreate(&fetched_, cuda::event_without_times), "cuEventCreate");
}

CudaWindow::~CudaWindow() {
  // Copies that are under way end first. Nothing can be done here about a device that is lost.
  const cuda::Driver& driver = *state_->driver;
  driver.CtxSetCurrent(state_->context);
  driver.StreamSynchronize(state_->stream);
  driver.EventDestroy(fetched_);
  if (!direct_) driver.MemFreeHost(bytes_.data());
}

void CudaWindow::fetch() {
  const cuda::Driver& driver = *state_->driver;
  state_->make_current();
  if (!direct_) {
    const TimedCopy counted(state_->counters.copies, state_->counters.received, bytes_.size());
    driver.check(driver.MemcpyDtoHAsync(bytes_.data(), address_, bytes_.size(), state_->stream), "cuMemcpyDtoHAsync");
  }
  driver.check(driver.EventRecord(fetched_, state_->stream), "cuEventRecord");
}

void CudaWindow::wait() {
  state_->make_current();
  state_->driver->check(state_->driver->EventSynchronize(fetched_), "cuEventSynchronize");
  ++state_->counters.waits;
}

void CudaWindow::store() {
  if (direct_) return;
  const cuda::Driver& driver = *state_->driver;
  state_->make_current();
  const TimedCopy counted(state_->counters.copies, state_->counters.sent, bytes_.size());
  driver.check(driver.MemcpyHtoDAsync(address_, bytes_.data(), bytes_.size(), state_->stream), "cuMemcpyHtoDAsync");
}

}  // namespace swell
