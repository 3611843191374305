// SPDX-License-Identifier: Apache-2.0
#include "sim/rank_device.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <vector>

#include "base/host_threads.hpp"
#include "device/cuda/cuda.hpp"
#include "device/opencl/opencl.hpp"

namespace swell {

namespace {

// A launcher may have given each rank processors of its own, or all of them the same: those with the same set share it. The
// sets of all ranks are told to the first, which answers how many have each.
int shared_processors(Ranks& ranks) {
  cpu_set_t mine;
  CPU_ZERO(&mine);
  sched_getaffinity(0, sizeof mine, &mine);
  // A set is identified by a number that two different sets of one machine do not share: ranks of one machine are told apart by
  // their place in it.
  std::vector<double> set{static_cast<double>(ranks.rank() - ranks.rank_on_node())};
  for (int processor = 0; processor < CPU_SETSIZE; ++processor)
    if (CPU_ISSET(processor, &mine)) set.push_back(processor);
  const auto all = ranks.gather(set);
  std::vector<double> sharers(static_cast<std::size_t>(ranks.count()), 1);
  for (std::size_t i = 0; i < all.size(); ++i) sharers[i] = static_cast<double>(std::count(all.begin(), all.end(), all[i]));
  ranks.broadcast(std::as_writable_bytes(std::span(sharers)), 0);
  const int share = static_cast<int>(sharers[static_cast<std::size_t>(ranks.rank())]);
  return std::max(1, available_processors() / share);
}

std::string processors_of_rank(Ranks& ranks) { return fmt::format("cpu:{}", shared_processors(ranks)); }

}  // namespace

std::string device_of_rank(const std::string& asked, Ranks& ranks) {
  if (ranks.single()) return asked;
  if (asked == "cpu") return processors_of_rank(ranks);
  if (asked != "auto" && asked != "cuda" && asked != "opencl") return asked;
  std::vector<DeviceChoice> choices = asked == "opencl" ? opencl_choices() : cuda_choices();
  std::erase_if(choices, [](const DeviceChoice& choice) { return !choice.usable; });
  const bool everywhere = ranks.all(!choices.empty());  // so that all ranks take the same way
  if (everywhere) return choices[static_cast<std::size_t>(ranks.rank_on_node()) % choices.size()].name;
  return asked == "auto" ? processors_of_rank(ranks) : asked;
}

int host_threads_of_rank(const Device& device, Ranks& ranks) {
  if (!device.info().simt) return device.info().threads;
  return ranks.single() ? available_processors() : shared_processors(ranks);
}

}  // namespace swell
