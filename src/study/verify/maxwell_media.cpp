// SPDX-License-Identifier: Apache-2.0
// Maxwell's equations in the plane: media, walls that let waves pass, waves that come in.
#include "study/verify/verify.hpp"

namespace swell {

namespace {

// A plane wave meets glass at 30 degrees (Fresnel, electric field across the plane of incidence): the reflected part is
// r = (cos a - sqrt(2)) / (cos a + sqrt(2)), since sin b = 1/3 behind the face and 1.5 cos b = sqrt(2).
constexpr const char* fresnel = R"toml(
[mesh.box]
low = [-1, -1]
high = [1, 1]
cells = [$N, $N]
element = "$element"
[model]
name = "maxwell-tm"
order = $order
[material]
epsilon = "if(x < 0, 1, 2.25)"
[boundary]
xmin = "exact"
xmax = "exact"
ymin = "exact"
ymax = "exact"
[initial]
Hx = "if(x < 0, 0.5*cos($k*$to) + 0.5*$r*cos($k*$fro), 0.5*(1 + $r)*cos($k*$on))"
Hy = "if(x < 0, -$c*cos($k*$to) + $c*$r*cos($k*$fro), -sqrt(2)*(1 + $r)*cos($k*$on))"
Ez = "if(x < 0, cos($k*$to) + $r*cos($k*$fro), (1 + $r)*cos($k*$on))"
[exact]
Hx = "if(x < 0, 0.5*cos($k*($to - t)) + 0.5*$r*cos($k*($fro - t)), 0.5*(1 + $r)*cos($k*($on - t)))"
Hy = "if(x < 0, -$c*cos($k*($to - t)) + $c*$r*cos($k*($fro - t)), -sqrt(2)*(1 + $r)*cos($k*($on - t)))"
Ez = "if(x < 0, cos($k*($to - t)) + $r*cos($k*($fro - t)), (1 + $r)*cos($k*($on - t)))"
[time]
end = 1
cfl = $cfl
)toml";

const std::map<std::string, std::string> fresnel_words{
    {"k", "(2*pi)"},          {"r", "(-0.24040820577346)"}, {"c", "(0.5*sqrt(3))"},
    {"to", "($c*x + 0.5*y)"}, {"fro", "(-$c*x + 0.5*y)"},   {"on", "(sqrt(2)*x + 0.5*y)"}};

// The head of the cases in the square cavity of mode (1,1).
constexpr const char* square = R"toml(
[mesh.box]
low = [-1, -1]
high = [1, 1]
cells = [$N, $N]
element = "$element"
[model]
name = "maxwell-tm"
order = $order
[boundary]
xmin = "pec"
xmax = "pec"
ymin = "pec"
ymax = "pec"
[time]
end = 1
cfl = $cfl
[initial]
Ez = "sin(pi*x)*sin(pi*y)"
)toml";

// Ez = S S g(t), H = pi (-S C, C S) h(t) with h' = g and g' = -2 pi^2 h - sigma g: a damped oscillation.
constexpr const char* lossy = R"toml(
[material]
sigma = 2
[exact]
Hx = "-pi*sin(pi*x)*cos(pi*y)*exp(-t)*sin($w*t)/$w"
Hy = "pi*cos(pi*x)*sin(pi*y)*exp(-t)*sin($w*t)/$w"
Ez = "sin(pi*x)*sin(pi*y)*exp(-t)*(cos($w*t) - sin($w*t)/$w)"
)toml";

// The empty cavity's mode, held up by sources: epsilon Ez_t - curl H = (epsilon - 1) Ez_t, and the same for mu.
constexpr const char* manufactured = R"toml(
[material]
epsilon = "$epsilon"
mu = "$mu"
[exact]
Hx = "-pi/$w*sin(pi*x)*cos(pi*y)*sin($w*t)"
Hy = "pi/$w*cos(pi*x)*sin(pi*y)*sin($w*t)"
Ez = "sin(pi*x)*sin(pi*y)*cos($w*t)"
[source]
Hx = "-($mu - 1)*pi*sin(pi*x)*cos(pi*y)*cos($w*t)"
Hy = "($mu - 1)*pi*cos(pi*x)*sin(pi*y)*cos($w*t)"
Ez = "-($epsilon - 1)*$w*sin(pi*x)*sin(pi*y)*sin($w*t)"
)toml";

