// SPDX-License-Identifier: Apache-2.0
#include "device/opencl/platform.hpp"

#include "base/error.hpp"
#include "device/gpu/probe.hpp"

#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

namespace swell::opencl {
namespace {

constexpr double probe_seconds = 20;

template <class Query>
std::string text_from(Query query) {
  std::size_t bytes = 0;
  if (query(0, nullptr, &bytes) != success || bytes == 0) return "";
  std::string text(bytes, '\0');
  if (query(bytes, text.data(), nullptr) != success) return "";
  text = text.c_str();
  const std::size_t begin = text.find_first_not_of(' '), end = text.find_last_not_of(' ');
  return begin == text.npos ? "" : text.substr(begin, end - begin + 1);
}

std::vector<FoundDevice> enumerate(const Api& api) {
  std::vector<FoundDevice> all;
  Count platforms = 0;
  const Result found = api.GetPlatformIDs(0, nullptr, &platforms);
  if (found == platform_not_found || platforms == 0) return all;
  check(found, "clGetPlatformIDs");
  std::vector<Platform> ids(platforms);
  check(api.GetPlatformIDs(platforms, ids.data(), nullptr), "clGetPlatformIDs");
  for (Count p = 0; p < platforms; ++p) {
    Count count = 0;
    if (api.GetDeviceIDs(ids[p], device_type_all, 0, nullptr, &count) != success) continue;
    std::vector<DeviceId> devices(count);
    if (count == 0 || api.GetDeviceIDs(ids[p], device_type_all, count, devices.data(), nullptr) != success) continue;
    for (Count d = 0; d < count; ++d)
      all.push_back({static_cast<int>(p), static_cast<int>(d), ids[p], devices[d],
                     (value_of<Flags>(api, devices[d], DeviceQuery::type) & device_type_gpu) != 0, ""});
  }
  return all;
}

// Compiles a kernel and runs it: some drivers list devices that they cannot compile for. Nothing is given back, since
// this process is about to end.
void try_device(const Api& api, const FoundDevice& device) {
  if (!value_of<Count>(api, device.id, DeviceQuery::available)) throw RunError("the driver says that it is not available");
  if (!value_of<Count>(api, device.id, DeviceQuery::compiler_available)) throw RunError("its driver has no compiler");
  const std::string version = text_of(api, device.id, DeviceQuery::version);  // "OpenCL 1.2 words"
  double number = 0;
  if (version.size() > 7) number = std::strtod(version.c_str() + 7, nullptr);
  if (number < 1.2) throw RunError("it has {}, and 1.2 is needed", version.empty() ? "an unknown version" : version);
  Result result = success;
  const std::intptr_t properties[] = {context_platform, reinterpret_cast<std::intptr_t>(device.platform_id), 0};
  const Context context = api.CreateContext(properties, 1, &device.id, nullptr, nullptr, &result);
  check(result, "clCreateContext");
  const CommandQueue queue = api.CreateCommandQueue(context, device.id, 0, &result);
  check(result, "clCreateCommandQueue");
  const char* text = "__kernel void answer(__global int *x) { x[get_global_id(0)] = 42 + (int)get_global_id(0); }";
  const ProgramId program = api.CreateProgramWithSource(context, 1, &text, nullptr, &result);
  check(result, "clCreateProgramWithSource");
  check(api.BuildProgram(program, 1, &device.id, "", nullptr, nullptr), "clBuildProgram");
  const KernelId kernel = api.CreateKernel(program, "answer", &result);
  check(result, "clCreateKernel");
  constexpr std::size_t items = 2;
  std::int32_t answers[items] = {0, 0};
  const Memory memory = api.CreateBuffer(context, memory_read_write, sizeof answers, nullptr, &result);
  check(result, "clCreateBuffer");
  check(api.SetKernelArg(kernel, 0, sizeof memory, &memory), "clSetKernelArg");
  check(api.EnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &items, 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  check(api.EnqueueReadBuffer(queue, memory, yes, 0, sizeof answers, answers, 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  if (answers[0] != 42 || answers[1] != 43) throw RunError("a first kernel computed the wrong numbers on it");
}

// The child's lines: "listed COUNT", then "begins N", and "works N" or "fails N WORDS" for each device.
struct Answers {
  int listed = -1, begun = -1;
  std::set<int> works;
  std::map<int, std::string> fails;

  explicit Answers(const std::string& said) {
    std::istringstream lines(said);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string what, rest;
      int number = 0;
      words >> what >> number;
      std::getline(words >> std::ws, rest);
      if (what == "listed") listed = number;
      if (what == "begins") begun = number;
      if (what == "works") works.insert(number);
      if (what == "fails") fails[number] = rest;
    }
  }
};

ProbeResult ask(int first) {
  return probe([first](const auto& say) {
    const auto api = load_api();
    const auto devices = enumerate(*api);
    say(fmt::format("listed {}\n", devices.size()));
    for (int n = first; n < static_cast<int>(devices.size()); ++n) {
      say(fmt::format("begins {}\n", n));
      try {
        try_device(*api, devices[n]);
        say(fmt::format("works {}\n", n));
      } catch (const RunError& error) {
        say(fmt::format("fails {} {}\n", n, error.what()));
      }
    }
  }, probe_seconds);
}

Survey take_survey() {
  Survey result;
  std::map<int, std::string> problems;
  int listed = 0;
  // A device at which the child died is left out by the next child.
  for (int first = 0; first == 0 || first < listed;) {
    const ProbeResult answer = ask(first);
    const Answers answers(answer.said);
    if (answers.listed < 0) {
      result.problem = (answer.died ? "the OpenCL driver " : "") + answer.problem;
      return result;
    }
    listed = answers.listed;
    problems.insert(answers.fails.begin(), answers.fails.end());
    if (answer.problem.empty()) break;
    const int died_at = answers.begun < first ? first : answers.begun;
    problems[died_at] = "its driver, when first used, " + answer.problem;
    first = died_at + 1;
  }
  if (listed == 0) {
    result.problem = "OpenCL is here and has no device: install a driver, for example pocl-opencl-icd for processors";
    return result;
  }
  result.api = load_api();
  result.devices = enumerate(*result.api);
  for (const auto& [n, problem] : problems)
    if (n < static_cast<int>(result.devices.size()))
      result.devices[n].problem = fmt::format("{} cannot be used: {}",
                                              text_of(*result.api, result.devices[n].id, DeviceQuery::name), problem);
  return result;
}

}  // namespace

std::string text_of(const Api& api, Platform platform, PlatformInfo what) {
  return text_from([&](std::size_t bytes, void* value, std::size_t* needed) {
    return api.GetPlatformInfo(platform, what, bytes, value, needed);
  });
}

std::string text_of(const Api& api, DeviceId device, DeviceQuery what) {
  return text_from([&](std::size_t bytes, void* value, std::size_t* needed) {
    return api.GetDeviceInfo(device, what, bytes, value, needed);
  });
}

const Survey& survey() {
  static std::map<std::string, Survey> taken;
  const char* library = std::getenv("SWELL_OPENCL");
  const auto [place, is_new] = taken.try_emplace(library ? library : "");
  if (is_new) place->second = take_survey();
  return place->second;
}

}  // namespace swell::opencl
