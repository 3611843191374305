// SPDX-License-Identifier: Apache-2.0
#include "io/vtk_array.hpp"

#include <zlib.h>

#include <algorithm>

#include "base/error.hpp"

namespace swell {

VtkArrayWriter::VtkArrayWriter(OutputFile& file, int level, std::uint64_t total)
    : file_(file), level_(level), total_(total), start_(file.position()) {
  const std::uint64_t blocks = (total + vtk_block_bytes - 1) / vtk_block_bytes;
  if (level > 0)
    head_ = {blocks, vtk_block_bytes, total % vtk_block_bytes};
  else
    head_ = {total};
  const std::vector<std::uint64_t> room(level > 0 ? 3 + blocks : 1, 0);
  file.write(room.data(), room.size() * sizeof(std::uint64_t));
  block_.reserve(vtk_block_bytes);
}

void VtkArrayWriter::put(const void* data, std::size_t bytes) {
  const auto* next = static_cast<const std::uint8_t*>(data);
  while (bytes > 0) {
    const std::size_t part = std::min(bytes, vtk_block_bytes - block_.size());
    block_.insert(block_.end(), next, next + part);
    next += part;
    bytes -= part;
    if (block_.size() == vtk_block_bytes) write_block();
  }
}

void VtkArrayWriter::finish() {
  if (!block_.empty()) write_block();
  if (written_ != total_) throw RunError("A .vtu array has {} bytes where {} were announced.", written_, total_);
  file_.write_at(start_, head_.data(), head_.size() * sizeof(std::uint64_t));
}

void VtkArrayWriter::write_block() {
  written_ += block_.size();
  if (level_ > 0) {
    uLongf size = compressBound(block_.size());
    packed_.resize(size);
    if (compress2(packed_.data(), &size, block_.data(), block_.size(), level_) != Z_OK)
      throw RunError("zlib could not compress a block of {} bytes at level {}.", block_.size(), level_);
    file_.write(packed_.data(), size);
    head_.push_back(size);
  } else {
    file_.write(block_.data(), block_.size());
  }
  block_.clear();
}

}  // namespace swell
