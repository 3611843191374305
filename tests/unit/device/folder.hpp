// SPDX-License-Identifier: Apache-2.0
// A kernel cache of a test's own, gone after it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "environment.hpp"

namespace swell {

class TemporaryCache {
 public:
  TemporaryCache() {
    std::string name = (std::filesystem::temp_directory_path() / "swell-device-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    variable_.emplace("SWELL_CACHE", folder_.string());
  }
  ~TemporaryCache() { std::filesystem::remove_all(folder_); }
  TemporaryCache(const TemporaryCache&) = delete;
  TemporaryCache& operator=(const TemporaryCache&) = delete;

  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
  std::optional<Environment> variable_;
};

}  // namespace swell
