// SPDX-License-Identifier: Apache-2.0
// The estimate of a run's own errors: exact for polynomials, near the error of the order below for waves, at rest for what is kept.
#include "sim/outputs/estimate.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sim/simulation.hpp"

namespace swell {
namespace {

Device& device() {
  static const std::unique_ptr<Device> opened = open_device("cpu:1");
  return *opened;
}

std::unique_ptr<Evolution> case_of(const std::string& box, const std::string& model, int order, const std::string& rest) {
  return make_evolution(parse_case(fmt::format("[mesh]\nbox = {{ {} }}\n[model]\nname = \"{}\"\norder = {}\n{}", box, model, order, rest), "test.toml"),
                        device());
}

// x^3 is 2/5 P_3 (h/2)^3 in a cell and something of degree 2, and the square of P_3 has the integral 2/7 h/2.
TEST(Estimate, IsThePartOfTheHighestOrder) {
  constexpr int cells = 4;
  const auto run = case_of("low = [0], high = [1], cells = [4]", "advection", 3, "[material]\nax = 0\n[initial]\nu = \"x^3 + x\"\n[time]\nsteps = 1\ndt = 0.1\n");
  Estimate estimate(*run);
  const double half = 0.5 / cells;
  EXPECT_NEAR(estimate.finish().fields[0].difference, 0.4 * std::pow(half, 3) * std::sqrt(cells * half * 2 / 7), 1e-14);
  const auto low = case_of("low = [0, 0], high = [1, 2], cells = [2, 3]", "acoustics", 3, "[initial]\np = \"x*y + 1\"\n[time]\nsteps = 1\n");
  const EstimateSummary all = Estimate(*low).finish();
  EXPECT_LT(all.fields[0].difference, 1e-13);
  EXPECT_EQ(all.fields[1].relative, 0);  // a field that is 0 everywhere
}

TEST(Estimate, HasMeansAndIntegralsAndTheirChanges) {
  const auto run = case_of("low = [0, 0], high = [2, 1], cells = [6, 3], periodic = [true, true], move = 0.2", "acoustics", 2,
                           "[initial]\np = \"2 + sin(pi*x)\"\n[time]\nend = 1\n");
  Estimate estimate(*run);
  run->finish();
  const EstimateSummary found = estimate.finish();
  EXPECT_EQ(found.from, 0);
  EXPECT_EQ(found.fields[0].name, "p");
  EXPECT_NEAR(found.fields[0].mean.initial, 2, 1e-2);
  EXPECT_LT(std::abs(found.fields[0].mean.relative), 1e-13);  // nothing leaves
  EXPECT_EQ(found.quantities[0].first, "energy");
  EXPECT_LT(found.quantities[0].second.relative, 0);  // the upwind flux takes some
  EXPECT_GT(found.quantities[0].second.relative, -1e-2);
}

// What the highest order holds is about the error of the order below.
TEST(Estimate, IsOfTheSizeOfTheErrorOfTheOrderBelow) {
  for (const char* element : {"triangle", "quadrilateral"}) {
    const std::string box = fmt::format("low = [0, 0], high = [1, 1], cells = [6, 6], element = \"{}\"", element),
                      rest = "[initial]\nEz = \"sin(pi*x)*sin(pi*y)\"\n[exact]\nEz = \"cos(sqrt(2)*pi*t)*sin(pi*x)*sin(pi*y)\"\n[time]\nend = 0.3\n";
    for (const int order : {3, 4}) {
      const auto run = case_of(box, "maxwell-tm", order, rest), below = case_of(box, "maxwell-tm", order - 1, rest);
      Estimate estimate(*run);
      run->finish();
      below->finish();
      const EstimateSummary found = estimate.finish();
      const double ratio = found.fields[2].difference / below->errors().l2[2];
      EXPECT_GT(ratio, 0.3) << element << order;
      EXPECT_LT(ratio, 3) << element << order;
    }
  }
}

// Steady problems have no beginning, and continuous elements the same measure.
TEST(Estimate, OfASteadyProblemHasNoChanges) {
  const auto run = case_of("low = [0, 0], high = [1, 1], cells = [3, 3]", "poisson", 2,
                           "[source]\nu = \"sin(pi*x)*sin(pi*y)\"\n[boundary]\nxmin = { kind = \"dirichlet\", u = 0 }\n");
  Estimate estimate(*run);
  run->finish();
  const EstimateSummary found = estimate.finish();
  EXPECT_GT(found.fields[0].difference, 0);
  EXPECT_TRUE(std::isnan(found.fields[0].mean.relative));
  EXPECT_TRUE(found.quantities.empty());
}

}  // namespace
}  // namespace swell
