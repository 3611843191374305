// SPDX-License-Identifier: Apache-2.0
// `swell bench levelset`: one Runge-Kutta step of a level set beside table 2 of Jibben (2013). `swell bench modal`: sparse
// products in three forms. `swell bench families`: modes with ADER beside nodes with Runge-Kutta.
#include "app/bench_levelset.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "study/bench/families.hpp"
#include "study/bench/modal.hpp"

namespace swell {

namespace {

const char* words(Precision precision) { return precision == Precision::double_ ? "double" : "single"; }

std::unique_ptr<Device> device_with(const std::string& name, Precision precision) {
  auto device = open_device(name);
  if (precision == Precision::double_ && !device->info().doubles)
    throw InputError("{} has no double precision; take --precision single.", device->info().name);
  return device;
}

}  // namespace

void bench_levelset(const std::string& device_name, const std::vector<int>& orders, Precision precision, bool json) {
  const auto device = device_with(device_name, precision);
  const Peaks peaks = measure_peaks(*device);
  nlohmann::ordered_json all{{"device", device->info().name},
                             {"threads", device->info().threads},
                             {"precision", words(precision)},
                             {"bandwidth", peaks.bandwidth},
                             {"fma_double", peaks.fma_double},
                             {"results", nlohmann::ordered_json::array()}};
  if (!json)
    fmt::print("{}, {} threads, {} precision\n{:<4} {:>6} {:>5} {:>9} {:>11} {:>10} {:>10} {:>9} {:>9} {:>8} {:>6} {:>11}\n",
               device->info().name, device->info().threads, words(precision), "dim", "degree", "1/dx", "unknowns", "s/step", "Jibben CPU",
               "Jibben GPU", "over CPU", "over GPU", "GFLOP/s", "bound", "reinit s");
  for (LevelSetBench& bench : levelset_benches(orders)) {
    run_levelset_bench(bench, *device, precision);
    const double fraction = bound_of(bench.work, peaks, precision).seconds / bench.seconds;
    all["results"].push_back({{"dim", bench.dim},
                              {"degree", bench.order},
                              {"cells", bench.cells},
                              {"dofs", bench.dofs},
                              {"seconds_per_step", bench.seconds},
                              {"stages", bench.order + 1},
                              {"jibben_cpu_seconds", bench.jibben_cpu},
                              {"jibben_gpu_seconds", bench.jibben_gpu},
                              {"over_jibben_cpu", bench.jibben_cpu / bench.seconds},
                              {"over_jibben_gpu", bench.jibben_gpu / bench.seconds},
                              {"flops", bench.work.flops},
                              {"bytes", bench.work.bytes},
                              {"fraction", fraction},
                              {"reinitialise_seconds", bench.reinit_seconds}});
    if (json) continue;
    fmt::print(
        "{:<4} {:>6} {:>5} {:>9} {:>11.3e} {:>10.2e} {:>10.2e} {:>8.1f}x {:>8.1f}x {:>8.1f} {:>5.0f}% {:>11.3e}\n",
        bench.dim, bench.order, bench.cells, bench.dofs, bench.seconds, bench.jibben_cpu, bench.jibben_gpu,
        bench.jibben_cpu / bench.seconds, bench.jibben_gpu / bench.seconds, bench.work.flops / bench.seconds / 1e9,
        100 * fraction, bench.reinit_seconds);
    std::fflush(stdout);
  }
  if (json) fmt::print("{}\n", all.dump(2));
}

void bench_families(const std::string& device_name, const std::vector<int>& orders, const std::string& precision,
                    std::optional<double> dofs, bool json) {
  const auto device = open_device(device_name);
  const DeviceInfo& info = device->info();
  const Peaks peaks = measure_peaks(*device);
  nlohmann::ordered_json all{{"device", info.name},
                             {"threads", info.threads},
                             {"bandwidth", peaks.bandwidth},
                             {"fma_double", peaks.fma_double},
                             {"fma_single", peaks.fma_single},
                             {"results", nlohmann::ordered_json::array()}};
  if (!json)
    fmt::print(
        "{}, {} threads: {:.1f} GB/s, {:.1f} GFLOP/s double, {:.1f} single\n"
        "Each with its own step over the same time; M/s: unknowns times the nodal family's right-hand sides that a second "
        "stands for\n{:<28} {:>9} {:<6} {:<7} {:>5} {:>10} {:>10} {:>8} {:>8} {:>7} {:>9} {:>6} {:>8}\n",
        info.name, info.threads, peaks.bandwidth / 1e9, peaks.fma_double / 1e9, peaks.fma_single / 1e9, "name", "unknowns",
        "family", "scheme", "cfl", "dt", "ms/step", "M/s", "GFLOP/s", "GB/s", "by", "of it", "to nodal");
  for (const BenchEntry& entry : family_entries(orders)) {
    if (precision != "both" && (entry.precision == Precision::double_) != (precision == "double")) continue;
    if (entry.precision == Precision::double_ && !info.doubles) continue;
    const FamilyBench bench = run_family_bench(entry, *device, peaks, dofs.value_or(default_dofs(*device)));
    for (const FamilySpeed& s : bench.speeds) {
      const double right_hand_sides = bench.right_hand_sides(s), ratio = right_hand_sides / bench.right_hand_sides(bench.speeds[0]);
      all["results"].push_back({{"name", entry.name()},
                                {"dofs", bench.dofs},
                                {"family", s.family},
                                {"scheme", s.scheme},
                                {"cfl", s.cfl},
                                {"dt", s.dt},
                                {"seconds_per_step", s.seconds},
                                {"right_hand_sides_per_second", right_hand_sides},
                                {"ratio", ratio},
                                {"flops", s.work.flops},
                                {"bytes", s.work.bytes},
                                {"bound_by", s.bound.by},
                                {"fraction", s.fraction()}});
      if (json) continue;
      fmt::print("{:<28} {:>9} {:<6} {:<7} {:>5.2f} {:>10.3e} {:>10.3f} {:>8.1f} {:>8.1f} {:>7.1f} {:>9} {:>5.0f}% {:>8.2f}\n",
                 entry.name(), bench.dofs, s.family, s.scheme, s.cfl, s.dt, 1e3 * s.seconds,
                 static_cast<double>(bench.dofs) * right_hand_sides / 1e6, s.work.flops / s.seconds / 1e9,
                 s.work.bytes / s.seconds / 1e9, s.bound.by, 100 * s.fraction(), ratio);
      std::fflush(stdout);
    }
  }
  if (json) fmt::print("{}\n", all.dump(2));
}

void bench_modal(const std::string& device_name, const std::vector<int>& orders, Precision precision, bool json) {
  const auto device = device_with(device_name, precision);
  nlohmann::ordered_json all{{"device", device->info().name},
                             {"threads", device->info().threads},
                             {"precision", words(precision)},
                             {"results", nlohmann::ordered_json::array()}};
  if (!json)
    fmt::print(
        "{}, {} threads, {} precision; nanoseconds an element, one volume integral\n{:<14} {:>6} {:>6} {:>9} {:>7} {:>10} {:>10} "
        "{:>10}\n",
        device->info().name, device->info().threads, words(precision), "shape", "degree", "modes", "products", "fill", "text", "tables",
        "dense");
  for (ContractionBench& bench : contraction_benches(orders)) {
    run_contraction_bench(bench, *device, precision);
    all["results"].push_back({{"shape", shape_name(bench.shape)},
                              {"degree", bench.order},
                              {"modes", bench.modes},
                              {"products", bench.products},
                              {"fill", bench.fill},
                              {"elements", bench.elements},
                              {"text_seconds", bench.text_seconds},
                              {"tables_seconds", bench.rows_seconds},
                              {"dense_seconds", bench.dense_seconds}});
    if (json) continue;
    const double unit = 1e9 / static_cast<double>(bench.elements);
    fmt::print("{:<14} {:>6} {:>6} {:>9} {:>6.2f}% {:>10} {:>10.1f} {:>10.1f}\n", shape_name(bench.shape), bench.order,
               bench.modes, bench.products, 100 * bench.fill,
               bench.text_seconds > 0 ? fmt::format("{:.1f}", bench.text_seconds * unit) : "-",
               bench.rows_seconds * unit, bench.dense_seconds * unit);
    std::fflush(stdout);
  }
  if (json) fmt::print("{}\n", all.dump(2));
}

}  // namespace swell
