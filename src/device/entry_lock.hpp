// SPDX-License-Identifier: Apache-2.0
// One process at a time makes an entry of the kernel cache: among many ranks that start together one compiles, and the others
// wait for its result.
#pragma once

#include <string>

namespace swell {

class EntryLock {
 public:
  // Waits until no other process holds the lock of this path. On a file system without locks nobody waits: entries are written
  // whole, so that making one twice costs time and nothing else.
  explicit EntryLock(const std::string& path);
  ~EntryLock();
  EntryLock(const EntryLock&) = delete;
  EntryLock& operator=(const EntryLock&) = delete;

 private:
  int file_ = -1;
};

}  // namespace swell
