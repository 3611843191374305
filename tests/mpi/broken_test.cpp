// SPDX-License-Identifier: Apache-2.0
// An exchange that is broken on purpose is seen in the answer, in every family: the tests of equal bits can fail.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "device/device.hpp"
#include "sim/simulation.hpp"
#include "support.hpp"
#include "wrapped_ranks.hpp"

namespace swell {
namespace {

enum class Fault { none, lost, swapped, late };

// What comes from the first neighbour is spoilt, from the second exchange on.
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
    // A message that never came; two halves of the faces in each other's place; a message that is one exchange old.
    if (fault_ == Fault::lost && exchanges_ == 2) std::copy(before_.begin(), before_.end(), bytes_.begin());
    if (fault_ == Fault::swapped) {
      const auto half = static_cast<std::ptrdiff_t>(bytes_.size() / (2 * sizeof(double)) * sizeof(double));
      std::rotate(bytes_.begin(), bytes_.begin() + half, bytes_.end());
    }
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

class BrokenExchange : public testing::TestWithParam<NamedCase> {};

TEST_P(BrokenExchange, ChangesTheAnswer) {
  const Outcome alone = outcome(GetParam().toml, "cpu:1", lone_rank());
  std::map<std::int64_t, const std::vector<double>*> wanted;
  for (std::size_t i = 0; i < alone.cells.size(); ++i) wanted[alone.cells[i]] = &alone.values[i];
  for (const Fault fault : {Fault::none, Fault::lost, Fault::swapped, Fault::late})
    on_ranks(3, [&](Ranks& ranks) {
      BrokenRanks broken(ranks, fault);
      const Outcome part = outcome(GetParam().toml, "cpu:1", broken);
      bool different = false;
      for (std::size_t i = 0; i < part.cells.size(); ++i)
        different = different || part.values[i] != *wanted.at(part.cells[i]);
      EXPECT_EQ(ranks.any(different), fault != Fault::none) << static_cast<int>(fault);
    });
}

INSTANTIATE_TEST_SUITE_P(Families, BrokenExchange, testing::ValuesIn(families("[6, 5]", 4)), name_of);

}  // namespace
}  // namespace swell
