// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "app/commands.hpp"
#include "mesh/report.hpp"
#include "mesh/sources.hpp"

namespace swell {

void add_mesh(CLI::App& app, int&) {
  auto* command = app.add_subcommand("mesh", "What is in a mesh: counts, groups, quality, curvature, errors");
  auto file = std::make_shared<std::string>();
  command->add_option("file", *file, "A Gmsh file")->required();
  command->callback([=] { fmt::print("{}", describe(read_gmsh(*file))); });
}

}  // namespace swell
