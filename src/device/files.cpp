// SPDX-License-Identifier: Apache-2.0
#include "device/files.hpp"

#include "base/error.hpp"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>

namespace swell {

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  std::string content((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (file.bad()) return {};
  return content;
}

std::string temporary_name(const std::string& path) {
  static std::atomic<int> count{0};
  return fmt::format("{}.{}.{}.tmp", path, getpid(), count++);
}

void write_file(const std::string& path, std::string_view content) {
  const std::string temporary = temporary_name(path);
  std::ofstream file(temporary, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  if (!file) {
    const std::string why = strerror(errno);
    unlink(temporary.c_str());
    throw RunError("'{}' cannot be written in the kernel cache: {}; make room there or set SWELL_CACHE to another "
                   "folder", path, why);
  }
  rename_file(temporary, path);
}

void rename_file(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) == 0) return;
  const std::string why = strerror(errno);
  unlink(from.c_str());
  throw RunError("'{}' cannot be written in the kernel cache: {}", to, why);
}

void secure_folder(const std::string& folder) {
  for (std::size_t end = folder.find('/', 1);; end = folder.find('/', end + 1)) {
    const std::string part = folder.substr(0, end);
    if (mkdir(part.c_str(), 0700) != 0 && errno != EEXIST)
      throw RunError("the kernel cache '{}' cannot be created: {}: {}; set SWELL_CACHE to a folder of your own", folder,
                     part, strerror(errno));
    if (end == std::string::npos) break;
  }
  struct stat about;
  if (stat(folder.c_str(), &about) != 0)
    throw RunError("the kernel cache '{}' cannot be used: {}; set SWELL_CACHE to a folder of your own", folder,
                   strerror(errno));
  if (!S_ISDIR(about.st_mode))
    throw RunError("the kernel cache '{}' is not a folder; set SWELL_CACHE to a folder of your own", folder);
  if (about.st_uid != geteuid())
    throw RunError("the kernel cache '{}' belongs to another user, who could put code into this run; set SWELL_CACHE "
                   "to a folder of your own", folder);
  if (about.st_mode & (S_IWGRP | S_IWOTH))
    throw RunError("the kernel cache '{}' can be written by others, who could put code into this run; take their "
                   "right away (chmod go-w) or set SWELL_CACHE to a folder of your own", folder);
}

}  // namespace swell
