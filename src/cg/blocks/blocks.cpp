// SPDX-License-Identifier: Apache-2.0
#include "cg/blocks/blocks.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <stdexcept>

#include "base/host_threads.hpp"
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
  for_pieces(blocks.count, 1, [&](std::int64_t b, std::int64_t) {
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
  });
}

// The unknowns of one block, each with a number: a table that is looked up by a hash (Fibonacci's, Knuth 1998, 6.4) and linear probing.
class LocalNumbers {
 public:
  // Room for so many unknowns.
  explicit LocalNumbers(std::int64_t most) : bits_(std::bit_width(static_cast<std::uint64_t>(2 * most))), table_(std::size_t{1} << bits_) {}
  void clear() { std::fill(table_.begin(), table_.end(), Entry{}); }
  // True where it was not there yet.
  bool add(std::int32_t unknown) {
    Entry& entry = find(unknown);
    const bool is_new = entry.unknown < 0;
    entry.unknown = unknown;
    return is_new;
  }
  std::int32_t& number(std::int32_t unknown) { return find(unknown).number; }

 private:
  struct Entry {
    std::int32_t unknown = -1, number = 0;
  };
  Entry& find(std::int32_t unknown) {
    std::size_t at = static_cast<std::uint32_t>(unknown) * std::uint32_t{2654435769} >> (32 - bits_);
    while (table_[at].unknown >= 0 && table_[at].unknown != unknown) at = (at + 1) & (table_.size() - 1);
    return table_[at];
  }
  int bits_;
  std::vector<Entry> table_;
};

// The unknowns of the blocks of all shapes; several threads work on a block each.
class BlockUnknowns {
 public:
  BlockUnknowns(const Numbering& numbering, const Elements& elements)
      : numbering_(numbering), elements_(elements), blocks_of_(static_cast<std::size_t>(numbering.count), 0) {}

  // First the blocks of all shapes.
  void count(const ElementBlocks& blocks, int nodes) {
    auto& lists = unknowns_.emplace_back(static_cast<std::size_t>(blocks.count));
    for_blocks(blocks, nodes, [&](std::int64_t b, LocalNumbers& local) {
      std::vector<std::int32_t>& here = lists[b];
      visit(blocks, nodes, b, [&](std::int64_t, int, std::int32_t unknown) {
        if (!local.add(unknown)) return;
        here.push_back(unknown);
        std::atomic_ref(blocks_of_[unknown]).fetch_add(1, std::memory_order_relaxed);
      });
      std::sort(here.begin(), here.end());
    });
  }

  // Then lists for the blocks of shape number `of`, whose sums follow those of the shapes before.
  void make_lists(std::size_t of, ElementBlocks& blocks, int nodes, BlockList& all) {
    std::vector<std::int64_t> alone(static_cast<std::size_t>(blocks.count));  // unknowns of no other block
    for_pieces(blocks.count, 1, [&](std::int64_t b, std::int64_t) {
      auto& here = unknowns_[of][b];
      alone[b] = std::stable_partition(here.begin(), here.end(), [&](std::int32_t unknown) { return blocks_of_[unknown] == 1; }) - here.begin();
    });
    for (std::int64_t b = 0; b < blocks.count; ++b) {
      std::vector<std::int32_t> here = std::move(unknowns_[of][b]);
      const auto rest = here.begin() + alone[b];
      blocks.head.insert(blocks.head.end(), {static_cast<std::int32_t>(blocks.unknown.size()), static_cast<std::int32_t>(here.size()),
                                             static_cast<std::int32_t>(alone[b]), static_cast<std::int32_t>(all.sums)});
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
  // Calls work(block, empty table) for each block.
  template <class Work>
  void for_blocks(const ElementBlocks& blocks, int nodes, const Work& work) const {
    constexpr std::int64_t few = 4;
    for_pieces(blocks.count, few, [&](std::int64_t begin, std::int64_t end) {
      LocalNumbers local(blocks.batches * blocks.lanes * nodes);
      for (std::int64_t b = begin; b < end; ++b) {
        local.clear();
        work(b, local);
      }
    });
  }

  template <class Act>
  void visit(const ElementBlocks& blocks, int nodes, std::int64_t block, const Act& act) const {
    const std::int64_t slots = blocks.batches * blocks.lanes;
    for (std::int64_t s = block * slots; s < (block + 1) * slots; ++s) {
      if (blocks.cell[s] < 0) continue;
      const std::int32_t* const of_cell = numbering_.of_node.data() + elements_.first_node(blocks.cell[s]);
      for (int n = 0; n < nodes; ++n) act(s, n, of_cell[n]);
    }
  }

  void number_locally(ElementBlocks& blocks, int nodes) {
    const std::int64_t slots = blocks.batches * blocks.lanes, lanes = blocks.lanes;
    blocks.local.assign(static_cast<std::size_t>(blocks.count * slots * nodes), static_cast<std::uint16_t>(blocks.most));
    for_blocks(blocks, nodes, [&](std::int64_t b, LocalNumbers& local) {
      for (std::int32_t i = 0; i < blocks.head[4 * b + 1]; ++i) {
        const std::int32_t unknown = blocks.unknown[blocks.head[4 * b] + i];
        local.add(unknown);
        local.number(unknown) = i;
      }
      visit(blocks, nodes, b, [&](std::int64_t s, int n, std::int32_t unknown) {
        blocks.local[(s / lanes * nodes + n) * lanes + s % lanes] = static_cast<std::uint16_t>(local.number(unknown));
      });
    });
  }

  const Numbering& numbering_;
  const Elements& elements_;
  std::vector<std::int32_t> blocks_of_;                                // [unknown]
  std::vector<std::vector<std::vector<std::int32_t>>> unknowns_;       // [shape][block], ascending
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
  for (std::size_t i = 0; i < cells.size(); ++i) unknowns.make_lists(i, all.of[i], cells[i].nodes, all);
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
  std::vector<std::uint16_t> numbers(static_cast<std::size_t>(chains * places * lanes), static_cast<std::uint16_t>(blocks.most));
  for_pieces(chains, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t c = begin; c < end; ++c)
      for (int place = 0; place < places; ++place)
        for (int lane = 0; lane < lanes; ++lane)
          // Any cell of the chain that has this vertex knows its number.
          for (int t = 0; t < blocks.chain; ++t) {
            const std::int64_t batch = c * blocks.chain + t, slot = batch * lanes + lane;
            const int node = node_in_chain(place, t, nodes);
            if (node < 0 || blocks.cell[slot] < 0) continue;
            numbers[(c * places + place) * lanes + lane] = blocks.local[(batch * nodes + turn[blocks.from[slot] * nodes + node]) * lanes + lane];
          }
  });
  return numbers;
}

BlockLists block_lists(const ElementBlocks& blocks, int nodes) {
  const std::int64_t slots = blocks.batches * blocks.lanes, places = slots * nodes;
  BlockLists lists;
  lists.start.assign(static_cast<std::size_t>(blocks.count * (blocks.most + 1)), 0);
  lists.place.assign(static_cast<std::size_t>(blocks.count * places), 0);
  for_pieces(blocks.count, 1, [&](std::int64_t b, std::int64_t) {
    std::vector<std::int32_t> of_place(static_cast<std::size_t>(places));
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
  });
  return lists;
}

}  // namespace swell
