// SPDX-License-Identifier: Apache-2.0
// Whether boundaries suit the state, in sentences for runs.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "mesh/elements.hpp"
#include "model/material.hpp"
#include "model/model_probe.hpp"

namespace swell {

// A sentence where the model's ignores_KIND says of the middle of a boundary face that the state does not feel the data of its
// kind, and one where its lacks_KIND says that the kind does not give what the state needs, with the first such place of all ranks.
// `read` hands over values at nodes.
std::vector<std::string> boundary_warnings(
    const Problem& problem, const Elements& elements, const MaterialField& material, const ModelProbe& page, double t,
    const std::function<void(const std::function<void(std::int64_t cell, const double* values)>&)>& read);

// Whether data of boundaries depend on time, so that they may leave the range in which they were at the start.
bool boundaries_may_fail(const Problem& problem);
// A clause about the first place of all ranks where such data are out of range at one of these times, the first of them; else nothing.
std::string boundary_fault_in_words(const Problem& problem, const Elements& elements, std::span<const double> times);

}  // namespace swell
