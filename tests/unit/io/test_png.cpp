// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <zlib.h>

#include <random>

#include "base/error.hpp"
#include "io/draw/png.hpp"
#include "scratch.hpp"

namespace swell {
namespace {

std::uint32_t u32(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = at; i < at + 4; ++i) value = value << 8 | static_cast<std::uint8_t>(bytes.at(i));
  return value;
}

struct Chunk {
  std::string kind, data;
};

// Splits a file into chunks and checks their CRCs.
std::vector<Chunk> chunks_of(const std::string& file) {
  std::vector<Chunk> chunks;
  std::size_t at = 8;
  while (at < file.size()) {
    const std::uint32_t length = u32(file, at);
    const std::string body = file.substr(at + 4, length + 4);
    EXPECT_EQ(crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size())),
              u32(file, at + 8 + length));
    chunks.push_back({body.substr(0, 4), body.substr(4)});
    at += 12 + length;
  }
  return chunks;
}

// A reader by the standard, for 8-bit RGB without interlacing and with the filters "None" and "Sub".
Image decoded(const std::string& file) {
  EXPECT_EQ(file.substr(0, 8), "\x89PNG\r\n\x1a\n");
  const std::vector<Chunk> chunks = chunks_of(file);
  EXPECT_EQ(chunks.front().kind, "IHDR");
  EXPECT_EQ(chunks.back().kind, "IEND");
  const std::string& head = chunks.front().data;
  EXPECT_EQ(head.substr(8), std::string("\x08\x02\x00\x00\x00", 5));
  Image image(static_cast<int>(u32(head, 0)), static_cast<int>(u32(head, 4)));
  const std::size_t row_bytes = std::size_t{3} * image.width;
  std::vector<std::uint8_t> raw((row_bytes + 1) * image.height);
  uLongf size = raw.size();
  EXPECT_EQ(
      uncompress(raw.data(), &size, reinterpret_cast<const Bytef*>(chunks.at(1).data.data()), chunks.at(1).data.size()),
      Z_OK);
  EXPECT_EQ(size, raw.size());
  for (int row = 0; row < image.height; ++row) {
    const std::uint8_t* line = &raw[row * (row_bytes + 1)];
    EXPECT_LE(line[0], 1);
    for (std::size_t i = 0; i < row_bytes; ++i) {
      const std::uint8_t left = line[0] == 1 && i >= 3 ? image.rgb[row * row_bytes + i - 3] : 0;
      image.rgb[row * row_bytes + i] = static_cast<std::uint8_t>(line[1 + i] + left);
    }
  }
  return image;
}

TEST(Png, DecodesToTheSamePixels) {
  Scratch scratch;
  std::mt19937 random(3);
  for (auto [width, height] : {std::array{1, 1}, std::array{17, 5}, std::array{300, 200}}) {
    Image image(width, height);
    for (std::uint8_t& byte : image.rgb) byte = static_cast<std::uint8_t>(random());
    write_png(scratch / "a.png", image);
    const Image read = decoded(text_of(scratch / "a.png"));
    EXPECT_EQ(read.width, width);
    EXPECT_EQ(read.height, height);
    EXPECT_EQ(read.rgb, image.rgb);
  }
}

TEST(Png, NamesTheFileThatCannotBeWritten) {
  Scratch scratch;
  const std::string message = message_of<RunError>([&] { write_png(scratch / "none/a.png", Image(2, 2)); });
  EXPECT_NE(message.find("none/a.png"), std::string::npos) << message;
}

TEST(Image, IgnoresPixelsOutside) {
  Image image(2, 2, {1, 2, 3});
  image.fill(-5, -5, 20, 6, {9, 9, 9});
  EXPECT_EQ(image.at(0, 0), (Colour{9, 9, 9}));
  EXPECT_EQ(image.at(1, 0), (Colour{9, 9, 9}));
  EXPECT_EQ(image.at(0, 1), (Colour{1, 2, 3}));
}

}  // namespace
}  // namespace swell
