// SPDX-License-Identifier: Apache-2.0
// Elements in blocks that are near in space: each block has a short list of unknowns, which its elements number by 16 bits,
// and only sums of unknowns in several blocks go through a second pass. The elements of a block have one shape.
#pragma once

#include "cg/numbering.hpp"

namespace swell {

struct ElementBlocks {
  int lanes = 1;
  int chain = 1;                         // cells of a chain, which stand in the same lane of batches in turn
  std::int64_t batches = 0;              // of `lanes` slots in each block
  std::int64_t count = 0;                // of the blocks
  std::int64_t most = 0;                 // unknowns of one block
  std::vector<std::int64_t> cell;        // [slot], -1 where a slot is empty
  std::vector<std::int64_t> from;        // [slot], its place in the order; -1 behind the end
  std::vector<std::uint16_t> local;      // [batch][node][lane], an index into the block's list; most: an empty slot
  std::vector<std::int32_t> head;        // [block][first of its unknowns, how many, how many of no other block, first sum]
  std::vector<std::int32_t> unknown;     // of all blocks in turn, first those of no other block
};

// The number of slots that a block may have, and the distribution of its cells to the lanes: the cells of a batch lie `apart`
// (cells or chains) along the curve, so that the sums of a batch go to different unknowns.
struct BlockSize {
  int lanes = 1;
  std::int64_t slots = 1;
  std::int64_t apart = 1;
  int chain = 1;
};

// Cells of one shape that blocks are made of, along a curve; in chains chain by chain, -1 where one is shorter.
struct BlockedCells {
  std::vector<std::int64_t> order;
  std::vector<std::uint8_t> turn;  // of the cells of chains, as cell_chains() gives it
  int nodes = 0;                   // of each cell
  BlockSize size;
};

// The blocks of all shapes, and the sums of unknowns that several of them have, whatever their shapes.
struct BlockList {
  std::vector<ElementBlocks> of;     // each shape's
  std::int64_t sums = 0;             // a place for each block of an unknown in several blocks
  std::vector<std::int32_t> shared;  // unknowns in several blocks; they are the sums of lists.place
  GatherLists lists;
};
BlockList element_blocks(const Numbering& numbering, const Elements& elements, const std::vector<BlockedCells>& cells);

// [chain of batches][place][lane], an index into the block's list; `turn` as cell_chains() gives it.
std::vector<std::uint16_t> chained_numbers(const ElementBlocks& blocks, int nodes, const std::vector<std::uint8_t>& turn);

// On GPUs each unknown of a block adds up its places [node][slot] in a list: [block][start of each of `most`
// unknowns and one more] and [block][slot][node].
struct BlockLists {
  std::vector<std::uint16_t> start, place;
};
BlockLists block_lists(const ElementBlocks& blocks, int nodes);

}  // namespace swell
