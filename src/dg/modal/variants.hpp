// SPDX-License-Identifier: Apache-2.0
// The ways to make the modal family's kernels. FORM: 0 products in the kernel source, 1 tables that loops read (compressed
// rows), 2 dense products, 3 where material varies values at points instead of triple products. AT_ONCE: fields that share a
// fetched table entry. STREAM: traces are written by non-temporal stores. PREDICTIONS: how often ADER predicts in a step; once
// moves more memory, twice needs more arithmetic, and cannot be where it carries something from step to step. ROWS: threads of
// an element, where teams work on elements.
#pragma once

#include "dg/modal/contraction.hpp"
#include "dg/variant.hpp"

namespace swell {

enum class ModalProgram { operation, prediction };

// Sizes that decide what is worth a trial.
struct ModalSizes {
  int fields = 1;
  std::size_t longest = 0;  // products of the longest function, for one field
  bool varying = false;     // material inside elements
  bool large = false;       // a stage moves more than the caches hold
  int rows = 0;             // usual threads of an element where teams work on it
  std::size_t by_points = 0;  // products of one field's way to the points and back, where material varies
  bool remembers = false;     // ADER carries something from step to step
};
std::vector<Variant> modal_variants(ModalProgram program, const ModalSizes& sizes, const Device& device);

// Whether products with coefficients are taken at points (kernels/modal/points.h).
bool modal_at_points(const Variant& variant);

// The form of one contraction of so many products in a variant: FORM = 0 still means tables where the kernel source would be
// too long.
ContractionForm modal_form(const Variant& variant, std::size_t products);

}  // namespace swell
