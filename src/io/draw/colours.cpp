// SPDX-License-Identifier: Apache-2.0
#include "io/draw/colours.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

namespace swell {

namespace {

// Lightness 0..1, chroma and hue in degrees: the polar form of OKLab.
struct Point {
  double lightness, chroma, hue;
};

// Lightness rises evenly from dark violet through blue, teal and green to yellow.
constexpr Point sequential_points[] = {{0.24, 0.100, 305}, {0.37, 0.125, 285}, {0.50, 0.105, 245},
                                       {0.64, 0.105, 190}, {0.78, 0.150, 145}, {0.92, 0.170, 105}};
// Lightness falls evenly on both sides of white; blue is below, red above.
constexpr Point diverging_points[] = {{0.35, 0.130, 262}, {0.50, 0.160, 258}, {0.66, 0.130, 248},
                                      {0.83, 0.070, 240}, {0.975, 0.000, 0},  {0.83, 0.080, 48},
                                      {0.66, 0.155, 35},  {0.50, 0.175, 27},  {0.35, 0.130, 22}};

double srgb(double linear) {  // IEC 61966-2-1
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

// B. Ottosson, "A perceptual color space for image processing" (2020).
Colour from_oklab(double l, double a, double b) {
  const double lc = std::pow(l + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double mc = std::pow(l - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double sc = std::pow(l - 0.0894841775 * a - 1.2914855480 * b, 3);
  const double rgb[3] = {4.0767416621 * lc - 3.3077115913 * mc + 0.2309699292 * sc,
                         -1.2684380046 * lc + 2.6097574011 * mc - 0.3413193965 * sc,
                         -0.0041960863 * lc - 0.7034186147 * mc + 1.7076147010 * sc};
  Colour colour;
  for (int c = 0; c < 3; ++c)
    colour[c] = static_cast<std::uint8_t>(std::lround(255 * srgb(std::clamp(rgb[c], 0.0, 1.0))));
  return colour;
}

std::array<double, 3> cartesian(const Point& p) {
  const double angle = p.hue * std::numbers::pi / 180;
  return {p.lightness, p.chroma * std::cos(angle), p.chroma * std::sin(angle)};
}

// Catmull-Rom splines through the points: a kink in the colours would show as a line in the picture.
Colour between(std::span<const Point> points, double t) {
  const int last = static_cast<int>(points.size()) - 1;
  const double place = std::clamp(t, 0.0, 1.0) * last;
  const int i = std::min(static_cast<int>(place), last - 1);
  const double s = place - i;
  const auto p1 = cartesian(points[i]), p2 = cartesian(points[i + 1]);
  const auto p0 = cartesian(points[std::max(i - 1, 0)]), p3 = cartesian(points[std::min(i + 2, last)]);
  std::array<double, 3> lab;
  for (int c = 0; c < 3; ++c)
    lab[c] = p1[c] + 0.5 * s *
                         (p2[c] - p0[c] +
                          s * (2 * p0[c] - 5 * p1[c] + 4 * p2[c] - p3[c] + s * (3 * (p1[c] - p2[c]) + p3[c] - p0[c])));
  return from_oklab(lab[0], lab[1], lab[2]);
}

}  // namespace

Colour colour_of(ColourMap map, double t) {
  return map == ColourMap::diverging ? between(diverging_points, t) : between(sequential_points, t);
}

}  // namespace swell
