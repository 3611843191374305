// SPDX-License-Identifier: Apache-2.0
#include "element/basis.hpp"

#include "all_elements.hpp"

namespace swell {
namespace {

// The integral of prod ((1 + r_d) / 2)^n_d over the reference shape.
double shifted_monomial_integral(Shape shape, LatticeIndex power) {
  const int dim = dimension(shape);
  if (shape == Shape::prism)
    return shifted_monomial_integral(Shape::triangle, power) * 2 / (power[2] + 1.0);
  if (shape == Shape::pyramid)  // across at height z: (1 - z)^(i+1) / (i + 1)
    return 8 * std::beta(power[2] + 1.0, power[0] + power[1] + 3.0) / ((power[0] + 1.0) * (power[1] + 1.0));
  double value = std::exp2(dim);
  int total = 0;
  for (int d = 0; d < dim; ++d) {
    total += power[d];
    value *= is_simplex(shape) ? std::tgamma(power[d] + 1.0) : 1.0 / (power[d] + 1.0);
  }
  return is_simplex(shape) ? value / std::tgamma(total + dim + 1.0) : value;
}

double integrate(const Cubature& rule, LatticeIndex power) {
  return rule.weights.dot(monomial(0.5 * (rule.points.array() + 1.0), power));
}

TEST(Cubature, IntegratesAllMonomialsToItsDegree) {
  for (const Shape shape : cell_shapes)
    for (int degree = 0; degree <= (dimension(shape) == 3 ? 21 : 26); degree += dimension(shape) == 3 ? 3 : 1) {
      const Cubature rule = cubature(shape, degree);
      EXPECT_GT(rule.weights.minCoeff(), 0.0);
      EXPECT_NEAR(rule.weights.sum(), reference_measure(shape), 1e-13);
      double worst = 0.0;
      for (const LatticeIndex& power : monomials(shape, degree)) {
        const double exact = shifted_monomial_integral(shape, power);
        worst = std::max(worst, std::abs(integrate(rule, power) / exact - 1.0));
      }
      EXPECT_LT(worst, 1e-12) << label(shape, degree);
    }
}

TEST(Cubature, OfOddDegreeMissesAMonomialOneDegreeHigher) {
  for (const Shape shape : cell_shapes)
    for (int degree = 1; degree <= 5; degree += 2) {
      LatticeIndex power{};
      power[0] = degree + 1;
      const double exact = shifted_monomial_integral(shape, power);
      EXPECT_GT(std::abs(integrate(cubature(shape, degree), power) / exact - 1.0), 1e-8) << label(shape, degree);
    }
}

TEST(GaussLobatto, IsExactToTwiceItsOrderMinusOneAndHasBothEnds) {
  for (int order = 1; order <= 15; ++order) {
    const Cubature rule = gauss_lobatto(order);
    EXPECT_EQ(rule.points(0, 0), -1.0);
    EXPECT_EQ(rule.points(order, 0), 1.0);
    for (int n = 0; n < 2 * order; ++n)
      EXPECT_NEAR(integrate(rule, {n, 0, 0}), 2.0 / (n + 1.0), 1e-14) << "order " << order << ", degree " << n;
    if (order < 6) {
      EXPECT_GT(std::abs(integrate(rule, {2 * order, 0, 0}) - 2.0 / (2.0 * order + 1.0)), 1e-9);
    }
  }
}

TEST(GaussLobatto, HasThePointsOfTheTextbooks) {
  EXPECT_NEAR(gauss_lobatto(3).points(2, 0), std::sqrt(1.0 / 5.0), 1e-15);
  EXPECT_NEAR(gauss_lobatto(4).points(3, 0), std::sqrt(3.0 / 7.0), 1e-15);
  EXPECT_NEAR(gauss_lobatto(4).weights[2], 32.0 / 45.0, 1e-15);
}

TEST(Jacobi, PolynomialsAreOrthonormalWithTheirWeight) {
  for (const double alpha : {0.0, 1.0, 7.0})
    for (const double beta : {0.0, 1.0, 2.0}) {
      const Cubature rule = gauss_jacobi(alpha, beta, 14);
      for (int m = 0; m <= 12; ++m)
        for (int n = 0; n <= 12; ++n) {
          double sum = 0.0;
          for (int q = 0; q < 14; ++q) {
            const double x = rule.points(q, 0);
            sum += rule.weights[q] * jacobi(x, alpha, beta, m) * jacobi(x, alpha, beta, n);
          }
          EXPECT_NEAR(sum, m == n ? 1.0 : 0.0, 1e-12);
        }
    }
}

TEST(Jacobi, DerivativeIsTheLimitOfDifferences) {
  const double h = 1e-5;
  for (int n = 0; n <= 8; ++n)
    for (const double x : {-0.7, 0.1, 0.9}) {
      const double difference = (jacobi(x + h, 3.0, 0.0, n) - jacobi(x - h, 3.0, 0.0, n)) / (2.0 * h);
      EXPECT_NEAR(jacobi_derivative(x, 3.0, 0.0, n), difference, 1e-6 * (1.0 + std::abs(difference)));
    }
}

TEST(Modes, AreOrthonormal) {
  for (const Shape shape : cell_shapes)
    for (int order = 1; order <= (shape == Shape::hexahedron ? 6 : max_order(shape)); ++order) {
      const Cubature rule = cubature(shape, 2 * order);
      const Matrix values = modes(shape, order, rule.points);
      const Matrix gram = values.transpose() * rule.weights.asDiagonal() * values;
      const Matrix identity = Matrix::Identity(gram.rows(), gram.cols());
      EXPECT_LT((gram - identity).cwiseAbs().maxCoeff(), 1e-12) << label(shape, order);
    }
}

TEST(Modes, OfLowOrderAreThoseOfHighOrder) {
  for (const Shape shape : cell_shapes) {
    const Matrix points = nodes(shape, 4);
    const Matrix low = modes(shape, 3, points), high = modes(shape, 5, points);
    for (const LatticeIndex& degree : lattice_indices(shape, 3))
      EXPECT_EQ(low.col(lattice_number(shape, 3, degree)), high.col(lattice_number(shape, 5, degree)));
  }
}

// But for the apex of a pyramid, where its rational functions have no gradient.
TEST(Modes, HaveGradientsThatAreTheLimitOfDifferencesEvenAtVertices) {
  const double h = 1e-5;
  for (const Shape shape : cell_shapes) {
    const Matrix all = nodes(shape, 3), points = shape == Shape::pyramid ? Matrix(all.topRows(all.rows() - 1)) : all;
    const std::array<Matrix, 3> gradients = mode_gradients(shape, 5, points);
    for (int d = 0; d < dimension(shape); ++d) {
      Matrix ahead = points, behind = points;
      ahead.col(d).array() += h;
      behind.col(d).array() -= h;
      const Matrix difference = (modes(shape, 5, ahead) - modes(shape, 5, behind)) / (2.0 * h);
      EXPECT_LT((gradients[d] - difference).cwiseAbs().maxCoeff(), 1e-9 * gradients[d].squaredNorm());
    }
  }
}

TEST(FacePoints, SendReferenceVerticesToTheVerticesOfTheFace) {
  for (const Shape shape : cell_shapes)
    for (int face = 0; face < face_count(shape); ++face) {
      const Matrix corners = face_points(shape, face, lattice(face_shape(shape, face), 1));
      const Matrix vertices = lattice(shape, 1);
      for (std::size_t i = 0; i < face_vertices(shape, face).size(); ++i)
        EXPECT_EQ(corners.row(i), vertices.row(face_vertices(shape, face)[i]));
    }
}

}  // namespace
}  // namespace swell
