// SPDX-License-Identifier: Apache-2.0
// Nonlinear pages with steps that follow their waves: order of convergence, conservation, and how a run ends where a page has no
// answer.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "dg/measures.hpp"
#include "sim/simulation.hpp"

namespace swell {
namespace {

Device& shared_device() {
  static const std::unique_ptr<Device> device = open_device("cpu");
  return *device;
}

Case case_of(const std::string& text) { return parse_case(text, "test.toml", {}, SWELL_SOURCE_DIR "/tests/data/models"); }

// An isentropic vortex that moves with the stream (Yee, Sandham and Djomehri 1999).
std::string vortex(const std::string& element, int cells) {
  return fmt::format(R"toml(
[mesh]
box = {{ low = [-6, -6], high = [6, 6], cells = [{0}, {0}], element = "{1}", periodic = [true, true] }}
[model]
name = "euler"
flux = "hll"
order = 3
[initial]
rho = "(1 - 0.4*25/(8*1.4*pi^2)*exp(1 - (x + 0.5)^2 - (y + 0.5)^2))^2.5"
ux = "1 - 5/(2*pi)*(y + 0.5)*exp((1 - (x + 0.5)^2 - (y + 0.5)^2)/2)"
uy = "1 + 5/(2*pi)*(x + 0.5)*exp((1 - (x + 0.5)^2 - (y + 0.5)^2)/2)"
p = "(1 - 0.4*25/(8*1.4*pi^2)*exp(1 - (x + 0.5)^2 - (y + 0.5)^2))^3.5"
[exact]
rho = "(1 - 0.4*25/(8*1.4*pi^2)*exp(1 - (x + 0.5 - t)^2 - (y + 0.5 - t)^2))^2.5"
[time]
end = 1
)toml",
                     cells, element);
}

TEST(IsentropicVortex, ConvergesWithStepsOfItsOwn) {
  for (const char* element : {"triangle", "quadrilateral"}) {
    double before = 0;
    for (const int cells : {32, 64}) {
      Simulation run(case_of(vortex(element, cells)), shared_device());
      Measures& measures = *run.dg().observer().measures();
      const double mass = measures.quantity(0, run.state(), 0), energy = run.energy();
      run.advance(run.end());
      EXPECT_EQ(run.time(), 1.0);
      EXPECT_NEAR(measures.quantity(0, run.state(), 1), mass, 1e-11 * mass);
      EXPECT_NEAR(run.energy(), energy, 1e-11 * energy);
      const double error = run.errors().l2[0];
      RecordProperty(fmt::format("{}_{}", element, cells), fmt::format("{:.3e}, {} steps", error, run.steps()));
      if (before > 0) {
        EXPECT_GT(std::log2(before / error), 3.5) << element << ": " << before << ", " << error;
      }
      before = error;
    }
    EXPECT_LT(before, 1e-4) << element;
  }
}

// A wave of density in a stream, which it leaves as it is. The two-point fluxes of the default lose a fifth of an order where lengths
// of lines differ at random.
TEST(DensityWave, ConvergesOnALineWithOneOrderMoreThanItsPolynomials) {
  for (const int order : {1, 3, 5}) {
    double before = 0;
    for (const int cells : {8, 16}) {
      Simulation run(case_of(fmt::format(R"toml(
[mesh]
box = {{ low = [0], high = [1], cells = [{}], periodic = [true], move = 0.1 }}
[model]
name = "euler"
flux = "hll"
form = "collocated"
order = {}
[initial]
rho = "1 + 0.2*sin(2*pi*x)"
ux = 1
p = 1
[exact]
rho = "1 + 0.2*sin(2*pi*(x - t))"
rhou = "1 + 0.2*sin(2*pi*(x - t))"
E = "2.5 + 0.5*(1 + 0.2*sin(2*pi*(x - t)))"
[time]
end = 0.5
cfl = 0.3
)toml",
                                         cells, order)),
                     shared_device());
      run.advance(run.end());
      const double error = run.errors().l2[0];
      if (before > 0) {
        EXPECT_GT(std::log2(before / error), order + 0.5) << order << ": " << before << ", " << error;
      }
      before = error;
    }
    EXPECT_LT(before, order == 5 ? 1e-7 : 1e-2) << order;
  }
}

std::string tube(const std::string& element) {
  const char* box = element == "line" ? "low = [0], high = [1], cells = [40]"
                                      : "low = [0, 0], high = [1, 0.1], cells = [40, 4], periodic = [false, true]";
  return fmt::format(R"toml(
[mesh]
box = {{ {}, element = "{}" }}
[model]
name = "euler"
flux = "hll"
form = "collocated"
order = 3
shocks = "none"
positivity = false
[initial]
rho = "if(x < 0.5, 1, 0.125)"
p = "if(x < 0.5, 1, 0.1)"
[time]
end = 0.2
)toml",
                     box, element);
}

