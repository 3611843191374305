// SPDX-License-Identifier: Apache-2.0
#include "app/bench_heat.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>

#include "sim/bench_heat.hpp"

namespace swell {

namespace {

constexpr std::int64_t usual_cells = 128;
// A GPU is through with an iteration on the usual cube in less than a tenth of a millisecond: it is shown on a larger one too.
constexpr std::int64_t gpu_cells = 256;
// Elements take three hundred times the memory of the fixed grid, so that they are measured on a smaller cube, with Eigen's.
constexpr std::int64_t most_element_cells = 64;

}  // namespace

void bench_heat(const std::string& device_name, const std::string& precision_name, std::optional<double> dofs,
                bool json) {
  const auto device = open_device(device_name);
  const Peaks peaks = measure_peaks(*device);
  const Precision precision = precision_name == "single" ? Precision::single_ : Precision::double_;
  const std::int64_t cells = dofs ? std::max<std::int64_t>(4, std::llround(std::cbrt(*dofs)) - 1) : usual_cells;
  const std::int64_t fewer = std::min(cells, most_element_cells);
  nlohmann::ordered_json all{{"device", device->info().name},
                             {"threads", device->info().threads},
                             {"precision", precision_name},
                             {"bandwidth", peaks.bandwidth},
                             {"results", nlohmann::ordered_json::array()}};
  if (!json)
    fmt::print("{}, {} threads: {:.1f} GB/s, {} precision; one iteration of conjugate gradients\n{:<22} {:>6} {:>9} {:>10} "
               "{:>10} {:>8} {:>6} {:>10}\n",
               device->info().name, device->info().threads, peaks.bandwidth / 1e9, precision_name, "form", "cells",
               "vertices", "iterations", "ms", "GB/s", "of it", "over Eigen");
  double eigen = 0;
  const auto show = [&](const HeatBench& r, bool on_device) {
    if (r.form == "Eigen, assembled") eigen = r.seconds;
    const double fraction = on_device ? r.bytes / r.seconds / peaks.bandwidth : std::nan("");
    all["results"].push_back({{"form", r.form},
                              {"cells", r.cells},
                              {"vertices", r.unknowns},
                              {"iterations", r.iterations},
                              {"seconds_per_iteration", r.seconds},
                              {"bytes_per_iteration", r.bytes},
                              {"over_eigen", eigen / r.seconds}});
    if (json) return;
    fmt::print("{:<22} {:>6} {:>9} {:>10} {:>10.3f} {:>8.1f} {:>6} {:>9.2f}x\n", r.form, r.cells, r.unknowns,
               r.iterations > 0 ? fmt::format("{}", r.iterations) : "-", 1e3 * r.seconds, r.bytes / r.seconds / 1e9,
               on_device ? fmt::format("{:.0f}%", 100 * fraction) : "-", eigen / r.seconds);
    std::fflush(stdout);
  };
  show(bench_eigen(cells, 15), false);
  show(bench_eigen(cells, 7), false);
  show(bench_fixed_grid(*device, precision, cells), true);
  if (!dofs && device->info().threads_are_lanes && device->info().backend == "cuda")
    show(bench_fixed_grid(*device, precision, gpu_cells), true);
  if (fewer != cells) show(bench_eigen(fewer, 15), false);
  show(bench_elements(*device, precision, fewer), true);
  if (json) fmt::print("{}\n", all.dump(2));
}

}  // namespace swell
