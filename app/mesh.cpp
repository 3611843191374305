// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "app/commands.hpp"
#include "mesh/report.hpp"
#include "mesh/sources.hpp"

namespace swell {

Command mesh_command() {
  Command command{"mesh", "Describes a mesh: counts, groups, quality, curvature, errors"};
  auto file = std::make_shared<std::string>();
  command.option("file", *file, "A Gmsh file").required();
  command.run = [=](const Given&) {
    fmt::print("{}", describe(read_gmsh(*file)));
    return 0;
  };
  return command;
}

}  // namespace swell
