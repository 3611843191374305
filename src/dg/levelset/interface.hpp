// SPDX-License-Identifier: Apache-2.0
// Measures of a level set's interface, where G = 1/2: the enclosed measure, its size, its deviation, normals, curvature.
#pragma once

#include "base/expression.hpp"
#include "dg/levelset/operator.hpp"

namespace swell {

struct InterfaceMeasures {
  double enclosed = 0;   // area (2D) or volume (3D) where G > 1/2
  double surface = 0;    // length (2D) or area (3D) of the interface
  double misplaced = 0;  // area or volume where G and the exact G lie on different sides of 1/2; 0 without an exact one
  double exact = 0;      // what the exact G encloses
};

// Cells are cut into small simplices on which G is taken for linear; `exact` may be nullptr.
InterfaceMeasures measure_interface(const LevelSetOperator& dg, const Buffer& state, const Expression* exact, double t);
// Measures an interface from nodal values of any origin; `read` calls its argument once for each cell of this rank.
using InterfaceReader = std::function<void(const std::function<void(std::int64_t cell, const double* nodal)>&)>;
InterfaceMeasures measure_interface(const Mesh& mesh, const ReferenceElement& element, const InterfaceReader& read, Ranks& ranks,
                                    const Expression* exact, double t);

// At the nodes of all cells, [cell][node]: the components of the normal grad G / |grad G|, which points to where G is larger,
// then the curvature, minus its divergence: positive for a drop with G = 1 inside.
std::vector<std::vector<double>> normals_and_curvature(const LevelSetOperator& dg, const Buffer& state);

}  // namespace swell
