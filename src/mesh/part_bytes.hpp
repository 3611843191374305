// SPDX-License-Identifier: Apache-2.0
// A mesh as bytes, for the rank that reads it to send others their parts.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "mesh/mesh.hpp"

namespace swell {

std::vector<std::byte> bytes_of(const Mesh& mesh);
Mesh mesh_of_bytes(std::span<const std::byte> bytes);

}  // namespace swell
