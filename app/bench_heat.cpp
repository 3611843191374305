// SPDX-License-Identifier: Apache-2.0
#include "app/bench_heat.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>

#include "study/bench/heat.hpp"

namespace swell {

namespace {

constexpr std::int64_t usual_cells = 128;
// A GPU is through with an iteration on the usual cube in less than a tenth of a millisecond: it is shown on a larger one too.
constexpr std::int64_t gpu_cells = 256;
// The second cube on which elements are measured beside Eigen.
constexpr std::int64_t fewer_cells = 64;
// The approximate number of unknowns along an axis at which orders are compared, where --dofs does not say it.
constexpr std::int64_t order_unknowns = 64;
constexpr int highest_order = 8;

}  // namespace

void bench_heat(const std::string& device_name, const std::string& precision_name, std::optional<double> dofs,
                bool json) {
  const auto device = open_device(device_name);
  const Peaks peaks = measure_peaks(*device);
  const Precision precision = precision_name == "single" ? Precision::single_ : Precision::double_;
  const std::int64_t cells = dofs ? std::max<std::int64_t>(4, std::llround(std::cbrt(*dofs)) - 1) : usual_cells;
  nlohmann::ordered_json all{{"device", device->info().name},
                             {"threads", device->info().threads},
                             {"precision", precision_name},
                             {"bandwidth", peaks.bandwidth},
                             {"results", nlohmann::ordered_json::array()}};
  if (!json)
    fmt::print("{}, {} threads: {:.1f} GB/s, {} precision; one iteration of conjugate gradients\n{:<22} {:>6} {:>9} {:>10} "
               "{:>10} {:>8} {:>8} {:>6} {:>10}\n",
               device->info().name, device->info().threads, peaks.bandwidth / 1e9, precision_name, "form", "cells",
               "vertices", "iterations", "ms", "GB/s", "GFLOP/s", "bound",
               "over Eigen");
  double eigen = 0;
  std::int64_t eigen_cells = 0;
  const auto show = [&](const HeatBench& r, bool on_device) {
    if (r.form == "Eigen, assembled") eigen = r.seconds, eigen_cells = r.cells;
    // The time that memory and arithmetic allow, over the measured time.
    const double fma = precision == Precision::double_ ? peaks.fma_double : peaks.fma_single;
    const double bound = std::max(r.bytes / peaks.bandwidth, r.flops / fma) / r.seconds;
    const bool jumps = r.form == "discontinuous", beside = !jumps && r.order == 1 && r.element == "tetrahedron";
    const std::string name = beside ? r.form : fmt::format("{}{} {}", jumps ? "SIPG " : "", r.element, r.order);
    all["results"].push_back({{"form", r.form},
                              {"element", r.element},
                              {"order", r.order},
                              {"cells", r.cells},
                              {"vertices", r.unknowns},
                              {"iterations", r.iterations},
                              {"tolerance", r.tolerance},
                              {"seconds_per_iteration", r.seconds},
                              {"bytes_per_iteration", r.bytes},
                              {"flops_per_iteration", r.flops}});
    auto& row = all["results"].back();
    if (on_device) row["fraction_of_bound"] = bound;
    const bool compared = beside && r.cells == eigen_cells;
    if (compared) row["over_eigen"] = eigen / r.seconds;
    if (json) return;
    fmt::print("{:<22} {:>6} {:>9} {:>10} {:>10.3f} {:>8.1f} {:>8} {:>6} {:>10}\n", name, r.cells, r.unknowns,
               r.iterations > 0 ? fmt::format("{}", r.iterations) : "-", 1e3 * r.seconds, r.bytes / r.seconds / 1e9,
               r.flops > 0 ? fmt::format("{:.1f}", r.flops / r.seconds / 1e9) : "-",
               on_device ? fmt::format("{:.0f}%", 100 * bound) : "-",
               compared ? fmt::format("{:.2f}x", eigen / r.seconds) : "-");
    std::fflush(stdout);
  };
  // Eigen runs on as many threads as the device has; beside a GPU, on all threads of the host.
  const int eigen_threads = device->info().backend == "cpu" ? device->info().threads : 0;
  show(bench_eigen(cells, 15, eigen_threads), false);
  show(bench_eigen(cells, 7, eigen_threads), false);
  show(bench_fixed_grid(*device, precision, cells), true);
  if (!dofs && device->info().simt && device->info().backend == "cuda")
    show(bench_fixed_grid(*device, precision, gpu_cells), true);
  show(bench_elements(*device, precision, {cells}), true);
  if (cells > fewer_cells) {
    show(bench_eigen(fewer_cells, 15, eigen_threads), false);
    show(bench_elements(*device, precision, {fewer_cells}), true);
  }
  const std::int64_t less = std::min(cells, fewer_cells);
  show(bench_elements(*device, precision, {less, Shape::tetrahedron, 1, DiffusionForm::vertices}), true);
  const std::int64_t along_axis = dofs ? cells : order_unknowns;
  for (const Shape shape : {Shape::hexahedron, Shape::tetrahedron})
    for (int order = shape == Shape::hexahedron ? 1 : 2; order <= highest_order; ++order)
      show(bench_elements(*device, precision, {std::max<std::int64_t>(2, along_axis / order), shape, order}), true);
  for (const Shape shape : {Shape::hexahedron, Shape::tetrahedron})
    for (const int order : {1, 2, 4, 6}) {
      const double n = order + 1;
      const double cube = shape == Shape::hexahedron ? n * n * n : n * (n + 1) * (n + 2);  // unknowns of it
      const auto along = std::llround(static_cast<double>(along_axis) / std::cbrt(cube));
      show(bench_discontinuous(*device, precision, {std::max<std::int64_t>(2, along), shape, order}), true);
    }
  if (json) fmt::print("{}\n", all.dump(2));
}

}  // namespace swell
