// SPDX-License-Identifier: Apache-2.0
// Colour images and their PNG files (W3C Portable Network Graphics, second edition: 8-bit RGB, one zlib stream).
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace swell {

using Colour = std::array<std::uint8_t, 3>;

struct Image {
  Image() = default;
  Image(int w, int h, Colour fill = {255, 255, 255});
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  // [row from the top][column][3]

  void set(int column, int row, Colour colour);  // points outside the image are ignored
  Colour at(int column, int row) const;
  void fill(int column, int row, int columns, int rows, Colour colour);
};

void write_png(const std::filesystem::path& path, const Image& image);

}  // namespace swell
