// SPDX-License-Identifier: Apache-2.0
// Files that are either whole or not there: written under a temporary name, renamed when complete. Every failure is a
// RunError that names the file and what to do.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace swell {

// A file open for writing whose every operation is checked.
class OutputFile {
 public:
  // Creates or empties the file; messages call it `shown_as`, which differs while a temporary name is in use.
  OutputFile(const std::filesystem::path& path, std::filesystem::path shown_as);
  explicit OutputFile(const std::filesystem::path& path) : OutputFile(path, path) {}
  // Goes on behind the first `bytes` of a file that is there; throws InputError where it has fewer.
  static OutputFile behind(const std::filesystem::path& path, std::uint64_t bytes);
  ~OutputFile();
  OutputFile(OutputFile&& other) noexcept;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  OutputFile& operator=(OutputFile&&) = delete;

  void write(const void* data, std::size_t bytes);
  void write(std::string_view text) { write(text.data(), text.size()); }
  std::uint64_t position();
  void write_at(std::uint64_t position, const void* data, std::size_t bytes);  // then returns to the end
  void flush();
  void sync();  // flush(), and wait for the disk
  void close();
  bool is_open() const { return file_ != nullptr; }

 private:
  OutputFile(std::filesystem::path shown_as, std::FILE* file) : shown_(std::move(shown_as)), file_(file) {}
  [[noreturn]] void fail(int error) const;
  std::filesystem::path shown_;
  std::FILE* file_ = nullptr;
};

// Calls `writer` with a temporary file beside `path`, then renames it to `path`. Where anything throws, the temporary
// file is removed and an older `path` stays as it was.
void atomic_write(const std::filesystem::path& path, const std::function<void(OutputFile&)>& writer);
void atomic_write(const std::filesystem::path& path, std::string_view text);

// An atomic write for bytes that must outlive a power cut: they and the folder's entry have reached the disk when it returns.
void safe_write(const std::filesystem::path& path, std::string_view bytes);

// Removes the temporary files that programs killed in the middle of a write left in the folder.
void remove_unfinished(const std::filesystem::path& folder);

// Creates the folder and its parents; an existing folder must be writable.
void create_folder(const std::filesystem::path& folder);

// Why the operating system refused, as the end of a sentence: "the disk is full; free some space".
std::string reason(int error);

}  // namespace swell
