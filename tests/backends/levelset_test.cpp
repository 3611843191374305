// SPDX-License-Identifier: Apache-2.0
// Level sets on every device: the same as on the CPU, and the whole of transport and reinitialisation without a wait.
#include <fmt/format.h>

#include <cmath>

#include "base/error.hpp"
#include "dg/levelset/text.hpp"
#include "nvrtc_support.hpp"
#include "support.hpp"

namespace swell {
namespace {

std::string case_text(const std::string& shape, int order, const std::string& velocity, const std::string& precision,
                      int every) {
  const bool flat = shape == "triangle" || shape == "quadrilateral";
  return fmt::format(
      "[mesh]\nbox = {{ low = {}, high = {}, cells = {}, element = \"{}\" }}\n[model]\nname = \"levelset\"\norder = "
      "{}\n"
      "[levelset]\nthickness = 0.1\nevery = {}\ntolerance = 0\nlength = 0.5\n[material]\n{}\n"
      "[initial]\nG = \"1/(1 + exp((sqrt((x - 0.4)^2 + (y - 0.5)^2 + (z - {})^2) - 0.25)/0.1))\"\n"
      "[time]\ndt = 2e-3\nsteps = 20\n[device]\nprecision = \"{}\"\n",
      flat ? "[0, 0]" : "[0, 0, 0]", flat ? "[1, 1]" : "[1, 1, 1]", flat ? "[3, 3]" : "[2, 2, 1]", shape, order, every,
      velocity, flat ? 0.0 : 0.5, precision);
}

std::vector<double> after_steps(const std::string& text, Device& device) {
  Simulation run(parse_case(text, "test.toml"), device);
  run.advance(run.end());
  return values_of(run.dg(), run.state());
}

class LevelSetOnDevices : public OnEveryDevice {};

TEST_P(LevelSetOnDevices, AgreeWithTheCpuAndWithThemselves) {
  const std::string turning = "ax = \"-(y - 0.5)*cos(t)\"\nay = \"(x - 0.5)*cos(t)\"";
  const std::string changing = "ax = \"1 + 0.1*sin(x + t)\"\nay = \"0.5*cos(y - t)\"";
  struct Given {
    const char* shape;
    int order;
    const std::string& velocity;
  };
  for (const Given& given :
       {Given{"quadrilateral", 4, turning}, Given{"quadrilateral", 1, changing}, Given{"triangle", 2, changing},
        Given{"hexahedron", 2, changing}, Given{"tetrahedron", 1, changing}})
    for (const std::string precision : {"double", "single"}) {
      if (precision == "double" && !device.info().doubles) continue;
      if (precision == "single" && given.order != 4) continue;
      SCOPED_TRACE(fmt::format("{} of order {}, {}", given.shape, given.order, precision));
      const std::string text = case_text(given.shape, given.order, given.velocity, precision, 10);
      const auto expected = after_steps(text, device_named("cpu:1")), found = after_steps(text, device);
      double worst = 0, most = 0;
      for (std::size_t i = 0; i < expected.size(); ++i) {
        most = std::max(most, std::abs(expected[i]));
        worst = std::max(worst, std::abs(expected[i] - found[i]));
      }
      EXPECT_GT(most, 0.1);
      EXPECT_LT(worst, precision == "double" ? 1e-12 : 2e-5);
      EXPECT_EQ(found, after_steps(text, device));
    }
}

TEST_P(LevelSetOnDevices, StayThereForManySteps) {
  Simulation run(parse_case(case_text("quadrilateral", 2, "ax = 1", "double", 2), "test.toml"), device);
  run.advance(4e-3);  // everything is compiled and allocated after the first reinitialisation
  Operator& dg = run.dg();
  device.queue().finish();
  const DeviceCounters before = device.counters();
  for (int step = 1; step <= 10; ++step) dg.after_step(run.state(), 2 * step, false);
  const DeviceCounters after = device.counters();
  EXPECT_EQ(after.copies, before.copies);
  EXPECT_EQ(after.waits, before.waits);
  EXPECT_EQ(after.allocations, before.allocations);
  EXPECT_GT(after.launches, before.launches + 100);
}

TEST(LevelSetForCuda, CompilesEveryTextWhereNvrtcIs) {
  keep_cache_beside_program();
  std::unique_ptr<Device> device;
  try {
    device = open_noted_nvrtc();
  } catch (const RunError& absent) {
    GTEST_SKIP() << absent.what();
  }
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::hexahedron})
    for (const bool teams : {true, false}) {
      if (!teams && shape != Shape::hexahedron) continue;  // only large elements have no room for a team
      const int order = teams ? 4 : 2;
      const Precision precision = dimension(shape) == 2 ? Precision::single_ : Precision::double_;
      const ReferenceElement element(shape, order);
      LevelSetSize size{shape,
                        order,
                        element.dim,
                        element.face_count,
                        element.node_count,
                        element.face_node_count,
                        cubature(shape, 3 * order),
                        cubature(face_shape(shape), 3 * order),
                        1,
                        32};
      if (teams) {
        size.width = 1;
        form_teams(size, device->info(), precision);
        ASSERT_GT(size.team, 0);
      }
      const std::vector<std::vector<Expression>> velocity{
          std::vector<Expression>(element.dim, Expression::parse("sin(x)*t", space_time_variables, "the test"))};
      SCOPED_TRACE(fmt::format("{}, {}", shape_name(shape), teams ? "teams" : "a thread an element"));
      EXPECT_NO_THROW(device->compile(levelset_transport_text(size, precision)));
      EXPECT_NO_THROW(device->compile(levelset_reinit_text(size, precision)));
      EXPECT_NO_THROW(device->compile(levelset_velocity_text(size, precision, velocity)));
      EXPECT_NO_THROW(device->compile(levelset_state_text(size, precision)));
    }
}

INSTANTIATE_TEST_SUITE_P(All, LevelSetOnDevices, testing::ValuesIn(usable_devices()), device_test_name);

}  // namespace
}  // namespace swell
