// SPDX-License-Identifier: Apache-2.0
// Checkpoints as files: arrays of numbers and a text that says what they are, in HDF5, with a digest over every byte in front.
// Written beside the older ones and renamed when they are safely on the disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace swell {

struct StoredArray {
  std::vector<std::uint64_t> shape;
  std::vector<double> values;
  bool single = false;  // kept in 4 bytes each
};

struct Checkpoint {
  std::string about;  // JSON
  std::map<std::string, StoredArray> arrays;
};

// True where this build can write and read checkpoints.
bool has_checkpoints();
// Throws RunError where the disk refuses; an older file of the same name is then as it was.
void write_checkpoint(const std::filesystem::path& file, const Checkpoint& checkpoint);
// Throws InputError, with the words why, for a file that is missing, foreign, cut off or changed in any bit.
Checkpoint read_checkpoint(const std::filesystem::path& file);
// Why a file is no whole checkpoint; empty where it is one.
std::string fault_of_checkpoint(const std::filesystem::path& file);

// checkpoint-000000120.h5 for step 120.
std::filesystem::path checkpoint_name(std::int64_t step);
// The checkpoints of a folder by their step, whole or not.
std::map<std::int64_t, std::filesystem::path> checkpoints_in(const std::filesystem::path& folder);

}  // namespace swell
