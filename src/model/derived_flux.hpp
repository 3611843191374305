// SPDX-License-Identifier: Apache-2.0
// The exact upwind flux between two media of a linear model, derived from the matrices of its flux and mass alone.
#pragma once

#include "element/basis.hpp"

namespace swell {

// One side of a face: mass q_t + flux q_n = 0, with the unit normal n from left to right on both sides.
struct LinearMedium {
  Matrix mass;  // symmetric, positive definite
  Matrix flux;
};

// f* = left q_left + right q_right.
struct UpwindMatrices {
  Matrix left, right;
};

// P of f* = f_left + P (f_right - f_left), with the normal fluxes f of both sides. Throws InputError where the mass is not
// symmetric positive definite or a speed is not real.
Matrix derive_split(const LinearMedium& left, const LinearMedium& right);
UpwindMatrices derive_upwind(const LinearMedium& left, const LinearMedium& right);

// Speeds of the waves along n, ascending.
Vector wave_speeds(const LinearMedium& medium);

}  // namespace swell
