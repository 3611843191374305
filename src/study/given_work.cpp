// SPDX-License-Identifier: Apache-2.0
#include "study/given_work.hpp"

#include <mutex>
#include <sstream>

#include "base/log_capture.hpp"
#include "case/case.hpp"
#include "case/document.hpp"
#include "sim/run.hpp"

namespace swell {

namespace {

CaseDocument document_of(const GivenCase& given) {
  CaseDocument document = parse_document(given.text, given.name);
  for (const std::string& text : given.overrides) apply_override(document, text);
  return document;
}

}  // namespace

std::string keys_of(const GivenCase& given) {
  const CaseDocument document = document_of(given);
  std::ostringstream json;
  json << toml::json_formatter(document.root);
  return json.str();
}

std::string text_of(const GivenCase& given) {
  const CaseDocument document = document_of(given);
  std::ostringstream text;
  text << document.root << '\n';
  return text.str();
}

Plan plan_given(const GivenCase& given) {
  std::vector<std::string> said;
  const LogCapture capture(said);
  const Case c = read_given(given);
  const auto device = open_device(c.backend);
  return plan_case(c, *device);
}

int run_given(const GivenCase& given, const std::filesystem::path& folder, bool quiet) {
  static std::mutex one_at_a_time;  // a run owns the log of the process and its signals
  const std::lock_guard lock(one_at_a_time);
  Case c = read_given(given);
  if (!folder.empty()) c.output_folder = folder;
  return run_case(c, {.quiet = quiet});
}

std::filesystem::path folder_of(const GivenCase& given) { return read_given(given).output_folder; }

}  // namespace swell
