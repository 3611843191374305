// SPDX-License-Identifier: Apache-2.0
// The operator's right-hand side once more, written plainly: dense matrices, one cell after the other, the weak form by
// quadrature
//   (phi, J w) = sum_d (d_d phi, F(q) . J grad r_d) - <phi, F* |J_face|>,   rate = P [ M(x)^-1 (w + sources) ],
// with neighbours matched by the places of their vertices. On straight cells everything is exact, and weak and strong
// form are the same; so they are on tensor shapes whose map is bilinear or trilinear, at Gauss points. On other tensor
// cells the operator takes their mean. With two-point fluxes everything is at the Gauss-Lobatto nodes, in strong form. Straight
// simplices inside which material varies divide by a mass with weights at points of their own, and a face may have one material on
// each side (AdjustedMass::face); both are taken from the operator.
#pragma once

#include "dg/group_data.hpp"
#include "element/element.hpp"
#include "mesh/geometry.hpp"
#include "model/adjusted_mass.hpp"
#include "model/model_probe.hpp"
#include "model/problem.hpp"

namespace swell {

using State = std::vector<Matrix>;  // [cell]: nodes x fields

class DenseOperator {
 public:
  DenseOperator(const Problem& problem, const ModelProbe& probe);
  State rate(const State& q, double t) const;
  // Integral of M(x) values over the mesh, and of |M(x) values|, for each field.
  std::pair<Vector, Vector> integral_of_mass_times(const State& values) const;
  // a . W b, where W is the mass that the rate divides by: the weight-adjusted one, (M T M^-1)^-1 with T = P 1/(J
  // M(x)). Only for models whose mass does not mix fields.
  double weighted_product(const State& a, const State& b) const;

 protected:
  struct Face {
    Matrix x, normal;  // unit normals
    Vector weight;     // quadrature weight times |J_face|
  };
  Matrix material(std::int64_t cell, const Matrix& x, double t) const;
  Matrix expressions(const std::vector<Expression>& all, const Matrix& x, double t) const;
  // The element's nodes on a face, in coordinates of the reference face.
  Matrix nodes_on_face(int face) const;
  Face face_geometry(std::int64_t cell, int face, const Matrix& reference, const Vector& weights) const;
  bool at_points(std::int64_t cell) const;
  bool needs_points(std::int64_t cell) const;
  bool weighed(std::int64_t cell) const;
  bool takes_mean(std::int64_t cell) const;
  std::pair<Matrix, Matrix> behind(const State& q, std::int64_t cell, int face, const Matrix& own_material,
                                   double t) const;
  Matrix ghost(const BoundarySpec& spec, const Matrix& own, const Matrix& m, const Matrix& n, const Matrix& x,
               double t) const;
  Matrix wave(const WaveSpec& wave, const Matrix& m, const Matrix& x, double t) const;
  Matrix numerical_flux(const Matrix& ql, const Matrix& ml, const Matrix& qr, const Matrix& mr, const Matrix& n) const;
  std::vector<Eigen::MatrixXd> jacobians(std::int64_t cell, const CellMap& map) const;
  Matrix places(std::int64_t cell, const CellMap& map) const;

  Matrix pair_terms(const Matrix& q, const Matrix& m, const std::vector<Eigen::MatrixXd>& jacobian) const;
  // Where the mass of a cell is weighed.
  struct Rule {
    Vector weights;
    Matrix values;
    CellMap map;
  };
  const Rule& rule_of(std::int64_t cell) const { return weighed(cell) ? light_ : full_; }

  const Problem& problem_;
  const Mesh& mesh_;
  const ModelProbe& probe_;
  ReferenceElement element_;
  Cubature volume_, side_;
  Matrix values_, inverse_mass_;
  std::array<Matrix, 3> slopes_;
  CellMap map_;
  Elements elements_;
  MaterialField field_;
  AdjustedMass adjusted_;
  GroupPoints light_points_;
  Rule full_, light_;
};

}  // namespace swell
