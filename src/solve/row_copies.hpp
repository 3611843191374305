// SPDX-License-Identifier: Apache-2.0
// Copies of rows inside of an array on the device, which are set, or added up, or become what is left of a row.
#pragma once

#include <memory>
#include <vector>

#include "device/device.hpp"

namespace swell {

class RowCopies {
 public:
  enum class How : std::int64_t { set = 0, add = 1, rest = 2 };  // rest: the row less what the copy holds
  struct Row {
    std::int64_t to = 0, from = 0;  // places of the first values
  };

  // Lists of rows of `width` values.
  RowCopies(Device& device, Precision precision, std::int64_t width, const std::vector<std::vector<Row>>& lists);
  void copy(std::size_t list, Buffer& array, How how);

 private:
  struct List {
    std::int64_t rows = 0;
    std::unique_ptr<Buffer> places;
  };
  Device& device_;
  Precision precision_;
  std::int64_t width_;
  std::unique_ptr<Program> program_;
  std::vector<List> lists_;
};

}  // namespace swell
