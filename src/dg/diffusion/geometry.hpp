// SPDX-License-Identifier: Apache-2.0
// The part of the symmetric interior penalty method's data that depends on the mesh alone. It is kept, so that another material
// costs little more than its evaluation.
#pragma once

#include "dg/diffusion/rules.hpp"

namespace swell {

// Batches of straight cells have one set of numbers for a cell or face, others one for each point.
struct DiffusionGeometry {
  // `rules` are those of cells whose coefficients differ from point to point.
  DiffusionGeometry(const DiffusionProblem& problem, const DiffusionRules& rules);

  std::vector<char> straight;                   // [batch]: all of its cells
  std::vector<std::int64_t> metric_at, side_at;  // [batch]: where its entries begin
  std::vector<double> metric;                   // [batch][(point)][upper triangle][lane]: J grad r_d . grad r_e
  std::vector<double> side;                     // [batch][face][(point)][J_face times J^-1 n, J_face][lane], n the outer normal
  std::vector<double> steepness;                // [batch][face][lane]: T of one material in the cell (dg/diffusion/numbers.cpp)
  std::vector<double> volume;                   // [cell]: J, from below
  bool all_straight() const;
};

// Neighbours across the faces: [batch][face][lane]: (cell * faces + face) * orientations + orientation, or -1.
std::vector<std::int32_t> cells_behind(const Mesh& mesh, const DiffusionRules& rules);

// Cells with a side on the boundary.
struct DiffusionSides {
  DiffusionSides(const DiffusionProblem& problem, const DiffusionRules& rules, const DiffusionGeometry& geometry);
  std::vector<std::int32_t> cell;  // [side cell], ascending
  std::vector<std::int32_t> spec;  // [side cell][face]: number of the boundary, or -1
  std::vector<double> place;       // [side cell][face][point][dim]
  std::vector<double> weight;      // [side cell][face][point]
};

}  // namespace swell
