// SPDX-License-Identifier: Apache-2.0
#include "dg/layout.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "mesh/geometry.hpp"

namespace swell {

namespace {

constexpr int total_here = -1, scattered_here = -2;

// What kernel a cell needs: 0 straight with one material, 1 varying, 2 curved. Tensor shapes have one group for all cells.
std::vector<char> kinds(const Problem& problem, const MaterialField& material) {
  const Mesh& mesh = *problem.mesh;
  const int faces = face_count(mesh.shape());
  std::vector<char> kind(mesh.cell_count(), 0);
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell) {
    // The face of a straight cell with one material would have to see a neighbour's material that varies along it.
    bool varying = material.varies(cell);
    for (int f = 0; f < faces && !varying; ++f) {
      const auto other = mesh.neighbour(cell, f).cell;
      varying = other >= 0 && material.varies(other);
    }
    if (varying) kind[cell] |= 1;
    if (!is_affine(mesh, cell)) kind[cell] |= 2;
  }
  return kind;
}

}  // namespace

Layout::Layout(const Problem& problem, const ReferenceElement& element, const MaterialField& material, const Device& device)
    : lanes(device.lanes(problem.precision)), elements(problem.mesh->cell_count()) {
  const Mesh& mesh = *problem.mesh;
  const bool simplex = is_simplex(element.shape);
  const int padding = device.info().threads_are_lanes ? largest_batch : lanes;
  auto kind = kinds(problem, material);
  if (simplex) {
    for (char& k : kind) k = k >= 2 ? 2 : k;  // curved ones have their material at points anyway
  } else {
    char all = 0;
    for (char k : kind) all |= k;
    std::fill(kind.begin(), kind.end(), all);
  }

  // Kernels count slots in 32 bits, a ghost slot behind every face at the most.
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (elements > most / (element.face_count + 1))
    throw InputError("The mesh {} has {} cells; this version takes at most {} on one device.", mesh.name, elements,
                     most / (element.face_count + 1));
  const auto order = space_filling_order(mesh);
  slot_of_cell.assign(elements, -1);
  for (char k = 0; k < 4; ++k) {
    Group group{k >= 2, simplex ? k >= 1 : (k & 1) != 0, slots, 0, 0};
    for (const auto cell : order)
      if (kind[cell] == k) {
        slot_of_cell[cell] = slots + group.count++;
        cell_of_slot.push_back(cell);
      }
    if (group.count == 0) continue;
    group.padded = (group.count + padding - 1) / padding * padding;
    slots += group.padded;
    cell_of_slot.resize(slots, -1);
    groups.push_back(group);
  }

  const Shape side = face_shape(element.shape);
  for (int face = 0; face < element.face_count; ++face)
    for (int o = 0; o < orientation_count(side); ++o) codes.push_back(element.neighbour_nodes(face, o));
  ghosts_per_slot = element.node_count / element.face_node_count;
  for (int place = 0; place < ghosts_per_slot; ++place) {
    std::vector<int> nodes(element.face_node_count);
    for (int i = 0; i < element.face_node_count; ++i) nodes[i] = place * element.face_node_count + i;
    codes.push_back(std::move(nodes));
  }

  const int faces = element.face_count;
  behind.assign(slots * faces * 2, 0);
  for (std::int64_t slot = 0; slot < slots; ++slot)
    for (int f = 0; f < faces; ++f) {
      std::int32_t* entry = behind.data() + (slot * faces + f) * 2;
      const auto cell = cell_of_slot[slot];
      entry[0] = static_cast<std::int32_t>(slot);  // padding meets itself
      entry[1] = f * orientation_count(side);
      if (cell < 0) continue;
      const Neighbour& n = mesh.neighbour(cell, f);
      if (n.cell >= 0) {
        entry[0] = static_cast<std::int32_t>(slot_of_cell[n.cell]);
        entry[1] = n.face * orientation_count(side) + n.orientation;
        if (problem.total_field && problem.total_field->total[cell] != problem.total_field->total[n.cell])
          ghosts.push_back(
              {slot, f, problem.total_field->total[cell] ? total_here : scattered_here, entry[0], entry[1]});
      } else {
        const int last = static_cast<int>(problem.boundary.size()) - 1;
        ghosts.push_back({slot, f, n.boundary >= 0 ? n.boundary : last, -1, 0});
      }
    }
  std::stable_sort(ghosts.begin(), ghosts.end(), [](const auto& a, const auto& b) { return a.spec < b.spec; });
  for (std::size_t g = 0; g < ghosts.size(); ++g) {
    std::int32_t* entry = behind.data() + (ghosts[g].slot * faces + ghosts[g].face) * 2;
    entry[0] = static_cast<std::int32_t>(ghost_slot(g));
    entry[1] = ghost_code(g);
  }
  ghost_slots = (static_cast<std::int64_t>(ghosts.size()) + ghosts_per_slot - 1) / ghosts_per_slot;
}

}  // namespace swell
