// SPDX-License-Identifier: Apache-2.0
#include "dg/modal_contraction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace swell {

namespace {

constexpr double rounding = 1e-13;  // relative to the largest entry; smaller ones are zeros
constexpr std::size_t line_length = 110;

using Entry = TripleProducts::Entry;

auto place_of_entry(const Entry& e) { return std::array{e.test, e.coefficient, e.solution}; }

// c * in[j] + c * in[j] ...
std::string plain_sum(const Entry* begin, const Entry* end) {
  std::string text;
  for (const Entry* e = begin; e != end; ++e) {
    if (text.size() - (text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n')) > line_length) text += "\n        ";
    text += fmt::format("{}{:#.17g} * in[{}]", e == begin ? "" : " + ", e->value, e->solution);
  }
  return text;
}

std::string row_text(const Entry* begin, const Entry* end, bool coefficient, const char* sign) {
  if (!coefficient) return fmt::format("    out[{}] {} {};\n", begin->test, sign, plain_sum(begin, end));
  std::string text;
  while (begin != end) {
    const Entry* last = begin;
    while (last != end && last->coefficient == begin->coefficient) ++last;
    text += fmt::format("    out[{}] {} a[{}] * ({});\n", begin->test, sign, begin->coefficient, plain_sum(begin, last));
    begin = last;
  }
  return text;
}

std::string written_out(const Contraction& c, ContractionKind kind) {
  std::string text;
  const char* sign = kind == ContractionKind::assign ? "=" : kind == ContractionKind::add ? "+=" : "-=";
  std::vector<char> seen(c.rows, 0);
  for (std::size_t i = 0; i < c.entries.size();) {
    std::size_t last = i;
    while (last < c.entries.size() && c.entries[last].test == c.entries[i].test) ++last;
    text += row_text(c.entries.data() + i, c.entries.data() + last, c.coefficient, sign);
    seen[c.entries[i].test] = 1;
    i = last;
  }
  if (kind == ContractionKind::assign)
    for (int row = 0; row < c.rows; ++row)
      if (!seen[row]) text += fmt::format("    out[{}] = splat(0.0);\n", row);
  return text;
}

// Row i has the entries places[start + i] .. places[start + i + 1]; then come columns and, for triples, coefficients.
std::string looped(const Contraction& c, ContractionKind kind, ContractionTables& tables) {
  const std::size_t start = tables.places.size(), number = tables.numbers.size(), count = c.entries.size();
  std::vector<std::int32_t> rows(c.rows + 1, 0);
  for (const auto& e : c.entries) ++rows[e.test + 1];
  for (int i = 0; i < c.rows; ++i) rows[i + 1] += rows[i];
  tables.places.insert(tables.places.end(), rows.begin(), rows.end());
  for (const auto& e : c.entries) tables.places.push_back(e.solution);
  if (c.coefficient)
    for (const auto& e : c.entries) tables.places.push_back(e.coefficient);
  for (const auto& e : c.entries) tables.numbers.push_back(e.value);
  const std::size_t columns = start + rows.size();
  const std::string factor = c.coefficient ? fmt::format(" * a[places[{} + e]]", columns + count) : "";
  return fmt::format(
      "    for (int i = 0; i < {}; ++i) {{\n      real sum = splat(0.0);\n"
      "      for (int e = places[{} + i]; e < places[{} + i]; ++e)\n"
      "        sum += numbers[{} + e]{} * in[places[{} + e]];\n      out[i] {} sum;\n    }}\n",
      c.rows, start, start + 1, number, factor, columns,
      kind == ContractionKind::assign ? "="
      : kind == ContractionKind::add  ? "+="
                                      : "-=");
}

}  // namespace

Contraction Contraction::of(const Matrix& matrix, int rows, int columns) {
  Contraction c{rows, false, {}};
  const double least = rounding * matrix.cwiseAbs().maxCoeff();
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      if (std::abs(matrix(i, j)) > least) c.entries.push_back({i, 0, j, matrix(i, j)});
  return c;
}

Contraction Contraction::of(const TripleProducts& triples) { return {triples.test_count, true, triples.entries}; }

Contraction Contraction::sum(const Contraction& a, const Contraction& b) {
  Contraction c{a.rows, a.coefficient, a.entries};
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
                             ContractionKind kind, ContractionForm form, ContractionTables& tables) {
  std::string text = fmt::format(
      "FUNCTION void {}({}GLOBAL const scalar *numbers, GLOBAL const int *places, {}const real *in, real *out)\n{{\n", name,
      choose ? "int which, " : "", cases.front().coefficient ? "const real *a, " : "");
  if (choose) text += "  switch (which) {\n";
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (choose) text += fmt::format("  case {}: {{\n", i);
    text += form == ContractionForm::text ? written_out(cases[i], kind) : looped(cases[i], kind, tables);
    if (choose) text += "    break;\n  }\n";
  }
  return text + (choose ? "  }\n}\n\n" : "}\n\n");
}

}  // namespace swell
