// SPDX-License-Identifier: Apache-2.0
#include "base/expression_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <unordered_map>

#include "base/expression_tree.hpp"
#include "base/many_functions.hpp"

namespace swell {

namespace {

using Node = Expression::Node;
using Kind = Node::Kind;

// Operations are the kinds of nodes, then powers that are products, then the functions by their place in the list of names.
constexpr int first_product = 32, first_function = 64;

int function_operation(std::string_view name) {
  const auto& names = expression_functions();
  return first_function + static_cast<int>(std::lower_bound(names.begin(), names.end(), name) - names.begin());
}

// min and max of many are those of two, again and again.
bool folds(const Node& node) { return node.kind == Kind::call && node.function->most > node.function->fewest; }

class StepWriter {
 public:
  StepWriter(ExpressionSteps& to, int variables) : to_(to), variables_(variables) {}

  // Writes a node's value into register `free`, or returns the register where a variable already is.
  int write(const Node& node, int free) {
    if (node.kind == Kind::variable) return node.variable;
    if (free >= ExpressionSteps::registers) throw std::logic_error("an expression needs more registers than there are");
    if (node.kind == Kind::constant) {
      to_.numbers.push_back(node.value);
      return step(static_cast<int>(Kind::constant), free, {static_cast<int>(to_.numbers.size()) - 1});
    }
    return folds(node) ? write_fold(node, free) : write_step(node, free);
  }

  int first_free() const { return variables_; }

 private:
  // Registers that a node needs for itself; children that need most go first, while most are free (Sethi and Ullman 1970).
  int need(const Node& node) {
    const auto known = need_.find(&node);
    return known != need_.end() ? known->second : need_[&node] = find_need(node);
  }

  int find_need(const Node& node) {
    if (node.kind == Kind::variable) return 0;
    int most = 1;
    if (folds(node)) {
      for (std::size_t i = 0; i < node.children.size(); ++i) most = std::max(most, need(*node.children[i]) + (i > 0 ? 1 : 0));
      return most;
    }
    std::vector<int> needs;
    for (const Node* child : operands(node)) needs.push_back(need(*child));
    std::sort(needs.rbegin(), needs.rend());
    for (std::size_t i = 0; i < needs.size(); ++i)
      if (needs[i] > 0) most = std::max(most, needs[i] + static_cast<int>(i));
    return most;
  }

  // The arguments of a node, without the exponent of a power that is a product.
  static std::vector<const Node*> operands(const Node& node) {
    std::vector<const Node*> all;
    for (const auto& child : node.children) all.push_back(child.get());
    if (node.kind == Kind::power && product_exponent(*node.children[1]) != 0) all.pop_back();
    return all;
  }

  static int operation(const Node& node) {
    if (node.kind == Kind::call) return function_operation(node.function->name);
    const int product = node.kind == Kind::power ? product_exponent(*node.children[1]) : 0;
    return product != 0 ? first_product + product : static_cast<int>(node.kind);
  }

  int step(int operation, int to, std::vector<int> from) {
    from.resize(3, 0);
    to_.steps.insert(to_.steps.end(), {operation, to, from[0], from[1], from[2]});
    return to;
  }

  int write_step(const Node& node, int free) {
    const auto children = operands(node);
    std::vector<std::size_t> order(children.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return need(*children[a]) > need(*children[b]); });
    std::vector<int> from(children.size());
    int next = free;
    for (const std::size_t i : order) {
      from[i] = write(*children[i], next);
      if (from[i] == next) ++next;
    }
    return step(operation(node), free, from);
  }

  int write_fold(const Node& node, int free) {
    int so_far = write(*node.children[0], free);
    for (std::size_t i = 1; i < node.children.size(); ++i) {
      const int next = write(*node.children[i], so_far == free ? free + 1 : free);
      so_far = step(operation(node), free, {so_far, next});
    }
    return so_far;
  }

  ExpressionSteps& to_;
  int variables_;
  std::unordered_map<const Node*, int> need_;
};

// Does one step on the host, with the operations of expression_steps_text().
void do_step(int operation, double number, const double* a, const double* b, const double* c, double* to, int count) {
  const auto each = [&](const auto& value) {
    for (int i = 0; i < count; ++i) to[i] = value(i);
  };
  switch (operation) {
    case static_cast<int>(Kind::constant): return each([&](int) { return number; });
    case static_cast<int>(Kind::negate): return each([&](int i) { return -a[i]; });
    case static_cast<int>(Kind::add): return each([&](int i) { return a[i] + b[i]; });
    case static_cast<int>(Kind::subtract): return each([&](int i) { return a[i] - b[i]; });
    case static_cast<int>(Kind::multiply): return each([&](int i) { return a[i] * b[i]; });
    case static_cast<int>(Kind::divide): return each([&](int i) { return a[i] / b[i]; });
    case static_cast<int>(Kind::power): {
      if (const ManyFunction many = find_many_function("pow")) return many(a, b, to, count);
      return each([&](int i) { return std::pow(a[i], b[i]); });
    }
    case static_cast<int>(Kind::less): return each([&](int i) { return a[i] < b[i] ? 1.0 : 0.0; });
    case static_cast<int>(Kind::less_equal): return each([&](int i) { return a[i] <= b[i] ? 1.0 : 0.0; });
    case static_cast<int>(Kind::greater): return each([&](int i) { return a[i] > b[i] ? 1.0 : 0.0; });
    case static_cast<int>(Kind::greater_equal): return each([&](int i) { return a[i] >= b[i] ? 1.0 : 0.0; });
    case static_cast<int>(Kind::equal): return each([&](int i) { return a[i] == b[i] ? 1.0 : 0.0; });
    case static_cast<int>(Kind::not_equal): return each([&](int i) { return a[i] != b[i] ? 1.0 : 0.0; });
    case static_cast<int>(Kind::choose): return each([&](int i) { return a[i] != 0 ? b[i] : c[i]; });
    case first_product + 2: return each([&](int i) { return a[i] * a[i]; });
    case first_product + 3: return each([&](int i) { return a[i] * a[i] * a[i]; });
    case first_product + 4: return each([&](int i) { return (a[i] * a[i]) * (a[i] * a[i]); });
    default: break;
  }
  const std::string& name = expression_functions()[operation - first_function];
  if (const ManyFunction many = find_many_function(name)) return many(a, b, to, count);
  const ExpressionFunction& function = *find_expression_function(name);
  const int arguments = function.fewest;
  each([&](int i) {
    const double values[3] = {a[i], b[i], c[i]};
    return function.value(values, arguments);
  });
}

}  // namespace

