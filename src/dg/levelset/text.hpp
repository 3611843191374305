// SPDX-License-Identifier: Apache-2.0
// Kernel source of a level set: its sizes and tables, written before the sources in kernels/levelset*.h.
#pragma once

#include "base/expression.hpp"
#include "device/device.hpp"
#include "element/basis.hpp"

namespace swell {

struct LevelSetSize {
  Shape shape = Shape::quadrilateral;
  int order = 1, dim = 2, faces = 4, modes = 4, face_modes = 2;
  Cubature rule, face_rule;  // exact for products of three modes
  int lanes = 1;             // elements that a thread works on at once
  int width = 1;             // elements that lie side by side
  // On GPUs: threads of an element, and elements of a group; 0: each thread has an element.
  int team = 0, elements = 1;
  int points() const { return static_cast<int>(rule.weights.size()); }
  int face_points() const { return static_cast<int>(face_rule.weights.size()); }
};

// Gives an element a team of threads where the device has them and its shared memory is large enough.
void form_teams(LevelSetSize& size, const DeviceInfo& device, Precision precision);

ProgramText levelset_transport_text(const LevelSetSize& size, Precision precision);
ProgramText levelset_reinit_text(const LevelSetSize& size, Precision precision);
// velocity[region][axis]
ProgramText levelset_velocity_text(const LevelSetSize& size, Precision precision,
                                   const std::vector<std::vector<Expression>>& velocity);
ProgramText levelset_state_text(const LevelSetSize& size, Precision precision);
// The numbers that kernels read as `tables`.
std::vector<double> levelset_tables(const LevelSetSize& size);

}  // namespace swell
