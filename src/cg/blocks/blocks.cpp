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

}  // namespace

ElementBlocks element_blocks(const Numbering& numbering, const std::vector<std::int64_t>& order, int nodes,
                             const BlockSize& size) {
  ElementBlocks blocks;
  blocks.lanes = size.lanes;
  blocks.chain = size.chain;
  blocks.batches = std::max<std::int64_t>(1, size.slots / (size.lanes * size.chain)) * size.chain;
  fill_slots(order, size.apart, blocks);
  const std::int64_t slots = blocks.batches * blocks.lanes;

  std::vector<std::int32_t> last(static_cast<std::size_t>(numbering.count), -1), blocks_of(last.size(), 0);
  const auto visit = [&](std::int64_t block, auto&& act) {
    for (std::int64_t s = block * slots; s < (block + 1) * slots; ++s)
      if (blocks.cell[s] >= 0)
        for (int n = 0; n < nodes; ++n) act(s, n, numbering.of_node[blocks.cell[s] * nodes + n]);
  };
  for (std::int64_t b = 0; b < blocks.count; ++b)
    visit(b, [&](std::int64_t, int, std::int32_t unknown) {
      if (last[unknown] == b) return;
      last[unknown] = static_cast<std::int32_t>(b);
      ++blocks_of[unknown];
    });

  std::vector<std::int32_t> here, place_of_sum;
  std::fill(last.begin(), last.end(), -1);
  for (std::int64_t b = 0; b < blocks.count; ++b) {
    here.clear();
    visit(b, [&](std::int64_t, int, std::int32_t unknown) {
      if (last[unknown] == b) return;
      last[unknown] = static_cast<std::int32_t>(b);
      here.push_back(unknown);
    });
    std::sort(here.begin(), here.end());
    const auto rest =
        std::stable_partition(here.begin(), here.end(), [&](std::int32_t unknown) { return blocks_of[unknown] == 1; });
    blocks.head.insert(blocks.head.end(), {static_cast<std::int32_t>(blocks.unknown.size()),
                                           static_cast<std::int32_t>(here.size()),
                                           static_cast<std::int32_t>(rest - here.begin()),
                                           static_cast<std::int32_t>(blocks.sums)});
    blocks.sums += here.end() - rest;
    place_of_sum.insert(place_of_sum.end(), rest, here.end());
    blocks.unknown.insert(blocks.unknown.end(), here.begin(), here.end());
    blocks.most = std::max<std::int64_t>(blocks.most, static_cast<std::int64_t>(here.size()));
  }
  // Kernels have it as a constant: a few sizes, so that meshes of one kind have one kernel source.
  blocks.most = (blocks.most + most_step - 1) / most_step * most_step;
  if (blocks.most > most_local) throw std::logic_error("a block of elements has more unknowns than 16 bits can number");

  blocks.local.assign(static_cast<std::size_t>(blocks.count * slots * nodes), static_cast<std::uint16_t>(blocks.most));
  std::vector<std::int32_t> number(static_cast<std::size_t>(numbering.count));
  for (std::int64_t b = 0; b < blocks.count; ++b) {
    for (std::int32_t i = 0; i < blocks.head[4 * b + 1]; ++i) number[blocks.unknown[blocks.head[4 * b] + i]] = i;
    visit(b, [&](std::int64_t s, int n, std::int32_t unknown) {
      blocks.local[(s / size.lanes * nodes + n) * size.lanes + s % size.lanes] =
          static_cast<std::uint16_t>(number[unknown]);
    });
  }

  blocks.shared = place_of_sum;
  std::sort(blocks.shared.begin(), blocks.shared.end());
  blocks.shared.erase(std::unique(blocks.shared.begin(), blocks.shared.end()), blocks.shared.end());
  for (std::size_t i = 0; i < blocks.shared.size(); ++i) number[blocks.shared[i]] = static_cast<std::int32_t>(i);
  for (auto& unknown : place_of_sum) unknown = number[unknown];
  blocks.lists = gather_lists(place_of_sum, static_cast<std::int64_t>(blocks.shared.size()));
  return blocks;
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
