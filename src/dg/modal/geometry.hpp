// SPDX-License-Identifier: Apache-2.0
// Geometry and material of affine elements for modal kernels, in batches of elements that lie side by side.
#pragma once

#include <algorithm>
#include <vector>

#include "dg/layout.hpp"
#include "dg/modal/element.hpp"

namespace swell {

// The batches of elements in memory and, on GPUs, the team of threads that works on each element.
struct ModalBatch {
  int width = 1;  // elements of a batch
  int rows = 0;   // usual number of threads for each element of a group (kernels/modal/team.h); 0: each has a lane of its own
};

// Values of an element that its team keeps in shared memory.
struct ModalRoom {
  std::int64_t operation = 0, prediction = 0;
  std::int64_t largest() const { return std::max(operation, prediction); }
};
ModalRoom modal_room(const ModalElement& element, int fields);

ModalBatch modal_batch(const Device& device, const Layout& layout, const ModalElement& element, int fields, Precision precision);

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
