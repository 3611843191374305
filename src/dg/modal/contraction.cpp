// SPDX-License-Identifier: Apache-2.0
#include "dg/modal/contraction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace swell {

namespace {

constexpr double rounding = 1e-13;  // relative to the largest entry; smaller ones are zeros
constexpr std::size_t line_length = 110;
// Products and rows of one field that a function may write out and be inlined wherever it is called; more go into functions of
// their own, in pieces of this length. Compilers take more than proportionally longer for long functions: elastic waves on hexahedra of
// order 6 took g++ 7.6 s, and 2 s with their products apart; those on tetrahedra of order 5 took 5.1 s, and 4 s in pieces.
// Short ones stay in their loops: elastic waves on tetrahedra of order 3 lost 10 % when theirs were called.
constexpr std::size_t longest_inlined = 1200;

using Entry = TripleProducts::Entry;

auto place_of_entry(const Entry& e) { return std::array{e.test, e.coefficient, e.solution}; }

// The coefficients of a kernel source: as literals, or as their places in a table that holds each absolute value once.
class Numbers {
 public:
  Numbers(ContractionForm form, ContractionTables& tables) : literal_(form == ContractionForm::text), tables_(tables) {}
  // A coefficient with its sign, as the first term of a sum or not.
  std::string signed_word(double value, bool first) {
    const char* sign = value < 0 ? (first ? "-" : " - ") : (first ? "" : " + ");
    if (literal_) return fmt::format("{}{:#.17g}", sign, std::abs(value));
    const auto [known, fresh] = columns_.try_emplace(std::abs(value), tables_.numbers.size());
    if (fresh) tables_.numbers.push_back(std::abs(value));
    return fmt::format("{}numbers[{}]", sign, known->second);
  }

