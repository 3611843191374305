// SPDX-License-Identifier: Apache-2.0
// Writes a mesh as a Gmsh file: version 2.2 or 4.1, text or binary, curved cells, groups and periodic sides included.
#pragma once

#include <filesystem>
#include <string>

#include "mesh/mesh.hpp"

namespace swell {

struct GmshFormat {
  int version = 4;  // 2: 2.2, 4: 4.1
  bool binary = false;
  bool swap_bytes = false;  // binary numbers in the order of the other kind of processor
  int size_bytes = 8;       // of counts in binary files of version 4.1: 4 or 8
};

std::string gmsh_bytes(const Mesh& mesh, const GmshFormat& format);
void write_gmsh(const Mesh& mesh, const std::filesystem::path& file, const GmshFormat& format = {});

}  // namespace swell
