// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/bench_heat.hpp"
#include "app/bench_levelset.hpp"
#include "app/bench_ranks.hpp"
#include "app/commands.hpp"
#include "base/error.hpp"
#include "io/draw/roofline.hpp"
#include "study/bench/bench.hpp"
#include "study/bench/modal.hpp"

namespace swell {

namespace {

struct BenchOptions {
  std::vector<std::string> names;
  std::vector<int> orders{1, 2, 3, 4, 5, 6, 7};
  std::string device = "auto", precision = "double", plot;
  std::optional<double> dofs;
  bool json = false, list = false;
  std::vector<std::string> given;  // "--order", "--dofs": what stands on the command line
};

// A benchmark with a table of its own, and the options that change it; all but ranks take --device, and all take --json.
struct BenchTable {
  std::string name;
  std::vector<std::string> takes;
  void (*run)(const BenchOptions&);
};

bool among(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

Precision one_precision(const BenchOptions& o) {
  if (o.precision == "both")
    throw InputError("`swell bench {}` takes --precision single or double, one at a time.", o.names.front());
  return o.precision == "single" ? Precision::single_ : Precision::double_;
}

std::vector<int> orders_up_to(int highest, const BenchOptions& o) {
  std::vector<int> orders = o.orders;
  const auto above = std::find_if(orders.begin(), orders.end(), [&](int order) { return order > highest; });
  if (above != orders.end() && among(o.given, "--order"))
    throw InputError("`swell bench {}` has the orders 1 to {}, not {}.", o.names.front(), highest, *above);
  std::erase_if(orders, [&](int order) { return order > highest; });
  return orders;
}

const BenchTable tables[] = {
    {"heat", {"--device", "--precision", "--dofs"},
     [](const BenchOptions& o) { bench_heat(o.device, one_precision(o) == Precision::single_ ? "single" : "double", o.dofs, o.json); }},
    {"modal", {"--device", "--precision", "--order"},
     [](const BenchOptions& o) { bench_modal(o.device, orders_up_to(highest_modal_order, o), one_precision(o), o.json); }},
    {"families", {"--device", "--precision", "--order", "--dofs"},
     [](const BenchOptions& o) { bench_families(o.device, o.orders, o.precision, o.dofs, o.json); }},
    {"levelset", {"--device", "--precision", "--order"},
     [](const BenchOptions& o) { bench_levelset(o.device, orders_up_to(highest_levelset_order, o), one_precision(o), o.json); }},
    {"ranks", {}, [](const BenchOptions& o) { bench_ranks(o.json); }},
};

// The table that the names select; nullptr where they are those of operators.
const BenchTable* table_of(const BenchOptions& options) {
  for (const BenchTable& table : tables) {
    if (!among(options.names, table.name)) continue;
    if (options.names.size() > 1)
      throw InputError("`swell bench {}` has a table of its own: give no other name beside it.", table.name);
    for (const auto& option : options.given)
      if (!among(table.takes, option))
        throw InputError("`swell bench {}` does not take {}; it takes {}{}--json.", table.name, option,
                         fmt::join(table.takes, ", "), table.takes.empty() ? "" : " and ");
    return &table;
  }
  return nullptr;
}

bool wanted(const BenchEntry& entry, const BenchOptions& options) {
  const bool precise = (entry.precision == Precision::double_) == (options.precision == "double");
  if (options.precision != "both" && !precise) return false;
  if (options.names.empty()) return options.list || (entry.model == "maxwell" && entry.shape == Shape::tetrahedron);
  for (const auto& name : options.names)
    if (entry.name().starts_with(name)) return true;
  return false;
}

std::string_view element_name(const BenchEntry& entry) { return entry.mixed ? "mixed" : shape_name(entry.shape); }

nlohmann::ordered_json as_json(const BenchResult& r) {
  nlohmann::ordered_json all{{"name", r.entry.name()},
                             {"model", r.entry.model},
                             {"element", element_name(r.entry)},
                             {"order", r.entry.order},
                             {"precision", r.entry.precision == Precision::double_ ? "double" : "single"},
                             {"elements", r.elements},
                             {"dofs", r.dofs},
                             {"seconds_per_stage", r.seconds},
                             {"dof_per_second", r.dofs_per_second()},
                             {"setup_seconds", r.setup_seconds},
                             {"gflops", r.work.flops / r.seconds / 1e9},
                             {"gbytes_per_second", r.work.bytes / r.seconds / 1e9},
                             {"bytes_per_stage", r.work.bytes},
                             {"flops_per_stage", r.work.flops},
                             {"bound_dof_per_second", static_cast<double>(r.dofs) / r.bound.seconds},
                             {"bound_by", r.bound.by},
          {"fraction", r.fraction()}};
  if (r.of_plain) all["of_plain"] = *r.of_plain;
  return all;
}

std::string today() {
  const auto now = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  const std::chrono::year_month_day date(now);
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

// One series for each model, element and precision, its points named by the order.
void plot(const std::string& file, const DeviceInfo& info, const Peaks& peaks,
          const std::vector<BenchResult>& results) {
  Roofline picture{info.name, peaks.bandwidth, {}, {}};
  const auto roof = [&](const char* name, double flops) {
    if (flops > 0) picture.roofs.push_back({name, flops});
  };
  const auto has = [&](Precision p) {
    return std::any_of(results.begin(), results.end(), [p](const auto& r) { return r.entry.precision == p; });
  };
  if (has(Precision::double_)) roof("double", peaks.fma_double), roof("double, tensor cores", peaks.tensor_double);
  if (has(Precision::single_)) roof("single", peaks.fma_single), roof("single, tensor cores", peaks.tensor_single);
  for (const auto& r : results) {
    const std::string name = fmt::format("{} {}, {}", r.entry.model, element_name(r.entry),
                                         r.entry.precision == Precision::double_ ? "double" : "single");
    if (picture.series.empty() || picture.series.back().name != name) picture.series.push_back({name, {}});
    picture.series.back().points.push_back(
        {fmt::format("{}", r.entry.order), r.work.flops / r.work.bytes, r.work.flops / r.seconds});
  }
  write_roofline(file, picture);
}

void bench(const BenchOptions& options) {
  if (const BenchTable* const table = table_of(options)) {
    if (options.list)
      fmt::print("{}\n", table->name);
    else
      table->run(options);
    return;
  }
  auto entries = bench_entries(options.orders);
  std::erase_if(entries, [&](const auto& e) { return !wanted(e, options); });
  if (entries.empty())
    throw InputError("No benchmark begins with '{}'; `swell bench --list` shows them.",
                     fmt::join(options.names, "', '"));
  if (options.list) {
    for (const auto& e : entries) fmt::print("{}\n", e.name());
    if (options.names.empty())
      for (const BenchTable& table : tables) fmt::print("{}\n", table.name);
    return;
  }
  const auto device = open_device(options.device);
  const DeviceInfo& info = device->info();
  if (!info.doubles && std::erase_if(entries, [](const auto& e) { return e.precision == Precision::double_; }) > 0 &&
      entries.empty())
    throw InputError("{} has no double precision; take --precision single.", info.name);
  const Peaks peaks = measure_peaks(*device);
  const double dofs = options.dofs.value_or(default_dofs(*device));
  nlohmann::ordered_json all{{"date", today()},
                             {"device", info.name},
                             {"backend", info.backend},
                             {"driver", info.driver},
                             {"compiler", info.compiler},
                             {"threads", info.threads},
                             {"bandwidth", peaks.bandwidth},
                             {"fma_double", peaks.fma_double},
                             {"fma_single", peaks.fma_single},
                             {"tensor_double", peaks.tensor_double},
                             {"tensor_single", peaks.tensor_single},
                             {"results", nlohmann::ordered_json::array()}};
  if (!options.json) {
    fmt::print("{}, {} threads: {:.1f} GB/s, {:.1f} GFLOP/s double, {:.1f} single", info.name, info.threads,
               peaks.bandwidth / 1e9, peaks.fma_double / 1e9, peaks.fma_single / 1e9);
    if (peaks.tensor_double > 0) fmt::print(", {:.1f} on tensor cores in double", peaks.tensor_double / 1e9);
    if (peaks.tensor_single > 0) fmt::print(", {:.1f} in single", peaks.tensor_single / 1e9);
    fmt::print("\n{:<34} {:>9} {:>10} {:>9} {:>8} {:>8} {:>9} {:>9} {:>6} {:>8}\n", "name", "unknowns", "ms/stage", "M/s",
               "GFLOP/s", "GB/s", "bound M/s", "by", "of it", "of plain");
  }
  std::vector<BenchResult> results;
  for (const auto& entry : entries) {
    const BenchResult r = run_bench(entry, *device, peaks, dofs);
    results.push_back(r);
    all["results"].push_back(as_json(r));
    if (options.json) continue;
    fmt::print("{:<34} {:>9} {:>10.3f} {:>9.1f} {:>8.1f} {:>8.1f} {:>9.1f} {:>9} {:>5.0f}%{}\n", entry.name(), r.dofs,
               1e3 * r.seconds, r.dofs_per_second() / 1e6, r.work.flops / r.seconds / 1e9,
               r.work.bytes / r.seconds / 1e9, static_cast<double>(r.dofs) / r.bound.seconds / 1e6, r.bound.by,
               100 * r.fraction(), r.of_plain ? fmt::format(" {:>7.0f}%", 100 * *r.of_plain) : "");
    std::fflush(stdout);
  }
  if (const BenchResult* const worst = worst_of_plain(results)) {
    all["worst_of_plain"] = {{"name", worst->entry.name()}, {"of_plain", *worst->of_plain}};
    if (!options.json) fmt::print("slowest beside its plain box: {} with {:.0f} % of its rate\n", worst->entry.name(), 100 * *worst->of_plain);
  }
  if (options.json) fmt::print("{}\n", all.dump(2));
  if (!options.plot.empty()) plot(options.plot, info, peaks, results);
}

}  // namespace

Command bench_command() {
  Command command{"bench", "Throughput and fraction of the roofline on this machine's devices"};
  auto o = std::make_shared<BenchOptions>();
  command.option("name", o->names, "Beginnings of names, such as maxwell-tetrahedron (the default) or acoustics; or heat, modal, families, levelset or ranks, tables of their own");
  command.option("--order", o->orders, "Orders to measure").within(1, 12).list();
  command.option("--precision", o->precision, "single, double or both").among({"single", "double", "both"});
  command.option("--device", o->device, "A device that `swell info` lists, cpu:THREADS or auto");
  command.option("--dofs", o->dofs, "About how many unknowns; 20 million on GPUs, 6 million elsewhere").within(1e3, 1e10);
  command.option("--json", o->json, "Results as JSON");
  command.option("--plot", o->plot, "File for a picture of the roofline (SVG)");
  command.option("--list", o->list, "Names only; of all where none is given");
  command.run = [o](const Given& given) {
    for (const char* const option : {"--order", "--precision", "--device", "--dofs", "--plot"})
      if (given.contains(option)) o->given.emplace_back(option);
    bench(*o);
    return 0;
  };
  return command;
}

}  // namespace swell
