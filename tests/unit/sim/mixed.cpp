// SPDX-License-Identifier: Apache-2.0
// Runs on triangles beside quadrilaterals, and on tetrahedra, hexahedra, prisms and pyramids: what comes out of them, and what they refuse.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <sstream>

#include "base/error.hpp"
#include "sim/simulation.hpp"
#include "sim/stepped_run.hpp"

namespace swell {
namespace {

const std::string room =
    "[mesh]\nbox = { low = [0, 0], high = [1, 1], cells = [4, 4], element = \"mixed\", move = 0.1 }\n"
    "[model]\nname = \"acoustics\"\norder = 4\n[initial]\np = \"cos(pi*x)*cos(pi*y)\"\n[exact]\np = \"cos(pi*x)*cos(pi*y)*cos(sqrt(2)*pi*t)\"\n"
    "vx = \"sin(pi*x)*cos(pi*y)*sin(sqrt(2)*pi*t)/sqrt(2)\"\nvy = \"cos(pi*x)*sin(pi*y)*sin(sqrt(2)*pi*t)/sqrt(2)\"\n"
    "[time]\nend = 0.4\n[device]\nbackend = \"cpu\"\n";

Device& device() {
  static const auto cpu = open_device("cpu");
  return *cpu;
}

TEST(MixedRun, HasSmallErrorsInEveryFieldAndFallingEnergy) {
  Simulation run(parse_case(room, "room.toml"), device());
  const double before = run.energy();
  EXPECT_NEAR(before, 0.125, 1e-5) << "the integral of p^2 / 2";
  run.finish();
  const ErrorNorms errors = run.errors();
  // As on triangles or quadrilaterals of this size and order (`swell verify acoustics-moved`).
  for (const double l2 : errors.l2) EXPECT_LT(l2, 2e-5);
  EXPECT_LE(run.energy(), before);
  EXPECT_NEAR(run.energy(), before, 1e-4 * before);
}

TEST(MixedRun, HasValuesAtPointsOfCellsOfEveryShape) {
  Simulation run(parse_case(room, "room.toml"), device());
  std::vector<Locator::Hit> hits;
  std::vector<double> expected;
  std::set<Shape> shapes;
  for (double x = 0.07; x < 1; x += 0.21)
    for (double y = 0.05; y < 1; y += 0.19) {
      hits.push_back(run.locate({x, y}, "A point"));
      shapes.insert(run.mesh().shape_of(hits.back().cell));
      expected.push_back(std::cos(std::numbers::pi * x) * std::cos(std::numbers::pi * y));
      EXPECT_NEAR(run.value_at("p", {x, y}), expected.back(), 1e-4);
    }
  EXPECT_EQ(shapes.size(), 2u);
  const auto sampler = run.sampler(hits, 1);
  sampler->sample(0);
  run.settle();
  const auto values = sampler->read(1);
  for (std::size_t i = 0; i < hits.size(); ++i) EXPECT_NEAR(values[3 * i], expected[i], 1e-4);
}

TEST(MixedRun, GoesOnFromItsMemoryToTheBit) {
  const auto with_dt = [&] {
    std::string text = room;
    text.replace(text.find("end = 0.4"), 9, "end = 0.4\ndt = 0.01");
    return parse_case(text, "room.toml");
  };
  Simulation whole(with_dt(), device()), first(with_dt(), device()), second(with_dt(), device());
  whole.advance(0.4);
  first.advance(0.2);
  second.resume(first.memory());
  second.advance(0.4);
  EXPECT_EQ(whole.memory().states, second.memory().states);
}

TEST(MixedRun, TakesAFieldFromOutside) {
  Simulation run(parse_case(room, "room.toml"), device());
  const Elements& elements = run.reference();
  std::vector<double> values(elements.first_node(run.mesh().own_count()));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  run.write(1, values);
  run.read([&](std::int64_t cell, const double* of_cell) {
    for (int n = 0; n < elements.node_count(cell); ++n)
      EXPECT_EQ(of_cell[3 * n + 1], static_cast<double>(elements.first_node(cell) + n));
  });
}

// Steps from the state, shocks in hand and friction.
const std::string tube =
    "[mesh]\nbox = { low = [0, 0], high = [1, 0.5], cells = [8, 4], element = \"mixed\", move = 0.1 }\n[model]\nname = \"navier-stokes\"\norder = 2\n"
    "[material]\nmu = 0.001\n[initial]\nrho = \"if(x < 0.5, 1, 0.125)\"\np = \"if(x < 0.5, 1, 0.1)\"\n[time]\nend = 0.1\n[device]\nbackend = \"cpu\"\n";

TEST(MixedFlowRun, GoesOnFromItsMemoryToTheBit) {
  Simulation whole(parse_case(tube, "tube.toml"), device()), first(parse_case(tube, "tube.toml"), device()),
      second(parse_case(tube, "tube.toml"), device());
  const double before = whole.energy();
  first.advance(0.05);
  second.resume(first.memory());
  second.advance(0.1);
  whole.advance(0.05);
  whole.advance(0.1);
  EXPECT_EQ(whole.memory().states, second.memory().states);
  EXPECT_NEAR(whole.energy(), before, 1e-13 * before) << "walls keep the energy";
}

TEST(MixedFlowRun, HasVariablesAtPointsOfCellsOfEveryShape) {
  Simulation run(parse_case(tube, "tube.toml"), device());
  run.advance(0.05);
  std::set<Shape> shapes;
  for (double x = 0.07; x < 0.3; x += 0.06) {
    shapes.insert(run.mesh().shape_of(run.locate({x, 0.2}, "A point").cell));
    EXPECT_NEAR(run.value_at("p", {x, 0.2}), 1, 0.05);
    EXPECT_NEAR(run.value_at("ux", {x, 0.2}), 0, 0.05);
    EXPECT_NEAR(run.value_at("entropy", {x, 0.2}), 1, 0.05);
  }
  EXPECT_EQ(shapes.size(), 2u);
}

const std::string room_in_space =
    "[mesh]\nbox = { low = [0, 0, 0], high = [1, 1, 1], cells = [3, 3, 4], element = \"mixed\", move = 0.1 }\n"
    "[model]\nname = \"acoustics\"\norder = 3\n[initial]\np = \"cos(pi*x)*cos(pi*y)\"\n[exact]\np = \"cos(pi*x)*cos(pi*y)*cos(sqrt(2)*pi*t)\"\n"
    "vx = \"sin(pi*x)*cos(pi*y)*sin(sqrt(2)*pi*t)/sqrt(2)\"\nvy = \"cos(pi*x)*sin(pi*y)*sin(sqrt(2)*pi*t)/sqrt(2)\"\nvz = \"0\"\n"
    "[time]\nend = 0.4\n[device]\nbackend = \"cpu\"\n";

TEST(MixedRunInSpace, HasSmallErrorsInEveryFieldAndFallingEnergy) {
  Simulation run(parse_case(room_in_space, "room.toml"), device());
  EXPECT_EQ(run.mesh().shapes().size(), 4u);
  const double before = run.energy();
  EXPECT_NEAR(before, 0.125, 2e-4) << "the integral of p^2 / 2";
  run.finish();
  const ErrorNorms errors = run.errors();
  for (const double l2 : errors.l2) EXPECT_LT(l2, 3e-3);
  EXPECT_LE(run.energy(), before);
  EXPECT_NEAR(run.energy(), before, 2e-3 * before);
}

TEST(PyramidRun, AgreesInBothPrecisions) {
  const auto energy_in = [](const std::string& precision) {
    std::string text = room_in_space;
    const std::string box = "cells = [3, 3, 4], element = \"mixed\", move = 0.1";
    text.replace(text.find("order = 3\n["), 9, "order = 1");
    text.replace(text.find(box), box.size(), "cells = [2, 2, 2], element = \"pyramid\", bend = 0.05, geometry_order = 2");
    Simulation run(parse_case(text + "precision = \"" + precision + "\"\n", "room.toml"), device());
    run.advance(0.1);
    return run.energy();
  };
  const double energy = energy_in("double");
  EXPECT_NEAR(energy_in("single"), energy, 1e-5 * energy);
}

TEST(MixedRunInSpace, HasValuesAtPointsOfCellsOfEveryShape) {
  Simulation run(parse_case(room_in_space, "room.toml"), device());
  std::vector<Locator::Hit> hits;
  std::vector<double> expected;
  std::set<Shape> shapes;
  for (double x = 0.07; x < 1; x += 0.21)
    for (double y = 0.05; y < 1; y += 0.19)
      for (double z = 0.04; z < 1; z += 0.23) {
        hits.push_back(run.locate({x, y, z}, "A point"));
        shapes.insert(run.mesh().shape_of(hits.back().cell));
        expected.push_back(std::cos(std::numbers::pi * x) * std::cos(std::numbers::pi * y));
      }
  EXPECT_EQ(shapes.size(), 4u);
  const auto sampler = run.sampler(hits, 1);
  sampler->sample(0);
  run.settle();
  const auto values = sampler->read(1);
  for (std::size_t i = 0; i < hits.size(); ++i) EXPECT_NEAR(values[4 * i], expected[i], 5e-3);
}

// What a Dirac adds to the integral of a field is its amplitude, in cells of every shape.
TEST(MixedRunInSpace, TakesPointSourcesInCellsOfEveryShape) {
  std::set<Shape> shapes;
  for (const char* at : {"[0.1, 0.1, 0.1]", "[0.55, 0.1, 0.12]", "[0.15, 0.12, 0.6]", "[0.5, 0.13, 0.65]", "[0.2, 0.05, 0.85]"}) {
    std::string text = room_in_space;
    text.replace(text.find("[initial]"), std::string::npos,
                 std::string("[[source.point]]\nat = ") + at + "\nfield = \"p\"\nsignal = \"1\"\n[time]\nsteps = 2\ndt = 0.001\n[device]\nbackend = \"cpu\"\n");
    Simulation run(parse_case(text, "room.toml"), device());
    std::istringstream numbers(std::string(at + 1));
    std::vector<double> place(3);
    char comma = 0;
    for (double& x : place) numbers >> x >> comma;
    shapes.insert(run.mesh().shape_of(run.locate(place, "A point").cell));
    run.finish();
    std::map<Shape, Cubature> rules;
    std::map<Shape, CellMap> maps;
    for (const auto& [shape, element] : run.reference().all()) {
      rules.emplace(shape, cubature(shape, 8));
      maps.emplace(shape, CellMap(run.mesh(), shape, rules.at(shape).points));
    }
    double sum = 0;
    run.read([&](std::int64_t cell, const double* values) {
      const ReferenceElement& element = run.reference().of_cell(cell);
      const Cubature& rule = rules.at(element.shape);
      std::vector<double> j(9 * rule.weights.size());
      maps.at(element.shape).jacobians(cell, j.data());
      const Vector p = element.interpolation(rule.points) * Eigen::Map<const Matrix>(values, element.node_count, 4).col(0);
      for (Eigen::Index q = 0; q < p.size(); ++q) sum += rule.weights(q) * Eigen::Map<const Matrix>(&j[9 * q], 3, 3).determinant() * p(q);
    });
    EXPECT_NEAR(sum, 0.002, 1e-12) << at;
  }
  EXPECT_EQ(shapes.size(), 4u);
}

TEST(MixedRunInSpace, RefusesWhatItDoesNotHave) {
  const auto expect = [](const std::string& from, const std::string& to, const std::string& part) {
    std::string text = room_in_space, sentence;
    text.replace(text.find(from), from.size(), to);
    try {
      Simulation(parse_case(text, "room.toml"), device());
    } catch (const InputError& error) {
      sentence = error.what();
    }
    EXPECT_NE(sentence.find(part), std::string::npos) << "the sentence was: " << sentence;
  };
  expect("move = 0.1 }\n[model]\nname = \"acoustics\"\norder = 3", "geometry_order = 4 }\n[model]\nname = \"acoustics\"\norder = 2",
         "is too low for cells of several shapes and geometry order 4; take 3 at least");
  expect("order = 3\n[", "order = 3\nfamily = \"modal\"\n[", "which model.family = \"modal\" does not take");
  expect("element = \"mixed\", move = 0.1 }\n[model]\nname = \"acoustics\"\norder = 3\n",
         "element = \"prism\" }\n[model]\nname = \"acoustics\"\nfamily = \"modal\"\norder = 3\n",
         "cells of one shape (prism), which model.family");
}

std::string refused(const std::string& from, const std::string& to) {
  std::string text = room;
  if (!from.empty()) text.replace(text.find(from), from.size(), to);
  try {
    Simulation(parse_case(text, "room.toml"), device());
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(MixedRun, RefusesWhatItDoesNotHave) {
  const auto expect = [](const std::string& sentence, const std::string& part) {
    EXPECT_NE(sentence.find(part), std::string::npos) << "the sentence was: " << sentence;
  };
  expect(refused("order = 4", "order = 4\nfamily = \"modal\""), "cells of several shapes (triangle and quadrilateral), which model.family");
  expect(refused("end = 0.4", "end = 0.4\nscheme = \"ader\""), "which time.scheme = \"ader\" does not take");
  EXPECT_EQ(refused("move = 0.1", "geometry_order = 4, bend = 0.1"), "");
  std::string coarse = room;
  coarse.replace(coarse.find("move = 0.1"), 10, "geometry_order = 4");
  coarse.replace(coarse.find("order = 4\n["), 9, "order = 1");
  try {
    Simulation(parse_case(coarse, "room.toml"), device());
    ADD_FAILURE();
  } catch (const InputError& error) {
    expect(error.what(), "is too low for cells of several shapes and geometry order 4; take 2 at least");
  }
  try {
    SteppedRun(parse_case(room, "room.toml"));
    ADD_FAILURE();
  } catch (const InputError& error) {
    expect(error.what(), "whose fields are no rectangular arrays");
  }
}

}  // namespace
}  // namespace swell
