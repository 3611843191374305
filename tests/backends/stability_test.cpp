// SPDX-License-Identifier: Apache-2.0
// Ten thousand steps at cfl = 1 from noise, which holds every mode: the energy of a closed box must not grow. With
// SWELL_LONG set: all models, shapes, schemes and orders 1 to 8, and with lsrk54 the orders above; tools/long_runs runs these.
#include <fmt/format.h>

#include "support.hpp"

namespace swell {
namespace {

constexpr int many_steps = 10000;

struct Long {
  std::string model, element;
  int order;
  std::string scheme = "lsrk54";
  double stretch = 1;
  bool curved = false;  // a disc in place of a box
};

// Names the parameters where a test fails.
void PrintTo(const Long& run, std::ostream* out) {
  *out << fmt::format("{} {} {} {} {}{}", run.model, run.element, run.order, run.scheme, run.stretch,
                      run.curved ? " curved" : "");
}

std::string long_name(const testing::TestParamInfo<Long>& given) {
  std::string name = fmt::format("{}_{}_{}_{}{}", given.param.model, given.param.element, given.param.order,
                                 given.param.scheme,
                                 given.param.curved         ? "_curved"
                                 : given.param.stretch == 1 ? ""
                                                            : "_stretched");
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::vector<Long> long_runs() {
  if (!std::getenv("SWELL_LONG"))
    return {{"maxwell-tm", "triangle", 4},
            {"elastic", "triangle", 2, "lsrk54", 7},
            {"acoustics", "quadrilateral", 5, "rk4", 3},
            {"advection", "quadrilateral", 2, "ssprk33"},
            {"maxwell", "tetrahedron", 2, "lsrk54", 4},
            {"acoustics", "hexahedron", 2, "ab3", 3},
            {"elastic", "triangle", 3, "lsrk54", 1, true}};
  std::vector<Long> all;
  for (const std::string element : {"triangle", "quadrilateral", "tetrahedron", "hexahedron"})
    for (const std::string model : {"advection", "acoustics", "maxwell-tm", "maxwell-te", "maxwell", "elastic"}) {
      const bool plane = element == "triangle" || element == "quadrilateral";
      if (model == "maxwell" ? plane : model.starts_with("maxwell-") && !plane) continue;
      for (int order = 1; order <= (plane ? 12 : 10); ++order)
        for (const auto& scheme : integrator_names())
          if (order <= 8 || scheme == "lsrk54") {
            if (plane && model != "advection") all.push_back({model, element, order, scheme, 1, true});
            for (const double stretch : {1.0, 10.0}) all.push_back({model, element, order, scheme, stretch});
          }
    }
  return all;
}

std::string long_device() {
  const char* given = std::getenv("SWELL_LONG_DEVICE");
  return given ? given : "cpu:1";
}

class LongRun : public testing::TestWithParam<Long> {};

TEST_P(LongRun, StaysBounded) {
  const auto& [model, element, order, scheme, stretch, curved] = GetParam();
  const bool plane = element == "triangle" || element == "quadrilateral";
  // What flows in through a side of advection adds to it.
  const std::string wall = model == "advection" ? "true" : "false";
  const std::string closed = plane ? fmt::format("[true, {}]", wall) : fmt::format("[true, {0}, {0}]", wall);
  const std::string box = fmt::format("box = {{ low = {}, high = {}, cells = {}, element = \"{}\", periodic = {} }}",
                                      plane ? "[0, 0]" : "[0, 0, 0]",
                                      plane ? fmt::format("[{}, 1]", stretch) : fmt::format("[{}, 1, 1]", stretch),
                                      plane ? "[2, 2]" : "[2, 1, 1]", element, closed);
  const std::string disc = fmt::format("disc = {{ cells = 1, geometry_order = 3, element = \"{}\" }}", element);
  Simulation run(parse_case(fmt::format(R"toml(
[mesh]
{}
[model]
name = "{}"
order = {}
[time]
steps = {}
scheme = "{}"
)toml",
                                        curved ? disc : box, model, order, many_steps, scheme),
                            "test.toml"),
                 device_named(long_device()));
  write_noise(run.dg(), run.state());
  const double before = run.energy();
  run.advance(run.end());
  EXPECT_EQ(run.steps(), many_steps);
  EXPECT_LE(run.energy(), before);
}

INSTANTIATE_TEST_SUITE_P(Runs, LongRun, testing::ValuesIn(long_runs()), long_name);

}  // namespace
}  // namespace swell
