// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/queue.hpp"

#include "base/error.hpp"
#include "device/cuda/buffer.hpp"
#include "device/cuda/program.hpp"

#include <algorithm>
#include <limits>

namespace swell {
namespace {

constexpr std::size_t most_arguments = 64;
constexpr std::int64_t most_blocks = std::numeric_limits<std::int32_t>::max();
// For kernels with a thread for each item: the number of times that the chip is filled before threads take several items.
// Enough that blocks which end late do not leave the chip idle.
constexpr std::int64_t most_fillings = 8;
constexpr std::size_t timed_launches = 512;

union Value {
  cuda::Address address;
  std::int64_t integer;  // also of an `int`: NVIDIA's drivers run on little-endian machines
  double number;
  float single;
};

// The arguments of a launch, and the address of each, as the driver expects them; the items stand last.
struct Values {
  std::array<Value, most_arguments + 2> values;
  std::array<void*, most_arguments + 2> places;

  Values(const CudaKernel& kernel, std::span<const Argument> arguments, Items items) {
    check_arguments(kernel.signature(), kernel.layout().precision, arguments);
    if (arguments.size() > most_arguments)
      throw std::logic_error(fmt::format("the kernel '{}' has more than {} arguments", kernel.name(), most_arguments));
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      switch (kernel.signature().kinds[i]) {
        case 'b': values[i].address = CudaBuffer::address_of(*arguments[i].buffer); break;
        case 'i': values[i].integer = arguments[i].integer; break;
        case 'f': values[i].single = static_cast<float>(arguments[i].number); break;
        default: values[i].number = arguments[i].number;
      }
      places[i] = &values[i];
    }
    values[arguments.size()].integer = items.first;
    values[arguments.size() + 1].integer = items.first + items.count;
    for (const std::size_t i : {arguments.size(), arguments.size() + 1}) places[i] = &values[i];
  }
};

std::int64_t blocks_of(const CudaKernel& kernel, std::int64_t items, std::int64_t resident_threads) {
  const CudaLayout& layout = kernel.layout();
  if (layout.group == 0) {
    const std::int64_t all = (items + layout.threads - 1) / layout.threads;
    return std::min(all, std::max<std::int64_t>(1, most_fillings * resident_threads / layout.threads));
  }
  if (items > most_blocks)
    throw InputError("the kernel '{}' has {} groups of elements and a GPU takes at most {} at once: take fewer "
                     "elements or more devices", kernel.name(), items, most_blocks);
  return items;
}

}  // namespace

CudaQueue::CudaQueue(std::shared_ptr<CudaState> state, std::int64_t resident_threads)
    : state_(std::move(state)), resident_threads_(resident_threads) {}

CudaQueue::~CudaQueue() {
  const cuda::Driver& driver = *state_->driver;
  driver.CtxSetCurrent(state_->context);
  driver.StreamSynchronize(state_->stream);
  for (const Pending& launch : pending_) {
    if (launch.start) driver.EventDestroy(launch.start);
    if (launch.end) driver.EventDestroy(launch.end);
  }
}

void CudaQueue::launch(const Kernel& any_kernel, Items items, std::span<const Argument> arguments,
                       const Work& work) {
  const auto& kernel = static_cast<const CudaKernel&>(any_kernel);
  const cuda::Driver& driver = *state_->driver;
  Values values(kernel, arguments, items);
  const auto blocks = static_cast<unsigned>(blocks_of(kernel, items.count, resident_threads_));
  ++state_->counters.launches;
  if (items.count <= 0) {
    if (profiling_) state_->profile.add(kernel.slot(), 0, work);
    return;
  }
  state_->make_current();
  Pending* timed = nullptr;
  if (profiling_) {
    if (pending_count_ == pending_.size()) add_pending_times();
    timed = &pending_[pending_count_];
    timed->slot = kernel.slot();
    timed->work = work;
    driver.check(driver.EventRecord(timed->start, state_->stream), "cuEventRecord");
  }
  const cuda::Result result =
      driver.LaunchKernel(kernel.function(), blocks, 1, 1, static_cast<unsigned>(kernel.layout().threads), 1, 1,
                          kernel.layout().shared, state_->stream, values.places.data(), nullptr);
  if (result != cuda::success)
    throw RunError("the CUDA driver failed in cuLaunchKernel of '{}': {}", kernel.name(), driver.words(result));
  if (!timed) return;
  driver.check(driver.EventRecord(timed->end, state_->stream), "cuEventRecord");
  ++pending_count_;
}

void CudaQueue::finish() {
  state_->make_current();
  state_->wait();
  ++state_->counters.waits;
}

bool CudaQueue::busy() {
  state_->make_current();
  const cuda::Result result = state_->driver->StreamQuery(state_->stream);
  if (result == cuda::not_ready) return true;
  state_->driver->check(result, "cuStreamQuery");
  return false;
}

void CudaQueue::set_profiling(bool on) {
  const cuda::Driver& driver = *state_->driver;
  if (on && !profiling_) {
    state_->make_current();
    if (pending_.empty()) pending_.resize(timed_launches);
    for (Pending& launch : pending_) {
      if (!launch.start) driver.check(driver.EventCreate(&launch.start, cuda::event_default), "cuEventCreate");
      if (!launch.end) driver.check(driver.EventCreate(&launch.end, cuda::event_default), "cuEventCreate");
    }
    pending_count_ = 0;
    state_->profile.clear();
  }
  profiling_ = on;
}

void CudaQueue::add_pending_times() const {
  if (pending_count_ == 0) return;
  const cuda::Driver& driver = *state_->driver;
  state_->make_current();
  driver.check(driver.EventSynchronize(pending_[pending_count_ - 1].end), "cuEventSynchronize");
  for (std::size_t n = 0; n < pending_count_; ++n) {
    float milliseconds = 0;
    driver.check(driver.EventElapsedTime(&milliseconds, pending_[n].start, pending_[n].end), "cuEventElapsedTime");
    state_->profile.add(pending_[n].slot, 1e-3 * milliseconds, pending_[n].work);
  }
  pending_count_ = 0;
}

std::vector<KernelProfile> CudaQueue::profile() const {
  add_pending_times();
  return state_->profile.used();
}

}  // namespace swell
