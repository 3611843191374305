// SPDX-License-Identifier: Apache-2.0
// The GPUs of this machine as the CUDA driver describes them.
#pragma once

#include "device/cuda/api.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace swell {

struct CudaChip {
  std::string name;
  int architecture = 0;  // 10 * major + minor of the compute capability
  int processors = 0;
  std::int64_t memory = 0;
};

// The driver must be initialised in this process.
CudaChip ask_chip(const cuda::Driver& driver, cuda::DeviceNumber device);
int ask_chip(const cuda::Driver& driver, cuda::DeviceNumber device, cuda::DeviceAttribute attribute);

// "CUDA driver 13.0 (580.65.06)".
std::string driver_words(const cuda::Driver& driver);

struct CudaChips {
  std::vector<CudaChip> chips;
  std::string driver;
  std::string problem;  // where there are none: a sentence
};

// Asks in a child process, once: a driver may hang or abort.
const CudaChips& find_chips();

// The driver for use in this process, after find_chips() has found something. Throws RunError.
std::shared_ptr<const cuda::Driver> start_driver();

}  // namespace swell
