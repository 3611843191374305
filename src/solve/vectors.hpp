// SPDX-License-Identifier: Apache-2.0
// Vectors on a device: made, written, read, added, multiplied. Sums depend on the lengths only, never on the threads; where
// ranks share a vector they are over all of them.
#pragma once

#include <memory>
#include <vector>

#include "comm/ranks.hpp"
#include "device/device.hpp"

namespace swell {

class Vectors {
 public:
  Vectors(Device& device, Precision precision, Ranks& ranks = lone_rank());

  Device& device() const { return device_; }
  Ranks& ranks() const { return ranks_; }
  Precision precision() const { return precision_; }

  std::unique_ptr<Buffer> make(std::int64_t length, std::string_view label) const;  // zeros
  std::unique_ptr<Buffer> upload(const std::vector<double>& values, std::string_view label) const;
  std::unique_ptr<Buffer> upload(const std::vector<std::int32_t>& values, std::string_view label) const;
  void write(const std::vector<double>& values, Buffer& to, std::int64_t first = 0) const;  // from the place `first` on
  std::vector<double> download(const Buffer& from, std::int64_t count) const;

  // Operations on the first `count` values; all but dot() and sum() are queued only.
  void copy(const Buffer& from, Buffer& to, std::int64_t count);
  void combine(double a, const Buffer& x, double b, Buffer& y, std::int64_t count);  // y = a x + b y
  void multiply(const Buffer& d, const Buffer& x, Buffer& y, std::int64_t count);    // y_i = d_i x_i
  void add_constant(double c, Buffer& y, std::int64_t count);
  // Waits; `count` is of this rank's part, and each number is in the part of one rank.
  double dot(const Buffer& x, const Buffer& y, std::int64_t count);
  double sum(const Buffer& x, std::int64_t count);

  // Chunks that partial sums of `count` numbers come in, and the bytes of one sum.
  std::int64_t chunks(std::int64_t count) const;
  std::size_t total_bytes() const;
  // The most chunks that there are.
  std::int64_t most_chunks() const;
  std::vector<double> read_totals(const Buffer& from, std::int64_t count, std::int64_t first = 0) const;
  void write_totals(const std::vector<double>& values, Buffer& to) const;
  // The head of every kernel source that sums: DOUBLES, `total` and the loop over a chunk.
  std::string totals_text() const;

 private:
  Device& device_;
  Precision precision_;
  Ranks& ranks_;
  std::unique_ptr<Program> program_;
  std::unique_ptr<Buffer> partial_;
};

// The kernel sources of this room, by their path below src/. Written by cmake/embed.cmake.
std::string_view solve_texts(std::string_view path);

}  // namespace swell
