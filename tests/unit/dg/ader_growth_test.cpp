// SPDX-License-Identifier: Apache-2.0
// What one step of ADER makes of every wave on an infinite mesh: exact eigenvalues of the step, in place of long runs.
#include <Eigen/Eigenvalues>
#include <complex>
#include <numbers>

#include "dg/modal.hpp"
#include "mesh/geometry.hpp"
#include "problems.hpp"
#include "time/stability.hpp"

namespace swell {
namespace {

using Complex = Eigen::MatrixXcd;
using Offset = std::array<int, 2>;

constexpr int squares = 3;  // along a side: a square and its neighbours, each once

// The step's matrix from one square of the mesh to itself and to its neighbours, by unit vectors.
class StepOfASquare {
 public:
  StepOfASquare(Shape shape, int order) : mesh_(unit_box(shape, {squares, squares}, true)) {
    Random random(1);
    Problem problem = random_problem(mesh_, {"acoustics", 2}, order, random);
    problem.family = Family::modal;
    problem.material = {{Expression(1.0), Expression(1.0)}};
    dg_ = std::make_unique<ModalOperator>(problem, test_device());
    const Matrix middle = Matrix::Constant(1, 2, is_simplex(shape) ? -1.0 / 3 : 0.0);
    const CellMap map(mesh_, middle);
    std::map<Offset, int> found;
    for (std::int64_t cell = 0; cell < mesh_.cell_count(); ++cell) {
      double x[2];
      map.coordinates(cell, x);
      const Offset square{static_cast<int>(x[0] * squares), static_cast<int>(x[1] * squares)};
      square_.push_back({square[0] - 1, square[1] - 1});
      place_.push_back(found[square]++);
    }
    numbers_ = static_cast<int>(dg_->basis().count * problem.model.fields.size());
    size_ = numbers_ * found.begin()->second;
    // Castro, Behrens and Pelties (2013), eq. (31).
    step_ = ader_fraction(shape, order) / (dg_->stiffness(0).crossing * (2 * order + 1));
  }

  void take(double cfl) {
    blocks_.clear();
    auto q = dg_->make_state("q");
    for (int column = 0; column < size_; ++column) {
      dg_->write_numbers(*q, [&](std::int64_t cell, double* numbers) {
        std::fill_n(numbers, numbers_, 0.0);
        if (square_[cell] == Offset{0, 0} && place_[cell] == column / numbers_) numbers[column % numbers_] = 1;
      });
      dg_->advance(q, cfl * step_);
      dg_->read_numbers(*q, [&](std::int64_t cell, const double* numbers) {
        auto& block = blocks_.try_emplace(square_[cell], Matrix::Zero(size_, size_)).first->second;
        for (int i = 0; i < numbers_; ++i) block(place_[cell] * numbers_ + i, column) = numbers[i];
      });
    }
  }

  // The largest growth among waves whose phase changes so, in units of pi, from square to square.
  double growth(double x, double y) const {
    Complex all = Complex::Zero(size_, size_);
    for (const auto& [offset, block] : blocks_)
      all += std::polar(1.0, -std::numbers::pi * (x * offset[0] + y * offset[1])) * block.cast<std::complex<double>>();
    return Eigen::ComplexEigenSolver<Complex>(all, false).eigenvalues().cwiseAbs().maxCoeff() - 1;
  }

 private:
  Mesh mesh_;
  std::unique_ptr<ModalOperator> dg_;
  std::vector<Offset> square_;  // [cell]
  std::vector<int> place_;      // [cell]: in its square
  int numbers_ = 0, size_ = 0;  // of a cell, of a square
  double step_ = 0;             // at cfl = 1
  std::map<Offset, Matrix> blocks_;
};

// The longest wave, and the one that grows most by the same independent calculation as the numbers in
// time/stability.cpp; on triangles along either diagonal.
std::vector<std::array<double, 2>> waves(Shape shape, int order) {
  static const std::map<std::pair<Shape, int>, std::array<double, 2>> fastest{
      {{Shape::triangle, 4}, {0.792, 0.792}},      {{Shape::triangle, 5}, {0.458, 0.458}},
      {{Shape::triangle, 6}, {0.25, 0.25}},      {{Shape::triangle, 7}, {0.938, 0.917}},
      {{Shape::quadrilateral, 4}, {0.729, 0.729}}, {{Shape::quadrilateral, 5}, {0.542, 0.542}},
      {{Shape::quadrilateral, 6}, {0.167, 0.167}}, {{Shape::quadrilateral, 7}, {1, 1}}};
  const auto found = fastest.find({shape, order});
  if (found == fastest.end()) return {{0, 0}, {1, 1}, {1, 0}, {0.5, 0.5}, {0.5, -0.5}};
  std::vector<std::array<double, 2>> all{{0, 0}, found->second};
  if (is_simplex(shape)) all.push_back({found->second[0], -found->second[1]});
  return all;
}

class AderGrowth : public testing::TestWithParam<std::tuple<Shape, int>> {};

TEST_P(AderGrowth, IsNoMoreInAStepThanStated) {
  const auto [shape, order] = GetParam();
  StepOfASquare step(shape, order);
  for (const double cfl : {0.45, 0.9}) {
    if (cfl < 0.9 && order > 5) continue;  // large matrices
    step.take(cfl);
    double most = 0;
    for (const auto& wave : waves(shape, order)) most = std::max(most, step.growth(wave[0], wave[1]));
    const double stated = ader_growth(shape, order, cfl);
    EXPECT_LE(most, stated + 1e-12) << cfl;  // rounding of eigenvalues
    // And the statement is no idle one.
    if (cfl == 0.9) { EXPECT_GE(most, 0.8 * stated); }
  }
}

INSTANTIATE_TEST_SUITE_P(Orders, AderGrowth,
                         testing::Combine(testing::Values(Shape::triangle, Shape::quadrilateral), testing::Range(1, 8)),
                         [](const auto& given) {
                           return std::string(shape_name(std::get<0>(given.param))) + std::to_string(std::get<1>(given.param));
                         });

TEST(StatedAderGrowth, FallsWithTheSquareOfTheStepAndIsNoneAtLowOrders) {
  EXPECT_EQ(ader_growth(Shape::triangle, 3, 1), 0);
  EXPECT_GT(ader_growth(Shape::triangle, 4, 1), 0);
  EXPECT_DOUBLE_EQ(ader_growth(Shape::hexahedron, 6, 0.5), ader_growth(Shape::quadrilateral, 6, 1) / 4);
  EXPECT_EQ(ader_growth(Shape::quadrilateral, 9, 1), ader_growth(Shape::quadrilateral, 7, 1));
}

}  // namespace
}  // namespace swell
