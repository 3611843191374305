// SPDX-License-Identifier: Apache-2.0
#include "io/draw/png.hpp"

#include <zlib.h>

#include <algorithm>
#include <string_view>

#include "base/error.hpp"
#include "io/files.hpp"

namespace swell {

Image::Image(int w, int h, Colour background) : width(w), height(h), rgb(std::size_t{3} * w * h) {
  fill(0, 0, w, h, background);
}

void Image::set(int column, int row, Colour colour) {
  if (column < 0 || row < 0 || column >= width || row >= height) return;
  std::copy(colour.begin(), colour.end(), &rgb[3 * (static_cast<std::size_t>(row) * width + column)]);
}

Colour Image::at(int column, int row) const {
  const std::uint8_t* p = &rgb[3 * (static_cast<std::size_t>(row) * width + column)];
  return {p[0], p[1], p[2]};
}

void Image::fill(int column, int row, int columns, int rows, Colour colour) {
  for (int j = row; j < row + rows; ++j)
    for (int i = column; i < column + columns; ++i) set(i, j, colour);
}

namespace {

using Bytes = std::vector<std::uint8_t>;

void put_u32(Bytes& bytes, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::uint8_t>(value >> shift));
}

// Length, kind, data and the CRC of kind and data (section 5.3 of the standard).
void write_chunk(OutputFile& file, std::string_view kind, const Bytes& data) {
  Bytes head, tail;
  put_u32(head, static_cast<std::uint32_t>(data.size()));
  head.insert(head.end(), kind.begin(), kind.end());
  uLong crc = crc32(0, head.data() + 4, 4);
  if (!data.empty()) crc = crc32(crc, data.data(), static_cast<uInt>(data.size()));
  put_u32(tail, static_cast<std::uint32_t>(crc));
  file.write(head.data(), head.size());
  file.write(data.data(), data.size());
  file.write(tail.data(), tail.size());
}

Bytes header(const Image& image) {
  Bytes data;
  put_u32(data, static_cast<std::uint32_t>(image.width));
  put_u32(data, static_cast<std::uint32_t>(image.height));
  // 8 bits a sample, colour type 2 (RGB), deflate, adaptive filtering, not interlaced.
  data.insert(data.end(), {8, 2, 0, 0, 0});
  return data;
}

// Each row begins with its filter; 1 ("Sub") stores differences to the pixel on the left, which smooth pictures like.
Bytes filtered(const Image& image) {
  Bytes data;
  const std::size_t row_bytes = std::size_t{3} * image.width;
  data.reserve((row_bytes + 1) * image.height);
  for (int row = 0; row < image.height; ++row) {
    const std::uint8_t* p = &image.rgb[row * row_bytes];
    data.push_back(1);
    for (std::size_t i = 0; i < row_bytes; ++i)
      data.push_back(static_cast<std::uint8_t>(p[i] - (i < 3 ? 0 : p[i - 3])));
  }
  return data;
}

Bytes compressed(const Bytes& data) {
  uLongf size = compressBound(data.size());
  Bytes result(size);
  if (compress2(result.data(), &size, data.data(), data.size(), Z_DEFAULT_COMPRESSION) != Z_OK)
    throw RunError("zlib could not compress an image of {} bytes: out of memory.", data.size());
  result.resize(size);
  return result;
}

}  // namespace

void write_png(const std::filesystem::path& path, const Image& image) {
  atomic_write(path, [&](OutputFile& file) {
    const std::uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    file.write(signature, sizeof signature);
    write_chunk(file, "IHDR", header(image));
    write_chunk(file, "IDAT", compressed(filtered(image)));
    write_chunk(file, "IEND", {});
  });
}

}  // namespace swell
