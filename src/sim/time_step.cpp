// SPDX-License-Identifier: Apache-2.0
#include "sim/time_step.hpp"

#include "base/error.hpp"
#include "time/integrator.hpp"
#include "time/stability.hpp"

namespace swell {

double time_step(const Case& c, Shape shape, const Stiffness& stiffness) {
  if (c.dt) return *c.dt;
  // Transport and reaction each take their part of the stability region.
  const double transport =
      c.scheme == "ader" ? stiffness.crossing * (2 * c.order + 1) / ader_fraction(shape, c.order)
                         : stiffness.transport / stable_constant(c.scheme, shape, c.order, c.family == "modal");
  const double rate = transport + stiffness.reaction / decay_limit(c.scheme);
  if (!(rate > 0))
    throw InputError("Nothing moves in {}: the largest wave speed is 0, so give time.dt.",
                     c.file.empty() ? "the case" : c.file.filename().string());
  return c.cfl / rate;
}

}  // namespace swell
