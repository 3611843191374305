// SPDX-License-Identifier: Apache-2.0
// What modal kernels know of affine elements, in batches of elements that lie side by side.
#pragma once

#include <vector>

#include "dg/layout.hpp"

namespace swell {

// Elements of a batch.
int modal_width(const Device& device, const Layout& layout);

// The cell in a slot; padding counts as the first cell, so that it stays finite.
std::int64_t modal_cell(const Layout& layout, std::int64_t slot);

// [slot][number] as [batch][number][element].
std::vector<double> by_batch(const std::vector<double>& of_slot, int numbers, int width);

struct ModalGeometry {
  std::vector<double> gradients;        // [batch][d][axis][element]: grad r_d
  std::vector<double> volume;           // [slot]: Jacobians
  std::vector<double> material;         // [batch][parameter][element]: in the middle
  std::vector<double> material_behind;  // [batch][face][parameter][element]
};
ModalGeometry modal_geometry(const Problem& problem, const Layout& layout, const MaterialField& material, int width);

// The unit normal of a face of an affine cell.
void affine_normal(const Mesh& mesh, std::int64_t cell, int face, double* n);

}  // namespace swell
