// SPDX-License-Identifier: Apache-2.0
#include "io/checkpoint.hpp"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <optional>

#include "base/error.hpp"
#include "device/sha256.hpp"
#include "io/checkpoint_image.hpp"
#include "io/files.hpp"

namespace swell {

namespace fs = std::filesystem;

namespace {

// HDF5's own tools skip a block of this size in front of a file.
constexpr std::size_t head_bytes = 512;
constexpr std::string_view mark = "Swell checkpoint 1\nsha256 ";
constexpr std::size_t digest_digits = 64;

// The block in front: the mark, the digest and a line that tells people what the file is; zeros to its end.
std::string head_with(std::string_view digest) {
  std::string head = fmt::format("{}{}\nHDF5 behind byte {}; the digest is of the file with 64 zeros in its place.\n", mark,
                                 digest, head_bytes);
  head.resize(head_bytes, '\0');
  return head;
}

struct Whole {
  std::string image, fault;
};

// The content behind the head, or the reason why the file is not whole.
Whole load(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return {"", "it cannot be opened"};
  std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (bytes.size() < head_bytes || bytes.compare(0, mark.size(), mark) != 0) return {"", "it is not a checkpoint of swell"};
  const std::string digest = bytes.substr(mark.size(), digest_digits);
  bytes.replace(mark.size(), digest_digits, digest_digits, '0');
  if (sha256(bytes) != digest) return {"", "its digest does not fit: it was cut off or changed"};
  return {bytes.substr(head_bytes), ""};
}

std::optional<std::int64_t> step_of(const fs::path& file) {
  constexpr std::string_view front = "checkpoint-";
  const std::string name = file.stem().string();
  std::int64_t step = 0;
  if (file.extension() != ".h5" || !name.starts_with(front)) return {};
  const char *begin = name.data() + front.size(), *end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(begin, end, step);
  return error == std::errc() && stop == end && step >= 0 ? std::optional(step) : std::nullopt;
}

}  // namespace

bool has_checkpoints() { return has_images(); }

void write_checkpoint(const fs::path& file, const Checkpoint& checkpoint) {
  std::string bytes = head_with(std::string(digest_digits, '0')) + image_of(checkpoint);
  bytes.replace(mark.size(), digest_digits, sha256(bytes));
  safe_write(file, bytes);
}

Checkpoint read_checkpoint(const fs::path& file) {
  const Whole whole = load(file);
  if (!whole.fault.empty()) throw InputError("The checkpoint '{}' is not used: {}.", file.string(), whole.fault);
  return checkpoint_of(whole.image, file);
}

std::string fault_of_checkpoint(const fs::path& file) { return load(file).fault; }

fs::path checkpoint_name(std::int64_t step) { return fmt::format("checkpoint-{:09d}.h5", step); }

std::map<std::int64_t, fs::path> checkpoints_in(const fs::path& folder) {
  std::map<std::int64_t, fs::path> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none))
    if (const auto step = step_of(entry.path())) found.emplace(*step, entry.path());
  return found;
}

}  // namespace swell
