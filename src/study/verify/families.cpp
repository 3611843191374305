// SPDX-License-Identifier: Apache-2.0
#include "study/verify/families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace swell {

namespace {

void replace(std::string& text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("a case has no " + from);
  text.replace(at, from.size(), to);
}

}  // namespace

VerifyEntry with_ader(const std::vector<VerifyEntry>& entries, const std::string& name, const std::string& as,
                      const std::string& family) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e.name == name; });
  if (found == entries.end()) throw std::logic_error("there is no entry " + name);
  VerifyEntry entry = *found;
  entry.name = as;
  entry.about += fmt::format(", {} with ADER", family);
  replace(entry.text, "[model]", fmt::format("[model]\nfamily = \"{}\"", family));
  replace(entry.text, "[time]", "[time]\nscheme = \"ader\"");
  entry.series.clear();
  return entry;
}

std::vector<VerifySeries> at_full_step(std::vector<VerifySeries> all) {
  for (auto& series : all) series.cfl = 0.9;
  return all;
}

VerifySeries with(VerifySeries series, std::map<std::string, std::string> words) {
  series.words.merge(words);
  return series;
}

std::vector<VerifySeries> with(std::vector<VerifySeries> all, const std::map<std::string, std::string>& words) {
  for (auto& series : all) series = with(series, words);
  return all;
}

std::vector<VerifySeries> at_full_coefficients(std::vector<VerifySeries> all) {
  for (auto& series : all) series.words["m"] = std::to_string(series.order);
  return all;
}

VerifySeries in_single(VerifySeries series) {
  series.precision = Precision::single_;
  return series;
}

}  // namespace swell
