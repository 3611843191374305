// SPDX-License-Identifier: Apache-2.0
// The processes that share a run, called ranks: their number, collective operations, and messages between neighbours. Only this
// room sees MPI; a single rank has a twin without it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace swell {

// Bytes of this process that go to, or come from, another rank.
struct Message {
  int rank = 0;
  std::span<std::byte> bytes;
};

// Messages whose places stay, sent again and again. Between start() and finish() the bytes belong to the transfer.
class Transfer {
 public:
  virtual ~Transfer() = default;
  virtual void start() = 0;
  virtual bool test() = 0;    // all is done, and need not be waited for; lets the messages go on
  virtual void finish() = 0;  // waits
};

// Everything but rank() and count() is collective: all ranks call it, in the same order.
class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual int rank() const = 0;
  virtual int count() const = 0;
  bool first() const { return rank() == 0; }
  bool single() const { return count() == 1; }

  // This rank among those of the same machine.
  virtual int rank_on_node() const = 0;
  virtual int count_on_node() const = 0;

  virtual void barrier() = 0;
  virtual void broadcast(std::span<std::byte> bytes, int from) = 0;
  // Each entry becomes its sum, its largest, its smallest over all ranks: the same bits on every rank and in every order.
  virtual void sum(std::span<std::int64_t> values) = 0;
  virtual void largest(std::span<double> values) = 0;
  virtual void smallest(std::span<double> values) = 0;
  // On the first rank the values of each rank; nothing elsewhere. Lengths may differ.
  virtual std::vector<std::vector<double>> gather(std::span<const double> values) = 0;
  // Rank `a` expects from `b` what `b` sends to `a`: at most one message each way between two ranks.
  virtual std::unique_ptr<Transfer> transfer(std::span<const Message> expected, std::span<const Message> sent) = 0;
  // Messages may lie in the memory of a CUDA device.
  virtual bool takes_cuda_memory() const = 0;
  // The ranks that name the same colour, in their order, as ranks of their own.
  virtual std::unique_ptr<Ranks> split(int colour) = 0;

  // Ends all ranks with this exit code, at once and without their help. Does not return.
  [[noreturn]] virtual void abort(int code) = 0;

  double largest(double value) {
    largest(std::span(&value, 1));
    return value;
  }
  bool any(bool value) { return largest(value ? 1.0 : 0.0) > 0; }
  bool all(bool value) { return !any(!value); }
};

// The single rank of a process without others.
Ranks& lone_rank();

}  // namespace swell
