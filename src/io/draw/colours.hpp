// SPDX-License-Identifier: Apache-2.0
// Colour maps whose steps look even, made from a few points in the OKLab colour space.
#pragma once

#include "io/draw/png.hpp"

namespace swell {

enum class ColourMap { automatic, diverging, sequential };  // automatic: diverging where values have both signs

Colour colour_of(ColourMap map, double t);  // t in [0,1]; automatic counts as sequential

}  // namespace swell
