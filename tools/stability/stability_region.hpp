// SPDX-License-Identifier: Apache-2.0
// Where the time schemes are stable: the largest step for which all eigenvalues of an operator stay in the region.
#pragma once

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <string_view>
#include <vector>

namespace swell::stability {

using Complex = std::complex<double>;

inline constexpr std::array<std::string_view, 4> schemes = {"lsrk54", "rk4", "ssprk33", "ab3"};

// Growth of one step of y' = z y. Runge-Kutta: the scheme's polynomial (lsrk54: Carpenter and Kennedy 1994, whose fifth
// coefficient is 1/200); ab3: the largest root of x^3 - x^2 - z (23 x^2 - 16 x + 5) / 12.
inline double growth(std::string_view scheme, Complex z) {
  if (scheme == "ab3") {
    Eigen::Matrix3cd companion;
    companion << 1.0 + 23.0 / 12.0 * z, -16.0 / 12.0 * z, 5.0 / 12.0 * z, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0;
    return Eigen::ComplexEigenSolver<Eigen::Matrix3cd>(companion, false).eigenvalues().cwiseAbs().maxCoeff();
  }
  Complex sum = 1.0 + z + z * z / 2.0 + z * z * z / 6.0;
  if (scheme != "ssprk33") sum += z * z * z * z / 24.0;
  if (scheme == "lsrk54") sum += z * z * z * z * z / 200.0;
  return std::abs(sum);
}

// The region of a scheme as the distance from 0 to its border, by the angle from the negative real axis.
class Region {
 public:
  explicit Region(std::string_view scheme) {
    for (int i = 0; i <= directions; ++i) border_[i] = first_exit(scheme, std::polar(1.0, angle(i)));
  }

  // The largest step at which no eigenvalue leaves the region. Eigenvalues of a dissipative operator that rounding put
  // right of the imaginary axis count as imaginary.
  double stable_step(const std::vector<Complex>& eigenvalues) const {
    double largest = 0.0;
    for (const Complex& z : eigenvalues) largest = std::max(largest, std::abs(z));
    double step = 1e300;
    for (const Complex& z : eigenvalues) {
      if (std::abs(z) < 1e-9 * largest) continue;
      const double place = (std::min(std::numbers::pi - std::abs(std::arg(z)), std::numbers::pi / 2)) /
                           (std::numbers::pi / 2) * directions;
      const int i = std::min(static_cast<int>(place), directions - 1);
      const double along = place - i;
      step = std::min(step, ((1.0 - along) * border_[i] + along * border_[i + 1]) / std::abs(z));
    }
    return step;
  }

 private:
  static constexpr int directions = 2000;
  std::array<double, directions + 1> border_;

  static double angle(int i) { return std::numbers::pi * (1.0 - 0.5 * i / directions); }

  static double first_exit(std::string_view scheme, Complex direction) {
    constexpr double grown = 1.0 + 1e-10, march = 0.01;
    double inside = 0.0;
    while (growth(scheme, (inside + march) * direction) <= grown) inside += march;
    double outside = inside + march;
    for (int halving = 0; halving < 40; ++halving) {
      const double middle = 0.5 * (inside + outside);
      (growth(scheme, middle * direction) <= grown ? inside : outside) = middle;
    }
    return inside;
  }
};

}  // namespace swell::stability
