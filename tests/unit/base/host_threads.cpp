// SPDX-License-Identifier: Apache-2.0
#include "base/host_threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <string>

namespace swell {
namespace {

class HostThreads : public testing::TestWithParam<int> {
 protected:
  HostThreads() { set_host_threads(GetParam()); }
  ~HostThreads() override { set_host_threads(0); }
};

TEST_P(HostThreads, WorkOnEachItemOnceInPiecesThatDoNotDependOnThem) {
  std::vector<std::atomic<int>> times(1001);
  std::vector<std::atomic<int>> begins(1001);
  for_pieces(1001, 64, [&](std::int64_t begin, std::int64_t end) {
    ++begins[begin];
    for (std::int64_t i = begin; i < end; ++i) ++times[i];
  });
  for (std::size_t i = 0; i < times.size(); ++i) {
    EXPECT_EQ(times[i], 1);
    EXPECT_EQ(begins[i], i % 64 == 0 ? 1 : 0);
  }
  for_pieces(0, [](std::int64_t, std::int64_t) { FAIL(); });
}

TEST_P(HostThreads, ThrowWhatASingleOneWouldHaveMetFirst) {
  const auto work = [](std::int64_t begin, std::int64_t) {
    if (begin >= 300 && begin % 100 == 0) throw std::runtime_error(std::to_string(begin));
  };
  for (int repeat = 0; repeat < 20; ++repeat) try {
      for_pieces(100000, 10, work);
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "300");
    }
}

TEST_P(HostThreads, DoTheWorkThatAPieceSharesOutItselfToo) {
  std::atomic<std::int64_t> sum = 0;
  for_pieces(10, 1, [&](std::int64_t first, std::int64_t) {
    for_pieces(100, 7, [&](std::int64_t begin, std::int64_t end) { sum += (end - begin) * (first + 1); });
  });
  EXPECT_EQ(sum, 5500);
}

TEST_P(HostThreads, KeepTheOrderOfWhatTheyFind) {
  const auto odd = found_in_pieces<std::int64_t>(1000, 30, [](std::int64_t begin, std::int64_t end, std::vector<std::int64_t>& found) {
    for (std::int64_t i = begin; i < end; ++i)
      if (i % 2 == 1) found.push_back(i);
  });
  ASSERT_EQ(odd.size(), 500u);
  for (std::size_t i = 0; i < odd.size(); ++i) EXPECT_EQ(odd[i], static_cast<std::int64_t>(2 * i + 1));
}

TEST_P(HostThreads, KeepTheOrderOfTheItemsOfAClass) {
  constexpr std::int64_t items = 300000;
  const ByClass all = sorted_by_class(items, 5, [](std::int64_t i) { return i * i % 11 % 6 - 1; });
  ASSERT_EQ(all.start.size(), 6u);
  std::vector<std::int64_t> expected;
  for (int k = 0; k < 5; ++k) {
    EXPECT_EQ(all.start[k], std::ssize(expected));
    for (std::int64_t i = 0; i < items; ++i)
      if (i * i % 11 % 6 - 1 == k) expected.push_back(i);
  }
  EXPECT_EQ(all.item, expected);
  EXPECT_EQ(all.start[5], std::ssize(expected));
}

// Keys in waves and many that are alike but for the number behind them.
TEST_P(HostThreads, SortAsOneDoes) {
  std::vector<std::pair<std::int64_t, std::int64_t>> all;
  for (std::int64_t i = 0; i < 200000; ++i) all.emplace_back(i % 3 == 0 ? 7 : i * 7919 % 100003, i);
  auto expected = all;
  std::sort(expected.begin(), expected.end());
  sort_distinct(all);
  EXPECT_EQ(all, expected);
}

INSTANTIATE_TEST_SUITE_P(OnSome, HostThreads, testing::Values(1, 2, 5));

}  // namespace
}  // namespace swell
