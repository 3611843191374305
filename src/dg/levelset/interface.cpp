// SPDX-License-Identifier: Apache-2.0
#include "dg/levelset/interface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/exact_sum.hpp"
#include "mesh/geometry.hpp"

namespace swell {

namespace {

using Point = Eigen::Vector3d;

// The number of cuts of a cell along each direction: errors fall with the square of it.
constexpr int cuts_2d = 24, cuts_3d = 6;

// Small simplices that fill the reference shape: Kuhn's of every small cube (1960). A simplex shape is the part of the cube
// in which coordinates descend, its barycentric coordinates being their differences.
struct Cut {
  Matrix points;                        // the lattice, reference coordinates
  Matrix centres;                       // of the simplices
  std::vector<std::array<int, 4>> cut;  // points of each
};

Cut make_cut(Shape shape) {
  const int dim = dimension(shape), cuts = dim == 2 ? cuts_2d : cuts_3d, side = cuts + 1;
  const auto number = [&](const std::array<int, 3>& at) { return (at[2] * side + at[1]) * side + at[0]; };
  Cut result;
  result.points.resize(dim == 2 ? side * side : side * side * side, dim);
  for (Eigen::Index p = 0; p < result.points.rows(); ++p) {
    const double x[4] = {static_cast<double>(p % side) / cuts, static_cast<double>(p / side % side) / cuts,
                         static_cast<double>(p / (side * side)) / cuts, 0};
    for (int d = 0; d < dim; ++d)
      result.points(p, d) = -1 + 2 * (is_simplex(shape) ? x[d] - (d + 1 < dim ? x[d + 1] : 0) : x[d]);
  }
  std::vector<Eigen::RowVectorXd> centres;
  std::array<int, 3> corner{};
  const int layers = dim == 3 ? cuts : 1;
  for (corner[2] = 0; corner[2] < layers; ++corner[2])
    for (corner[1] = 0; corner[1] < cuts; ++corner[1])
      for (corner[0] = 0; corner[0] < cuts; ++corner[0]) {
        std::array<int, 3> axes{0, 1, 2};
        do {
          std::array<int, 4> simplex{};
          std::array<int, 3> at = corner;
          std::array<double, 3> middle{};
          Eigen::RowVectorXd centre = Eigen::RowVectorXd::Zero(dim);
          for (int v = 0; v <= dim; ++v) {
            if (v > 0) ++at[axes[v - 1]];
            simplex[v] = number(at);
            centre += result.points.row(simplex[v]) / (dim + 1);
            for (int d = 0; d < dim; ++d) middle[d] += at[d];
          }
          if (is_simplex(shape) && !(middle[0] >= middle[1] && (dim == 2 || middle[1] >= middle[2]))) continue;
          result.cut.push_back(simplex);
          centres.push_back(centre);
        } while (std::next_permutation(axes.begin(), axes.begin() + dim));
      }
  result.centres.resize(static_cast<Eigen::Index>(centres.size()), dim);
  for (std::size_t i = 0; i < centres.size(); ++i) result.centres.row(static_cast<Eigen::Index>(i)) = centres[i];
  return result;
}

// Measure of the simplex of these vertices.
double measure_of(const Point* x, int dim) {
  if (dim == 2) return 0.5 * std::abs((x[1] - x[0]).cross(x[2] - x[0]).z());
  return std::abs((x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0])) / 6;
}

// Adds the part of a simplex where the linear function with these values is positive, and its zero set.
void add_part(const std::array<double, 4>& value, const std::array<Point, 4>& x, int dim, double& part,
              double& surface) {
  std::array<int, 4> inside{}, outside{};
  int in = 0, out = 0;
  for (int v = 0; v <= dim; ++v) (value[v] > 0 ? inside[in++] : outside[out++]) = v;
  const double whole = measure_of(x.data(), dim);
  if (out == 0) part += whole;
  if (in == 0 || out == 0) return;
  const auto between = [&](int a, int b) -> Point { return x[a] + value[a] / (value[a] - value[b]) * (x[b] - x[a]); };
  if (in == 1 || out == 1) {
    const int alone = in == 1 ? inside[0] : outside[0];
    const std::array<int, 4>& others = in == 1 ? outside : inside;
    std::array<Point, 4> tip{x[alone]};
    for (int i = 0; i < dim; ++i) tip[i + 1] = between(alone, others[i]);
    const double size = measure_of(tip.data(), dim);
    part += in == 1 ? size : whole - size;
    surface += dim == 2 ? (tip[2] - tip[1]).norm() : 0.5 * (tip[2] - tip[1]).cross(tip[3] - tip[1]).norm();
    return;
  }
  // Two vertices on each side: a prism between the edge inside and the quadrilateral of the zero set.
  const int a = inside[0], b = inside[1], c = outside[0], d = outside[1];
  const Point ac = between(a, c), ad = between(a, d), bc = between(b, c), bd = between(b, d);
  for (const std::array<Point, 4>& piece :
       {std::array<Point, 4>{x[a], x[b], bc, bd}, std::array<Point, 4>{x[a], ac, ad, bd},
        std::array<Point, 4>{x[a], ac, bc, bd}})
    part += measure_of(piece.data(), dim);
  surface += 0.5 * ((ad - ac).cross(bd - ac).norm() + (bd - ac).cross(bc - ac).norm());
}

}  // namespace

InterfaceMeasures measure_interface(const LevelSetOperator& dg, const Buffer& state, const Expression* exact, double t) {
  return measure_interface(
      *dg.problem().mesh, dg.element(), [&](const auto& visit) { dg.states().read_state(state, visit); }, *dg.problem().ranks, exact, t);
}

