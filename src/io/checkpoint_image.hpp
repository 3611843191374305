// SPDX-License-Identifier: Apache-2.0
// A checkpoint as the bytes of an HDF5 file, made and read in memory, so that the disk is written and checked in one place.
#pragma once

#include "io/checkpoint.hpp"

namespace swell {

// False where the build has no HDF5; the others then throw InputError.
bool has_images();
std::string image_of(const Checkpoint& checkpoint);
Checkpoint checkpoint_of(const std::string& image, const std::filesystem::path& file);

}  // namespace swell
