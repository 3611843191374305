// SPDX-License-Identifier: Apache-2.0
// The $words of a verification file: they are filled into its TOML, so that a number stays a number.
#include <algorithm>
#include <cctype>
#include <functional>
#include <utility>

#include "base/error.hpp"
#include "case/document.hpp"
#include "case/verify_file.hpp"

namespace swell {

namespace {

// Words may stand for texts with words in them, but not in a circle.
constexpr int deepest_words = 8;

class Words {
 public:
  Words(const VerifyWords& words, std::string file) : file_(std::move(file)) {
    for (const auto& [word, value] : words) {
      const CaseDocument parsed = parse_document("value = " + value, "$" + word);
      parsed.root.begin()->second.visit([&](const auto& node) { values_.insert_or_assign(word, node); });
    }
  }

  toml::table filled(const toml::table& table, int depth = 0) const {
    toml::table result;
    for (const auto& [name, value] : table)
      fill(value, depth, [&result, &name = name](const toml::node& filled) {
        filled.visit([&](const auto& node) { result.insert_or_assign(name, node); });
      });
    return result;
  }

 private:
  using Put = std::function<void(const toml::node&)>;

  void fill(const toml::node& value, int depth, const Put& put) const {
    if (const auto* const inside = value.as_table()) {
      put(filled(*inside, depth));
    } else if (const auto* const list = value.as_array()) {
      toml::array result;
      for (const toml::node& item : *list)
        fill(item, depth, [&](const toml::node& filled) { filled.visit([&](const auto& node) { result.push_back(node); }); });
      put(result);
    } else if (const auto* const text = value.as_string()) {
      fill_text(text->get(), depth, put);
    } else {
      put(value);
    }
  }

  // A text that is a single word becomes the word's value, of whatever kind; in longer ones numbers and texts are spelled out.
  void fill_text(const std::string& text, int depth, const Put& put) const {
    if (depth > deepest_words) throw InputError("The $words of {} stand for each other in a circle.", file_);
    const std::size_t first = text.find('$');
    if (first == std::string::npos) return put(toml::value<std::string>(text));
    if (first == 0 && end_of_word(text, 1) == text.size()) return fill(value_of(text.substr(1)), depth + 1, put);
    std::string result = text.substr(0, first);
    for (std::size_t i = first; i < text.size();) {
      const std::size_t end = end_of_word(text, i + 1), next = std::min(text.find('$', end), text.size());
      result += spelled(text.substr(i + 1, end - i - 1)) + text.substr(end, next - end);
      i = next;
    }
    fill_text(result, depth + 1, put);
  }

  static std::size_t end_of_word(const std::string& text, std::size_t at) {
    while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_')) ++at;
    return at;
  }

  const toml::node& value_of(const std::string& word) const {
    const toml::node* const found = values_.get(word);
    if (found == nullptr) throw InputError("{} uses ${}, which has no value in [let].", file_, word);
    return *found;
  }

  std::string spelled(const std::string& word) const {
    const toml::node& value = value_of(word);
    if (const auto* const text = value.as_string()) return text->get();
    if (const auto* const whole = value.as_integer()) return fmt::format("{}", whole->get());
    if (const auto* const real = value.as_floating_point()) return fmt::format("{}", real->get());
    throw InputError("{} uses ${} inside an expression, but it is {}, neither a number nor a text.", file_, word, shown_value(value));
  }

  toml::table values_;
  std::string file_;
};

}  // namespace

std::string case_text(const VerifyEntry& entry, const VerifySeries& series, int cells, Precision precision) {
  VerifyWords words = entry.words;
  for (const auto& [word, value] : series.words) words[word] = value;
  words["N"] = fmt::format("{}", cells);
  words["half"] = fmt::format("{}", cells / 2);
  words["twice"] = fmt::format("{}", 2 * cells);
  words["order"] = fmt::format("{}", series.order);
  words["element"] = fmt::format("\"{}\"", series.element);
  for (const auto& [word, value] : {std::pair{"tenth", 0.1 / cells}, {"cfl", series.cfl}})
    words[word] = printed_value(toml::value<double>(value));
  toml::table result = Words(words, entry.file).filled(parse_document(entry.sections, entry.file).root);
  if (precision == Precision::single_) merge_tables(result, toml::table{{"device", toml::table{{"precision", "single"}}}});
  return printed_value(result) + "\n";
}

Case case_of_row(const VerifyEntry& entry, const VerifySeries& series, int cells, Precision precision) {
  Case c = parse_case(case_text(entry, series, cells, precision), entry.file, {}, entry.folder);
  if (!c.sweep.keys.empty()) throw InputError("sweep in {} is not for verification: a series has lists of its own", entry.file);
  return c;
}

Case case_compared_with(const VerifyEntry& entry, const Case& row) {
  toml::table sections = parse_document(row.text, entry.file).root;
  merge_tables(sections, parse_document(entry.measure.against, entry.file).root);
  return parse_case(printed_value(sections), entry.file, {}, entry.folder);
}

}  // namespace swell
