// SPDX-License-Identifier: Apache-2.0
// Building a level set: where cells lie, their geometry and neighbours, and the kernels.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "base/error.hpp"
#include "base/timer.hpp"
#include "dg/levelset/levelset.hpp"
#include "dg/levelset/text.hpp"
#include "dg/transfer.hpp"
#include "element/triple.hpp"
#include "mesh/geometry.hpp"
#include "model/separated.hpp"

namespace swell {

namespace {

// Elements side by side in memory where each thread has one: a warp reads consecutive numbers.
constexpr int thread_width = 32;

// Gauss rules for products of three polynomials of the order: test, velocity, solution.
int exact_degree(int order) { return 3 * order; }

// Gradients use the trace of G from that side of a face whose outward normal points along this direction: no face of a mesh is
// likely to lie along it.
constexpr double giving_side[3] = {0.8163, 0.5217, 0.2477};

// The largest singular value, squared, by the power method: to well below a percent, which is all that a step needs.
template <class AnyMatrix>
double largest_square(const AnyMatrix& matrix) {
  constexpr int iterations = 200;
  Eigen::VectorXcd vector = Eigen::VectorXcd::Ones(matrix.cols());
  for (Eigen::Index i = 0; i < vector.size(); ++i) vector[i] += 0.1 * static_cast<double>(i);
  double square = 0;
  for (int i = 0; i < iterations; ++i) {
    vector = (matrix.adjoint() * (matrix * vector)).eval();
    square = vector.norm();
    if (square == 0) return 0;
    vector /= square;
  }
  return square;
}

// The square of the norm of the one-sided gradient along a line of cells, each of the reference length: the largest over
// the waves of all lengths.
double line_gradient(int order) {
  constexpr int waves = 64;
  const Matrix derivative = mode_derivative(Shape::line, order, 0);
  Matrix ends(2, 1);
  ends << -1, 1;
  const Matrix at_ends = modes(Shape::line, order, ends);
  double most = 0;
  for (int k = 0; k <= waves; ++k) {
    const auto phase = std::polar(1.0, -std::numbers::pi * k / waves);
    const Eigen::MatrixXcd jump = at_ends.row(1).cast<std::complex<double>>() * phase - at_ends.row(0);
    const Eigen::MatrixXcd gradient = derivative - at_ends.row(0).transpose() * jump;
    most = std::max(most, largest_square(gradient));
  }
  return most;
}

// The square of the norm of the one-sided gradient on simplices, over (S + 2 M) / 2, S being the sum and M the largest of the
// squares of the gradients of the cell's barycentric coordinates, scaled to go from -1 to 1: measured by singular values over
// Bloch waves on lattices of right, equilateral, sheared and flat triangles (orders 1 to 10) and of Kuhn's tetrahedra (orders
// 1 to 6). The square root grows as (order + 3/2)^2 to within 3 %; the margin is for the worst of these shapes.
double simplex_gradient(Shape shape, int order) {
  const double square = (order + 1.5) * (order + 1.5);
  const double root = shape == Shape::triangle ? 1.06 * (0.46 * square + 0.4) : 1.125 * (0.4875 * square + 1.59);
  return root * root;
}

}  // namespace

LevelSet::LevelSet(LevelSetProblem problem, Device& device, std::vector<std::int64_t> cell_of_slot)
    : problem_(std::move(problem)),
      device_(device),
      element_(problem_.mesh->shape(), problem_.order),
      cell_of_slot_(std::move(cell_of_slot)) {
  size_.shape = element_.shape;
  size_.order = problem_.order;
  size_.dim = element_.dim;
  size_.faces = element_.face_count;
  size_.modes = element_.node_count;
  size_.face_modes = element_.face_node_count;
  size_.rule = cubature(element_.shape, exact_degree(problem_.order));
  size_.face_rule = cubature(face_shape(element_.shape), exact_degree(problem_.order));
  size_.lanes = device_.lanes(problem_.precision);
  form_teams(size_, device_.info(), problem_.precision);
  size_.width = size_.team ? 1 : device_.info().simt ? thread_width : size_.lanes;
  if (auto parts = separate(problem_.velocity)) {
    factor_ = std::move(parts->factor);
    field_ = std::move(parts->field);
  } else {
    field_ = problem_.velocity;
  }
  for (const auto& region : field_)
    for (const Expression& u : region) field_in_time_ = field_in_time_ || u.uses("t");
  place_cells();
  build_geometry();
  const auto allocate = [&](std::int64_t rows, std::string_view label) {
    return device_.allocate(slots_ * rows * bytes_of(problem_.precision), label);
  };
  const int dim = size_.dim, face_values = size_.faces * size_.face_modes;
  velocity_ = allocate(dim * size_.modes, "velocity");
  normal_velocity_ = allocate(face_values, "normal velocity");
  traces_ = device_.allocate(trace_slots_ * face_values * bytes_of(problem_.precision), "traces");
  compile();
  build_halo();
}

void LevelSet::place_cells() {
  const Mesh& mesh = *problem_.mesh;
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell)
    if (!is_affine(mesh, cell))
      throw InputError("A level set needs affine cells, but {} of {} is curved or no parallelogram.", mesh.label(cell),
                       mesh.name);
  if (cell_of_slot_.empty()) {
    cell_of_slot_ = space_filling_order(mesh);
    std::erase_if(cell_of_slot_, [&](std::int64_t cell) { return cell >= mesh.own_count(); });
  }
  const std::int64_t together = std::max(size_.width, size_.elements);
  slots_ = (static_cast<std::int64_t>(cell_of_slot_.size()) + together - 1) / together * together;
  cell_of_slot_.resize(slots_, -1);
  slot_of_cell_.assign(mesh.cell_count(), 0);
  for (std::int64_t slot = 0; slot < slots_; ++slot)
    if (cell_of_slot_[slot] >= 0) slot_of_cell_[cell_of_slot_[slot]] = slot;
  const std::int64_t halo = mesh.cell_count() - mesh.own_count();
  for (std::int64_t i = 0; i < halo; ++i) slot_of_cell_[mesh.own_count() + i] = slots_ + i;
  trace_slots_ = slots_ + (halo + size_.width - 1) / size_.width * size_.width;
}

