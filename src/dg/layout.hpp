// SPDX-License-Identifier: Apache-2.0
// Where each element lives on the device. Elements of one kind and cluster lie together, along a space-filling curve, padded to whole
// batches of SIMD lanes; behind them lie slots for the halo (elements of other ranks, of which only faces are filled), for the
// traces that elements see of other clusters, and for ghost traces (boundaries), so that a face reads what
// is behind it in one way whatever that is. Elements that are integrated at points have their boundary states at points.
#pragma once

#include <map>
#include <vector>

#include "mesh/elements.hpp"
#include "model/adjusted_mass.hpp"
#include "model/material.hpp"
#include "model/problem.hpp"

namespace swell {

// Slots of a group are padded to this many on GPUs: every batch divides it.
constexpr int largest_batch = 64;

// Elements that one kernel text serves.
struct Group {
  Shape shape = Shape::triangle;
  bool curved = false;      // geometry at each point, else one map for each element
  bool varying = false;     // material at each point, else one for each element
  bool pairs = false;       // volume terms by two-point fluxes between the nodes of a line; geometry and material are those at nodes
  int degree = 0;           // of VolumeForm::quadrature: that the points of simplices integrate exactly; 0: another form
  int weights = 0;          // where a weight-adjusted mass alone knows that material varies: its numbers a point
  std::int64_t first = 0;   // slot, a multiple of the padding
  std::int64_t count = 0;   // elements
  std::int64_t padded = 0;  // slots, a multiple of the padding
  std::int64_t place = 0;   // of its first slot in a state, in slots of its own size; `first` where there is one shape
  bool gauss_faces = false;  // of simplices in a mixed mesh of the plane: points of faces are those of the quadrilaterals beside them
  bool border = false;      // they touch other ranks, so they wait for the exchange
  bool near = false;        // Problem::near_points; these groups come first
  int cluster = 0;          // Problem::cluster
  std::int64_t beside_finer = 0;  // elements with a neighbour of the next lower cluster; they come first
  // Properties of the elements of this kind on all ranks together, so that every rank compiles the same kernel source:
  bool homogeneous = false;     // they and their neighbours have one material
  std::int64_t everywhere = 0;  // how many there are
  bool adjusted() const { return weights > 0; }
  std::int64_t batches(int elements) const { return (count + elements - 1) / elements; }
};

// A face whose other side is a ghost slot.
struct GhostFace {
  std::int64_t slot = 0;
  int face = 0;
  int spec = 0;                   // index into Problem::boundary, or -1: total field here, -2: scattered field here
  std::int64_t behind_slot = -1;  // specs -1, -2: the address of the neighbour and its code
  int behind_code = 0;
};

// A face to an element of another cluster. What lies behind it over the shorter step of the two is a copy of that element's trace.
struct ClusterFace {
  std::int64_t slot = 0;
  int face = 0;
  std::int64_t behind = 0;  // slot of that element, the halo's too
  int behind_code = 0, behind_cluster = 0;
};

struct Layout {
  // `adjusted`: none where the family has no weight-adjusted mass.
  Layout(const Problem& problem, const Elements& elements, const MaterialField& material, const Device& device,
         const AdjustedMass* adjusted = nullptr);

  int lanes = 1;
  // Nodes of one step of an address in `behind`: those of a slot, or where slots have several sizes one.
  int unit = 1;
  int most_nodes = 1;          // of an element
  std::int64_t nodes = 0;      // of a state's elements, padding included
  std::int64_t all_nodes = 0;  // those of the halo and of ghosts too
  std::vector<Group> groups;
  std::int64_t slots = 0;  // of elements, padding included
  std::int64_t halo_slots = 0;
  std::int64_t between_slots = 0;
  std::int64_t ghost_slots = 0;
  std::int64_t elements = 0;
  std::vector<std::int64_t> cell_of_slot;  // -1: padding
  std::vector<std::int64_t> slot_of_cell;  // the halo's too
  // Those with traces at nodes, then those with traces at points; each sorted by spec, those that look at the halo last.
  std::vector<GhostFace> ghosts;
  std::int64_t nodal_ghosts = 0;                   // how many of the first kind
  std::int64_t nodal_across = 0, point_across = 0; // how many of each kind look at the halo
  std::vector<ClusterFace> between;
  int clusters = 1;               // on all ranks
  int ghosts_per_slot = 1;        // traces at nodes that fit into one slot
  int face_points = 0;            // of a trace at points; 0: there is none
  int slots_per_ghost = 0;        // that a trace at points takes

  // Codes: face * orientations + orientation of the neighbour, then one for each place of a trace at nodes in a ghost slot,
  // then one for traces at points, where there are any.
  std::vector<std::vector<int>> codes;  // [code][face node] -> node of the slot behind; rows as long as the largest face
  std::map<Shape, int> first_code;      // of neighbours of a shape
  int turns = 1;                        // codes of a face
  int ghost_code = 0;                   // the first of the traces at nodes
  int point_code = -1;                  // of the traces at points
  // [slot][face][2]: address in units and code; rows as long as the most faces of a shape
  std::vector<std::int32_t> behind;
  int behind_faces = 0;

  std::int64_t first_node(std::int64_t slot) const { return first_node_.empty() ? slot * unit : first_node_[slot]; }  // the halo's too
  std::int64_t address(std::int64_t slot) const { return first_node(slot) / unit; }
  std::int64_t ghost_address(std::int64_t ghost) const;
  std::int64_t between_address(std::int64_t face) const { return slots + halo_slots + face / ghosts_per_slot; }
  const Group& group_of(std::int64_t slot) const;
  const std::int32_t* behind_face(std::int64_t slot, int face) const { return behind.data() + (slot * behind_faces + face) * 2; }
  int code(Shape shape, int face, int orientation) const { return first_code.at(shape) + face * turns + orientation; }

 private:
  void add_groups(const Problem& problem, const Elements& elements, const MaterialField& material, const AdjustedMass* adjusted,
                  int padding);
  void add_codes(const Elements& elements);
  void look_behind(const Problem& problem, const Elements& elements);
  void place_ghosts();
  void place_mixed_ghosts();

  std::vector<std::int64_t> first_node_;     // [slot], where slots have several sizes
  std::vector<std::int64_t> ghost_address_;  // [ghost], likewise
};

}  // namespace swell
