// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "element/symmetric_cubature.hpp"

namespace swell {
namespace {

// Orthonormal modes: all but the first have the mean 0.
TEST(SymmetricCubature, OnTrianglesIsExactToItsDegree) {
  for (int degree = 0; degree <= 26; ++degree) {
    const Cubature rule = symmetric_cubature(Shape::triangle, degree);
    const Vector sums = modes(Shape::triangle, degree, rule.points).transpose() * rule.weights;
    EXPECT_NEAR(sums(0), std::sqrt(2.0), 1e-13) << degree;
    EXPECT_LT(sums.tail(sums.size() - 1).cwiseAbs().sum(), 1e-12) << degree;
  }
}

TEST(SymmetricCubature, OnTrianglesHasPointsInsideAndPositiveWeightsAndFewerPointsThanTheCollapsedRule) {
  for (int degree = 2; degree <= 26; degree += 2) {
    const Cubature rule = symmetric_cubature(Shape::triangle, degree);
    EXPECT_GT(rule.weights.minCoeff(), 0) << degree;
    EXPECT_GT(rule.points.minCoeff(), -1) << degree;
    EXPECT_LT(rule.points.rowwise().sum().maxCoeff(), 0) << degree;
    EXPECT_LT(rule.points.rows(), cubature(Shape::triangle, degree).points.rows()) << degree;
  }
}

// Barycentric coordinates turned and mirrored: every image of a point is a point with the same weight.
TEST(SymmetricCubature, LooksTheSameFromEveryVertex) {
  for (int degree = 2; degree <= 26; degree += 2) {
    const Cubature rule = symmetric_cubature(Shape::triangle, degree);
    for (Eigen::Index p = 0; p < rule.points.rows(); ++p) {
      const double r = rule.points(p, 0), s = rule.points(p, 1), third = -1 - r - s;
      for (const auto& [x, y] : {std::pair{s, r}, std::pair{s, third}}) {
        double nearest = 1;
        for (Eigen::Index other = 0; other < rule.points.rows(); ++other)
          if (rule.weights(other) == rule.weights(p))
            nearest = std::min(nearest, std::hypot(rule.points(other, 0) - x, rule.points(other, 1) - y));
        EXPECT_LT(nearest, 1e-14) << degree;
      }
    }
  }
}

TEST(SparseCubature, OnTetrahedraIsExactToItsDegreeInsideWithPositiveWeights) {
  for (int degree = 0; degree <= 12; ++degree) {
    const Cubature rule = sparse_cubature(Shape::tetrahedron, degree);
    const Vector sums = modes(Shape::tetrahedron, degree, rule.points).transpose() * rule.weights;
    EXPECT_NEAR(sums(0), std::sqrt(4.0 / 3), 1e-13) << degree;
    EXPECT_LT(sums.tail(sums.size() - 1).cwiseAbs().sum(), 1e-11) << degree;
    EXPECT_GT(rule.weights.minCoeff(), 0) << degree;
    EXPECT_GT(rule.points.minCoeff(), -1) << degree;
    EXPECT_LT(rule.points.rowwise().sum().maxCoeff(), -1) << degree;
  }
}

// Orders 1 to 4 of a basis: 4, 10, 20 and 35 nodes.
TEST(SparseCubature, OnTetrahedraHasFewPointsForProductsOfABasis) {
  std::vector<Eigen::Index> points;
  for (int order = 1; order <= 4; ++order) points.push_back(sparse_cubature(Shape::tetrahedron, 2 * order).points.rows());
  EXPECT_EQ(points, (std::vector<Eigen::Index>{4, 14, 24, 46}));
}

TEST(SparseCubature, IsTheCollapsedRuleWhereNoneIsTabulated) {
  EXPECT_EQ(sparse_cubature(Shape::tetrahedron, 16).points.rows(), cubature(Shape::tetrahedron, 16).points.rows());
  EXPECT_EQ(sparse_cubature(Shape::line, 5).points.rows(), 3);
}

}  // namespace
}  // namespace swell
