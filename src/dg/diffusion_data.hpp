// SPDX-License-Identifier: Apache-2.0
// The numbers that the kernels of the symmetric interior penalty method read, as doubles on the host, in the layouts of
// kernels/sipg.h.
#pragma once

#include "comm/ranks.hpp"
#include "dg/diffusion_problem.hpp"
#include "element/element.hpp"

namespace swell {

// Where an element is integrated, and how its matrices look.
struct DiffusionRules {
  DiffusionRules(const DiffusionProblem& problem, int lanes, Ranks& ranks = lone_rank());
  ReferenceElement element;
  bool constant;          // on all ranks: straight cells with one material and one transfer each: one set of numbers for a cell or face
  int lanes;
  std::int64_t batches;   // with the halo
  Cubature volume, face;  // of simplices that are constant, `volume` holds the nodes of one order less
  std::vector<Matrix> at_face;  // [face]: points of the face's rule in coordinates of the element
  std::vector<std::vector<int>> turned;  // [orientation][point]: the same point among those of the face behind
};

struct DiffusionData {
  std::vector<double> metric;         // [batch][(point)][upper triangle][lane]: k J w grad r_d . grad r_e
  std::vector<double> face;           // [batch][face][(point)][slopes, penalty][lane]
  std::vector<std::int32_t> behind;   // [batch][face][lane]: (cell * faces + face) * orientations + orientation, or -1
  // Cells with a side on the boundary, for the right-hand side.
  std::vector<std::int32_t> side_cell;    // [side cell]
  std::vector<std::int32_t> side_spec;    // [side cell][face]: number of the boundary, or -1
  std::vector<double> side_place;         // [side cell][face][point][dim]
  std::vector<double> side_weight;        // [side cell][face][point]
  bool floating = true;                   // no boundary of these cells gives a value or takes by transfer
};

// The material at a place in a cell; throws InputError where it is not above 0.
double conductivity_at(const DiffusionProblem& problem, std::int64_t cell, const double* x);
// Points moved a little towards the middle of the cell: there a jump of material on a face is seen by each side as its own
// value.
Matrix moved_inwards(const Matrix& points, Shape shape);

// Throws InputError where k is not above 0 or a transfer is below 0, naming place and value.
DiffusionData diffusion_data(const DiffusionProblem& problem, const DiffusionRules& rules);

// Matrices of kernels/sipg_simplex.h: [point][node][axis], [node][point][axis], [face][point][node][value, axes]; of tensor
// elements only the last one, for the right-hand side.
std::vector<double> diffusion_matrices(const DiffusionRules& rules);

}  // namespace swell
