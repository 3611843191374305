// SPDX-License-Identifier: Apache-2.0
#include "dg/modal/pattern.hpp"

#include <algorithm>
#include <random>

namespace swell {

namespace {

constexpr int samples = 5;  // of materials: entries that are equal or zero in all of them are so always

bool all_equal(const std::vector<Matrix>& matrices) {
  return std::all_of(matrices.begin(), matrices.end(), [&](const Matrix& a) { return a == matrices.front(); });
}

// Entries that are not zero in all matrices. With `share`, those that are equal in all have one coefficient.
std::vector<ModalPattern::Entry> entries_of(const std::vector<Matrix>& matrices, bool share, int width, int& next) {
  std::vector<ModalPattern::Entry> found;
  const auto values = [&](int row, int column) {
    std::vector<double> all;
    for (const auto& a : matrices) all.push_back(a(row, column));
    return all;
  };
  for (int row = 0; row < matrices.front().rows(); ++row)
    for (int column = 0; column < matrices.front().cols(); ++column) {
      const auto mine = values(row, column);
      if (std::all_of(mine.begin(), mine.end(), [](double x) { return x == 0; })) continue;
      ModalPattern::Entry entry{row, column, -1};
      if (share)
        for (const auto& other : found)
          if (values(other.row, other.column) == mine) entry.coefficient = other.coefficient;
      if (entry.coefficient < 0) {
        entry.coefficient = next;
        next += width;
      }
      found.push_back(entry);
    }
  return found;
}

}  // namespace

ModalPattern find_pattern(const ModelProbe& probe, bool reacts) {
  const int dim = probe.model().dim, fields = probe.fields();
  std::mt19937_64 engine(7);
  std::vector<Matrix> inverse_mass, reaction, flux;
  bool flux_fixed = true;
  const Matrix units = Matrix::Identity(fields, fields);
  std::vector<Matrix> along_axis(dim);
  for (int s = 0; s < samples; ++s) {
    const Vector m = random_material(probe.model(), engine);
    const Matrix rows = m.transpose().replicate(fields, 1);
    inverse_mass.push_back(probe.inverse_mass(rows, units).transpose());
    if (reacts) reaction.push_back(probe.reaction(units, rows).transpose());
    for (int d = 0; d < dim; ++d) {
      const Matrix matrix = probe.flux_matrix(m, Vector::Unit(dim, d));
      if (s > 0 && matrix != along_axis[d]) flux_fixed = false;
      along_axis[d] = matrix;
      flux.push_back(matrix);
    }
  }
  ModalPattern pattern;
  if (!flux_fixed) pattern.flux = entries_of(flux, false, dim, pattern.coefficients);
  if (!all_equal(inverse_mass)) pattern.mass = entries_of(inverse_mass, true, 1, pattern.coefficients);
  if (reacts) pattern.reaction = entries_of(reaction, false, 1, pattern.coefficients);
  return pattern;
}

}  // namespace swell
