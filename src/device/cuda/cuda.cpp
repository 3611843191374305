// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/cuda.hpp"

#include "base/error.hpp"
#include "device/cuda/chips.hpp"
#include "device/cuda/cuda_device.hpp"

namespace swell {

std::vector<DeviceChoice> cuda_choices() {
  const CudaChips& found = find_chips();
  if (!found.problem.empty()) return {{"cuda", false, found.problem}};
  std::vector<DeviceChoice> choices;
  for (const CudaChip& chip : found.chips) {
    DeviceChoice choice{fmt::format("cuda:{}", choices.size()), true, ""};
    try {
      choice.words = fmt::format("{}, {} processors, {:.1f} GiB, kernels compiled by {}, {}", chip.name,
                                 chip.processors, static_cast<double>(chip.memory) / (1 << 30),
                                 CudaCompiler().describe(chip.architecture), found.driver);
    } catch (const RunError& error) {
      choice.usable = false;
      choice.words = fmt::format("{}: {}", chip.name, error.what());
    }
    choices.push_back(choice);
  }
  return choices;
}

std::unique_ptr<Device> open_cuda(int number) {
  const CudaChips& found = find_chips();
  if (!found.problem.empty()) throw InputError("the device 'cuda:{}' cannot be used: {}", number, found.problem);
  const int count = static_cast<int>(found.chips.size());
  if (number < 0 || number >= count)
    throw InputError("there is no device 'cuda:{}': the CUDA driver finds {}, 'cuda:0' to 'cuda:{}'", number, count,
                     count - 1);
  return std::make_unique<CudaDevice>(start_driver(), number);
}

}  // namespace swell
