// SPDX-License-Identifier: Apache-2.0
// Throughput of the operator on a device, beside what the device's own bandwidth and arithmetic peak allow.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "device/peaks.hpp"
#include "element/shape.hpp"
#include "mesh/sources.hpp"

namespace swell {

struct BenchEntry {
  std::string model = {};
  Shape shape = Shape::tetrahedron;
  int order = 3;
  Precision precision = Precision::double_;
  bool irregular = false;    // vertices moved at random: quadrilaterals and hexahedra are not affine then
  bool mixed = false;        // triangles beside quadrilaterals; hexahedra, prisms, pyramids and tetrahedra
  bool varying = false;      // the model's first material varies inside the cells
  std::string pair = {};     // the two-point flux of the volume terms; empty: another form
  bool curved = false;       // the box is bent by a smooth map that the cells follow, all of them
  bool reacting = false;     // with a conductivity
  bool sources = false;      // with point sources, and receivers that sample the state after each step
  std::string name() const;  // "maxwell-tetrahedron-3-double", "acoustics-hexahedron-irregular-3-double", "acoustics-mixed-3-double",
                             // "maxwell-tetrahedron-varying-3-double", "euler-hexahedron-ranocha-3-double"
  // The regular boxes of one shape and material that every other kind of box is measured beside: those of its shapes; for two-point
  // fluxes the box without them. Regular ones have none.
  std::vector<BenchEntry> plain() const;
};

struct BenchResult {
  BenchEntry entry;
  std::int64_t elements = 0, dofs = 0;
  double seconds = 0;        // of one Runge-Kutta stage with its update, the best of several
  double setup_seconds = 0;  // mesh, operator and kernels
  Work work;                 // of one stage
  Bound bound;
  // Its rate over that of its unknowns on boxes plain(), each at the rate of its shape, measured in turn with it.
  std::optional<double> of_plain;
  double dofs_per_second() const { return static_cast<double>(dofs) / seconds; }
  double fraction() const { return bound.seconds / seconds; }
};

// Every model on the shapes that it fits, for the orders asked.
std::vector<BenchEntry> bench_entries(const std::vector<int>& orders);
// The default size of a measurement: large enough that nothing stays in the caches.
double default_dofs(const Device& device);
// The measurement that is slowest beside its plain boxes; nullptr where none has any.
const BenchResult* worst_of_plain(const std::vector<BenchResult>& results);
// How a material of this value varies in a varying entry, in x and y.
std::string varying_material(double value);
// A periodic box with about `dofs` unknowns.
BoxOptions bench_box(const BenchEntry& entry, double dofs);
// On that box; the fraction is of `peaks`, measured on the same device in the same run.
BenchResult run_bench(const BenchEntry& entry, Device& device, const Peaks& peaks, double dofs);

}  // namespace swell
