// SPDX-License-Identifier: Apache-2.0
// Kernel source of the modal family for one problem: constants, the element's contractions, the model, then the kernels.
#pragma once

#include "dg/modal/contraction.hpp"
#include "dg/modal/element.hpp"
#include "dg/modal/geometry.hpp"
#include "dg/modal/pattern.hpp"
#include "dg/modal/variants.hpp"
#include "model/problem.hpp"

namespace swell {

struct ModalText {
  const Problem& problem;
  const ModalElement& element;
  const ModalPattern& pattern;
  ModalBatch batch;

  ModalSizes sizes(ModalProgram program, bool large) const;

  // Kernels traces and operate.
  ProgramText operation(const Variant& variant, ContractionTables& tables) const;
  // The kernels `predict` and `local_rate`, and `correct` where each element has one material; with `nodes` the first two only,
  // on states of the nodal family.
  ProgramText prediction(const Variant& variant, ContractionTables& tables, const Matrix* nodes = nullptr) const;
  // All other kernels, without vectors.
  ProgramText pointwise() const;

  // Each derivative in time has a degree less.
  bool shrinking() const;
  std::vector<int> level_modes() const;  // [derivatives in time]: modes that are left

 private:
  // The functions of a program that one variant needs, and the tables that they read.
  struct Writer;

  std::string name(const char* part) const;
  std::string constants() const;
  std::string variant_constants(const Variant& variant) const;
  std::string face_tables() const;
  Contraction triple_product() const;
  std::vector<Contraction> weak_products() const;    // [axis], with a coefficient
  std::vector<Contraction> strong_products() const;  // with derivatives of coefficient and solution
  std::vector<Contraction> derivative_levels() const;
  std::string level_table() const;
  std::string memory_tables() const;
  void write_triple_product(Writer& to) const;
  void write_varying_operation(Writer& to) const;
  void write_varying_prediction(Writer& to) const;
  void write_points(Writer& to, bool strong) const;
  void write_face_products(Writer& to) const;
  void write_derivatives(Writer& to) const;
  std::string team_beginning(const Variant& variant) const;
  ProgramText team_operation(const Variant& variant, ContractionTables& tables) const;
  ProgramText team_prediction(const Variant& variant, ContractionTables& tables, const Matrix* nodes) const;
};

}  // namespace swell
