// SPDX-License-Identifier: Apache-2.0
// The growth of every wave on an infinite mesh in one step of ADER: exact eigenvalues of the step, in place of long runs.
#include <Eigen/Eigenvalues>
#include <complex>
#include <numbers>

#include "dg/modal/element.hpp"
#include "mesh/geometry.hpp"
#include "problems.hpp"
#include "time/stability.hpp"

namespace swell {
namespace {

using Complex = Eigen::MatrixXcd;
using Offset = std::array<int, 2>;

constexpr int squares = 3;  // along a side: a square and its neighbours, each once

// The step's matrix from one square of the mesh to itself and to its neighbours, by unit vectors: the numbers of the state and,
// where they are carried from step to step, the remembered ones of the element-local prediction.
class StepOfASquare {
 public:
  StepOfASquare(Family family, Shape shape, int order, bool remembers) : mesh_(unit_box(shape, {squares, squares}, true)) {
    Random random(1);
    Problem problem = random_problem(mesh_, {"acoustics", 2}, order, random);
    problem.family = family;
    problem.material = {{Expression(1.0), Expression(1.0)}};
    dg_ = make_operator(problem, test_device());
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
    const int fields = dg_->fields();
    of_state_ = static_cast<int>(dg_->element().node_count) * fields;
    if (remembers)
      for (const int mode : ModalElement(shape, order, 0, false).remembered())
        for (int f = 0; f < fields; ++f) remembered_.push_back(mode * fields + f);
    numbers_ = of_state_ + static_cast<int>(remembered_.size());
    size_ = numbers_ * found.begin()->second;
    // Castro, Behrens and Pelties (2013), eq. (31).
    step_ = ader_fraction(shape, order) / (dg_->stiffness(0).crossing * (2 * order + 1));
    weight_ = ader_memory(order).weight;
  }

  void take(double cfl) {
    blocks_.clear();
    auto q = dg_->make_state("q"), alone = dg_->make_state("alone");
    const double dt = cfl * step_;
    const Predictor::Carried carried{remembered_.empty() ? nullptr : alone.get(), weight_ / dt};
    for (int column = 0; column < size_; ++column) {
      write(*q, column, 0);
      write(*alone, column, of_state_);
      dg_->predictor()->advance(q, 0, dt, carried);
      read(*q, column, 0);
      if (!remembered_.empty()) read(*alone, column, of_state_);
    }
  }

  // The largest growth in a step among waves whose phase changes so, in units of pi, from square to square.
  double growth(double x, double y) const {
    return Eigen::ComplexEigenSolver<Complex>(of_wave(x, y), false).eigenvalues().cwiseAbs().maxCoeff() - 1;
  }

  // How high such waves may be after 2^doublings steps. Unlike eigenvalues, which scatter around 1 where what stands still is
  // moved by a nilpotent map, this is as good as the rounding of so many steps.
  double height(double x, double y, int doublings) const {
    Complex step = of_wave(x, y);
    for (int i = 0; i < doublings; ++i) step *= step.eval();
    return step.norm();
  }

 private:
  Complex of_wave(double x, double y) const {
    Complex all = Complex::Zero(size_, size_);
    for (const auto& [offset, block] : blocks_)
      all += std::polar(1.0, -std::numbers::pi * (x * offset[0] + y * offset[1])) * block.cast<std::complex<double>>();
    return all;
  }
  // The numbers of a cell from `first` on, as they lie in their buffer.
  int count(int first) const { return first == 0 ? of_state_ : static_cast<int>(remembered_.size()); }
  int place(int first, int i) const { return first == 0 ? i : remembered_[i]; }

  void write(Buffer& buffer, int column, int first) {
    const int cell_of_it = column / numbers_, number = column % numbers_ - first;
    dg_->states().write_numbers(buffer, [&](std::int64_t cell, double* numbers) {
      std::fill_n(numbers, of_state_, 0.0);
      const bool here = square_[cell] == Offset{0, 0} && place_[cell] == cell_of_it;
      if (here && number >= 0 && number < count(first)) numbers[place(first, number)] = 1;
    });
  }
  void read(const Buffer& buffer, int column, int first) {
    dg_->states().read_numbers(buffer, [&](std::int64_t cell, const double* numbers) {
      auto& block = blocks_.try_emplace(square_[cell], Matrix::Zero(size_, size_)).first->second;
      for (int i = 0; i < count(first); ++i) block(place_[cell] * numbers_ + first + i, column) = numbers[place(first, i)];
    });
  }

