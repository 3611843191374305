// SPDX-License-Identifier: Apache-2.0
// Many steps on every device against the same on the CPU, and again on the same device: to rounding, and to the bit. With
// SWELL_LONG set a thousand steps of all cases.
#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "support.hpp"

namespace swell {
namespace {

struct Long {
  const char *name, *mesh, *model;
};

// Straight simplices, curved ones, tensor elements, and a material that varies inside the elements.
const Long cases[] = {
    {"maxwell_tetrahedron",
     R"(box = { low = [0, 0, 0], high = [1, 1, 1], cells = [2, 2, 1], element = "tetrahedron" })",
     "[model]\nname = \"maxwell\"\norder = 3\n[initial]\nEx = \"sin(pi*y)*sin(pi*z)\"\nHz = \"cos(pi*x)\"\n"},
    {"acoustics_hexahedron",
     R"(box = { low = [0, 0, 0], high = [1, 1, 1], cells = [2, 2, 1], element = "hexahedron" })",
     "[model]\nname = \"acoustics\"\norder = 3\n[initial]\np = \"cos(pi*x)*cos(pi*y)\"\n"},
    {"elastic_disc", "disc = { cells = 2, radius = 1, element = \"triangle\" }",
     "[model]\nname = \"elastic\"\norder = 3\n[initial]\nvx = \"exp(-4*(x^2 + y^2))\"\n"},
    {"maxwell_varying", R"(box = { low = [0, 0], high = [1, 1], cells = [3, 3], element = "quadrilateral" })",
     "[model]\nname = \"maxwell-tm\"\norder = 4\n[material]\nepsilon = \"1 + 0.5*x\"\n[boundary]\nxmax = "
     "\"absorbing\"\n"
     "[initial]\nEz = \"sin(pi*x)*sin(pi*y)\"\n"}};

bool all() { return std::getenv("SWELL_LONG") != nullptr; }

std::vector<double> after_many_steps(const Long& which, Device& device, const std::string& precision) {
  // The step is given: what the operator's speeds round to must not change it.
  Simulation run(parse_case(fmt::format("[mesh]\n{}\n{}[time]\ndt = 2e-3\nsteps = {}\n[device]\nprecision = \"{}\"\n",
                                        which.mesh, which.model, all() ? 1000 : 100, precision),
                            "test.toml"),
                 device);
  run.advance(run.end());
  return values_of(run.dg(), run.state());
}

class Agree : public OnEveryDevice {};

TEST_P(Agree, WithTheCpuAfterManyStepsAndWithItselfToTheBit) {
  for (const std::string precision : {"double", "single"})
    for (const Long& which : cases) {
      if (!all() && &which != cases && &which != std::end(cases) - 1) continue;
      if (precision == "double" && !device.info().doubles) continue;
      const auto expected = after_many_steps(which, device_named("cpu:1"), precision);
      const auto found = after_many_steps(which, device, precision);
      double most = 0, worst = 0;
      for (std::size_t i = 0; i < expected.size(); ++i) {
        most = std::max(most, std::abs(expected[i]));
        worst = std::max(worst, std::abs(expected[i] - found[i]));
      }
      EXPECT_GT(most, 0.01) << which.name;
      EXPECT_LT(worst / most, precision == "double" ? 1e-12 : 1e-5) << which.name << " " << precision;
      EXPECT_EQ(after_many_steps(which, device, precision), found) << which.name << " " << precision;
      RecordProperty(fmt::format("{}_{}", which.name, precision), fmt::format("{:.3g}", worst / most));
    }
}

INSTANTIATE_TEST_SUITE_P(Devices, Agree, testing::ValuesIn(usable_devices()), device_test_name);

}  // namespace
}  // namespace swell
