// SPDX-License-Identifier: Apache-2.0
// What is watched of long arrays while the host does not wait: their sums, and the first value that is not finite. The
// results lie on the device until the host asks for them.
#pragma once

#include <memory>
#include <vector>

#include "device/device.hpp"

namespace swell {

// Consecutive values of an array.
struct Range {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

struct Verdict {
  bool finite = true;
  std::int64_t step = 0;   // of the first watch() that found a value which is not finite
  std::int64_t index = 0;  // the lowest of such values then
};

class Monitor {
 public:
  // `ranges`: the most that one call names.
  Monitor(Device& device, Precision precision, std::size_t ranges);

  // Queues: log[place] = the sum of the values in the ranges, by a fixed tree, in double where the device has it.
  void sum(const Buffer& values, const std::vector<Range>& ranges, Buffer& log, std::int64_t place);
  std::unique_ptr<Buffer> make_log(std::int64_t places) const;
  std::vector<double> read_log(const Buffer& log, std::int64_t places) const;  // waits

  // Queues a look at the values in the ranges; the verdict keeps the first that finds something.
  void watch(const Buffer& values, const std::vector<Range>& ranges, std::int64_t step);
  Verdict verdict() const;  // waits
  void forget();            // the verdict, after a new start

 private:
  std::int64_t chunks(const Range& range) const;
  std::size_t total_bytes() const;

  Device& device_;
  Precision precision_;
  std::unique_ptr<Program> program_;
  std::unique_ptr<Buffer> many_, few_, verdict_;
};

}  // namespace swell
