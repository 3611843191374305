// SPDX-License-Identifier: Apache-2.0
#include "base/set_up_phase.hpp"
#include "mesh/gmsh/contents.hpp"
#include "mesh/gmsh/program.hpp"
#include "mesh/sources.hpp"

namespace swell {

Mesh read_gmsh(const std::filesystem::path& file) {
  const SetUpPhase phase("reading " + file.string());
  std::string bytes = file.extension() == ".geo" ? gmsh::mesh_geometry(file) : gmsh::read_bytes(file);
  gmsh::Contents contents = gmsh::parse(file.string(), bytes);
  std::string().swap(bytes);
  return gmsh::build(std::move(contents));
}

}  // namespace swell
