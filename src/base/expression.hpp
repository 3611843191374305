// SPDX-License-Identifier: Apache-2.0
// Expressions of a case file: parsed, checked against a whitelist of names, evaluated on the host or
// written into kernels as C. Nothing that was not parsed here ever becomes code.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace swell {

class Expression {
 public:
  // The constant 0.
  Expression();
  explicit Expression(double constant);

  // Throws InputError that begins with `where` (the key and file) and points at the wrong word.
  // `variables` are the names that may appear besides constants (pi, e) and functions.
  static Expression parse(std::string_view text, const std::vector<std::string>& variables, std::string_view where);

  // Values in the order of the variables given to parse().
  double operator()(const double* values) const;

  bool is_constant() const;
  // The value where is_constant().
  double constant() const;
  bool uses(std::string_view variable) const;
  // Two factors whose product this is, the first of the variable alone, the second without it; nothing where the products
  // and quotients at the top do not show it.
  std::optional<std::pair<Expression, Expression>> separated(std::string_view variable) const;

  // The derivative by this variable; 0 where the expression does not contain it. Throws InputError for functions without a
  // rule.
  Expression derivative(std::string_view variable) const;

  // The text as the user wrote it.
  const std::string& text() const;
  // The expression in C with the variables' own names; functions carry the prefix ex_ (kernels/shared/functions.h), numbers are
  // written so that they read back exactly, everything is parenthesised.
  std::string c_text() const;
  // The C expression with its constants apart: they go to the end of `numbers`, and the text has number[place] for each.
  // Expressions that differ only in constants have one text.
  std::string c_text(std::vector<double>& numbers) const;

  struct Node;

 private:
  friend struct ExpressionSteps;

  std::shared_ptr<const Node> root_;
  std::vector<std::string> variables_;
  std::string text_;
};

// The names of the functions that expressions may call, sorted.
const std::vector<std::string>& expression_functions();

}  // namespace swell
