// SPDX-License-Identifier: Apache-2.0
// The largest stable time step of each scheme, as measured on the discretisation itself.
#pragma once

#include <string_view>

#include "element/shape.hpp"

namespace swell {

// C in dt = cfl * min over cells of C / s: on simplices, prisms and pyramids s is the largest wave speed times the sum of the cell's face
// measures over its own measure, on tensor shapes the largest wave speed times the sum over the reference directions d
// of |grad r_d| (largest over the nodes). Measured by tools/measure_stability for DG with exact mass and upwind flux on
// regular, stretched and sheared cells, periodic and walled, with 5 percent taken off; tests hold it on cells moved at
// random. The schemes of the space's order allow a wave that nothing damps to grow by 1e-5 a step, an error of their
// own order.
double stable_constant(std::string_view scheme, Shape shape, int order);

// The limit of "ader" in cfl * (way from the middle of a cell to its nearest face) / ((2 order + 1) speed) (Castro, Behrens and
// Pelties 2013, eq. 31): the part of it that is taken, 1 where it is stable at cfl = 1.
double ader_fraction(Shape shape, int order);
// The largest stable cfl of "ader", with 5 percent taken off as in stable_constant(): above 1 where eq. (31) is on the safe
// side.
double ader_largest_cfl(Shape shape, int order);
// The history that a step of "ader" carries from the step before, so that no wave grows (decision 0016): the modes up to
// `degree` (in each direction on tensor shapes) of the contribution of the faces, times `weight`.
struct AderMemory {
  int degree = -1;  // none
  double weight = 0;
  explicit operator bool() const { return degree >= 0; }
};
AderMemory ader_memory(int order);
// The part of its height by which a step of "ader" may let a wave grow that nothing damps, 0 up to order 7; above that order it
// is what was found at order 7 without memory, on lines at order 8.
double ader_growth(Shape shape, int order, double cfl);

}  // namespace swell
