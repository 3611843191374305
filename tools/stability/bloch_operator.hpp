// SPDX-License-Identifier: Apache-2.0
// The DG operator with upwind flux, nodal or modal, on a periodic lattice of cells, for one Bloch phase, or in walled cells.
#pragma once

#include <Eigen/Eigenvalues>
#include <Eigen/SparseCore>
#include <complex>
#include <random>
#include <vector>

#include "element/element.hpp"
#include "element/lattice.hpp"
#include "systems.hpp"

namespace swell::stability {

using Complex = std::complex<double>;
using Field = Eigen::Matrix<Complex, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;  // nodes x (cells * fields)
using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;

// The element's matrices in modes, in which the energy is the Euclidean norm: the operator is dissipative there, and no
// Ritz value lies right of the imaginary axis.
struct EnergyElement {
  explicit EnergyElement(const ReferenceElement& element) : e(element) {
    const Sparse from = e.vandermonde.sparseView(), to = e.inverse_vandermonde.sparseView();
    for (int d = 0; d < e.dim; ++d) derivative[d] = to * Sparse(e.derivative[d].sparseView()) * from;
    lift = to * Sparse(e.lift.sparseView());
    Sparse face_values(e.face_count * e.face_node_count, e.node_count);
    for (int row = 0; row < face_values.rows(); ++row) face_values.insert(row, e.face_nodes[row]) = 1.0;
    trace = face_values * from;
  }

  const ReferenceElement& e;
  std::array<Sparse, 3> derivative;
  Sparse lift, trace;
};

// The cells of one parallelepiped: two triangles, Kuhn's six tetrahedra, or one tensor cell. Vertices by bits: bit d
// set is one step along lattice vector d.
inline std::vector<std::vector<int>> cells_of(Shape shape) {
  switch (shape) {
    case Shape::line: return {{0, 1}};
    case Shape::triangle: return {{0, 1, 2}, {1, 3, 2}};
    case Shape::quadrilateral: return {{0, 1, 2, 3}};
    case Shape::hexahedron: return {{0, 1, 2, 3, 4, 5, 6, 7}};
    default: return {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}};
  }
}

class BlochOperator {
 public:
  BlochOperator(const EnergyElement& element, const Eigen::MatrixXd& lattice, const System& system)
      : m_(element), e_(element.e), fields_(system.fields()) {
    for (const std::vector<int>& cell : cells_of(e_.shape)) place(lattice, cell, system);
    connect(lattice);
    reflection_ = {Eigen::VectorXcd::Ones(fields_), Eigen::VectorXcd::Ones(fields_)};
    reflection_[0].tail(fields_ - system.first_block) *= -1.0;
    reflection_[1].head(system.first_block) *= -1.0;
  }

  int nodes() const { return e_.node_count; }
  int columns() const { return static_cast<int>(along_.size()) * fields_; }
  // The metric of the automatic time step, largest over the cells (time/stability.hpp).
  double metric() const { return metric_; }
  // One over the way from the middle of a cell to its nearest face, largest over the cells.
  double crossing() const { return crossing_; }

  void set_phase(const Eigen::VectorXd& angles) {
    for (Face& face : faces_) {
      face.wall = -1;
      face.phase = std::polar(1.0, angles.dot(face.shift));
    }
  }
  // Every cell alone, between walls that reverse the system's first block (bit of the face set) or its second.
  void set_walls(unsigned first_reversed) {
    for (Face& face : faces_) face.wall = (first_reversed >> face.number) & 1;
  }

