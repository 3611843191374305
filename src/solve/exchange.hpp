// SPDX-License-Identifier: Apache-2.0
// The exchange with other ranks: the rows that they need of this rank's arrays are packed on the device and sent, and received
// rows are put where kernels read them. There is one message for each neighbour and exchange, from the device's memory where
// the MPI library supports that, else through the host's.
#pragma once

#include <memory>
#include <vector>

#include "base/timer.hpp"
#include "comm/ranks.hpp"
#include "device/device.hpp"

namespace swell {

// Rows of an array on the device, by the place of their first value, in an order that both ranks know.
struct HaloRows {
  int rank = 0;
  std::vector<std::int64_t> sent, expected;
};

// Counts and times of the exchanges so far, on this rank.
struct HaloTimes {
  std::int64_t exchanges = 0, messages = 0, bytes = 0;  // sent
  double packing = 0;  // on the device and to the host, before the messages leave
  double flying = 0;   // from then until all that was expected was seen to be here
  double waiting = 0;  // of that, with nothing else to do, neither for the host nor for the device
  double hidden() const { return flying > 0 ? 1 - waiting / flying : 0; }
};

class HaloExchange {
 public:
  // Exchanges rows of `width` values, `stride` apart. Its times are those of `counted_in` too, which must outlive it.
  HaloExchange(Device& device, Precision precision, Ranks& ranks, const std::vector<HaloRows>& rows, std::int64_t width,
               std::int64_t stride = 1, HaloExchange* counted_in = nullptr);
  ~HaloExchange();
  HaloExchange(const HaloExchange&) = delete;
  HaloExchange& operator=(const HaloExchange&) = delete;

  // Between the two the caller launches kernels that do not need the other ranks. Where launches are asynchronous the messages
  // leave in finish(), behind those launches, so that the device has work while the host waits for the packed rows.
  void start(Buffer& array);
  void finish(Buffer& array);  // waits for the other ranks; queues the unpacking
  const HaloTimes& times() const { return times_; }
  bool direct() const { return direct_; }  // messages lie in the device's own memory

 private:
  // Rows of all neighbours, one behind the other.
  struct Side {
    std::int64_t rows = 0;
    std::size_t bytes = 0;
    std::unique_ptr<Buffer> place, packed;
    std::unique_ptr<Window> window;
    std::vector<Message> messages;
  };
  void fill(Side& side, const std::vector<HaloRows>& rows, std::vector<std::int64_t> HaloRows::*list);
  std::int64_t items(const Side& side) const;  // of kernels/exchange.h
  Work work(const Side& side) const;
  void send();
  void look();

  Device& device_;
  Precision precision_;
  std::int64_t width_, stride_;
  bool direct_;
  std::unique_ptr<Program> program_;
  Side sent_, expected_;
  std::unique_ptr<Transfer> transfer_;
  HaloTimes own_times_;
  HaloTimes& times_;
  Stopwatch flight_;
  bool here_ = true;  // all that was expected
};

}  // namespace swell
