// SPDX-License-Identifier: Apache-2.0
#include "app/bench_ranks.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "comm/launch.hpp"
#include "comm/speed.hpp"

namespace swell {

void bench_ranks(bool json) {
  constexpr std::size_t most_bytes = std::size_t{1} << 22;
  Ranks& ranks = world();
  if (ranks.single())
    throw InputError("`swell bench ranks` measures messages: start it with mpirun on two ranks or more.");
  const auto times = message_times(ranks, most_bytes);
  const MessageLine line = fit_line(times);
  const double sum = sum_seconds(ranks);
  if (!ranks.first()) return;
  if (json) {
    nlohmann::ordered_json all{{"ranks", ranks.count()},           {"ranks_on_node", ranks.count_on_node()},
                               {"library", mpi_words()},           {"latency", line.latency},
                               {"bandwidth", line.bandwidth},      {"sum_seconds", sum},
                               {"takes_cuda_memory", ranks.takes_cuda_memory()}, {"messages", nlohmann::ordered_json::array()}};
    for (const MessageTime& time : times) all["messages"].push_back({{"bytes", time.bytes}, {"seconds", time.seconds}});
    fmt::print("{}\n", all.dump(2));
    return;
  }
  fmt::print("{} ranks, {}: latency {:.2f} us, {:.2f} GB/s each way, a sum over all {:.2f} us\n", ranks.count(), mpi_words(),
             1e6 * line.latency, line.bandwidth / 1e9, 1e6 * sum);
  for (const MessageTime& time : times)
    fmt::print("{:>9} bytes {:>10.2f} us {:>8.3f} GB/s\n", time.bytes, 1e6 * time.seconds,
               static_cast<double>(time.bytes) / time.seconds / 1e9);
}

}  // namespace swell
