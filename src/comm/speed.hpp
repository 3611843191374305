// SPDX-License-Identifier: Apache-2.0
// The speed of messages between ranks, measured in the way that the exchange sends them.
#pragma once

#include <vector>

#include "comm/ranks.hpp"

namespace swell {

// Two neighbours send each other so many bytes at once, as all pairs of ranks do at the same time.
struct MessageTime {
  std::size_t bytes = 0;
  double seconds = 0;  // until both have them; the best of several rounds, of the pair that takes longest
};

// Times of messages of powers of two up to `most` bytes. The second rank of each pair is the next one; one that is left over
// only takes part in the sums. Collective over all ranks, of which there are at least two.
std::vector<MessageTime> message_times(Ranks& ranks, std::size_t most);

// The line seconds = latency + bytes / bandwidth through the times: relative errors are made small, so that short messages set
// the latency and long ones the bandwidth.
struct MessageLine {
  double latency = 0, bandwidth = 0;  // seconds, bytes a second
};
MessageLine fit_line(const std::vector<MessageTime>& times);

// Seconds of a sum over all ranks that everybody waits for: the watch over a run has one every few steps.
double sum_seconds(Ranks& ranks);

}  // namespace swell
