// SPDX-License-Identifier: Apache-2.0
#include "io/colours.hpp"

#include <algorithm>
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
constexpr Point sequential_points[] = {{0.22, 0.09, 300}, {0.36, 0.13, 280}, {0.50, 0.11, 240},
                                       {0.64, 0.11, 185}, {0.78, 0.16, 145}, {0.92, 0.17, 105}};
// Lightness falls evenly on both sides of white; blue is below, red above.
constexpr Point diverging_points[] = {{0.30, 0.12, 262},  {0.47, 0.165, 258}, {0.64, 0.14, 250},
                                      {0.81, 0.075, 240}, {0.975, 0.0, 240},  {0.81, 0.09, 45},
                                      {0.64, 0.175, 35},  {0.47, 0.175, 27},  {0.30, 0.115, 22}};

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

// Between two points straight in OKLab's Cartesian coordinates: no foreign hue appears on the way.
Colour between(std::span<const Point> points, double t) {
  const double place = std::clamp(t, 0.0, 1.0) * static_cast<double>(points.size() - 1);
  const std::size_t i = std::min(static_cast<std::size_t>(place), points.size() - 2);
  double lab[3] = {0, 0, 0};
  for (std::size_t end : {i, i + 1}) {
    const double weight = end == i ? 1 - (place - static_cast<double>(i)) : place - static_cast<double>(i);
    const double angle = points[end].hue * std::numbers::pi / 180;
    lab[0] += weight * points[end].lightness;
    lab[1] += weight * points[end].chroma * std::cos(angle);
    lab[2] += weight * points[end].chroma * std::sin(angle);
  }
  return from_oklab(lab[0], lab[1], lab[2]);
}

}  // namespace

Colour colour_of(ColourMap map, double t) {
  return map == ColourMap::diverging ? between(diverging_points, t) : between(sequential_points, t);
}

}  // namespace swell
