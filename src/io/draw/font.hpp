// SPDX-License-Identifier: Apache-2.0
// A small bitmap font for the words and numbers in pictures: printable ASCII, 5 x 7 dots and 2 for descenders.
#pragma once

#include <string>
#include <string_view>

#include "io/draw/png.hpp"

namespace swell {

inline constexpr int glyph_width = 5, glyph_height = 7, glyph_advance = 6;

// Size in pixels of a text whose dots are scale x scale pixels. A byte outside printable ASCII counts as '?', the
// further bytes of a UTF-8 character as nothing.
int text_width(std::string_view text, int scale);
void draw_text(Image& image, int column, int row, std::string_view text, int scale, Colour colour);
// The text, cut and ended with "..." where it is wider than the room.
std::string fitted_text(std::string_view text, int scale, int room);

}  // namespace swell
