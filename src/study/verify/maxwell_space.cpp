// SPDX-License-Identifier: Apache-2.0
// Maxwell's equations in space: a box with perfectly conducting walls, a slab of glass, waves that come in.
#include "study/verify/verify.hpp"

namespace swell {

namespace {

// E = (ax C S S, ay S C S, az S S C) cos(w t) with a . k = 0 is a mode; H_t = -curl E.
constexpr const char* cavity = R"toml(
[mesh.box]
low = [0, 0, 0]
high = [1, 1.25, 0.75]
cells = [$N, $N, $N]
element = "$element"
[model]
name = "maxwell"
order = $order
[boundary]
xmin = "pec"
xmax = "pec"
ymin = "pec"
ymax = "pec"
zmin = "pec"
zmax = "pec"
[initial]
Ex = "cos($kx*x)*sin($ky*y)*sin($kz*z)"
Ey = "sin($kx*x)*cos($ky*y)*sin($kz*z)"
Ez = "$az*sin($kx*x)*sin($ky*y)*cos($kz*z)"
[exact]
Ex = "cos($kx*x)*sin($ky*y)*sin($kz*z)*cos($w*t)"
Ey = "sin($kx*x)*cos($ky*y)*sin($kz*z)*cos($w*t)"
Ez = "$az*sin($kx*x)*sin($ky*y)*cos($kz*z)*cos($w*t)"
Hx = "-($az*$ky - $kz)/$w*sin($kx*x)*cos($ky*y)*cos($kz*z)*sin($w*t)"
Hy = "-($kz - $az*$kx)/$w*cos($kx*x)*sin($ky*y)*cos($kz*z)*sin($w*t)"
Hz = "-($kx - $ky)/$w*cos($kx*x)*cos($ky*y)*sin($kz*z)*sin($w*t)"
[time]
end = $end
cfl = $cfl
)toml";

const std::map<std::string, std::string> mode{{"kx", "pi"},          {"ky", "(1.6*pi)"},        {"kz", "(pi/0.75)"},
                                              {"az", "(-2.6*0.75)"}, {"w", "7.25821982634809"}, {"end", "0.5"}};

// The glass of the plane case: E along z, across the plane of incidence.
constexpr const char* fresnel = R"toml(
[mesh.box]
low = [-0.5, -0.5, 0]
high = [0.5, 0.5, 0.5]
cells = [$N, $N, $half]
element = "$element"
periodic = [false, false, true]
[model]
name = "maxwell"
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
end = 0.25
cfl = $cfl
)toml";

const std::map<std::string, std::string> fresnel_words{
    {"k", "(2*pi)"},          {"r", "(-0.24040820577346)"}, {"c", "(0.5*sqrt(3))"},
    {"to", "($c*x + 0.5*y)"}, {"fro", "(-$c*x + 0.5*y)"},   {"on", "(sqrt(2)*x + 0.5*y)"}};

// A plane wave along (2, 2, 1) / 3 in the inner box only: outside it the scattered field, which is nothing. Static
// parts of the error stay in the cells along the surface, of order p there: p+1/2 in L2.
constexpr const char* total_field = R"toml(
[mesh.box]
low = [-1, -1, -1]
high = [1, 1, 1]
cells = [$N, $N, $N]
element = "$element"
[model]
name = "maxwell"
order = $order
[boundary]
xmin = "absorbing"
xmax = "absorbing"
ymin = "absorbing"
ymax = "absorbing"
zmin = "absorbing"
zmax = "absorbing"
[incident]
direction = [2, 2, 1]
polarisation = [1, -1, 0]
pulse = "sin(pi*s)"
total = { low = [-0.5, -0.5, -0.5], high = [0.5, 0.5, 0.5] }
[initial]
Ex = "if($inside, sqrt(0.5)*sin(-pi*$along), 0)"
Ey = "if($inside, -sqrt(0.5)*sin(-pi*$along), 0)"
Hx = "if($inside, sqrt(0.5)/3*sin(-pi*$along), 0)"
Hy = "if($inside, sqrt(0.5)/3*sin(-pi*$along), 0)"
Hz = "if($inside, -sqrt(0.5)*4/3*sin(-pi*$along), 0)"
[exact]
Ex = "if($inside, sqrt(0.5)*sin(pi*(t - $along)), 0)"
Ey = "if($inside, -sqrt(0.5)*sin(pi*(t - $along)), 0)"
Hx = "if($inside, sqrt(0.5)/3*sin(pi*(t - $along)), 0)"
Hy = "if($inside, sqrt(0.5)/3*sin(pi*(t - $along)), 0)"
Hz = "if($inside, -sqrt(0.5)*4/3*sin(pi*(t - $along)), 0)"
[time]
end = 0.5
cfl = $cfl
)toml";

}  // namespace

std::vector<VerifyEntry> verify_maxwell_space() {
  VerifyEntry box{"maxwell-cavity", "mode (1,2,1) of a box", cavity, mode, {}};
  box.series = {study("tetrahedron", 1, {8, 16}), study("tetrahedron", 2, {4, 8}, {4, 8}),
                study("tetrahedron", 3, {4, 8}),  study("tetrahedron", 4, {4, 8}),
                study("tetrahedron", 5, {2, 4}),  study("hexahedron", 1, {16, 32}),
                study("hexahedron", 2, {4, 8}),   study("hexahedron", 3, {4, 8}, {2, 4}),
                study("hexahedron", 4, {4, 8}),   study("hexahedron", 5, {2, 4})};
  VerifyEntry glass{"maxwell-fresnel-space", "a plane wave at the face of glass, 30 degrees, in space", fresnel,
                    fresnel_words, space_studies()};
  VerifyEntry waves{"maxwell-total-field-space",
                    "a plane wave inside a total-field box in space, nothing outside",
                    total_field,
                    {{"inside", "max(abs(x), max(abs(y), abs(z))) < 0.5"}, {"along", "((2*x + 2*y + z)/3)"}},
                    space_studies()};
  for (auto& s : waves.series) {
    s.expected_order = s.order + 0.5;
    s.at_most = s.order == 2 ? 8e-3 : 1e-3;
  }

  auto lowest = mode;
  lowest["ky"] = "(0.8*pi)";
  lowest["az"] = "(-1.8*0.75)";
  lowest["w"] = "(pi*sqrt(1.64 + 16/9))";
  lowest["end"] = "0.02";
  VerifyEntry floor{"maxwell-cavity-floor", "order 10 reaches rounding in mode (1,1,1)", cavity, lowest, {}};
  floor.series = {limit("tetrahedron", 10, {6}, {}, 1e-12, 0.1), limit("hexahedron", 10, {4}, {}, 1e-12, 0.1)};
  return {box, glass, waves, floor};
}

}  // namespace swell
