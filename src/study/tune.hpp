// SPDX-License-Identifier: Apache-2.0
// Measures the variants of a case's kernels on a device and finds the best: the work of `swell tune`.
#pragma once

#include <string>
#include <vector>

#include "case/case.hpp"
#include "device/peaks.hpp"
#include "device/tuner.hpp"
#include "study/bench/bench.hpp"

namespace swell {

struct VariantTiming {
  std::string name;
  double seconds = 0;  // of one stage; 0: not measured
  double compile_seconds = 0;
  bool last = false;    // good enough to be measured in rounds, after the trial: `seconds` is their median
  double wins = 0;      // part of those rounds in which it was faster than the default
  std::string problem;  // why it was not measured or must not be used
  bool usable() const { return seconds > 0 && problem.empty(); }
};

// One group of elements.
struct TuneResult {
  TuningKey key;
  std::int64_t unknowns = 0;
  double bound_seconds = 0;            // what the device's peaks allow
  double spent_seconds = 0;
  std::vector<VariantTiming> timings;  // measured in rounds, fastest first; slower ones; what was not measured
  std::string default_name;

  const VariantTiming& best() const { return timings.front(); }
  const VariantTiming& standard() const;  // the default
  // The fastest that gains more over the default than noise may, else the default.
  const VariantTiming& taken() const;
  std::string winner() const;  // its name, or "default"
  TuningChoice choice() const;  // for the file
};

struct TuneOptions {
  double seconds = 30;  // for each group, compilations included; the default and a few more are measured in any case
  std::string only;     // besides the default, variants whose names have this in them
};

std::vector<TuneResult> tune_case(const Case& c, Device& device, const Peaks& peaks, const TuneOptions& options);
// An entry of `swell bench` as a case: its periodic box with about `dofs` unknowns.
Case case_of_bench(const BenchEntry& entry, double dofs);

// A table.
std::string describe(const TuneResult& result);

}  // namespace swell