std::vector<double> LevelSet::by_lanes(const std::vector<double>& rows, int count) const {
  std::vector<double> result(rows.size());
  const std::int64_t width = size_.width;
  for (std::int64_t slot = 0; slot < slots_; ++slot)
    for (int row = 0; row < count; ++row)
      result[(slot / width * count + row) * width + slot % width] = rows[slot * count + row];
  return result;
}

void LevelSet::build_geometry() {
  const Mesh& mesh = *problem_.mesh;
  const int dim = size_.dim, faces = size_.faces;
  const int affine_rows = dim * (dim + 1), rows = dim * dim + 1, face_rows = dim + 4;
  const bool simplex = is_simplex(size_.shape);
  const CellMap map(mesh, Matrix::Zero(1, dim));
  const double reference_decay =
      is_simplex(size_.shape) ? simplex_gradient(size_.shape, size_.order) : line_gradient(size_.order);
  std::vector<double> affine(slots_ * affine_rows), geometry(slots_ * rows), face_geometry(slots_ * faces * face_rows);
  std::vector<std::int32_t> neighbour(slots_ * faces * 2), region(slots_);
  for (std::int64_t slot = 0; slot < slots_; ++slot) {
    const std::int64_t cell = cell_of_slot_[slot];
    geometry[slot * rows + dim * dim] = 1;  // of padding, so that nothing there is ever divided by 0
    if (cell < 0) continue;
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, 3, 3> jacobian(dim, dim);
    map.coordinates(cell, &affine[slot * affine_rows]);
    map.jacobians(cell, jacobian.data());
    for (int d = 0; d < dim; ++d)
      for (int k = 0; k < dim; ++k) affine[slot * affine_rows + dim * (d + 1) + k] = jacobian(k, d);
    const double determinant = jacobian.determinant();
    double slopes = 0;
    const Matrix inverse = jacobian.inverse();  // row d: grad r_d
    for (int d = 0; d < dim; ++d)
      for (int k = 0; k < dim; ++k)
        geometry[slot * rows + d * dim + k] = inverse(d, k), slopes += inverse(d, k) * inverse(d, k);
    geometry[slot * rows + dim * dim] = 1 / determinant;
    if (simplex) {
      const double last = inverse.colwise().sum().squaredNorm();
      slopes = 0.5 * (slopes + last) + std::max(last, inverse.rowwise().squaredNorm().maxCoeff());
    }
    decay_ = std::max(decay_, slopes * reference_decay);
    double crossing = 0;
    for (int d = 0; d < dim; ++d) crossing += inverse.row(d).norm();
    if (simplex) {  // any of its vertices may be the origin: the one that gives the flattest coordinates
      const double last = inverse.colwise().sum().norm();
      crossing += last - std::max(last, inverse.rowwise().norm().maxCoeff());
    }
    crossing_ = std::max(crossing_, crossing);
    region[slot] = mesh.cells().region[cell];
    for (int face = 0; face < faces; ++face) {
      double* out = &face_geometry[(slot * faces + face) * face_rows];
      double square = 0;
      for (int k = 0; k < dim; ++k) {
        if (simplex)
          out[k] = face == 0 ? inverse.col(k).sum() : -inverse(face - 1, k);
        else
          out[k] = (face % 2 ? 1 : -1) * inverse(face / 2, k);
        square += out[k] * out[k];
        out[k] *= determinant;
      }
      out[dim] = std::sqrt(square) * determinant;
      double side = 0;
      for (int k = 0; k < dim; ++k) side += out[k] * giving_side[k];
      out[dim + 3] = side > 0;
    }
  }
  std::array<double, 2> worst{decay_, crossing_};
  problem_.ranks->largest(worst);
  decay_ = worst[0], crossing_ = worst[1];
  const int orientations = orientation_count(face_shape(size_.shape));
  for (std::int64_t slot = 0; slot < slots_; ++slot)
    for (int face = 0; face < faces; ++face) {
      const std::int64_t cell = cell_of_slot_[slot], at = slot * faces + face;
      std::int64_t behind = slot;
      int code = face * orientations;
      double open = 0, inner = 0;
      if (cell >= 0) {
        const Neighbour& n = mesh.neighbour(cell, face);
        inner = n.cell >= 0;
        if (n.cell >= 0) behind = slot_of_cell_[n.cell], code = n.face * orientations + n.orientation;
        open = n.cell >= 0 || !problem_.closed[n.boundary >= 0 ? n.boundary : problem_.closed.size() - 1];
      }
      const std::int64_t batch = slot / size_.width, lane = slot % size_.width;
      neighbour[((batch * faces + face) * 2) * size_.width + lane] = static_cast<std::int32_t>(behind);
      neighbour[((batch * faces + face) * 2 + 1) * size_.width + lane] = code;
      double* out = &face_geometry[at * face_rows + dim];
      out[1] = inner;
      out[2] = open;
    }
  affine_ = upload(by_lanes(affine, affine_rows), "cells");
  geometry_ = upload(by_lanes(geometry, rows), "geometry");
  face_geometry_ = upload(by_lanes(face_geometry, faces * face_rows), "geometry of faces");
  neighbour_ = upload_integers(device_, neighbour, "neighbours");
  region_ = upload_integers(device_, region, "regions");
  tables_ = upload(levelset_tables(size_), "tables");
}

std::unique_ptr<Buffer> LevelSet::upload(const std::vector<double>& values, std::string_view label) {
  return upload_reals(device_, problem_.precision, values, label);
}

void LevelSet::compile() {
  const Stopwatch clock;
  transport_ = device_.compile(levelset_transport_text(size_, problem_.precision));
  of_velocity_ = device_.compile(levelset_velocity_text(size_, problem_.precision, field_));
  of_state_ = device_.compile(levelset_state_text(size_, problem_.precision));
  compile_seconds_ += clock.seconds();
}

}  // namespace swell
