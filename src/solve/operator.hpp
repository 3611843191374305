// SPDX-License-Identifier: Apache-2.0
// What the solvers see of a discretisation: symmetric operators on vectors that stay on the device.
#pragma once

#include "device/device.hpp"

namespace swell {

// Vectors hold length() numbers, of which the first size() are unknowns; the others are given (values at a boundary).
class LinearOperator {
 public:
  virtual ~LinearOperator() = default;
  virtual std::int64_t size() const = 0;
  virtual std::int64_t length() const = 0;
  // The first size() numbers of y = A x; x is read over its length. Queued only.
  virtual void apply(const Buffer& x, Buffer& y) = 0;
  // Sums that the last apply() left, which add up to x . y where x is 0 at the given values; nullptr: it leaves none.
  virtual const Buffer* dots() const { return nullptr; }
  virtual std::int64_t dot_count() const { return 0; }
};

// z = P^-1 r over the unknowns, with P symmetric and positive definite. Queued only.
class Preconditioner {
 public:
  virtual ~Preconditioner() = default;
  virtual void apply(const Buffer& r, Buffer& z) = 0;
};

// An operator with its diagonal's inverse as preconditioner that does an iteration of conjugate gradients in two passes of its
// own, with the scalars of kernels/solve_pcg.h. It keeps the direction p itself. Queued only.
class FusedPasses {
 public:
  virtual ~FusedPasses() = default;
  virtual std::int64_t chunks() const = 0;  // of the partial sums
  // p = d r + beta p; partial[chunk] adds up to p . A p.
  virtual void direct(const Buffer& r, const Buffer& scalars, Buffer& partial) = 0;
  // x += alpha p, r -= alpha A p; partial[chunk] adds up to r . d r, partial[chunks + chunk] to r . r.
  virtual void advance(Buffer& x, Buffer& r, const Buffer& scalars, Buffer& partial) = 0;
};

}  // namespace swell
