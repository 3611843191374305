// SPDX-License-Identifier: Apache-2.0
// The roofline as a picture (SVG): the device's limit at each arithmetic intensity, and the measured kernels.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace swell {

struct RooflinePoint {
  std::string label;     // beside the point, short
  double intensity = 0;  // operations per byte
  double flops = 0;      // operations per second
};

struct RooflineSeries {
  std::string name;
  std::vector<RooflinePoint> points;
};

struct Roof {
  std::string name;
  double flops = 0;  // operations per second
};

struct Roofline {
  std::string title;
  double bandwidth = 0;  // bytes per second
  std::vector<Roof> roofs;
  std::vector<RooflineSeries> series;
};

std::string roofline_text(const Roofline& roofline);  // SVG
void write_roofline(const std::filesystem::path& path, const Roofline& roofline);

}  // namespace swell
