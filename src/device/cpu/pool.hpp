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

  // Calls work on contiguous ranges that cover 0 .. items-1 once: thread t always gets the same one. `work` must not
  // throw.
  void parallel_for(std::int64_t items, Work work, void* context);
  // `function(begin, end)`.
  template <class Function>
  void parallel_for(std::int64_t items, const Function& function) {
    const auto call = [](void* f, std::int64_t begin, std::int64_t end) {
      (*static_cast<const Function*>(f))(begin, end);
    };
    parallel_for(items, call, const_cast<Function*>(&function));
  }

  // `look` is called by the calling thread between pieces of its share, so that it can poll messages.
  void set_meanwhile(std::function<void()> look) { meanwhile_ = std::move(look); }

  int threads() const { return threads_; }

 private:
  void serve(int thread);
  void work_on_share(int thread);
  void work_on(std::int64_t begin, std::int64_t end);

  const int threads_;
  const int spins_;
  Work work_ = nullptr;
  void* context_ = nullptr;
  std::int64_t items_ = 0;
  std::function<void()> meanwhile_;
  bool stop_ = false;
  // The counters have cache lines of their own: workers poll the first while others count down the second.
  alignas(64) std::atomic<std::uint32_t> generation_{0};
  alignas(64) std::atomic<std::uint32_t> busy_{0};
  std::vector<std::thread> workers_;
};

// The processors that this process may run on.
int available_processors();

}  // namespace swell
