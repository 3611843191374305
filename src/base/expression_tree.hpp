// SPDX-License-Identifier: Apache-2.0
// The parsed form of an expression and the table of its functions; private to the expression's own source files.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/expression.hpp"

namespace swell {

struct ExpressionFunction {
  std::string_view name;
  int fewest, most;  // arguments
  double (*value)(const double* arguments, int count);
};

// nullptr for a name that is no function.
const ExpressionFunction* find_expression_function(std::string_view name);

constexpr int expression_most_arguments = 16;

struct Expression::Node {
  enum class Kind : unsigned char {
    constant,
    variable,
    negate,
    add,
    subtract,
    multiply,
    divide,
    power,
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    not_equal,
    choose,
    call
  };
  Kind kind = Kind::constant;
  double value = 0;                              // constant
  int variable = 0;                              // its place in the list of variables
  const ExpressionFunction* function = nullptr;  // call
  std::vector<std::shared_ptr<const Node>> children;

  double evaluate(const double* values) const;
  // Constants go as they are, or where `numbers` is given to its end, as number[its place].
  void write(std::string& to, const std::vector<std::string>& variables, std::vector<double>* numbers) const;
  bool uses(int which) const;

 private:
  void write_chain(std::string& to, const std::vector<std::string>& variables, std::vector<double>* numbers) const;
  void write_power(std::string& to, const std::vector<std::string>& variables, std::vector<double>* numbers) const;
  void write_call(std::string& to, const std::vector<std::string>& variables, std::vector<double>* numbers) const;
};

// The exponents whose powers are written as products, on the host and in kernels alike; else 0.
int product_exponent(const Expression::Node& exponent);

// Throws InputError as Expression::parse() does.
std::shared_ptr<const Expression::Node> parse_expression(std::string_view text,
                                                         const std::vector<std::string>& variables,
                                                         std::string_view where);

}  // namespace swell
