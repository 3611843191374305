// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

#include "base/host_threads.hpp"
#include "element/dense.hpp"
#include "mesh/geometry.hpp"

namespace swell {
namespace {

constexpr double inside_tolerance = 1e-10;  // in reference coordinates, which span 2

// Upper bounds of the Lebesgue constants of the equispaced lattices of order 1 to 4: how far a polynomial may exceed
// its nodal values. One dimension: 1, 1.25, 1.64, 2.21, to the power of the dimension on tensor shapes.
double lebesgue_bound(Shape shape, int order) {
  if (shape == Shape::prism) return lebesgue_bound(Shape::triangle, order) * lebesgue_bound(Shape::line, order);
  if (shape == Shape::pyramid) return std::array{1.0, 2.0, 3.3, 6.0}[order - 1];
  if (!is_simplex(shape) || shape == Shape::line) return std::pow(std::array{1.0, 1.25, 1.64, 2.21}[order - 1], dimension(shape));
  return shape == Shape::triangle ? std::array{1.0, 1.67, 2.28, 3.48}[order - 1]
                                  : std::array{1.0, 2.0, 3.03, 4.89}[order - 1];
}

bool inside(Shape shape, const std::array<double, 3>& r) { return reference_holds(shape, r.data(), inside_tolerance); }

// x = v_0 + sum_a (v_a - v_0) (r_a + 1) / 2 solved for r.
std::array<double, 3> affine_reference(const Mesh& mesh, std::int64_t cell, const double* point) {
  Eigen::Matrix3d sides = Eigen::Matrix3d::Identity();
  Eigen::Vector3d rest = Eigen::Vector3d::Zero();
  const auto origin = mesh.vertex(cell, 0);
  for (int a = 0; a < mesh.dim; ++a) {
    const auto end = mesh.vertex(cell, axis_vertex(mesh.shape_of(cell), a));
    for (int d = 0; d < mesh.dim; ++d) sides(d, a) = end[d] - origin[d];
    rest(a) = point[a] - origin[a];
  }
  const Eigen::Vector3d r = 2 * (sides.inverse() * rest);
  return {r(0) - 1, mesh.dim > 1 ? r(1) - 1 : 0.0, mesh.dim == 3 ? r(2) - 1 : 0.0};
}

}  // namespace

Locator::Locator(const Mesh& mesh) : mesh_(mesh) {
  for (const Shape shape : mesh.shapes()) {
    const Matrix points = lattice(shape, mesh.geometry_order());
    const Matrix linear = inverse(modes(shape, 1, lattice(shape, 1)));
    matrices_[shape] = {inverse(modes(shape, mesh.geometry_order(), points)), modes(shape, 1, points) * linear};
  }
  const std::int64_t count = mesh.cell_count();
  if (count > 0) all_ = bounds(0);
  std::mutex one_at_a_time;
  for_pieces(count, [&](std::int64_t begin, std::int64_t end) {
    Box here = bounds(begin);
    const auto widen = [&](Box& to, const Box& by) {
      for (int d = 0; d < mesh.dim; ++d) to.low[d] = std::min(to.low[d], by.low[d]), to.high[d] = std::max(to.high[d], by.high[d]);
    };
    for (std::int64_t c = begin; c < end; ++c) widen(here, bounds(c));
    const std::lock_guard lock(one_at_a_time);
    widen(all_, here);
  });
  // Bins as cubic as can be, about as many as cells.
  double volume = 1;
  for (int d = 0; d < mesh.dim; ++d) volume *= all_.high[d] - all_.low[d];
  const double width = std::pow(volume / static_cast<double>(std::max<std::int64_t>(1, count)), 1.0 / mesh.dim);
  std::int64_t total = 1;
  for (int d = 0; d < mesh.dim; ++d) {
    bins_[d] = std::clamp<std::int64_t>(std::llround((all_.high[d] - all_.low[d]) / width), 1, count);
    total *= bins_[d];
  }
  start_.assign(total + 1, 0);
  const auto for_cells = [&](const auto& act) {
    for_pieces(count, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t c = begin; c < end; ++c) for_each_bin(bounds(c), [&](std::int64_t b) { act(c, std::atomic_ref(start_[b])); });
    });
  };
  for_cells([](std::int64_t, auto bin) { bin.fetch_add(1, std::memory_order_relaxed); });
  std::int64_t sum = 0;
  for (auto& s : start_) sum += s, s = sum;
  cell_.resize(sum);
  for_cells([&](std::int64_t c, auto bin) { cell_[bin.fetch_sub(1, std::memory_order_relaxed) - 1] = c; });
  // Threads came to a bin in any order.
  for_pieces(total, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t b = begin; b < end; ++b) std::sort(cell_.begin() + start_[b], cell_.begin() + start_[b + 1]);
  });
}

