// SPDX-License-Identifier: Apache-2.0
// A sum of doubles that does not depend on their order: an accumulator wide enough for every double, so that nothing is ever
// rounded before the end (Kulisch and Miranker 1981).
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace swell {

class ExactSum {
 public:
  void add(double value);
  // Adds counts of 2^(32 (first + i)), each below 2^62, that others have summed up.
  void add_digits(std::span<const std::int64_t> counts, std::int64_t first);
  double value() const;  // the nearest double, or one of the two nearest, always the same one for the same terms

  // Whole numbers that add up when sums of parts are added: what ranks exchange. Carries are settled before they are given.
  std::span<std::int64_t> digits();

 private:
  void settle();

  // Digit i counts 2^(32 i - 1152): room below for the last bits of the smallest doubles, above for carries. The last two
  // count what is not finite.
  static constexpr int digit_bits = 32, places = 70, not_a_number = places, infinite = places + 1;
  static constexpr std::int64_t most_terms = std::int64_t{1} << 28;  // between two settlements, so that no digit overflows
  std::array<std::int64_t, places + 2> digit_{};
  std::int64_t terms_ = 0;
};

}  // namespace swell
