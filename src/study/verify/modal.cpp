// SPDX-License-Identifier: Apache-2.0
// Transport in modes: Castro, Behrens and Pelties (2013), CUDA-C implementation of the ADER-DG method, tests 1 to 3, and a
// velocity in which space and time do not separate.
#include <fmt/format.h>

#include "study/verify/families.hpp"

namespace swell {

namespace {

// Test 2: the velocity changes along x' = (x + y) / sqrt(2), with lambda = sqrt(2) / 2, which makes it periodic (with the
// printed 2 / sqrt(2) it is not). Every orbit has the period integral of dx' / v over sqrt(2).
//
// Seen from a frame that moves by (2 c, c), c = 0.02 sin(4 pi t / T), the same flow depends on place and time together, and
// after the period T the frame is back too. It nowhere stands still: where a velocity changes its sign, upwind methods may lose
// half an order.
constexpr const char* shear = R"toml(
[mesh.box]
low = [-0.5, -0.5]
high = [0.5, 0.5]
cells = [$N, $N]
element = "$element"
periodic = [true, true]
[model]
name = "advection"
family = "modal"
order = $order
coefficient_order = $m
[material]
ax = "$ax"
ay = "$ay"
[initial]
u = "$u"
[exact]
u = "$u"
[time]
end = $T
scheme = "$scheme"
cfl = $cfl
)toml";

VerifyEntry gaussian(const std::vector<VerifyEntry>& transport, const std::string& as) {
  VerifyEntry entry = with_ader(transport, "advection-gaussian", as, "modal");
  entry.words.insert_or_assign("turns", std::string("2"));
  return entry;
}

VerifyEntry shear_entry(std::string name, std::string about, std::map<std::string, std::string> words,
                        std::vector<VerifySeries> series) {
  words.insert({{"T", "1.443375672974065"}, {"scheme", "ader"}});
  return {std::move(name), std::move(about), shear, std::move(words), at_full_step(std::move(series))};
}

std::vector<VerifyEntry> shears() {
  const std::string images = "(exp(-$1^2/0.005) + exp(-($1 + 1)^2/0.005) + exp(-($1 - 1)^2/0.005))";
  const std::string narrow = fmt::format("0.2*{}*{}", filled(images, {{"1", "x"}}), filled(images, {{"1", "y"}}));
  const std::map<std::string, std::string> steady{{"u", narrow}, {"ax", "$v"}, {"ay", "$v"},
                                                  {"v", "sqrt(0.5)*(1 + 0.2*cos(2*pi*(x + y)))"}};
  const std::map<std::string, std::string> moving{{"u", "sin(2*pi*x)*sin(2*pi*y)"},
                                                  {"w", "(4*pi/$T)"},
                                                  {"v", "sqrt(0.5)*(1 + 0.2*cos(2*pi*(x + y - 0.06*sin($w*t))))"},
                                                  {"ax", "$v + 0.04*$w*cos($w*t)"},
                                                  {"ay", "$v + 0.02*$w*cos($w*t)"}};
  VerifyEntry full = shear_entry(
      "modal-shear", "a Gaussian in a velocity that changes along the flow, coefficients of full order", steady,
      at_full_coefficients(
          {study("triangle", 2, {64, 128}), up_to_phase(study("triangle", 3, {32, 64}, {16, 32})),
           up_to_phase(study("triangle", 4, {16, 32})), up_to_phase(study("triangle", 5, {16, 32})),
           up_to_phase(study("triangle", 6, {12, 24})), up_to_phase(study("quadrilateral", 2, {32, 64})),
           up_to_phase(study("quadrilateral", 3, {16, 32})), up_to_phase(study("quadrilateral", 4, {16, 32})),
           up_to_phase(study("quadrilateral", 5, {24, 48})), up_to_phase(study("quadrilateral", 6, {20, 40}))}));
  VerifyEntry flat = shear_entry("modal-shear-flat", "the same with one velocity in each element: the order is lost", steady,
                                 with({lost("triangle", 5, {16, 32}, {}, 2), lost("triangle", 6, {16, 32}, {}, 2),
                                       lost("quadrilateral", 5, {12, 24}, {}, 2), lost("quadrilateral", 6, {12, 24}, {}, 2)},
                                      {{"m", "0"}}));
  VerifyEntry time = shear_entry(
      "modal-moving", "a velocity of place and time together, ADER", moving,
      at_full_coefficients({up_to_phase(study("triangle", 1, {16, 32})), up_to_phase(study("triangle", 2, {8, 16})),
                            up_to_phase(study("triangle", 3, {8, 16})), up_to_phase(study("triangle", 4, {4, 8})),
                            up_to_phase(study("triangle", 5, {4, 8})), up_to_phase(study("quadrilateral", 1, {16, 32})),
                            up_to_phase(study("quadrilateral", 2, {8, 16}, {8, 16})),
                            up_to_phase(study("quadrilateral", 3, {8, 16})), up_to_phase(study("quadrilateral", 4, {4, 8})),
                            up_to_phase(study("quadrilateral", 5, {4, 8}))}));
  VerifyEntry stages = shear_entry(
      "modal-moving-rk", "the same by the Runge-Kutta scheme of order p + 1", moving,
      with(at_full_coefficients(
               {up_to_phase(study("triangle", 1, {16, 32})), up_to_phase(study("triangle", 2, {8, 16})),
                up_to_phase(study("triangle", 3, {8, 16})), up_to_phase(study("quadrilateral", 1, {16, 32})),
                up_to_phase(study("quadrilateral", 2, {8, 16})), up_to_phase(study("quadrilateral", 3, {8, 16}))}),
           {{"scheme", "rkp1"}}));
  return {full, flat, time, stages};
}

}  // namespace

