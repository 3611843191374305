// SPDX-License-Identifier: Apache-2.0
#include "sim/time_step.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/error.hpp"
#include "time/integrator.hpp"
#include "time/stability.hpp"

namespace swell {

namespace {

constexpr double noticed = 2;  // times the height
constexpr double rounding = 1e-6;  // of a step that was printed and given again

double largest_rate(const Case& c, const StiffnessOfShapes& stiffness) {
  double largest = 0;
  for (const auto& [shape, of_shape] : stiffness) {
    const double rate = stable_rate(c, shape, of_shape);
    largest = rate <= largest ? largest : rate;  // keeps what is not a number
  }
  return largest;
}

std::string name_of(const Case& c) { return c.file.empty() ? "the case" : c.file.filename().string(); }

[[noreturn]] void nothing_moves(const Case& c) {
  throw InputError("Nothing moves in {}: the largest wave speed is 0, so give time.dt.", name_of(c));
}

}  // namespace

double stable_rate(const Case& c, Shape shape, const Stiffness& stiffness) {
  const double transport = c.scheme == "ader" ? stiffness.crossing * (2 * c.order + 1) / ader_fraction(shape, c.order)
                                              : stiffness.transport / stable_constant(c.scheme, shape, c.order);
  return transport + stiffness.reaction / decay_limit(c.scheme);
}

double nonlinear_fraction(const Case& c, Shape shape) {
  if (c.steps)
    throw InputError("time.steps in {} needs time.dt, since the steps of a nonlinear model follow its waves; or give time.end.",
                     name_of(c));
  constexpr double kept_back = 0.9;
  return kept_back * c.cfl * stable_constant(c.scheme, shape, c.order);
}

void check_stable_step(const Case& c, const Model& model, double dt) {
  if (dt == 0)
    throw InputError("The function speed of the model '{}' gives a value that is not finite for the initial state of {}: look at "
                     "[initial], or give time.dt.",
                     model.name, name_of(c));
  if (!std::isfinite(dt)) nothing_moves(c);
}

double time_step(const Case& c, const StiffnessOfShapes& stiffness) {
  if (c.dt) return *c.dt;
  const double rate = largest_rate(c, stiffness);
  if (!std::isfinite(rate))
    throw InputError("The largest wave speed in {} is not a number: look at the function speed of the model, or give time.dt.",
                     name_of(c));
  if (!(rate > 0)) nothing_moves(c);
  return c.cfl / rate;
}

std::string long_step_in_words(const Case& c, const StiffnessOfShapes& stiffness) {
  const double times = c.dt ? *c.dt * largest_rate(c, stiffness) : 0;
  if (!(times > 1 + rounding)) return "";
  return fmt::format("time.dt = {:.6g} is {:.3g} times the largest step that is known to be stable, {:.6g}: the run may blow up.", *c.dt,
                     times, *c.dt / times);
}

std::string growth_in_words(const Case& c, Shape shape, std::int64_t steps) {
  if (c.scheme != "ader") return "";
  // A step that the case gives is at most the stable one, where the run is to succeed.
  const double growth = ader_growth(shape, c.order, c.dt ? 1 : c.cfl),
               height = std::exp(growth * static_cast<double>(steps));
  if (height <= noticed) return "";
  return fmt::format(
      "ADER of order {} lets a wave that nothing damps grow by up to {:.1e} of its height in a step, in {} steps to {:.3g} times "
      "its height: where waves ring that long in a closed box, take time.scheme = \"lsrk54\" or an order up to 7.",
      c.order, growth, steps, height);
}

}  // namespace swell
