// SPDX-License-Identifier: Apache-2.0
// States of an operator seen from the host: values at nodes, the coefficients that an element keeps, samples at points. How they
// lie on the device is the family's own affair.
#pragma once

#include <cstdint>
#include <functional>

#include "device/device.hpp"
#include "element/basis.hpp"

namespace swell {

class States {
 public:
  using Write = std::function<void(std::int64_t cell, double* values)>;
  using Read = std::function<void(std::int64_t cell, const double* values)>;

  virtual ~States() = default;
  // Host values [cell][node][field] to and from a state. Writing calls back from several threads at once, in any order. Reading calls
  // back with blocks of consecutive slots: cells come in the order of the slots.
  virtual void write_state(Buffer& state, const Write& of_cell) const = 0;
  virtual void read_state(const Buffer& state, const Read& of_cell) const = 0;
  // The coefficients that an element keeps of each field, whatever their basis: [cell][coefficient][field], not rounded on the way.
  virtual void write_numbers(Buffer& state, const Write& of_cell) const { write_state(state, of_cell); }
  virtual void read_numbers(const Buffer& state, const Read& of_cell) const { read_state(state, of_cell); }

  // Weights of the coefficients at reference points: points x coefficients.
  virtual Matrix evaluation(const Matrix& points) const = 0;
  virtual Matrix evaluation(Shape /*of the element*/, const Matrix& points) const { return evaluation(points); }
  // Queues: values of all fields at `count` points into the samples from row `offset` on. Each point has an address
  // (Layout::address) and a row of evaluation(), with zeros behind it where another shape has more coefficients.
  virtual void sample(Buffer& q, const Buffer& slots, const Buffer& weights, Buffer& samples, std::int64_t count,
                      std::int64_t offset) const = 0;

  // The cell, node and field at an index of a state; a coefficient that belongs to no node counts for one inside the element.
  struct Place {
    std::int64_t cell;
    int node, field;
  };
  virtual Place place(std::int64_t index) const = 0;
  virtual std::size_t state_bytes() const = 0;
};

}  // namespace swell
