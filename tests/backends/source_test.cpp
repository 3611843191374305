// SPDX-License-Identifier: Apache-2.0
// Sources, point sources, moment tensors and receivers against what they must do.
#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>

#include "sim/outputs/outputs.hpp"
#include "support.hpp"

namespace swell {
namespace {

class Sources : public OnEveryDevice {
 protected:
  Simulation run(const std::string& text) { return Simulation(parse_case(text, "test.toml"), device); }
};

// p = sin(2 pi x) sin t, v = 0: what is left of both equations is given as the source.
TEST_P(Sources, DriveAManufacturedSolution) {
  for (const char* element : {"triangle", "quadrilateral"}) {
    auto simulation = run(fmt::format(R"toml(
[mesh]
box = {{ low = [0, 0], high = [1, 1], cells = [4, 2], element = "{}", periodic = [true, true] }}
[model]
name = "acoustics"
order = 6
[material]
rho = 2
c = 0.5
[source]
p = "2*sin(2*pi*x)*cos(t)"
vx = "2*pi*cos(2*pi*x)*sin(t)"
[exact]
p = "sin(2*pi*x)*sin(t)"
[time]
end = 0.7
)toml",
                                      element));
    simulation.advance(simulation.end());
    EXPECT_LT(simulation.errors().relative(), 2e-5) << element;
  }
}

// In a rigid box nothing leaves: the integral of p / (rho c^2) is the integral of the signal.
TEST_P(Sources, AtAPointPutInWhatTheSignalSays) {
  for (const char* element : {"triangle", "quadrilateral", "tetrahedron", "hexahedron"}) {
    const bool plane = element[0] == 'q' || element[1] == 'r';
    auto simulation = run(fmt::format(R"toml(
[mesh]
box = {{ low = {0}, high = {1}, cells = {1}, element = "{2}" }}
[model]
name = "acoustics"
order = 2
[material]
rho = 2
c = 0.5
[[source.point]]
at = {3}
field = "p"
amplitude = 3
signal = "cos(t)"
[time]
end = 0.2
)toml",
                                      plane ? "[0, 0]" : "[0, 0, 0]", plane ? "[2, 1]" : "[2, 1, 1]", element,
                                      plane ? "[0.3, 0.45]" : "[0.3, 0.45, 0.2]"));
    simulation.advance(simulation.end());
    EXPECT_NEAR(integrals(simulation.dg(), simulation.state())[0] / (2 * 0.25), 3 * std::sin(0.2), 1e-7) << element;
  }
}

// p = rho s'(t - r/c) / (4 pi r) for p_t / (rho c^2) + div v = s(t) delta.
TEST_P(Sources, AtAPointRadiateAsTheFreeSpaceSolution) {
  auto simulation = run(R"toml(
[mesh]
box = { low = [0, 0, 0], high = [1, 1, 1], cells = [5, 5, 5], element = "hexahedron" }
[model]
name = "acoustics"
order = 5
[material]
rho = 1.5
c = 2
[[source.point]]
at = [0.47, 0.53, 0.51]
field = "p"
signal = "exp(-((t - 0.25)/0.07)^2)"
[time]
end = 0.4
)toml");
  constexpr double highest = 5.9;  // of p at the receiver
  for (const double until : {0.36, 0.4}) {
    simulation.advance(until);
    const double r = std::sqrt(0.2 * 0.2 + 0.15 * 0.15), s = (until - r / 2 - 0.25) / 0.07;
    const double expected = 1.5 * -2 * s / 0.07 * std::exp(-s * s) / (4 * std::numbers::pi * r);
    EXPECT_NEAR(simulation.value_at("p", {0.67, 0.53, 0.66}), expected, 0.05 * highest) << "t = " << until;
  }
}

TEST_P(Sources, OfAnExplosionPushOutwardsWithoutANetForce) {
  auto simulation = run(R"toml(
[mesh]
box = { low = [-1, -1], high = [1, 1], cells = [8, 8], element = "triangle" }
[model]
name = "elastic"
order = 4
[[source.point]]
at = [0.03, 0.02]
moment = [1, 1, 0]
signal = "exp(-((t - 0.25)/0.1)^2)"
[time]
end = 0.45
)toml");
  simulation.advance(simulation.end());
  const auto total = integrals(simulation.dg(), simulation.state());
  double most = 0;
  for (int k = 0; k < 8; ++k) {
    const double angle = 2 * std::numbers::pi * k / 8, x = 0.03 + 0.35 * std::cos(angle),
                 y = 0.02 + 0.35 * std::sin(angle);
    const double vx = simulation.value_at("vx", {x, y}), vy = simulation.value_at("vy", {x, y});
    const double outwards = vx * std::cos(angle) + vy * std::sin(angle),
                 around = vy * std::cos(angle) - vx * std::sin(angle);
    EXPECT_GT(outwards, 0.1) << "direction " << k;
    EXPECT_LT(std::abs(around), 0.1 * outwards) << "direction " << k;
    most = std::max(most, outwards);
  }
  for (int d = 0; d < 2; ++d) EXPECT_LT(std::abs(total[3 + d]), 1e-12 * most);
}

TEST_P(Sources, AreHeardByReceivers) {
  auto simulation = run(R"toml(
[mesh]
box = { low = [0, 0], high = [1, 1], cells = [3, 3], element = "quadrilateral" }
[model]
name = "maxwell-tm"
order = 3
[initial]
Ez = "sin(pi*x)*sin(pi*y)"
Hx = "x*y"
[[receiver]]
name = "all"
at = [0.37, 0.61]
[[receiver]]
name = "one"
at = [1, 0.5]
fields = ["Hx"]
[time]
steps = 7
)toml");
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("swell-receivers-{}-{}", getpid(), device_test_name({GetParam(), 0}));
  std::filesystem::create_directories(folder);
  std::vector<std::vector<double>> expected;
  {
    Receivers receivers(simulation);
    receivers.open_files(folder, {});
    const auto note = [&] {
      receivers.sample();
      const std::vector<double> at{0.37, 0.61};
      expected.push_back({simulation.time(), simulation.value_at("Hx", at), simulation.value_at("Hy", at),
                          simulation.value_at("Ez", at), simulation.value_at("Hx", {1, 0.5})});
      return true;
    };
    note();
    simulation.advance(simulation.end(), note);
    receivers.flush();
  }
  std::map<std::string, std::vector<std::vector<double>>> rows;
  std::map<std::string, std::string> heads;
  for (const char* name : {"all", "one"}) {
    std::ifstream in(folder / "receivers" / fmt::format("{}.csv", name));
    ASSERT_TRUE(in) << name;
    std::getline(in, heads[name]);
    for (std::string line; std::getline(in, line);) {
      std::istringstream cells(line);
      auto& row = rows[name].emplace_back();
      for (std::string cell; std::getline(cells, cell, ',');) row.push_back(std::stod(cell));
    }
  }
  std::filesystem::remove_all(folder);
  EXPECT_EQ(heads["all"], "time,Hx,Hy,Ez");
  EXPECT_EQ(heads["one"], "time,Hx");
  ASSERT_EQ(rows["all"].size(), expected.size());
  ASSERT_EQ(rows["one"].size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(rows["all"][i][k], expected[i][k], 1e-14) << "row " << i;
    EXPECT_NEAR(rows["one"][i][1], expected[i][4], 1e-14) << "row " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, Sources, testing::ValuesIn(usable_devices()), device_test_name);

}  // namespace
}  // namespace swell
