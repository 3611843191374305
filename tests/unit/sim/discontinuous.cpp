// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "device/device.hpp"
#include "sim/heat/heat.hpp"

namespace swell {
namespace {

// A disc of a thousand times the conductivity, whose edge passes through cells wherever it likes.
TEST(DiscontinuousPoisson, IsSolvedWithMaterialThatJumpsInsideCells) {
  const auto device = open_device("cpu:1");
  for (const char* element : {"triangle", "quadrilateral"})
    for (const int order : {1, 2}) {
      const Case c = parse_case(
          fmt::format("[mesh]\nbox = {{ low = [0, 0], high = [1, 1], cells = [16, 16], element = \"{}\" }}\n[model]\nname = \"poisson\"\n"
                      "order = {}\nfamily = \"discontinuous\"\n[material]\nk = \"if((x-0.37)^2 + (y-0.51)^2 < 0.04, 1000, 1)\"\n"
                      "[boundary]\nxmin = {{ kind = \"dirichlet\", u = 0 }}\nxmax = {{ kind = \"dirichlet\", u = 1 }}\n"
                      "[solver]\npreconditioner = \"multigrid\"\niterations = 200\n",
                      element, order),
          "disc.toml");
      HeatSimulation simulation(c, *device);
      EXPECT_NO_THROW(simulation.finish()) << element << order;
      // The disc has nearly one value.
      EXPECT_NEAR(simulation.value_at(simulation.fields().front(), {0.3, 0.51}), simulation.value_at(simulation.fields().front(), {0.44, 0.51}), 0.01) << element << order;
    }
}

}  // namespace
}  // namespace swell
