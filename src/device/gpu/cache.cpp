// SPDX-License-Identifier: Apache-2.0
#include "device/gpu/cache.hpp"

#include "device/device.hpp"
#include "device/files.hpp"
#include "device/sha256.hpp"

#include <cctype>

namespace swell {
namespace {

constexpr std::size_t digest_digits = 64;
constexpr std::size_t name_digits = 16;

std::string file_word(std::string name) {
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_' && c != '.') c = '_';
  return name;
}

}  // namespace

BinaryCache::BinaryCache(std::string compiler, std::string text_extension, std::string binary_extension)
    : folder_(cache_folder()),
      compiler_(std::move(compiler)),
      text_extension_(std::move(text_extension)),
      binary_extension_(std::move(binary_extension)) {
  secure_folder(folder_);
}

BinaryCache::Entry BinaryCache::entry(const std::string& name, const std::string& text,
                                      const std::string& options) const {
  const std::string digest = sha256(compiler_ + "\n" + options + "\n" + text).substr(0, name_digits);
  const std::string stem = folder_ + "/" + file_word(name) + "-" + digest;
  return {stem + text_extension_, stem + binary_extension_, stem + ".log"};
}

// A file ends with the digest of what is before it, so that a torn or damaged one is recognised.
std::optional<std::string> BinaryCache::read(const Entry& entry) {
  auto content = read_file(entry.binary);
  if (!content || content->size() <= digest_digits) return {};
  const std::size_t size = content->size() - digest_digits;
  if (content->compare(size, digest_digits, sha256(std::string_view(*content).substr(0, size))) != 0) return {};
  content->resize(size);
  return content;
}

void BinaryCache::write(const Entry& entry, std::string_view binary) {
  write_file(entry.binary, std::string(binary) + sha256(binary));
}

}  // namespace swell
