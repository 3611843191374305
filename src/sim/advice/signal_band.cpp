// SPDX-License-Identifier: Apache-2.0
#include "sim/advice/signal_band.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

namespace swell {

namespace {

using Complex = std::complex<double>;

constexpr std::size_t samples = std::size_t{1} << 16;
constexpr double within_20_dB = 0.1;

// The discrete Fourier transform of 2^k values, in place (Cooley and Tukey 1965).
void transform(std::vector<Complex>& values) {
  const std::size_t count = values.size();
  for (std::size_t i = 1, j = 0; i < count; ++i) {
    std::size_t bit = count >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(values[i], values[j]);
  }
  for (std::size_t length = 2; length <= count; length *= 2)
    for (std::size_t k = 0; k < length / 2; ++k) {
      const Complex turn = std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(length));
      for (std::size_t first = k; first < count; first += length) {
        const Complex a = values[first], b = turn * values[first + length / 2];
        values[first] = a + b;
        values[first + length / 2] = a - b;
      }
    }
}

}  // namespace

double highest_frequency(const Expression& signal, double end) {
  // The second half stays 0, so that the end of the signal is not taken for a neighbour of its beginning.
  std::vector<Complex> values(samples, 0.0);
  const double step = end / static_cast<double>(samples / 2);
  for (std::size_t i = 0; i < samples / 2; ++i) {
    const double t = (static_cast<double>(i) + 0.5) * step;
    const double value = signal(&t);
    if (std::isfinite(value)) values[i] = value;
  }
  transform(values);
  double largest = 0;
  for (std::size_t k = 0; k < samples / 2; ++k) largest = std::max(largest, std::abs(values[k]));
  if (!(largest > 0)) return 0;
  std::size_t highest = samples / 2 - 1;
  while (highest > 0 && std::abs(values[highest]) < within_20_dB * largest) --highest;
  return static_cast<double>(highest) / (static_cast<double>(samples) * step);
}

}  // namespace swell
