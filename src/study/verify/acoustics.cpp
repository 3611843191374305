// SPDX-License-Identifier: Apache-2.0
// Sound: rooms with rigid and soft walls, a pulse in free space, walls that let waves pass, waves that come in.
#include <algorithm>
#include <cmath>

#include "sim/simulation.hpp"
#include "study/verify/verify.hpp"

namespace swell {

namespace {

constexpr const char* rigid_cube = R"toml(
[mesh.box]
low = [0, 0, 0]
high = [1, 1, 1]
cells = [$N, $N, $N]
element = "$element"
[model]
name = "acoustics"
order = $order
[boundary]
xmin = "rigid"
xmax = "rigid"
ymin = "rigid"
ymax = "rigid"
zmin = "rigid"
zmax = "rigid"
[initial]
p = "cos(pi*x)*cos(2*pi*y)*cos(pi*z)"
[exact]
p = "cos(pi*x)*cos(2*pi*y)*cos(pi*z)*cos($w*t)"
vx = "pi/$w*sin(pi*x)*cos(2*pi*y)*cos(pi*z)*sin($w*t)"
vy = "2*pi/$w*cos(pi*x)*sin(2*pi*y)*cos(pi*z)*sin($w*t)"
vz = "pi/$w*cos(pi*x)*cos(2*pi*y)*sin(pi*z)*sin($w*t)"
[time]
end = 0.5
cfl = $cfl
)toml";

// Two walls rigid, two soft; sound of speed 2 in a medium of density 3: rho v_t = -grad p.
constexpr const char* soft_room = R"toml(
[mesh.box]
low = [0, 0]
high = [1, 1]
cells = [$N, $N]
element = "$element"
[model]
name = "acoustics"
order = $order
flux = "$flux"
[material]
rho = 3
c = 2
[boundary]
xmin = "soft"
xmax = "soft"
ymin = "rigid"
ymax = "rigid"
[initial]
p = "sin(pi*x)*cos(2*pi*y)"
[exact]
p = "sin(pi*x)*cos(2*pi*y)*cos($w*t)"
vx = "-pi/(3*$w)*cos(pi*x)*cos(2*pi*y)*sin($w*t)"
vy = "2*pi/(3*$w)*sin(pi*x)*sin(2*pi*y)*sin($w*t)"
[time]
end = 0.5
cfl = $cfl
)toml";

// One eighth of p0 = exp(-r^2 / (2 0.1^2)): p = ((r - t) p0(r - t) + (r + t) p0(r + t)) / (2 r).
constexpr const char* pulse = R"toml(
[mesh.box]
low = [0, 0, 0]
high = [1, 1, 1]
cells = [$N, $N, $N]
element = "$element"
[model]
name = "acoustics"
order = $order
[boundary]
xmin = "rigid"
xmax = "absorbing"
ymin = "rigid"
ymax = "absorbing"
zmin = "rigid"
zmax = "absorbing"
[initial]
p = "exp(-(x^2 + y^2 + z^2)/0.02)"
[time]
end = 1.1
cfl = $cfl
)toml";

// Values at r = 0.5 and r = 1 on the diagonal; what comes back from the far sides arrives there with less than 1e-6.
double pulse_at_points(Simulation& simulation) {
  const auto off = [&](double r, double expected) {
    const double x = r / std::sqrt(3.0);
    return std::abs(simulation.value_at("p", {x, x, x}) / expected - 1);
  };
  simulation.advance(0.42);
  const double near = off(0.5, 5.80919229659e-2);
  simulation.advance(1.1);
  return std::max(near, off(1, -3.032653298563e-2));
}

// A strip of width 1/2 that repeats along y.
constexpr const char* strip = R"toml(
[mesh.box]
low = [0, 0]
high = [1, 0.5]
cells = [$N, $half]
element = "$element"
periodic = [false, true]
[model]
name = "acoustics"
order = $order
[time]
end = 1
cfl = $cfl
)toml";

// A wave that meets a wall of impedance Z rho c, Z = 3, comes back with (Z - 1) / (Z + 1) = 1/2.
constexpr const char* impedance = R"toml(
[boundary]
xmin = "exact"
xmax = { kind = "impedance", Z = 3 }
[initial]
p = "-sin(2*pi*x) + 0.5*sin(2*pi*(x - 2))"
vx = "-sin(2*pi*x) - 0.5*sin(2*pi*(x - 2))"
[exact]
p = "sin(2*pi*(t - x)) + 0.5*sin(2*pi*(t + x - 2))"
vx = "sin(2*pi*(t - x)) - 0.5*sin(2*pi*(t + x - 2))"
)toml";

constexpr const char* incident = R"toml(
[material]
rho = 2
c = 0.5
[boundary]
xmin = { kind = "incident", wave = "plane", direction = [1, 0], pulse = "sin(pi*s)" }
xmax = "absorbing"
[initial]
p = "-sin(2*pi*x)"
vx = "-sin(2*pi*x)"
[exact]
p = "sin(pi*(t - 2*x))"
vx = "sin(pi*(t - 2*x))"
)toml";

}  // namespace

std::vector<VerifyEntry> verify_acoustics() {
  VerifyEntry cube{"acoustics-cube", "mode (1,2,1) of a rigid cube", rigid_cube, {{"w", "(sqrt(6)*pi)"}}, {}};
  cube.series = {study("tetrahedron", 1, {8, 16}),        study("tetrahedron", 2, {8, 16}),
                 study("tetrahedron", 3, {4, 8}, {4, 8}), study("tetrahedron", 4, {4, 8}),
                 study("hexahedron", 1, {16, 32}),        study("hexahedron", 2, {4, 8}),
                 study("hexahedron", 3, {4, 8}, {4, 8}),  study("hexahedron", 4, {4, 8})};

  const auto plane = plane_studies();
  VerifyEntry room{"acoustics-soft",
                   "mode (1,2) of a room with soft and rigid walls",
                   soft_room,
                   {{"w", "(2*sqrt(5)*pi)"}, {"flux", "upwind"}},
                   plane};
  VerifyEntry rusanov{"acoustics-rusanov",
                      "the same with the Rusanov flux",
                      soft_room,
                      {{"w", "(2*sqrt(5)*pi)"}, {"flux", "rusanov"}},
                      {}};
  rusanov.series = {study("triangle", 3, {8, 16}, {8, 16}), study("quadrilateral", 3, {8, 16})};

  VerifyEntry free{
      "acoustics-pulse", "a pulse in free space", pulse, {}, {}, pulse_at_points, "largest relative error at 2 points"};
  free.series = {limit("tetrahedron", 4, {10}, {}, 1e-2), limit("hexahedron", 4, {10}, {}, 1e-2),
                 limit("hexahedron", 4, {}, {5}, 1e-2)};

  VerifyEntry wall{"acoustics-impedance", "a wave at an impedance wall", std::string(strip) + impedance, {}, plane};
  VerifyEntry entering{"acoustics-incident",
                       "a plane wave from a boundary, absorbed at the other",
                       std::string(strip) + incident,
                       {},
                       plane};
  return {cube, room, rusanov, free, wall, entering};
}

}  // namespace swell
