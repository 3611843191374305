// SPDX-License-Identifier: Apache-2.0
// A field on the boundary of a mesh in space, as seen from afar: azimuth -55 and elevation 25 degrees, without perspective.
#pragma once

#include <vector>

#include "io/draw/raster.hpp"
#include "sim/outputs/field_series.hpp"

namespace swell {

// values: [cell][lattice point]; the picture's coordinates are lengths across and upwards. With `mesh` the edges of faces that
// are seen.
Picture surface_picture(const FieldSeries& series, const std::vector<float>& values, int width, bool mesh);

}  // namespace swell
