// SPDX-License-Identifier: Apache-2.0
// Transport: Castro et al. (2013), CUDA-C implementation of the ADER-DG method, tests 1 and 3.
#include <fmt/format.h>

#include "study/verify/swirl.hpp"
#include "study/verify/verify.hpp"

namespace swell {

namespace {

// The Gaussian of width 0.05 reaches over the periodic sides: the nearest images are summed.
constexpr const char* gaussian = R"toml(
[mesh.box]
low = [-0.5, -0.5]
high = [0.5, 0.5]
cells = [$N, $N]
element = "$element"
periodic = [true, true]
[model]
name = "advection"
order = $order
[material]
ax = 1
ay = 1
[initial]
u = "$u"
[exact]
u = "$u"
[time]
end = $turns
cfl = $cfl
)toml";

constexpr const char* wave = R"toml(
[mesh.box]
low = [0, 0, 0]
high = [1, 1, 1]
cells = [$N, $N, $N]
element = "$element"
periodic = [true, true, true]
[model]
name = "advection"
order = $order
[material]
ax = 1
ay = 0.5
az = -0.75
[initial]
u = "sin(2*pi*x)*sin(2*pi*y)*sin(2*pi*z)"
[exact]
u = "sin(2*pi*(x - t))*sin(2*pi*(y - 0.5*t))*sin(2*pi*(z + 0.75*t))"
[time]
end = 0.5
cfl = $cfl
)toml";

// The flow turns round at t = 0.75 and takes everything back (LeVeque 1996). The second component of the velocity is
// a_y, printed as b_x in the paper.
constexpr const char* swirl = R"toml(
[mesh.box]
low = [0, 0]
high = [1, 1]
cells = [$N, $N]
element = "$element"
[model]
name = "advection"
order = $order
[material]
ax = "sin(pi*x)^2*sin(2*pi*y)*cos(pi*t/1.5)"
ay = "-sin(pi*y)^2*sin(2*pi*x)*cos(pi*t/1.5)"
[boundary]
xmin = "outflow"
xmax = "outflow"
ymin = "outflow"
ymax = "outflow"
[initial]
u = "$u"
[exact]
u = "$u"
[time]
end = 1.5
cfl = $cfl
)toml";

}  // namespace

std::vector<VerifyEntry> verify_advection() {
  const std::string images = "(exp(-($1 + 0.2)^2/0.005) + exp(-($1 + 1.2)^2/0.005) + exp(-($1 - 0.8)^2/0.005))";
  const std::string along_x = filled(images, {{"1", "x"}}), along_y = filled(images, {{"1", "y"}});
  VerifyEntry periodic{"advection-gaussian",
                       "a periodic Gaussian carried round",
                       gaussian,
                       {{"u", fmt::format("0.2*{}*{}", along_x, along_y)}, {"turns", "1"}},
                       {}};
  periodic.series = {study("triangle", 1, {64, 128}),
                     below(study("triangle", 2, {32, 64}), 1.4e-3),
                     below(study("triangle", 3, {16, 32}, {16, 32}), 6e-4),
                     below(study("triangle", 4, {16, 32}), 4e-5),
                     below(study("triangle", 5, {12, 24}), 1.5e-5),
                     below(study("triangle", 6, {12, 24}), 1.4e-6),
                     study("quadrilateral", 1, {128, 256}),
                     below(study("quadrilateral", 2, {32, 64}), 4.6e-3),
                     below(study("quadrilateral", 3, {16, 32}, {16, 32}), 1.2e-3),
                     below(study("quadrilateral", 4, {16, 32}), 3.6e-5),
                     below(study("quadrilateral", 5, {12, 24}), 1.1e-5),
                     below(study("quadrilateral", 6, {12, 24}), 8e-7)};

  VerifyEntry space{"advection-wave", "a wave carried through a periodic cube", wave, {}, {}};
  space.series = {study("tetrahedron", 1, {8, 16}),        below(study("tetrahedron", 2, {8, 16}), 2e-3),
                  study("tetrahedron", 3, {4, 8}, {4, 8}), study("tetrahedron", 4, {4, 8}),
                  study("hexahedron", 1, {16, 32}),        study("hexahedron", 2, {4, 8}),
                  study("hexahedron", 3, {4, 8}, {2, 4}),  study("hexahedron", 4, {4, 8})};

  const std::map<std::string, std::string> start{{"u", "0.5*exp(-((x - 0.75)^2 + (y - 0.5)^2)/0.005)"}};
  VerifyEntry back{"advection-swirl", "a swirling flow that turns round returns to the start", swirl, start, {}};
  back.series = {below(study("triangle", 3, {16, 32}), 2.4e-3), study("triangle", 5, {12, 24}),
                 below(study("quadrilateral", 3, {32, 64}), 4e-4), study("quadrilateral", 5, {32, 64})};
  for (auto& series : back.series) series.cfl = 1;

  VerifyEntry half{"advection-swirl-half",  "the swirling flow at its turn", swirl, start, {},
                   swirl_error_at_half_time, "relative L2"};
  half.series = {study("triangle", 3, {32, 64}), study("quadrilateral", 3, {64, 128})};
  VerifyEntry points{"advection-swirl-points", "two known values of the swirling flow at its turn", swirl, start, {},
                     swirl_at_points, "largest error at 2 points"};
  points.series = {limit("triangle", 6, {24}, {}, 1e-4), limit("quadrilateral", 6, {24}, {}, 3e-4),
                   limit("triangle", 5, {}, {12}, 1e-2), limit("quadrilateral", 5, {}, {12}, 2e-2)};
  return {periodic, space, back, half, points};
}

}  // namespace swell
