// SPDX-License-Identifier: Apache-2.0
// The search among the variants of one group of elements: a short trial of each, then the good ones for longer.
#pragma once

#include <memory>
#include <vector>

#include "base/timer.hpp"
#include "dg/tunable.hpp"
#include "study/tune.hpp"

namespace swell {

// Buffers that the groups of an operator share. Only `next` and `residual` are written.
struct TuneStates {
  std::unique_ptr<Buffer> q, next, residual;
};

class GroupTuner {
 public:
  GroupTuner(Operator& dg, Tunable& kernels, std::size_t group, TuneStates& states)
      : dg_(dg), kernels_(kernels), group_(group), states_(states) {}

  // Throws RunError where the default itself cannot be used. Leaves the winner in the operator.
  TuneResult search(double seconds, const std::string& only);

 private:
  struct Trial {
    Variant variant;
    VariantTiming timing;
    bool tried = false;
    bool doubtful = false;  // slow, but so was the best when measured again
  };
  struct Answer {
    std::vector<double> rate, stage;
    double energy = 0;
  };

  std::size_t most_promising() const;
  const Trial& best() const;
  void attempt(Trial& trial);
  void measure(Trial& trial);
  void finals(const Stopwatch& clock, double seconds);
  double launch_seconds(double at_least);
  Answer answer();
  std::vector<double> sample(const Buffer& state) const;
  std::string difference(const Answer& answer) const;

  Operator& dg_;
  Tunable& kernels_;
  std::size_t group_;
  TuneStates& states_;
  std::vector<Trial> trials_;  // the default first
  Answer reference_;           // the default's
  double step_ = 0;            // a time step over which rates and states are of one size
};

}  // namespace swell
