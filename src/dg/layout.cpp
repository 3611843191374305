// SPDX-License-Identifier: Apache-2.0
#include "dg/layout.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "base/error.hpp"
#include "dg/group_data.hpp"
#include "mesh/geometry.hpp"

namespace swell {

namespace {

constexpr int total_here = -1, scattered_here = -2;
constexpr char kind_count = 4;

// The kind of kernel that a cell needs: bit 0 material at points, bit 1 a map that is not affine.
std::vector<char> kinds(const Problem& problem, const MaterialField& material) {
  const Mesh& mesh = *problem.mesh;
  const int faces = face_count(mesh.shape());
  std::vector<char> kind(mesh.own_count(), 0);
  for (std::int64_t cell = 0; cell < mesh.own_count(); ++cell) {
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

bool touches_halo(const Mesh& mesh, std::int64_t cell) {
  for (int f = 0; f < face_count(mesh.shape()); ++f)
    if (mesh.neighbour(cell, f).cell >= mesh.own_count()) return true;
  return false;
}

// The elements of each kind on all ranks together.
struct KindTotals {
  std::vector<std::int64_t> count = std::vector<std::int64_t>(kind_count, 0);
  std::vector<char> homogeneous = std::vector<char>(kind_count, 1);
};

KindTotals totals(const Problem& problem, const MaterialField& material, const std::vector<char>& kind) {
  const Mesh& mesh = *problem.mesh;
  const int parameters = material.parameters();
  constexpr double most = std::numeric_limits<double>::infinity();
  std::vector<double> low(kind_count * parameters, most), high(kind_count * parameters, -most);
  KindTotals all;
  for (std::int64_t cell = 0; cell < mesh.own_count(); ++cell) {
    ++all.count[kind[cell]];
    const auto look = [&](std::int64_t at) {
      for (int k = 0; k < parameters; ++k) {
        const double value = material.constant(at)[k];
        double &least = low[kind[cell] * parameters + k], &largest = high[kind[cell] * parameters + k];
        least = std::min(least, value), largest = std::max(largest, value);
      }
    };
    look(cell);
    for (int f = 0; f < face_count(mesh.shape()); ++f)
      if (const auto other = mesh.neighbour(cell, f).cell; other >= 0) look(other);
  }
  problem.ranks->sum(all.count);
  problem.ranks->smallest(low);
  problem.ranks->largest(high);
  if (problem.model.face_matrix >= 0) std::fill(all.homogeneous.begin(), all.homogeneous.end(), 0);  // its faces differ
  for (int k = 0; k < kind_count; ++k)
    for (int i = 0; i < parameters; ++i)
      if (low[k * parameters + i] != high[k * parameters + i]) all.homogeneous[k] = 0;
  return all;
}

}  // namespace

Layout::Layout(const Problem& problem, const ReferenceElement& element, const MaterialField& material, const Device& device)
    : lanes(device.lanes(problem.precision)), elements(problem.mesh->own_count()) {
  // Kernels count slots in 32 bits, ghost slots behind every face at the most.
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (elements > most / (element.face_count + 1))
    throw InputError("The mesh {} has {} cells; this version takes at most {} on one device.", problem.mesh->name, elements,
                     most / (element.face_count + 1));
  add_groups(problem, element, material, device.info().simt ? largest_batch : lanes);
  add_codes(element);
  look_behind(problem, element);
  place_ghosts(element);
}

void Layout::add_groups(const Problem& problem, const ReferenceElement& element, const MaterialField& material, int padding) {
  const bool simplex = is_simplex(element.shape);
  auto kind = kinds(problem, material);
  if (simplex) {
    for (char& k : kind) k = k >= 2 ? 2 : k;  // curved ones have their material at points anyway
  } else if (!problem.model.linear) {
    // A nonlinear flux at nodes and at points is not the same: all faces of a mesh take one of them. A linear flux
    // between cells of one material each is a polynomial on their face, which both describe.
    char all = 0;
    for (char k : kind) all |= k;
    std::array<double, 2> anywhere{all & 1 ? 1.0 : 0.0, all & 2 ? 1.0 : 0.0};
    problem.ranks->largest(anywhere);
    all = static_cast<char>((anywhere[0] > 0 ? 1 : 0) | (anywhere[1] > 0 ? 2 : 0));
    std::fill(kind.begin(), kind.end(), all);
  }
  const Mesh& mesh = *problem.mesh;
  const auto order = space_filling_order(mesh);
  const KindTotals all = totals(problem, material, kind);
  slot_of_cell.assign(mesh.cell_count(), -1);
  // ADER is for modes, or for nodal cells with one kernel.
  const auto is_near = [&](std::int64_t cell) {
    return !problem.near_points.empty() && problem.near_points[cell] && (problem.family == Family::modal || kind[cell] == 0);
  };
  for (const bool near : {true, false})
    for (char k = 0; k < kind_count; ++k)
      for (const bool border : {false, true}) {
        Group group{k >= 2, simplex ? k >= 1 : (k & 1) != 0, slots, 0, 0, border, near, all.homogeneous[k] != 0, all.count[k]};
        if (all.count[k] > 0 && by_points(group))
          face_points = static_cast<int>(group_points(element, group, mesh.cells().geometry_order).face.rows());
        for (const auto cell : order)
          if (cell < elements && kind[cell] == k && touches_halo(mesh, cell) == border && is_near(cell) == near) {
            slot_of_cell[cell] = slots + group.count++;
            cell_of_slot.push_back(cell);
          }
        if (group.count == 0) continue;
        group.padded = (group.count + padding - 1) / padding * padding;
        slots += group.padded;
        cell_of_slot.resize(slots, -1);
        groups.push_back(group);
      }
  for (std::int64_t cell = elements; cell < mesh.cell_count(); ++cell) slot_of_cell[cell] = slots + halo_slots++;
}

void Layout::add_codes(const ReferenceElement& element) {
  for (int face = 0; face < element.face_count; ++face)
    for (int o = 0; o < orientation_count(face_shape(element.shape)); ++o)
      codes.push_back(element.neighbour_nodes(face, o));
  ghost_code = static_cast<int>(codes.size());
  ghosts_per_slot = element.node_count / element.face_node_count;
  for (int place = 0; place < ghosts_per_slot; ++place) {
    std::vector<int> nodes(element.face_node_count);
    for (int i = 0; i < element.face_node_count; ++i) nodes[i] = place * element.face_node_count + i;
    codes.push_back(std::move(nodes));
  }
  if (face_points == 0) return;
  // Kernels read the first values of a trace at points as if they were nodes' before they take them for what they are.
  const auto first_place = codes[ghost_code];
  point_code = static_cast<int>(codes.size());
  codes.push_back(first_place);
  slots_per_ghost = (face_points + element.node_count - 1) / element.node_count;
}

void Layout::look_behind(const Problem& problem, const ReferenceElement& element) {
  const Mesh& mesh = *problem.mesh;
  const int faces = element.face_count, orientations = orientation_count(face_shape(element.shape));
  behind.assign(slots * faces * 2, 0);
  for (std::int64_t slot = 0; slot < slots; ++slot)
    for (int f = 0; f < faces; ++f) {
      std::int32_t* entry = behind.data() + (slot * faces + f) * 2;
      const auto cell = cell_of_slot[slot];
      entry[0] = static_cast<std::int32_t>(slot);  // padding meets itself
      entry[1] = f * orientations;
      if (cell < 0) continue;
      const Neighbour& n = mesh.neighbour(cell, f);
      if (n.cell >= 0) {
        entry[0] = static_cast<std::int32_t>(slot_of_cell[n.cell]);
        entry[1] = n.face * orientations + n.orientation;
        if (problem.total_field && problem.total_field->total[cell] != problem.total_field->total[n.cell])
          ghosts.push_back(
              {slot, f, problem.total_field->total[cell] ? total_here : scattered_here, entry[0], entry[1]});
      } else {
        const int last = static_cast<int>(problem.boundary.size()) - 1;
        ghosts.push_back({slot, f, n.boundary >= 0 ? n.boundary : last, -1, 0});
      }
    }
}

void Layout::place_ghosts(const ReferenceElement& element) {
  std::int64_t first_by_points = slots;
  for (const Group& group : groups)
    if (by_points(group)) first_by_points = std::min(first_by_points, group.first);
  std::stable_sort(ghosts.begin(), ghosts.end(), [](const auto& a, const auto& b) { return a.spec < b.spec; });
  // Groups that are integrated at points come last.
  const auto at_points =
      std::stable_partition(ghosts.begin(), ghosts.end(), [&](const auto& g) { return g.slot < first_by_points; });
  nodal_ghosts = at_points - ghosts.begin();
  const auto here = [&](const GhostFace& g) { return g.behind_slot < slots; };
  nodal_across = at_points - std::stable_partition(ghosts.begin(), at_points, here);
  point_across = ghosts.end() - std::stable_partition(at_points, ghosts.end(), here);
  const auto count = static_cast<std::int64_t>(ghosts.size());
  ghost_slots = ghost_slot(count) - slots - halo_slots;
  if (all_slots() > std::numeric_limits<std::int32_t>::max())
    throw InputError("The mesh has {} cells with {} faces on boundaries, which is more than this version takes on one device.",
                     elements, count);
  for (std::int64_t g = 0; g < count; ++g) {
    std::int32_t* entry = behind.data() + (ghosts[g].slot * element.face_count + ghosts[g].face) * 2;
    entry[0] = static_cast<std::int32_t>(ghost_slot(g));
    entry[1] = g < nodal_ghosts ? ghost_code + static_cast<int>(g % ghosts_per_slot) : point_code;
  }
}

// The slot of a ghost; for the number of ghosts, the slot behind the last one.
std::int64_t Layout::ghost_slot(std::int64_t ghost) const {
  const std::int64_t first = slots + halo_slots;
  if (ghost < nodal_ghosts) return first + ghost / ghosts_per_slot;
  const std::int64_t at_nodes = (nodal_ghosts + ghosts_per_slot - 1) / ghosts_per_slot;
  return first + at_nodes + (ghost - nodal_ghosts) * slots_per_ghost;
}

}  // namespace swell
