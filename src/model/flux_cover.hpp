// SPDX-License-Identifier: Apache-2.0
// How few derivatives a linear model's flux needs. Along a direction the flux is a sparse matrix A; a term A_ij q_j of
//   div F = sum_d D_d (A_d q)
// can be differentiated after the flux was taken, with row i, or before, with column j. Rows and columns that together hold
// every entry are enough: acoustics has 2 of 4 (the flux of p, and p), elastic waves 6 of 9.
#pragma once

#include <vector>

#include "model/model_probe.hpp"

namespace swell {

struct FluxCover {
  std::vector<int> rows, columns;  // fields whose fluxes, and fields whose values are differentiated

  int size() const { return static_cast<int>(rows.size() + columns.size()); }
};

// The least of all; of equal ones, that with the fewest columns, each of which makes a sum for every direction.
FluxCover find_flux_cover(const ModelProbe& probe);

// entries(i, j) is not 0 where row i needs column j.
FluxCover least_cover(const Matrix& entries);

}  // namespace swell
