// SPDX-License-Identifier: Apache-2.0
// Kernel text of the modal family for one problem: constants, the contractions with the element's numbers, the model, then
// the kernels.
#pragma once

#include "dg/modal_contraction.hpp"
#include "dg/modal_element.hpp"
#include "dg/modal_pattern.hpp"
#include "dg/modal_variants.hpp"
#include "dg/problem.hpp"

namespace swell {

struct ModalText {
  const Problem& problem;
  const ModalElement& element;
  const ModalPattern& pattern;
  int width;  // elements of a batch

  ModalSizes sizes(ModalProgram program, bool large) const;

  // Kernels traces and operate.
  ProgramText operation(const Variant& variant, ContractionTables& tables) const;
  // Kernels predict, local_rate and where each element has one material correct; on states of the nodal family, where its
  // nodes are given, the first two.
  ProgramText prediction(const Variant& variant, ContractionTables& tables, const Matrix* nodes = nullptr) const;
  // Everything around them, without vectors.
  ProgramText pointwise() const;

  // Each derivative in time has a degree less.
  bool shrinking() const;
  std::vector<int> level_modes() const;  // [derivatives in time]: modes that are left

 private:
  // The functions of a program that one variant asks for, and the tables that they read.
  struct Writer;

  std::string name(const char* part) const;
  std::string constants() const;
  std::string variant_constants(const Variant& variant) const;
  std::string face_tables() const;
  void write_triple_product(Writer& to) const;
  void write_varying_operation(Writer& to) const;
  void write_varying_prediction(Writer& to) const;
  void write_face_products(Writer& to) const;
  void write_derivatives(Writer& to) const;
};

}  // namespace swell
