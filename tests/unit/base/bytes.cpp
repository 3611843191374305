// SPDX-License-Identifier: Apache-2.0
#include "base/bytes.hpp"

#include <gtest/gtest.h>

#include <array>

namespace swell {
namespace {

struct Kept {
  int number = 7;
  std::string words = "two words";
  std::vector<double> values{1.5, -2, 3};
  std::vector<std::string> names{"", "glass", "air"};
  std::vector<std::array<int, 2>> none;
};

void for_all(auto& kept, const auto& each) {
  each(kept.number);
  each(kept.words);
  each(kept.values);
  each(kept.names);
  each(kept.none);
}

TEST(Bytes, AreAsManyAsCountedAndReadBack) {
  const Kept kept;
  ByteCounter counter;
  for_all(kept, [&](const auto& member) { counter.add(member); });
  ByteWriter writer(counter.count());
  for_all(kept, [&](const auto& member) { writer.add(member); });
  const auto bytes = writer.take();
  EXPECT_EQ(bytes.size(), counter.count());
  EXPECT_EQ(bytes.capacity(), counter.count()) << "it had to grow";
  Kept read{0, "", {}, {}, {{1, 2}}};
  ByteReader reader(bytes);
  for_all(read, [&](auto& member) { reader.get(member); });
  EXPECT_EQ(read.number, kept.number);
  EXPECT_EQ(read.words, kept.words);
  EXPECT_EQ(read.values, kept.values);
  EXPECT_EQ(read.names, kept.names);
  EXPECT_EQ(read.none, kept.none);
}

}  // namespace
}  // namespace swell
