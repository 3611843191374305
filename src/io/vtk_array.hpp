// SPDX-License-Identifier: Apache-2.0
// One array of the appended section of a VTK XML file, written piece by piece.
//
// Raw form: the number of bytes, then the bytes. Compressed form (vtkZLibDataCompressor): [number of blocks, bytes of a
// block, bytes of a last partial block or 0, compressed bytes of each block], then the blocks; all numbers UInt64.
#pragma once

#include <cstdint>
#include <vector>

#include "io/files.hpp"

namespace swell {

// Uncompressed bytes gathered before they are compressed and written; a writer takes the memory of a few of these.
inline constexpr std::size_t vtk_block_bytes = 1 << 18;

class VtkArrayWriter {
 public:
  // Announces `total` bytes; level is zlib's, 0 for the raw form. Sizes are known at the end: room is left for them.
  VtkArrayWriter(OutputFile& file, int level, std::uint64_t total);
  void put(const void* data, std::size_t bytes);
  void finish();

 private:
  void write_block();

  OutputFile& file_;
  int level_;
  std::uint64_t total_, start_, written_ = 0;
  std::vector<std::uint64_t> head_;
  std::vector<std::uint8_t> block_, packed_;
};

}  // namespace swell
