// SPDX-License-Identifier: Apache-2.0
// Energy on curved cells, for every state at once: the largest eigenvalue of the symmetric part of the whole operator, in the
// norm of the mass that it divides by, says how fast the state that gains most gains energy.
#include <Eigen/Cholesky>
#include <cmath>

#include "element/dense.hpp"
#include "problems.hpp"

namespace swell {
namespace {

struct Curved {
  ModelIn model;
  Shape shape;
  int order, geometry_order;
  bool disc = false, varying = false;
};

std::string words(const Curved& curved) {
  const auto& [model, shape, order, geometry_order, disc, varying] = curved;
  return test_name(model) + "_" + std::string(shape_name(shape)) + "_" + std::to_string(order) + "_geometry_" +
         std::to_string(geometry_order) + (disc ? "_disc" : "_box") + (varying ? "_varying" : "");
}

std::string curved_name(const testing::TestParamInfo<Curved>& given) { return words(given.param); }
// Names the parameters where a test fails.
void PrintTo(const Curved& curved, std::ostream* out) { *out << words(curved); }

// Fields one after the other in each cell, nodes in each field.
using Dense = Eigen::MatrixXd;

class Operator {
 public:
  explicit Operator(const Problem& problem, const ModelIn& model)
      : problem_(problem), probe_(probe_of(model)), dg_(problem, test_device()) {}

  // Largest and smallest rate at which a state's energy changes, relative to the fastest change of any state.
  std::pair<double, double> extreme_powers() {
    const Dense rates = scaled_rates();
    const Vector powers = symmetric_eigenvalues(0.5 * (rates + rates.transpose()));
    const double size = std::sqrt(symmetric_eigenvalues(rates * rates.transpose()).maxCoeff());
    return {powers.maxCoeff() / size, powers.minCoeff() / size};
  }

 private:
  // 1/J of the operator itself: where tensor cells are curved more than their order, it follows their nodes.
  Vector inverse_jacobians(std::int64_t cell, const Matrix& points) const {
    const Mesh& mesh = *problem_.mesh;
    const int dim = mesh.dim, width = dim * dim + 1;
    Vector out(points.rows());
    if (is_simplex(mesh.shape())) {
      std::vector<double> raw(points.rows() * dim * dim);
      CellMap(mesh, points).jacobians(cell, raw.data());
      for (Eigen::Index p = 0; p < out.size(); ++p)
        out(p) = 1 / Eigen::Map<const Matrix>(raw.data() + p * dim * dim, dim, dim).determinant();
    } else {
      TensorMetrics metrics(mesh, dg_.element());
      metrics.look(cell);
      for (Eigen::Index p = 0; p < out.size(); ++p) out(p) = metrics.volume()[p * width + dim * dim];
    }
    return out;
  }

  // U with U^T U = M T^-1 M, T of weight 1 / (J M(x)): one for each field, since no mass here mixes fields.
  std::vector<Dense> mass_roots(std::int64_t cell) const {
    const Layout& layout = dg_.layout();
    const Group& group = layout.group_of(layout.slot_of_cell[cell]);
    const Group any{.shape = group.shape, .curved = !group.adjusted(), .varying = true, .weights = group.weights};
    const GroupPoints rule = group_points(dg_.element(), any, problem_.mesh->cells().geometry_order);
    const Dense values = dg_.element().interpolation(rule.volume);
    const Dense mass = values.transpose() * rule.weights.asDiagonal() * values;
    const Vector inverse = inverse_jacobians(cell, rule.volume);
    Matrix x(rule.volume.rows(), problem_.mesh->dim), m(x.rows(), problem_.model.material.size());
    CellMap(*problem_.mesh, rule.volume).coordinates(cell, x.data());
    for (Eigen::Index p = 0; p < x.rows(); ++p) {
      double at[4] = {x(p, 0), x(p, 1), x.cols() == 3 ? x(p, 2) : 0, 0};
      for (Eigen::Index i = 0; i < m.cols(); ++i) m(p, i) = problem_.material[0][i](at);
    }
    const Matrix unit = probe_.inverse_mass(m, Matrix::Ones(x.rows(), probe_.fields()));
    std::vector<Dense> roots;
    for (int f = 0; f < probe_.fields(); ++f) {
      const Vector weight = rule.weights.cwiseProduct(inverse).cwiseProduct(unit.col(f));
      const Dense adjusted = values.transpose() * weight.asDiagonal() * values;
      roots.emplace_back((mass * adjusted.inverse() * mass).llt().matrixU());
    }
    return roots;
  }

