// SPDX-License-Identifier: Apache-2.0
// The modal family and ADER on every device: the same answers, nothing on the host in a step, and the same solution as the
// nodal family.
#include <fmt/format.h>

#include "support.hpp"

namespace swell {
namespace {

struct Setting {
  std::string name, model, element, material, initial;
  std::string more = {};
};

const std::vector<Setting>& runs() {
  static const std::vector<Setting> all{
      {"Advection", "advection", "triangle", "ax = 1\nay = 0.5", "u = \"sin(2*pi*x)*cos(2*pi*y)\""},
      {"SwirlInTime", "advection", "quadrilateral",
       "ax = \"sin(pi*x)^2*sin(2*pi*y)*cos(t)\"\nay = \"-sin(pi*y)^2*sin(2*pi*x)*cos(t)\"", "u = \"sin(2*pi*x)*cos(2*pi*y)\""},
      {"HeterogeneousSound", "acoustics", "triangle", "rho = \"1 + 0.3*x*y\"\nc = \"1 + 0.2*sin(3*x)\"",
       "p = \"exp(-((x-0.5)^2+(y-0.4)^2)/0.02)\"",
       "[boundary]\nxmin = \"soft\"\nxmax = \"absorbing\"\nymin = { kind = \"impedance\", Z = 0.5 }\n"},
      {"DampedMaxwell", "maxwell-tm", "quadrilateral", "epsilon = \"1 + 0.5*x\"\nsigma = \"0.3*y\"",
       "Ez = \"sin(pi*x)*sin(pi*y)\"", "[source]\nEz = \"sin(20*t)*exp(-20*(x^2+y^2))\"\n"},
      {"LayeredElastic", "elastic", "triangle", "lambda = \"if(y<0.5, 2, 1)\"\nmu = \"if(y<0.5, 1, 0.5)\"",
       "vx = \"exp(-((x-0.5)^2+(y-0.4)^2)/0.02)\""},
      {"SoundInSpace", "acoustics", "tetrahedron", "rho = 1\nc = 1", "p = \"cos(pi*x)*cos(pi*y)*cos(pi*z)\""}};
  return all;
}

std::string case_of(const Setting& run, const std::string& family, const std::string& scheme, int cells, double end,
                    int order = 2) {
  const bool space = run.element == "tetrahedron" || run.element == "hexahedron";
  const std::string corner = space ? "[0, 0, 0]" : "[0, 0]", far = space ? "[1, 1, 1]" : "[1, 1]",
                    count = space ? fmt::format("[{0}, {0}, {0}]", cells) : fmt::format("[{0}, {0}]", cells);
  return fmt::format(
      "[mesh]\nbox = {{ low = {}, high = {}, cells = {}, element = \"{}\" }}\n[model]\nname = \"{}\"\norder = {}\n"
      "family = \"{}\"\n[material]\n{}\n[initial]\n{}\n{}[time]\nend = {}\nscheme = \"{}\"\ncfl = 0.5\n",
      corner, far, count, run.element, run.model, order, family, run.material, run.initial, run.more, end, scheme);
}

std::vector<double> after(const std::string& text, Device& device) {
  Simulation run(parse_case(text, "test"), device);
  run.advance(run.end());
  return values_of(run.dg(), run.state());
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    size = std::max(size, std::abs(b[i]));
    most = std::abs(a[i] - b[i]) <= most ? most : std::abs(a[i] - b[i]);
  }
  return most / size;
}

class ModalOnEveryDevice : public OnEveryDevice {};

TEST_P(ModalOnEveryDevice, AgreesWithTheCpuToRounding) {
  for (const Setting& run : runs())
    for (const char* scheme : {"lsrk54", "ader"}) {
      const std::string text = case_of(run, "modal", scheme, run.element == "tetrahedron" ? 1 : 2, 0.05);
      EXPECT_LT(difference(after(text, device), after(text, device_named("cpu"))), 1e-12) << run.name << " " << scheme;
    }
}

// From order 4 on ADER carries modes from step to step: by the Taylor series and at Gauss times, in both families.
TEST_P(ModalOnEveryDevice, RemembersWhatTheCpuDoes) {
  const std::string damped = runs()[3].more;
  const Setting sound{"Sound", "acoustics", "quadrilateral", "rho = 1\nc = 1", "p = \"cos(pi*x)*cos(pi*y)\""},
      hit{"Hit", "maxwell-tm", "triangle", "sigma = 0.3", "Ez = \"sin(pi*x)*sin(pi*y)\"", damped};
  for (const auto& [run, family] : {std::pair{sound, "nodal"}, {hit, "nodal"}, {hit, "modal"}, {runs()[2], "modal"}}) {
    const std::string text = case_of(run, family, "ader", 2, 0.1, 4);
    EXPECT_LT(difference(after(text, device), after(text, device_named("cpu"))), 1e-12) << run.name << " " << family;
  }
}

TEST_P(ModalOnEveryDevice, StepsWithoutTheHost) {
  for (const Setting& run : runs())
    for (const char* scheme : {"lsrk54", "ader"}) {
      Simulation simulation(parse_case(case_of(run, "modal", scheme, run.element == "tetrahedron" ? 1 : 2, 0.05), "test"),
                            device);
      const auto integrator = make_integrator(scheme, simulation.dg());
      integrator->step(0, 1e-3);
      device.queue().finish();
      const DeviceCounters before = device.counters();
      for (int i = 1; i < 4; ++i) integrator->step(1e-3 * i, 1e-3);
      const DeviceCounters after = device.counters();
      EXPECT_EQ(after.copies, before.copies) << run.name << " " << scheme;
      EXPECT_EQ(after.allocations, before.allocations) << run.name << " " << scheme;
      EXPECT_EQ(after.waits, before.waits) << run.name << " " << scheme;
      EXPECT_GT(after.launches, before.launches);
    }
}

INSTANTIATE_TEST_SUITE_P(Devices, ModalOnEveryDevice, testing::ValuesIn(usable_devices()), device_test_name);

// On straight triangles with one material in each both families are the same method, also where layers meet.
TEST(ModalFamily, SolvesALayeredElasticMediumAsTheNodalFamilyDoes) {
  for (const char* scheme : {"lsrk54", "ader"}) {
    for (const int order : {2, 4}) {
      const auto modal = after(case_of(runs()[4], "modal", scheme, 4, 0.3, order), device_named("cpu"));
      const auto nodal = after(case_of(runs()[4], "nodal", scheme, 4, 0.3, order), device_named("cpu"));
      EXPECT_LT(difference(modal, nodal), 1e-11) << scheme << " of order " << order;
    }
  }
}

// Material that varies is projected by one family; the other takes it at points in the mass, and its mean on faces. Both are within
// 2.5 % of the converged solution on so coarse a mesh.
TEST(ModalFamily, SolvesAHeterogeneousMediumAsTheNodalFamilyDoes) {
  const auto modal = after(case_of(runs()[2], "modal", "lsrk54", 8, 0.3), device_named("cpu"));
  const auto nodal = after(case_of(runs()[2], "nodal", "lsrk54", 8, 0.3), device_named("cpu"));
  EXPECT_LT(difference(modal, nodal), 4e-3);
  EXPECT_GT(difference(modal, nodal), 1e-12);  // they are two methods
}

// Castro, Behrens and Pelties (2013), test 2, with a wider Gaussian: the velocity's own projection decides about the order.
TEST(ModalAdvection, KeepsItsOrderWithCoefficientsOfFullOrderAndLosesItWithOneInAnElement) {
  const auto order = [](int coefficient_order) {
    double error[2];
    for (const int level : {0, 1}) {
      const std::string text = fmt::format(
          "[mesh]\nbox = {{ low = [-0.5, -0.5], high = [0.5, 0.5], cells = [{0}, {0}], periodic = [true, true] }}\n"
          "[model]\nname = \"advection\"\norder = 3\nfamily = \"modal\"\ncoefficient_order = {1}\n"
          "[material]\nax = \"sqrt(0.5)*(1 + 0.2*cos(2*pi*(x + y)))\"\nay = \"sqrt(0.5)*(1 + 0.2*cos(2*pi*(x + y)))\"\n"
          "[initial]\nu = \"sin(2*pi*x)*sin(2*pi*y)\"\n[exact]\nu = \"sin(2*pi*x)*sin(2*pi*y)\"\n"
          "[time]\nend = 1.443375672974065\nscheme = \"ader\"\ncfl = 0.9\n",
          level == 0 ? 8 : 16, coefficient_order);
      Simulation run(parse_case(text, "test"), device_named("cpu"));
      run.advance(run.end());
      error[level] = run.errors().total_l2;
    }
    return std::log2(error[0] / error[1]);
  };
  EXPECT_GT(order(3), 3.7);
  EXPECT_LT(order(0), 2);
}

// Sources and boundary data in time: ADER has the order of the space, p + 1 = 4, with steps that shrink with the cells.
TEST(Ader, KeepsItsOrderWithSourcesAndBoundaryDataInTime) {
  for (const char* family : {"modal", "nodal"}) {
    double error[2];
    for (const int level : {0, 1}) {
      const std::string text = fmt::format(
          "[mesh]\nbox = {{ low = [0, 0], high = [1, 1], cells = [{0}, {0}] }}\n[model]\nname = \"acoustics\"\norder = 3\n"
          "family = \"{1}\"\n[boundary]\nxmin = \"exact\"\nxmax = \"exact\"\nymin = \"exact\"\nymax = \"exact\"\n"
          "[initial]\np = \"sin(x+y)\"\nvx = 0\nvy = 0\n"
          // p_t = -div v + s_p, v_t = -grad p + s_v
          "[exact]\np = \"sin(x+y)*cos(3*t)\"\nvx = \"sin(3*t)*cos(x)\"\nvy = \"sin(3*t)*cos(y)\"\n"
          "[source]\np = \"-3*sin(x+y)*sin(3*t) - sin(3*t)*(sin(x) + sin(y))\"\n"
          "vx = \"3*cos(3*t)*cos(x) + cos(x+y)*cos(3*t)\"\nvy = \"3*cos(3*t)*cos(y) + cos(x+y)*cos(3*t)\"\n"
          "[time]\nend = 1\nscheme = \"ader\"\ncfl = 0.9\n",
          level == 0 ? 2 : 4, family);
      Simulation run(parse_case(text, "test"), device_named("cpu"));
      run.advance(run.end());
      error[level] = run.errors().total_l2;
    }
    EXPECT_GT(std::log2(error[0] / error[1]), 3.6) << family << ": " << error[0] << ", " << error[1];
  }
}

}  // namespace
}  // namespace swell
