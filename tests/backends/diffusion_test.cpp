// SPDX-License-Identifier: Apache-2.0
// Poisson's equation with discontinuous elements gives the same answer on every device.
#include <fmt/format.h>

#include "sim/heat/heat.hpp"
#include "support.hpp"

namespace swell {
namespace {

std::vector<double> solved(const char* element, const char* conductivity, const char* precision, const char* with,
                           Device& device) {
  const bool solid = std::string(element) == "tetrahedron" || std::string(element) == "hexahedron";
  HeatSimulation simulation(
      parse_case(fmt::format("[mesh]\nbox = {{ low = {0}, high = {1}, cells = {1}, element = \"{2}\" }}\n"
                             "[model]\nname = \"poisson\"\nfamily = \"discontinuous\"\norder = 2\n"
                             "[device]\nprecision = \"{3}\"\n[material]\nk = \"{4}\"\n"
                             "[boundary]\nxmin = {{ kind = \"dirichlet\", u = \"1 + y\" }}\n"
                             "xmax = {{ kind = \"flux\", q = \"y\" }}\nymax = {{ kind = \"robin\", h = 0.7, T = \"x\" }}\n"
                             "[source]\nu = \"x\"\n[solver]\ntolerance = {5}\npreconditioner = \"{6}\"\n",
                             solid ? "[0, 0, 0]" : "[0, 0]", solid ? "[2, 2, 1]" : "[2, 2]", element, precision,
                             conductivity, std::string(precision) == "double" ? "1e-14" : "1e-6", with),
                 "test.toml"),
      device);
  simulation.finish();
  return simulation.nodal_values();
}

class Diffusion : public OnEveryDevice {};

TEST_P(Diffusion, IsTheSameOnEveryDevice) {
  // Values are near 1. In double the solver goes to rounding; in single its tolerance of 1e-6, times the condition of these few
  // cells, decides.
  for (const char* element : {"triangle", "quadrilateral", "tetrahedron", "hexahedron"})
    for (const auto& [conductivity, precision, tolerance] :
         {std::tuple{"1 + 0.5*sin(x*y)", "double", 1e-11}, {"if(x < 1, 3, 1)", "single", 2e-4}}) {
      const auto here = solved(element, conductivity, precision, "jacobi", device);
      const auto there = solved(element, conductivity, precision, "jacobi", device_named("cpu"));
      ASSERT_EQ(here.size(), there.size());
      for (std::size_t i = 0; i < here.size(); ++i)
        ASSERT_NEAR(here[i], there[i], tolerance) << element << ' ' << precision << ' ' << i;
    }
}

TEST_P(Diffusion, IsTheSameWithMultigrid) {
  const auto here = solved("triangle", "1 + 0.5*sin(x*y)", "double", "multigrid", device);
  const auto plain = solved("triangle", "1 + 0.5*sin(x*y)", "double", "jacobi", device_named("cpu"));
  for (std::size_t i = 0; i < here.size(); ++i) ASSERT_NEAR(here[i], plain[i], 1e-11) << i;
}

TEST_P(Diffusion, GivesTheSameBitsEveryTime) {
  EXPECT_EQ(solved("triangle", "1", "double", "jacobi", device), solved("triangle", "1", "double", "jacobi", device));
}

INSTANTIATE_TEST_SUITE_P(Devices, Diffusion, testing::ValuesIn(usable_devices()), device_test_name);

}  // namespace
}  // namespace swell
