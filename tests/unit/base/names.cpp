// SPDX-License-Identifier: Apache-2.0
#include "base/names.hpp"

#include <gtest/gtest.h>

namespace swell {
namespace {

const std::vector<std::string> known{"epsilon", "mu", "sigma", "x"};

TEST(Names, CountsTheEditsBetweenTwoNames) {
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("abc", ""), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("epsilno", "epsilon"), 1);
  EXPECT_EQ(edit_distance("same", "same"), 0);
}

TEST(Names, FindsTheNearestAndNothingThatIsFar) {
  EXPECT_EQ(nearest_name("epsilno", known), "epsilon");
  EXPECT_EQ(nearest_name("EPSILON", known), "epsilon");
  EXPECT_EQ(nearest_name("m", known), "");
  EXPECT_EQ(nearest_name("X", known), "x");
  EXPECT_EQ(nearest_name("temperature", known), "");
  EXPECT_EQ(nearest_name("", known), "");
  EXPECT_EQ(nearest_name(std::string(1'000'000, 'a'), known), "");
}

TEST(Names, HintsAtTheNearestOrListsWhatIsKnown) {
  EXPECT_EQ(name_hint("sigm", known), " (did you mean 'sigma'?)");
  EXPECT_EQ(name_hint("conductivity", known), " (known: epsilon, mu, sigma, x)");
  EXPECT_EQ(name_hint("anything", {}), "");
}

TEST(Names, ShowsForeignTextOnOneShortLine) {
  EXPECT_EQ(shown("plain"), "plain");
  EXPECT_EQ(shown("a\nb\x1b"), "a\\x0Ab\\x1B");
  EXPECT_EQ(shown("\xCF\x80"), "\xCF\x80");
  EXPECT_EQ(shown("\xCF"), "\\xCF");
  EXPECT_EQ(shown(std::string(1'000, 'a')), std::string(60, 'a') + "...");
}

}  // namespace
}  // namespace swell