// A strip of width 1/2 that repeats along y.
constexpr const char* strip = R"toml(
[mesh.box]
low = [0, 0]
high = [1, 0.5]
cells = [$N, $half]
element = "$element"
periodic = [false, true]
[model]
name = "maxwell-tm"
order = $order
[time]
end = 1
cfl = $cfl
)toml";

// A wave that meets a wall of impedance Z = 3 comes back with (Z - 1) / (Z + 1) = 1/2.
constexpr const char* impedance = R"toml(
[boundary]
xmin = "exact"
xmax = { kind = "impedance", Z = 3 }
[initial]
Hy = "sin(2*pi*x) + 0.5*sin(2*pi*(x - 2))"
Ez = "-sin(2*pi*x) + 0.5*sin(2*pi*(x - 2))"
[exact]
Hy = "-sin(2*pi*(t - x)) + 0.5*sin(2*pi*(t + x - 2))"
Ez = "sin(2*pi*(t - x)) + 0.5*sin(2*pi*(t + x - 2))"
)toml";

constexpr const char* incident = R"toml(
[boundary]
xmin = { kind = "incident", wave = "plane", direction = [1, 0], pulse = "sin(2*pi*s)" }
xmax = "absorbing"
[initial]
Hy = "sin(2*pi*x)"
Ez = "-sin(2*pi*x)"
[exact]
Hy = "-sin(2*pi*(t - x))"
Ez = "sin(2*pi*(t - x))"
)toml";

// A plane wave in the inner box only: outside it the scattered field, which is nothing. The error that leaves the box
// changes from cell to cell; it leaves static parts in the magnetic field of the cells along the surface, of order p
// there and p+1/2 in L2. The electric field has none.
constexpr const char* total_field = R"toml(
[mesh.box]
low = [-1, -1]
high = [1, 1]
cells = [$N, $N]
element = "$element"
[model]
name = "maxwell-tm"
order = $order
[boundary]
xmin = "absorbing"
xmax = "absorbing"
ymin = "absorbing"
ymax = "absorbing"
[incident]
direction = [0.8, 0.6]
pulse = "sin(2*pi*s)"
total = { low = [-0.5, -0.5], high = [0.5, 0.5] }
[initial]
Hx = "if($inside, -0.6*sin(2*pi*$along), 0)"
Hy = "if($inside, 0.8*sin(2*pi*$along), 0)"
Ez = "if($inside, -sin(2*pi*$along), 0)"
[exact]
Hx = "if($inside, 0.6*sin(2*pi*(t - $along)), 0)"
Hy = "if($inside, -0.8*sin(2*pi*(t - $along)), 0)"
Ez = "if($inside, sin(2*pi*(t - $along)), 0)"
[time]
end = 1
cfl = $cfl
)toml";

}  // namespace

std::vector<VerifyEntry> verify_maxwell_media() {
  const auto series = plane_studies();
  VerifyEntry glass{"maxwell-fresnel", "a plane wave at the face of glass, 30 degrees", fresnel, fresnel_words, series};
  VerifyEntry damped{"maxwell-lossy",
                     "a mode damped by conductivity",
                     std::string(square) + lossy,
                     {{"w", "sqrt(2*pi^2 - 1)"}},
                     series};
  VerifyEntry varying{"maxwell-varying",
                      "permittivity and permeability that vary inside elements",
                      std::string(square) + manufactured,
                      {{"w", "(sqrt(2)*pi)"}, {"epsilon", "(2 + sin(x + 2*y))"}, {"mu", "(1.5 + 0.5*cos(2*x - y))"}},
                      series};
  for (auto& s : varying.series) {
    if (s.order == 4) s.cells = {12, 24};
    if (s.order == 3) s.at_most = 1e-3;
  }
  VerifyEntry wall{"maxwell-impedance", "a wave at an impedance wall", std::string(strip) + impedance, {}, series};
  VerifyEntry entering{"maxwell-incident",
                       "a plane wave from a boundary, absorbed at the other",
                       std::string(strip) + incident,
                       {},
                       series};
  VerifyEntry box{"maxwell-total-field",
                  "a plane wave inside a total-field box, nothing outside",
                  total_field,
                  {{"inside", "max(abs(x), abs(y)) < 0.5"}, {"along", "(0.8*x + 0.6*y)"}},
                  series,
                  field_error("Ez"),
                  "relative L2 of Ez"};
  return {glass, damped, varying, wall, entering, box};
}

}  // namespace swell
