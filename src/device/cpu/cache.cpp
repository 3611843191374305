// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/cache.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "device/entry_lock.hpp"
#include "device/files.hpp"
#include "device/sha256.hpp"

#include <unistd.h>

#include <cctype>

namespace swell {
namespace {

constexpr std::size_t digest_digits = 64;
constexpr std::size_t name_digits = 16;
constexpr std::string_view seal_word = "swell-sha256:";

// A library ends with the digest of what is before it (loaders do not look behind the last section), so that one
// rename publishes both and a torn or damaged file is recognised.
std::string seal(std::string_view library) { return std::string(seal_word) + sha256(library); }

bool is_whole(const std::string& path) {
  const auto content = read_file(path);
  const std::size_t seal_bytes = seal_word.size() + digest_digits;
  if (!content || content->size() <= seal_bytes) return false;
  const std::string_view library(content->data(), content->size() - seal_bytes);
  return content->compare(library.size(), seal_bytes, seal(library)) == 0;
}

std::string file_word(std::string name) {
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_' && c != '.') c = '_';
  return name;
}

}  // namespace

KernelCache::KernelCache(std::string folder, Compiler compiler)
    : folder_(std::move(folder)), compiler_(std::move(compiler)) {}

KernelCache::Entry KernelCache::get(const std::string& name, const std::string& text, Precision precision,
                                    std::int64_t& compiles) const {
  std::string key = compiler_.path + "\n" + compiler_.version + "\n" + compiler_.machine + "\n";
  for (const std::string& option : compile_options(compiler_, precision)) key += option + "\n";
  const std::string stem = folder_ + "/" + file_word(name) + "-" + sha256(key + text).substr(0, name_digits);

  Entry entry{stem + ".so", stem + ".cpp"};
  if (is_whole(entry.library)) return entry;
  const EntryLock lock(entry.library);
  if (is_whole(entry.library)) return entry;  // another process made it meanwhile

  // Without locks two processes may both get here: they write the same content under names of their own, and the last rename
  // stays.
  write_file(entry.text, text);
  const std::string library = temporary_name(entry.library), log = stem + ".log";
  ++compiles;
  log_info("Compiling kernels: {} ({})", name, compiler_.path.substr(compiler_.path.rfind('/') + 1));
  run_compiler(compiler_, precision, name, entry.text, library, log);
  unlink(log.c_str());
  const auto content = read_file(library);
  unlink(library.c_str());
  if (!content)
    throw RunError("'{}' left no library for the kernels '{}', whose text is {}", compiler_.path, name, entry.text);
  write_file(entry.library, *content + seal(*content));
  return entry;
}

}  // namespace swell
