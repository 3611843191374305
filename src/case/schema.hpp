// SPDX-License-Identifier: Apache-2.0
// Every key of a case file in one table: where it stands, what it holds, what it means. Cases are checked against it,
// and the reference documentation is made from it.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace swell {

enum class KeyKind : unsigned char {
  table,
  tables,  // [[...]]; the keys of one stand at "name[].key"
  text,
  choice,   // one of a few words
  whole,    // a whole number
  real,     // a number
  truth,    // true or false
  formula,  // a number, or an expression in quotes
  reals,    // lists
  wholes,
  truths,
  words,  // a text or a list of texts
  values,  // a list of anything
  formula_or_table,
  text_or_table,
  words_or_table,
};

// The limits of numbers and of the lengths of lists.
struct KeyLimits {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  bool above = false;        // low itself is excluded
  int fewest = 1, most = 3;  // of a list
};

struct KeyRules {
  std::string_view standard = {};  // the default as it would be written, or in words; empty: none
  KeyLimits limits = {};
  std::string_view choices = {};  // "upwind central rusanov"
  std::string_view later = {};    // words that later versions take; "*": the whole key
  bool required = false;
};

struct SchemaKey {
  std::string_view path;  // "model.order"; "*" stands for any name, "[]" for one of the tables of a list
  KeyKind kind = KeyKind::table;
  std::string_view help;  // one line
  KeyRules rules = {};
};

// Keys of which a case gives one; `needed` ones must be there, the others have a default.
struct SchemaAlternatives {
  std::vector<std::string_view> paths;
  bool needed;
  std::string_view why;  // completes "give one of them to say"
};

std::span<const SchemaKey> schema();
std::span<const SchemaAlternatives> schema_alternatives();
// The keys that a verification file has beside those of a case.
std::span<const SchemaKey> verify_schema();

// The entry for `name` inside the table at schema path `parent` ("" is the root), or nullptr.
const SchemaKey* find_schema_key(std::string_view parent, std::string_view name, std::span<const SchemaKey> among = schema());
// The names that the table at `parent` knows, without "*", in the order of the table.
std::vector<std::string> schema_names(std::string_view parent, std::span<const SchemaKey> among = schema());
// The paths of all keys whose last word is `name`.
std::vector<std::string> schema_paths_ending(std::string_view name, std::span<const SchemaKey> among = schema());

// "a whole number from 1 to 12", as in "model.order must be ...".
std::string expectation(const SchemaKey& key);
std::vector<std::string> split_words(std::string_view words);

}  // namespace swell
