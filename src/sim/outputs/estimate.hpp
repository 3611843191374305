// SPDX-License-Identifier: Apache-2.0
// Errors that a run can measure without an exact answer: how far integrals have moved, and how much of the state only the highest
// order holds.
#pragma once

#include <vector>

#include "sim/evolution.hpp"

namespace swell {

class Estimate {
 public:
  // Measures the state of now: the beginning. All ranks together; waits.
  explicit Estimate(Evolution& evolution);
  // Compares the state of now with the beginning. All ranks together; waits.
  EstimateSummary finish();

 private:
  struct Means {
    std::vector<double> signed_values, sizes;  // [field]: of the values, and of their moduli at the nodes
  };
  Means means();
  // [field]: the L2 norm of the field, or of its difference to the projection of order p - 1.
  std::vector<double> norms(bool of_difference);

  Evolution& evolution_;
  double begin_;
  Means first_;
  std::vector<double> quantities_;
};

}  // namespace swell