  // -A_d u_x(d): each cell alone.
  Field apply_local(const Field& u) const {
    Field result = Field::Zero(u.rows(), u.cols());
    for (int d = 0; d < e_.dim; ++d) {
      const Field slope = times(m_.derivative[d], u);
      for (std::size_t c = 0; c < along_.size(); ++c)
        result.middleCols(c * fields_, fields_) -= slope.middleCols(c * fields_, fields_) * along_[c][d];
    }
    return result;
  }
  // -A_d u_x(d) + lift (A_n)^- (u - u_neighbour), (A)^- = (A - |A|) / 2: strong form, upwind.
  Field apply(const Field& u) const {
    const Field trace = times(m_.trace, u);
    Field jump(trace.rows(), trace.cols());
    for (const Face& face : faces_)
      for (int i = 0; i < e_.face_node_count; ++i) {
        const int row = face.number * e_.face_node_count + i;
        const Eigen::RowVectorXcd mine = trace.row(row).segment(face.cell * fields_, fields_);
        const Eigen::RowVectorXcd other =
            face.wall >= 0 ? Eigen::RowVectorXcd(mine.cwiseProduct(reflection_[face.wall].transpose()))
                           : face.phase * trace.row(face.neighbour_rows[i]).segment(face.neighbour * fields_, fields_);
        jump.row(row).segment(face.cell * fields_, fields_) = (mine - other) * face.inflow;
      }
    return apply_local(u) + times(m_.lift, jump);
  }

 private:
  struct Face {
    int cell = 0, number = 0, neighbour = -1, wall = -1;
    Eigen::MatrixXd points;           // face nodes in space
    Eigen::MatrixXcd inflow;          // (A_n)^- times the ratio of face and cell Jacobians
    Eigen::VectorXd shift;            // lattice steps to the neighbour
    std::vector<int> neighbour_rows;  // rows of the trace
    Complex phase = 1.0;
  };

  const EnergyElement& m_;
  const ReferenceElement& e_;
  int fields_;
  double metric_ = 0.0, crossing_ = 0.0;
  std::array<Eigen::VectorXcd, 2> reflection_;
  std::vector<std::vector<Eigen::MatrixXcd>> along_;  // [cell][d]: sum over x of A_x dr_d/dx
  std::vector<Face> faces_;

  static Field times(const Sparse& matrix, const Field& u) {  // complex numbers are pairs of real columns
    Field result(matrix.rows(), u.cols());
    Eigen::Map<Matrix>(reinterpret_cast<double*>(result.data()), result.rows(), 2 * u.cols()).noalias() =
        matrix * Eigen::Map<const Matrix>(reinterpret_cast<const double*>(u.data()), u.rows(), 2 * u.cols());
    return result;
  }

  // Outward normal of a reference face, times the measure of the face over that of its own reference shape.
  Eigen::VectorXd reference_normal(int face) const {
    if (!is_simplex(e_.shape)) return (face % 2 == 0 ? -1.0 : 1.0) * Eigen::VectorXd::Unit(e_.dim, face / 2);
    return face == 0 ? Eigen::VectorXd::Ones(e_.dim) : Eigen::VectorXd(-Eigen::VectorXd::Unit(e_.dim, face - 1));
  }

