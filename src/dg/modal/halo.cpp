// SPDX-License-Identifier: Apache-2.0
// The halo exchange of the modal family: the records of the traces on the faces that it shares with other ranks.
#include "base/timer.hpp"
#include "dg/modal/geometry.hpp"
#include "dg/modal/operator.hpp"

namespace swell {

std::int64_t ModalOperator::cell_of_record_slot(std::int64_t slot) const {
  return slot < layout_->slots ? modal_cell(*layout_, slot) : layout_->elements + slot - layout_->slots;
}

void ModalOperator::build_halo() {
  const auto add = [](std::vector<Items>& list, std::int64_t first, std::int64_t count) {
    if (count > 0) list.emplace_back(first, count);
  };
  const std::int64_t at_points = static_cast<std::int64_t>(layout_->ghosts.size()) - layout_->nodal_ghosts;
  add(ghost_items_.inner, 0, layout_->nodal_ghosts - layout_->nodal_across);
  add(ghost_items_.border, layout_->nodal_ghosts - layout_->nodal_across, layout_->nodal_across);
  add(ghost_items_.inner, layout_->nodal_ghosts, at_points - layout_->point_across);
  add(ghost_items_.border, layout_->nodal_ghosts + at_points - layout_->point_across, layout_->point_across);
  if (problem_.ranks->single()) {
    add(elements_.inner, 0, items());
    return;
  }
  for (const Group& group : layout_->groups)
    add(group.border ? elements_.border : elements_.inner, group.first / together(), group.padded / together());
  halo_ = make_halo(neighbour_ranks(*problem_.mesh));
}

std::unique_ptr<HaloExchange> ModalOperator::make_halo(const std::vector<NeighbourRank>& neighbours) {
  const std::int64_t record = modes_->values * fields();
  const auto places = [&](const std::vector<SharedFace>& faces) {
    std::vector<std::int64_t> all;
    for (const SharedFace& face : faces)
      all.push_back((layout_->slot_of_cell[face.cell] * modes_->faces + face.face) * record);
    return all;
  };
  std::vector<HaloRows> rows;
  for (const NeighbourRank& other : neighbours)
    rows.push_back({other.rank, places(other.sent), places(other.expected)});
  const Stopwatch clock;
  auto halo = std::make_unique<HaloExchange>(device_, problem_.precision, *problem_.ranks, rows, record, 1, halo_.get());
  compile_seconds_ += clock.seconds();
  return halo;
}

}  // namespace swell
