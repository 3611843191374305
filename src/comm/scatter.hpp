// SPDX-License-Identifier: Apache-2.0
// Bytes that the first rank sends to the others: equal for all, or different for each.
#pragma once

#include <functional>
#include <vector>

#include "base/bytes.hpp"
#include "comm/ranks.hpp"

namespace swell {

// Sends the first rank's bytes to all ranks, whatever their number.
void broadcast(std::vector<std::byte>& bytes, Ranks& ranks);

// The first rank's values, on all ranks.
template <class... Values>
void share(Ranks& ranks, Values&... values) {
  ByteWriter writer;
  (writer.add(values), ...);
  auto bytes = writer.take();
  broadcast(bytes, ranks);
  ByteReader reader(bytes);
  (reader.get(values), ...);
}

// Returns make(rank) of this rank. It is called on the first rank, for one rank after the other, so that only the bytes of one
// are held at a time.
std::vector<std::byte> scatter(const std::function<std::vector<std::byte>(int)>& make, Ranks& ranks);

}  // namespace swell
