// SPDX-License-Identifier: Apache-2.0
// Products with coefficients by values at the points of an exact cubature: the kernel source between modes and points
// (kernels/modal/points.h), in place of sparse triple products.
#pragma once

#include "dg/modal/contraction.hpp"
#include "dg/modal/element.hpp"

namespace swell {

// Defines EXACT_POINTS and the functions values_of_modes, slopes_of_modes, test_values, test_slopes, values_of_coefficient and
// slopes_of_coefficient, which read `tables`.
std::string modal_points_text(const ModalElement& element, ContractionTables& tables);

// The number of multiplications by which an element takes one field to the points and back, with `slopes` in each direction on
// one of the two ways.
std::size_t modal_points_products(const ModalElement& element, bool slopes);

}  // namespace swell
