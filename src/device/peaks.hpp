// SPDX-License-Identifier: Apache-2.0
// The measured limits of a device, from which the roofline is drawn.
#pragma once

#include "device/device.hpp"

namespace swell {

struct Peaks {
  double bandwidth = 0;   // bytes per second of the four streams of a Runge-Kutta stage: two read, two written
  double fma_double = 0;  // operations per second; a multiply-add is two
  double fma_single = 0;
  double tensor_double = 0;  // through tensor cores; 0 where kernels cannot use them
  double tensor_single = 0;
};

// Runs kernels of its own on arrays far larger than the caches: one or two seconds, the best of several runs each. A limit is 0
// where the device lacks the operation.
Peaks measure_peaks(Device& device);

// The shortest time that the measured limits of a device allow for some work.
struct Bound {
  double seconds = 0;
  const char* by = "bandwidth";  // or "fma", "tensor": what sets it
};
Bound bound_of(const Work& work, const Peaks& peaks, Precision precision);

}  // namespace swell
