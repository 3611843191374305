// SPDX-License-Identifier: Apache-2.0
// Measurements of states that stay on the device: integrals of quantities, and whether the state is good.
#pragma once

#include <memory>
#include <vector>

#include "dg/monitor.hpp"
#include "dg/states.hpp"

namespace swell {

// The first state that a watch found not finite or not admissible.
struct Finding {
  bool good = true;
  std::int64_t step = 0;
  // From the number of fields on, `field` counts the model's admissible quantities: that one is not positive. Below, that field
  // is not finite.
  States::Place place{};
  // An element whose mean is not admissible, where states are brought back to their means: when that was first, and the
  // admissible quantities of that mean. Empty: a node was found.
  double time = 0;
  std::vector<double> mean = {};
};

class Measures;

// Flows through faces of the boundary, integrals of the numerical flux as the operator exchanges it, into a log on the device.
class BoundaryFlows {
 public:
  virtual ~BoundaryFlows() = default;
  // [face] of this rank: its boundary's number.
  virtual const std::vector<std::int32_t>& boundaries() const = 0;
  virtual int parts() const = 0;  // 2 where the page has viscous terms, which come second
  virtual void reserve(std::int64_t rows) = 0;
  // Queues the flows of a state, whose ghosts it fills, into a row. By all ranks together.
  virtual void note(Buffer& q, double t, std::int64_t row) = 0;
  virtual std::vector<double> read(std::int64_t rows) = 0;  // waits: [row][face][part][field]
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual Monitor& monitor() = 0;
  // The model's quantity_energy where it has one, else q . M(x) q / 2; the sum over the elements is exact and rounded once.
  // Waits.
  virtual double energy(Buffer& q, double t) = 0;
  // Queues the energy into a place of a log of the monitor.
  virtual void note_energy(Buffer& q, double t, Buffer& log, std::int64_t place) = 0;
  // The state that the next step gives will be watched, unchanged: a kernel that has its values at hand may check them at once.
  virtual void expect_watch() {}
  // Queues a check of the state of time t for values that are not finite and, where the model says so, not admissible; the
  // first finding is kept.
  virtual void watch(const Buffer& q, std::int64_t step, double t = 0) = 0;
  virtual Finding finding() = 0;  // waits
  virtual void forget() { monitor().forget(); }
  // False where the state is not finite or not admissible. Waits, and forgets the finding.
  bool finite(const Buffer& q);

  // The faces of the boundaries whose numbers are marked; nullptr where the family knows no flows.
  virtual std::unique_ptr<BoundaryFlows> flows_through(const std::vector<char>& /*boundaries*/) { return nullptr; }

  // The model's own measures; nullptr for linear models that have none.
  virtual Measures* measures() { return nullptr; }
};

}  // namespace swell
