// SPDX-License-Identifier: Apache-2.0
// Kernel source for one problem: constants and tables, the model, the case's own expressions, then the kernels. It is kept on
// disk beside what it compiles to, so it is written to be read.
#pragma once

#include <string>

#include "dg/group_data.hpp"

namespace swell {

// Names the operation on a group, without its variant: the key of the tuner.
std::string operator_name(const Problem& problem, const ReferenceElement& element, const Group& group);
// The operator on one group: kernels stage, rate, energy.
ProgramText operator_text(const Problem& problem, const ReferenceElement& element, const Layout& layout,
                          const Group& group, const Variant& variant, const GroupPoints& points, const GroupData& data,
                          const FluxCover& cover, const AdjustedMass& adjusted);
// All other kernels, without vectors.
ProgramText pointwise_text(const Problem& problem, const ReferenceElement& element, const Layout& layout);

// The flow through faces of the boundary: kernel flows.
ProgramText flows_text(const Problem& problem, const ReferenceElement& element, const Layout& layout);

// Kernels limit, where the page says what is admissible, and smooth. With `entropy` limit() keeps shocks in hand. `extra`: points
// besides the nodes, [point][node]; material as in measures_text().
ProgramText limiter_text(const Problem& problem, const ReferenceElement& element, const Layout& layout, int face_points, bool entropy,
                         const Matrix& extra, int material_rows, bool material_in_time);

// The page's own measures of states: kernels rates, largest, and where the page has them conditions and quantities. Materials
// have so many rows for each element.
ProgramText measures_text(const Problem& problem, const ReferenceElement& element, const Layout& layout, int material_rows,
                          bool material_in_time);

}  // namespace swell
