// SPDX-License-Identifier: Apache-2.0
// A signal that grows while it is shown: as many points as a plot can show, however long it becomes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace swell {

class Series {
 public:
  // A full series loses every second point, and from then on keeps every second of those that come.
  static constexpr std::size_t most_points = 8192;

  Series(std::string name, std::vector<std::string> columns) : name_(std::move(name)), columns_(std::move(columns)) {}

  void add(double time, std::span<const double> values);

  const std::string& name() const { return name_; }
  const std::vector<std::string>& columns() const { return columns_; }
  std::size_t size() const { return times_.size(); }
  double time(std::size_t i) const { return times_[i]; }
  double value(std::size_t i, std::size_t column) const { return values_[i * columns_.size() + column]; }
  // Counts how often points were taken away: the points that were sent before are then sent again.
  std::int64_t generation() const { return generation_; }

 private:
  void thin_out();

  std::string name_;
  std::vector<std::string> columns_;
  std::vector<double> times_, values_;
  std::int64_t generation_ = 0, stride_ = 1, came_ = 0;
};

}  // namespace swell
