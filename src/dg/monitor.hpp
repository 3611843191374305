// SPDX-License-Identifier: Apache-2.0
// Sums of long arrays and their first value that is not finite, found while the host does not wait. The results lie on the
// device until the host reads them.
#pragma once

#include <memory>
#include <vector>

#include "comm/ranks.hpp"
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
  static std::int64_t bytes(const Device& device, std::size_t ranges);  // of its memory on the device

  // Queues: log[place] = the sum of the values in the ranges, in whole numbers and so in any order.
  void sum(const Buffer& values, const std::vector<Range>& ranges, Buffer& log, std::int64_t place);
  std::unique_ptr<Buffer> make_log(std::int64_t places) const;
  // Waits. The sums over all ranks, each rounded once: the same bits however values are shared out.
  std::vector<double> read_log(const Buffer& log, std::int64_t places, Ranks& ranks) const;

  // Queues a check of the values in the ranges; the verdict keeps the first check that finds something.
  void watch(const Buffer& values, const std::vector<Range>& ranges, std::int64_t step);
  // Queues a check of `elements` that lie as [batch][number][element], `width` in a batch, where marks[element] is 0 if all its
  // values are finite: only the other elements are checked.
  void watch(const Buffer& values, const Buffer& marks, std::int64_t elements, std::int64_t width, std::int64_t numbers,
             std::int64_t step);
  Verdict verdict() const;  // waits
  void forget();            // the verdict, after a new start

 private:
  std::int64_t chunks(std::int64_t count) const;
  std::int64_t entries() const;  // of a sum
  void judge(std::int64_t filled, std::int64_t step);

  Device& device_;
  Precision precision_;
  std::unique_ptr<Program> program_;
  std::unique_ptr<Buffer> many_, few_, verdict_;
};

}  // namespace swell
