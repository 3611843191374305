// SPDX-License-Identifier: Apache-2.0
// Meshing a .geo file with the gmsh program, where it is installed.
#pragma once

#include <filesystem>
#include <string>

namespace swell::gmsh {

// The bytes of the .msh file that gmsh makes of it. Throws InputError where gmsh is missing or fails.
std::string mesh_geometry(const std::filesystem::path& geo);
// The bytes of a regular file. Throws InputError where it cannot be read.
std::string read_bytes(const std::filesystem::path& file);

}  // namespace swell::gmsh
