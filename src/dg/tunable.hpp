// SPDX-License-Identifier: Apache-2.0
// The tuner's view of an operator: groups of kernels, each with variants that do the same.
#pragma once

#include <memory>

#include "dg/operator.hpp"
#include "dg/variant.hpp"

namespace swell {

class Tunable {
 public:
  virtual ~Tunable() = default;
  // Compiles what steps of this scheme need besides a stage, so that it is among the groups.
  virtual void expect_scheme(std::string_view /*scheme*/) {}
  virtual std::size_t group_count() const = 0;
  virtual std::vector<Variant> group_variants(std::size_t g) const = 0;  // the default first
  virtual TuningKey group_key(std::size_t g) const = 0;
  // Compiles the kernels of one group anew; where that throws, those before stay. Data on the device stays as it is.
  virtual void set_variant(std::size_t g, const Variant& variant) = 0;

  virtual std::int64_t group_elements(std::size_t g) const = 0;
  virtual Range group_scalars(std::size_t g) const = 0;  // of a state, that the group's kernels write
  virtual Work group_work(std::size_t g) const = 0;      // of what group_stage() does
  // The tuner times this: one group's part of a stage. q is only read.
  virtual void group_stage(std::size_t g, Buffer& q, std::unique_ptr<Buffer>& next, Buffer& residual, double a, double b,
                           double dt) = 0;
  // The tuner compares this: next = a step of dt from q by the group's kernels.
  virtual void group_answer(std::size_t g, Buffer& q, std::unique_ptr<Buffer>& next, Buffer& residual, double dt) = 0;
};

}  // namespace swell
