// SPDX-License-Identifier: Apache-2.0
#include "cg/blocks/chains.hpp"

#include <algorithm>
#include <array>

namespace swell {

namespace {

constexpr int most_nodes = 4;

struct Chain {
  std::array<std::int64_t, chain_length> cell{-1, -1, -1};
  int length = 0;
};

// The vertices of a chain in their places.
struct Places {
  std::array<std::int32_t, 2 * (most_nodes + chain_length)> vertex{};
  int count = 0;
  void add(std::int32_t v) { vertex[count++] = v; }
};

class Chainer {
 public:
  // Cells of other shapes are never free.
  Chainer(const Mesh& mesh, const Elements& elements, const Numbering& numbering, const std::vector<std::int64_t>& cells)
      : mesh_(mesh), elements_(elements), numbering_(numbering), nodes_(mesh.dim + 1), free_(static_cast<std::size_t>(mesh.cell_count()), 0) {
    for (const std::int64_t cell : cells) free_[cell] = 1;
  }

  void add(std::int64_t seed, CellChains& chains) {
    if (!free_[seed]) return;
    free_[seed] = 0;
    Chain chain{{seed, -1, -1}, 1};
    while (chain.length < chain_length && grow(chain)) {
    }
    const Places places = as_fan(places_of(chain));
    for (int t = 0; t < chain_length; ++t) {
      chains.cell.push_back(chain.cell[t]);
      for (int n = 0; n < nodes_; ++n) {
        int own = n;
        for (int v = 0; t < chain.length && v < nodes_; ++v)
          if (unknown(chain.cell[t], v) == places.vertex[n < nodes_ - 2 ? n : n + t]) own = v;
        chains.turn.push_back(static_cast<std::uint8_t>(own));
      }
    }
  }

 private:
  struct Candidate {
    std::int64_t cell = -1;
    int free_beside = most_nodes + 1;
  };

  std::int32_t unknown(std::int64_t cell, int node) const { return numbering_.of_node[elements_.first_node(cell) + node]; }
  bool holds(std::int64_t cell, std::int32_t vertex) const {
    for (int n = 0; n < nodes_; ++n)
      if (unknown(cell, n) == vertex) return true;
    return false;
  }
  // Cells of other ranks have numbers behind the last one.
  bool is_free(std::int64_t cell) const { return cell >= 0 && cell < mesh_.cell_count() && free_[cell]; }

  // The free neighbour with the fewest free neighbours of its own, which might otherwise stay without a chain.
  Candidate beside(std::int64_t cell) const {
    Candidate best;
    for (int f = 0; f < nodes_; ++f) {
      const auto next = mesh_.neighbour(cell, f).cell;
      if (!is_free(next)) continue;
      int count = 0;
      for (int g = 0; g < nodes_; ++g) count += is_free(mesh_.neighbour(next, g).cell);
      if (count < best.free_beside) best = {next, count};
    }
    return best;
  }

  bool grow(Chain& chain) {
    const Candidate front = beside(chain.cell[0]), back = beside(chain.cell[chain.length - 1]);
    const bool in_front = front.free_beside < back.free_beside;
    const std::int64_t next = in_front ? front.cell : back.cell;
    if (next < 0) return false;
    Chain longer = chain;
    if (in_front)
      for (int t = chain.length; t > 0; --t) longer.cell[t] = longer.cell[t - 1];
    longer.cell[in_front ? 0 : chain.length] = next;
    ++longer.length;
    if (!is_chain(longer)) return false;
    free_[next] = 0;
    chain = longer;
    return true;
  }

  // The order: first the vertex that the second cell does not have, then that which the third does not have, those that all
  // have, and those that each one adds.
  Places places_of(const Chain& chain) const {
    Places places;
    const auto rank = [&](std::int32_t vertex) {
      for (int t = 1; t < chain.length; ++t)
        if (!holds(chain.cell[t], vertex)) return t;
      return chain.length;
    };
    for (int t = 1; t <= chain.length; ++t)
      for (int n = 0; n < nodes_; ++n)
        if (const auto vertex = unknown(chain.cell[0], n); rank(vertex) == t) places.add(vertex);
    for (int t = 1; t < chain.length; ++t)
      for (int n = 0; n < nodes_; ++n)
        if (const auto vertex = unknown(chain.cell[t], n); !holds(chain.cell[t - 1], vertex)) places.add(vertex);
    return places;
  }

  // Cell t has the vertices t .. t + nodes - 1 of (a, b, c, d, e, f): c and d are in all three, and first now.
  Places as_fan(const Places& row) const {
    Places fan;
    for (int n = 2; n < nodes_; ++n) fan.add(row.vertex[n]);
    fan.add(row.vertex[0]), fan.add(row.vertex[1]);
    for (int n = nodes_; n < row.count; ++n) fan.add(row.vertex[n]);
    return fan;
  }

  // Around a short period cells may share more, or other than one side with the next.
  bool is_chain(const Chain& chain) const {
    const Places places = places_of(chain);
    if (places.count != nodes_ + chain.length - 1) return false;
    for (int t = 0; t < chain.length; ++t)
      for (int n = 0; n < nodes_; ++n) {
        const auto* first = places.vertex.data() + t;
        if (std::count(first, first + nodes_, unknown(chain.cell[t], n)) != 1) return false;
      }
    return true;
  }

  const Mesh& mesh_;
  const Elements& elements_;
  const Numbering& numbering_;
  const int nodes_;
  std::vector<char> free_;
};

}  // namespace

CellChains cell_chains(const Mesh& mesh, const Elements& elements, const Numbering& numbering, const std::vector<std::int64_t>& order) {
  CellChains chains;
  chains.cell.reserve(order.size() + order.size() / 8);
  chains.turn.reserve(chains.cell.capacity() * (mesh.dim + 1));
  Chainer chainer(mesh, elements, numbering, order);
  for (const std::int64_t cell : order) chainer.add(cell, chains);
  return chains;
}

}  // namespace swell