// Where nothing limits the overshoots of a shock the run ends, and the sentence names what became negative.
TEST(ShockTube, EndsWithASentenceThatNamesDensityOrPressure) {
  for (const char* element : {"line", "triangle", "quadrilateral"}) {
    Simulation run(case_of(tube(element)), shared_device());
    try {
      run.advance(run.end());
      ADD_FAILURE() << element << " survived";
    } catch (const RunError& failed) {
      const std::string words = failed.what();
      EXPECT_TRUE(words.find(": rho is not positive in element") != std::string::npos ||
                  words.find(": p is not positive in element") != std::string::npos)
          << words;
    }
  }
}

TEST(BurgersWave, SteepensAtItsOwnSpeedBeforeItBreaks) {
  // u(x, t) = u0(x - u t): the crest of 1 + 0.2 sin(2 pi x) at 1/4 has run 1.2 t ahead.
  Simulation run(case_of("[mesh]\nbox = { low = [0, 0], high = [1, 1], cells = [16, 1], element = \"quadrilateral\", periodic = [true, true] }\n"
                         "[model]\nfile = \"burgers.h\"\nflux = \"osher\"\norder = 4\n[material]\nax = 1\nay = 0\n"
                         "[initial]\nu = \"1 + 0.2*sin(2*pi*x)\"\n[time]\nend = 0.25\n"),
                 shared_device());
  run.advance(run.end());
  EXPECT_NEAR(run.value_at("u", {0.25 + 1.2 * 0.25, 0.5}), 1.2, 1e-4);
  EXPECT_NEAR(run.value_at("u", {0.75 + 0.8 * 0.25, 0.5}), 0.8, 1e-4);
}

TEST(BurgersWave, IsOnALineAsItIsInThePlane) {
  Simulation run(case_of("[mesh]\nbox = { low = [0], high = [1], cells = [16], periodic = [true] }\n"
                         "[model]\nfile = \"burgers.h\"\nflux = \"osher\"\norder = 4\n"
                         "[initial]\nu = \"1 + 0.2*sin(2*pi*x)\"\n[time]\nend = 0.25\n"),
                 shared_device());
  run.advance(run.end());
  EXPECT_NEAR(run.value_at("u", {0.25 + 1.2 * 0.25}), 1.2, 1e-4);
  EXPECT_NEAR(run.value_at("u", {0.75 + 0.8 * 0.25}), 0.8, 1e-4);
}

std::string refusal(const std::string& text) {
  try {
    Simulation run(case_of(text), shared_device());
  } catch (const InputError& refused) {
    return refused.what();
  }
  return "";
}

TEST(NonlinearCase, RefusesWhatIsForLinearModels) {
  const std::string mesh = "[mesh]\nbox = { low = [0, 0], high = [1, 1], cells = [2, 2] }\n",
                    gas = "[initial]\nrho = 1\np = 1\n", end = "[time]\nend = 1\n";
  const auto model = [](const std::string& more) { return "[model]\nname = \"euler\"\norder = 2\n" + more; };
  const auto says = [](const std::string& text, std::string_view words) {
    const std::string found = refusal(text);
    EXPECT_NE(found.find(words), std::string::npos) << found;
  };
  says(mesh + model("flux = \"hlll\"\n") + gas + end, "must be one of upwind, central, rusanov, hll, hllc, roe, entropy, kennedy_gruber, ranocha, chandrashekar, not \"hlll\" (did you mean 'hll'?)");
  says(mesh + model("flux = \"upwind\"\n") + gas + end, "euler");  // no upwind flux can be derived
  says(mesh + model("flux = \"hll\"\nfamily = \"modal\"\n") + gas + end, "linear");
  says(mesh + model("flux = \"hll\"\n") + gas + "[time]\nend = 1\nscheme = \"ader\"\ndt = 0.01\n", "linear");
  says(mesh + model("flux = \"hll\"\n") + gas + "[time]\nsteps = 3\n", "time.dt");
  says(mesh + model("flux = \"hll\"\n") + end, "[initial] gives rho = 0 at (");
  says(mesh + model("flux = \"hll\"\n") + "[initial]\nrho = 1\nux = 1\nE = 2\n" + end, "'E' is not");
  says(mesh + model("flux = \"hll\"\n") + gas + end +
           "[boundary]\nxmin = { kind = \"incident\", wave = \"plane\", direction = [1, 0], pulse = \"sin(s)\" }\n",
       "linear");
}

}  // namespace
}  // namespace swell