  Mesh mesh_;
  std::unique_ptr<Operator> dg_;
  std::vector<Offset> square_;           // [cell]
  std::vector<int> place_, remembered_;  // [cell]: in its square; numbers of a state
  int of_state_ = 0, numbers_ = 0, size_ = 0;  // of a cell's state, of a cell, of a square
  double step_ = 0, weight_ = 0;               // step at cfl = 1
  std::map<Offset, Matrix> blocks_;
};

constexpr int first_growing_order = 4;

struct Fastest {
  std::array<double, 2> wave;
  double growth;  // in a step that carries nothing
  double cfl;     // of eq. (31) itself: 0.9 of what is stable without memory
};

// Results of a program that shares nothing with this one.
const Fastest& fastest(Shape shape, int order) {
  static const Fastest none{{0.5, 0.25}, 0, 0.45};
  if (order < first_growing_order) return none;
  static const std::map<std::pair<Shape, int>, Fastest> all{
      {{Shape::triangle, 4}, {{0.792, 0.792}, 9.5e-7, 0.9}},
      {{Shape::triangle, 5}, {{0.458, 0.458}, 1.1e-5, 0.9}},
      {{Shape::triangle, 6}, {{0.25, 0.25}, 2.3e-5, 0.847}},
      {{Shape::triangle, 7}, {{0.938, 0.917}, 1.9e-5, 0.763}},
      {{Shape::quadrilateral, 4}, {{0.729, 0.729}, 1.6e-6, 0.524}},
      {{Shape::quadrilateral, 5}, {{0.542, 0.542}, 1.5e-5, 0.458}},
      {{Shape::quadrilateral, 6}, {{0.167, 0.167}, 3.4e-5, 0.407}},
      {{Shape::quadrilateral, 7}, {{1, 1}, 6e-5, 0.366}}};
  return all.at({shape, order});
}

// Orders 6 and 7 take minutes.
bool every_order() { return std::getenv("SWELL_LONG") != nullptr; }

// Those that grow most where nothing is carried, on triangles along either diagonal, and some of all lengths.
std::vector<std::array<double, 2>> waves(Shape shape, int order) {
  std::vector<std::array<double, 2>> all{{0, 0},    {0.125, 0.125}, {0.5, 0.25},   {1, 1},
                                         {0.25, 0}, {0.5, 0.5},     {0.75, -0.5}, {1, 0}};
  if (!ader_memory(order)) return all;
  const auto [x, y] = fastest(shape, order).wave;
  all.push_back({x, y});
  all.push_back({x, -y});
  return all;
}

// A growth of 1e-8 in a step would make 4e4 of 1 in so many steps.
constexpr int doublings = 30;

// The growth of a state in one step is at most this: coefficients are those of orthonormal modes, or near.
constexpr double unharmed = 1e3;

void expect_no_growth(StepOfASquare& step, Shape shape, int order, double cfl) {
  step.take(cfl);
  for (const auto& [x, y] : waves(shape, order)) EXPECT_LT(step.height(x, y, doublings), unharmed) << x << " " << y << ", cfl " << cfl;
}

class AderGrowth : public testing::TestWithParam<std::tuple<Shape, int>> {};

TEST_P(AderGrowth, IsNoneInAnyWave) {
  const auto [shape, order] = GetParam();
  StepOfASquare step(Family::modal, shape, order, true);
  for (const double cfl : {0.45, 0.9}) expect_no_growth(step, shape, order, cfl);
}

TEST_P(AderGrowth, IsWhatIsKnownWhereNothingIsCarried) {
  const auto [shape, order] = GetParam();
  if (order < first_growing_order) GTEST_SKIP() << "nothing grows at this order";
  StepOfASquare step(Family::modal, shape, order, false);
  const Fastest& known = fastest(shape, order);
  step.take(known.cfl / ader_fraction(shape, order));
  const auto [x, y] = known.wave;
  EXPECT_NEAR(std::max(step.growth(x, y), step.growth(x, -y)), known.growth, 0.1 * known.growth);
  EXPECT_FALSE(step.height(x, y, doublings) < unharmed && step.height(x, -y, doublings) < unharmed);
}

TEST_P(AderGrowth, IsNoneInTheNodalFamily) {
  const auto [shape, order] = GetParam();
  if (order < 4 && !every_order()) GTEST_SKIP() << "with SWELL_LONG only";
  StepOfASquare step(Family::nodal, shape, order, true);
  expect_no_growth(step, shape, order, 0.9);
}

INSTANTIATE_TEST_SUITE_P(Orders, AderGrowth,
                         testing::Combine(testing::Values(Shape::triangle, Shape::quadrilateral),
                                          testing::Range(1, every_order() ? 8 : 6)),
                         [](const auto& given) {
                           return std::string(shape_name(std::get<0>(given.param))) + std::to_string(std::get<1>(given.param));
                         });

}  // namespace
}  // namespace swell