 private:
  bool literal_;
  ContractionTables& tables_;
  std::map<double, std::size_t> columns_;
};

// c * in[j] + c * in[j] ...
std::string plain_sum(const Entry* begin, const Entry* end, Numbers& numbers, const char* in, const char* apart = "") {
  std::string text;
  for (const Entry* e = begin; e != end; ++e) {
    if (text.size() - (text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n')) > line_length) text += "\n        ";
    text += fmt::format("{} * {}[{}{}]", numbers.signed_word(e->value, e == begin), in, e->solution, apart);
  }
  return text;
}

std::string row_text(const Entry* begin, const Entry* end, bool coefficient, const char* sign, Numbers& numbers,
                     const FieldsAtOnce& fields) {
  if (fields.count > 1)
    return fmt::format("    UNROLL for (int k = 0; k < {}; ++k) {{\n      const real *of = in + k * {};\n      out[k * {} + {}] {} {};\n    }}\n",
                       fields.count, fields.in_stride, fields.out_stride, begin->test, sign, plain_sum(begin, end, numbers, "of"));
  if (!coefficient) return fmt::format("    out[{}] {} {};\n", begin->test, sign, plain_sum(begin, end, numbers, "in"));
  std::string text;
  while (begin != end) {
    const Entry* last = begin;
    while (last != end && last->coefficient == begin->coefficient) ++last;
    text += fmt::format("    out[{}] {} a[{}] * ({});\n", begin->test, sign, begin->coefficient,
                        plain_sum(begin, last, numbers, "in"));
    begin = last;
  }
  return text;
}

const char* operator_of(ContractionKind kind) {
  return kind == ContractionKind::assign ? "=" : kind == ContractionKind::add ? "+=" : "-=";
}

// The rows of a contraction, written out, in pieces of about `longest` products and rows.
std::vector<std::string> written_out(const Contraction& c, ContractionKind kind, Numbers& numbers, const FieldsAtOnce& fields,
                                     std::size_t longest) {
  std::vector<std::string> pieces(1);
  const char* sign = operator_of(kind);
  std::vector<char> seen(c.rows, 0);
  std::size_t in_piece = 0;
  for (std::size_t i = 0; i < c.entries.size();) {
    std::size_t last = i;
    while (last < c.entries.size() && c.entries[last].test == c.entries[i].test) ++last;
    if (in_piece > 0 && in_piece + last - i >= longest) {
      pieces.emplace_back();
      in_piece = 0;
    }
    pieces.back() += row_text(c.entries.data() + i, c.entries.data() + last, c.coefficients > 0, sign, numbers, fields);
    in_piece += last - i + 1;
    seen[c.entries[i].test] = 1;
    i = last;
  }
  if (kind == ContractionKind::assign)
    for (int row = 0; row < c.rows; ++row)
      for (int k = 0; k < (seen[row] ? 0 : fields.count); ++k)
        pieces.back() += fmt::format("    out[{}] = splat(0.0);\n", k * fields.out_stride + row);
  return pieces;
}

// The places of a contraction's compressed rows in the tables. Row i has the entries places[start + i] .. places[start + i +
// 1]; then come columns and, for triples, coefficients.
struct CompressedRows {
  std::size_t start, number, columns, coefficients;
};

CompressedRows compress(const Contraction& c, ContractionTables& tables) {
  const std::size_t start = tables.places.size(), number = tables.numbers.size(), count = c.entries.size();
  std::vector<std::int32_t> rows(c.rows + 1, 0);
  for (const auto& e : c.entries) ++rows[e.test + 1];
  for (int i = 0; i < c.rows; ++i) rows[i + 1] += rows[i];
  tables.places.insert(tables.places.end(), rows.begin(), rows.end());
  for (const auto& e : c.entries) tables.places.push_back(e.solution);
  if (c.coefficients > 0)
    for (const auto& e : c.entries) tables.places.push_back(e.coefficient);
  for (const auto& e : c.entries) tables.numbers.push_back(e.value);
  const std::size_t columns = start + rows.size();
  return {start, number, columns, columns + count};
}

std::string looped(const Contraction& c, ContractionKind kind, ContractionTables& tables, const FieldsAtOnce& fields) {
  const CompressedRows rows = compress(c, tables);
  const std::string factor = c.coefficients > 0 ? fmt::format(" * a[places[{} + e]]", rows.coefficients) : "";
  return fmt::format(
      "    for (int i = 0; i < {0}; ++i) {{\n      real sum[{1}];\n      UNROLL for (int k = 0; k < {1}; ++k) sum[k] = splat(0.0);\n"
      "      for (int e = places[{2} + i]; e < places[{3} + i]; ++e)\n"
      "        UNROLL for (int k = 0; k < {1}; ++k) sum[k] += numbers[{4} + e]{5} * in[k * {6} + places[{7} + e]];\n"
      "      UNROLL for (int k = 0; k < {1}; ++k) out[k * {8} + i] {9} sum[k];\n    }}\n",
      c.rows, fields.count, rows.start, rows.start + 1, rows.number, factor, fields.in_stride, rows.columns, fields.out_stride,
      operator_of(kind));
}

// Rows come in blocks, so that a value read from `in` is used several times.
constexpr int dense_rows = 4;

// [row][coefficient][column], zeros too; returns where.
std::size_t fill_in(const Contraction& c, ContractionTables& tables) {
  const std::size_t start = tables.numbers.size();
  const int inner = std::max(1, c.coefficients);
  std::vector<double> all(static_cast<std::size_t>(c.rows) * inner * c.columns, 0.0);
  for (const auto& e : c.entries) all[(static_cast<std::size_t>(e.test) * inner + e.coefficient) * c.columns + e.solution] = e.value;
  tables.numbers.insert(tables.numbers.end(), all.begin(), all.end());
  return start;
}

std::string dense(const Contraction& c, ContractionKind kind, ContractionTables& tables, const FieldsAtOnce& fields) {
  const std::size_t start = fill_in(c, tables);
  if (c.coefficients > 0)
    return fmt::format(
        "    for (int i = 0; i < {0}; ++i) {{\n      real sum = splat(0.0);\n      for (int k = 0; k < {1}; ++k) {{\n"
        "        real part = splat(0.0);\n"
        "        for (int j = 0; j < {2}; ++j) part += numbers[{3} + (i * {1} + k) * {2} + j] * in[j];\n"
        "        sum += a[k] * part;\n      }}\n      out[i] {4} sum;\n    }}\n",
        c.rows, c.coefficients, c.columns, start, operator_of(kind));
  const auto block = [&](const std::string& from, const std::string& to, int rows) {
    return fmt::format(
        "    for (int i = {0}; i < {1}; i += {2}) {{\n      real sum[{2} * {3}];\n"
        "      UNROLL for (int k = 0; k < {2} * {3}; ++k) sum[k] = splat(0.0);\n      for (int j = 0; j < {4}; ++j)\n"
        "        UNROLL for (int k = 0; k < {3}; ++k)\n          UNROLL for (int r = 0; r < {2}; ++r)\n"
        "            sum[r * {3} + k] += numbers[{5} + (i + r) * {4} + j] * in[k * {6} + j];\n"
        "      UNROLL for (int k = 0; k < {3}; ++k)\n        UNROLL for (int r = 0; r < {2}; ++r) out[k * {7} + i + r] {8} sum[r * {3} + k];\n"
        "    }}\n",
        from, to, rows, fields.count, c.columns, start, fields.in_stride, fields.out_stride, operator_of(kind));
  };
  const int whole = c.rows / dense_rows * dense_rows;
  return block("0", fmt::format("{}", whole), dense_rows) + block(fmt::format("{}", whole), fmt::format("{}", c.rows), 1);
}

// The three forms for one row: what it adds to sum[k].
std::string row_looped(const Contraction& c, ContractionTables& tables, const FieldsAtOnce& fields) {
  const CompressedRows rows = compress(c, tables);
  const std::string factor = c.coefficients > 0 ? fmt::format(" * AT(a, places[{} + e])", rows.coefficients) : "";
  return fmt::format(
      "    const int last = places[{} + i];\n    for (int e = places[{} + i]; e < last; ++e) {{\n"
      "      const real number = numbers[{} + e]{};\n      const int from = places[{} + e] * WIDTH;\n"
      "      UNROLL for (int k = 0; k < {}; ++k) sum[k] += number * in[k * {} * WIDTH + from];\n    }}\n",
      rows.start + 1, rows.start, rows.number, factor, rows.columns, fields.count, fields.in_stride);
}

std::string row_dense(const Contraction& c, ContractionTables& tables, const FieldsAtOnce& fields) {
  const std::size_t start = fill_in(c, tables);
  if (c.coefficients > 0)
    return fmt::format(
        "    for (int k = 0; k < {0}; ++k) {{\n      real part = 0.0;\n"
        "      for (int j = 0; j < {1}; ++j) part += numbers[{2} + (i * {0} + k) * {1} + j] * in[j * WIDTH];\n"
        "      sum[0] += AT(a, k) * part;\n    }}\n",
        c.coefficients, c.columns, start);
  return fmt::format(
      "    for (int j = 0; j < {0}; ++j) {{\n      const real number = numbers[{1} + i * {0} + j];\n"
      "      UNROLL for (int k = 0; k < {2}; ++k) sum[k] += number * in[k * {3} * WIDTH + j * WIDTH];\n    }}\n",
      c.columns, start, fields.count, fields.in_stride);
}

std::string row_written_out(const Contraction& c, Numbers& numbers, const FieldsAtOnce& fields) {
  std::string text = "    switch (i) {\n";
  for (std::size_t i = 0; i < c.entries.size();) {
    text += fmt::format("    case {}:\n      UNROLL for (int k = 0; k < {}; ++k) {{\n        LOCAL const scalar *of = in + k * {} * WIDTH;\n",
                        c.entries[i].test, fields.count, fields.in_stride);
    const int row = c.entries[i].test;
    while (i < c.entries.size() && c.entries[i].test == row) {
      std::size_t last = i;
      while (last < c.entries.size() && c.entries[last].test == row && c.entries[last].coefficient == c.entries[i].coefficient) ++last;
      const std::string part = plain_sum(c.entries.data() + i, c.entries.data() + last, numbers, "of", " * WIDTH");
      text += c.coefficients > 0 ? fmt::format("        sum[k] += AT(a, {}) * ({});\n", c.entries[i].coefficient, part)
                                 : fmt::format("        sum[k] += {};\n", part);
      i = last;
    }
    text += "      }\n      break;\n";
  }
  return text + "    }\n";
}

}  // namespace

Contraction Contraction::of(const Matrix& matrix, int rows, int columns) {
  Contraction c{rows, columns, 0, {}};
  const double least = rounding * matrix.cwiseAbs().maxCoeff();
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      if (std::abs(matrix(i, j)) > least) c.entries.push_back({i, 0, j, matrix(i, j)});
  return c;
}

Contraction Contraction::of(const TripleProducts& triples) { return {triples.test_count, triples.solution_count, triples.coefficient_count, triples.entries}; }

Contraction Contraction::sum(const Contraction& a, const Contraction& b) {
  Contraction c{a.rows, a.columns, a.coefficients, a.entries};
  c.entries.insert(c.entries.end(), b.entries.begin(), b.entries.end());
  std::sort(c.entries.begin(), c.entries.end(),
            [](const Entry& x, const Entry& y) { return place_of_entry(x) < place_of_entry(y); });
  double largest = 0;
  for (const auto& e : c.entries) largest = std::max(largest, std::abs(e.value));
  std::vector<Entry> joined;
  for (const auto& e : c.entries) {
    if (!joined.empty() && place_of_entry(joined.back()) == place_of_entry(e))
      joined.back().value += e.value;
    else
      joined.push_back(e);
  }
  std::erase_if(joined, [&](const Entry& e) { return std::abs(e.value) <= rounding * largest; });
  c.entries = std::move(joined);
  return c;
}

std::size_t entry_count(const std::vector<Contraction>& cases) {
  std::size_t count = 0;
  for (const auto& c : cases) count += c.entries.size();
  return count;
}

std::string contraction_text(const std::string& name, const std::vector<Contraction>& cases, bool choose,
                             ContractionKind kind, ContractionForm form, ContractionTables& tables, const FieldsAtOnce& fields) {
  std::size_t length = entry_count(cases);
  for (const auto& c : cases) length += static_cast<std::size_t>(c.rows);
  const bool in_pieces = form != ContractionForm::rows && form != ContractionForm::dense && length > longest_inlined;
  const bool triple = cases.front().coefficients > 0;
  // A function that is not inlined must be told that its arrays lie apart.
  const auto head = [&](const std::string& function, const char* kind_of_function, const char* apart, bool chooses) {
    return fmt::format("{0} void {1}({2}GLOBAL const scalar *{3}numbers, GLOBAL const int *{3}places, {4}const real *{3}in, real *{3}out)\n{{\n",
                       kind_of_function, function, chooses ? "int which, " : "", apart,
                       triple ? fmt::format("const real *{}a, ", apart) : "");
  };
  Numbers numbers(form, tables);
  // Compilers would widen the coefficients to vectors before the loop over the fields, and read those.
  const char* begin = form == ContractionForm::pattern ? "  asm volatile(\"\" : \"+r\"(numbers));\n" : "";
  std::string functions, body = in_pieces ? "" : begin;
  if (choose) body += "  switch (which) {\n";
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (choose) body += fmt::format("  case {}: {{\n", i);
    if (in_pieces) {
      int piece = 0;
      for (const std::string& text : written_out(cases[i], kind, numbers, fields, longest_inlined)) {
        const std::string part = fmt::format("{}_{}_{}", name, i, piece++);
        functions += head(part, "LONG_FUNCTION", "RESTRICT ", false) + begin + text + "}\n\n";
        body += fmt::format("    {}(numbers, places, {}in, out);\n", part, triple ? "a, " : "");
      }
    } else {
      body += form == ContractionForm::rows    ? looped(cases[i], kind, tables, fields)
              : form == ContractionForm::dense ? dense(cases[i], kind, tables, fields)
                                               : written_out(cases[i], kind, numbers, fields, length).front();
    }
    if (choose) body += "    break;\n  }\n";
  }
  return functions + head(name, "FUNCTION", "", choose) + body + (choose ? "  }\n}\n\n" : "}\n\n");
}

std::string row_function_text(const std::string& name, const std::vector<Contraction>& cases, bool choose, ContractionKind kind,
                              ContractionForm form, ContractionTables& tables, const FieldsAtOnce& fields) {
  std::string text = fmt::format(
      "FUNCTION void {}({}GLOBAL const scalar *numbers, GLOBAL const int *places, {}LOCAL const scalar *in, int i, real *out)\n"
      "{{\n  real sum[{}];\n  UNROLL for (int k = 0; k < {}; ++k) sum[k] = 0.0;\n",
      name, choose ? "int which, " : "", cases.front().coefficients > 0 ? "const LANED *a, " : "", fields.count, fields.count);
  Numbers numbers(ContractionForm::text, tables);
  if (choose) text += "  switch (which) {\n";
  for (std::size_t n = 0; n < cases.size(); ++n) {
    if (choose) text += fmt::format("  case {}: {{\n", n);
    text += form == ContractionForm::rows    ? row_looped(cases[n], tables, fields)
            : form == ContractionForm::dense ? row_dense(cases[n], tables, fields)
                                             : row_written_out(cases[n], numbers, fields);
    if (choose) text += "    break;\n  }\n";
  }
  if (choose) text += "  }\n";
  return text + fmt::format("  UNROLL for (int k = 0; k < {}; ++k) out[k] {} sum[k];\n}}\n\n", fields.count, operator_of(kind));
}

}  // namespace swell
