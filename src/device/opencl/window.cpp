// SPDX-License-Identifier: Apache-2.0
#include "device/opencl/window.hpp"

#include "device/opencl/buffer.hpp"
#include "device/timed_copy.hpp"

namespace swell {

OpenclWindow::OpenclWindow(std::shared_ptr<OpenclState> state, Buffer& buffer)
    : state_(std::move(state)), memory_(OpenclBuffer::memory_of(buffer)), bytes_(buffer.bytes()) {}

// Copies that are under way end first. Nothing can be done here about a device that is lost.
OpenclWindow::~OpenclWindow() { state_->api->Finish(state_->queue.get()); }

void OpenclWindow::fetch() {
  const TimedCopy counted(state_->counters.copies, state_->counters.received, bytes_.size());
  const opencl::Api& api = *state_->api;
  opencl::Event event = nullptr;
  opencl::check(api.EnqueueReadBuffer(state_->queue.get(), memory_, opencl::no, 0, bytes_.size(), bytes_.data(), 0, nullptr,
                                      &event),
                "clEnqueueReadBuffer");
  fetched_ = {event, api.ReleaseEvent};
  opencl::check(api.Flush(state_->queue.get()), "clFlush");
}

void OpenclWindow::wait() {
  const opencl::Event event = fetched_.get();
  opencl::check(state_->api->WaitForEvents(1, &event), "clWaitForEvents");
  ++state_->counters.waits;
}

void OpenclWindow::store() {
  const TimedCopy counted(state_->counters.copies, state_->counters.sent, bytes_.size());
  opencl::check(state_->api->EnqueueWriteBuffer(state_->queue.get(), memory_, opencl::no, 0, bytes_.size(), bytes_.data(), 0,
                                                nullptr, nullptr),
                "clEnqueueWriteBuffer");
}

}  // namespace swell
