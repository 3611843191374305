// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/chips.hpp"

#include "base/error.hpp"
#include "device/gpu/probe.hpp"

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

namespace swell {
namespace {

constexpr double probe_seconds = 60;  // a chip that sleeps takes several to wake
constexpr std::string_view problem_mark = "problem ";

std::string wished_driver() {
  const char* wish = std::getenv("SWELL_CUDA");
  return wish ? wish : "";
}

// A line for the driver, then one for each chip.
std::string ask_driver() {
  const auto driver = start_driver();
  int count = 0;
  driver->check(driver->DeviceGetCount(&count), "cuDeviceGetCount");
  if (count == 0) throw RunError("the CUDA driver finds no GPU");
  std::string answer = driver_words(*driver) + "\n";
  for (int number = 0; number < count; ++number) {
    cuda::DeviceNumber device = 0;
    driver->check(driver->DeviceGet(&device, number), "cuDeviceGet");
    const CudaChip chip = ask_chip(*driver, device);
    answer += fmt::format("{} {} {} {}\n", chip.architecture, chip.processors, chip.memory, chip.name);
  }
  return answer;
}

CudaChips parse_answer(const std::string& answer) {
  CudaChips found;
  std::istringstream lines(answer);
  std::getline(lines, found.driver);
  for (CudaChip chip; lines >> chip.architecture >> chip.processors >> chip.memory && lines.get() == ' ' &&
                      std::getline(lines, chip.name);)
    found.chips.push_back(chip);
  if (found.chips.empty()) found.problem = "the CUDA driver's answer was not understood";
  return found;
}

CudaChips probe_chips() {
  const ProbeResult result = probe(
      [](const auto& say) {
        try {
          say(ask_driver());
        } catch (const std::exception& error) {
          say(std::string(problem_mark) + error.what());
        }
      },
      probe_seconds);
  CudaChips none;
  if (!result.problem.empty()) none.problem = fmt::format("the CUDA driver {}", result.problem);
  else if (result.said.starts_with(problem_mark)) none.problem = result.said.substr(problem_mark.size());
  else return parse_answer(result.said);
  return none;
}

}  // namespace

int ask_chip(const cuda::Driver& driver, cuda::DeviceNumber device, cuda::DeviceAttribute attribute) {
  int value = 0;
  driver.check(driver.DeviceGetAttribute(&value, attribute, device), "cuDeviceGetAttribute");
  return value;
}

CudaChip ask_chip(const cuda::Driver& driver, cuda::DeviceNumber device) {
  char name[256] = "";
  driver.check(driver.DeviceGetName(name, sizeof name - 1, device), "cuDeviceGetName");
  std::size_t memory = 0;
  driver.check(driver.DeviceTotalMem(&memory, device), "cuDeviceTotalMem");
  const int architecture = 10 * ask_chip(driver, device, cuda::DeviceAttribute::capability_major) +
                           ask_chip(driver, device, cuda::DeviceAttribute::capability_minor);
  return {name, architecture, ask_chip(driver, device, cuda::DeviceAttribute::processors),
          static_cast<std::int64_t>(memory)};
}

std::string driver_words(const cuda::Driver& driver) {
  int version = 0;  // 1000 * major + 10 * minor
  driver.check(driver.DriverGetVersion(&version), "cuDriverGetVersion");
  std::string words = fmt::format("CUDA driver {}.{}", version / 1000, version % 1000 / 10);
  std::ifstream file("/sys/module/nvidia/version");
  if (std::string module; file >> module) words += fmt::format(" ({})", module);
  return words;
}

std::shared_ptr<const cuda::Driver> start_driver() {
  auto driver = cuda::load_driver();
  driver->check(driver->Init(0), "cuInit");
  return driver;
}

const CudaChips& find_chips() {
  // Once for each library that the environment names: a fork costs time, and a driver that this process uses does not
  // survive one.
  static std::map<std::string, CudaChips> answers;
  const auto [answer, is_new] = answers.try_emplace(wished_driver());
  if (is_new) answer->second = probe_chips();
  return answer->second;
}

}  // namespace swell
