// SPDX-License-Identifier: Apache-2.0
// Contractions with fixed sparse numbers, out_i += T_ijk a_k q_j, as kernel text: the one place that writes them.
#pragma once

#include <string>
#include <vector>

#include "element/triple.hpp"

namespace swell {

// T of two or three indices; `test` is i, `solution` is j, `coefficient` is k.
struct Contraction {
  int rows = 0;
  bool coefficient = false;
  std::vector<TripleProducts::Entry> entries;  // sorted by row

  static Contraction of(const Matrix& matrix, int rows, int columns);  // the upper left part
  static Contraction of(const TripleProducts& triples);
  // Of the same indices: both added up.
  static Contraction sum(const Contraction& a, const Contraction& b);
};

// text: every product stands in the text, with its number. rows: the entries of each row lie in tables, and loops read them.
enum class ContractionForm { text, rows };

// What the loops read: kernels get it as `numbers` and `places`.
struct ContractionTables {
  std::vector<double> numbers;
  std::vector<std::int32_t> places;
};

enum class ContractionKind { assign, add, subtract };

// FUNCTION void NAME([int which,] GLOBAL const scalar *numbers, GLOBAL const int *places, [const real *a,] const real *in,
// real *out); `which` is there where there are several cases.
std::string contraction_text(const std::string& name, const std::vector<Contraction>& cases, bool choose,
                             ContractionKind kind, ContractionForm form, ContractionTables& tables);

std::size_t entry_count(const std::vector<Contraction>& cases);

}  // namespace swell
