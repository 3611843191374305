// SPDX-License-Identifier: Apache-2.0
// The integral of each Lagrange polynomial over an element, in the mass that the nodal operator divides by: what it conserves.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "dg/group_data.hpp"

namespace swell {

class NodeWeights {
 public:
  NodeWeights(const Problem& problem, const ReferenceElement& element);
  // `jacobians`: of the cell's map at the nodes.
  void find(const Group& group, std::int64_t cell, const std::vector<double>& jacobians, double* out);

 private:
  // For elements that are integrated at points.
  struct Curved {
    Curved(const Problem& problem, const ReferenceElement& element, const Group& group);
    GroupPoints points;
    Matrix values;  // from nodes to points
    CellMap map;
    bool exact = false;  // the mass has the Jacobian, else it is weight-adjusted
  };
  Vector curved(const Group& group, std::int64_t cell);

  const Problem& problem_;
  const ReferenceElement& element_;
  Vector reference_;                  // on the reference element
  std::optional<NodalMetrics> nodal_;  // where two-point fluxes are between nodes
  Vector lobatto_;
  std::optional<TensorMetrics> tensor_;
  GroupPoints gauss_;
  Matrix to_gauss_;
  std::map<bool, Curved> curved_;  // of simplices, by what their faces are integrated with
};

}  // namespace swell