  void place(const Eigen::MatrixXd& lattice, const std::vector<int>& vertices, const System& system) {
    const auto corner = [&](int v) {
      Eigen::VectorXd x = Eigen::VectorXd::Zero(e_.dim);
      for (int d = 0; d < e_.dim; ++d)
        if (vertices[v] >> d & 1) x += lattice.col(d);
      return x;
    };
    Eigen::MatrixXd jacobian(e_.dim, e_.dim);
    for (int d = 0; d < e_.dim; ++d)
      jacobian.col(d) = 0.5 * (corner(is_simplex(e_.shape) ? d + 1 : 1 << d) - corner(0));
    const Eigen::MatrixXd gradients = jacobian.inverse();  // row d: gradient of r_d
    const int cell = static_cast<int>(along_.size());
    along_.emplace_back();
    for (int d = 0; d < e_.dim; ++d) along_.back().push_back(system.across(gradients.row(d).transpose()));
    double face_sum = 0.0;
    for (int number = 0; number < e_.face_count; ++number) {
      const Eigen::VectorXd normal = gradients.transpose() * reference_normal(number);
      crossing_ = std::max(crossing_, normal.norm() * (is_simplex(e_.shape) ? (e_.dim + 1) / 2.0 : 1.0));
      face_sum += normal.norm() * reference_measure(face_shape(e_.shape)) / reference_measure(e_.shape);
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> waves(system.across(normal));
      Face face;
      face.cell = cell;
      face.number = number;
      face.inflow =
          waves.eigenvectors() * waves.eigenvalues().cwiseMin(0.0).asDiagonal() * waves.eigenvectors().transpose();
      face.points.resize(e_.dim, e_.face_node_count);
      for (int i = 0; i < e_.face_node_count; ++i)
        face.points.col(i) =
            corner(0) + jacobian * (e_.nodes.row(e_.face_node(number, i)).transpose().array() + 1.0).matrix();
      faces_.push_back(face);
    }
    metric_ = std::max(metric_, is_simplex(e_.shape) ? face_sum : gradients.rowwise().norm().sum());
  }

  // Nodes are matched by where they are: independent of the numbering of faces and orientations.
  void connect(const Eigen::MatrixXd& lattice) {
    for (Face& mine : faces_)
      for (const Face& other : faces_) {
        const Eigen::VectorXd steps = lattice.inverse() * (mine.points - other.points).rowwise().mean();
        const Eigen::VectorXd whole = steps.array().round();
        if (&mine == &other || (steps - whole).norm() > 1e-9) continue;
        mine.shift = whole;
        mine.neighbour = other.cell;
        for (int i = 0; i < e_.face_node_count; ++i) {
          Eigen::Index nearest;
          const Eigen::VectorXd place = mine.points.col(i) - lattice * whole;
          (other.points.colwise() - place).colwise().norm().minCoeff(&nearest);
          mine.neighbour_rows.push_back(other.number * e_.face_node_count + static_cast<int>(nearest));
        }
        break;
      }
  }
};

// Eigenvalues of the operator's projection on a Krylov space (Arnoldi 1951): all of a small operator, of a large one
// the outermost first, which decide about the step.
template <class Apply>
std::vector<Complex> eigenvalues(int rows, int columns, int krylov, const Apply& apply) {
  const int size = rows * columns, steps = std::min(size, krylov);
  std::mt19937 generator(7);
  std::normal_distribution<double> number;
  Eigen::MatrixXcd basis(size, steps + 1), projection = Eigen::MatrixXcd::Zero(steps + 1, steps);
  for (Complex& x : basis.col(0)) x = Complex(number(generator), number(generator));
  basis.col(0).normalize();
  int found = steps;
  for (int n = 0; n < steps; ++n) {
    const Field image = apply(Eigen::Map<const Field>(basis.col(n).data(), rows, columns));
    Eigen::VectorXcd next = Eigen::Map<const Eigen::VectorXcd>(image.data(), size);
    const double norm = next.norm();
    for (int repeat = 0; repeat < 2; ++repeat) {
      const Eigen::VectorXcd part = basis.leftCols(n + 1).adjoint() * next;
      next -= basis.leftCols(n + 1) * part;
      projection.col(n).head(n + 1) += part;
    }
    projection(n + 1, n) = next.norm();
    if (next.norm() <= 1e-12 * norm) {  // an invariant space
      found = n + 1;
      break;
    }
    basis.col(n + 1) = next.normalized();
  }
  const Eigen::ComplexEigenSolver<Eigen::MatrixXcd> solver(projection.topLeftCorner(found, found), false);
  return {solver.eigenvalues().data(), solver.eigenvalues().data() + found};
}

inline std::vector<Complex> eigenvalues(const BlochOperator& op, int krylov) {
  return eigenvalues(op.nodes(), op.columns(), krylov, [&](const Field& u) { return op.apply(u); });
}

}  // namespace swell::stability
