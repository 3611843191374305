// SPDX-License-Identifier: Apache-2.0
// The modal family by teams of threads (kernels/modal/team.h): the answers of a processor, with one element and with numbers of
// elements that fill no group. With SWELL_LONG set, since PoCL compiles for minutes: every shape, orders 1 to 8, coefficients
// that vary in space and time, both precisions.
#include <fmt/format.h>

#include "support.hpp"

namespace swell {
namespace {

struct TeamRun {
  std::string model, element;
  int order;
  std::string cells, material, precision;
};

const char* const constant_sound = "rho = 1\nc = 1";
const char* const changing_sound = "rho = \"1 + 0.3*x*y\"\nc = \"1 + 0.2*sin(3*x)\"";
const char* const swirl = "ax = \"sin(pi*x)^2*sin(2*pi*y)*cos(t)\"\nay = \"-sin(pi*y)^2*sin(2*pi*x)*cos(t)\"";
const char* const shear = "ax = \"1 + 0.2*cos(x + y)\"\nay = \"0.5 + 0.1*sin(x)\"";
const char* const shear_in_space = "ax = \"1 + 0.2*cos(x + y)\"\nay = \"0.5 + 0.1*sin(z)\"\naz = \"0.3*x\"";
const char* const lossy = "epsilon = \"1 + 0.5*x\"\nsigma = \"0.3*y\"";

std::vector<TeamRun> team_runs() {
  if (!std::getenv("SWELL_LONG"))
    return {{"acoustics", "quadrilateral", 6, "[1, 1]", constant_sound, "single"},
            {"acoustics", "triangle", 7, "[3, 1]", constant_sound, "double"},
            {"acoustics", "hexahedron", 2, "[3, 1, 1]", constant_sound, "double"},
            {"advection", "quadrilateral", 5, "[3, 1]", swirl, "double"}};
  std::vector<TeamRun> all;
  // Elements: 1, then 3, 6 or 5, which fill neither a group of 32 nor of 8.
  for (const int order : {1, 2, 3, 4, 5, 6, 7, 8}) {
    const std::string precision = order % 2 == 1 ? "double" : "single";
    all.push_back({"acoustics", "quadrilateral", order, order % 3 == 0 ? "[1, 1]" : "[3, 1]", constant_sound, precision});
    all.push_back({"acoustics", "triangle", order, order % 3 == 0 ? "[1, 1]" : "[3, 1]", constant_sound,
                   order % 2 == 0 ? "double" : "single"});
  }
  for (const int order : {1, 2, 3, 4}) {
    all.push_back({"acoustics", "hexahedron", order, order % 2 == 0 ? "[1, 1, 1]" : "[3, 1, 1]", constant_sound,
                   order > 2 ? "double" : "single"});
    all.push_back({"acoustics", "tetrahedron", order, "[1, 1, 1]", constant_sound, order > 2 ? "single" : "double"});
  }
  all.push_back({"acoustics", "triangle", 4, "[3, 1]", changing_sound, "double"});
  all.push_back({"acoustics", "quadrilateral", 3, "[1, 1]", changing_sound, "single"});
  all.push_back({"advection", "quadrilateral", 5, "[3, 1]", swirl, "double"});
  all.push_back({"advection", "triangle", 6, "[1, 1]", shear, "double"});
  all.push_back({"advection", "hexahedron", 3, "[1, 1, 1]", shear_in_space, "double"});
  all.push_back({"advection", "tetrahedron", 4, "[1, 1, 1]", shear_in_space, "single"});
  all.push_back({"maxwell-tm", "quadrilateral", 4, "[3, 1]", lossy, "double"});
  return all;
}

std::string words(const TeamRun& run) {
  std::string name = fmt::format("{}_{}_{}_{}", run.model, run.element, run.order, run.precision);
  std::replace(name.begin(), name.end(), '-', '_');
  if (run.material != constant_sound) name += "_varying";
  return name;
}

std::string text_of(const TeamRun& run, const std::string& scheme) {
  const bool space = run.element == "hexahedron" || run.element == "tetrahedron";
  return fmt::format(
      "[mesh]\nbox = {{ low = {}, high = {}, cells = {}, element = \"{}\" }}\n[model]\nname = \"{}\"\norder = {}\n"
      "family = \"modal\"\n[material]\n{}\n[time]\nsteps = 2\nscheme = \"{}\"\ncfl = 0.5\n[device]\nprecision = \"{}\"\n",
      space ? "[0, 0, 0]" : "[0, 0]", space ? "[1, 1, 1]" : "[1, 1]", run.cells, run.element, run.model, run.order, run.material,
      scheme, run.precision);
}

class ModalTeam : public testing::TestWithParam<std::tuple<std::string, TeamRun>> {};

TEST_P(ModalTeam, AnswersAsAProcessorDoes) {
  const auto& [device, run] = GetParam();
  for (const char* scheme : {"lsrk54", "ader"}) {
    std::vector<double> answers[2];
    for (const bool team : {false, true}) {
      Simulation simulation(parse_case(text_of(run, scheme), "test"), device_named(team ? device : "cpu"));
      write_noise(simulation.dg(), simulation.state());
      simulation.advance(simulation.end());
      answers[team] = values_of(simulation.dg(), simulation.state());
      // A small element has a thread of its own: up to 384 bytes, or 16 numbers where material varies.
      const int numbers = simulation.dg().element().node_count * simulation.dg().fields();
      const bool small = run.material != constant_sound ? numbers <= 16 : numbers * (run.precision == "double" ? 8 : 4) <= 384;
      const bool shared = team && !small;
      for (const std::string& kernel : simulation.dg().kernels_in_words())
        EXPECT_EQ(kernel.find("ROWS=") != std::string::npos, shared) << kernel;
    }
    double most = 0, size = 0;
    for (std::size_t i = 0; i < answers[0].size(); ++i) {
      size = std::max(size, std::abs(answers[0][i]));
      // Written so that what is not a number counts.
      most = std::abs(answers[1][i] - answers[0][i]) <= most ? most : std::abs(answers[1][i] - answers[0][i]);
    }
    EXPECT_LT(most, (run.precision == "double" ? 1e-12 : 1e-5) * size) << scheme;
  }
}

std::vector<std::string> devices_with_teams() {
  std::vector<std::string> all;
  for (const std::string& name : usable_devices())
    if (!name.starts_with("cpu")) all.push_back(name);
  return all;
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ModalTeam);
INSTANTIATE_TEST_SUITE_P(Devices, ModalTeam, testing::Combine(testing::ValuesIn(devices_with_teams()), testing::ValuesIn(team_runs())),
                         [](const auto& given) {
                           std::string device = std::get<0>(given.param);
                           std::replace(device.begin(), device.end(), ':', '_');
                           return device + "_" + words(std::get<1>(given.param));
                         });

}  // namespace
}  // namespace swell
