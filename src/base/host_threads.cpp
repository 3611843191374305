// SPDX-License-Identifier: Apache-2.0
#include "base/host_threads.hpp"

#include <sched.h>

#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

namespace swell {

namespace {

std::atomic<int> threads_set = 0;       // 0: not set
thread_local bool inside_piece = false;  // work that a piece shares out itself is this thread's alone

}  // namespace

int available_processors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int host_threads() {
  const int set = threads_set;
  return set > 0 ? set : available_processors();
}

void set_host_threads(int threads) { threads_set = threads; }

void for_numbers(std::int64_t pieces, void (*work)(void* context, std::int64_t piece), void* context) {
  const auto threads = inside_piece ? 1 : std::min<std::int64_t>(host_threads(), pieces);
  if (threads <= 1) {
    for (std::int64_t piece = 0; piece < pieces; ++piece) work(context, piece);
    return;
  }
  std::atomic<std::int64_t> next = 0;
  std::mutex one_at_a_time;
  std::int64_t failed = pieces;
  std::exception_ptr why;
  const auto run = [&] {
    inside_piece = true;
    for (std::int64_t piece = next++; piece < pieces; piece = next++) try {
        work(context, piece);
      } catch (...) {
        const std::lock_guard lock(one_at_a_time);
        if (piece < failed) failed = piece, why = std::current_exception();
        next = pieces;  // all pieces before this one have been begun
      }
    inside_piece = false;
  };
  {
    std::vector<std::jthread> others;
    try {
      for (std::int64_t t = 1; t < threads; ++t) others.emplace_back(run);
    } catch (const std::system_error&) {
      // The system allows no more threads; those that there are do the work.
    }
    run();
  }
  if (why) std::rethrow_exception(why);
}

}  // namespace swell
