// SPDX-License-Identifier: Apache-2.0
// One of several ranks whose other ranks do not exist: its data can be set up and counted, but not solved. Messages go nowhere,
// and the other ranks add nothing to sums.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "comm/ranks.hpp"

namespace swell {

class AbsentRanks : public Ranks {
 public:
  AbsentRanks(int rank, int count) : rank_(rank), count_(count) {}
  int rank() const override { return rank_; }
  int count() const override { return count_; }
  int rank_on_node() const override { return 0; }
  int count_on_node() const override { return 1; }
  void barrier() override {}
  void broadcast(std::span<std::byte>, int) override {}
  void sum(std::span<std::int64_t>) override {}
  void largest(std::span<double> values) override {
    std::replace(values.begin(), values.end(), -std::numeric_limits<double>::infinity(), 0.0);  // as comm/sums.hpp leaves places
  }
  void smallest(std::span<double>) override {}
  std::vector<std::vector<double>> gather(std::span<const double> values) override {
    std::vector<std::vector<double>> all(static_cast<std::size_t>(count_), std::vector<double>(values.size(), 0.0));
    all[static_cast<std::size_t>(rank_)].assign(values.begin(), values.end());
    return all;
  }
  std::unique_ptr<Transfer> transfer(std::span<const Message>, std::span<const Message>) override {
    return std::make_unique<Nothing>();
  }
  bool takes_cuda_memory() const override { return false; }
  std::unique_ptr<Ranks> split(int) override { return std::make_unique<AbsentRanks>(rank_, count_); }
  [[noreturn]] void abort(int code) override { std::_Exit(code); }

 private:
  struct Nothing : Transfer {
    void start() override {}
    bool test() override { return true; }
    void finish() override {}
  };
  int rank_, count_;
};

}  // namespace swell
