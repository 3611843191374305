// SPDX-License-Identifier: Apache-2.0
// One case that verification runs, whatever its equation, and what it asks of it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "case/case.hpp"
#include "device/device.hpp"
#include "sim/evolution.hpp"

namespace swell {

// The measure that a level set's interface encloses, that of the exact one, and the part on the wrong side.
struct EnclosedMeasures {
  double found = 0, exact = 0, misplaced = 0;
};

class VerifyRun {
 public:
  VerifyRun(const Case& c, Device& device);

  double time() const { return evolution_->time(); }
  double dt() const { return evolution_->dt(); }
  double end() const { return evolution_->end(); }
  // Steps until `until`, which problems of heat take for their end; `after_step` sees each.
  void advance(double until, const std::function<void()>& after_step = {});
  void finish() { advance(end()); }

  // Relative L2 error over all fields that [exact] names, or of one; everywhere, or only where an expression is not 0.
  double error(const std::string& field = {}, const Expression* where = nullptr);
  double error_l1(const std::string& field);  // of one that [exact] names, absolute; empty: the first
  // Relative L2 distance of a field in the plane from a function of x and y.
  double distance(const std::string& field, const std::function<double(double, double)>& exact);
  // In the plane a third coordinate is left out.
  double value_at(const std::string& field, std::vector<double> point);
  // The integral of a field, or of a density that the model's log has, as mass or entropy; empty: the energy.
  double integral(const std::string& name);
  double stored_heat() { return evolution_->energy(); }  // of heat
  double iterations() const;  // of all linear solves
  EnclosedMeasures enclosed();
  double mass();            // the integral of a level set
  double rounding() const;  // of the precision
  // The section of each frequency and direction, at the end.
  std::vector<double> far_field();
  // [cell][node][field]
  std::vector<double> nodal_values();

 private:
  std::size_t field_index(const std::string& field) const;  // empty: the first
  std::size_t exact_index(const std::string& field) const;  // among the names of [exact]; empty: the first

  std::unique_ptr<Evolution> evolution_;
};

}  // namespace swell
