// SPDX-License-Identifier: Apache-2.0
#include "cg/blocks/chains.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "mesh/sources.hpp"

namespace swell {
namespace {

struct Asked {
  Shape shape;
  std::vector<std::int64_t> cells;
  std::vector<bool> periodic;
};

struct Chained {
  Mesh mesh;
  Numbering numbering;
  CellChains chains;
  int nodes;

  explicit Chained(const Asked& asked) {
    const std::vector<double> low(asked.cells.size(), 0.0), high{1.0, 0.7, 1.3};
    mesh = make_box({low, {high.begin(), high.begin() + static_cast<long>(low.size())}, asked.cells, asked.shape, asked.periodic});
    const Elements elements(mesh, 1);
    nodes = elements.first().node_count;
    numbering = number_nodes(mesh, elements, std::vector<char>(mesh.boundaries.size() + 1, 0));
    std::vector<std::int64_t> order(static_cast<std::size_t>(mesh.cell_count()));
    std::iota(order.begin(), order.end(), 0);
    chains = cell_chains(mesh, elements, numbering, order);
  }
};

// The last one has a period of two cells, around which cells may meet twice.
const Asked boxes[] = {{Shape::triangle, {9, 7}, {}},
                       {Shape::tetrahedron, {5, 4, 6}, {}},
                       {Shape::tetrahedron, {4, 3, 3}, {true, false, true}},
                       {Shape::tetrahedron, {2, 2, 2}, {true, true, true}}};

TEST(Chains, HoldEveryCellOnce) {
  for (const Asked& asked : boxes) {
    const Chained box(asked);
    std::vector<int> seen(static_cast<std::size_t>(box.mesh.cell_count()), 0);
    for (const auto cell : box.chains.cell)
      if (cell >= 0) ++seen[cell];
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), box.mesh.cell_count());
  }
}

TEST(Chains, TurnAroundAnAxis) {
  for (const Asked& asked : boxes) {
    const Chained box(asked);
    for (std::size_t slot = 0; slot < box.chains.cell.size(); ++slot) {
      if (box.chains.cell[slot] < 0) continue;
      std::vector<int> own(box.chains.turn.begin() + static_cast<long>(slot) * box.nodes,
                           box.chains.turn.begin() + static_cast<long>(slot + 1) * box.nodes);
      const auto vertex = [&](std::size_t of, int place) {
        return box.numbering.of_node[box.chains.cell[of] * box.nodes + box.chains.turn[of * box.nodes + place]];
      };
      if (slot % chain_length > 0) {
        for (int n = 0; n < box.nodes - 2; ++n) EXPECT_EQ(vertex(slot, n), vertex(slot - 1, n)) << "the axis";
        EXPECT_EQ(vertex(slot, box.nodes - 2), vertex(slot - 1, box.nodes - 1)) << "the rim";
      }
      std::sort(own.begin(), own.end());
      for (int n = 0; n < box.nodes; ++n) EXPECT_EQ(own[n], n);
    }
  }
}

// Six tetrahedra around the diagonal of a brick make two chains; few at the sides stay without a chain.
TEST(Chains, AreSeldomShorter) {
  const Chained box({Shape::tetrahedron, {8, 8, 8}, {}});
  const auto empty = std::count(box.chains.cell.begin(), box.chains.cell.end(), -1);
  EXPECT_LT(static_cast<double>(empty), 0.05 * static_cast<double>(box.chains.cell.size()));
}

}  // namespace
}  // namespace swell
