// SPDX-License-Identifier: Apache-2.0
#include "device/entry_lock.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <functional>

namespace swell {

// All entries of a folder share one file, of which each locks a byte of its own; closing it, also by dying, lets go.
EntryLock::EntryLock(const std::string& path) {
  const std::filesystem::path entry(path);
  file_ = open((entry.parent_path() / ".locks").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file_ < 0) return;
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = static_cast<off_t>(std::hash<std::string>()(entry.filename().string()) & INT32_MAX);
  lock.l_len = 1;
  while (fcntl(file_, F_OFD_SETLKW, &lock) != 0 && errno == EINTR) {
  }
}

EntryLock::~EntryLock() {
  if (file_ >= 0) close(file_);
}

}  // namespace swell
