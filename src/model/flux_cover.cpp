// SPDX-License-Identifier: Apache-2.0
#include "model/flux_cover.hpp"

#include <bit>
#include <numeric>
#include <random>

namespace swell {

namespace {

constexpr int most_fields = 14;  // all sets of rows are tried: with more fields all rows are taken
constexpr int samples = 5;       // of materials: entries that are zero in all of them are so always

}  // namespace

FluxCover least_cover(const Matrix& entries) {
  const int fields = static_cast<int>(entries.rows());
  FluxCover best;
  best.rows.resize(fields);
  std::iota(best.rows.begin(), best.rows.end(), 0);
  if (fields > most_fields) return best;
  std::vector<unsigned> needs(fields, 0);  // columns of each row, as bits
  for (int i = 0; i < fields; ++i)
    for (int j = 0; j < fields; ++j)
      if (entries(i, j) != 0) needs[i] |= 1U << j;
  const auto list = [&](unsigned bits) {
    std::vector<int> all;
    for (int i = 0; i < fields; ++i)
      if (bits >> i & 1U) all.push_back(i);
    return all;
  };
  for (unsigned rows = 0; rows < 1U << fields; ++rows) {
    unsigned columns = 0;
    for (int i = 0; i < fields; ++i)
      if (!(rows >> i & 1U)) columns |= needs[i];
    const int size = std::popcount(rows) + std::popcount(columns), kept = static_cast<int>(best.columns.size());
    if (size < best.size() || (size == best.size() && std::popcount(columns) < kept)) best = {list(rows), list(columns)};
  }
  return best;
}

FluxCover find_flux_cover(const ModelProbe& probe) {
  const int dim = probe.model().dim, fields = probe.fields();
  Matrix entries = Matrix::Zero(fields, fields);
  std::mt19937_64 engine(11);
  for (int s = 0; s < samples; ++s) {
    const Vector m = random_material(probe.model(), engine);
    for (int d = 0; d < dim; ++d) entries += probe.flux_matrix(m, Vector::Unit(dim, d)).cwiseAbs();
  }
  return least_cover(entries);
}

}  // namespace swell
