// SPDX-License-Identifier: Apache-2.0
// A case that uses most keys of a case file, for the tests of the reader.
#pragma once

#include <string>

#include "base/error.hpp"
#include "case/case.hpp"

namespace swell {

inline const std::string example_case = R"toml(title = "Mode (1,1) in a square cavity"

[mesh]
box = { low = [0, 0], high = [1, 1], cells = [16, 16], element = "triangle", periodic = [false, false] }
# file = "antenna.msh"            # Gmsh 2.2 or 4.1, ASCII or binary, looked up beside the case file

[model]
name  = "maxwell-tm"              # or file = "mine.h"
order = 5                         # polynomial degree
flux  = "upwind"                  # upwind, central, rusanov; alpha = 0..1 blends central (0) and upwind (1)
# family = "nodal"

[material]                        # the default region
epsilon = 1.0
mu      = 1.0
[material.glass]                  # a physical group; a number or an expression in x, y, z
epsilon = "2.25 + 0.1*sin(x)"

[boundary]
xmin = "pec"                      # a physical group or a side of the box
xmax = "absorbing"
ymin = { kind = "incident", wave = "plane", direction = [0, 1], pulse = "exp(-(s/0.1)^2)" }

[initial]                         # expressions in x, y, z; a field that is not named starts at 0
Ez = "sin(pi*x)*sin(pi*y)"

[exact]                           # optional: expressions in x, y, z, t; errors are then measured at the end
Ez = "cos(sqrt(2)*pi*t)*sin(pi*x)*sin(pi*y)"

[source]                          # optional: a volume source per field, or point sources
Ez = "exp(-((x-0.5)^2+(y-0.5)^2)/0.01)*sin(20*t)"
[[source.point]]
at = [0.5, 0.5]
field = "Ez"
signal = "ricker(t, 10.0, 0.15)"

[time]
end    = 10.0                     # or steps = 1000
scheme = "lsrk54"                 # lsrk54, ssprk33, rk4, ab3
cfl    = 1.0                      # of the stable step that Swell computes; or dt = 1e-3

[device]
backend   = "auto"
precision = "double"

[[receiver]]
name = "probe"
at   = [0.2, 0.2]                 # fields = ["Ez"], every = 0.01 are optional

[output]
folder     = "out/cavity"
fields     = { every = 0.1, format = "vtu" }
)toml";

// The smallest case; tests add to it.
inline const std::string small_case = R"toml([mesh]
box = { low = [0, 0], high = [1, 1], cells = [4, 4] }
[model]
name = "maxwell-tm"
[time]
end = 1
)toml";

inline Case parsed(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return parse_case(text, "cavity.toml", overrides, "cases");
}

// The sentence with which the case is refused.
inline std::string refused(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    parsed(text, overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

// The small case with overrides is refused with this sentence.
inline std::string refused_with(const std::string& override_text) { return refused(small_case, {override_text}); }

}  // namespace swell
