// SPDX-License-Identifier: Apache-2.0
// Many steps on every device against the same on the CPU, and again on the same device: to rounding, and to the bit. With
// SWELL_LONG set a thousand steps of all cases.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "support.hpp"

namespace swell {
namespace {

struct Long {
  const char *name, *mesh, *model;
  const char* scheme = "lsrk54";
};
void PrintTo(const Long& which, std::ostream* out) { *out << which.name; }

// Straight simplices, curved ones, tensor elements, both in one mesh, a material that varies inside the elements; an upwind flux
// derived from waves that differ by direction; the modal family, ADER and level sets.
const Long cases[] = {
    {"maxwell_tetrahedron",
     R"(box = { low = [0, 0, 0], high = [1, 1, 1], cells = [2, 2, 1], element = "tetrahedron" })",
     "[model]\nname = \"maxwell\"\norder = 3\n[initial]\nEx = \"sin(pi*y)*sin(pi*z)\"\nHz = \"cos(pi*x)\"\n"},
    {"acoustics_hexahedron",
     R"(box = { low = [0, 0, 0], high = [1, 1, 1], cells = [2, 2, 1], element = "hexahedron" })",
     "[model]\nname = \"acoustics\"\norder = 3\n[initial]\np = \"cos(pi*x)*cos(pi*y)\"\n"},
    {"acoustics_moved_hexahedron",
     R"(box = { low = [0, 0, 0], high = [1, 1, 1], cells = [2, 2, 1], element = "hexahedron", move = 0.2 })",
     "[model]\nname = \"acoustics\"\norder = 3\n[initial]\np = \"cos(pi*x)*cos(pi*y)\"\n"},
    {"acoustics_line", R"(box = { low = [0], high = [1], cells = [5], move = 0.2 })",
     "[model]\nname = \"acoustics\"\norder = 4\n[material]\nrho = \"if(x<0.5, 1, 2 + x)\"\n[initial]\np = \"cos(pi*x)\"\n"},
    {"modal_line", R"(box = { low = [0], high = [1], cells = [5] })",
     "[model]\nname = \"acoustics\"\nfamily = \"modal\"\norder = 4\n[initial]\np = \"cos(pi*x)\"\n", "ader"},
    {"acoustics_mixed", R"(box = { low = [0, 0], high = [1, 1], cells = [4, 2], element = "mixed", move = 0.2 })",
     "[model]\nname = \"acoustics\"\norder = 3\n[boundary]\nxmin = \"soft\"\n[initial]\np = \"cos(pi*x)*cos(pi*y)\"\n"},
    {"acoustics_mixed_space", R"(box = { low = [0, 0, 0], high = [1, 1, 1], cells = [3, 1, 4], element = "mixed", move = 0.1 })",
     "[model]\nname = \"acoustics\"\norder = 1\n[boundary]\nxmin = \"soft\"\n[initial]\np = \"cos(pi*x)*cos(pi*y)*cos(pi*z)\"\n"},
    {"acoustics_mixed_space_varying", R"(box = { low = [0, 0, 0], high = [1, 1, 1], cells = [3, 1, 4], element = "mixed" })",
     "[model]\nname = \"acoustics\"\norder = 1\n[material]\nrho = \"1 + 0.5*x\"\n[initial]\np = \"cos(pi*x)*cos(pi*y)*cos(pi*z)\"\n"},
    {"acoustics_mixed_space_bent",
     R"(box = { low = [0, 0, 0], high = [1, 1, 1], cells = [3, 1, 4], element = "mixed", bend = 0.1, geometry_order = 2 })",
     "[model]\nname = \"acoustics\"\norder = 1\n[boundary]\nxmin = \"soft\"\n[initial]\np = \"cos(pi*x)*cos(pi*y)*cos(pi*z)\"\n"},
    {"maxwell_mixed_varying",
     R"(box = { low = [0, 0], high = [1, 1], cells = [4, 2], element = "mixed", bend = 0.1, geometry_order = 3 })",
     "[model]\nname = \"maxwell-tm\"\norder = 2\n[material]\nepsilon = \"1 + 0.5*x\"\n[boundary]\nxmax = \"absorbing\"\n"
     "[initial]\nEz = \"sin(pi*x)*sin(pi*y)\"\n"},
    {"elastic_disc", "disc = { cells = 2, radius = 1, element = \"triangle\" }",
     "[model]\nname = \"elastic\"\norder = 3\n[initial]\nvx = \"exp(-4*(x^2 + y^2))\"\n"},
    {"maxwell_varying", R"(box = { low = [0, 0], high = [1, 1], cells = [3, 3], element = "quadrilateral" })",
     "[model]\nname = \"maxwell-tm\"\norder = 4\n[material]\nepsilon = \"1 + 0.5*x\"\n[boundary]\nxmax = "
     "\"absorbing\"\n"
     "[initial]\nEz = \"sin(pi*x)*sin(pi*y)\"\n"},
    {"carried_triangle", R"(box = { low = [0, 0], high = [1, 1], cells = [3, 2], element = "triangle" })",
     "[model]\nfile = \"carried-sound.h\"\norder = 3\n[material]\nax = 0.4\nay = -0.2\nc = \"if(x<0.4, 1, 1.5)\"\n"
     "[initial]\np = \"cos(pi*x)*cos(pi*y)\"\n"},
    {"carried_hexahedron", R"(box = { low = [0, 0, 0], high = [1, 1, 1], cells = [2, 2, 1], element = "hexahedron" })",
     "[model]\nfile = \"carried-sound.h\"\norder = 2\n[material]\nax = 0.4\naz = -0.2\n[initial]\np = \"cos(pi*x)*cos(pi*y)\"\n"},
    {"euler_jump", R"(box = { low = [0, 0], high = [1, 1], cells = [3, 2], element = "triangle" })",
     "[model]\nname = \"euler\"\norder = 2\n[initial]\nrho = \"if(x < 0.5, 1, 0.125)\"\np = \"if(x < 0.5, 1, 0.1)\"\n"},
    {"euler_mixed_jump", R"(box = { low = [0, 0], high = [1, 1], cells = [4, 2], element = "mixed", move = 0.1 })",
     "[model]\nname = \"euler\"\norder = 2\n[initial]\nrho = \"if(x < 0.5, 1, 0.125)\"\np = \"if(x < 0.5, 1, 0.1)\"\n"},
    {"friction_quadrilateral", R"(box = { low = [0, 0], high = [1, 1], cells = [2, 2], element = "quadrilateral" })",
     "[model]\nname = \"navier-stokes\"\norder = 1\nform = \"quadrature\"\n[material]\nmu = 0.02\n[boundary]\nymin = \"noslip\"\n"
     "[initial]\nrho = \"1 + 0.1*x\"\nux = \"0.3*y\"\np = \"1 + 0.1*y\"\n"},
    {"carried_modal", R"(box = { low = [0, 0], high = [1, 1], cells = [2, 2], element = "triangle" })",
     "[model]\nfile = \"carried-sound.h\"\nfamily = \"modal\"\norder = 2\n[material]\nax = 0.4\n"
     "[initial]\np = \"cos(pi*x)*cos(pi*y)\"\n",
     "ader"},
    {"carried_disc", "disc = { cells = 2, radius = 1, element = \"triangle\" }",
     "[model]\nfile = \"carried-sound.h\"\norder = 2\n[material]\nax = \"0.2*y\"\n[initial]\np = \"exp(-4*(x^2 + y^2))\"\n"},
    {"modal_layers", R"(box = { low = [0, 0], high = [1, 1], cells = [2, 2], element = "triangle" })",
     "[model]\nname = \"elastic\"\nfamily = \"modal\"\norder = 3\n[material]\nlambda = \"if(y<0.5, 2, 1)\"\n"
     "mu = \"if(y<0.5, 1, 0.5)\"\n[initial]\nvx = \"exp(-((x-0.5)^2+(y-0.4)^2)/0.02)\"\n",
     "ader"},
    {"modal_varying", R"(box = { low = [0, 0], high = [1, 1], cells = [2, 2], element = "quadrilateral" })",
     "[model]\nname = \"acoustics\"\nfamily = \"modal\"\norder = 3\n[material]\nrho = \"1 + 0.3*x*y\"\n"
     "c = \"1 + 0.2*sin(3*x)\"\n[initial]\np = \"cos(pi*x)*cos(pi*y)\"\n",
     "ader"},
    {"modal_in_time", R"(box = { low = [0, 0], high = [1, 1], cells = [2, 2], element = "triangle", periodic = [true, true] })",
     "[model]\nname = \"advection\"\nfamily = \"modal\"\norder = 3\n[material]\nax = \"1 + 0.2*sin(2*pi*(x - t))\"\n"
     "ay = \"cos(t)\"\n[initial]\nu = \"1 + sin(2*pi*x)*cos(2*pi*y)\"\n",
     "ader"},
    {"modal_carried", R"(box = { low = [0, 0], high = [1, 1], cells = [2, 2], element = "triangle" })",
     "[model]\nname = \"acoustics\"\nfamily = \"modal\"\norder = 4\n[initial]\np = \"cos(pi*x)*cos(pi*y)\"\n", "ader"},
    {"nodal_point", R"(box = { low = [0, 0], high = [1, 1], cells = [3, 3], element = "quadrilateral" })",
     "[model]\nname = \"acoustics\"\norder = 3\n[boundary]\nxmin = \"absorbing\"\n[initial]\np = \"cos(pi*x)*cos(pi*y)\"\n"
     "[[source.point]]\nat = [0.3, 0.4]\nfield = \"p\"\nsignal = \"sin(5*t)\"\n",
     "ader"},
    {"modal_point", R"(box = { low = [0, 0], high = [1, 1], cells = [3, 3], element = "triangle" })",
     "[model]\nname = \"elastic\"\nfamily = \"modal\"\norder = 2\n[initial]\nvx = \"cos(pi*x)*cos(pi*y)\"\n"
     "[[source.point]]\nat = [0.3, 0.4]\nmoment = [1, 1, 0.5]\nsignal = \"sin(5*t)\"\n",
     "ader"},
    {"modal_hexahedron", R"(box = { low = [0, 0, 0], high = [1, 1, 1], cells = [2, 1, 1], element = "hexahedron" })",
     "[model]\nname = \"maxwell\"\nfamily = \"modal\"\norder = 2\n[initial]\nEx = \"sin(pi*y)*sin(pi*z)\"\n", "ader"},
    {"nodal_tetrahedron", R"(box = { low = [0, 0, 0], high = [1, 1, 1], cells = [1, 1, 1], element = "tetrahedron" })",
     "[model]\nname = \"acoustics\"\norder = 3\n[initial]\np = \"cos(pi*x)*cos(pi*y)\"\n", "ader"},
    {"modal_tetrahedron", R"(box = { low = [0, 0, 0], high = [1, 1, 1], cells = [1, 1, 1], element = "tetrahedron" })",
     "[model]\nname = \"elastic\"\nfamily = \"modal\"\norder = 2\n[initial]\nvx = \"cos(pi*x)*cos(pi*y)\"\n", "rkp1"},
    {"level_set", R"(box = { low = [0, 0], high = [1, 1], cells = [3, 3], element = "quadrilateral" })",
     "[model]\nname = \"levelset\"\norder = 2\n[levelset]\nthickness = 0.1\nevery = 50\ntolerance = 0\nlength = 0.2\n"
     "[material]\nax = \"-(y - 0.5)*cos(t)\"\nay = \"(x - 0.5)*cos(t)\"\n"
     "[initial]\nG = \"1/(1 + exp((sqrt((x - 0.4)^2 + (y - 0.5)^2) - 0.25)/0.1))\"\n",
     "rkp1"},
    {"level_set_triangle", R"(box = { low = [0, 0], high = [1, 1], cells = [3, 3], element = "triangle" })",
     "[model]\nname = \"levelset\"\norder = 2\n[levelset]\nthickness = 0.1\nevery = 50\ntolerance = 0\nlength = 0.2\n"
     "[material]\nax = \"-(y - 0.5)*cos(t)\"\nay = \"(x - 0.5)*cos(t)\"\n"
     "[initial]\nG = \"1/(1 + exp((sqrt((x - 0.4)^2 + (y - 0.5)^2) - 0.25)/0.1))\"\n",
     "rkp1"}};
// Cases that run without SWELL_LONG.
const std::vector<std::string> always{"maxwell_tetrahedron", "maxwell_varying", "carried_triangle", "euler_jump", "friction_quadrilateral", "acoustics_mixed",
                                      "maxwell_mixed_varying"};

bool all() { return std::getenv("SWELL_LONG") != nullptr; }

std::vector<Long> cases_now() {
  std::vector<Long> some;
  for (const Long& which : cases)
    if (all() || std::find(always.begin(), always.end(), which.name) != always.end()) some.push_back(which);
  return some;
}

std::vector<double> after_many_steps(const Long& which, Device& device, const std::string& precision) {
  // The step is given: what the operator's speeds round to must not change it.
  Simulation run(parse_case(fmt::format("[mesh]\n{}\n{}[time]\nscheme = \"{}\"\ndt = 2e-3\nsteps = {}\n[device]\n"
                                        "precision = \"{}\"\n",
                                        which.mesh, which.model, which.scheme, all() ? 1000 : 100, precision),
                            "test.toml", {}, SWELL_SOURCE_DIR "/tests/data/models"),
                 device);
  run.advance(run.end());
  return values_of(run.dg(), run.state());
}

// A test for each case, so that they can be shared out among processes.
class Agree : public testing::TestWithParam<std::tuple<std::string, Long>> {};

TEST_P(Agree, WithTheCpuAfterManyStepsAndWithItselfToTheBit) {
  const Long which = std::get<1>(GetParam());
  Device& device = device_named(std::get<0>(GetParam()));
  for (const std::string precision : {"double", "single"}) {
    if (precision == "double" && !device.info().doubles) continue;
    const auto expected = after_many_steps(which, device_named("cpu:1"), precision);
    const auto found = after_many_steps(which, device, precision);
    double most = 0, worst = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      most = std::max(most, std::abs(expected[i]));
      worst = std::max(worst, std::abs(expected[i] - found[i]));
    }
    EXPECT_GT(most, 0.01);
    EXPECT_LT(worst / most, precision == "double" ? 1e-12 : 1e-5) << precision;
    EXPECT_EQ(after_many_steps(which, device, precision), found) << precision;
    RecordProperty("device", std::get<0>(GetParam()));
    RecordProperty(fmt::format("{}_{}", which.name, precision), fmt::format("{:.3g}", worst / most));
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, Agree,
                         testing::Combine(testing::ValuesIn(usable_devices()), testing::ValuesIn(cases_now())),
                         [](const auto& given) {
                           std::string name = std::get<0>(given.param) + "_" + std::get<1>(given.param).name;
                           std::replace(name.begin(), name.end(), ':', '_');
                           return name;
                         });

}  // namespace
}  // namespace swell
