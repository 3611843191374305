// SPDX-License-Identifier: Apache-2.0
// The measure of a verification row, by the name that a file gives it.
#pragma once

#include "case/verify_file.hpp"

namespace swell {

// Runs the case of a row and measures it: the error of the row.
double measured(const VerifyEntry& entry, const Case& c, Device& device);

// A value at `x`, `y` and `t` that a flow in the plane has carried along: the velocity is a function of time, whose integral is
// the measure's clock, times a steady field, so that values move along the steady flow.
double carried_value(const VerifyMeasure& measure, const Formula& start, double x, double y, double t);

}  // namespace swell
