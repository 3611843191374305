// SPDX-License-Identifier: Apache-2.0
// Every way to make the operator's kernels computes the right-hand side that the CPU computes.
#include <fmt/format.h>

#include <cmath>

#include "sim/problem_of_case.hpp"
#include "support.hpp"

namespace swell {
namespace {

struct Shaped {
  std::string name, text;
  int order;
};

void PrintTo(const Shaped& shaped, std::ostream* out) { *out << shaped.name; }

std::string box_case(const std::string& model, const std::string& element, int order, const std::string& cells,
                     const std::string& rest) {
  const bool plane = element == "triangle" || element == "quadrilateral";
  return fmt::format(R"toml(
[mesh]
box = {{ low = {}, high = {}, cells = {}, element = "{}" }}
[model]
name = "{}"
order = {}
[time]
steps = 1
{})toml",
                     plane ? "[0, 0]" : "[0, 0, 0]", plane ? "[1.1, 0.7]" : "[1.1, 0.7, 0.9]", cells, element, model, order,
                     rest);
}

// Sizes that are no multiple of a batch, one element, material that jumps, varies inside elements, and curved elements.
std::vector<Shaped> shaped_cases() {
  const std::string two_media = "[material]\nepsilon = \"if(x < 0.55, 1, 2.5)\"\nsigma = 0.3\n";
  return {{"tm_triangles", box_case("maxwell-tm", "triangle", 3, "[3, 2]", two_media), 3},
          {"one_triangle_pair", box_case("acoustics", "triangle", 1, "[1, 1]", ""), 1},
          {"elastic_triangles", box_case("elastic", "triangle", 4, "[3, 3]", ""), 4},
          {"advection_triangles", box_case("advection", "triangle", 2, "[3, 3]", "[material]\nax = 1\nay = 0.5\n"), 2},
          {"maxwell_tetrahedra", box_case("maxwell", "tetrahedron", 2, "[2, 1, 2]", two_media), 2},
          {"maxwell_tetrahedra_fine", box_case("maxwell", "tetrahedron", 5, "[1, 1, 2]", ""), 5},
          {"elastic_tetrahedra", box_case("elastic", "tetrahedron", 3, "[1, 2, 1]", ""), 3},
          {"varying_triangles", box_case("acoustics", "triangle", 3, "[3, 2]", "[material]\nrho = \"1 + 0.3*x*y\"\n"), 3},
          {"varying_tetrahedra", box_case("maxwell", "tetrahedron", 2, "[1, 2, 1]", "[material]\nepsilon = \"1 + x*y\"\n"), 2},
          {"quadrilaterals", box_case("maxwell-te", "quadrilateral", 4, "[3, 3]", two_media), 4},
          {"varying_quadrilaterals", box_case("elastic", "quadrilateral", 3, "[3, 2]", "[material]\nrho = \"2 + x\"\n"), 3},
          {"hexahedra", box_case("acoustics", "hexahedron", 3, "[2, 1, 2]", ""), 3},
          {"varying_hexahedra", box_case("maxwell", "hexahedron", 2, "[2, 1, 1]", "[material]\nmu = \"1 + x\"\n"), 2},
          {"disc_of_triangles",
           "[mesh]\ndisc = { cells = 2, geometry_order = 3, element = \"triangle\" }\n[model]\nname = \"maxwell-tm\"\norder = 3\n[time]\nsteps = 1\n", 3},
          {"disc_of_quadrilaterals",
           "[mesh]\ndisc = { cells = 2, geometry_order = 3, element = \"quadrilateral\" }\n[model]\nname = \"maxwell-tm\"\norder = 3\n[time]\nsteps = 1\n", 3}};
}

std::vector<double> rate_of(NodalOperator& dg) {
  const auto state = dg.make_state("state"), rate = dg.make_state("rate");
  write_noise(dg, *state);
  dg.rate(0.1, *state, *rate);
  dg.device().queue().finish();
  return values_of(dg, *rate);
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0, worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(a[i]));
    worst = std::isfinite(b[i]) ? std::max(worst, std::abs(a[i] - b[i])) : 1e300;
  }
  return worst / most;
}

class EveryVariant : public testing::TestWithParam<std::tuple<std::string, Shaped>> {};

TEST_P(EveryVariant, ComputesTheRateOfTheCpu) {
  Device& device = device_named(std::get<0>(GetParam()));
  const Shaped& shaped = std::get<1>(GetParam());
  if (!device.info().threads_are_lanes)
    GTEST_SKIP() << "variants of a CPU differ in the order of memory, not in what they compute";
  // Compilations take long, most of all where a processor acts a GPU: the first variants of each kind must do. `swell tune`
  // compares all that it tries.
  const bool chip = device.info().tensor_cores > 0;
  for (const std::string precision : {"double", "single"}) {
    const Case c = parse_case(shaped.text, "test.toml", {fmt::format("device.precision={}", precision)});
    const Mesh mesh = mesh_of_case(c);
    NodalOperator reference(problem_of_case(c, mesh), device_named("cpu:1"));
    Problem problem = problem_of_case(c, mesh);
    problem.variant = "matrix";  // lists them on any device
    NodalOperator dg(std::move(problem), device);
    const auto expected = rate_of(reference);
    for (std::size_t g = 0; g < dg.layout().groups.size(); ++g) {
      std::map<std::string, int> tried;
      for (const auto& variant : dg.group_variants(g)) {
        const bool matrix = variant.text == Variant::Text::matrix;
        const std::string kind = fmt::format("{}{}{}", matrix, variant.constant("FUSED"), variant.constant("TEAMS"));
        if (tried[kind]++ > (chip ? 1 : 0)) continue;
        if (!chip && matrix && shaped.order > 1) continue;
        dg.set_variant(g, variant);
        EXPECT_LT(difference(expected, rate_of(dg)), precision == "double" ? 1e-12 : 1e-5)
            << precision << ": " << variant.name();
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, EveryVariant,
                         testing::Combine(testing::ValuesIn(usable_devices()), testing::ValuesIn(shaped_cases())),
                         [](const auto& given) {
                           std::string name = std::get<0>(given.param) + "_" + std::get<1>(given.param).name;
                           std::replace(name.begin(), name.end(), ':', '_');
                           return name;
                         });

}  // namespace
}  // namespace swell
