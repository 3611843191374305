// SPDX-License-Identifier: Apache-2.0
// Ranks that hand everything on to others: a test changes what it likes.
#pragma once

#include <cstdlib>

#include "comm/ranks.hpp"

namespace swell {

class WrappedRanks : public Ranks {
 public:
  explicit WrappedRanks(Ranks& real) : real_(real) {}
  int rank() const override { return real_.rank(); }
  int count() const override { return real_.count(); }
  int rank_on_node() const override { return real_.rank_on_node(); }
  int count_on_node() const override { return real_.count_on_node(); }
  void barrier() override { real_.barrier(); }
  void broadcast(std::span<std::byte> bytes, int from) override { real_.broadcast(bytes, from); }
  void sum(std::span<std::int64_t> values) override { real_.sum(values); }
  void largest(std::span<double> values) override { real_.largest(values); }
  void smallest(std::span<double> values) override { real_.smallest(values); }
  std::vector<std::vector<double>> gather(std::span<const double> values) override { return real_.gather(values); }
  bool takes_cuda_memory() const override { return real_.takes_cuda_memory(); }
  std::unique_ptr<Ranks> split(int colour) override { return real_.split(colour); }
  [[noreturn]] void abort(int code) override {
    real_.abort(code);
    std::abort();
  }

 protected:
  Ranks& real_;
};

}  // namespace swell
