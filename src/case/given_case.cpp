// SPDX-License-Identifier: Apache-2.0
#include "case/given_case.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "case/case.hpp"
#include "case/document.hpp"

namespace swell {

GivenCase GivenCase::of_file(const std::filesystem::path& file) {
  return {read_case_text(file), file.string(), file.parent_path(), {}, {}};
}

void check_form(const GivenCase& given) {
  CaseDocument document = parse_document(given.text, given.name);
  for (const std::string& text : given.overrides) apply_override(document, text);
}

namespace {

// Other programs make one run at a time, and a loop of their own over many.
Case one_run(Case c) {
  if (!c.sweep.keys.empty())
    throw InputError("The case has a [sweep] of {} runs, which `swell run` makes: take the section out, and set {} for each run.",
                     c.sweep.values.size(), c.sweep.keys.front());
  return c;
}

}  // namespace

Case read_given(const GivenCase& given) {
  constexpr const char* model_name = "(given as text)";
  if (given.model.empty()) return one_run(parse_case(given.text, given.name, given.overrides, given.folder));
  std::vector<std::string> overrides = given.overrides;
  std::erase_if(overrides, [](const std::string& text) { return text.starts_with("model.name=") || text.starts_with("model.file="); });
  overrides.push_back(std::string("model.file=") + model_name);
  Case c = one_run(parse_case(given.text, given.name, overrides, given.folder));
  c.model_file = model_name;
  c.model_text = given.model;
  if (page_kind(given.model) != PageKind::hyperbolic)
    throw InputError("A model that is given as text must have a flux; write one of another kind into a file and name it by model.file.");
  return c;
}

}  // namespace swell
