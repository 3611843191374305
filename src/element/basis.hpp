// SPDX-License-Identifier: Apache-2.0
// Orthonormal modes, nodes and cubature on the reference shapes (host maths only).
#pragma once

#include <Eigen/Dense>
#include <array>

#include "element/shape.hpp"

namespace swell {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

// Jacobi polynomial P_n^(alpha,beta), orthonormal on [-1,1] with its weight, at x; and its derivative.
double jacobi(double x, double alpha, double beta, int n);
double jacobi_derivative(double x, double alpha, double beta, int n);

// Points are rows (points x dimension). Simplices: total degree <= order (Koornwinder-Dubiner); tensor shapes: degree
// <= order in each direction (products of Legendre polynomials); prisms: products of both; pyramids: element/pyramid.hpp. Modes come
// in lattice order of their degrees (i,j,k).
int mode_count(Shape shape, int order);
Matrix modes(Shape shape, int order, const Matrix& points);  // points x modes
std::array<Matrix, 3> mode_gradients(Shape shape, int order, const Matrix& points);

// Lattice index (i,j,k) counts steps along the reference axes, i fastest; on simplices i+j+k <= order (element/lattice.hpp).
// The equispaced lattice, in that order. Vertices come out in the shape's own vertex order when order = 1.
Matrix lattice(Shape shape, int order);
// Warp-and-blend nodes with optimised alpha on simplices (Warburton 2006; Hesthaven and Warburton 2008, tables of
// section 6.1 and 10.1), Gauss-Lobatto-Legendre products on tensor shapes and on the line, in lattice order. On the faces of
// prisms and pyramids they are those of tetrahedra and hexahedra.
Matrix nodes(Shape shape, int order);

struct Cubature {
  Matrix points;
  Vector weights;  // sum to the reference measure; all positive
};
// Gauss-Legendre products, collapsed Gauss-Jacobi on simplices; exact for total degree <= degree (simplices) or degree
// in each direction (tensor shapes; on pyramids of collapsed coordinates).
Cubature cubature(Shape shape, int degree);
// n + 1 Gauss-Lobatto-Legendre points and weights on [-1,1].
Cubature gauss_lobatto(int order);
Cubature gauss_jacobi(double alpha, double beta, int count);

// Points of the reference face, in coordinates of the element: reference vertex i of face_shape goes to
// face_vertices(shape, face)[i].
Matrix face_points(Shape shape, int face, const Matrix& points_on_face);

}  // namespace swell
