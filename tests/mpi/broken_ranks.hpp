// SPDX-License-Identifier: Apache-2.0
// Ranks whose messages are spoilt on purpose, so that tests can show that they would see it.
#pragma once

#include <algorithm>

#include "wrapped_ranks.hpp"

namespace swell {

enum class Fault { none, lost, gone, swapped, late, cut };

// Messages from the first neighbour are spoilt, from the second exchange on.
class BrokenTransfer : public Transfer {
 public:
  BrokenTransfer(std::unique_ptr<Transfer> real, std::span<const Message> expected, Fault fault)
      : real_(std::move(real)), fault_(fault) {
    if (!expected.empty()) bytes_ = expected[0].bytes;
  }
  void start() override {
    before_.assign(bytes_.begin(), bytes_.end());
    ++exchanges_;
    real_->start();
  }
  bool test() override {
    if (!real_->test()) return false;
    spoil();
    return true;
  }
  void finish() override {
    real_->finish();
    spoil();
  }

 private:
  void spoil() {
    const std::vector<std::byte> now(bytes_.begin(), bytes_.end());
    if (exchanges_ < 2) {
      last_ = now;
      return;
    }
    // A message that never came, or none of them; two halves in each other's place; a message that is one exchange old; half of
    // one, which of a periodic grid on two ranks is one plane of two.
    if (fault_ == Fault::gone || (fault_ == Fault::lost && exchanges_ == 2)) std::copy(before_.begin(), before_.end(), bytes_.begin());
    const auto middle = static_cast<std::ptrdiff_t>(bytes_.size() / (2 * sizeof(double)) * sizeof(double));
    if (fault_ == Fault::cut) std::copy(before_.begin() + middle, before_.end(), bytes_.begin() + middle);
    if (fault_ == Fault::swapped) std::rotate(bytes_.begin(), bytes_.begin() + middle, bytes_.end());
    if (fault_ == Fault::late) std::copy(last_.begin(), last_.end(), bytes_.begin());
    last_ = now;
  }

  std::unique_ptr<Transfer> real_;
  std::span<std::byte> bytes_;
  std::vector<std::byte> before_, last_;
  Fault fault_;
  int exchanges_ = 0;
};

class BrokenRanks : public WrappedRanks {
 public:
  BrokenRanks(Ranks& real, const Fault& fault) : WrappedRanks(real), fault_(fault) {}
  std::unique_ptr<Transfer> transfer(std::span<const Message> expected, std::span<const Message> sent) override {
    return std::make_unique<BrokenTransfer>(real_.transfer(expected, sent), expected, fault_);
  }

 private:
  const Fault& fault_;
};

}  // namespace swell
