// SPDX-License-Identifier: Apache-2.0
#include "element/element.hpp"
#include "element/line_rule.hpp"
#include "element/pyramid.hpp"

#include "all_elements.hpp"
#include "base/error.hpp"

namespace swell {
namespace {

Matrix monomial_values(const ReferenceElement& e, const std::vector<LatticeIndex>& powers, int derivative = -1) {
  Matrix values(e.node_count, powers.size());
  for (std::size_t i = 0; i < powers.size(); ++i) values.col(i) = monomial(e.nodes, powers[i], derivative);
  return values;
}

void expect_derivatives_of_monomials(Shape shape) {
  for (int order = 1; order <= max_order(shape); ++order) {
    const ReferenceElement& e = element_of(shape, order);
    const std::vector<LatticeIndex> powers = monomials(shape, order);
    const Matrix values = monomial_values(e, powers);
    for (int d = 0; d < e.dim; ++d) {
      const Matrix error = e.derivative[d] * values - monomial_values(e, powers, d);
      EXPECT_LT(error.cwiseAbs().maxCoeff(), 1e-11) << label(shape, order) << ", direction " << d;
    }
  }
}

TEST(Line, DifferentiatesAllMonomialsUpToItsOrder) { expect_derivatives_of_monomials(Shape::line); }
TEST(Triangle, DifferentiatesAllMonomialsUpToItsOrder) { expect_derivatives_of_monomials(Shape::triangle); }
TEST(Quadrilateral, DifferentiatesAllMonomialsUpToItsOrder) { expect_derivatives_of_monomials(Shape::quadrilateral); }
TEST(Tetrahedron, DifferentiatesAllMonomialsUpToItsOrder) { expect_derivatives_of_monomials(Shape::tetrahedron); }
TEST(Hexahedron, DifferentiatesAllMonomialsUpToItsOrder) { expect_derivatives_of_monomials(Shape::hexahedron); }
TEST(Prism, DifferentiatesAllMonomialsUpToItsOrder) { expect_derivatives_of_monomials(Shape::prism); }
TEST(Pyramid, DifferentiatesAllMonomialsUpToItsOrder) { expect_derivatives_of_monomials(Shape::pyramid); }

TEST(Derivative, OfAConstantIsZeroToRounding) {
  on_every_element([](const ReferenceElement& e) {
    for (int d = 0; d < e.dim; ++d) {
      const double rounding = 1e-15 * e.derivative[d].cwiseAbs().rowwise().sum().maxCoeff();
      EXPECT_LE(e.derivative[d].rowwise().sum().cwiseAbs().maxCoeff(), rounding);
    }
  });
}

TEST(Vandermonde, HasItsInverse) {
  on_every_element([](const ReferenceElement& e) {
    if (e.node_count > 600) return;  // a product of the line's matrices, which are tested
    const Matrix error = e.vandermonde * e.inverse_vandermonde - Matrix::Identity(e.node_count, e.node_count);
    EXPECT_LT(error.cwiseAbs().maxCoeff(), 1e-12);
  });
}

TEST(Mass, IsTheIntegralOfProductsOfInterpolants) {
  on_every_element([](const ReferenceElement& e) {
    EXPECT_NEAR(e.mass.rowwise().sum().sum(), reference_measure(e.shape), 1e-12);
    if (e.node_count > 400) return;
    const Cubature rule = cubature(e.shape, 2 * e.order);
    const Matrix values = e.interpolation(rule.points);
    const Matrix by_cubature = values.transpose() * rule.weights.asDiagonal() * values;
    EXPECT_LT((e.mass - by_cubature).cwiseAbs().maxCoeff(), 1e-12);
  });
}

// Where the exact mass matrix of a shape is multiplied densely: hexahedra have 1331 nodes at their highest order.
int highest_dense_order(Shape shape) { return shape == Shape::hexahedron ? 6 : shape == Shape::prism ? 8 : max_order(shape); }

TEST(Lift, IsTheExactFaceIntegral) {
  for (const Shape shape : cell_shapes)
    for (int order = 1; order <= highest_dense_order(shape); ++order) {
      SCOPED_TRACE(label(shape, order));
      const ReferenceElement& e = element_of(shape, order);
      const Matrix integrals = e.mass * e.lift;
      for (int face = 0; face < e.face_count; ++face) {
        const Cubature rule = cubature(face_shape(shape, face), 2 * order);
        const Matrix values = e.interpolation(face_points(shape, face, rule.points));
        const Matrix expected = values.transpose() * rule.weights.asDiagonal() * values;
        for (int i = 0; i < e.face_node_count; ++i) {
          if (i >= e.face_size(face)) {
            EXPECT_EQ(e.lift.col(face * e.face_node_count + i).cwiseAbs().maxCoeff(), 0);
            continue;
          }
          const Vector error = integrals.col(face * e.face_node_count + i) - expected.col(e.face_node(face, i));
          EXPECT_LT(error.cwiseAbs().maxCoeff(), 1e-12);
        }
      }
    }
}

TEST(Lift, OfTensorShapesReachesOneLineOfNodes) {
  for (const Shape shape : {Shape::quadrilateral, Shape::hexahedron})
    for (int order = 1; order <= max_order(shape); ++order) {
      const ReferenceElement& e = element_of(shape, order);
      for (std::size_t column = 0; column < e.face_nodes.size(); ++column) {
        EXPECT_EQ((e.lift.col(column).array() != 0.0).count(), order + 1);
        // M^-1 of a line begins and ends with (n + 1)^2 / 2.
        EXPECT_NEAR(e.lift(e.face_nodes[column], column), (order + 1) * (order + 1) / 2.0, 1e-10);
      }
    }
}

TEST(LineRule, PassesBetweenNodesAndPointsWithoutLoss) {
  for (int order = 1; order <= max_order(Shape::line); ++order) {
    const LineRule line(order);
    const Matrix identity = Matrix::Identity(order + 1, order + 1);
    EXPECT_LT((line.to_points * line.to_nodes - identity).cwiseAbs().maxCoeff(), 1e-12) << order;
    const ReferenceElement edge(Shape::line, order);
    EXPECT_LT((line.derivative * line.to_points - line.to_points * edge.derivative[0]).cwiseAbs().maxCoeff(), 1e-10) << order;
    for (int end = 0; end < 2; ++end)
      EXPECT_LT((line.ends.row(end) * line.to_points - identity.row(end * order)).cwiseAbs().maxCoeff(), 1e-12) << order;
  }
}

// (phi', f) + (phi, f') = phi f at the ends, for polynomials through values at the points.
TEST(LineRule, ObeysIntegrationByParts) {
  for (int order = 1; order <= max_order(Shape::line); ++order) {
    const LineRule line(order);
    Matrix ends = Matrix::Zero(order + 1, order + 1);
    for (int end = 0; end < 2; ++end) ends += (end == 0 ? -1 : 1) * line.end_weights.row(end).transpose() * line.ends.row(end);
    EXPECT_LT((line.weak + line.derivative - ends).cwiseAbs().maxCoeff(), 1e-10) << order;
  }
}

// Outward normal of a face times its measure over that of its reference shape.
Eigen::Vector3d scaled_normal(Shape shape, int face) {
  if (shape == Shape::line) return face == 0 ? Eigen::Vector3d::UnitX() : Eigen::Vector3d(-Eigen::Vector3d::UnitX());
  const Matrix vertices = lattice(shape, 1);
  const auto at = [&](int i) {
    Eigen::Vector3d x = Eigen::Vector3d::Zero();
    x.head(dimension(shape)) = vertices.row(face_vertices(shape, face)[i]).transpose();
    return x;
  };
  const bool flat = dimension(shape) == 2;
  const Eigen::Vector3d first = 0.5 * (at(1) - at(0));
  const Eigen::Vector3d second = flat ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d(0.5 * (at(2) - at(0)));
  Eigen::Vector3d normal = first.cross(second);
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  centre.head(dimension(shape)) = vertices.colwise().mean().transpose();
  return normal.dot(at(0) - centre) < 0.0 ? Eigen::Vector3d(-normal) : normal;
}

// The divergence theorem for products of interpolants: M D + (M D)^T = sum over faces of n E. It ties mass, derivative,
// lift and face nodes together, and is what makes the scheme conserve and bound energy.
TEST(Lift, AndDerivativeObeyTheDivergenceTheorem) {
  for (const Shape shape : cell_shapes)
    for (int order = 1; order <= highest_dense_order(shape); ++order) {
      SCOPED_TRACE(label(shape, order));
      const ReferenceElement& e = element_of(shape, order);
      const Matrix integrals = e.mass * e.lift;
      for (int d = 0; d < e.dim; ++d) {
        const Matrix stiffness = e.mass * e.derivative[d];
        Matrix surface = Matrix::Zero(e.node_count, e.node_count);
        for (int face = 0; face < e.face_count; ++face)
          for (int i = 0; i < e.face_size(face); ++i)
            surface.col(e.face_node(face, i)) +=
                scaled_normal(shape, face)[d] * integrals.col(face * e.face_node_count + i);
        EXPECT_LT((stiffness + stiffness.transpose() - surface).cwiseAbs().maxCoeff(), 1e-12);
      }
    }
}

// With the Jacobian alpha + beta a + gamma b + delta ab of a straight pyramid's map, a and b its collapsed coordinates.
TEST(Pyramid, HasFunctionsThatAreOrthogonalOnEveryStraightPyramid) {
  const auto jacobian = [](const auto& x) {
    const double a = 2 * (1 + x(0)) / (1 - x(2)) - 1, b = 2 * (1 + x(1)) / (1 - x(2)) - 1;
    return 1 + 0.3 * a - 0.4 * b + 0.2 * a * b;
  };
  for (int order = 1; order <= max_order(Shape::pyramid); ++order) {
    const ReferenceElement& e = element_of(Shape::pyramid, order);
    const PyramidPoints functions = pyramid_points(order);
    const Cubature rule = cubature(Shape::pyramid, 2 * order + 1);
    const Matrix values = e.interpolation(rule.points) * functions.to_nodes;
    Vector weights = rule.weights;
    for (Eigen::Index p = 0; p < weights.size(); ++p) weights(p) *= jacobian(rule.points.row(p));
    Matrix mass = values.transpose() * weights.asDiagonal() * values;
    for (int n = 0; n < e.node_count; ++n) mass(n, n) -= jacobian(functions.points.row(n));
    EXPECT_LT(mass.cwiseAbs().maxCoeff(), 1e-12) << order;
    EXPECT_LT((functions.to_nodes * functions.from_nodes - Matrix::Identity(e.node_count, e.node_count)).cwiseAbs().maxCoeff(), 1e-11)
        << order;
  }
}

TEST(FaceDirection, IsTheOutwardNormalOfTheReferenceFace) {
  for (const Shape shape : cell_shapes)
    for (int face = 0; face < face_count(shape); ++face)
      for (int d = 0; d < dimension(shape); ++d) EXPECT_EQ(face_direction(shape, face)[d], scaled_normal(shape, face)[d]) << shape_name(shape) << face;
}

TEST(ReferenceElement, RefusesOrdersThatItDoesNotHave) {
  EXPECT_THROW(ReferenceElement(Shape::triangle, 0), InputError);
  EXPECT_THROW(ReferenceElement(Shape::triangle, 13), InputError);
  EXPECT_THROW(ReferenceElement(Shape::hexahedron, 11), InputError);
}

}  // namespace
}  // namespace swell
