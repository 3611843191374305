// SPDX-License-Identifier: Apache-2.0
// Changes nodal states between the stages of a scheme: states brought back to admissible ones, shocks kept in hand, modes
// filtered (kernels/nodal/limit.h).
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "dg/measures.hpp"
#include "dg/observer.hpp"
#include "dg/variant.hpp"

namespace swell {

class Limiter {
 public:
  // Whether the problem asks for one.
  static bool asked(const Problem& problem);
  Limiter(const Problem& problem, const Elements& elements, const Layout& layout, Measures& measures,
          const MaterialField& material, Device& device, std::size_t state_bytes);

  // Queued: changes q, the state at t after a stage that began with `before`, whose traces behind faces are filled.
  void limit(double t, const Buffer& before, Buffer& q);
  void smooth(Buffer& q);  // queued: the modal filter

  // Queues a check for elements whose mean was not admissible, which stay as they are.
  void watch(std::int64_t step);
  Finding finding() const;  // waits; the place's node is the first
  void forget();
  double compile_seconds() const { return compile_seconds_; }

 private:
  // Elements of one shape that are integrated at points, or the others.
  struct OfPoints {
    std::unique_ptr<Program> program;
    std::unique_ptr<Buffer> points;  // at which fluxes are taken
  };
  struct OfShape {
    std::map<bool, OfPoints> by_points;
    std::unique_ptr<Buffer> modal, filter;
  };
  const OfPoints& of(const Group& group) const { return shapes_.at(group.shape).by_points.at(by_points(group)); }
  Matrix extra_points(const Group& group) const;
  std::int64_t items(const Group& group) const { return group.batches(lanes_); }
  double unknowns(const Group& group) const;

  const Problem& problem_;
  const Elements& elements_;
  const Layout& layout_;
  Measures& measures_;
  Device& device_;
  int lanes_ = 1;  // elements of an item
  bool entropy_ = false;
  double compile_seconds_ = 0;
  std::map<Shape, OfShape> shapes_;
  std::unique_ptr<Buffer> behind_, record_, marks_, spare_;
  std::unique_ptr<Monitor> monitor_;
};

}  // namespace swell
