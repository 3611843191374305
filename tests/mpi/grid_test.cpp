// SPDX-License-Identifier: Apache-2.0
// The fixed grid in slabs on 2, 3 and 4 ranks gives what one rank gives, on the grid and by elements, and repeats its bits.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/error.hpp"
#include "cg/grid/slab.hpp"
#include "device/device.hpp"
#include "sim/heat/heat.hpp"
#include "support.hpp"

namespace swell {
namespace {

struct GridOutcome {
  std::map<std::int64_t, std::vector<double>> values;  // by the cell's number in the whole mesh
  double heat = 0, error = 0, at_point = 0;
  std::int64_t unknowns = 0, given = 0, iterations = 0;
  std::string form;
};

GridOutcome solved(const std::string& toml, const std::vector<std::string>& changes, Ranks& ranks,
                   const std::string& device = usual_device()) {
  const auto processor = open_device(device);
  HeatSimulation simulation(parse_case(toml, "test.toml", changes), *processor, ranks);
  simulation.finish();
  GridOutcome result;
  const auto all = simulation.nodal_values();
  for (std::int64_t cell = 0; cell < simulation.mesh().own_count(); ++cell)
    result.values[simulation.mesh().number_of(cell)].assign(all.begin() + cell * 4, all.begin() + (cell + 1) * 4);
  result.heat = simulation.stored_heat();
  result.error = simulation.errors().total_l2;
  result.at_point = simulation.value_at(simulation.fields().front(), {0.31, 0.42, 0.44});
  result.unknowns = simulation.dofs();
  result.given = simulation.given_values();
  result.iterations = simulation.iterations();
  result.form = simulation.form();
  return result;
}

double largest(const GridOutcome& outcome) {
  double most = 0;
  for (const auto& [cell, values] : outcome.values)
    for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

// The largest difference of a part from the whole; -1 where they hold other cells.
double furthest(const GridOutcome& part, const GridOutcome& whole) {
  double most = 0;
  for (const auto& [cell, values] : part.values) {
    const auto there = whole.values.find(cell);
    if (there == whole.values.end()) return -1;
    for (std::size_t n = 0; n < values.size(); ++n) most = std::max(most, std::abs(values[n] - there->second[n]));
  }
  return most;
}

struct GridVariety {
  std::string name, toml;
  std::vector<int> ranks{2, 3};
};
void PrintTo(const GridVariety& variety, std::ostream* out) { *out << variety.name; }

std::string box(const char* cells = "[6, 3, 7]", const char* periodic = "[false, false, false]") {
  return std::string("[mesh]\nbox = { low = [0, 0.1, -0.2], high = [1, 1.2, 0.9], cells = ") + cells +
         ", element = \"tetrahedron\", periodic = " + periodic + " }\n";
}

std::string heat(const std::string& more, const std::string& scheme = "theta") {
  return "[model]\nname = \"heat\"\norder = 1\n[initial]\nT = \"sin(2*x+y)*cos(y-z*x)\"\n[exact]\nT = \"sin(2*x+y-t)+z\"\n"
         "[source]\nT = \"(x+z)*cos(3*t)\"\n[time]\nsteps = 5\ndt = 0.02\nscheme = \"" + scheme +
         "\"\n[solver]\ntolerance = 1e-14\n" + more;
}

std::string poisson(const std::string& more) {
  return "[model]\nname = \"poisson\"\norder = 1\n[exact]\nu = \"sin(2*x+y)+z\"\n[source]\nu = \"1+x*z\"\n"
         "[solver]\ntolerance = 1e-14\n" + more;
}

// Values, fluxes and transfers on sides that slabs share, and on those that one rank has.
const char* const sides = "[boundary]\nxmin = { kind = \"temperature\", T = \"y+z+sin(t)\" }\nymax = { kind = \"flux\", q = \"x*t+z\" }\n";
const char* const ends = "[boundary]\nzmin = { kind = \"temperature\", T = \"x*y\" }\nzmax = { kind = \"flux\", q = \"x+t\" }\n"
                         "xmax = { kind = \"flux\", q = \"z\" }\n";
const char* const top = "[boundary]\nzmax = { kind = \"temperature\", T = \"x+t\" }\nymin = { kind = \"flux\", q = \"z*z\" }\n";
const char* const transfers = "[boundary]\nxmin = { kind = \"temperature\", T = \"y+sin(t)\" }\n"
                              "xmax = { kind = \"robin\", h = \"3+z\", T = 0.5 }\nzmin = { kind = \"robin\", h = 2, T = \"x\" }\n"
                              "ymin = { kind = \"flux\", q = \"x*z\" }\n";
const char* const numbers = "[material]\nrhoC = 2\nk = 0.7\n";
const char* const expressions = "[material]\nrhoC = \"1+0.3*x*z\"\nk = \"if(z < 0.31, 2+sin(5*x), 0.5+y*y)\"\n";
const char* const only_k = "[material]\nk = \"if(z < 0.31, 2+sin(5*x), 0.5+y*y)\"\n";

std::vector<GridVariety> varieties() {
  return {
      {"sides", box() + heat(std::string(sides) + numbers), {2, 3, 4}},
      {"ends", box() + heat(std::string(ends) + numbers)},
      {"top_bdf2", box() + heat(std::string(top) + numbers, "bdf2")},
      {"flux_alone", box() + heat("[boundary]\nzmin = { kind = \"flux\", q = 1 }\nxmax = { kind = \"flux\", q = \"z\" }\n")},
      {"transfers", box() + heat(std::string(transfers) + numbers)},
      {"expressions_sides", box() + heat(std::string(sides) + expressions), {2, 4}},
      {"expressions_ends_bdf2", box() + heat(std::string(ends) + expressions, "bdf2")},
      {"expressions_transfers", box() + heat(std::string(transfers) + expressions)},
      {"periodic_z", box("[6, 3, 7]", "[false, false, true]") + heat(std::string(sides) + numbers)},
      {"periodic_z_expressions", box("[6, 3, 7]", "[false, false, true]") + heat(std::string(sides) + expressions), {2, 3, 4}},
      {"periodic_x_y", box("[6, 3, 7]", "[true, true, false]") + heat(std::string("[boundary]\nzmax = { kind = \"flux\", q = \"x\" }\n") + expressions)},
      {"periodic_all", box("[6, 3, 7]", "[true, true, true]") + heat(numbers)},
      {"as_many_layers_as_ranks", box("[6, 5, 4]") + heat(std::string(ends) + expressions), {4}},
      {"periodic_as_many_layers_as_ranks", box("[6, 5, 4]", "[false, false, true]") + heat(std::string(sides) + numbers), {4}},
      // More than 50 iterations, after which the residual is computed anew.
      {"poisson", box("[9, 8, 12]") + poisson("[boundary]\nzmin = { kind = \"dirichlet\", u = \"y\" }\nxmax = { kind = \"flux\", q = \"z\" }\n")},
      {"poisson_expressions", box("[9, 8, 12]") +
           poisson(std::string("[boundary]\nxmin = { kind = \"dirichlet\", u = \"y*z\" }\nymax = { kind = \"flux\", q = \"z\" }\n") + only_k)},
      {"poisson_transfers", box() + poisson("[boundary]\nzmax = { kind = \"robin\", h = 3, T = \"x\" }\n")},
  };
}

class GridOnRanks : public testing::TestWithParam<GridVariety> {};

TEST_P(GridOnRanks, AgreesWithOneRankAndWithElements) {
  constexpr double agreement = 1e-12;  // of the largest value
  const std::string& toml = GetParam().toml;
  const std::string two_threads = usual_device() == "cpu:1" ? "cpu:2" : usual_device();
  const GridOutcome alone = solved(toml, {"solver.form=\"grid\""}, lone_rank());
  const GridOutcome elements = solved(toml, {"solver.form=\"elements\""}, lone_rank());
  const double scale = largest(alone);
  ASSERT_GT(scale, 1e-3) << "nothing to compare";
  for (const int count : GetParam().ranks)
    on_ranks(count, [&](Ranks& ranks) {
      const GridOutcome part = solved(toml, {"solver.form=\"grid\""}, ranks, two_threads), again = solved(toml, {}, ranks);
      EXPECT_EQ(part.form, alone.form);
      EXPECT_EQ(part.unknowns, alone.unknowns);
      EXPECT_EQ(part.given, alone.given);
      EXPECT_LT(part.values.size(), alone.values.size()) << "a rank keeps its part only";
      for (const GridOutcome* whole : {&alone, &elements}) {
        const double difference = furthest(part, *whole);
        EXPECT_GE(difference, 0);
        EXPECT_LT(difference, agreement * scale) << "rank " << ranks.rank() << " of " << count << " against " << whole->form;
      }
      EXPECT_EQ(part.values, again.values) << "other bits on another number of threads, or in form \"auto\"";
      EXPECT_NEAR(part.heat, alone.heat, agreement * std::max(1.0, std::abs(alone.heat)));
      EXPECT_NEAR(part.error, alone.error, agreement * std::max(1.0, alone.error));
      EXPECT_NEAR(part.at_point, alone.at_point, agreement * std::max(1.0, scale));
    });
}

class SingleGridOnRanks : public testing::TestWithParam<GridVariety> {};

TEST_P(SingleGridOnRanks, AgreesWithOneRankAndWithElements) {
  constexpr double agreement = 1e-5;
  // The rounding of single precision leaves more of a residual than the tolerance of the others.
  const std::vector<std::string> single{"device.precision=\"single\"", "solver.tolerance=3e-7", "solver.form=\"grid\""};
  std::vector<std::string> by_elements = single;
  by_elements.back() = "solver.form=\"elements\"";
  const GridOutcome alone = solved(GetParam().toml, single, lone_rank()), elements = solved(GetParam().toml, by_elements, lone_rank());
  on_ranks(2, [&](Ranks& ranks) {
    const GridOutcome part = solved(GetParam().toml, single, ranks);
    for (const GridOutcome* whole : {&alone, &elements}) {
      const double difference = furthest(part, *whole);
      EXPECT_GE(difference, 0);
      EXPECT_LT(difference, agreement * std::max(1.0, largest(alone))) << "rank " << ranks.rank() << " against " << whole->form;
    }
  });
}

std::string name_of(const testing::TestParamInfo<GridVariety>& test) { return test.param.name; }
INSTANTIATE_TEST_SUITE_P(All, GridOnRanks, testing::ValuesIn(varieties()), name_of);

// Numbers and expressions, in the passes of their own and in the general ones.
std::vector<GridVariety> few(std::initializer_list<const char*> names) {
  std::vector<GridVariety> some;
  for (const GridVariety& variety : varieties())
    for (const char* name : names)
      if (variety.name == name) some.push_back(variety);
  return some;
}
INSTANTIATE_TEST_SUITE_P(Few, SingleGridOnRanks,
                         testing::ValuesIn(few({"ends", "transfers", "expressions_sides", "periodic_z_expressions", "poisson"})),
                         name_of);

class GridOnRanksOfOpenCl : public testing::TestWithParam<GridVariety> {};

TEST_P(GridOnRanksOfOpenCl, AgreesWithOneRankOfTheProcessor) {
  if (!everybody().all(has_opencl())) GTEST_SKIP() << "there is no OpenCL device";
  const GridOutcome alone = solved(GetParam().toml, {}, lone_rank(), "cpu:1");
  on_ranks(2, [&](Ranks& ranks) {
    const double difference = furthest(solved(GetParam().toml, {"solver.form=\"grid\""}, ranks, "opencl"), alone);
    EXPECT_GE(difference, 0);
    EXPECT_LT(difference, 1e-12 * largest(alone)) << "rank " << ranks.rank();
  });
}
INSTANTIATE_TEST_SUITE_P(Few, GridOnRanksOfOpenCl, testing::ValuesIn(few({"ends", "periodic_z_expressions"})), name_of);

TEST(GridInUnevenParts, GivesEachRankItsFractionOfThePlanes) {
  const std::string toml = box("[4, 3, 12]") + heat(std::string(ends) + expressions);
  const GridOutcome alone = solved(toml, {}, lone_rank());
  on_ranks(3, [&](Ranks& ranks) {
    const GridOutcome part = solved(toml, {"solver.form=\"grid\"", "mesh.partition.method=\"slabs\"", "mesh.partition.fractions=[1, 3, 2]"}, ranks);
    // 2, 6 and 4 of the 12 layers of 12 bricks of 6 tetrahedra
    EXPECT_EQ(part.values.size(), (std::array<std::size_t, 3>{144, 432, 288})[static_cast<std::size_t>(ranks.rank())]);
    EXPECT_LT(furthest(part, alone), 1e-12 * std::max(1.0, largest(alone)));
  });
}

TEST(SlabLayers, FollowTheFractionsAndLeaveNobodyWithoutOne) {
  using Layers = std::vector<std::int64_t>;
  EXPECT_EQ(slab_layers(12, 3, {}), (Layers{0, 4, 8, 12}));
  EXPECT_EQ(slab_layers(10, 4, {}), (Layers{0, 3, 5, 8, 10}));
  EXPECT_EQ(slab_layers(20, 2, {3, 1}), (Layers{0, 15, 20}));
  EXPECT_EQ(slab_layers(4, 4, {1, 1000, 1, 1}), (Layers{0, 1, 2, 3, 4}));
  EXPECT_EQ(slab_layers(9, 3, {1e-9, 1, 1e-9}), (Layers{0, 1, 8, 9}));
  EXPECT_THROW(slab_layers(12, 3, {1, 2}), InputError);
}

std::string refusal(const std::string& toml, const std::vector<std::string>& changes, Ranks& ranks) {
  try {
    solved(toml, changes, ranks);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(GridOnTooManyRanks, IsRefusedInOneSentence) {
  on_ranks(4, [&](Ranks& ranks) {
    const std::string toml = box("[4, 3, 3]") + heat(sides);
    EXPECT_EQ(refusal(toml, {"solver.form=\"grid\""}, ranks),
              "solver.form is \"grid\", but the box has 3 layers of bricks along z, fewer than the 4 ranks that would share them; "
              "take \"elements\".");
    EXPECT_EQ(solved(toml, {}, ranks).form, "elements") << "where the case leaves the choice";
    EXPECT_EQ(refusal(box() + heat(sides), {"solver.form=\"grid\"", "mesh.partition.method=\"curve\""}, ranks),
              "solver.form is \"grid\", but ranks share a grid by slabs, and mesh.partition.method asks for other parts; take "
              "\"elements\".");
    EXPECT_EQ(refusal(box() + heat(sides), {"solver.form=\"grid\"", "mesh.partition.fractions=[1, 2]"}, ranks),
              "mesh.partition.fractions has 2 entries, but there are 4 ranks; give one for each.");
  });
}

}  // namespace
}  // namespace swell
