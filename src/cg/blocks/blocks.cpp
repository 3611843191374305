// SPDX-License-Identifier: Apache-2.0
#include "cg/blocks/blocks.hpp"

#include <algorithm>
#include <stdexcept>

#include "cg/blocks/chains.hpp"

namespace swell {

namespace {

constexpr std::int64_t most_local = 65535;  // that 16 bits can number, with one for empty slots
constexpr std::int64_t most_step = 64;

// The cells of each block in its slots: chains are shared out as single cells are.
void fill_slots(const std::vector<std::int64_t>& order, std::int64_t apart, ElementBlocks& blocks) {
  const std::int64_t chain = blocks.chain, chains = static_cast<std::int64_t>(order.size()) / chain;
  const std::int64_t slots = blocks.batches * blocks.lanes, in_block = slots / chain;
  blocks.count = (chains + in_block - 1) / in_block;
  blocks.cell.assign(static_cast<std::size_t>(blocks.count * slots), -1);
  blocks.from.assign(blocks.cell.size(), -1);
  for (std::int64_t b = 0; b < blocks.count; ++b) {
    const std::int64_t first = b * in_block, here = std::min(in_block, chains - first);
    for (std::int64_t i = 0; i < here; ++i) {
      // A run of the curve is shared out among the lanes, then the next one: nearby cells stay in the cache.
      const std::int64_t run = apart * blocks.lanes, before = i / run * run, j = i - before;
      const std::int64_t stride = std::min(apart, (here - before + blocks.lanes - 1) / blocks.lanes);
      for (std::int64_t t = 0; t < chain; ++t) {
        const std::int64_t batch = (before / blocks.lanes + j % stride) * chain + t;
        const std::int64_t slot = b * slots + batch * blocks.lanes + j / stride;
        blocks.from[slot] = (first + i) * chain + t;
        blocks.cell[slot] = order[blocks.from[slot]];
      }
    }
  }
}

// The unknowns of the blocks of all shapes.
class BlockUnknowns {
 public:
  BlockUnknowns(const Numbering& numbering, const Elements& elements)
      : numbering_(numbering), elements_(elements), last_(static_cast<std::size_t>(numbering.count), nowhere),
        blocks_of_(last_.size(), 0) {}

  // First the blocks of all shapes.
  void count(const ElementBlocks& blocks, int nodes) {
    for (std::int64_t b = 0; b < blocks.count; ++b, ++seen_)
      visit(blocks, nodes, b, [&](std::int64_t, int, std::int32_t unknown) { blocks_of_[unknown] += is_new(unknown) ? 1 : 0; });
  }

  // Then lists for each shape, whose sums follow those of the shapes before.
  void make_lists(ElementBlocks& blocks, int nodes, BlockList& all) {
    std::vector<std::int32_t> here;
    for (std::int64_t b = 0; b < blocks.count; ++b, ++seen_) {
      here.clear();
      visit(blocks, nodes, b, [&](std::int64_t, int, std::int32_t unknown) {
        if (is_new(unknown)) here.push_back(unknown);
      });
      std::sort(here.begin(), here.end());
      const auto rest = std::stable_partition(here.begin(), here.end(), [&](std::int32_t unknown) { return blocks_of_[unknown] == 1; });
      blocks.head.insert(blocks.head.end(), {static_cast<std::int32_t>(blocks.unknown.size()), static_cast<std::int32_t>(here.size()),
                                             static_cast<std::int32_t>(rest - here.begin()), static_cast<std::int32_t>(all.sums)});
      all.sums += here.end() - rest;
      all.shared.insert(all.shared.end(), rest, here.end());
      blocks.unknown.insert(blocks.unknown.end(), here.begin(), here.end());
      blocks.most = std::max<std::int64_t>(blocks.most, static_cast<std::int64_t>(here.size()));
    }
    // Kernels have it as a constant: a few sizes, so that meshes of one kind have one kernel source.
    blocks.most = (blocks.most + most_step - 1) / most_step * most_step;
    if (blocks.most > most_local) throw std::logic_error("a block of elements has more unknowns than 16 bits can number");
    number_locally(blocks, nodes);
  }

 private:
  static constexpr std::int32_t nowhere = -1;

  template <class Act>
  void visit(const ElementBlocks& blocks, int nodes, std::int64_t block, const Act& act) const {
    const std::int64_t slots = blocks.batches * blocks.lanes;
    for (std::int64_t s = block * slots; s < (block + 1) * slots; ++s) {
      if (blocks.cell[s] < 0) continue;
      const std::int32_t* const of_cell = numbering_.of_node.data() + elements_.first_node(blocks.cell[s]);
      for (int n = 0; n < nodes; ++n) act(s, n, of_cell[n]);
    }
  }

  bool is_new(std::int32_t unknown) {
    if (last_[unknown] == seen_) return false;
    last_[unknown] = seen_;
    return true;
  }

