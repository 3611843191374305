// SPDX-License-Identifier: Apache-2.0
// Whether a state feels what its boundaries are given: a sentence for runs.
#pragma once

#include <functional>
#include <string>

#include "mesh/elements.hpp"
#include "model/material.hpp"
#include "model/model_probe.hpp"

namespace swell {

// A sentence where the model's ignores_KIND says of the middle of a boundary face that the state does not feel the data of its
// kind, with the first such place of all ranks; else nothing. `read` hands over values at nodes.
std::string unfelt_in_words(const Problem& problem, const Elements& elements, const MaterialField& material, const ModelProbe& page, double t,
                            const std::function<void(const std::function<void(std::int64_t cell, const double* values)>&)>& read);

}  // namespace swell
