// SPDX-License-Identifier: Apache-2.0
// A discontinuous right-hand side of a problem on a device, whatever its family: what a simulation and its outputs ask of it.
// States go in and out as values at the nodes of the element; how they lie on the device is the family's own affair.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dg/layout.hpp"
#include "dg/monitor.hpp"
#include "dg/stiffness.hpp"
#include "time/integrator.hpp"

namespace swell {

class HaloExchange;

class Operator : public RightHandSide {
 public:
  virtual const Problem& problem() const = 0;
  virtual const ReferenceElement& element() const = 0;
  virtual const Layout& layout() const = 0;
  virtual const MaterialField& material() const = 0;
  virtual Device& device() = 0;
  int fields() const { return static_cast<int>(problem().model.fields.size()); }
  std::int64_t dofs() const { return layout().elements * element().node_count * fields(); }
  int order() const override { return problem().order; }

  // integral = the integral over dt of what q becomes by local_rate alone, as advance() takes it.
  virtual void predict(Buffer& q, double dt, Buffer& integral) = 0;

  // Host values [cell][node][field] to and from a state.
  virtual void write_state(Buffer& state,
                           const std::function<void(std::int64_t cell, double* values)>& of_cell) const = 0;
  // Calls back with blocks of consecutive slots; cells in the order of the slots.
  virtual void read_state(const Buffer& state,
                          const std::function<void(std::int64_t cell, const double* values)>& of_cell) const = 0;

  // The same with the numbers that an element keeps of each field, whatever they stand for: [cell][number][field], and not
  // rounded on the way.
  virtual void write_numbers(Buffer& state, const std::function<void(std::int64_t cell, double* numbers)>& of_cell) const {
    write_state(state, of_cell);
  }
  virtual void read_numbers(const Buffer& state,
                            const std::function<void(std::int64_t cell, const double* numbers)>& of_cell) const {
    read_state(state, of_cell);
  }

  // Numbers to and from the device, in the precision of the problem.
  std::unique_ptr<Buffer> upload(const std::vector<double>& values, std::string_view label);
  std::unique_ptr<Buffer> upload(const std::vector<std::int32_t>& values, std::string_view label);
  std::vector<double> download(const Buffer& buffer, std::size_t count) const;

  // What each number that an element keeps of a field counts at reference points: points x numbers.
  virtual Matrix evaluation(const Matrix& points) const = 0;
  // Queues: values of all fields at `count` points into the samples from row `offset` on. Each point has a slot and a row of
  // evaluation().
  virtual void sample(Buffer& q, const Buffer& slots, const Buffer& weights, Buffer& samples, std::int64_t count,
                      std::int64_t offset) = 0;

  // What a model does to the state between steps (a level set restores its profile), after so many steps and at the end of
  // the run; true where it did.
  virtual bool after_step(Buffer& /*q*/, std::int64_t /*step*/, bool /*last*/) { return false; }

  // Rows for a file, fields and counters that only this equation has.
  struct Extras {
    std::string file;                  // empty: no rows
    std::vector<std::string> columns;  // besides the time
    std::function<std::vector<double>(Buffer& q, double t)> row;  // by all ranks together; waits
    std::function<std::vector<std::pair<std::string, std::vector<double>>>(const Buffer& q)> fields;  // by name: [cell][node]
    std::map<std::string, std::int64_t*> counters;  // that go on after a restart
  };
  virtual Extras extras() { return {}; }

  // Energy q . M(x) q / 2, summed over the elements by a fixed tree.
  virtual double energy(Buffer& q, double t) = 0;
  // The same, only queued: into a place of a log of the monitor.
  virtual void note_energy(Buffer& q, double t, Buffer& log, std::int64_t place) = 0;
  // The state that the next step gives will be watched, unchanged: a kernel that has its values at hand may look at once.
  virtual void expect_watch() {}
  // Queues a look for values that are not finite; the monitor's verdict keeps the first step that had one.
  virtual void watch(const Buffer& q, std::int64_t step) = 0;
  // False where a value of the state is not finite. Waits, and forgets the verdict.
  bool finite(const Buffer& q);
  virtual Monitor& monitor() = 0;
  // What lies at an index of a state; a number that belongs to no node counts for one inside the element.
  struct Place {
    std::int64_t cell;
    int node, field;
  };
  virtual Place place(std::int64_t index) const = 0;
  virtual Stiffness stiffness(double end) = 0;
  // What goes between ranks; none where there is one.
  virtual const HaloExchange* halo() const { return nullptr; }

  // Bytes and flops that one stage needs at least (design: state and residual read and written, geometry and connectivity once).
  virtual Work stage_work() const = 0;
  virtual double compile_seconds() const = 0;
  virtual std::size_t state_bytes() const = 0;
  // The kernels at work, a line each.
  virtual std::vector<std::string> kernels_in_words() const = 0;
};

// The operator of the problem's family. Throws InputError for what that family cannot do.
std::unique_ptr<Operator> make_operator(Problem problem, Device& device);

}  // namespace swell
