// SPDX-License-Identifier: Apache-2.0
// Triple products: the fill of the table of Jibben (2013), and the identities that any such integrals obey.
#include <cstdio>

#include "all_elements.hpp"
#include "element/triple.hpp"

namespace swell {
namespace {

// Dense copy, [test][coefficient][solution].
std::vector<double> dense(const TripleProducts& t) {
  std::vector<double> values(static_cast<std::size_t>(t.test_count) * t.coefficient_count * t.solution_count, 0.0);
  for (const TripleProducts::Entry& e : t.entries)
    values[(static_cast<std::size_t>(e.test) * t.coefficient_count + e.coefficient) * t.solution_count + e.solution] =
        e.value;
  return values;
}

std::vector<double> added(std::vector<double> a, const std::vector<double>& b, double factor) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += factor * b[i];
  return a;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

// Area-weighted outward normal of a reference face over the measure of the face's own reference shape.
Vector face_normal(Shape shape, int face) {
  const int dim = dimension(shape);
  Vector normal = Vector::Zero(dim);
  if (!is_simplex(shape))
    normal[face / 2] = face % 2 ? 1.0 : -1.0;
  else if (face == 0)
    normal = Vector::Ones(dim);  // area sqrt(d) times the face's own, and the unit normal has entries 1/sqrt(d)
  else
    normal[face - 1] = -1.0;
  return normal;
}

std::string printed(double percent) {  // three significant digits, as the table prints them
  char text[32];
  std::snprintf(text, sizeof text, "%#.3g", percent);
  return text;
}

TEST(Triples, HaveTheFillFractionsOfJibben) {
  const char* expected[4][4] = {{"12.5", "50.0", "6.25", "25.0"},
                                {"10.6", "40.7", "4.30", "16.6"},
                                {"10.1", "35.9", "3.63", "12.9"},
                                {"9.68", "33.6", "3.25", "11.3"}};
  for (int degree = 1; degree <= 4; ++degree) {
    const TripleDegrees degrees{degree, degree, degree};
    int column = 0;
    for (const Shape shape : {Shape::quadrilateral, Shape::hexahedron}) {
      SCOPED_TRACE(label(shape, degree));
      for (int d = 0; d < dimension(shape); ++d) {
        EXPECT_EQ(printed(100.0 * volume_triples(shape, degrees, {Factor::test, d}).fill()),
                  expected[degree - 1][column]);
        EXPECT_EQ(printed(100.0 * face_triples(shape, degrees, 2 * d).fill()), expected[degree - 1][column + 1]);
      }
      column += 2;
    }
  }
}

TEST(Triples, LeaveAWideGapBetweenZeroAndTheRest) {
  for (const Shape shape : modal_shapes)
    for (const int degree : {1, 2, 3, 4, dimension(shape) == 3 ? 5 : 8}) {
      SCOPED_TRACE(label(shape, degree));
      const auto check = [](const TripleProducts& t) {
        EXPECT_LT(t.largest_dropped, 1e-16L);
        EXPECT_GT(t.smallest_kept, 1e-8L);
      };
      const TripleDegrees degrees{degree, degree, degree};
      check(volume_triples(shape, degrees));
      for (const Factor factor : {Factor::test, Factor::coefficient})
        check(volume_triples(shape, degrees, {factor, dimension(shape) - 1}));
      if (shape == Shape::line || degree > 4) continue;
      for (int face = 0; face < face_count(shape); ++face) check(face_triples(shape, degrees, face));
    }
}

TEST(Triples, AreTheIntegralsThatCubatureGives) {
  for (const Shape shape : modal_shapes) {
    const TripleDegrees degrees{3, 2, 4};
    const Cubature rule = cubature(shape, 9);
    const Matrix test = modes(shape, 3, rule.points), coefficient = modes(shape, 2, rule.points);
    const Matrix solution = modes(shape, 4, rule.points);
    const auto slope = mode_gradients(shape, 2, rule.points);
    for (const bool differentiated : {false, true}) {
      SCOPED_TRACE(label(shape, 4) + (differentiated ? ", differentiated" : ""));
      const int direction = dimension(shape) - 1;
      const TripleProducts t = volume_triples(
          shape, degrees, {differentiated ? Factor::coefficient : Factor::none, differentiated ? direction : 0});
      const std::vector<double> values = dense(t);
      const Matrix& middle = differentiated ? slope[direction] : coefficient;
      double worst = 0.0;
      std::size_t place = 0;
      for (int i = 0; i < t.test_count; ++i)
        for (int k = 0; k < t.coefficient_count; ++k)
          for (int j = 0; j < t.solution_count; ++j) {
            const double expected =
                (rule.weights.array() * test.col(i).array() * middle.col(k).array() * solution.col(j).array()).sum();
            worst = std::max(worst, std::abs(expected - values[place++]));
          }
      EXPECT_LT(worst, 2e-13);
    }
  }
}

TEST(Triples, AreSortedWithRowStarts) {
  const TripleProducts t = volume_triples(Shape::tetrahedron, {3, 2, 3}, {Factor::solution, 1});
  ASSERT_EQ(static_cast<int>(t.row_start.size()), t.test_count + 1);
  EXPECT_EQ(t.row_start.back(), static_cast<int>(t.entries.size()));
  const auto key = [](const TripleProducts::Entry& e) { return std::array{e.test, e.coefficient, e.solution}; };
  for (std::size_t e = 1; e < t.entries.size(); ++e) EXPECT_LT(key(t.entries[e - 1]), key(t.entries[e]));
  for (int i = 0; i < t.test_count; ++i)
    for (int e = t.row_start[i]; e < t.row_start[i + 1]; ++e) EXPECT_EQ(t.entries[e].test, i);
}

TEST(Triples, ObeyIntegrationByParts) {
  for (const Shape shape : modal_shapes) {
    const TripleDegrees degrees = dimension(shape) == 3 ? TripleDegrees{3, 2, 3} : TripleDegrees{5, 4, 5};
    SCOPED_TRACE(label(shape, degrees.test));
    for (int d = 0; d < dimension(shape); ++d) {
      std::vector<double> sum = dense(volume_triples(shape, degrees, {Factor::test, d}));
      sum = added(sum, dense(volume_triples(shape, degrees, {Factor::coefficient, d})), 1.0);
      sum = added(sum, dense(volume_triples(shape, degrees, {Factor::solution, d})), 1.0);
      for (int face = 0; face < face_count(shape); ++face)
        sum = added(sum, dense(face_triples(shape, degrees, face)), -face_normal(shape, face)[d]);
      EXPECT_LT(largest_difference(sum, std::vector<double>(sum.size(), 0.0)), 1e-13);
    }
  }
}

TEST(Triples, DoNotDependOnTheOrderOfTheFactors) {
  for (const Shape shape : modal_shapes) {
    const TripleProducts t = volume_triples(shape, {3, 3, 3});
    const std::vector<double> values = dense(t);
    const std::size_t n = t.test_count;
    double worst = 0.0;
    for (const auto& e : t.entries) {
      const std::size_t i = e.test, k = e.coefficient, j = e.solution;
      worst = std::max(
          {worst, std::abs(e.value - values[(k * n + i) * n + j]), std::abs(e.value - values[(j * n + k) * n + i])});
    }
    EXPECT_LT(worst, 1e-15);
  }
}

TEST(Triples, WithAConstantCoefficientAreMassAndStiffness) {
  for (const Shape shape : modal_shapes) {
    const int degree = 4;
    const double constant = std::sqrt(reference_measure(shape));  // 1 / the constant mode
    const TripleProducts mass = volume_triples(shape, {degree, 0, degree});
    EXPECT_EQ(static_cast<int>(mass.entries.size()), mass.test_count);
    for (const auto& e : mass.entries) {
      EXPECT_EQ(e.test, e.solution);
      EXPECT_NEAR(e.value * constant, 1.0, 1e-15);
    }
    for (int d = 0; d < dimension(shape); ++d) {
      const Matrix derivative = mode_derivative(shape, degree, d);
      const std::vector<double> stiffness = dense(volume_triples(shape, {degree, 0, degree}, {Factor::solution, d}));
      double worst = 0.0;
      for (Eigen::Index i = 0; i < derivative.rows(); ++i)
        for (Eigen::Index j = 0; j < derivative.cols(); ++j)
          worst = std::max(worst, std::abs(stiffness[i * derivative.cols() + j] * constant - derivative(i, j)));
      EXPECT_LT(worst, 1e-14);
    }
  }
}

TEST(ModeDerivative, DifferentiatesModes) {
  for (const Shape shape : modal_shapes)
    for (const int order : {1, 4, 7}) {
      const Matrix points = nodes(shape, order);
      const Matrix values = modes(shape, order, points);
      const auto slopes = mode_gradients(shape, order, points);
      for (int d = 0; d < dimension(shape); ++d) {
        const Matrix difference = values * mode_derivative(shape, order, d) - slopes[d];
        EXPECT_LT(difference.cwiseAbs().maxCoeff(), 1e-13 * slopes[d].cwiseAbs().maxCoeff()) << label(shape, order);
      }
    }
}

TEST(TraceMatrix, GivesTheValuesOfModesOnEachFace) {
  for (const Shape shape : modal_shapes)
    for (const int order : {1, 3, 6})
      for (int face = 0; face < face_count(shape); ++face) {
        const Matrix points = nodes(face_shape(shape), order);
        const Matrix difference = modes(face_shape(shape), order, points) * trace_matrix(shape, order, face) -
                                  modes(shape, order, face_points(shape, face, points));
        EXPECT_LT(difference.cwiseAbs().maxCoeff(), 2e-13) << label(shape, order);
      }
}

// Values of the neighbour's modes at my face nodes, by the element's own table of coinciding nodes.
TEST(OrientationMatrix, TakesTheNeighboursTraceToMyFace) {
  for (const Shape shape : modal_shapes) {
    const int order = 4;
    const ReferenceElement& e = element_of(shape, order);
    const Shape face = face_shape(shape);
    Matrix face_nodes(e.face_node_count, e.dim - 1);  // the last face has the first coordinates of the element
    for (int i = 0; i < e.face_node_count; ++i)
      face_nodes.row(i) = e.nodes.row(e.face_node(e.face_count - 1, i)).head(e.dim - 1);
    const Matrix on_face = modes(face, order, face_nodes);
    for (int there = 0; there < e.face_count; ++there)
      for (int o = 0; o < orientation_count(face); ++o) {
        const Matrix change = orientation_matrix(face, order, o);
        EXPECT_LT((change * change.transpose() - Matrix::Identity(change.rows(), change.cols())).norm(), 1e-14);
        const Matrix values = on_face * change * trace_matrix(shape, order, there);
        const std::vector<int> coinciding = e.neighbour_nodes(there, o);
        double worst = 0.0;
        for (int i = 0; i < e.face_node_count; ++i)
          worst = std::max(worst, (values.row(i) - e.vandermonde.row(coinciding[i])).cwiseAbs().maxCoeff());
        EXPECT_LT(worst, 1e-13) << label(shape, order);
      }
  }
}

// With both factors of one function's trace from across, the integral is what that trace says on my face.
TEST(Triples, AcrossAFaceUseTheNeighboursTrace) {
  for (const Shape shape : modal_shapes) {
    const TripleDegrees degrees{2, 1, 2};
    const Shape face = face_shape(shape);
    const Cubature rule = cubature(face, 5);
    for (int mine = 0; mine < face_count(shape); ++mine)
      for (int o = 0; o < orientation_count(face); ++o) {
        const int theirs = (mine + 1) % face_count(shape);
        const auto across = [&](int degree) {
          return Matrix(modes(face, degree, rule.points) * orientation_matrix(face, degree, o) *
                        trace_matrix(shape, degree, theirs));
        };
        const Matrix test = modes(shape, 2, face_points(shape, mine, rule.points)), solution = across(2);
        const Matrix inside = modes(shape, 1, face_points(shape, mine, rule.points)), outside = across(1);
        for (const bool coefficient_outside : {true, false}) {
          const TripleProducts t = face_triples(shape, degrees, mine, Across{theirs, o, coefficient_outside, true});
          const std::vector<double> values = dense(t);
          const Matrix& coefficient = coefficient_outside ? outside : inside;
          double worst = 0.0;
          std::size_t place = 0;
          for (int i = 0; i < t.test_count; ++i)
            for (int k = 0; k < t.coefficient_count; ++k)
              for (int j = 0; j < t.solution_count; ++j)
                worst =
                    std::max(worst, std::abs(values[place++] - (rule.weights.array() * test.col(i).array() *
                                                                coefficient.col(k).array() * solution.col(j).array())
                                                                   .sum()));
          EXPECT_LT(worst, 1e-13) << label(shape, mine);
        }
      }
  }
}

TEST(Triples, OnAFaceDifferentiateAFactorFirst) {
  for (const Shape shape : modal_shapes) {
    const int direction = dimension(shape) - 1;
    const TripleProducts t = face_triples(shape, {2, 0, 3}, 1, {Factor::solution, direction});
    const Cubature rule = cubature(face_shape(shape), 5);
    const Matrix points = face_points(shape, 1, rule.points);
    const Matrix test = modes(shape, 2, points), slope = mode_gradients(shape, 3, points)[direction];
    const Matrix expected = test.transpose() * rule.weights.asDiagonal() * slope * modes(shape, 0, points)(0, 0);
    const std::vector<double> values = dense(t);
    double worst = 0.0;
    for (int i = 0; i < t.test_count; ++i)
      for (int j = 0; j < t.solution_count; ++j)
        worst = std::max(worst, std::abs(values[i * t.solution_count + j] - expected(i, j)));
    EXPECT_LT(worst, 1e-13);
  }
}

TEST(Triples, RefuseWrongRequests) {
  EXPECT_THROW(volume_triples(Shape::triangle, {1, -1, 1}), std::logic_error);
  EXPECT_THROW(volume_triples(Shape::triangle, {1, 1, 1}, {Factor::test, 2}), std::logic_error);
}

}  // namespace
}  // namespace swell
