// SPDX-License-Identifier: Apache-2.0
#include "solve/row_copies.hpp"

#include "solve/vectors.hpp"

namespace swell {

RowCopies::RowCopies(Device& device, Precision precision, std::int64_t width, const std::vector<std::vector<Row>>& lists)
    : device_(device), precision_(precision), width_(width) {
  program_ = device.compile({"row_copies", std::string(solve_texts("kernels/solve/row_copies.h")), {"copy_rows"}, precision, false});
  for (const auto& rows : lists) {
    std::vector<std::int64_t> places;
    for (const Row& row : rows) places.insert(places.end(), {row.to, row.from});
    List& list = lists_.emplace_back(List{static_cast<std::int64_t>(rows.size()), {}});
    if (places.empty()) continue;
    list.places = device.allocate(places.size() * sizeof(std::int64_t), "places of copied rows");
    list.places->write(places.data(), places.size() * sizeof(std::int64_t));
  }
}

void RowCopies::copy(std::size_t list, Buffer& array, How how) {
  const List& of = lists_[list];
  if (of.rows == 0) return;
  const double values = static_cast<double>(of.rows * width_), read_and_written = how == How::set ? 2 : 3;
  device_.queue().launch(program_->kernel("copy_rows"), device_.info().simt ? of.rows * width_ : of.rows,
                         {array, *of.places, width_, static_cast<std::int64_t>(how)},
                         {read_and_written * values * static_cast<double>(bytes_of(precision_)) + 16.0 * static_cast<double>(of.rows), values});
}

}  // namespace swell
