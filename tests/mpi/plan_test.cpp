// SPDX-License-Identifier: Apache-2.0
// The figures of `swell plan --ranks` for heat and Poisson agree with the messages and memory of ranks.
#include <gtest/gtest.h>

#include "device/device.hpp"
#include "sim/heat/heat.hpp"
#include "study/plan_parts.hpp"
#include "support.hpp"

namespace swell {
namespace {

const std::string rod =
    "[mesh]\nbox = { low = [0, 0, 0], high = [1, 1, 1], cells = [5, 4, 7], element = \"tetrahedron\" }\n"
    "[boundary]\nxmin = { kind = \"dirichlet\", FIELD = 1 }\nzmax = { kind = \"flux\", q = \"y\" }\n[model]\norder = 1\n";
const std::string heat = "name = \"heat\"\n[time]\nsteps = 3\ndt = 0.1\n", poisson = "name = \"poisson\"\n";

struct PlanVariety {
  std::string name, toml;
  std::vector<std::string> changes;
};
void PrintTo(const PlanVariety& variety, std::ostream* out) { *out << variety.name; }

std::string with(std::string toml, const std::string& old, const std::string& changed) {
  return toml.replace(toml.find(old), old.size(), changed);
}
std::string of_model(const std::string& model) { return with(rod + model, "FIELD", std::string(1, model == heat ? 'T' : 'u')); }

std::vector<PlanVariety> varieties() {
  const std::string elements = "solver.form=\"elements\"", multigrid = "solver.preconditioner=\"multigrid\"",
                    discontinuous = "model.family=\"discontinuous\"", single = "device.precision=\"single\"";
  return {{"grid", of_model(heat), {}},
          {"grid_expressions_single", of_model(heat), {"material.k=\"1+x\"", single}},
          {"grid_periodic_fractions", with(of_model(heat), "zmax", "ymax"),
           {"mesh.box.periodic=[false,false,true]", "mesh.partition.fractions=[1,4,2]"}},
          {"grid_poisson", of_model(poisson), {}},
          {"elements", of_model(heat), {elements, "time.scheme=\"bdf2\""}},
          {"elements_2_curve", of_model(heat), {"model.order=2", "mesh.partition.method=\"curve\""}},
          {"vertices_3", of_model(poisson), {"model.order=3", "solver.form=\"vertices\""}},
          {"multigrid_4", of_model(poisson), {"model.order=4", multigrid}},
          {"discontinuous_2", of_model(poisson), {"model.order=2", discontinuous}},
          {"discontinuous_multigrid_2", of_model(poisson), {"model.order=2", discontinuous, multigrid}}};
}

class PlanOfRanks : public testing::TestWithParam<PlanVariety> {};

TEST_P(PlanOfRanks, CountsWhatTheyHoldAndSend) {
  constexpr int count = 3;
  const Case c = parse_case(GetParam().toml, "rod.toml", GetParam().changes);
  const auto device = open_device("cpu:1");
  const PartsPlan plan = plan_parts(c, {count}, *device).front();
  on_ranks(count, [&](Ranks& ranks) {
    const auto own = open_device("cpu:1");
    HeatSimulation simulation(c, *own, ranks);
    simulation.step(simulation.end());
    const double cells = static_cast<double>(simulation.mesh().own_count());
    EXPECT_EQ(static_cast<double>(plan.most), ranks.largest(cells));
    ASSERT_TRUE(plan.device_bytes);
    if (ranks.rank() == plan.largest) {
      EXPECT_EQ(*plan.device_bytes, own->counters().bytes);
    }
    const HaloTimes& times = simulation.exchange()->times();
    std::array<std::int64_t, 2> sent{times.messages, times.bytes};
    ranks.sum(sent);
    ASSERT_GT(times.exchanges, 0);
    EXPECT_EQ(sent[0], plan.messages * times.exchanges);
    EXPECT_EQ(sent[1], plan.bytes * times.exchanges);
    EXPECT_EQ(static_cast<double>(plan.most_bytes * times.exchanges), ranks.largest(static_cast<double>(times.bytes)));
  });
}

std::string name_of(const testing::TestParamInfo<PlanVariety>& test) { return test.param.name; }
INSTANTIATE_TEST_SUITE_P(All, PlanOfRanks, testing::ValuesIn(varieties()), name_of);

}  // namespace
}  // namespace swell