  void number_locally(ElementBlocks& blocks, int nodes) {
    const std::int64_t slots = blocks.batches * blocks.lanes, lanes = blocks.lanes;
    blocks.local.assign(static_cast<std::size_t>(blocks.count * slots * nodes), static_cast<std::uint16_t>(blocks.most));
    number_.resize(last_.size());
    for (std::int64_t b = 0; b < blocks.count; ++b) {
      for (std::int32_t i = 0; i < blocks.head[4 * b + 1]; ++i) number_[blocks.unknown[blocks.head[4 * b] + i]] = i;
      visit(blocks, nodes, b, [&](std::int64_t s, int n, std::int32_t unknown) {
        blocks.local[(s / lanes * nodes + n) * lanes + s % lanes] = static_cast<std::uint16_t>(number_[unknown]);
      });
    }
  }

  const Numbering& numbering_;
  const Elements& elements_;
  std::vector<std::int32_t> last_, blocks_of_, number_;  // [unknown]
  std::int32_t seen_ = 0;                                // blocks before the one at work, of both passes
};

}  // namespace

BlockList element_blocks(const Numbering& numbering, const Elements& elements, const std::vector<BlockedCells>& cells) {
  BlockList all;
  BlockUnknowns unknowns(numbering, elements);
  for (const auto& [order, turn, nodes, size] : cells) {
    ElementBlocks& blocks = all.of.emplace_back();
    blocks.lanes = size.lanes;
    blocks.chain = size.chain;
    blocks.batches = std::max<std::int64_t>(1, size.slots / (size.lanes * size.chain)) * size.chain;
    fill_slots(order, size.apart, blocks);
    unknowns.count(blocks, nodes);
  }
  for (std::size_t i = 0; i < cells.size(); ++i) unknowns.make_lists(all.of[i], cells[i].nodes, all);
  std::vector<std::int32_t> place_of_sum = all.shared, number(static_cast<std::size_t>(numbering.count));
  std::sort(all.shared.begin(), all.shared.end());
  all.shared.erase(std::unique(all.shared.begin(), all.shared.end()), all.shared.end());
  for (std::size_t i = 0; i < all.shared.size(); ++i) number[all.shared[i]] = static_cast<std::int32_t>(i);
  for (auto& unknown : place_of_sum) unknown = number[unknown];
  all.lists = gather_lists(place_of_sum, static_cast<std::int64_t>(all.shared.size()));
  return all;
}

std::vector<std::uint16_t> chained_numbers(const ElementBlocks& blocks, int nodes, const std::vector<std::uint8_t>& turn) {
  const std::int64_t chains = blocks.count * blocks.batches / blocks.chain;
  const int places = nodes + blocks.chain - 1, lanes = blocks.lanes;
  std::vector<std::uint16_t> numbers;
  numbers.reserve(static_cast<std::size_t>(chains * places * lanes));
  for (std::int64_t c = 0; c < chains; ++c)
    for (int place = 0; place < places; ++place)
      for (int lane = 0; lane < lanes; ++lane) {
        auto number = static_cast<std::uint16_t>(blocks.most);
        // Any cell of the chain that has this vertex knows its number.
        for (int t = 0; t < blocks.chain; ++t) {
          const std::int64_t batch = c * blocks.chain + t, slot = batch * lanes + lane;
          const int node = node_in_chain(place, t, nodes);
          if (node < 0 || blocks.cell[slot] < 0) continue;
          number = blocks.local[(batch * nodes + turn[blocks.from[slot] * nodes + node]) * lanes + lane];
        }
        numbers.push_back(number);
      }
  return numbers;
}

BlockLists block_lists(const ElementBlocks& blocks, int nodes) {
  const std::int64_t slots = blocks.batches * blocks.lanes, places = slots * nodes;
  BlockLists lists;
  lists.start.assign(static_cast<std::size_t>(blocks.count * (blocks.most + 1)), 0);
  lists.place.assign(static_cast<std::size_t>(blocks.count * places), 0);
  std::vector<std::int32_t> of_place(static_cast<std::size_t>(places));
  for (std::int64_t b = 0; b < blocks.count; ++b) {
    for (std::int64_t s = 0; s < slots; ++s)
      for (int n = 0; n < nodes; ++n) {
        const std::int64_t slot = b * slots + s;
        const auto local =
            blocks.local[(slot / blocks.lanes * nodes + n) * blocks.lanes + slot % blocks.lanes];
        of_place[n * slots + s] = local == blocks.most ? -1 : local;
      }
    const GatherLists here = gather_lists(of_place, blocks.most);
    std::copy(here.start.begin(), here.start.end(), lists.start.begin() + b * (blocks.most + 1));
    std::copy(here.place.begin(), here.place.end(), lists.place.begin() + b * places);
  }
  return lists;
}

}  // namespace swell
