// SPDX-License-Identifier: Apache-2.0
#include "io/files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.hpp"

namespace swell {

namespace fs = std::filesystem;

std::string reason(int error) {
  switch (error) {
    case ENOSPC: return "the disk is full; free some space or choose another output folder";
    case EDQUOT: return "the disk quota is used up; free some space or choose another output folder";
    case EACCES:
    case EPERM: return "no permission; choose another output folder or change its permissions";
    case EROFS: return "the file system is read-only; choose another output folder";
    case ENOENT: return "its folder does not exist";
    case ENOTDIR: return "a file stands where a folder should be; remove it or choose another output folder";
    case EISDIR: return "a folder of that name is in the way; remove it or choose another output folder";
    case EFBIG:
      return "it would grow beyond the largest size that the file system or the user's limit (ulimit -f) allows";
    case EMFILE:
    case ENFILE: return "too many files are open; raise the limit (ulimit -n) or use fewer receivers";
    default: return std::strerror(error);
  }
}

OutputFile::OutputFile(const fs::path& path, fs::path shown_as) : shown_(std::move(shown_as)) {
  file_ = std::fopen(path.c_str(), "wb");
  if (!file_) fail(errno);
}

OutputFile::~OutputFile() {
  if (file_) std::fclose(file_);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : shown_(std::move(other.shown_)), file_(std::exchange(other.file_, nullptr)) {}

void OutputFile::fail(int error) const {
  throw RunError("The file '{}' cannot be written: {}.", shown_.string(), reason(error));
}

void OutputFile::write(const void* data, std::size_t bytes) {
  if (bytes > 0 && std::fwrite(data, 1, bytes, file_) != bytes) fail(errno);
}

std::uint64_t OutputFile::position() {
  const off_t position = ftello(file_);
  if (position < 0) fail(errno);
  return static_cast<std::uint64_t>(position);
}

OutputFile OutputFile::behind(const fs::path& path, std::uint64_t bytes) {
  OutputFile file(path, std::fopen(path.c_str(), "r+b"));
  if (!file.file_) file.fail(errno);
  if (fseeko(file.file_, 0, SEEK_END) != 0) file.fail(errno);
  if (file.position() < bytes)
    throw InputError("The file '{}' is shorter than when the checkpoint was written; remove it to begin a new one.",
                     path.string());
  if (ftruncate(fileno(file.file_), static_cast<off_t>(bytes)) != 0 || fseeko(file.file_, 0, SEEK_END) != 0) file.fail(errno);
  return file;
}

void OutputFile::write_at(std::uint64_t position, const void* data, std::size_t bytes) {
  if (fseeko(file_, static_cast<off_t>(position), SEEK_SET) != 0) fail(errno);
  write(data, bytes);
  if (fseeko(file_, 0, SEEK_END) != 0) fail(errno);
}

void OutputFile::flush() {
  if (std::fflush(file_) != 0) fail(errno);
}

void OutputFile::sync() {
  flush();
  if (fsync(fileno(file_)) != 0) fail(errno);
}

void OutputFile::close() {
  // Some file systems report a full disk only here.
  if (file_ && std::fclose(std::exchange(file_, nullptr)) != 0) fail(errno);
}

namespace {

constexpr std::string_view unfinished = ".part";

// Removes the temporary file unless it has been renamed.
struct Temporary {
  fs::path path;
  bool renamed = false;
  ~Temporary() {
    std::error_code ignored;
    if (!renamed) fs::remove(path, ignored);
  }
};

fs::path existing_parent(fs::path folder) {
  std::error_code ignored;
  while (!folder.empty() && !fs::exists(folder, ignored) && folder != folder.parent_path())
    folder = folder.parent_path();
  return folder;
}

}  // namespace

void atomic_write(const fs::path& path, const std::function<void(OutputFile&)>& writer) {
  // The process number keeps apart two runs that write the same file.
  Temporary temporary{path.parent_path() / fmt::format(".{}.{}{}", path.filename().string(), getpid(), unfinished)};
  {
    OutputFile file(temporary.path, path);
    writer(file);
    file.close();
  }
  if (std::rename(temporary.path.c_str(), path.c_str()) != 0)
    throw RunError("The file '{}' cannot be written: {}.", path.string(), reason(errno));
  temporary.renamed = true;
}

void atomic_write(const fs::path& path, std::string_view text) {
  atomic_write(path, [&](OutputFile& file) { file.write(text); });
}

void safe_write(const fs::path& path, std::string_view bytes) {
  atomic_write(path, [&](OutputFile& file) {
    file.write(bytes);
    file.sync();
  });
  const int folder = open(path.has_parent_path() ? path.parent_path().c_str() : ".", O_RDONLY | O_DIRECTORY);
  const bool kept = folder >= 0 && fsync(folder) == 0;
  const int why = errno;
  if (folder >= 0) ::close(folder);
  if (!kept) throw RunError("The file '{}' cannot be written: {}.", path.string(), reason(why));
}

void remove_unfinished(const fs::path& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().filename().string().starts_with('.') && entry.path().extension() == unfinished)
      fs::remove(entry.path(), ignored);
}

void create_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error && !fs::is_directory(folder, error)) error = std::make_error_code(std::errc::not_a_directory);
  if (!error && faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) != 0)
    error = {errno, std::generic_category()};
  if (!error) return;
  const fs::path obstacle = existing_parent(folder);
  std::error_code ignored;
  if (!obstacle.empty() && !fs::is_directory(obstacle, ignored))
    throw RunError(
        "The output folder '{}' cannot be created: the file '{}' is in the way; remove it or choose "
        "another folder.",
        folder.string(), obstacle.string());
  throw RunError("The output folder '{}' cannot be used: {}.", folder.string(), reason(error.value()));
}

}  // namespace swell
