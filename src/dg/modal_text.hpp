// SPDX-License-Identifier: Apache-2.0
// Kernel text of the modal family for one problem: constants, the contractions with the element's numbers, the model, then
// the kernels.
#pragma once

#include "dg/modal_contraction.hpp"
#include "dg/modal_element.hpp"
#include "dg/modal_pattern.hpp"
#include "dg/problem.hpp"

namespace swell {

struct ModalText {
  const Problem& problem;
  const ModalElement& element;
  const ModalPattern& pattern;
  int width;  // elements of a batch

  // Kernels traces and operate.
  ProgramText operation(ContractionTables& tables) const;
  // Kernels predict and local_rate; on states of the nodal family where its nodes are given.
  ProgramText prediction(ContractionTables& tables, const Matrix* nodes = nullptr) const;
  // Everything around them, without vectors.
  ProgramText pointwise() const;

  // The contractions written out in the text, or as tables where that would be too long a text.
  bool shrinking() const;
  std::string words() const;

 private:
  std::string name(const char* part) const;
  std::string constants() const;
  std::string face_tables() const;
  std::string contraction(const std::string& function, const std::vector<Contraction>& cases, bool choose,
                          ContractionKind kind, ContractionTables& tables) const;
};

}  // namespace swell