// The vertices span the (multi)linear part of the map; the rest is at most its largest nodal value times the Lebesgue
// constant.
Locator::Box Locator::bounds(std::int64_t cell) const {
  const CellBlock& block = *mesh_.spot(cell).block;
  const auto nodes = mesh_.nodes_of(cell);
  const Matrix& from_vertices = matrices_.at(block.shape).from_vertices;
  const int vertices = vertex_count(block.shape);
  Box box;
  std::array<std::array<double, 3>, 8> corner;
  for (int v = 0; v < vertices; ++v) corner[v] = mesh_.vertex(cell, v);
  double size = 0;
  for (int d = 0; d < mesh_.dim; ++d) {
    box.low[d] = box.high[d] = corner[0][d];
    for (int v = 1; v < vertices; ++v) {
      box.low[d] = std::min(box.low[d], corner[v][d]);
      box.high[d] = std::max(box.high[d], corner[v][d]);
    }
    size = std::max(size, box.high[d] - box.low[d]);
  }
  for (int d = 0; d < mesh_.dim; ++d) {
    double bulge = 0;
    for (int n = 0; n < block.nodes_per_cell && block.geometry_order > 1; ++n) {
      double straight = 0;
      for (int v = 0; v < vertices; ++v) straight += from_vertices(n, v) * corner[v][d];
      bulge = std::max(bulge, std::abs(mesh_.points[nodes[n] * mesh_.dim + d] - straight));
    }
    const double margin = bulge * lebesgue_bound(block.shape, block.geometry_order) + 2 * inside_tolerance * size;
    box.low[d] -= margin;
    box.high[d] += margin;
  }
  return box;
}

std::int64_t Locator::bin(int axis, double x) const {
  const double part = (x - all_.low[axis]) / (all_.high[axis] - all_.low[axis]);
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(part * static_cast<double>(bins_[axis]))), 0,
                                  bins_[axis] - 1);
}

template <class Visit>
void Locator::for_each_bin(const Box& box, const Visit& visit) const {
  std::array<std::int64_t, 3> first{}, last{};
  for (int d = 0; d < mesh_.dim; ++d) first[d] = bin(d, box.low[d]), last[d] = bin(d, box.high[d]);
  for (std::int64_t k = first[2]; k <= last[2]; ++k)
    for (std::int64_t j = first[1]; j <= last[1]; ++j)
      for (std::int64_t i = first[0]; i <= last[0]; ++i) visit(i + bins_[0] * (j + bins_[1] * k));
}

Locator::Hit Locator::find(const double* point) const {
  std::array<std::int64_t, 3> at{};
  for (int d = 0; d < mesh_.dim; ++d) {
    if (!(point[d] >= all_.low[d] && point[d] <= all_.high[d])) return {};
    at[d] = bin(d, point[d]);
  }
  const std::int64_t b = at[0] + bins_[0] * (at[1] + bins_[1] * at[2]);
  Hit hit;
  for (std::int64_t i = start_[b]; i < start_[b + 1]; ++i) {
    if (!holds(cell_[i], point, hit.reference)) continue;
    hit.cell = cell_[i];
    return hit;
  }
  return {};
}

// Affine cells directly; the others by Newton's method from the middle, then from the lattice node nearest to the
// point, which serves strongly curved cells.
bool Locator::holds(std::int64_t cell, const double* point, std::array<double, 3>& reference) const {
  const Box box = bounds(cell);
  for (int d = 0; d < mesh_.dim; ++d)
    if (point[d] < box.low[d] || point[d] > box.high[d]) return false;
  const CellBlock& block = *mesh_.spot(cell).block;
  const auto nodes = mesh_.nodes_of(cell);
  if (is_affine(mesh_, cell)) {
    reference = affine_reference(mesh_, cell, point);
    return inside(block.shape, reference);
  }
  if (block.shape == Shape::prism || block.shape == Shape::pyramid)
    reference = reference_middle(block.shape);
  else
    reference.fill(is_simplex(block.shape) ? -1.0 / 3 : 0.0);
  if (newton(cell, point, reference)) return true;
  int nearest = 0;
  double shortest = INFINITY;
  for (int n = 0; n < block.nodes_per_cell; ++n) {
    double square = 0;
    for (int d = 0; d < mesh_.dim; ++d) {
      const double step = mesh_.points[nodes[n] * mesh_.dim + d] - point[d];
      square += step * step;
    }
    if (square < shortest) shortest = square, nearest = n;
  }
  const Matrix start = lattice(block.shape, block.geometry_order).row(nearest);
  for (int d = 0; d < mesh_.dim; ++d) reference[d] = start(0, d);
  return newton(cell, point, reference);
}

bool Locator::newton(std::int64_t cell, const double* point, std::array<double, 3>& reference) const {
  constexpr int steps = 40;
  constexpr double converged = 1e-13, far = 4;  // in reference coordinates
  const CellBlock& block = *mesh_.spot(cell).block;
  const auto nodes = mesh_.nodes_of(cell);
  const int dim = mesh_.dim, order = block.geometry_order;
  Matrix x(block.nodes_per_cell, dim);
  for (int n = 0; n < block.nodes_per_cell; ++n)
    for (int d = 0; d < dim; ++d) x(n, d) = mesh_.points[nodes[n] * dim + d];
  const Matrix coefficients = matrices_.at(block.shape).to_modes * x;
  Matrix r(1, dim);
  for (int d = 0; d < dim; ++d) r(0, d) = reference[d];
  for (int step = 0; step < steps; ++step) {
    Vector rest = (modes(block.shape, order, r) * coefficients).transpose();
    for (int d = 0; d < dim; ++d) rest(d) = point[d] - rest(d);
    const auto gradients = mode_gradients(block.shape, order, r);
    Eigen::MatrixXd jacobian(dim, dim);
    for (int d = 0; d < dim; ++d) jacobian.col(d) = (gradients[d] * coefficients).transpose();
    const Vector move = jacobian.partialPivLu().solve(rest);
    if (!move.allFinite()) return false;
    r += move.transpose();
    if (r.cwiseAbs().maxCoeff() > far) return false;
    if (move.cwiseAbs().maxCoeff() < converged) {
      for (int d = 0; d < dim; ++d) reference[d] = r(0, d);
      return inside(block.shape, reference);
    }
  }
  return false;
}

}  // namespace swell
