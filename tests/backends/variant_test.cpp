// SPDX-License-Identifier: Apache-2.0
// Every way to make the operator's kernels computes the right-hand side that the CPU computes.
#include <fmt/format.h>

#include <cmath>

#include "case/problem_of_case.hpp"
#include "dg/nodal/operator.hpp"
#include "support.hpp"

namespace swell {
namespace {

// Compilations take long where a processor acts a GPU: it gets a case in one precision, or not at all.
enum class Acted : std::uint8_t { never, in_double, in_single };

struct Shaped {
  std::string name, text;
  Acted acted = Acted::never;
  // Whether devices without matrix cores act their text: with the rates passed on, or updated in place.
  enum class Matrix : std::uint8_t { not_acted, staged, bulk } matrix = Matrix::not_acted;

  bool is_for(const Device& device, const std::string& precision) const {
    if (precision == "double" && !device.info().doubles) return false;
    if (device.info().compiler.find("PoCL") == std::string::npos) return true;
    return acted == (precision == "double" ? Acted::in_double : Acted::in_single);
  }
};

void PrintTo(const Shaped& shaped, std::ostream* out) { *out << shaped.name; }

std::string box_case(const std::string& model, const std::string& element, int order, const std::string& cells,
                     const std::string& rest, double move = 0) {
  const bool plane = element == "triangle" || element == "quadrilateral", line = element == "line";
  return fmt::format(R"toml(
[mesh]
box = {{ low = {}, high = {}, cells = {}, element = "{}", move = {} }}
[model]
name = "{}"
order = {}
[time]
steps = 1
{})toml",
                     line ? "[0]" : plane ? "[0, 0]" : "[0, 0, 0]", line ? "[1.1]" : plane ? "[1.1, 0.7]" : "[1.1, 0.7, 0.9]", cells, element, move,
                     model, order, rest);
}

std::string disc_case(const std::string& element) {
  return fmt::format("[mesh]\ndisc = {{ cells = 2, geometry_order = 3, element = \"{}\" }}\n"
                     "[model]\nname = \"maxwell-tm\"\norder = 3\n[time]\nsteps = 1\n", element);
}

// Sizes that are no multiple of a batch, one element, material that jumps, varies inside elements, and curved elements.
// Acted: each of them, and each text, with even and odd numbers of fields, in both precisions.
std::vector<Shaped> shaped_cases() {
  using enum Acted;
  const std::string two_media = "[material]\nepsilon = \"if(x < 0.55, 1, 2.5)\"\nsigma = 0.3\n";
  const std::string oblique = "[material]\nax = 1\nay = 0.5\n", rho_varies = "[material]\nrho = \"1 + 0.3*x*y\"\n";
  // With a reaction, which takes its own fields to the points.
  const std::string epsilon_adjusted = "[material]\nepsilon = \"1 + 0.2*x*y\"\nsigma = 0.3\n";
  const std::string epsilon_varies = "[material]\nepsilon = \"1 + x*y\"\n", mu_varies = "[material]\nmu = \"1 + x\"\n";
  return {{"lines", box_case("maxwell-tem", "line", 3, "[5]", two_media), in_double},
          {"few_lines", box_case("acoustics", "line", 1, "[1]", ""), in_single, Shaped::Matrix::staged},
          {"varying_lines", box_case("acoustics", "line", 2, "[3]", "[material]\nrho = \"1 + 0.3*x\"\n"), in_double},
          {"tm_triangles", box_case("maxwell-tm", "triangle", 3, "[3, 2]", two_media), in_double},
          {"few_triangles", box_case("acoustics", "triangle", 1, "[1, 1]", ""), in_double, Shaped::Matrix::staged},
          {"few_tetrahedra", box_case("maxwell", "tetrahedron", 1, "[1, 1, 1]", ""), in_single, Shaped::Matrix::bulk},
          {"elastic_triangles", box_case("elastic", "triangle", 4, "[3, 3]", "")},
          {"advection_triangles", box_case("advection", "triangle", 2, "[3, 3]", oblique), in_single},
          {"maxwell_tetrahedra", box_case("maxwell", "tetrahedron", 2, "[2, 1, 2]", two_media), in_single},
          {"maxwell_tetrahedra_fine", box_case("maxwell", "tetrahedron", 5, "[1, 1, 2]", "")},
          {"elastic_tetrahedra", box_case("elastic", "tetrahedron", 3, "[1, 2, 1]", "")},
          {"varying_triangles", box_case("acoustics", "triangle", 3, "[3, 2]", rho_varies), in_single},
          {"adjusted_triangles", box_case("maxwell-te", "triangle", 2, "[3, 2]", epsilon_adjusted), in_double, Shaped::Matrix::staged},
          {"adjusted_tetrahedra", box_case("maxwell", "tetrahedron", 1, "[2, 1, 1]", epsilon_adjusted), in_single, Shaped::Matrix::bulk},
          {"adjusted_elastic", box_case("elastic", "tetrahedron", 4, "[1, 2, 1]", "[material]\nmu = \"1 + 0.1*x\"\n")},
          {"varying_tetrahedra", box_case("maxwell", "tetrahedron", 2, "[1, 2, 1]", epsilon_varies)},
          {"quadrilaterals", box_case("maxwell-te", "quadrilateral", 4, "[3, 3]", two_media), in_double},
          {"varying_quadrilaterals", box_case("elastic", "quadrilateral", 3, "[3, 2]", rho_varies)},
          {"one_hexahedron", box_case("acoustics", "hexahedron", 1, "[1, 1, 1]", ""), in_double},
          {"hexahedra", box_case("acoustics", "hexahedron", 3, "[2, 1, 2]", "")},
          {"varying_hexahedra", box_case("maxwell", "hexahedron", 2, "[2, 1, 1]", mu_varies), in_single},
          {"moved_quadrilaterals", box_case("maxwell-tm", "quadrilateral", 2, "[3, 2]", two_media, 0.2), in_single},
          {"moved_hexahedra", box_case("acoustics", "hexahedron", 2, "[2, 2, 2]", "", 0.2), in_double},
          {"disc_of_triangles", disc_case("triangle"), in_double},
          {"disc_of_quadrilaterals", disc_case("quadrilateral"), in_double}};
}

// The state after two stages; the second needs the first one's residual.
std::vector<double> stages_of(NodalOperator& dg) {
  const auto state = dg.make_state("state"), next = dg.make_state("next"), residual = dg.make_state("residual");
  write_noise(dg, *state);
  dg.stage(0.1, *state, *next, *residual, 0, 0.4, 1e-3);
  dg.stage(0.2, *next, *state, *residual, -0.3, 0.7, 1e-3);
  dg.device().queue().finish();
  return values_of(dg, *state);
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

TEST_P(EveryVariant, ComputesTheRateAndTheStagesOfTheCpu) {
  Device& device = device_named(std::get<0>(GetParam()));
  const Shaped& shaped = std::get<1>(GetParam());
  if (!device.info().simt)
    GTEST_SKIP() << "variants of a CPU have a test of their own";
  if (!shaped.is_for(device, "double") && !shaped.is_for(device, "single"))
    GTEST_SKIP() << "takes too long to compile where a processor acts a GPU";
  // The first variants of each kind must do; `swell tune` compares all that it tries.
  const bool cores = device.info().tensor_cores > 0;
  for (const std::string precision : {"double", "single"}) {
    if (!shaped.is_for(device, precision)) continue;
    const Case c = parse_case(shaped.text, "test.toml", {fmt::format("device.precision={}", precision)});
    const Mesh mesh = mesh_of_case(c);
    NodalOperator reference(problem_of_case(c, mesh), device_named("cpu:1"));
    Problem problem = problem_of_case(c, mesh);
    const bool acted = shaped.matrix != Shaped::Matrix::not_acted;
    if (cores || acted) problem.variant = "matrix";  // lists them on any device
    NodalOperator dg(std::move(problem), device);
    const auto expected = rate_of(reference), advanced = stages_of(reference);
    const double rounding = precision == "double" ? 1e-12 : 1e-5;
    for (std::size_t g = 0; g < dg.layout().groups.size(); ++g) {
      std::map<std::string, int> tried;
      for (const auto& variant : dg.group_variants(g)) {
        const bool matrix = variant.text == Variant::Text::matrix;
        const std::string kind = fmt::format("{}{}{}{}", matrix, variant.constant("FUSED"), variant.constant("TEAMS"),
                                             matrix ? variant.constant("BULK") : 2 * variant.constant("LINES") + variant.constant("PAST"));
        if (tried[kind]++ > (cores ? 1 : 0)) continue;
        const bool bulk = variant.constant("BULK");
        if (matrix && !cores && (!acted || (shaped.matrix == Shaped::Matrix::bulk) != bulk)) continue;
        if (matrix && !cores && bulk && (variant.constant("FUSED") || variant.constant("TEAMS"))) continue;
        dg.set_variant(g, variant);
        EXPECT_LT(difference(expected, rate_of(dg)), rounding) << precision << ": " << variant.name();
        EXPECT_LT(difference(advanced, stages_of(dg)), rounding) << precision << ": " << variant.name();
      }
    }
  }
}

// Blocks of registers and the ways of memory change nothing; products before or after the flux change the rounding.
TEST(VariantsOfTheCpu, DifferentiateFluxesAndValuesToTheSameRate) {
  int covered = 0;
  for (const Shaped& shaped : shaped_cases()) {
    const Case c = parse_case(shaped.text, "test.toml", {"device.precision=double"});
    const Mesh mesh = mesh_of_case(c);
    if (!is_simplex(mesh.shape()) || shaped.name.starts_with("disc") || shaped.name.starts_with("varying")) continue;
    NodalOperator dg(problem_of_case(c, mesh), device_named("cpu:1"));
    const auto expected = rate_of(dg), advanced = stages_of(dg);
    const int usual = dg.group_variant(0).constant("COVER");
    for (const auto& variant : dg.group_variants(0)) {
      if (variant.constant("COVER") == usual) continue;
      ++covered;
      dg.set_variant(0, variant);
      EXPECT_LT(difference(expected, rate_of(dg)), 1e-12) << shaped.name << ": " << variant.name();
      EXPECT_LT(difference(advanced, stages_of(dg)), 1e-12) << shaped.name << ": " << variant.name();
      break;
    }
  }
  EXPECT_EQ(covered, 6) << "triangles of three and five fields and elastic waves in space have both ways";
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
