// SPDX-License-Identifier: Apache-2.0
// `swell bench heat`: the time of one iteration of conjugate gradients with the diagonal as preconditioner, for linear
// tetrahedra on a cube of cells, beside Eigen's with an assembled matrix in the same run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "device/peaks.hpp"
#include "model/diffusion.hpp"

namespace swell {

struct HeatBench {
  std::string form;             // "fixed grid", "elements", "discontinuous", "Eigen, assembled", ...
  std::int64_t cells = 0, unknowns = 0;
  std::int64_t iterations = 0;  // to the tolerance; 0: it was not reached, or only some were timed
  double tolerance = 0;         // of the residual
  double seconds = 0;           // of one iteration, the best of several
  double bytes = 0;             // of one iteration: vectors, and what the form reads besides
  double flops = 0;             // of one iteration; 0: not counted
  std::string element = "tetrahedron";
  int order = 1;
};

// The residual to which iterations are counted: 1e-8, or what single precision can reach on so many cells of this order.
double bench_heat_tolerance(Precision precision, std::int64_t cells, int order);

// -lap u = 1 on the unit cube with u = 0 around it, `cells` along each axis. `tolerance`: in place of the usual one.
HeatBench bench_fixed_grid(Device& device, Precision precision, std::int64_t cells, std::optional<double> tolerance = {});
struct ElementBench {
  std::int64_t cells = 0;
  Shape shape = Shape::tetrahedron;
  int order = 1;
  DiffusionForm form = DiffusionForm::elements;
};
HeatBench bench_elements(Device& device, Precision precision, const ElementBench& of);
// The interior penalty method on the same problem; its iterations are not counted. `form` is ignored.
HeatBench bench_discontinuous(Device& device, Precision precision, const ElementBench& of);
// On the processor, whatever the device. `pattern`: 15 entries a row as assembly leaves them, or 7 without those that are 0.
// `threads`: 0 for all.
HeatBench bench_eigen(std::int64_t cells, int pattern, int threads);

}  // namespace swell
