// SPDX-License-Identifier: Apache-2.0
// Factors of Fourier transforms.
#pragma once

#include <cmath>
#include <complex>
#include <numbers>

namespace swell {

// exp(-2 pi i f t), accurate after many cycles too.
inline std::complex<double> turned(double frequency, double time) {
  const double cycles = frequency * time;
  return std::polar(1.0, -2 * std::numbers::pi * (cycles - std::floor(cycles)));
}

}  // namespace swell
