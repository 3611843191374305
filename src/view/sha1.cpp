// SPDX-License-Identifier: Apache-2.0
#include "view/sha1.hpp"

#include <array>
#include <bit>
#include <cstdint>

namespace swell {

namespace {

constexpr std::size_t block_bytes = 64;

void mix(std::array<std::uint32_t, 5>& hash, std::string_view block) {
  std::array<std::uint32_t, 80> word{};
  for (std::size_t i = 0; i < block_bytes; ++i) word[i / 4] = word[i / 4] << 8 | static_cast<std::uint8_t>(block[i]);
  for (std::size_t i = 16; i < word.size(); ++i)
    word[i] = std::rotl(word[i - 3] ^ word[i - 8] ^ word[i - 14] ^ word[i - 16], 1);
  auto [a, b, c, d, e] = hash;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const std::uint32_t f = i < 20   ? (b & c) | (~b & d)
                            : i < 40 ? b ^ c ^ d
                            : i < 60 ? (b & c) | (b & d) | (c & d)
                                     : b ^ c ^ d;
    constexpr std::array<std::uint32_t, 4> constants{0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
    const std::uint32_t next = std::rotl(a, 5) + f + e + constants[i / 20] + word[i];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  hash = {hash[0] + a, hash[1] + b, hash[2] + c, hash[3] + d, hash[4] + e};
}

}  // namespace

std::string sha1(std::string_view bytes) {
  std::string padded(bytes);
  padded += static_cast<char>(0x80);
  while (padded.size() % block_bytes != block_bytes - 8) padded += '\0';
  const std::uint64_t bits = 8 * static_cast<std::uint64_t>(bytes.size());
  for (int i = 7; i >= 0; --i) padded += static_cast<char>(bits >> 8 * i & 0xff);
  std::array<std::uint32_t, 5> hash{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  for (std::size_t i = 0; i < padded.size(); i += block_bytes)
    mix(hash, std::string_view(padded).substr(i, block_bytes));
  std::string result;
  for (const std::uint32_t word : hash)
    for (int i = 3; i >= 0; --i) result += static_cast<char>(word >> 8 * i & 0xff);
  return result;
}

}  // namespace swell
