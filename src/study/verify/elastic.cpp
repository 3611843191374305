// SPDX-License-Identifier: Apache-2.0
// Elastic waves: P and S waves in periodic boxes, the free surface, waves that come in. lambda = 2, mu = rho = 1:
// speeds 2 and 1.
#include "study/verify/verify.hpp"

namespace swell {

namespace {

// Kaeser and Dumbser (2006), section 5, as in Castro et al. (2013), section 4.4: a P wave along n = (1, 1) / sqrt(2)
// and an S wave against it, each with the eigenvector of its own (stress, velocity): P (lambda + 2 mu, lambda, 0, -cp,
// 0) and S (0, 0, mu, 0, cs) in the frame of n. After T both are where they began. $m = 1 is that case, whose wave runs
// along the diagonals that cut the rectangles; $m = -1 is its mirror image in y, whose wave fronts lie along them: the
// mesh of the reference figures.
constexpr const char* periodic = R"toml(
[mesh.box]
low = [-50, -50]
high = [50, 50]
cells = [$N, $N]
element = "$element"
periodic = [true, true]
[model]
name = "elastic"
order = $order
[material]
lambda = 2
mu = 1
rho = 1
[initial]
sxx = "2*$start"
syy = "4*$start"
sxy = "$m*$start"
vx = "-3*sqrt(0.5)*$start"
vy = "-$m*sqrt(0.5)*$start"
[exact]
sxx = "3*$P - $S"
syy = "3*$P + $S"
sxy = "$m*$P"
vx = "sqrt(0.5)*(-2*$P - $S)"
vy = "$m*sqrt(0.5)*(-2*$P + $S)"
[time]
end = 35.355339059
cfl = $cfl
)toml";

// A P wave along d = (1, -1, 1) / sqrt(3), an S wave against it that moves along (1, 1, 0) / sqrt(2):
// s = -+ (lambda (d . v) I + mu (d v^T + v d^T)) / c.
constexpr const char* cube = R"toml(
[mesh.box]
low = [0, 0, 0]
high = [1, 1, 1]
cells = [$N, $N, $N]
element = "$element"
periodic = [true, true, true]
[model]
name = "elastic"
order = $order
[material]
lambda = 2
mu = 1
rho = 1
[initial]
sxx = "(-4/3 + 2/sqrt(6))*$start"
syy = "(-4/3 - 2/sqrt(6))*$start"
szz = "-4/3*$start"
sxy = "1/3*$start"
syz = "(1/3 + 1/sqrt(6))*$start"
sxz = "(-1/3 + 1/sqrt(6))*$start"
vx = "(1/sqrt(3) + 1/sqrt(2))*$start"
vy = "(-1/sqrt(3) + 1/sqrt(2))*$start"
vz = "1/sqrt(3)*$start"
[exact]
sxx = "-4/3*$P + 2/sqrt(6)*$S"
syy = "-4/3*$P - 2/sqrt(6)*$S"
szz = "-4/3*$P"
sxy = "1/3*$P"
syz = "1/3*$P + 1/sqrt(6)*$S"
sxz = "-1/3*$P + 1/sqrt(6)*$S"
vx = "1/sqrt(3)*$P + 1/sqrt(2)*$S"
vy = "-1/sqrt(3)*$P + 1/sqrt(2)*$S"
vz = "1/sqrt(3)*$P"
[time]
end = 0.25
cfl = $cfl
)toml";

// Lame's mode: v = (C S, -S C) cos(w t) leaves the square's sides without traction, since sxy = 0 and sxx = -syy ~ S S.
constexpr const char* lame = R"toml(
[mesh.box]
low = [0, 0]
high = [1, 1]
cells = [$N, $N]
element = "$element"
[model]
name = "elastic"
order = $order
[material]
lambda = 2
mu = 1
rho = 1
[boundary]
xmin = "free"
xmax = "free"
ymin = "free"
ymax = "free"
[initial]
vx = "cos(pi*x)*sin(pi*y)"
vy = "-sin(pi*x)*cos(pi*y)"
[exact]
sxx = "-sqrt(2)*sin(pi*x)*sin(pi*y)*sin($w*t)"
syy = "sqrt(2)*sin(pi*x)*sin(pi*y)*sin($w*t)"
vx = "cos(pi*x)*sin(pi*y)*cos($w*t)"
vy = "-sin(pi*x)*cos(pi*y)*cos($w*t)"
[time]
end = 1
cfl = $cfl
)toml";

