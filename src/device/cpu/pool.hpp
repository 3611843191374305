// SPDX-License-Identifier: Apache-2.0
// Persistent threads that share a range of items; a dispatch costs about a microsecond while they are awake.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace swell {

// A pool serves one caller at a time.
class Pool {
 public:
  // `threads` includes the calling thread.
  explicit Pool(int threads);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  using Work = void (*)(void* context, std::int64_t begin, std::int64_t end);

  // Calls work on contiguous ranges that cover 0 .. items-1 once. Thread t begins with the same share every time, in pieces;
  // one that is done with its own takes pieces of others, so that a thread that other programs keep waiting holds up no more
  // than the piece it is at. `work` must not throw.
  void parallel_for(std::int64_t items, Work work, void* context);
  // `function(begin, end)`.
  template <class Function>
  void parallel_for(std::int64_t items, const Function& function) {
    const auto call = [](void* f, std::int64_t begin, std::int64_t end) {
      (*static_cast<const Function*>(f))(begin, end);
    };
    parallel_for(items, call, const_cast<Function*>(&function));
  }

  // `look` is called by the calling thread while it works, so that it can poll messages.
  void set_meanwhile(std::function<void()> look) { meanwhile_ = std::move(look); }

  int threads() const { return threads_; }

 private:
  // Items that one thread begins with: `left` of `pieces` have not been taken. On cache lines of its own.
  struct alignas(64) Share {
    std::atomic<std::uint32_t> left{0};
    std::uint32_t pieces = 0;
    std::int64_t items = 0, end = 0;
  };

  void hand_out(std::int64_t items);
  void serve(int thread);
  template <class Function>
  void work_on_shares(int thread, const Function& work);
  void work_and_poll(std::int64_t begin, std::int64_t end);

  const int threads_;
  const int spins_;
  Work work_ = nullptr;
  void* context_ = nullptr;
  std::int64_t polled_items_ = 1;  // between two looks
  std::function<void()> meanwhile_;
  std::atomic<bool> stop_{false};
  std::vector<Share> shares_;
  // The counters have cache lines of their own: workers poll the first while others count down the second.
  alignas(64) std::atomic<std::uint32_t> generation_{0};
  alignas(64) std::atomic<std::uint32_t> unfinished_{0};  // pieces
  std::vector<std::thread> workers_;
};

}  // namespace swell
