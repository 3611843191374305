// SPDX-License-Identifier: Apache-2.0
// One table of a case that the schema has passed: its values by name, with the words for their place. Private to the
// case's source files, as are the functions that read its parts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "case/case.hpp"
#include "case/document.hpp"

namespace swell {

class CaseSection {
 public:
  explicit CaseSection(const CaseDocument& document) : document_(&document), table_(&document.root) {}

  bool has(std::string_view name) const { return table_->contains(name); }
  const toml::table& table() const { return *table_; }
  // "model.order in cavity.toml"
  std::string place(std::string_view name) const { return document_->place(join_path(path_, name)); }
  std::string place() const { return document_->place(path_); }

  // The table under this name; empty where there is none.
  CaseSection section(std::string_view name) const;
  // The tables of the list under this name.
  std::vector<CaseSection> sections(std::string_view name) const;

  std::optional<std::string> text(std::string_view name) const;
  std::optional<double> real(std::string_view name) const;
  std::optional<std::int64_t> whole(std::string_view name) const;
  std::optional<bool> truth(std::string_view name) const;
  std::vector<double> reals(std::string_view name) const;
  std::vector<std::int64_t> wholes(std::string_view name) const;
  std::vector<bool> truths(std::string_view name) const;
  std::vector<std::string> words(std::string_view name) const;
  Formula formula(std::string_view name) const;

 private:
  CaseSection(const CaseDocument& document, const toml::table& table, std::string path)
      : document_(&document), table_(&table), path_(std::move(path)) {}

  const CaseDocument* document_;
  const toml::table* table_;
  std::string path_;
};

// Each fills its part of the case and throws InputError for what no single key can tell.
void read_mesh(const CaseSection& mesh, const std::filesystem::path& folder, Case& to);
void read_physics(const CaseSection& root, Case& to);
void read_samples(const CaseSection& root, Case& to);
void read_far_field(const CaseSection& root, Case& to);
// Throws InputError for a value that the model, which has been read, would ignore.
void check_unused(const CaseSection& root, const Case& c);

// 1 to 3 where the case itself tells, 0 where only the mesh file does.
int dimension_of(const Case& from);
// The vector scaled to length 1. `place` is for the message where all numbers are 0.
std::vector<double> normalised(std::vector<double> vector, const std::string& place);
// `numbers`, where given, must have as many entries as the mesh has dimensions.
void check_dimension(const Case& from, const std::vector<double>& numbers, const std::string& place);

}  // namespace swell
