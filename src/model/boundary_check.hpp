// SPDX-License-Identifier: Apache-2.0
// Whether the data of boundaries are what the model allows.
#pragma once

#include <optional>

#include "model/problem.hpp"

namespace swell {

// A datum of a boundary out of its range.
struct BoundaryFault {
  std::size_t datum = 0;  // of the boundary's data
  double value = 0;
};

// The first one at x, y, z, t on the boundary with this number.
std::optional<BoundaryFault> boundary_fault(const Problem& problem, const BoundarySpec& boundary, const double* at);
// As "p = 1 - t with the value -0.5" and as "finite and positive".
std::string fault_words(const Problem& problem, const BoundarySpec& boundary, const BoundaryFault& fault);
std::string range_words(const Problem& problem, const BoundarySpec& boundary, const BoundaryFault& fault);

// Checks at the start of the run, at a place on the boundary with this number. Throws InputError for a value out of range.
void check_boundary_data(const Problem& problem, int spec, const double* at);

}  // namespace swell
