// SPDX-License-Identifier: Apache-2.0
// The state that a CUDA device shares with its buffers and programs, which may outlive it. For one host thread at a time.
#pragma once

#include "device/cuda/api.hpp"
#include "device/device.hpp"
#include "device/gpu/profile.hpp"

#include <memory>

namespace swell {

struct CudaState {
  std::shared_ptr<const cuda::Driver> driver;
  cuda::Context context = nullptr;  // the chip's primary one; stays until the process ends, since it is slow to make
  cuda::Stream stream = nullptr;
  DeviceCounters counters;
  ProfileSlots profile;

  CudaState(std::shared_ptr<const cuda::Driver> loaded, cuda::DeviceNumber device) : driver(std::move(loaded)) {
    driver->check(driver->DevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    make_current();
    driver->check(driver->StreamCreate(&stream, cuda::stream_non_blocking), "cuStreamCreate");
  }
  ~CudaState() {
    driver->CtxSetCurrent(context);
    driver->StreamDestroy(stream);
  }
  CudaState(const CudaState&) = delete;
  CudaState& operator=(const CudaState&) = delete;

  // Before other calls: a context is current for one host thread, and a process may have several devices.
  void make_current() const { driver->check(driver->CtxSetCurrent(context), "cuCtxSetCurrent"); }
  void wait() const { driver->check(driver->StreamSynchronize(stream), "cuStreamSynchronize"); }
};

}  // namespace swell
