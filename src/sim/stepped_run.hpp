// SPDX-License-Identifier: Apache-2.0
// A run that another program advances piece by piece and asks for its fields, whatever equation it solves: what the C header
// and the Python module stand on. The steps are those of `swell run`, with the same bits; nothing is written to a disk.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "case/given_case.hpp"
#include "element/element.hpp"
#include "io/receivers.hpp"

namespace swell {

struct FieldErrors {
  std::string field;
  double l1 = 0, l2 = 0, linf = 0;
};

class SteppedRun {
 public:
  // After each step; false stops there.
  using AfterStep = std::function<bool()>;

  virtual ~SteppedRun() = default;

  int dim() const { return element().dim; }
  int order() const { return element().order; }
  virtual std::int64_t elements() const = 0;
  int nodes_per_element() const { return element().node_count; }
  virtual const std::vector<std::string>& fields() const = 0;
  virtual std::string model() const = 0;

  virtual double time() const = 0;
  virtual double dt() const = 0;   // 0 for a problem at rest
  virtual double end() const = 0;  // of the case
  virtual std::int64_t steps() const = 0;

  // Steps until `until` is reached: exactly by waves, which choose the length of the steps; by heat, whose step the case gives,
  // with the first step that reaches it. A problem at rest is solved. False where `after_step` stopped it. Throws RunError where
  // the run fails, InputError for a time that has passed.
  bool advance(double until, const AfterStep& after_step = {});
  // The next steps of the run to its end; behind the end steps of length dt().
  bool step(std::int64_t count, const AfterStep& after_step = {});
  bool finish(const AfterStep& after_step = {}) { return time_is_left() ? advance(end(), after_step) : true; }

  virtual std::vector<double> nodes() const = 0;  // [element][node][dim]
  // Small triangles with nodes for corners that cover each element of a mesh in the plane, for pictures: [triangle][corner],
  // nodes counted through all elements. Throws InputError in space.
  std::vector<std::int64_t> triangles() const;
  virtual std::vector<double> field(std::size_t index) = 0;  // [element][node]
  // Throws InputError for a wrong number of values, for values that are not finite, and while a step calls back.
  void set_field(std::size_t index, const std::vector<double>& values);
  // Throws InputError for a name that is no field.
  std::size_t field_index(const std::string& name) const;
  // Throws InputError for points outside the mesh.
  double value_at(std::size_t field, const std::vector<double>& point);

  // At the time that is reached, of the fields that [exact] names; throws InputError where the case has none.
  std::vector<FieldErrors> errors(double* total_l2 = nullptr);
  virtual double energy() = 0;  // heat: what is stored

  virtual std::vector<std::string> receivers() const = 0;
  virtual SignalTable signal(std::size_t receiver) = 0;

  // What was said while it was set up, a line each.
  const std::vector<std::string>& said() const { return said_; }

 protected:
  friend std::unique_ptr<SteppedRun> make_stepped_run(const GivenCase& given);
  virtual const ReferenceElement& element() const = 0;
  virtual bool time_is_left() const = 0;
  virtual bool has_exact() const = 0;
  virtual std::vector<FieldErrors> measure(double& total_l2) = 0;
  virtual double value(std::size_t field, const std::vector<double>& point) = 0;
  virtual void put_field(std::size_t index, const std::vector<double>& values) = 0;
  virtual bool go_to(double until, const AfterStep& after_step) = 0;
  virtual bool go(std::int64_t count, const AfterStep& after_step) = 0;

 private:
  template <class Way>
  bool moved(const Way& way);
  std::vector<std::string> said_;
  bool moving_ = false;
};

// Throws InputError for a case that is wrong, RunError where the device fails.
std::unique_ptr<SteppedRun> make_stepped_run(const GivenCase& given);

}  // namespace swell
