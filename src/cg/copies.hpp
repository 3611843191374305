// SPDX-License-Identifier: Apache-2.0
// Sums of the unknowns that several ranks have, through a message to each of them.
#pragma once

#include "cg/rank_nodes.hpp"
#include "solve/exchange.hpp"
#include "solve/vectors.hpp"

namespace swell {

class Copies {
 public:
  Copies(const RankNodes& nodes, Vectors& vectors);
  // Sends this rank's copies, which must be there then; between start() and add() the caller launches kernels that do not touch
  // them.
  void start(Buffer& y);
  // Each copy becomes the sum of all, with the same bits on every rank. Waits for the other ranks; the rest is queued.
  void add(Buffer& y);
  // Each copy becomes that of the rank which owns the unknown: start and finish in one call.
  void agree(Buffer& y);
  const HaloExchange& exchange() const { return *exchange_; }

 private:
  void finish(const char* kernel, Buffer& y);
  Vectors& vectors_;
  std::int64_t count_ = 0;
  std::unique_ptr<Program> program_;
  std::unique_ptr<HaloExchange> exchange_;
  std::unique_ptr<Buffer> theirs_, unknown_, start_, place_;
};

}  // namespace swell
