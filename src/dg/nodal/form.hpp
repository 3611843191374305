// SPDX-License-Identifier: Apache-2.0
// The form of the volume terms that a problem asks for, and whether its model and mesh have it.
#pragma once

#include "model/problem.hpp"

namespace swell {

// Throws InputError.
void check_form(const Problem& problem);
// The form that the automatic one is on this mesh; all ranks find the same.
VolumeForm settled_form(const Problem& problem);

}  // namespace swell
