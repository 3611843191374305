// SPDX-License-Identifier: Apache-2.0
// Derivatives of expressions, by the rules of calculus on the tree; jumps (if, step, sign, floor) count by their two sides
// only.
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "base/expression_tree.hpp"

namespace swell {

namespace {

using Node = Expression::Node;
using Kind = Node::Kind;
using Pointer = std::shared_ptr<const Node>;

Pointer number(double value) {
  auto node = std::make_shared<Node>();
  node->value = value;
  return node;
}

bool is_number(const Pointer& node, double value) { return node->kind == Kind::constant && node->value == value; }

Pointer make(Kind kind, std::vector<Pointer> children) {
  auto node = std::make_shared<Node>();
  node->kind = kind;
  node->children = std::move(children);
  for (const auto& child : node->children)
    if (child->kind != Kind::constant) return node;
  return number(node->evaluate(nullptr));
}

Pointer call(std::string_view name, std::vector<Pointer> arguments) {
  auto node = std::make_shared<Node>();
  node->kind = Kind::call;
  node->function = find_expression_function(name);
  node->children = std::move(arguments);
  return node;
}

Pointer operator+(const Pointer& a, const Pointer& b) {
  return is_number(a, 0) ? b : is_number(b, 0) ? a : make(Kind::add, {a, b});
}
Pointer operator-(const Pointer& a) { return is_number(a, 0) ? a : make(Kind::negate, {a}); }
Pointer operator-(const Pointer& a, const Pointer& b) {
  return is_number(b, 0) ? a : is_number(a, 0) ? -b : make(Kind::subtract, {a, b});
}
Pointer operator*(const Pointer& a, const Pointer& b) {
  if (is_number(a, 0) || is_number(b, 0)) return number(0);
  return is_number(a, 1) ? b : is_number(b, 1) ? a : make(Kind::multiply, {a, b});
}
Pointer operator/(const Pointer& a, const Pointer& b) {
  return is_number(a, 0) || is_number(b, 1) ? a : make(Kind::divide, {a, b});
}
Pointer operator*(double a, const Pointer& b) { return number(a) * b; }

Pointer power(const Pointer& base, double exponent) {
  if (exponent == 0) return number(1);
  return exponent == 1 ? base : make(Kind::power, {base, number(exponent)});
}

Pointer square(const Pointer& a) { return power(a, 2); }

class Derivative {
 public:
  explicit Derivative(int variable) : variable_(variable) {}

  Pointer operator()(const Pointer& node) const {
    if (!node->uses(variable_)) return number(0);
    const auto child = [&](std::size_t i) { return node->children[i]; };
    switch (node->kind) {
      case Kind::variable: return number(1);
      case Kind::negate: return -(*this)(child(0));
      case Kind::add: return (*this)(child(0)) + (*this)(child(1));
      case Kind::subtract: return (*this)(child(0)) - (*this)(child(1));
      case Kind::multiply: return (*this)(child(0)) * child(1) + child(0) * (*this)(child(1));
      case Kind::divide:
        return (*this)(child(0)) / child(1) - child(0) * (*this)(child(1)) / square(child(1));
      case Kind::power: return of_power(node, child(0), child(1));
      case Kind::choose: return make(Kind::choose, {child(0), (*this)(child(1)), (*this)(child(2))});
      case Kind::call: return of_call(node);
      default: return number(0);  // comparisons
    }
  }

 private:
  Pointer of_power(const Pointer& node, const Pointer& base, const Pointer& exponent) const {
    const Pointer inner = (*this)(base);
    if (exponent->kind == Kind::constant) return exponent->value * (power(base, exponent->value - 1) * inner);
    return node * ((*this)(exponent)*call("log", {base}) + exponent * inner / base);
  }

  Pointer of_extreme(const Pointer& node, Kind better) const {
    Pointer best = node->children[0], slope = (*this)(best);
    for (std::size_t i = 1; i < node->children.size(); ++i) {
      const Pointer& other = node->children[i];
      slope = make(Kind::choose, {make(better, {other, best}), (*this)(other), slope});
      best = call(node->function->name, {best, other});
    }
    return slope;
  }

