// SPDX-License-Identifier: Apache-2.0
// The halo exchange of a level set: it sends the modes of its traces, and of its fluxes' traces, on the faces that ranks share.
#include <algorithm>

#include "base/timer.hpp"
#include "dg/levelset/levelset.hpp"

namespace swell {

void LevelSet::build_halo() {
  inner_ = items();
  if (problem_.ranks->single()) return;
  // Elements that touch other ranks lie last, as the layout puts them.
  for (const NeighbourRank& other : neighbour_ranks(*problem_.mesh))
    for (const SharedFace& face : other.sent) inner_ = std::min(inner_, slot_of_cell_[face.cell] * items() / slots_);
  const std::int64_t width = size_.width;
  const auto places = [&](const std::vector<SharedFace>& faces) {
    std::vector<std::int64_t> all;
    for (const SharedFace& face : faces) {
      const std::int64_t slot = slot_of_cell_[face.cell];
      all.push_back((slot / width * size_.faces + face.face) * size_.face_modes * width + slot % width);
    }
    return all;
  };
  std::vector<HaloRows> rows;
  for (const NeighbourRank& other : neighbour_ranks(*problem_.mesh))
    rows.push_back({other.rank, places(other.sent), places(other.expected)});
  const Stopwatch clock;
  halo_ = std::make_unique<HaloExchange>(device_, problem_.precision, *problem_.ranks, rows, size_.face_modes, width);
  compile_seconds_ += clock.seconds();
}

void LevelSet::with_neighbours(Buffer& traces, const std::function<void(Items)>& make, const std::function<void(Items)>& use) {
  const Items inner(0, inner_), border(inner_, items() - inner_);
  make(border);
  if (halo_) halo_->start(traces);
  make(inner);
  use(inner);
  if (halo_) halo_->finish(traces);
  use(border);
}

}  // namespace swell