// A wave of type P (speed 2) or S (speed 1) along x, from one side to the other.
constexpr const char* incident = R"toml(
[mesh.box]
low = [0, 0]
high = [1, 0.5]
cells = [$N, $half]
element = "$element"
periodic = [false, true]
[model]
name = "elastic"
order = $order
[material]
lambda = 2
mu = 1
rho = 1
[boundary]
xmin = { kind = "incident", wave = "plane", direction = [1, 0], type = "$type", pulse = "sin(2*pi*$c*s)" }
xmax = "absorbing"
[initial]
$initial
[exact]
$exact
[time]
end = 0.5
cfl = $cfl
)toml";

std::vector<VerifySeries> with_type(std::vector<VerifySeries> all, const char* type, const char* speed) {
  for (auto& series : all) series.words = {{"type", type}, {"c", speed}};
  return all;
}

}  // namespace

std::vector<VerifyEntry> verify_elastic() {
  const std::map<std::string, std::string> waves{{"m", "1"},
                                                 {"k", "(0.04*pi)"},
                                                 {"start", "sin($k*(x + $m*y))"},
                                                 {"P", "sin($k*(x + $m*y) - 2*sqrt(2)*$k*t)"},
                                                 {"S", "sin($k*(x + $m*y) + sqrt(2)*$k*t)"}};
  VerifyEntry square{"elastic-periodic", "a P and an S wave in a periodic square, one period", periodic, waves, {}};
  VerifySeries fourth = study("triangle", 4, {8, 16}, {8, 16});
  fourth.reference = {{8, 1.04e-4}, {16, 3.42e-6}};
  fourth.words = {{"m", "(-1)"}};
  square.series = {study("triangle", 1, {32, 64}),
                   study("triangle", 2, {16, 32}),
                   study("triangle", 3, {8, 16}),
                   study("triangle", 4, {8, 16}),
                   fourth,
                   study("triangle", 5, {8, 16}),
                   below(study("quadrilateral", 2, {16, 32}), 2e-3),
                   study("quadrilateral", 3, {8, 16}, {8, 16}),
                   study("quadrilateral", 4, {8, 16})};

  VerifyEntry space{"elastic-cube",
                    "a P and an S wave in a periodic cube",
                    cube,
                    {{"k", "(2*pi)"},
                     {"start", "sin($k*(x - y + z))"},
                     {"P", "sin($k*(x - y + z) - 2*sqrt(3)*$k*t)"},
                     {"S", "sin($k*(x - y + z) + sqrt(3)*$k*t)"}},
                    {}};
  space.series = {study("tetrahedron", 2, {6, 12}, {4, 8}), study("tetrahedron", 3, {4, 8}),
                  study("tetrahedron", 4, {4, 8}),          study("hexahedron", 2, {6, 12}),
                  study("hexahedron", 3, {4, 8}, {4, 8}),   study("hexahedron", 4, {4, 8})};

  const auto plane = plane_studies();
  VerifyEntry free{"elastic-lame", "Lame's mode of a square with free sides", lame, {{"w", "(sqrt(2)*pi)"}}, plane};

  VerifyEntry pressure{"elastic-incident-p",
                       "a P wave from a boundary, absorbed at the other",
                       incident,
                       {{"initial", "vx = \"-sin(2*pi*x)\"\nsxx = \"2*sin(2*pi*x)\"\nsyy = \"sin(2*pi*x)\""},
                        {"exact", "vx = \"$wave\"\nsxx = \"-2*$wave\"\nsyy = \"-$wave\""},
                        {"wave", "sin(2*pi*(2*t - x))"}},
                       with_type(plane, "P", "2")};
  VerifyEntry shear{"elastic-incident-s",
                    "an S wave from a boundary, absorbed at the other",
                    incident,
                    {{"initial", "vy = \"-sin(2*pi*x)\"\nsxy = \"sin(2*pi*x)\""},
                     {"exact", "vy = \"$wave\"\nsxy = \"-$wave\""},
                     {"wave", "sin(2*pi*(t - x))"}},
                    with_type(plane, "S", "1")};
  return {square, space, free, pressure, shear};
}

}  // namespace swell
