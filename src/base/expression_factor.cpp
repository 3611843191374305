// SPDX-License-Identifier: Apache-2.0
// Expressions as products of a function of one variable and a function of the others.
#include "base/expression_tree.hpp"

namespace swell {

namespace {

using Node = Expression::Node;
using Kind = Node::Kind;
using Pointer = std::shared_ptr<const Node>;

struct Factors {
  Pointer alone, rest;
};

Pointer make(Kind kind, std::vector<Pointer> children) {
  auto node = std::make_shared<Node>();
  node->kind = kind;
  node->children = std::move(children);
  return node;
}

Pointer one() {
  auto node = std::make_shared<Node>();
  node->value = 1;
  return node;
}

bool is_one(const Pointer& node) { return node->kind == Kind::constant && node->value == 1; }

Pointer joined(Kind kind, const Pointer& a, const Pointer& b) {
  if (is_one(b)) return a;
  if (is_one(a) && kind == Kind::multiply) return b;
  return make(kind, {a, b});
}

bool uses_others(const Node& node, int variable, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (static_cast<int>(i) != variable && node.uses(static_cast<int>(i))) return true;
  return false;
}

std::optional<Factors> factors(const Pointer& node, int variable, std::size_t count) {
  if (!node->uses(variable)) return Factors{one(), node};
  if (!uses_others(*node, variable, count)) return Factors{node, one()};
  const auto child = [&](std::size_t i) { return factors(node->children[i], variable, count); };
  if (node->kind == Kind::negate) {
    auto inner = child(0);
    if (inner) inner->rest = make(Kind::negate, {inner->rest});
    return inner;
  }
  if ((node->kind != Kind::multiply && node->kind != Kind::divide) || node->children.size() != 2) return std::nullopt;
  const auto left = child(0), right = child(1);
  if (!left || !right) return std::nullopt;
  return Factors{joined(node->kind, left->alone, right->alone), joined(node->kind, left->rest, right->rest)};
}

}  // namespace

std::optional<std::pair<Expression, Expression>> Expression::separated(std::string_view variable) const {
  int which = -1;
  for (std::size_t i = 0; i < variables_.size(); ++i)
    if (variables_[i] == variable) which = static_cast<int>(i);
  const auto found = factors(root_, which, variables_.size());
  if (!found) return std::nullopt;
  std::pair<Expression, Expression> result{*this, *this};
  result.first.root_ = found->alone;
  result.second.root_ = found->rest;
  return result;
}

}  // namespace swell