  // Bessel functions of either kind: C_n' = (C_{n-1} - C_{n+1}) / 2 (Abramowitz and Stegun 1964, 9.1.27), C_0' = -C_1.
  Pointer of_bessel(const char* zeroth, const char* first, const char* any, const Pointer& order, const Pointer& x) const {
    const auto of_order = [&](double n) {
      return n == 0 ? call(zeroth, {x}) : n == 1 ? call(first, {x}) : call(any, {number(n), x});
    };
    if (is_number(order, 0)) return -of_order(1);
    if (order->kind == Kind::constant && order->value >= 1)
      return 0.5 * (of_order(order->value - 1) - of_order(order->value + 1));
    throw InputError("A derivative of {}(n, x) is needed, which this version takes where n is a whole number from 0 on.", any);
  }

  Pointer of_call(const Pointer& node) const {
    const std::string_view name = node->function->name;
    const Pointer a = node->children[0], b = node->children.size() > 1 ? node->children[1] : number(0), da = (*this)(a);
    if (name == "sign" || name == "floor" || name == "step") return number(0);
    if (name == "min") return of_extreme(node, Kind::less);
    if (name == "max") return of_extreme(node, Kind::greater);
    if (name == "pow") return of_power(node, a, b);
    if (name == "atan2") return (da * b - a * (*this)(b)) / (square(a) + square(b));
    if (name == "gauss") {  // exp(-(a/b)^2)
      const Pointer ratio = a / b;
      return -2.0 * (ratio * (*this)(ratio)) * node;
    }
    if (name == "ricker") {  // (1 - 2 s^2) exp(-s^2)
      const Pointer s = std::numbers::pi * (b * (a - node->children[2])), low = square(s);
      return (4.0 * (s * low) - 6.0 * s) * call("exp", {-low}) * (*this)(s);
    }
    if (name == "jn") return of_bessel("j0", "j1", "jn", a, b) * (*this)(b);
    if (name == "yn") return of_bessel("y0", "y1", "yn", a, b) * (*this)(b);
    return of_one(name, node, a) * da;
  }

  // f'(a) of a function of one argument, whose call is `node`.
  Pointer of_one(std::string_view name, const Pointer& node, const Pointer& a) const {
    if (name == "abs") return call("sign", {a});
    if (name == "exp") return node;
    if (name == "log") return number(1) / a;
    if (name == "sqrt") return number(0.5) / node;
    if (name == "cbrt") return number(1) / (3.0 * square(node));
    if (name == "sin") return call("cos", {a});
    if (name == "cos") return -call("sin", {a});
    if (name == "tan") return number(1) + square(node);
    if (name == "asin") return number(1) / call("sqrt", {number(1) - square(a)});
    if (name == "acos") return number(-1) / call("sqrt", {number(1) - square(a)});
    if (name == "atan") return number(1) / (number(1) + square(a));
    if (name == "sinh") return call("cosh", {a});
    if (name == "cosh") return call("sinh", {a});
    if (name == "tanh") return number(1) - square(node);
    if (name == "erf") return 2 / std::sqrt(std::numbers::pi) * call("exp", {-square(a)});
    if (name == "j0") return of_bessel("j0", "j1", "jn", number(0), a);
    if (name == "j1") return of_bessel("j0", "j1", "jn", number(1), a);
    if (name == "y0") return of_bessel("y0", "y1", "yn", number(0), a);
    if (name == "y1") return of_bessel("y0", "y1", "yn", number(1), a);
    throw InputError("A derivative of the function {}() is needed, which this version cannot take.", name);
  }

  int variable_;
};

}  // namespace

Expression Expression::derivative(std::string_view variable) const {
  Expression result;
  result.text_ = "d/d" + std::string(variable) + " of " + text_;
  for (std::size_t i = 0; i < variables_.size(); ++i)
    if (variables_[i] == variable) result.root_ = Derivative(static_cast<int>(i))(root_);
  result.variables_ = variables_;
  return result;
}

}  // namespace swell