InterfaceMeasures measure_interface(const Mesh& mesh, const ReferenceElement& element, const InterfaceReader& read, Ranks& ranks,
                                    const Expression* exact, double t) {
  const int dim = mesh.dim;
  const Cut cut = make_cut(mesh.shape());
  const Matrix at_points = element.interpolation(cut.points), at_centres = element.interpolation(cut.centres);
  const CellMap map(mesh, cut.points), centre_map(mesh, cut.centres);
  std::vector<double> x(cut.points.size()), c(cut.centres.size());
  const auto given = [&](const double* at) {
    double place[4] = {0, 0, 0, t};
    std::copy_n(at, dim, place);
    return (*exact)(place)-0.5;
  };
  std::array<ExactSum, 4> sums;  // over cells, in any order and on all ranks
  read([&](std::int64_t cell, const double* nodal) {
    InterfaceMeasures sum;
    const Eigen::Map<const Vector> own(nodal, element.node_count);
    const Vector g = (at_points * own).array() - 0.5;
    map.coordinates(cell, x.data());
    Vector truth = g, centre;
    if (exact) {
      for (Eigen::Index p = 0; p < g.size(); ++p) truth[p] = given(&x[p * dim]);
      centre = (at_centres * own).array() - 0.5;
      centre_map.coordinates(cell, c.data());
    }
    for (std::size_t s = 0; s < cut.cut.size(); ++s) {
      std::array<double, 4> value{}, wanted{};
      std::array<Point, 4> corner;
      for (int v = 0; v <= dim; ++v) {
        const int p = cut.cut[s][v];
        value[v] = g[p], wanted[v] = truth[p];
        corner[v] = Point::Zero();
        for (int d = 0; d < dim; ++d) corner[v][d] = x[p * dim + d];
      }
      double ignored = 0;
      add_part(value, corner, dim, sum.enclosed, sum.surface);
      if (!exact) continue;
      add_part(wanted, corner, dim, sum.exact, ignored);
      if ((centre[static_cast<Eigen::Index>(s)] > 0) != (given(&c[s * dim]) > 0))
        sum.misplaced += measure_of(corner.data(), dim);
    }
    sums[0].add(sum.enclosed);
    sums[1].add(sum.surface);
    sums[2].add(sum.misplaced);
    sums[3].add(sum.exact);
  });
  std::array<double, 4> total{};
  for (std::size_t i = 0; i < sums.size(); ++i) {
    ranks.sum(sums[i].digits());
    total[i] = sums[i].value();
  }
  return {total[0], total[1], total[2], total[3]};
}

std::vector<std::vector<double>> normals_and_curvature(const LevelSetOperator& dg, const Buffer& state) {
  const Mesh& mesh = *dg.problem().mesh;
  const ReferenceElement& element = dg.element();
  const int dim = mesh.dim, nodes = element.node_count;
  const CellMap map(mesh, Matrix::Zero(1, dim));
  std::vector<std::vector<double>> all(dim + 1, std::vector<double>(mesh.cell_count() * nodes));
  dg.states().read_state(state, [&](std::int64_t cell, const double* nodal) {
    Matrix jacobian(dim, dim);
    map.jacobians(cell, jacobian.data());
    const Matrix grad = jacobian.inverse();  // row d: grad r_d
    const auto slope = [&](const Vector& values, int axis) {
      Vector sum = Vector::Zero(nodes);
      for (int d = 0; d < dim; ++d) sum += grad(d, axis) * (element.derivative[d] * values);
      return sum;
    };
    const Vector g = Eigen::Map<const Vector>(nodal, nodes);
    std::array<Vector, 3> normal;
    Vector length = Vector::Zero(nodes), curvature = Vector::Zero(nodes);
    for (int d = 0; d < dim; ++d) {
      normal[d] = slope(g, d);
      length += normal[d].cwiseAbs2();
    }
    length = length.cwiseSqrt().cwiseMax(std::numeric_limits<double>::min());
    for (int d = 0; d < dim; ++d) {
      normal[d] = normal[d].cwiseQuotient(length).eval();
      curvature -= slope(normal[d], d);
      Eigen::Map<Vector>(&all[d][cell * nodes], nodes) = normal[d];
    }
    Eigen::Map<Vector>(&all[dim][cell * nodes], nodes) = curvature;
  });
  return all;
}

// interface.csv, and normals and curvature beside the fields.
Operator::Extras LevelSetOperator::extras() {
  Extras extras;
  extras.file = "interface.csv";
  extras.columns = {"mass", "enclosed", "surface", "thickness", "reinitialisations"};
  extras.row = [this](Buffer& q, double t) {
    const auto sums = measure(q);
    const InterfaceMeasures interface = measure_interface(*this, q, nullptr, t);
    return std::vector<double>{sums[LevelSet::mass], interface.enclosed, interface.surface,
                               sums[LevelSet::spread] / sums[LevelSet::surface], static_cast<double>(reinitialisations_)};
  };
  extras.fields = [this](const Buffer& q) {
    std::vector<std::pair<std::string, std::vector<double>>> fields;
    const auto dim = static_cast<std::size_t>(element_.dim);
    for (auto& values : normals_and_curvature(*this, q)) {
      const std::size_t axis = fields.size();
      fields.emplace_back(axis < dim ? fmt::format("n{}", "xyz"[axis]) : "curvature", std::move(values));
    }
    return fields;
  };
  extras.counters = {{"reinitialisations", &reinitialisations_}};
  return extras;
}

}  // namespace swell
