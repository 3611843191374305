// SPDX-License-Identifier: Apache-2.0
#include "base/exact_sum.hpp"

#include <cmath>
#include <limits>

namespace swell {

namespace {

__extension__ using Wide = unsigned __int128;  // holds 53 bits moved by less than a digit

constexpr int lowest_exponent = -1152;
constexpr std::int64_t base = std::int64_t{1} << 32;

}  // namespace

void ExactSum::add(double value) {
  if (!std::isfinite(value)) {
    if (std::isnan(value))
      ++digit_[not_a_number];
    else
      digit_[infinite] += value > 0 ? 1 : base;  // of both signs, apart
    return;
  }
  int exponent = 0;
  const auto whole = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), 53));  // value = whole 2^(e - 53)
  if (whole == 0) return;
  const int position = exponent - 53 - lowest_exponent, first = position / digit_bits, shift = position % digit_bits;
  const std::int64_t sign = whole < 0 ? -1 : 1;
  auto rest = static_cast<Wide>(whole < 0 ? -whole : whole) << shift;
  for (int i = first; rest != 0; ++i, rest >>= digit_bits)
    digit_[i] += sign * static_cast<std::int64_t>(rest & static_cast<Wide>(base - 1));
  if (++terms_ >= most_terms) settle();
}

void ExactSum::add_digits(std::span<const std::int64_t> counts, std::int64_t first) {
  settle();
  for (std::size_t i = 0; i < counts.size(); ++i)
    digit_[static_cast<std::size_t>(first - lowest_exponent / digit_bits) + i] += counts[i];
  settle();
}

// Normalises digits to 0 .. 2^32 - 1, except the last, which has the sign.
void ExactSum::settle() {
  terms_ = 0;
  for (int i = 0; i + 1 < places; ++i) {
    const std::int64_t carry = digit_[i] >> digit_bits;  // rounds down
    digit_[i] -= carry * base;
    digit_[i + 1] += carry;
  }
}

std::span<std::int64_t> ExactSum::digits() {
  settle();
  return digit_;
}

double ExactSum::value() const {
  const std::int64_t plus = digit_[infinite] % base, minus = digit_[infinite] / base;
  if (digit_[not_a_number] > 0 || (plus > 0 && minus > 0)) return std::numeric_limits<double>::quiet_NaN();
  if (plus > 0 || minus > 0) return std::numeric_limits<double>::infinity() * (plus > 0 ? 1 : -1);
  ExactSum sum = *this;
  sum.settle();
  const bool negative = sum.digit_[places - 1] < 0;
  if (negative) {
    for (int i = 0; i < places; ++i) sum.digit_[i] = -sum.digit_[i];
    sum.settle();
  }
  // The three highest digits have at least 65 bits; what is below them is less than half a rounding of these.
  int top = places - 1;
  while (top > 0 && sum.digit_[top] == 0) --top;
  double result = 0;
  for (int i = top; i >= 0 && i > top - 3; --i)
    result += std::ldexp(static_cast<double>(sum.digit_[i]), digit_bits * i + lowest_exponent);
  return negative ? -result : result;
}

}  // namespace swell
