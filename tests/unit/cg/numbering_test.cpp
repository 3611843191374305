// SPDX-License-Identifier: Apache-2.0
#include "cg/numbering.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/host_threads.hpp"
#include "cg/blocks/blocks.hpp"
#include "mesh/geometry.hpp"
#include "mesh/sources.hpp"

namespace swell {
namespace {

struct Asked {
  BoxOptions box;
  int order;
};

// Each has several pieces of cells.
const Asked boxes[] = {{{{0, 0, 0}, {1, 1, 1}, {10, 11, 9}, Shape::tetrahedron, {}}, 3},
                       {{{0, 0, 0}, {1, 1, 1}, {18, 17, 18}, Shape::hexahedron, {true, false, false}}, 2},
                       {{{0, 0}, {1, 1}, {70, 65}, Shape::triangle, {false, true}}, 1}};

class Numbered {
 public:
  Numbered(const Asked& asked, int threads) : mesh(make_box(asked.box)), elements(mesh, asked.order), order(space_filling_order(mesh)) {
    fixed.assign(mesh.boundaries.size() + 1, 0);
    fixed.front() = 1;
    set_host_threads(threads);
    numbering = number_nodes(mesh, elements, fixed, order);
    blocks = element_blocks(numbering, elements, {{order, {}, elements.first().node_count, {4, 64, 64, 1}}});
    set_host_threads(0);
  }
  Mesh mesh;
  Elements elements;
  std::vector<std::int64_t> order;
  std::vector<char> fixed;
  Numbering numbering;
  BlockList blocks;
};

TEST(Numbering, IsTheSameOnAnyNumberOfThreads) {
  for (const Asked& asked : boxes) {
    const Numbered one(asked, 1), other(asked, 3);
    EXPECT_EQ(one.numbering.count, other.numbering.count);
    EXPECT_EQ(one.numbering.free, other.numbering.free);
    EXPECT_EQ(one.numbering.of_node, other.numbering.of_node);
    EXPECT_EQ(one.blocks.shared, other.blocks.shared);
    EXPECT_EQ(one.blocks.lists.place, other.blocks.lists.place);
    EXPECT_EQ(one.blocks.of[0].head, other.blocks.of[0].head);
    EXPECT_EQ(one.blocks.of[0].unknown, other.blocks.of[0].unknown);
    EXPECT_EQ(one.blocks.of[0].local, other.blocks.of[0].local);
  }
}

// Nodes are one unknown where they lie at one place, periods apart: places are told apart by whole numbers of the finest lattice.
TEST(Numbering, JoinsTheNodesOfOnePlaceAndFollowsTheVisits) {
  for (const Asked& asked : boxes) {
    const Numbered of(asked, 2);
    const int dim = of.mesh.dim, nodes = of.elements.first().node_count;
    const CellMap map(of.mesh, of.elements.first().nodes);
    std::vector<double> x(static_cast<std::size_t>(nodes * dim));
    std::map<std::array<long, 3>, std::int32_t> known;
    std::vector<std::int32_t> first;  // unknowns as they are visited
    std::vector<char> seen(static_cast<std::size_t>(of.numbering.count), 0);
    for (const std::int64_t cell : of.order) {
      map.coordinates(cell, x.data());
      for (int n = 0; n < nodes; ++n) {
        std::array<long, 3> place{};
        for (int d = 0; d < dim; ++d) {
          constexpr double fine = 1e6;
          place[d] = std::lround(x[n * dim + d] * fine);
          if (!asked.box.periodic.empty() && asked.box.periodic[d]) place[d] %= std::lround(fine);
        }
        const std::int32_t unknown = of.numbering.of_node[of.elements.first_node(cell) + n];
        EXPECT_EQ(known.try_emplace(place, unknown).first->second, unknown);
        if (!seen[unknown]) first.push_back(unknown);
        seen[unknown] = 1;
      }
    }
    EXPECT_EQ(std::ssize(known), of.numbering.count);
    EXPECT_GT(of.numbering.count, of.numbering.free);
    for (const bool held : {false, true}) {
      std::vector<std::int32_t> those;
      std::copy_if(first.begin(), first.end(), std::back_inserter(those), [&](auto unknown) { return (unknown >= of.numbering.free) == held; });
      EXPECT_TRUE(std::is_sorted(those.begin(), those.end()));
    }
  }
}

// Each block's own unknowns come before those that it shares, both in ascending order, and cells find theirs by their local numbers.
TEST(Blocks, NumberTheirUnknownsLocally) {
  for (const Asked& asked : boxes) {
    const Numbered of(asked, 2);
    const ElementBlocks& blocks = of.blocks.of[0];
    const int nodes = of.elements.first().node_count, lanes = blocks.lanes;
    const std::int64_t slots = blocks.batches * lanes;
    std::vector<int> blocks_of(static_cast<std::size_t>(of.numbering.count), 0);
    for (const auto unknown : blocks.unknown) ++blocks_of[unknown];
    EXPECT_EQ(std::count(blocks_of.begin(), blocks_of.end(), 0), 0);
    for (std::int64_t b = 0; b < blocks.count; ++b) {
      const auto begin = blocks.unknown.begin() + blocks.head[4 * b], middle = begin + blocks.head[4 * b + 2], end = begin + blocks.head[4 * b + 1];
      EXPECT_TRUE(std::is_sorted(begin, middle) && std::is_sorted(middle, end));
      EXPECT_TRUE(std::all_of(begin, middle, [&](auto unknown) { return blocks_of[unknown] == 1; }));
      EXPECT_TRUE(std::all_of(middle, end, [&](auto unknown) { return blocks_of[unknown] > 1; }));
      for (std::int64_t slot = b * slots; slot < (b + 1) * slots; ++slot)
        for (int n = 0; n < nodes; ++n) {
          const auto local = blocks.local[(slot / lanes * nodes + n) * lanes + slot % lanes];
          if (blocks.cell[slot] < 0)
            EXPECT_EQ(local, blocks.most);
          else
            EXPECT_EQ(*(begin + local), of.numbering.of_node[of.elements.first_node(blocks.cell[slot]) + n]);
        }
    }
  }
}

}  // namespace
}  // namespace swell
