// SPDX-License-Identifier: Apache-2.0
// A run that another program advances piece by piece and whose fields it reads, whatever the equation: the base of the C header
// and the Python module. The steps are those of `swell run`, with the same bits; nothing is written to a disk.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "case/given_case.hpp"
#include "io/receivers.hpp"
#include "sim/outputs/sampled_series.hpp"

namespace swell {

struct FieldErrors {
  std::string field;
  double l1 = 0, l2 = 0, linf = 0;
};

class SteppedRun {
 public:
  // After each step; false stops there.
  using AfterStep = std::function<bool()>;

  explicit SteppedRun(const Case& c);

  int dim() const { return evolution_->element().dim; }
  int order() const { return evolution_->element().order; }
  std::int64_t elements() const { return evolution_->elements(); }
  int nodes_per_element() const { return evolution_->element().node_count; }
  const std::vector<std::string>& fields() const { return evolution_->fields(); }
  const std::string& model() const { return evolution_->model(); }

  double time() const { return evolution_->time(); }
  double dt() const { return evolution_->dt(); }    // 0 for a problem at rest
  double end() const { return evolution_->end(); }  // of the case
  std::int64_t steps() const { return evolution_->steps(); }

  // Steps until `until` is reached: exactly by waves, which choose the length of the steps; by heat, whose step the case gives,
  // with the first step that reaches it. A problem at rest is solved. False where `after_step` stopped it. Throws RunError
  // where the run fails, InputError for a time that has passed.
  bool advance(double until, const AfterStep& after_step = {});
  // The next steps of the run to its end; behind the end steps of length dt().
  bool step(std::int64_t count, const AfterStep& after_step = {});
  bool finish(const AfterStep& after_step = {}) { return evolution_->finished() || advance(end(), after_step); }

  std::vector<double> nodes() const;  // [element][node][dim]
  // Small triangles with nodes for corners that cover each element of a mesh in the plane, for pictures: [triangle][corner],
  // nodes counted through all elements. Throws InputError in space.
  std::vector<std::int64_t> triangles() const;
  std::vector<double> field(std::size_t index);  // [element][node]
  // Throws InputError for a wrong number of values, for values that are not finite, and while a step calls back.
  void set_field(std::size_t index, const std::vector<double>& values);
  // Throws InputError for a name that is no field.
  std::size_t field_index(const std::string& name) const;
  // Throws InputError for points outside the mesh.
  double value_at(std::size_t field, const std::vector<double>& point);

  // At the time that is reached, of the fields that [exact] names; throws InputError where the case has none.
  std::vector<FieldErrors> errors(double* total_l2 = nullptr);
  double energy() { return evolution_->energy(); }  // heat: the stored heat

  // The receivers by their names, then "surfaces/NAME" and "probes/NAME" of the case, as the files of a run are called.
  std::vector<std::string> receivers() const;
  SignalTable signal(std::size_t receiver);

  // The messages of its set-up, a line each.
  const std::vector<std::string>& said() const { return said_; }

 private:
  friend std::unique_ptr<SteppedRun> make_stepped_run(const GivenCase& given);
  template <class Way>
  bool moved(const Way& way);
  void sample();
  // Samples after each step, and returns whether to go on.
  bool after(const AfterStep& after_step);

  std::unique_ptr<Device> device_;
  std::unique_ptr<Evolution> evolution_;
  std::optional<Receivers> receivers_;
  std::vector<std::unique_ptr<SampledSeries>> series_;
  bool ended_ = false;
  std::vector<std::string> said_;
  bool moving_ = false;
};

// Throws InputError for a case that is wrong, RunError where the device fails.
std::unique_ptr<SteppedRun> make_stepped_run(const GivenCase& given);

}  // namespace swell