std::vector<VerifyEntry> verify_modal() {
  const auto transport = verify_advection();
  VerifyEntry first = gaussian(transport, "modal-gaussian");
  first.series = at_full_step(
      {study("triangle", 1, {64, 128}), study("triangle", 2, {64, 128}), study("triangle", 3, {32, 64}),
       study("triangle", 4, {48, 96}), study("triangle", 5, {48, 96}), study("triangle", 6, {20, 40}),
       study("triangle", 7, {24, 48}), study("quadrilateral", 1, {128, 256}), study("quadrilateral", 2, {64, 128}),
       study("quadrilateral", 3, {32, 64}), study("quadrilateral", 5, {64, 128}),
       study("quadrilateral", 6, {16, 32}), study("quadrilateral", 7, {12, 24}),
       up_to_phase(study("triangle", 3, {}, {16, 32})), up_to_phase(study("quadrilateral", 3, {}, {16, 32}))});
  // The error of the phase grows with the way: over a shorter one that of the approximation leads on meshes of this size.
  for (VerifySeries& series : with(at_full_step({study("quadrilateral", 4, {80, 160})}), {{"turns", "1"}}))
    first.series.push_back(std::move(series));
  VerifyEntry floor = gaussian(transport, "modal-gaussian-floor");
  floor.series = {limit("triangle", 12, {30}, {}, 1e-13, 0.9), limit("quadrilateral", 12, {24}, {}, 1e-13, 0.9)};

  VerifyEntry third = with_ader(transport, "advection-swirl", "modal-swirl", "modal");
  third.series = at_full_step(
      {up_to_phase(study("triangle", 3, {16, 32})), up_to_phase(study("triangle", 5, {12, 24})),
       up_to_phase(study("quadrilateral", 3, {24, 48})), up_to_phase(study("quadrilateral", 5, {24, 48}))});
  // Drawn out at its turn, the disc needs finer meshes.
  VerifyEntry half = with_ader(transport, "advection-swirl-half", "modal-swirl-half", "modal");
  half.series = at_full_step(
      {up_to_phase(study("triangle", 3, {32, 64})), up_to_phase(study("triangle", 5, {24, 48})),
       up_to_phase(study("quadrilateral", 3, {24, 48})), up_to_phase(study("quadrilateral", 5, {24, 48}))});
  VerifyEntry points = with_ader(transport, "advection-swirl-points", "modal-swirl-points", "modal");
  points.series = at_full_step({limit("triangle", 6, {24}, {}, 1e-4), limit("quadrilateral", 6, {24}, {}, 3e-4)});
  std::vector<VerifyEntry> all{first, floor};
  for (auto& entry : shears()) all.push_back(entry);
  for (auto& entry : {third, half, points}) all.push_back(entry);
  return all;
}

}  // namespace swell
