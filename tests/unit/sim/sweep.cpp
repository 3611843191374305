// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "case/given_case.hpp"
#include "processor_seconds.hpp"
#include "sim/heat/heat.hpp"

namespace swell {
namespace {

const std::string rod =
    "[mesh]\nbox = { low = [0, 0, 0], high = [1, 1, 1], cells = [12, 12, 12] }\n"
    "[model]\nname = \"heat\"\norder = 1\n[material]\nrhoC = 2\nk = \"if(x < 0.5, 1, 3)\"\n"
    "[boundary]\nxmin = { kind = \"temperature\", T = 1 }\nxmax = { kind = \"flux\", q = \"y + t\" }\n"
    "[time]\nsteps = 2\ndt = 0.1\n[device]\nbackend = \"cpu\"\n";

std::string refused(const std::string& sweep) {
  try {
    parse_case(rod + "[sweep]\n" + sweep, "rod.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Sweep, TakesAllCombinationsTheLastKeyFastest) {
  const std::string text = rod + "[sweep]\ntime.dt = [0.1, 0.2]\nmaterial.k = [1, \"1 + x\", 5]\n";
  const Case first = parse_case(text, "rod.toml");
  // TOML tables are sorted by name.
  ASSERT_EQ(first.sweep.keys, (std::vector<std::string>{"material.k", "time.dt"}));
  ASSERT_EQ(first.sweep.values.size(), 6u);
  const Case fourth = parse_case(text, "rod.toml", {}, ".", 3);
  EXPECT_EQ(fourth.material.at("").at("k").text, "1 + x");
  EXPECT_EQ(fourth.dt, 0.2);
  EXPECT_EQ(fourth.text.find("sweep"), std::string::npos);
}

TEST(Sweep, StepsThroughAllListsTogetherWhereAsked) {
  const std::string text = rod + "[sweep]\ntogether = true\ntime.dt = [0.1, 0.2]\nmesh.box.cells = [[2, 2, 2], [3, 3, 3]]\n";
  const Case second = parse_case(text, "rod.toml", {}, ".", 1);
  ASSERT_EQ(second.sweep.values.size(), 2u);
  EXPECT_EQ(second.dt, 0.2);
  EXPECT_EQ(second.box->cells, (std::vector<std::int64_t>{3, 3, 3}));
}

TEST(Sweep, RefusesWhatMakesNoRuns) {
  EXPECT_EQ(refused("material.k = []\n"), "sweep.material.k in rod.toml is an empty list: give at least one value");
  EXPECT_EQ(refused("material.k = 3\n"),
            "sweep.material.k in rod.toml must be a list of the values that the runs take, as in [1, 2], not 3");
  EXPECT_EQ(refused(""), "sweep in rod.toml names no key of the case: give a list of values, as in material.k = [1, 2]");
  EXPECT_EQ(refused("together = true\nmaterial.k = [1]\ntime.dt = [1, 2]\n"),
            "sweep.time.dt in rod.toml has 2 values where sweep.material.k in rod.toml has 1: with together = true each list "
            "has one for each run");
  std::string many = "[0";
  for (int i = 0; i < 100; ++i) many += ", 1";
  EXPECT_EQ(refused("time.dt = " + many + "]\ntime.theta = " + many + "]\n"),
            "sweep in rod.toml asks for more than 10000 runs: give fewer values, or together = true to step through all lists "
            "at once");
  EXPECT_EQ(refused("output.folder = [\"a\", \"b\"]\n"),
            "sweep.output.folder in rod.toml cannot be swept: each run has a folder of its own inside output.folder");
}

TEST(Sweep, NamesItselfWhereAKeyOrAValueIsWrong) {
  EXPECT_EQ(refused("time.dtt = [1]\n"), "unknown key 'time.dtt' given by [sweep] (did you mean 'time.dt'?)");
  EXPECT_EQ(refused("time.dt = [-1]\n"), "time.dt given by [sweep] must be a number above 0, not -1");
}

TEST(Sweep, IsNotForRunsThatAnotherProgramMakes) {
  GivenCase given;
  given.text = rod + "[sweep]\nmaterial.k = [1, 2]\n";
  given.name = "rod.toml";
  try {
    read_given(given);
    FAIL() << "A sweep was taken for one run.";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()), "The case has a [sweep] of 2 runs, which `swell run` makes: take the section out, and "
                                         "set material.k for each run.");
  }
}

// A second run compiles nothing, allocates nothing but ones for the weights, and sends no mesh.
TEST(Sweep, SetsUpASecondMaterialForLessThanATenthOfTheFirst) {
  // Times are those of a user's run, whose kernels are optimized fully.
  ASSERT_EQ(setenv("SWELL_KERNEL_OPTIMIZE", "3", 1), 0);
  for (const char* form : {"grid", "elements"}) {
    const auto device = open_device("cpu:1");
    const auto with = [&](const char* material) {
      return parse_case(rod, "rod.toml",
                        {"mesh.box.cells=[20,20,20]", fmt::format("solver.form={}", form),
                         fmt::format("material.k=\"{}\"", material)});
    };
    const Case one = with("if(x < 0.5, 1, 3)"), other = with("if(x < 0.25, 5, 2)");
    const double first = least_processor_seconds(3, [&](int) { HeatSimulation(one, *device); });
    HeatSimulation simulation(one, *device);
    simulation.finish();
    const auto before = device->counters();
    ASSERT_TRUE(simulation.adopt(other)) << form;
    const auto& after = device->counters();
    EXPECT_EQ(after.compiles, before.compiles) << form;
    EXPECT_LE(after.allocations - before.allocations, 3) << form;
    const double second =
        least_processor_seconds(12, [&](int again) { EXPECT_TRUE(simulation.adopt(again % 2 == 0 ? one : other)) << form; });
    EXPECT_LT(second, 0.1 * first) << form;
    simulation.finish();
    HeatSimulation anew(other, *device);
    anew.finish();
    EXPECT_EQ(simulation.nodal_values(), anew.nodal_values()) << form;
  }
}

TEST(Sweep, SetsUpAnewWhereTheMeshIsAnother) {
  const auto device = open_device("cpu");
  HeatSimulation simulation(parse_case(rod, "rod.toml"), *device);
  EXPECT_FALSE(simulation.adopt(parse_case(rod, "rod.toml", {"mesh.box.cells=[2,2,2]"})));
  EXPECT_FALSE(simulation.adopt(parse_case(rod, "rod.toml", {"boundary.xmin={kind=\"flux\", q=1}"})));
  EXPECT_TRUE(simulation.adopt(parse_case(rod, "rod.toml", {"boundary.xmin={kind=\"temperature\", T=2}"})));
}

// Four runs of the rod, of which some do not succeed; the table that they leave.
nlohmann::json swept(const std::filesystem::path& folder, const std::string& sweep) {
  std::filesystem::remove_all(folder);
  const std::string text = rod + "[sweep]\n" + sweep + "[output]\nfolder = \"" + folder.string() + "\"\n";
  std::vector<Case> cases;
  for (std::size_t run = 0; run < 4; ++run) cases.push_back(parse_case(text, "rod.toml", {}, ".", run));
  EXPECT_THROW(run_sweep(cases, {true}), RunError);
  auto table = nlohmann::json::parse(std::ifstream(folder / "sweep.json"));
  EXPECT_EQ(table["runs"].size(), 4u);
  return table;
}

// Runs that fail do not stop the others.
TEST(Sweep, LeavesAFolderForEachRunAndOneTable) {
  const auto folder = std::filesystem::temp_directory_path() / "swell-sweep";
  const auto table = swept(folder, "material.k = [1, 2]\nsolver.iterations = [1, 1000]\n");
  for (std::size_t run = 0; run < 4; ++run) {
    const auto& row = table["runs"][run];
    EXPECT_EQ(row["status"], run % 2 == 0 ? "failed" : "done");
    EXPECT_EQ(row["set"]["material.k"], run < 2 ? "1" : "2");
    const auto summary = nlohmann::json::parse(std::ifstream(folder / row["run"].get<std::string>() / "summary.json"));
    EXPECT_EQ(summary["status"], row["status"]);
  }
  std::ifstream csv(folder / "sweep.csv");
  std::string head;
  std::getline(csv, head);
  EXPECT_EQ(head, "run,material.k,solver.iterations,status,unknowns,steps,time,iterations,energy,error_l2,seconds_setup,"
                  "seconds_compile,seconds_solve");
  std::filesystem::remove_all(folder);
}

// The mistake shows only where the material meets the mesh.
TEST(Sweep, GoesOnAfterARunThatIsRefused) {
  const auto folder = std::filesystem::temp_directory_path() / "swell-sweep-refused";
  const auto table = swept(folder, "material.rhoC = [\"x - 2\", 1, \"x - 0.5\", 3]\n");
  for (std::size_t run = 0; run < 4; ++run) EXPECT_EQ(table["runs"][run]["status"], run % 2 == 0 ? "refused" : "done") << run;
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace swell
