// SPDX-License-Identifier: Apache-2.0
// The reference elements of the cells of a mesh at one order, and where the nodes of each cell begin in arrays [cell][node].
#pragma once

#include <map>
#include <vector>

#include "element/element.hpp"
#include "mesh/mesh.hpp"

namespace swell {

class Elements {
 public:
  Elements(const Mesh& mesh, int order);

  int order() const { return order_; }
  // Those of the whole mesh, also on ranks whose part has fewer shapes.
  const std::map<Shape, ReferenceElement>& all() const { return all_; }
  bool mixed() const { return all_.size() > 1; }
  // The only one of a mesh of one shape; of a mixed one any of them, equal on every rank.
  const ReferenceElement& first() const { return all_.begin()->second; }
  const ReferenceElement& of(Shape shape) const { return all_.at(shape); }
  const ReferenceElement& of_cell(std::int64_t cell) const { return all_.at(block_of(cell).shape); }

  // Nodes of all cells before this one, which may be the one behind the last.
  std::int64_t first_node(std::int64_t cell) const { return first_node_in(blocks_, cell); }
  // As above for cells of the whole mesh, by their numbers there.
  std::int64_t whole_first_node(std::int64_t number) const { return first_node_in(whole_, number); }
  int whole_node_count(std::int64_t number) const { return block_in(whole_, number).nodes; }
  Shape whole_shape(std::int64_t number) const { return block_in(whole_, number).shape; }
  const std::vector<ShapeRun>& runs() const { return runs_; }  // of the whole mesh
  int node_count(std::int64_t cell) const { return block_of(cell).nodes; }
  int most_nodes() const;
  std::int64_t whole_node_count() const;  // of all cells of the whole mesh
  // Calls visit(cell, element, first node) for all cells in turn.
  template <class Visit>
  void for_cells(const Visit& visit) const {
    for (const Block& block : blocks_) {
      const ReferenceElement& element = all_.at(block.shape);
      for (std::int64_t cell = block.first_cell; cell < block.last_cell; ++cell)
        visit(cell, element, block.first_node + (cell - block.first_cell) * block.nodes);
    }
  }
  std::map<Shape, Matrix> nodes() const;

 private:
  struct Block {
    Shape shape;
    std::int64_t first_cell, last_cell, first_node;
    int nodes;
  };
  static const Block& block_in(const std::vector<Block>& blocks, std::int64_t cell) {
    const Block* block = blocks.data();
    while (cell >= block->last_cell && block != &blocks.back()) ++block;
    return *block;
  }
  static std::int64_t first_node_in(const std::vector<Block>& blocks, std::int64_t cell) {
    const Block& block = block_in(blocks, cell);
    return block.first_node + (cell - block.first_cell) * block.nodes;
  }
  const Block& block_of(std::int64_t cell) const { return block_in(blocks_, cell); }
  std::vector<Block> blocks_of(const std::vector<ShapeRun>& runs) const;

  int order_;
  std::map<Shape, ReferenceElement> all_;
  std::vector<ShapeRun> runs_;
  std::vector<Block> blocks_, whole_;
};

}  // namespace swell
