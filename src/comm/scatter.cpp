// SPDX-License-Identifier: Apache-2.0
#include "comm/scatter.hpp"

#include <algorithm>

namespace swell {

namespace {

constexpr std::size_t longest_message = std::size_t{1} << 30;  // MPI counts to 2^31

// The first rank's bytes to rank `to`.
void send(std::vector<std::byte>& bytes, int to, Ranks& ranks) {
  auto size = bytes.size();
  ranks.broadcast(std::as_writable_bytes(std::span(&size, 1)), 0);
  if (ranks.rank() == to) bytes.resize(size);
  for (std::size_t at = 0; at < size; at += longest_message) {
    std::vector<Message> sent, expected;
    const auto piece = [&] { return std::span(bytes).subspan(at, std::min(longest_message, size - at)); };
    if (ranks.first()) sent.push_back({to, piece()});
    if (ranks.rank() == to) expected.push_back({0, piece()});
    const auto transfer = ranks.transfer(expected, sent);
    transfer->start();
    transfer->finish();
  }
}

}  // namespace

void broadcast(std::vector<std::byte>& bytes, Ranks& ranks) {
  auto size = bytes.size();
  ranks.broadcast(std::as_writable_bytes(std::span(&size, 1)), 0);
  bytes.resize(size);
  for (std::size_t at = 0; at < size; at += longest_message)
    ranks.broadcast(std::span(bytes).subspan(at, std::min(longest_message, size - at)), 0);
}

std::vector<std::byte> scatter(const std::function<std::vector<std::byte>(int)>& make, Ranks& ranks) {
  std::vector<std::byte> own;
  for (int to = 1; to < ranks.count(); ++to) {
    std::vector<std::byte> bytes;
    if (ranks.first()) bytes = make(to);
    send(bytes, to, ranks);
    if (ranks.rank() == to) own = std::move(bytes);
  }
  if (ranks.first()) own = make(0);
  return own;
}

}  // namespace swell
