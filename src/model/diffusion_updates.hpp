// SPDX-License-Identifier: Apache-2.0
// Changes of a discretised diffusion problem that keep its mesh, numbering and kernels: for sweeps and for Evolution::adopt().
#pragma once

#include <vector>

#include "device/device.hpp"
#include "model/diffusion.hpp"

namespace swell {

class DiffusionUpdates {
 public:
  virtual ~DiffusionUpdates() = default;
  // Other materials on the same mesh: nothing else is made again. By all ranks together, as all of these; waits. Throws InputError
  // where the material cannot be used.
  virtual void set_material(std::vector<DiffusionMaterial> material) = 0;
  // Other fluxes, transfers, Dirichlet values and source, each boundary of the kind that it was. Waits.
  virtual void set_loads(std::vector<DiffusionBoundary> boundary, Expression source) = 0;
  // Other point sources; one of another rank has no cell here. Waits.
  virtual void set_points(std::vector<PointSourceSpec> points) = 0;
  // For a sweep, which knows its materials beforehand: the kernel sources that such a material needs; and, once these are
  // compiled, expect() makes all that set_material() would make, without setting the material.
  virtual std::vector<ProgramText> texts_for(const std::vector<DiffusionMaterial>& material) const = 0;
  virtual void expect(const std::vector<DiffusionMaterial>& material) = 0;
};

}  // namespace swell
