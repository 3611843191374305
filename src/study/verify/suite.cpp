// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/names.hpp"
#include "study/verify/verify.hpp"

namespace swell {

std::string_view verify_texts(std::string_view path);
std::string_view verify_texts_list();

namespace {

bool is_file(const std::string& name) { return name.ends_with(".toml"); }

// The shipped entries of these names.
std::vector<VerifyEntry> named_entries(const std::vector<std::string>& names) {
  std::vector<VerifyEntry> all = verify_entries();
  std::vector<std::string> known;
  for (const auto& entry : all) known.push_back(entry.name);
  const auto takes = [&](const std::string& name, const std::string& entry) {
    // A whole name is one case, also where others begin with it.
    const bool whole = std::find(known.begin(), known.end(), name) != known.end();
    return whole ? entry == name : entry.starts_with(name + "-");
  };
  for (const auto& name : names)
    if (std::none_of(known.begin(), known.end(), [&](const std::string& entry) { return takes(name, entry); }))
      throw InputError("There is no verification case '{}'{}.", name, name_hint(name, known));
  std::erase_if(all, [&](const VerifyEntry& entry) {
    return std::none_of(names.begin(), names.end(), [&](const std::string& name) { return takes(name, entry.name); });
  });
  return all;
}

}  // namespace

std::vector<VerifyEntry> verify_entries() {
  std::vector<VerifyEntry> all;
  for (std::string_view left = verify_texts_list(); !left.empty();) {
    const std::size_t end = left.find('\n');
    const std::string_view file = left.substr(0, end);
    for (VerifyEntry& entry : parse_verify_file(verify_texts(file), "verify/" + std::string(file))) all.push_back(std::move(entry));
    left.remove_prefix(end + 1);
  }
  return all;
}

std::vector<VerifyEntry> select_entries(const VerifyOptions& options) {
  const auto& names = options.names;
  std::vector<VerifyEntry> chosen;
  if (names.empty()) chosen = verify_entries();
  std::vector<std::string> shipped;
  std::copy_if(names.begin(), names.end(), std::back_inserter(shipped), [](const std::string& name) { return !is_file(name); });
  if (!shipped.empty()) chosen = named_entries(shipped);
  for (const std::string& name : names)
    if (is_file(name))
      for (VerifyEntry& entry : read_verify_file(name)) chosen.push_back(std::move(entry));
  const auto among = [](const auto& wanted, const auto& value) {
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), value) != wanted.end();
  };
  for (VerifyEntry& entry : chosen)
    std::erase_if(entry.series, [&](const VerifySeries& series) {
      return !among(options.elements, series.element) || !among(options.orders, series.order);
    });
  std::erase_if(chosen, [](const VerifyEntry& entry) { return entry.series.empty(); });
  if (chosen.empty())
    throw InputError("No verification case{} has this element and order together; `swell verify` runs all that there are.",
                     names.empty() ? "" : fmt::format(" of '{}'", fmt::join(names, "', '")));
  return chosen;
}

}  // namespace swell
