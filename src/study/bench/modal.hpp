// SPDX-License-Identifier: Apache-2.0
// Benchmarks of sparse triple products in their three forms, and of a Runge-Kutta step of a level set beside the times of
// Jibben (2013), "A GPU accelerated discontinuous Galerkin scheme for advection", LA-UR-13-26528, table 2.
#pragma once

#include <functional>
#include <vector>

#include "device/device.hpp"
#include "element/shape.hpp"

namespace swell {

constexpr int highest_levelset_order = 4, highest_modal_order = 4;

struct LevelSetBench {
  int dim = 3, order = 1, cells = 10;  // cells along each axis of the unit square or cube
  double jibben_cpu = 0, jibben_gpu = 0;  // seconds of table 2: Opteron 6168 in serial, Tesla C2050
  std::int64_t dofs = 0;
  double seconds = 0;         // of one step of order + 1 stages, the best of several
  Work work;                  // of the step
  double reinit_seconds = 0;  // of one right-hand side of the reinitialisation
};

// The rows of table 2 for these degrees (1 to 4), in 2D and 3D.
std::vector<LevelSetBench> levelset_benches(const std::vector<int>& orders);
// Fills in what was measured.
void run_levelset_bench(LevelSetBench& bench, Device& device, Precision precision);

// The volume integrals of one direction: out_i = sum of T_ikj u_k g_j, in each of an element.
struct ContractionBench {
  Shape shape = Shape::triangle;
  int order = 1;
  int modes = 0;
  std::int64_t elements = 0;
  std::size_t products = 0;  // that are not zero
  double fill = 0;           // their part of all
  // Times of all elements: with the products in the kernel source (0: too many), in tables, and with all products.
  double text_seconds = 0, rows_seconds = 0, dense_seconds = 0;
};

std::vector<ContractionBench> contraction_benches(const std::vector<int>& orders);
void run_contraction_bench(ContractionBench& bench, Device& device, Precision precision);

}  // namespace swell