  // U A U^-1: the rates in coordinates where the energy is half the square of the length.
  Dense scaled_rates() {
    const std::int64_t cells = problem_.mesh->cell_count(), nodes = dg_.element().node_count, fields = dg_.fields();
    std::vector<std::vector<Dense>> roots;
    for (std::int64_t cell = 0; cell < cells; ++cell) roots.push_back(mass_roots(cell));
    Dense all(cells * fields * nodes, cells * fields * nodes);
    State q(cells, Matrix::Zero(nodes, fields));
    for (std::int64_t column = 0; column < all.cols(); ++column) {
      const std::int64_t cell = column / (fields * nodes), field = column / nodes % fields;
      const Vector unit = Vector::Unit(nodes, column % nodes);
      q[cell].col(field) = roots[cell][field].triangularView<Eigen::Upper>().solve(unit);
      const State rate = rate_of(dg_, q);
      q[cell].setZero();
      for (std::int64_t other = 0; other < cells; ++other)
        for (int f = 0; f < fields; ++f)
          all.col(column).segment((other * fields + f) * nodes, nodes) = roots[other][f] * rate[other].col(f);
    }
    return all;
  }

  const Problem& problem_;
  const ModelProbe& probe_;
  NodalOperator dg_;
};

class EnergyOnCurvedCells : public testing::TestWithParam<Curved> {
 protected:
  Mesh mesh = make_mesh();

  static Mesh make_mesh() {
    const auto& [model, shape, order, geometry_order, disc, varying] = GetParam();
    if (disc) {
      DiscOptions options;
      options.cells = 1;
      options.geometry_order = geometry_order;
      options.shape = shape;
      return make_disc(options);
    }
    Mesh box = unit_box(shape, dimension(shape) == 2 ? std::vector<std::int64_t>{2, 1} : std::vector<std::int64_t>{1, 1, 1},
                        false);
    Random random(6);
    turn_cells(box, random);
    deform(box, geometry_order, bent);
    return box;
  }

  // Each side another one of the kinds named.
  Problem problem(const std::vector<std::string>& kinds) const {
    Random random(3);
    Problem p = random_problem(mesh, GetParam().model, GetParam().order, random);
    for (std::size_t i = 0; i < p.model.material.size(); ++i) {
      const std::string& name = p.model.material[i].name;
      const bool absent = name == "lambda" || name == "sigma";
      p.material[0][i] = Expression(absent ? 0.0 : 1.3);
      if (GetParam().varying && !absent) p.material[0][i] = parse("1.5 + 0.4*sin(2*x + 3*y)");
    }
    for (std::size_t side = 0; side < p.boundary.size(); ++side) {
      BoundarySpec spec;
      spec.name = kinds[side % kinds.size()];
      for (std::size_t i = 0; i < p.model.boundary(spec.name)->parameters.size(); ++i) spec.data.push_back(parse("0.7"));
      p.boundary[side] = spec;
    }
    return p;
  }

  std::vector<std::string> kinds(bool mirrors_only) const {
    std::vector<std::string> all;
    for (const auto& kind : load_model(GetParam().model.name, GetParam().model.dim).boundaries)
      if (kind.mirror || !mirrors_only) all.push_back(kind.name);
    return all;
  }
};

TEST_P(EnergyOnCurvedCells, NeverGrowsWithTheUpwindFlux) {
  const Problem p = problem(kinds(false));
  const auto [most, least] = Operator(p, GetParam().model).extreme_powers();
  EXPECT_LT(most, 1e-12);
  EXPECT_LT(least, -1e-2);
}

TEST_P(EnergyOnCurvedCells, StaysWithTheCentralFluxAndMirrors) {
  Problem p = problem(kinds(true));
  p.alpha = 0;
  const auto [most, least] = Operator(p, GetParam().model).extreme_powers();
  EXPECT_LT(most, 1e-12);
  EXPECT_GT(least, -1e-12);
}

INSTANTIATE_TEST_SUITE_P(
    Bent, EnergyOnCurvedCells,
    testing::Values(Curved{{"acoustics", 2}, Shape::triangle, 1, 3, true},
                    Curved{{"acoustics", 2}, Shape::triangle, 2, 2, false, true},
                    Curved{{"maxwell-te", 2}, Shape::triangle, 1, 2}, Curved{{"elastic", 2}, Shape::triangle, 1, 3, true},
                    Curved{{"acoustics", 2}, Shape::quadrilateral, 2, 3, true},
                    Curved{{"elastic", 2}, Shape::quadrilateral, 2, 1},
                    Curved{{"acoustics", 3}, Shape::hexahedron, 1, 1, false, true},
                    Curved{{"maxwell", 3}, Shape::hexahedron, 1, 1},
                    Curved{{"maxwell", 3}, Shape::tetrahedron, 1, 2},
                    Curved{{"acoustics", 3}, Shape::tetrahedron, 2, 2, false, true},
                    // Straight, some cells with a weight-adjusted mass beside others that are integrated at points.
                    Curved{{"acoustics", 2}, Shape::triangle, 2, 1, false, true},
                    Curved{{"maxwell-te", 2}, Shape::triangle, 3, 1, false, true},
                    Curved{{"maxwell", 3}, Shape::tetrahedron, 2, 1, false, true},
                    Curved{{"maxwell", 3}, Shape::hexahedron, 2, 3}, Curved{{"elastic", 3}, Shape::hexahedron, 1, 2}),
    curved_name);

}  // namespace
}  // namespace swell
