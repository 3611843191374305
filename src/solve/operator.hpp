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
};

// z = P^-1 r over the unknowns, with P symmetric and positive definite. Queued only.
class Preconditioner {
 public:
  virtual ~Preconditioner() = default;
  virtual void apply(const Buffer& r, Buffer& z) = 0;
};

}  // namespace swell
