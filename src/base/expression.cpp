// SPDX-License-Identifier: Apache-2.0
#include "base/expression.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/expression_tree.hpp"

namespace swell {

namespace {

using Node = Expression::Node;
using Kind = Node::Kind;

// The shortest decimal that reads back exactly, always a floating literal.
std::string literal(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return std::signbit(value) ? "(" + text + ")" : text;
}

std::string_view symbol(Kind kind) {
  switch (kind) {
    case Kind::add: return "+";
    case Kind::subtract: return "-";
    case Kind::multiply: return "*";
    case Kind::divide: return "/";
    case Kind::less: return "<";
    case Kind::less_equal: return "<=";
    case Kind::greater: return ">";
    case Kind::greater_equal: return ">=";
    case Kind::equal: return "==";
    default: return "!=";
  }
}

bool is_sum(Kind kind) { return kind == Kind::add || kind == Kind::subtract; }
bool is_product(Kind kind) { return kind == Kind::multiply || kind == Kind::divide; }

double small_power(double base, int exponent) {
  const double square = base * base;
  return exponent == 2 ? square : exponent == 3 ? square * base : square * square;
}

}  // namespace

int product_exponent(const Node& exponent) {
  if (exponent.kind != Kind::constant) return 0;
  const double value = exponent.value;
  return value == 2 || value == 3 || value == 4 ? static_cast<int>(value) : 0;
}

double Node::evaluate(const double* values) const {
  const auto child = [&](std::size_t i) { return children[i]->evaluate(values); };
  switch (kind) {
    case Kind::constant: return value;
    case Kind::variable: return values[variable];
    case Kind::negate: return -child(0);
    case Kind::add: return child(0) + child(1);
    case Kind::subtract: return child(0) - child(1);
    case Kind::multiply: return child(0) * child(1);
    case Kind::divide: return child(0) / child(1);
    case Kind::power: {
      const int product = product_exponent(*children[1]);
      return product != 0 ? small_power(child(0), product) : std::pow(child(0), child(1));
    }
    case Kind::less: return child(0) < child(1);
    case Kind::less_equal: return child(0) <= child(1);
    case Kind::greater: return child(0) > child(1);
    case Kind::greater_equal: return child(0) >= child(1);
    case Kind::equal: return child(0) == child(1);
    case Kind::not_equal: return child(0) != child(1);
    case Kind::choose: return child(0) != 0 ? child(1) : child(2);
    case Kind::call: break;
  }
  std::array<double, expression_most_arguments> arguments;
  for (std::size_t i = 0; i < children.size(); ++i) arguments[i] = child(i);
  return function->value(arguments.data(), static_cast<int>(children.size()));
}

void Node::write(std::string& to, const std::vector<std::string>& variables,
                 std::vector<double>* numbers) const {
  switch (kind) {
    case Kind::constant:
      if (numbers) numbers->push_back(value);
      to += numbers ? fmt::format("number[{}]", numbers->size() - 1) : literal(value);
      return;
    case Kind::variable: to += variables[static_cast<std::size_t>(variable)]; return;
    case Kind::negate:
      to += "(-";
      children[0]->write(to, variables, numbers);
      to += ")";
      return;
    case Kind::add:
    case Kind::subtract:
    case Kind::multiply:
    case Kind::divide:
      to += "(";
      write_chain(to, variables, numbers);
      to += ")";
      return;
    case Kind::power: write_power(to, variables, numbers); return;
    case Kind::choose:
      to += "((";
      children[0]->write(to, variables, numbers);
      to += " != 0.0) ? ";
      children[1]->write(to, variables, numbers);
      to += " : ";
      children[2]->write(to, variables, numbers);
      to += ")";
      return;
    case Kind::call: write_call(to, variables, numbers); return;
    default: break;
  }
  to += "((";
  children[0]->write(to, variables, numbers);
  to += fmt::format(" {} ", symbol(kind));
  children[1]->write(to, variables, numbers);
  to += ") ? 1.0 : 0.0)";
}

// a - b + c without brackets: C groups from the left as the tree does, and long sums stay below the 256 nested brackets
// that some compilers take.
void Node::write_chain(std::string& to, const std::vector<std::string>& variables,
                 std::vector<double>* numbers) const {
  const Node& left = *children[0];
  const bool same = (is_sum(kind) && is_sum(left.kind)) || (is_product(kind) && is_product(left.kind));
  if (same)
    left.write_chain(to, variables, numbers);
  else
    left.write(to, variables, numbers);
  to += fmt::format(" {} ", symbol(kind));
  children[1]->write(to, variables, numbers);
}

// A variable's small power is a product; any other base goes to a function, which writes it once.
void Node::write_power(std::string& to, const std::vector<std::string>& variables,
                 std::vector<double>* numbers) const {
  const Node& base = *children[0];
  const int product = product_exponent(*children[1]);
  if (product != 0 && base.kind == Kind::variable) {
    const std::string& name = variables[static_cast<std::size_t>(base.variable)];
    to += product == 2   ? fmt::format("({0} * {0})", name)
          : product == 3 ? fmt::format("({0} * {0} * {0})", name)
                         : fmt::format("(({0} * {0}) * ({0} * {0}))", name);
    return;
  }
  to += product == 2 ? "ex_square(" : product == 3 ? "ex_cube(" : product == 4 ? "ex_fourth(" : "ex_pow(";
  base.write(to, variables, numbers);
  if (product == 0) {
    to += ", ";
    children[1]->write(to, variables, numbers);
  }
  to += ")";
}

// Functions of any number of arguments (min, max) become nested calls of two.
void Node::write_call(std::string& to, const std::vector<std::string>& variables,
                 std::vector<double>* numbers) const {
  const std::string head = fmt::format("ex_{}(", function->name);
  const bool nested = function->most > function->fewest;
  if (nested)
    for (std::size_t i = 2; i < children.size(); ++i) to += head;
  to += head;
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (i > 0) to += ", ";
    children[i]->write(to, variables, numbers);
    if (nested && i > 1) to += ")";
    if (nested && i == 1 && children.size() > 2) to += ")";
  }
  if (!nested || children.size() == 2) to += ")";
}

bool Node::uses(int which) const {
  if (kind == Kind::variable) return variable == which;
  for (const auto& child : children)
    if (child->uses(which)) return true;
  return false;
}

Expression::Expression() : Expression(0.0) {}

Expression::Expression(double constant) : text_(fmt::format("{}", constant)) {
  auto node = std::make_shared<Node>();
  node->value = constant;
  root_ = std::move(node);
}

Expression Expression::parse(std::string_view text, const std::vector<std::string>& variables, std::string_view where) {
  Expression result;
  result.root_ = parse_expression(text, variables, where);
  result.variables_ = variables;
  result.text_ = text;
  return result;
}

double Expression::operator()(const double* values) const { return root_->evaluate(values); }
bool Expression::is_constant() const { return root_->kind == Kind::constant; }
double Expression::constant() const { return root_->value; }
const std::string& Expression::text() const { return text_; }

bool Expression::uses(std::string_view variable) const {
  for (std::size_t i = 0; i < variables_.size(); ++i)
    if (variables_[i] == variable) return root_->uses(static_cast<int>(i));
  return false;
}

std::string Expression::c_text() const {
  std::string result;
  root_->write(result, variables_, nullptr);
  return result;
}

std::string Expression::c_text(std::vector<double>& numbers) const {
  std::string result;
  root_->write(result, variables_, &numbers);
  return result;
}

}  // namespace swell
