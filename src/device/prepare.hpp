// SPDX-License-Identifier: Apache-2.0
// Kernel sources compiled into the cache by several threads at once.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

#include "device/device.hpp"

namespace swell {

// `compile(text, compiles)` for each source; a failure is left to the caller that needs the program, who gets the message.
// Returns the compiler's runs.
template <class Compile>
std::int64_t prepare_at_once(std::span<const ProgramText> texts, const Compile& compile) {
  std::atomic<std::size_t> next = 0;
  std::atomic<std::int64_t> all = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < texts.size(); i = next++) {
      std::int64_t compiles = 0;
      try {
        compile(texts[i], compiles);
      } catch (const std::exception&) {
      }
      all += compiles;
    }
  };
  std::vector<std::thread> others;
  const std::size_t threads = std::min<std::size_t>(texts.size(), std::max(1u, std::thread::hardware_concurrency()));
  for (std::size_t i = 1; i < threads; ++i) others.emplace_back(work);
  work();
  for (std::thread& thread : others) thread.join();
  return all;
}

}  // namespace swell
