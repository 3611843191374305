// SPDX-License-Identifier: Apache-2.0
// Runs that are advanced piece by piece make the steps of `swell run`, bit by bit.
#include "sim/stepped_run.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.hpp"
#include "case/case.hpp"
#include "sim/run.hpp"

namespace swell {
namespace {

namespace fs = std::filesystem;

fs::path own_folder() { return fs::read_symlink("/proc/self/exe").parent_path(); }

std::string box(const std::string& element) {
  const bool flat = element == "triangle" || element == "quadrilateral";
  return flat ? "[mesh]\nbox = { low = [0, 0], high = [1, 1], cells = [3, 2], element = \"" + element + "\" }\n"
              : "[mesh]\nbox = { low = [0, 0, 0], high = [1, 1, 1], cells = [2, 2, 1], element = \"" + element + "\" }\n";
}

const std::string device_and_probe =
    "[device]\nbackend = \"cpu:1\"\n[[receiver]]\nname = \"probe\"\nat = [0.2, 0.3]\n";
const std::string pulse = "\"exp(-20*((x - 0.4)^2 + (y - 0.6)^2))\"\n";

std::string maxwell(const std::string& model, const std::string& time) {
  return box("triangle") + "[model]\nname = \"maxwell-tm\"\norder = 3\n" + model + "[initial]\nEz = " + pulse + "[time]\n" + time +
         device_and_probe;
}

// Linear tetrahedra of a box, which the solver takes as a fixed grid.
const std::string heat_on_grid = box("tetrahedron") +
                                 "[model]\nname = \"heat\"\norder = 1\n[initial]\nT = " + pulse +
                                 "[time]\nend = 0.1\ndt = 0.012\n[solver]\nform = \"grid\"\n[device]\nbackend = \"cpu:1\"\n"
                                 "[[receiver]]\nname = \"probe\"\nat = [0.2, 0.3, 0.4]\n";

std::string heat(const std::string& time) {
  return box("quadrilateral") + "[model]\nname = \"heat\"\norder = 3\n[initial]\nT = " + pulse +
         "[boundary]\nxmin = { kind = \"temperature\", T = \"sin(9*t)\" }\n[time]\n" + time + device_and_probe;
}

const std::string levelset =
    box("triangle") +
    "[model]\nname = \"levelset\"\norder = 2\n[levelset]\nthickness = 0.2\nevery = 2\n[material]\nax = \"y - 0.5\"\nay = \"0.5 - x\"\n"
    "[initial]\nG = \"1/(1 + exp((sqrt((x - 0.5)^2 + (y - 0.5)^2) - 0.3)/0.2))\"\n[time]\ndt = 0.01\nsteps = 9\n" + device_and_probe;

const std::string poisson = box("quadrilateral") +
                            "[model]\nname = \"poisson\"\norder = 3\n[source]\nu = \"exp(x)\"\n[boundary]\nxmin = { kind = \"temperature\", T = 1 }\n" +
                            device_and_probe;

GivenCase given(const std::string& text) {
  setenv("SWELL_CACHE", (own_folder() / "kernel-cache").c_str(), 0);
  GivenCase result;
  result.text = text;
  result.name = "test.toml";
  return result;
}

// A file of `swell run` has as many digits as a double needs.
std::vector<double> signal_of_command(const std::string& text, const std::string& name = "receivers/probe") {
  const fs::path folder = own_folder() / "stepped-run-out";
  fs::remove_all(folder);
  Case c = read_given(given(text));
  c.output_folder = folder;
  EXPECT_EQ(run_case(c, {.quiet = true}), 0);
  std::ifstream file(folder / (name + ".csv"));
  std::vector<double> values;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::stringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) values.push_back(std::strtod(cell.c_str(), nullptr));
  }
  fs::remove_all(folder);
  return values;
}

class Pieces : public testing::TestWithParam<std::string> {};

TEST_P(Pieces, MakeTheStepsOfTheCommandBitByBit) {
  const auto whole = signal_of_command(GetParam());
  const auto run = make_stepped_run(given(GetParam()));
  int calls = 0;
  EXPECT_TRUE(run->step(1));
  EXPECT_TRUE(run->step(3, [&] { return ++calls > 0; }));
  EXPECT_FALSE(run->dt() > 0 && run->step(2, [] { return false; }));
  EXPECT_TRUE(run->finish());
  EXPECT_TRUE(run->finish());  // nothing is left to do
  const SignalTable signal = run->signal(0);
  ASSERT_FALSE(whole.empty());
  EXPECT_EQ(signal.columns.front(), "time");
  EXPECT_EQ(signal.values, whole);
  EXPECT_EQ(run->time(), run->end());
}

INSTANTIATE_TEST_SUITE_P(Of, Pieces,
                         testing::Values(maxwell("", "end = 0.3\n"), maxwell("", "end = 0.3\nscheme = \"ab3\"\n"),
                                         maxwell("family = \"modal\"\n", "end = 0.3\nscheme = \"ader\"\n"),
                                         maxwell("", "steps = 11\n"), levelset, heat("end = 0.1\ndt = 0.012\n"),
                                         heat("end = 0.1\ndt = 0.012\nscheme = \"bdf2\"\n"), heat_on_grid, poisson));

TEST(SteppedRun, ReachesTheTimesThatItIsAskedFor) {
  const auto run = make_stepped_run(given(maxwell("", "end = 0.3\n")));
  for (const double t : {0.07, 0.07, 0.2, 0.5}) {  // 0.5 is behind the end
    run->advance(t);
    EXPECT_EQ(run->time(), t);
  }
  EXPECT_THROW(run->advance(0.4), InputError);
  const auto steps = run->steps();
  run->step(2);
  EXPECT_EQ(run->steps(), steps + 2);
  EXPECT_NEAR(run->time(), 0.5 + 2 * run->dt(), 1e-12);
}

