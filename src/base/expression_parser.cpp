// SPDX-License-Identifier: Apache-2.0
// Recursive descent over the grammar
//   comparison = sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]
//   sum        = product {("+" | "-") product}
//   product    = unary {("*" | "/") unary}
//   unary      = ("-" | "+") unary | power
//   power      = primary ["^" unary]
//   primary    = number | name | name "(" comparison {"," comparison} ")" | "(" comparison ")"
// Constant parts are folded as they are met.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

#include "base/error.hpp"
#include "base/expression_tree.hpp"
#include "base/names.hpp"

namespace swell {

namespace {

using Node = Expression::Node;
using Kind = Node::Kind;
using Tree = std::shared_ptr<const Node>;

constexpr std::size_t longest_text = 10'000;
constexpr int deepest_nesting = 200;      // of brackets, signs and powers in the text, and of brackets in the C text
constexpr int highest_bessel_order = 50;  // kernels/shared/functions.h is accurate up to here

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

class Parser {
 public:
  Parser(std::string_view text, const std::vector<std::string>& variables, std::string_view where)
      : text_(text), variables_(variables), where_(where) {}

  Tree parse() {
    if (text_.size() > longest_text)
      throw InputError("{}: the expression has {} characters, more than the {} that are allowed", where_, text_.size(),
                       longest_text);
    skip_spaces();
    if (at_end()) throw InputError("{}: the expression is empty", where_);
    Tree result = comparison();
    if (!at_end()) fail_here("expected an operator before");
    check_brackets(*result);
    return result;
  }

 private:
  // Counts nested calls, so that no text can exhaust the stack.
  class Level {
   public:
    explicit Level(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > deepest_nesting) parser_.fail_deep();
    }
    ~Level() { --parser_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Parser& parser_;
  };

  Tree comparison() {
    const Level level(*this);
    const std::size_t begin = at_;
    Tree left = sum();
    const std::optional<Kind> kind = comparison_sign();
    if (!kind) return left;
    left = make(begin, *kind, {left, sum()});
    const std::size_t second = at_;
    if (comparison_sign()) fail(second, "comparisons cannot be chained");
    return left;
  }

  std::optional<Kind> comparison_sign() {
    if (take("<=")) return Kind::less_equal;
    if (take(">=")) return Kind::greater_equal;
    if (take("==")) return Kind::equal;
    if (take("!=")) return Kind::not_equal;
    if (take("<")) return Kind::less;
    if (take(">")) return Kind::greater;
    if (!at_end() && text_[at_] == '=') fail(at_, "unexpected '=', equality is written '=='");
    return std::nullopt;
  }

  Tree sum() {
    const std::size_t begin = at_;
    Tree left = product();
    while (true) {
      if (take("+"))
        left = make(begin, Kind::add, {left, product()});
      else if (take("-"))
        left = make(begin, Kind::subtract, {left, product()});
      else
        return left;
    }
  }

  Tree product() {
    const std::size_t begin = at_;
    Tree left = unary();
    while (true) {
      if (at_ + 1 < text_.size() && text_.substr(at_, 2) == "**")
        fail(at_, "unexpected '**', powers are written with '^'");
      if (take("*"))
        left = make(begin, Kind::multiply, {left, unary()});
      else if (take("/"))
        left = make(begin, Kind::divide, {left, unary()});
      else
        return left;
    }
  }

  Tree unary() {
    const std::size_t begin = at_;
    if (take("-")) return make(begin, Kind::negate, {deeper_unary()});
    if (take("+")) return deeper_unary();
    Tree base = primary();
    if (!take("^")) return base;
    return make(begin, Kind::power, {base, deeper_unary()});
  }

  Tree deeper_unary() {
    const Level level(*this);
    return unary();
  }

  Tree primary() {
    if (at_end()) fail(at_, "the expression ends where a number, a name or '(' is expected");
    const char c = text_[at_];
    if (is_digit(c) || c == '.') return number();
    if (is_letter(c)) return name();
    if (!take("(")) fail_here("expected a number, a name or '(' but found");
    Tree inside = comparison();
    if (!take(")")) fail_here("expected ')' but found");
    return inside;
  }

  Tree number() {
    const std::size_t begin = at_;
    double value = 0;
    const char* const end = text_.data() + text_.size();
    const auto [stop, error] = std::from_chars(text_.data() + begin, end, value);
    if (error == std::errc::invalid_argument) fail_here("expected a number but found");
    at_ = static_cast<std::size_t>(stop - text_.data());
    if (error != std::errc())
      fail(begin, fmt::format("the number '{}' is too large or too small", shown(text_.substr(begin, at_ - begin))));
    skip_spaces();
    return constant(value);
  }

