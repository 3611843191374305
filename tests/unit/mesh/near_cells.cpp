// SPDX-License-Identifier: Apache-2.0
#include "mesh/near_cells.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mesh/sources.hpp"

namespace swell {
namespace {

Mesh squares(int count, bool periodic) {
  return make_box({{0.0, 0.0}, {1.0, 1.0}, {count, count}, Shape::quadrilateral, {periodic, periodic}});
}

std::array<double, 2> middle(const Mesh& mesh, std::int64_t cell) {
  std::array<double, 2> sum{};
  for (int v = 0; v < 4; ++v)
    for (int d = 0; d < 2; ++d) sum[d] += mesh.vertex(cell, v)[d] / 4;
  return sum;
}

std::int64_t cell_at(const Mesh& mesh, double x, double y) {
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell)
    if (const auto [mx, my] = middle(mesh, cell); std::abs(mx - x) <= 0.05 && std::abs(my - y) <= 0.05) return cell;
  return -1;
}

constexpr double size = 0.05 * 1.4142135623730951;  // of a square of 0.1

TEST(CellsNear, AreThoseWhoseMiddleIsWithinReach) {
  const Mesh mesh = squares(10, false);
  const double place[2] = {0.53, 0.47};
  const auto found = cells_near(mesh, cell_at(mesh, 0.55, 0.45), place, 3);
  std::vector<std::int64_t> expected;
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell)
    if (const auto [x, y] = middle(mesh, cell); std::hypot(x - place[0], y - place[1]) <= 3 * size)
      expected.push_back(cell);
  EXPECT_GT(expected.size(), 9u);
  EXPECT_EQ(found, expected);
}

TEST(CellsNear, LieAlsoAcrossPeriodicSides) {
  const Mesh mesh = squares(10, true);
  const double corner[2] = {0.02, 0.97};
  const auto found = cells_near(mesh, cell_at(mesh, 0.05, 0.95), corner, 3);
  std::vector<std::int64_t> expected;
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell) {
    auto [x, y] = middle(mesh, cell);
    x = std::remainder(x - corner[0], 1), y = std::remainder(y - corner[1], 1);
    if (std::hypot(x, y) <= 3 * size) expected.push_back(cell);
  }
  EXPECT_EQ(found, expected);
}

TEST(CellsNear, HoldTheCellItselfWhateverTheReach) {
  const Mesh mesh = squares(4, false);
  const double place[2] = {0.3, 0.7};
  EXPECT_EQ(cells_near(mesh, 9, place, 0), std::vector<std::int64_t>{9});
}

// A square of twice the size counts from twice as far away.
TEST(CellsNear, AreMeasuredByTheirOwnSize) {
  const Mesh fine = squares(20, false), coarse = squares(10, false);
  const double place[2] = {0.51, 0.51};
  const auto of_fine = cells_near(fine, 210, place, 4), of_coarse = cells_near(coarse, 55, place, 4);
  EXPECT_NEAR(static_cast<double>(of_fine.size()), static_cast<double>(of_coarse.size()), 4);
}

}  // namespace
}  // namespace swell
