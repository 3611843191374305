// SPDX-License-Identifier: Apache-2.0
// Contractions with fixed sparse numbers, out_i += T_ijk a_k q_j, as kernel source: the one place that writes them.
#pragma once

#include <string>
#include <vector>

#include "element/triple.hpp"

namespace swell {

// T of two or three indices; `test` is i, `solution` is j, `coefficient` is k.
struct Contraction {
  int rows = 0, columns = 0, coefficients = 0;  // coefficients: 0 where there are two indices
  std::vector<TripleProducts::Entry> entries;   // sorted by row

  static Contraction of(const Matrix& matrix, int rows, int columns);  // the upper left part
  static Contraction of(const TripleProducts& triples);
  // The sum of two contractions over the same indices.
  static Contraction sum(const Contraction& a, const Contraction& b);
};

// text: every product stands in the kernel source, with its coefficient. pattern: products stand there too, but the
// coefficients lie in a table, each value once: with explicit vectors (not SIMT) a compiler would keep every literal as a whole
// vector, eight times as long. rows: the entries of each row lie in tables, and loops read them (compressed rows). dense: all
// coefficients lie in a table, zeros too.
enum class ContractionForm { text, pattern, rows, dense };

// Tables that the loops read: kernels get them as `numbers` and `places`.
struct ContractionTables {
  std::vector<double> numbers;
  std::vector<std::int32_t> places;
};

enum class ContractionKind { assign, add, subtract };

// Several fields at once, whose coefficients lie so far apart: a table entry that was fetched is used for all of them.
struct FieldsAtOnce {
  int count = 1, in_stride = 0, out_stride = 0;
};

// FUNCTION (or LONG_FUNCTION) void NAME([int which,] GLOBAL const scalar *numbers, GLOBAL const int *places, [const real *a,] const real *in,
// real *out); `which` is there where there are several cases.
std::string contraction_text(const std::string& name, const std::vector<Contraction>& cases, bool choose,
                             ContractionKind kind, ContractionForm form, ContractionTables& tables,
                             const FieldsAtOnce& fields = {});

// The contraction for one row i, for threads that share `in`, whose coefficients lie WIDTH apart, as do those of `a`:
// FUNCTION void NAME([int which,] numbers, places, [const LANED *a,] LOCAL const scalar *in, int i, real *out), out[k] for
// field k.
std::string row_function_text(const std::string& name, const std::vector<Contraction>& cases, bool choose, ContractionKind kind,
                              ContractionForm form, ContractionTables& tables, const FieldsAtOnce& fields);

std::size_t entry_count(const std::vector<Contraction>& cases);

}  // namespace swell
