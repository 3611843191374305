// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/commands.hpp"
#include "base/error.hpp"
#include "sim/bench.hpp"

namespace swell {

namespace {

struct BenchOptions {
  std::vector<std::string> names;
  std::vector<int> orders{1, 2, 3, 4, 5, 6, 7};
  std::string device = "auto", precision = "double";
  double dofs = 6e6;
  bool json = false, list = false;
};

bool wanted(const BenchEntry& entry, const BenchOptions& options) {
  const bool precise = (entry.precision == Precision::double_) == (options.precision == "double");
  if (options.precision != "both" && !precise) return false;
  if (options.names.empty()) return entry.model == "maxwell" && entry.shape == Shape::tetrahedron;
  for (const auto& name : options.names)
    if (entry.name().starts_with(name)) return true;
  return false;
}

nlohmann::json as_json(const BenchResult& r) {
  return {{"name", r.entry.name()},
          {"model", r.entry.model},
          {"element", shape_name(r.entry.shape)},
          {"order", r.entry.order},
          {"precision", r.entry.precision == Precision::double_ ? "double" : "single"},
          {"elements", r.elements},
          {"dofs", r.dofs},
          {"seconds_per_stage", r.seconds},
          {"dof_per_second", r.dofs_per_second()},
          {"gflops", r.flops / r.seconds / 1e9},
          {"gbytes_per_second", r.bytes / r.seconds / 1e9},
          {"bound_dof_per_second", static_cast<double>(r.dofs) / r.bound_seconds},
          {"fraction", r.fraction()}};
}

void bench(const BenchOptions& options) {
  auto entries = bench_entries(options.orders);
  std::erase_if(entries, [&](const auto& e) { return !wanted(e, options); });
  if (entries.empty())
    throw InputError("No benchmark begins with '{}'; `swell bench --list` shows them.",
                     fmt::join(options.names, "', '"));
  if (options.list) {
    for (const auto& e : entries) fmt::print("{}\n", e.name());
    return;
  }
  const auto device = open_device(options.device);
  const Peaks peaks = measure_peaks(*device);
  nlohmann::json all{{"device", device->info().name},       {"threads", device->info().threads},
                     {"compiler", device->info().compiler}, {"bandwidth", peaks.bandwidth},
                     {"fma_double", peaks.fma_double},      {"fma_single", peaks.fma_single},
                     {"results", nlohmann::json::array()}};
  if (!options.json)
    fmt::print(
        "{}, {} threads: {:.1f} GB/s, {:.1f} GFLOP/s double, {:.1f} single\n{:<34} {:>9} {:>10} {:>9} {:>8} {:>8} "
        "{:>9} {:>6}\n",
        device->info().name, device->info().threads, peaks.bandwidth / 1e9, peaks.fma_double / 1e9,
        peaks.fma_single / 1e9, "name", "unknowns", "ms/stage", "M/s", "GFLOP/s", "GB/s", "bound M/s", "of it");
  for (const auto& entry : entries) {
    const BenchResult r = run_bench(entry, *device, peaks, options.dofs);
    all["results"].push_back(as_json(r));
    if (options.json) continue;
    fmt::print("{:<34} {:>9} {:>10.3f} {:>9.1f} {:>8.1f} {:>8.1f} {:>9.1f} {:>5.0f}%\n", entry.name(), r.dofs,
               1e3 * r.seconds, r.dofs_per_second() / 1e6, r.flops / r.seconds / 1e9, r.bytes / r.seconds / 1e9,
               static_cast<double>(r.dofs) / r.bound_seconds / 1e6, 100 * r.fraction());
    std::fflush(stdout);
  }
  if (options.json) fmt::print("{}\n", all.dump(2));
}

}  // namespace

void add_bench(CLI::App& app, int&) {
  auto* command = app.add_subcommand("bench", "Throughput and fraction of the roofline on this machine's devices");
  auto o = std::make_shared<BenchOptions>();
  command->add_option("name", o->names, "Beginnings of names, such as maxwell-tetrahedron (the default) or acoustics");
  command->add_option("--order", o->orders, "Orders to measure")->check(CLI::Range(1, 10))->delimiter(',');
  command->add_option("--precision", o->precision, "single, double or both")
      ->check(CLI::IsMember({"single", "double", "both"}));
  command->add_option("--device", o->device, "cpu, cpu:THREADS or auto");
  command->add_option("--dofs", o->dofs, "About how many unknowns")->check(CLI::Range(1e3, 1e10));
  command->add_flag("--json", o->json, "Results as JSON");
  command->add_flag("--list", o->list, "Names only");
  command->callback([=] { bench(*o); });
}

}  // namespace swell
