// SPDX-License-Identifier: Apache-2.0
#include "pages.hpp"

#include <fmt/format.h>

namespace swell {

Model load_page(const std::string& name, int dim) {
  if (name == "euler") return load_model(name, dim);
  return load_model_file(SWELL_SOURCE_DIR "/tests/data/models/" + name + ".h", dim);
}

const ModelProbe& probe_of_page(const std::string& name, int dim) {
  static std::map<std::string, std::unique_ptr<ModelProbe>> all;
  auto& found = all[name + std::to_string(dim)];
  if (!found) found = std::make_unique<ModelProbe>(load_page(name, dim), test_device());
  return *found;
}

namespace {

// Near this state every page of the tests has a meaning, with all values within 0.15 of it.
double middle(const Model& model, int field) {
  const std::string& name = model.fields[static_cast<std::size_t>(field)];
  return name == "rho" ? 1 : name == "E" ? 2.5 : name == "u" ? 0.4 : 0.1;
}

}  // namespace

Problem page_problem(const Mesh& mesh, const std::string& name, int order, Random& random) {
  Problem p;
  p.mesh = &mesh;
  p.model = load_page(name, mesh.dim);
  p.order = order;
  p.flux = FluxKind::rusanov;
  for (std::size_t r = 0; r < mesh.regions.size(); ++r) {
    auto& region = p.material.emplace_back();
    for (const auto& parameter : p.model.material)
      region.emplace_back(parameter.value + random.between(-0.2, 0.2));
  }
  std::vector<BoundarySpec> kinds;
  for (const auto& kind : p.model.boundaries) {
    kinds.emplace_back().name = kind.name;
    // Near the variables of that state.
    for (const auto& given : kind.parameters)
      kinds.back().data.push_back(parse(fmt::format("{} + 0.1*sin(x + y + t)", given.name == "rho" || given.name == "p" ? 1 : 0.1)));
  }
  BoundarySpec& dirichlet = kinds.emplace_back();
  dirichlet.kind = BoundarySpec::Kind::dirichlet;
  for (std::size_t f = 0; f < p.model.fields.size(); ++f)
    dirichlet.data.push_back(parse(fmt::format("{} + 0.1*sin(x + 2*y - z + t + {})", middle(p.model, static_cast<int>(f)), f)));
  for (int side = 0; side <= 2 * mesh.dim; ++side) p.boundary.push_back(kinds[side % kinds.size()]);
  return p;
}

State page_state(const Problem& problem, int nodes, Random& random) {
  State all;
  const auto fields = static_cast<int>(problem.model.fields.size());
  for (std::int64_t cell = 0; cell < problem.mesh->cell_count(); ++cell) {
    all.push_back(random.matrix(nodes, fields, -0.15, 0.15));
    for (int f = 0; f < fields; ++f) all.back().col(f).array() += middle(problem.model, f);
  }
  return all;
}

}  // namespace swell