ExpressionSteps::Piece ExpressionSteps::add(const Expression& expression) {
  Piece piece;
  piece.begin = static_cast<std::int32_t>(steps.size() / width);
  StepWriter writer(*this, std::max(variables, static_cast<int>(expression.variables_.size())));
  piece.result = writer.write(*expression.root_, writer.first_free());
  piece.end = static_cast<std::int32_t>(steps.size() / width);
  return piece;
}

ExpressionRunner::ExpressionRunner(const Expression& expression, int places)
    : places_((places + many_together - 1) / many_together * many_together),
      result_(steps_.add(expression).result),
      registers_(static_cast<std::size_t>(ExpressionSteps::registers) * static_cast<std::size_t>(places_), 0.0) {}

// Steps always compute whole vectors, so that a value does not depend on its place.
const double* ExpressionRunner::run(int wanted) {
  const int count = (wanted + many_together - 1) / many_together * many_together;
  const auto at = [&](std::int32_t number) { return registers_.data() + number * places_; };
  for (std::size_t s = 0; s < steps_.steps.size(); s += ExpressionSteps::width) {
    const std::int32_t* const step = steps_.steps.data() + s;
    const bool number = step[0] == static_cast<int>(Kind::constant);
    do_step(step[0], number ? steps_.numbers[step[2]] : 0, at(number ? 0 : step[2]), at(step[3]), at(step[4]), at(step[1]), count);
  }
  return at(result_);
}

std::string expression_steps_text() {
  // Functions that backends may have in a form of their own for loops (docs/kernels.md).
  constexpr std::string_view in_loops[] = {"acos", "asin", "atan", "atan2", "cbrt", "cos", "cosh", "erf",
                                           "exp",  "log",  "pow",  "sin",   "sinh", "tan", "tanh"};
  std::string text =
      "// One step of an expression on CHUNK places at once (base/expression_steps.hpp).\n"
      "FUNCTION void do_step(const int operation, const scalar number, const scalar *a, const scalar *b, const scalar *c, "
      "scalar *to)\n{\n  switch (operation) {\n";
  const auto add = [&](int operation, std::string_view value) {
    text += fmt::format("  case {}: TOGETHER for (int i = 0; i < CHUNK; ++i) to[i] = {}; break;\n", operation, value);
  };
  const auto of_kind = [&](Kind kind, std::string_view value) { add(static_cast<int>(kind), value); };
  of_kind(Kind::constant, "number");
  of_kind(Kind::negate, "-a[i]");
  of_kind(Kind::add, "a[i] + b[i]");
  of_kind(Kind::subtract, "a[i] - b[i]");
  of_kind(Kind::multiply, "a[i] * b[i]");
  of_kind(Kind::divide, "a[i] / b[i]");
  of_kind(Kind::power, "MANY(pow)(a[i], b[i])");
  of_kind(Kind::less, "a[i] < b[i] ? 1.0 : 0.0");
  of_kind(Kind::less_equal, "a[i] <= b[i] ? 1.0 : 0.0");
  of_kind(Kind::greater, "a[i] > b[i] ? 1.0 : 0.0");
  of_kind(Kind::greater_equal, "a[i] >= b[i] ? 1.0 : 0.0");
  of_kind(Kind::equal, "a[i] == b[i] ? 1.0 : 0.0");
  of_kind(Kind::not_equal, "a[i] != b[i] ? 1.0 : 0.0");
  of_kind(Kind::choose, "a[i] != 0.0 ? b[i] : c[i]");
  add(first_product + 2, "ex_square(a[i])");
  add(first_product + 3, "ex_cube(a[i])");
  add(first_product + 4, "ex_fourth(a[i])");
  for (const std::string& name : expression_functions()) {
    const ExpressionFunction* const function = find_expression_function(name);
    if (!function) continue;  // if, which is a kind
    constexpr const char* arguments[] = {"", "a[i]", "a[i], b[i]", "a[i], b[i], c[i]"};
    const bool many = std::find(std::begin(in_loops), std::end(in_loops), name) != std::end(in_loops);
    const std::string called = many ? fmt::format("MANY({})", name) : fmt::format("ex_{}", name);
    add(function_operation(name), fmt::format("{}({})", called, arguments[function->fewest]));
  }
  return text + "  }\n}\n\n";
}

}  // namespace swell
