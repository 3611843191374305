// SPDX-License-Identifier: Apache-2.0
// Sheets: named faces inside the domain that become boundaries for both of their sides.
#pragma once

#include "mesh/mesh.hpp"

namespace swell {

// Cuts the mesh open along the inner faces of the boundaries that are chosen[boundary]: the two cells of such a face are no
// longer neighbours, and each has a face of that boundary. A vertex between them becomes as many points as the cells around it
// fall into pieces that meet across faces, so that continuous unknowns are split with it; at the rim of a sheet, where one can
// walk around it from cell to cell, there is one piece, and the point stays one. Geometry nodes other than vertices stay
// shared. The faces move from mesh.inner_faces to mesh.sheets.
void cut_sheets(Mesh& mesh, const std::vector<char>& chosen);

// Throws InputError where a vertex lies on a face without a name that it is no vertex of: a hanging node, at which cells of
// different size meet, so that faces inside the domain would pass for its boundary.
void check_hanging_nodes(const Mesh& mesh);

}  // namespace swell
