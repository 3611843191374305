// SPDX-License-Identifier: Apache-2.0
#include "comm/speed.hpp"

#include <algorithm>
#include <limits>

#include "base/timer.hpp"

namespace swell {

namespace {

constexpr int rounds = 7;
// Long enough for the clock, short enough for a shared machine: a round sends about this much, and at least a few times.
constexpr std::size_t bytes_of_round = std::size_t{1} << 22;
constexpr std::size_t least_times = 4, most_times = 1000;

double best_of(Ranks& ranks, std::size_t times, const auto& once) {
  double best = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds; ++round) {
    ranks.barrier();
    const Stopwatch clock;
    for (std::size_t i = 0; i < times; ++i) once();
    best = std::min(best, clock.seconds() / static_cast<double>(times));
  }
  return best;
}

}  // namespace

std::vector<MessageTime> message_times(Ranks& ranks, std::size_t most) {
  std::vector<MessageTime> all;
  const int other = ranks.rank() ^ 1;
  const bool has_pair = other < ranks.count();
  for (std::size_t bytes = 8; bytes <= most; bytes *= 2) {
    std::vector<std::byte> sent(bytes), expected(bytes);
    std::vector<Message> out, in;
    if (has_pair) out.push_back({other, sent}), in.push_back({other, expected});
    const auto transfer = ranks.transfer(in, out);
    const double best = best_of(ranks, std::clamp(bytes_of_round / bytes, least_times, most_times), [&] {
      transfer->start();
      transfer->finish();
    });
    all.push_back({bytes, ranks.largest(has_pair ? best : 0)});
  }
  return all;
}

MessageLine fit_line(const std::vector<MessageTime>& times) {
  // Least squares of ((a + b n) / t - 1) over all: two equations.
  double one = 0, n1 = 0, n2 = 0, right = 0, right_n = 0;
  for (const MessageTime& time : times) {
    const double w = 1 / time.seconds, n = static_cast<double>(time.bytes);
    one += w * w, n1 += w * w * n, n2 += w * w * n * n, right += w, right_n += w * n;
  }
  const double determinant = one * n2 - n1 * n1;
  return {(right * n2 - right_n * n1) / determinant, determinant / (one * right_n - n1 * right)};
}

double sum_seconds(Ranks& ranks) {
  std::int64_t value = 1;
  return ranks.largest(best_of(ranks, most_times / rounds, [&] { ranks.sum(std::span(&value, 1)); }));
}

}  // namespace swell