TEST(SteppedRun, SetsOneFieldAndLeavesTheBitsOfTheOthers) {
  for (const std::string family : {"", "family = \"modal\"\n"}) {
    const auto run = make_stepped_run(given(maxwell(family, "end = 0.3\n")));
    run->step(3);
    const auto hx = run->field(0), hy = run->field(1);
    auto ez = run->field(2);
    for (std::size_t i = 0; i < ez.size(); ++i) ez[i] = std::cos(static_cast<double>(i));
    run->set_field(2, ez);
    EXPECT_EQ(run->field(0), hx);
    EXPECT_EQ(run->field(1), hy);
    const auto back = run->field(2);
    for (std::size_t i = 0; i < ez.size(); ++i) EXPECT_NEAR(back[i], ez[i], family.empty() ? 0 : 1e-13);
  }
}

// The mean of a plate that nothing heats stays what was set; a linear temperature between its walls is at rest.
TEST(SteppedRun, SetsATemperatureAndGoesOnFromIt) {
  for (const bool on_grid : {false, true}) {
    const auto run = make_stepped_run(given(box(on_grid ? "tetrahedron" : "triangle") +
                                            (on_grid ? "[model]\nname = \"heat\"\norder = 1\n" : "[model]\nname = \"heat\"\norder = 2\n") +
                                            "[boundary]\nxmin = { kind = \"temperature\", T = 0 }\n"
                                            "xmax = { kind = \"temperature\", T = 3 }\n[time]\nend = 1\ndt = 0.1\n"
                                            "[solver]\ntolerance = 1e-13\nform = " +
                                            (on_grid ? "\"grid\"" : "\"elements\"") + "\n[device]\nbackend = \"cpu:1\"\n"));
    run->step(2);
    const auto x = run->nodes();
    const auto dim = static_cast<std::size_t>(run->dim());
    std::vector<double> line(x.size() / dim);
    for (std::size_t i = 0; i < line.size(); ++i) line[i] = 3 * x[dim * i];
    run->set_field(0, line);
    run->step(3);
    const auto after = run->field(0);
    for (std::size_t i = 0; i < line.size(); ++i) EXPECT_NEAR(after[i], line[i], 1e-10);
    line[0] += 1;
    EXPECT_THROW(run->set_field(0, line), InputError);
  }
}

TEST(SteppedRun, KeepsWhatWasSaidAndRefusesWhatCannotBe) {
  const auto run = make_stepped_run(given(maxwell("", "end = 0.3\n")));
  EXPECT_FALSE(run->said().empty());  // sides that the case does not name
  EXPECT_THROW(run->field_index("Ey"), InputError);
  EXPECT_THROW(run->errors(), InputError);
  EXPECT_THROW(run->value_at(0, {0.5}), InputError);
  EXPECT_THROW(run->step(1, [&] { return run->step(1); }), InputError);
  EXPECT_THROW(make_stepped_run(given(poisson))->set_field(0, std::vector<double>(6 * 16)), InputError);
}

const std::string flow = box("triangle") +
                         "[model]\nname = \"euler\"\norder = 2\n[boundary]\nxmax = { kind = \"outflow\", p = 1 }\n[initial]\nrho = 1\np = \"1 + 0.1*x*y\"\n"
                         "[exact]\nux = 0\np = 1\n[time]\nend = 0.1\n[[surface]]\nname = \"end\"\nboundaries = \"xmax\"\n[[probe]]\nname = \"line\"\n"
                         "from = [0, 0.5]\nto = [1, 0.5]\npoints = 3\n[output]\naverages = { from = 0 }\n" + device_and_probe;

TEST(SteppedRun, HasSurfacesAndProbesBehindItsReceiversAndTellsWhatItLeavesOut) {
  const auto run = make_stepped_run(given(flow));
  EXPECT_EQ(run->receivers(), (std::vector<std::string>{"probe", "surfaces/end", "probes/line"}));
  ASSERT_FALSE(run->said().empty());
  EXPECT_NE(run->said().back().find("output.averages of the case is left out"), std::string::npos) << run->said().back();
  run->step(1);
  EXPECT_EQ(run->signal(1).values.size(), 2 * run->signal(1).columns.size());
  run->finish();
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(run->signal(i).values, signal_of_command(flow, i == 0 ? "receivers/probe" : run->receivers()[i]));
}

TEST(SteppedRun, MeasuresErrorsByTheNamesOfTheExactAnswer) {
  const auto errors = make_stepped_run(given(flow))->errors();
  ASSERT_EQ(errors.size(), 2U);
  EXPECT_EQ(errors[0].field, "ux");
  EXPECT_LT(errors[0].linf, 1e-14);
  EXPECT_EQ(errors[1].field, "p");
  EXPECT_NEAR(errors[1].linf, 0.1, 0.02);
}

TEST(SteppedRun, TakesAModelAsText) {
  GivenCase with_model = given(box("triangle") + "[model]\norder = 2\n[initial]\nu = \"x\"\n[time]\nend = 0.1\n[device]\nbackend = \"cpu:1\"\n");
  std::ifstream file(fs::path(SWELL_SOURCE_DIR) / "src/models/advection.h");
  with_model.model = {std::istreambuf_iterator<char>(file), {}};
  with_model.overrides = {"material.ax=1"};
  EXPECT_EQ(make_stepped_run(with_model)->fields(), std::vector<std::string>{"u"});
  with_model.model += "\nthis is no C\n";
  EXPECT_THROW(make_stepped_run(with_model), InputError);
}

}  // namespace
}  // namespace swell
