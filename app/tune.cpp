// SPDX-License-Identifier: Apache-2.0
#include "study/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/case_options.hpp"
#include "app/commands.hpp"
#include "base/error.hpp"
#include "base/log.hpp"

namespace swell {

namespace {

struct TuneWords {
  CaseOptions of_case;
  bool bench = false;
  std::vector<std::string> names;
  std::vector<int> orders{1, 2, 3, 4, 5, 6, 7};
  std::optional<double> dofs;
  TuneOptions options;
  bool json = false, quiet = false;
};

nlohmann::json as_json(const TuneResult& r) {
  nlohmann::json timings = nlohmann::json::array();
  for (const auto& t : r.timings) {
    nlohmann::json entry{{"variant", t.name}, {"default", t.name == r.default_name}};
    if (t.usable()) {
      entry["seconds_per_stage"] = t.seconds;
      entry["dof_per_second"] = static_cast<double>(r.unknowns) / t.seconds;
      entry["fraction"] = r.bound_seconds / t.seconds;
      entry["compile_seconds"] = t.compile_seconds;
    } else {
      entry["problem"] = t.problem;
    }
    timings.push_back(entry);
  }
  return {{"kernel", r.key.kernel},   {"device", r.key.device},      {"driver", r.key.driver},
          {"threads", r.key.threads}, {"size", r.key.size},          {"dofs", r.unknowns},
          {"winner", r.winner()},     {"seconds", r.spent_seconds}, {"variants", timings},
          {"precision", r.key.precision == Precision::double_ ? "double" : "single"}};
}

std::vector<BenchEntry> entries(const TuneWords& words) {
  const std::string precision = words.of_case.precision.empty() ? "double" : words.of_case.precision;
  if (precision != "single" && precision != "double" && precision != "both")
    throw InputError("The precision '{}' is not known; it is single, double or both.", precision);
  auto all = bench_entries(words.orders);
  std::erase_if(all, [&](const BenchEntry& entry) {
    const char* own = entry.precision == Precision::double_ ? "double" : "single";
    if (precision != "both" && precision != own) return true;
    if (words.names.empty()) return entry.model != "maxwell" || entry.shape != Shape::tetrahedron;
    return std::none_of(words.names.begin(), words.names.end(),
                        [&](const auto& name) { return entry.name().starts_with(name); });
  });
  if (all.empty())
    throw InputError("No benchmark begins with '{}'; `swell bench --list` shows them.", fmt::join(words.names, "', '"));
  return all;
}

void tune(const TuneWords& words) {
  const Log log(words.quiet);
  if (words.of_case.file.empty() != words.bench)
    throw InputError("`swell tune` takes either a case file or --bench; `swell tune --help` shows what can be said.");
  std::vector<Case> wanted;
  std::vector<BenchEntry> benches;
  if (words.bench)
    benches = entries(words);
  else
    wanted.push_back(words.of_case.read());
  const auto device = open_device(!words.bench                    ? wanted.front().backend
                                  : words.of_case.device.empty() ? "auto"
                                                                  : words.of_case.device);
  for (const BenchEntry& entry : benches)
    wanted.push_back(case_of_bench(entry, words.dofs.value_or(default_dofs(*device))));
  const Peaks peaks = measure_peaks(*device);
  nlohmann::json all = nlohmann::json::array();
  for (const Case& c : wanted)
    for (const TuneResult& result : tune_case(c, *device, peaks, words.options)) {
      if (!words.json) fmt::print("{}\n", describe(result));
      std::fflush(stdout);
      all.push_back(as_json(result));
      remember_choice(result.choice());
    }
  if (words.json)
    fmt::print("{}\n", nlohmann::json{{"file", tuning_path()}, {"kernels", all}}.dump(2));
  else
    fmt::print("Remembered in {}\n", tuning_path());
}

}  // namespace

Command tune_command() {
  Command command{"tune", "Try the kernel variants and remember the best"};
  auto words = std::make_shared<TuneWords>();
  words->of_case.add_input_to(command, false);
  command.option("--bench", words->names, "Instead of a case: beginnings of names of benchmarks; maxwell-tetrahedron where none is given")
      .words(0, -1);
  command.option("--order", words->orders, "Orders, with --bench").within(1, 10).list();
  command.option("--dofs", words->dofs, "About how many unknowns, with --bench").within(1e3, 1e10);
  command.option("--only", words->options.only, "Besides the default, only variants with this in their names");
  command.option("--seconds", words->options.seconds, "Time for each kernel, compilations included").within(0.0, 1e6);
  command.option("--json", words->json, "Results as JSON");
  command.option("--quiet", words->quiet, "No progress");
  command.run = [words](const Given& given) {
    words->bench = given.contains("--bench");
    tune(*words);
    return 0;
  };
  return command;
}

}  // namespace swell
