// SPDX-License-Identifier: Apache-2.0
#include "cg/copies.hpp"

#include <map>

#include "cg/text.hpp"

namespace swell {

Copies::Copies(const RankNodes& nodes, Vectors& vectors) : vectors_(vectors) {
  std::vector<HaloRows> rows;
  // Places of the parts, ordered by unknown, then by rank, the owner first.
  std::map<std::int32_t, std::map<std::pair<bool, int>, std::int32_t>> parts;
  constexpr std::int32_t own = -1;
  const int self = vectors.ranks().rank();
  std::int32_t received = 0;
  for (const RankNodes::Neighbour& other : nodes.neighbours) {
    HaloRows& row = rows.emplace_back();
    row.rank = other.rank;
    for (const auto unknown : other.shared) {
      row.sent.push_back(unknown);
      row.expected.push_back(received);
      const int owner = unknown < nodes.owned ? self : nodes.owner[unknown - nodes.owned];
      parts[unknown][{other.rank != owner, other.rank}] = received++;
      parts[unknown][{self != owner, self}] = own;
    }
  }
  std::vector<std::int32_t> unknown, start{0}, place;
  for (const auto& [number, of_ranks] : parts) {
    unknown.push_back(number);
    for (const auto& [rank, at] : of_ranks) place.push_back(at);
    start.push_back(static_cast<std::int32_t>(place.size()));
  }
  count_ = static_cast<std::int64_t>(unknown.size());
  theirs_ = vectors.make(received, "parts of other ranks");
  unknown_ = vectors.upload(unknown, "shared unknowns");
  start_ = vectors.upload(start, "shared unknowns");
  place_ = vectors.upload(place, "shared unknowns");
  program_ = vectors.device().compile(
      {"heat-copies", std::string(cg_texts("kernels/continuous/copies.h")), {"add_copies", "take_first"}, vectors.precision(), false});
  exchange_ = std::make_unique<HaloExchange>(vectors.device(), vectors.precision(), vectors.ranks(), rows, 1);
}

void Copies::start(Buffer& y) { exchange_->start(y); }

void Copies::add(Buffer& y) { finish("add_copies", y); }

// The rank that owns an unknown comes first in its list.
void Copies::agree(Buffer& y) {
  start(y);
  finish("take_first", y);
}

void Copies::finish(const char* kernel, Buffer& y) {
  exchange_->finish(*theirs_);
  if (count_ > 0)
    vectors_.device().queue().launch(program_->kernel(kernel), count_, {*theirs_, *unknown_, *start_, *place_, y});
}

}  // namespace swell
