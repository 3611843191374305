// SPDX-License-Identifier: Apache-2.0
#include "sim/outputs/farfield_trust.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

namespace swell {

namespace {

constexpr double samples_of_period = 40, fewest_samples = 20000, most_samples = 1e6;

}  // namespace

std::vector<double> spectral_parts(const Expression& pulse, double end, const std::vector<double>& frequencies) {
  const double highest = *std::max_element(frequencies.begin(), frequencies.end());
  const auto intervals = static_cast<std::int64_t>(std::clamp(samples_of_period * highest * end, fewest_samples, most_samples));
  const double step = end / static_cast<double>(intervals);
  std::vector<double> values(static_cast<std::size_t>(intervals) + 1);
  double magnitude = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double t = static_cast<double>(i) * step;
    values[i] = pulse(&t);
    if (i == 0 || i + 1 == values.size()) values[i] /= 2;  // the trapezoidal rule
    magnitude += std::abs(values[i]);
  }
  std::vector<double> parts;
  for (const double frequency : frequencies) {
    std::complex<double> sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      sum += values[i] * std::polar(1.0, -2 * std::numbers::pi * frequency * static_cast<double>(i) * step);
    parts.push_back(magnitude > 0 ? std::abs(sum) / magnitude : 0);
  }
  return parts;
}

double field_inside(Evolution& evolution, const FarFieldCase& surface, const std::vector<WeightedField>& fields) {
  const Mesh& mesh = evolution.mesh();
  const auto width = static_cast<std::int64_t>(evolution.fields().size());
  std::array<double, 2> mine{0, 0};  // squares, nodes
  evolution.read([&](std::int64_t cell, const double* values) {
    const auto corners = vertex_count(mesh.shape_of(cell));
    std::array<double, 3> middle{};
    for (int v = 0; v < corners; ++v)
      for (int d = 0; d < 3; ++d) middle[d] += mesh.vertex(cell, v)[d] / corners;
    if (distance_outside(surface, middle) > 0) return;
    const int nodes = evolution.reference().node_count(cell);
    for (int n = 0; n < nodes; ++n)
      for (const WeightedField& f : fields) mine[0] += std::pow(f.weight * values[n * width + f.field], 2);
    mine[1] += nodes;
  });
  double squares = 0, nodes = 0;
  for (const auto& of_rank : evolution.ranks().gather(mine)) {
    squares += of_rank[0];
    nodes += of_rank[1];
  }
  return nodes > 0 ? std::sqrt(squares / nodes) : 0;
}

}  // namespace swell
