// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "study/bench/bench.hpp"

namespace swell {
namespace {

TEST(BenchEntries, AreNamedByModelElementOrderAndPrecision) {
  const auto entries = bench_entries({3});
  EXPECT_EQ(entries.front().name(), "maxwell-tetrahedron-3-double");
  for (const auto& e : entries) EXPECT_EQ(e.order, 3) << e.name();
}

}  // namespace
}  // namespace swell
