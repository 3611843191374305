// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/pool.hpp"

#include <sched.h>

#include <algorithm>
#include <exception>

namespace swell {
namespace {

// About 15 us of polling before a thread sleeps: longer than the gap between two launches of a step. Where other programs keep
// the processors busy every wait lasts this long, so that it must not be much longer.
constexpr int spins_before_sleep = 300;

// The calling thread cuts its share into so many pieces where something must be polled meanwhile: often enough that a message
// is seen within a small part of the work.
constexpr std::int64_t pieces_of_share = 16;

void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Returns once `value` is no longer `old`.
void wait_for_change(const std::atomic<std::uint32_t>& value, std::uint32_t old, int spins) {
  for (int i = 0; i < spins; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    relax();
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

int available_processors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

Pool::Pool(int threads)
    // With more threads than processors, a polling thread keeps the one it waits for from running.
    : threads_(threads), spins_(threads > available_processors() ? 0 : spins_before_sleep) {
  for (int t = 1; t < threads_; ++t) workers_.emplace_back([this, t] { serve(t); });
}

Pool::~Pool() {
  stop_ = true;
  generation_.fetch_add(1, std::memory_order_release);
  generation_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void Pool::parallel_for(std::int64_t items, Work work, void* context) {
  if (items <= 0) return;
  work_ = work;
  context_ = context;
  items_ = items;
  if (items == 1 || threads_ == 1) return work_on(0, items);
  busy_.store(static_cast<std::uint32_t>(threads_ - 1), std::memory_order_relaxed);
  generation_.fetch_add(1, std::memory_order_release);
  generation_.notify_all();
  std::exception_ptr problem;  // of whoever looks meanwhile: the others still use what the caller owns
  try {
    work_on_share(0);
  } catch (...) {
    problem = std::current_exception();
  }
  for (std::uint32_t left; (left = busy_.load(std::memory_order_acquire)) != 0;) wait_for_change(busy_, left, spins_);
  if (problem) std::rethrow_exception(problem);
}

void Pool::serve(int thread) {
  for (std::uint32_t seen = 0;;) {
    wait_for_change(generation_, seen, spins_);
    ++seen;
    if (stop_) return;
    work_on_share(thread);
    if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
  }
}

void Pool::work_on_share(int thread) {
  // items * thread / threads without overflow: the first `rest` threads get one item more.
  const std::int64_t share = items_ / threads_, rest = items_ % threads_;
  const std::int64_t begin = thread * share + std::min<std::int64_t>(thread, rest);
  const std::int64_t end = begin + share + (thread < rest ? 1 : 0);
  if (begin < end) thread == 0 ? work_on(begin, end) : work_(context_, begin, end);
}

void Pool::work_on(std::int64_t begin, std::int64_t end) {
  if (!meanwhile_) return work_(context_, begin, end);
  const std::int64_t piece = std::max<std::int64_t>(1, (end - begin) / pieces_of_share);
  for (; begin < end; begin += piece) {
    work_(context_, begin, std::min(begin + piece, end));
    meanwhile_();
  }
}

}  // namespace swell
