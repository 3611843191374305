// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/pool.hpp"

#include <algorithm>
#include <exception>

#include "base/host_threads.hpp"

namespace swell {
namespace {

// About 15 us of polling before a thread sleeps: longer than the gap between two launches of a step. Where other programs keep
// the processors busy every wait lasts this long, so that it must not be much longer.
constexpr int spins_before_sleep = 300;

// A thread takes its share in so many pieces at most, each half of what is left of it, so that the last ones are small; a share
// of fewer items than this has one piece.
constexpr std::uint32_t most_pieces = 3;
constexpr std::int64_t items_worth_a_piece = 16;

// The calling thread cuts its share into so many pieces where something must be polled meanwhile: often enough that a message
// is seen within a small part of the work.
constexpr std::int64_t polls_of_share = 16;

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

Pool::Pool(int threads)
    // With more threads than processors, a polling thread keeps the one it waits for from running.
    : threads_(threads), spins_(threads > available_processors() ? 0 : spins_before_sleep),
      shares_(static_cast<std::size_t>(threads)) {
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
  polled_items_ = std::max<std::int64_t>(1, items / threads_ / polls_of_share);
  if (items == 1 || threads_ == 1) return work_and_poll(0, items);
  hand_out(items);
  std::exception_ptr problem;  // of whoever looks meanwhile: the others still use what the caller owns
  work_on_shares(0, [&](std::int64_t begin, std::int64_t end) {
    if (problem) return work_(context_, begin, end);
    try {
      work_and_poll(begin, end);
    } catch (...) {
      problem = std::current_exception();
    }
  });
  // A worker that never woke up has nothing left to do and is not waited for.
  for (std::uint32_t left; (left = unfinished_.load(std::memory_order_acquire)) != 0;)
    wait_for_change(unfinished_, left, spins_);
  if (problem) std::rethrow_exception(problem);
}

void Pool::hand_out(std::int64_t items) {
  std::uint32_t pieces = 0;
  for (int t = 0; t < threads_; ++t) {
    // items * t / threads without overflow: the first `rest` threads get one item more.
    const std::int64_t each = items / threads_, rest = items % threads_;
    Share& share = shares_[static_cast<std::size_t>(t)];
    share.items = each + (t < rest ? 1 : 0);
    share.end = t * each + std::min<std::int64_t>(t, rest) + share.items;
    share.pieces = share.items > 0 ? 1 : 0;
    while (share.pieces < most_pieces && share.items >> share.pieces >= items_worth_a_piece) ++share.pieces;
    pieces += share.pieces;
  }
  unfinished_.store(pieces, std::memory_order_relaxed);
  // From here on a worker may begin, also one that is still looking for work of the dispatch before.
  for (Share& share : shares_) share.left.store(share.pieces, std::memory_order_release);
  generation_.fetch_add(1, std::memory_order_release);
  generation_.notify_all();
}

void Pool::serve(int thread) {
  for (std::uint32_t seen = 0;;) {
    wait_for_change(generation_, seen, spins_);
    seen = generation_.load(std::memory_order_acquire);
    if (stop_) return;
    work_on_shares(thread, [this](std::int64_t begin, std::int64_t end) { work_(context_, begin, end); });
  }
}

template <class Function>
void Pool::work_on_shares(int thread, const Function& work) {
  std::uint32_t done = 0;
  for (int i = 0; i < threads_; ++i) {
    Share& share = shares_[static_cast<std::size_t>((thread + i) % threads_)];
    for (std::uint32_t left = share.left.load(std::memory_order_acquire); left != 0;) {
      if (!share.left.compare_exchange_weak(left, left - 1, std::memory_order_acquire)) continue;
      // The piece is this thread's, and nothing of the dispatch changes before it is done.
      const std::uint32_t piece = share.pieces - left;
      const bool last = left == 1;
      work(share.end - (share.items >> piece), last ? share.end : share.end - (share.items >> (piece + 1)));
      ++done;
      left = share.left.load(std::memory_order_acquire);
    }
  }
  // One report for all pieces: the caller waits for it, so that no other dispatch begins before.
  if (done > 0 && unfinished_.fetch_sub(done, std::memory_order_acq_rel) == done) unfinished_.notify_one();
}

void Pool::work_and_poll(std::int64_t begin, std::int64_t end) {
  if (!meanwhile_) return work_(context_, begin, end);
  for (; begin < end; begin += polled_items_) {
    work_(context_, begin, std::min(begin + polled_items_, end));
    meanwhile_();
  }
}

}  // namespace swell
