// SPDX-License-Identifier: Apache-2.0
// The solvers' view of a discretisation: symmetric operators on vectors that stay on the device.
#pragma once

#include "device/device.hpp"

namespace swell {

// Vectors hold length() values, of which the first size() are unknowns; the others are given (values at a boundary). Ranks may
// share unknowns: each has a copy with the same bits, and counts the first owned() as its own, which no other rank does.
class LinearOperator {
 public:
  virtual ~LinearOperator() = default;
  virtual std::int64_t size() const = 0;
  virtual std::int64_t length() const = 0;
  // The first size() numbers of y = A x; x is read over its length. Queued only.
  virtual void apply(const Buffer& x, Buffer& y) = 0;
  virtual std::int64_t owned() const { return size(); }
  // Copies of an unknown become their sum over the ranks that have one. Queued, except for messages between ranks.
  virtual void add_copies(Buffer&) {}
  // Copies of an unknown become the value of the rank that owns it. Queued, except for messages between ranks.
  virtual void agree(Buffer&) {}
  // Sums that the last apply() left, which add up, over all ranks, to x . y where x is 0 at the given values; nullptr: none.
  virtual const Buffer* dots() const { return nullptr; }
  virtual std::int64_t dot_count() const { return 0; }
};

// z = P^-1 r over the unknowns, with P symmetric and positive definite. Queued only.
class Preconditioner {
 public:
  virtual ~Preconditioner() = default;
  virtual void apply(const Buffer& r, Buffer& z) = 0;
};

// The scalars and partial sums that an iteration in passes reads and leaves (kernels/solve/scalars.h).
struct PassSums {
  const Buffer& before;   // scalars of the iteration before
  Buffer& after;          // scalars of this one
  Buffer& history;
  Buffer& products;       // [chunk] adds up to r . d r, [chunks + chunk] to r . r
  Buffer& energy;         // [chunk] adds up to p . A p
};

// An operator with its diagonal's inverse as preconditioner that does an iteration of conjugate gradients in two passes of its
// own, nothing between them: each finds the scalars itself. It keeps the direction p. Queued only, except for messages between
// ranks.
class FusedPasses {
 public:
  virtual ~FusedPasses() = default;
  virtual std::int64_t chunks() const = 0;  // of the partial sums
  // p = d r + beta p, with beta from `products`, or from `before` where it is `known`; leaves `after` and `energy`.
  virtual void direct(const Buffer& r, const PassSums& sums, bool known) = 0;
  // x += alpha p, r -= alpha A p with alpha from `after` and `energy`; leaves `products`.
  virtual void advance(Buffer& x, Buffer& r, const PassSums& sums) = 0;
};

}  // namespace swell
