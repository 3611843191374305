// SPDX-License-Identifier: Apache-2.0
#include "time/stability.hpp"

#include <gtest/gtest.h>

#include "../../../tools/stability/modal_survey.hpp"
#include "base/error.hpp"
#include "element/element.hpp"

namespace swell {
namespace {

constexpr double safety = 0.95;  // what the table's reader takes off
constexpr int krylov_steps = 30;

stability::Constants measured(Shape shape, int order, const stability::System& system) {
  const ReferenceElement element(shape, order);
  return stability::measured_constants(stability::EnergyElement(element), system, krylov_steps);
}

TEST(StableConstant, IsWhatTheMeasurementGives) {
  for (const auto& [shape, highest] :
       {std::pair{Shape::line, 12}, {Shape::triangle, 3}, {Shape::quadrilateral, 3}, {Shape::tetrahedron, 1}, {Shape::hexahedron, 1}})
    for (int order = 1; order <= highest; ++order) {
      const stability::Constants constants = measured(shape, order, stability::acoustics(dimension(shape)));
      for (std::size_t s = 0; s < stability::schemes.size(); ++s)
        EXPECT_NEAR(stable_constant(stability::schemes[s], shape, order), safety * constants[s],
                    0.02 * safety * constants[s])
            << stability::schemes[s] << ", " << shape_name(shape) << " of order " << order;
    }
}

TEST(StableConstant, HoldsForAllWaveSystems) {
  const auto expect_enough = [](Shape shape, int order, const stability::System& system, const char* name) {
    const stability::Constants constants = measured(shape, order, system);
    for (std::size_t s = 0; s < stability::schemes.size(); ++s)
      EXPECT_GT(constants[s], 0.99 / safety * stable_constant(stability::schemes[s], shape, order))
          << name << ", " << stability::schemes[s] << ", " << shape_name(shape) << " of order " << order;
  };
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
    for (const double angle : {0.0, 0.5, 1.0, 1.5, 2.0, 2.5})
      expect_enough(shape, 2, stability::advection(Eigen::Vector2d(std::cos(angle), std::sin(angle))), "advection");
    for (const double mu : {0.05, 1.0 / 3.0, 0.49}) expect_enough(shape, 2, stability::elastic(2, mu), "elastic");
  }
  expect_enough(Shape::tetrahedron, 1, stability::maxwell(), "maxwell");
}

TEST(StableConstant, FallsWithTheOrderAndEndsWithTheElement) {
  for (const std::string_view scheme : stability::schemes)
    for (const Shape shape : {Shape::line, Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::hexahedron}) {
      for (int order = 2; order <= max_order(shape); ++order)
        EXPECT_LT(stable_constant(scheme, shape, order), stable_constant(scheme, shape, order - 1));
      EXPECT_THROW(stable_constant(scheme, shape, max_order(shape) + 1), InputError);
      EXPECT_THROW(stable_constant(scheme, shape, 0), InputError);
    }
  EXPECT_THROW(stable_constant("euler", Shape::triangle, 1), InputError);
}

TEST(ModalConstant, IsWhatTheMeasurementGives) {
  using Orders = std::vector<int>;  // from 4 on ADER carries something from step to step
  for (const auto& [shape, orders] :
       {std::pair{Shape::line, Orders{1, 3, 4, 5, 6, 7, 8, 12}}, {Shape::triangle, Orders{1, 2, 4}}, {Shape::quadrilateral, Orders{1, 2, 3, 5}}, {Shape::hexahedron, Orders{1}}})
    for (const int order : orders) {
      const ReferenceElement element(shape, order);
      const auto constants =
          stability::modal_constants(stability::EnergyElement(element), stability::acoustics(element.dim), krylov_steps);
      const auto expect = [&](double known, double found) {
        EXPECT_NEAR(known, found, 0.02 * found) << shape_name(shape) << " of order " << order;
      };
      for (std::size_t s = 0; s < stability::schemes.size(); ++s)
        expect(stable_constant(stability::schemes[s], shape, order), safety * constants.of_schemes[s]);
      expect(stable_constant("rkp1", shape, order), safety * constants.rkp1);
      expect(ader_fraction(shape, order), std::min(1.0, safety * constants.ader));
    }
}

// Castro, Behrens and Pelties (2013) ran eq. (31) at cfl = 0.9 on triangles up to order 6.
TEST(AderFraction, KeepsThePublishedStepOnTriangles) {
  for (int order = 1; order <= 4; ++order) EXPECT_EQ(ader_fraction(Shape::triangle, order), 1) << order;
  // Stretched cells and walls included, before anything is taken off for safety.
  for (const int order : {5, 6}) EXPECT_GT(ader_fraction(Shape::triangle, order) / safety, 0.9) << order;
}

TEST(AderGrowthAsStated, IsNoneUpToOrderSevenAndFallsWithTheSquareOfTheStep) {
  for (int order = 1; order <= 7; ++order) EXPECT_EQ(ader_growth(Shape::triangle, order, 1), 0) << order;
  EXPECT_GT(ader_growth(Shape::triangle, 8, 1), 0);
  EXPECT_DOUBLE_EQ(ader_growth(Shape::hexahedron, 8, 0.5), ader_growth(Shape::quadrilateral, 9, 1) / 4);
}

// Known ends of the regions on the imaginary axis: 2 sqrt 2, sqrt 3, 0.7236; and on the real axis: 2.7853, 2.5127, 6/11.
TEST(StabilityRegion, EndsWhereTheTextbooksSay) {
  const std::vector<stability::Complex> imaginary = {{0.0, 1.0}}, real = {{-1.0, 0.0}};
  EXPECT_NEAR(stability::Region("rk4").stable_step(imaginary), 2.0 * std::sqrt(2.0), 1e-4);
  EXPECT_NEAR(stability::Region("rk4").stable_step(real), 2.7853, 1e-4);
  EXPECT_NEAR(stability::Region("ssprk33").stable_step(imaginary), std::sqrt(3.0), 1e-4);
  EXPECT_NEAR(stability::Region("ssprk33").stable_step(real), 2.5127, 1e-4);
  EXPECT_NEAR(stability::Region("ab3").stable_step(imaginary), 0.7236, 1e-3);
  EXPECT_NEAR(stability::Region("ab3").stable_step(real), 6.0 / 11.0, 1e-4);
}

}  // namespace
}  // namespace swell
