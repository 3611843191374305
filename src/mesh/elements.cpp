// SPDX-License-Identifier: Apache-2.0
#include "mesh/elements.hpp"

#include <algorithm>

namespace swell {

Elements::Elements(const Mesh& mesh, int order) : order_(order), runs_(mesh.runs()) {
  for (const Shape shape : mesh.shapes()) all_.emplace(shape, ReferenceElement(shape, order));
  std::vector<ShapeRun> own;
  for (const CellBlock& block : mesh.blocks) own.push_back({block.shape, block.count()});
  blocks_ = blocks_of(own);
  whole_ = blocks_of(runs_);
}

std::vector<Elements::Block> Elements::blocks_of(const std::vector<ShapeRun>& runs) const {
  std::vector<Block> blocks;
  std::int64_t cell = 0, node = 0;
  for (const ShapeRun& run : runs) {
    const int nodes = all_.at(run.shape).node_count;
    blocks.push_back({run.shape, cell, cell + run.cells, node, nodes});
    cell += run.cells;
    node += run.cells * nodes;
  }
  return blocks;
}

int Elements::most_nodes() const {
  int most = 0;
  for (const auto& [shape, element] : all_) most = std::max(most, element.node_count);
  return most;
}

std::int64_t Elements::whole_node_count() const {
  std::int64_t count = 0;
  for (const ShapeRun& run : runs_) count += run.cells * all_.at(run.shape).node_count;
  return count;
}

std::map<Shape, Matrix> Elements::nodes() const {
  std::map<Shape, Matrix> result;
  for (const auto& [shape, element] : all_) result.emplace(shape, element.nodes);
  return result;
}

}  // namespace swell
