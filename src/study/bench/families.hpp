// SPDX-License-Identifier: Apache-2.0
// The modal family with ADER beside the nodal family with Runge-Kutta, at equal work: the same unknowns over the same
// simulated time.
#pragma once

#include "study/bench/bench.hpp"

namespace swell {

// One family with one scheme: the cost of a step, and its length. A right-hand side of ADER is not one of Runge-Kutta: a step
// of ADER has one, but does the work of all stages of a scheme of its order. So the comparison is of the time in which both
// simulate an equal span with equal unknowns, each with a step of its own; in right-hand sides of the nodal family, that is how
// many of them a second of the other one replaces.
struct FamilySpeed {
  std::string family, scheme;
  double cfl = 1;
  double dt = 0;       // its own stable step
  int stages = 1;      // right-hand sides in a step
  double seconds = 0;  // of a step, the best of several
  Work work;           // of a step, at least
  Bound bound;
  double fraction() const { return bound.seconds / seconds; }
  double simulated() const { return dt / seconds; }  // time a second
};

struct FamilyBench {
  BenchEntry entry;
  std::int64_t elements = 0, dofs = 0;
  std::vector<FamilySpeed> speeds;  // the nodal family's default first

  // Right-hand sides of the first that one of the others replaces in a second: a step of dt stands for the right-hand sides
  // that the first evaluates to come as far.
  double right_hand_sides(const FamilySpeed& speed) const {
    return speed.simulated() / speeds.front().dt * speeds.front().stages;
  }
};

// Advection, acoustics and elastic waves on triangles and tetrahedra.
std::vector<BenchEntry> family_entries(const std::vector<int>& orders);
// Runge-Kutta of order 4 (the nodal family's default), Runge-Kutta of the order of the space, ADER with the step of Castro,
// Behrens and Pelties (2013), eq. 31 at cfl = 0.9, and ADER with its largest stable step, as Runge-Kutta has it.
// Measures all schemes on one periodic box in turns, so that a machine that is slower for a while is so for all of them.
FamilyBench run_family_bench(const BenchEntry& entry, Device& device, const Peaks& peaks, double dofs);

}  // namespace swell
