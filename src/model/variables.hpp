// SPDX-License-Identifier: Apache-2.0
// A model's second set of names: whether its conversions can be trusted.
#pragma once

#include "model/model_probe.hpp"

namespace swell {

// Throws InputError where variables_of() and fields_of() are not inverse to each other on random states.
void check_variables(const ModelProbe& probe);

}  // namespace swell
