// SPDX-License-Identifier: Apache-2.0
// The TOML behind a case while it is being read: what was written, what was overridden, and the words for each place
// in it. Private to the case's source files.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>
#include <vector>

#include "case/case.hpp"
#include "case/schema.hpp"

namespace swell {

struct CaseDocument {
  toml::table root;
  std::string name;                     // the file, as messages call it
  std::vector<std::string> overridden;  // paths set by -D
  std::vector<std::string> swept = {};  // paths set by [sweep]

  // "model.order in cavity.toml", "model.order given by -D".
  std::string place(std::string_view path) const { return std::string(path) + " " + origin(path); }
  std::string origin(std::string_view path) const;
};

// Parses the text; throws InputError with line and column for what is no TOML.
CaseDocument parse_document(std::string_view text, const std::string& name);

// Sets "key=value" in the document, as -D or [sweep] asks.
enum class Override : unsigned char { command, sweep };
void apply_override(CaseDocument& document, std::string_view override_text, Override by = Override::command);

// Removes [sweep] from the document and returns the runs that it asks for. Throws InputError where they are none or too many.
SweepCase take_sweep(CaseDocument& document);

// Every key known, every value of its kind, nothing required missing; throws InputError for the first that is not so.
void check_document(const CaseDocument& document);
// Checks the keys that a verification file has beside its case.
void check_verify_document(const CaseDocument& document);

// `parent` and `name` as one path; a name that is no bare word stands in quotes.
std::string join_path(std::string_view parent, std::string_view name);

// A value as it would be written, short enough for a message.
std::string shown_value(const toml::node& value);

// A value as TOML.
std::string printed_value(const toml::node& value);

// Tables inside tables are merged key by key; other values of `from` take the place of those in `to`.
void merge_tables(toml::table& to, const toml::table& from);

// A TOML number, whole or not.
double number_of(const toml::node& value);

}  // namespace swell