  Tree name() {
    const std::size_t begin = at_;
    while (!at_end() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    skip_spaces();
    const bool called = !at_end() && text_[at_] == '(';
    const auto variable = std::find(variables_.begin(), variables_.end(), word);
    if (variable != variables_.end() || word == "pi" || word == "e") {
      if (called) fail(begin, fmt::format("'{}' is not a function", word));
      if (variable == variables_.end()) return constant(word == "pi" ? std::numbers::pi : std::numbers::e);
      auto node = std::make_shared<Node>();
      node->kind = Kind::variable;
      node->variable = static_cast<int>(variable - variables_.begin());
      return node;
    }
    const ExpressionFunction* const function = find_expression_function(word);
    if (function == nullptr && word != "if") fail_unknown(begin, word);
    if (!called) fail(begin, fmt::format("'{0}' is a function, write {0}(...)", word));
    return call(begin, word, function);
  }

  Tree call(std::size_t begin, std::string_view word, const ExpressionFunction* function) {
    std::vector<Tree> arguments;
    take("(");
    if (!take(")")) {
      do arguments.push_back(comparison());
      while (take(","));
      if (!take(")")) fail_here("expected ',' or ')' but found");
    }
    const int count = static_cast<int>(arguments.size());
    const int fewest = function ? function->fewest : 3, most = function ? function->most : 3;
    if (count < fewest || count > most) {
      const std::string wanted = fewest == most ? fmt::format("{}", fewest) : fmt::format("{} to {}", fewest, most);
      fail(begin, fmt::format("{}() takes {} argument{}, not {}", word, wanted, most == 1 ? "" : "s", count));
    }
    if (word == "jn" || word == "yn") check_bessel_order(begin, word, *arguments[0]);
    return make(begin, function ? Kind::call : Kind::choose, std::move(arguments), function);
  }

  void check_bessel_order(std::size_t begin, std::string_view word, const Node& order) const {
    const bool whole = order.kind == Kind::constant && order.value == std::floor(order.value);
    if (!whole || order.value < 0 || order.value > highest_bessel_order)
      fail(begin, fmt::format("the first argument of {}() must be a constant whole number from 0 to {}", word,
                              highest_bessel_order));
  }

  static Tree constant(double value) {
    auto node = std::make_shared<Node>();
    node->value = value;
    return node;
  }

  Tree make(std::size_t begin, Kind kind, std::vector<Tree> children,
            const ExpressionFunction* function = nullptr) const {
    auto node = std::make_shared<Node>();
    node->kind = kind;
    node->children = std::move(children);
    node->function = function;
    if (!std::all_of(node->children.begin(), node->children.end(),
                     [](const Tree& c) { return c->kind == Kind::constant; }))
      return node;
    const double value = node->evaluate(nullptr);
    if (!std::isfinite(value)) {
      std::string_view part = text_.substr(begin, at_ - begin);
      while (part.ends_with(' ')) part.remove_suffix(1);
      fail(begin, fmt::format("'{}' has no finite value", shown(part)));
    }
    return constant(value);
  }

  void check_brackets(const Node& root) const {
    std::string c_text;
    root.write(c_text, variables_, nullptr);
    int depth = 0;
    for (const char c : c_text) {
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (depth > deepest_nesting) fail_deep();
    }
  }

  bool at_end() const { return at_ >= text_.size(); }

  void skip_spaces() {
    while (!at_end() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r')) ++at_;
  }

  bool take(std::string_view sign) {
    if (!text_.substr(std::min(at_, text_.size())).starts_with(sign)) return false;
    at_ += sign.size();
    skip_spaces();
    return true;
  }

  [[noreturn]] void fail(std::size_t at, std::string_view what) const {
    throw InputError("{}, column {} of the expression: {}", where_, at + 1, what);
  }
  [[noreturn]] void fail_deep() const {
    throw InputError("{}: the expression is nested more than {} levels deep", where_, deepest_nesting);
  }

  // Names the whole word or the one sign at this place.
  [[noreturn]] void fail_here(std::string_view what) const {
    if (at_end()) fail(at_, fmt::format("{} the end", what));
    std::size_t end = at_ + 1;
    if (is_letter(text_[at_]) || is_digit(text_[at_]))
      while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    else
      while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) ++end;
    fail(at_, fmt::format("{} '{}'", what, shown(text_.substr(at_, end - at_))));
  }

  [[noreturn]] void fail_unknown(std::size_t at, std::string_view word) const {
    std::vector<std::string> known = variables_;
    known.insert(known.end(), {"pi", "e"});
    std::vector<std::string> all = known;
    all.insert(all.end(), expression_functions().begin(), expression_functions().end());
    const std::string nearest = nearest_name(word, all);
    fail(at, fmt::format("unknown name '{}'{}", shown(word), name_hint(word, nearest.empty() ? known : all)));
  }

  std::string_view text_;
  const std::vector<std::string>& variables_;
  std::string_view where_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::shared_ptr<const Expression::Node> parse_expression(std::string_view text,
                                                         const std::vector<std::string>& variables,
                                                         std::string_view where) {
  return Parser(text, variables, where).parse();
}

}  // namespace swell
