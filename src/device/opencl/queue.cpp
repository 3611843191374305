// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "device/opencl/buffer.hpp"
#include "device/opencl/program.hpp"

namespace swell {
namespace {

// Events of a profile that are not yet added up; from here on the host waits for the oldest half of them.
constexpr std::size_t most_pending = 1024;
// A driver may hold launches back until it is told to begin.
constexpr int launches_at_once = 32;

void set_arguments(const opencl::Api& api, const OpenclKernel& kernel, std::span<const Argument> arguments,
                   Items items) {
  const auto set = [&](std::size_t index, std::size_t bytes, const void* value) {
    const opencl::Result result = api.SetKernelArg(kernel.id(), static_cast<opencl::Count>(index), bytes, value);
    if (result != opencl::success)
      throw RunError("OpenCL's clSetKernelArg failed with {} for argument {} of the kernel '{}'",
                     opencl::error_word(result), index, kernel.name());
  };
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    const int bytes = kernel.signature().bytes[i];
    if (argument.kind == Argument::Kind::buffer) {
      const opencl::Memory memory = OpenclBuffer::memory_of(*argument.buffer);
      set(i, sizeof memory, &memory);
    } else if (argument.kind == Argument::Kind::integer) {
      const auto small = static_cast<std::int32_t>(argument.integer);
      if (bytes == 4) set(i, sizeof small, &small);
      else set(i, sizeof argument.integer, &argument.integer);
    } else {
      const auto small = static_cast<float>(argument.number);
      if (bytes == 4) set(i, sizeof small, &small);
      else set(i, sizeof argument.number, &argument.number);
    }
  }
  const std::int64_t end = items.first + items.count;
  set(arguments.size(), sizeof items.first, &items.first);
  set(arguments.size() + 1, sizeof end, &end);
}

}  // namespace

void OpenclQueue::launch(const Kernel& any_kernel, Items items, std::span<const Argument> arguments,
                         const Work& work) {
  const auto& kernel = static_cast<const OpenclKernel&>(any_kernel);
  check_arguments(kernel.signature(), kernel.precision(), arguments);
  ++state_->counters.launches;
  if (items.count <= 0) return;
  const opencl::Api& api = *state_->api;
  set_arguments(api, kernel, arguments, items);
  const std::size_t local = kernel.threads(), global = static_cast<std::size_t>(kernel.groups(items.count)) * local;
  opencl::Event event = nullptr;
  const opencl::Result result = api.EnqueueNDRangeKernel(state_->queue.get(), kernel.id(), 1, nullptr, &global, &local, 0,
                                                         nullptr, profiling_ ? &event : nullptr);
  if (result != opencl::success)
    throw RunError("OpenCL's clEnqueueNDRangeKernel failed with {} for {} items of the kernel '{}'",
                   opencl::error_word(result), items.count, kernel.name());
  last_.reset();
  launched_ = true;
  if (++unsent_ == launches_at_once) {
    opencl::check(api.Flush(state_->queue.get()), "clFlush");
    unsent_ = 0;
  }
  if (!profiling_) return;
  pending_.push_back({{event, api.ReleaseEvent}, kernel.slot(), work});
  if (pending_.size() >= most_pending) collect(most_pending / 2);
}

void OpenclQueue::finish() {
  opencl::check(state_->api->Finish(state_->queue.get()), "clFinish");
  ++state_->counters.waits;
  launched_ = false;
  unsent_ = 0;
}

bool OpenclQueue::busy() {
  if (!launched_) return false;  // a marker of its own would still be on its way
  const opencl::Api& api = *state_->api;
  if (!last_) {
    opencl::Event event = nullptr;
    opencl::check(api.EnqueueMarkerWithWaitList(state_->queue.get(), 0, nullptr, &event), "clEnqueueMarkerWithWaitList");
    last_ = {event, api.ReleaseEvent};
    opencl::check(api.Flush(state_->queue.get()), "clFlush");
    unsent_ = 0;
  }
  std::int32_t status = opencl::event_complete;
  opencl::check(api.GetEventInfo(last_.get(), opencl::EventQuery::status, sizeof status, &status, nullptr), "clGetEventInfo");
  if (status < 0) opencl::check(status, "clGetEventInfo");
  return status != opencl::event_complete;
}

void OpenclQueue::collect(std::size_t keep) const {
  if (pending_.size() <= keep) return;
  const opencl::Api& api = *state_->api;
  const opencl::Event last = pending_[pending_.size() - keep - 1].event.get();
  opencl::check(api.WaitForEvents(1, &last), "clWaitForEvents");
  ++state_->counters.waits;
  while (pending_.size() > keep) {
    const Pending& oldest = pending_.front();
    std::uint64_t start = 0, end = 0;  // nanoseconds
    const auto ask = [&](opencl::ProfilingQuery what, std::uint64_t& value) {
      opencl::check(api.GetEventProfilingInfo(oldest.event.get(), what, sizeof value, &value, nullptr),
                    "clGetEventProfilingInfo");
    };
    ask(opencl::ProfilingQuery::start, start);
    ask(opencl::ProfilingQuery::end, end);
    state_->profile.add(oldest.slot, 1e-9 * static_cast<double>(end - start), oldest.work);
    pending_.pop_front();
  }
}

// A queue that measures is another queue: measuring costs time at every launch.
void OpenclQueue::set_profiling(bool on) {
  if (on == profiling_) return;
  collect(0);
  if (on) state_->profile.clear();
  opencl::check(state_->api->Finish(state_->queue.get()), "clFinish");
  state_->make_queue(on);
  profiling_ = on;
}

std::vector<KernelProfile> OpenclQueue::profile() const {
  collect(0);
  return state_->profile.used();
}

}  // namespace swell
