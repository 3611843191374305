// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/names.hpp"
#include "sim/heat/heat.hpp"

namespace swell {

namespace {

Expression parsed(const Formula& formula) { return Expression::parse(formula.text, heat_variables, formula.key); }

Expression parsed_in_space(const Formula& formula) {
  return Expression::parse(formula.text, {"x", "y", "z"}, formula.key);
}

// What is steady has no time to depend on.
void check_steady(const Case& c) {
  const auto check = [](const Formulas& formulas) {
    for (const auto& [name, formula] : formulas)
      if (parsed(formula).uses("t"))
        throw InputError("{} uses t, but the model 'poisson' is steady: give it in x, y and z.", formula.key);
  };
  check(c.source);
  check(c.exact);
  for (const auto& [region, formulas] : c.material) check(formulas);
  for (const auto& [name, boundary] : c.boundary) check(boundary.data);
}

std::vector<HeatMaterial> materials(const Case& c, const Mesh& mesh) {
  const std::vector<std::string> known = c.model == "poisson" ? std::vector<std::string>{"k"}
                                                              : std::vector<std::string>{"rhoC", "k"};
  for (const auto& [region, formulas] : c.material) {
    if (std::find(mesh.regions.begin(), mesh.regions.end(), region) == mesh.regions.end())
      throw InputError("[material.{}] names no region of the mesh{}.", region, region_hint(region, mesh));
    for (const auto& [name, formula] : formulas)
      if (std::find(known.begin(), known.end(), name) == known.end())
        throw InputError("{}: the model '{}' has no material '{}'{}.", formula.key, c.model, name,
                         name_hint(name, known));
  }
  std::vector<HeatMaterial> all;
  for (const auto& region : mesh.regions) {
    HeatMaterial material;
    for (const auto& name : {std::string(), region}) {
      const auto table = c.material.find(name);
      if (table == c.material.end()) continue;
      if (table->second.contains("rhoC")) material.capacity = parsed_in_space(table->second.at("rhoC"));
      if (table->second.contains("k")) material.conductivity = parsed_in_space(table->second.at("k"));
    }
    all.push_back(material);
  }
  return all;
}

HeatBoundary boundary_of_case(const BoundaryCase& b, const Case& c, const std::string& field) {
  HeatBoundary boundary;
  const auto takes = [&](const std::vector<std::string>& names) {
    for (const auto& [name, formula] : b.data)
      if (std::find(names.begin(), names.end(), name) == names.end())
        throw InputError("{}: '{}' is no entry of the boundary kind '{}'{}.", b.key, name, b.kind,
                         name_hint(name, names));
    for (const auto& name : names)
      if (!b.data.contains(name))
        throw InputError("{}: the boundary kind '{}' needs {}.", b.key, b.kind, name);
  };
  if (b.kind == "temperature" || b.kind == "dirichlet") {
    const std::string name = b.kind == "temperature" ? "T" : field;
    takes({name});
    boundary.kind = HeatBoundary::Kind::temperature;
    boundary.value = parsed(b.data.at(name));
  } else if (b.kind == "exact") {
    takes({});
    if (!c.exact.contains(field)) throw InputError("{} is \"exact\", but [exact] does not give {}.", b.key, field);
    boundary.kind = HeatBoundary::Kind::temperature;
    boundary.value = parsed(c.exact.at(field));
  } else if (b.kind == "flux") {
    takes({"q"});
    boundary.value = parsed(b.data.at("q"));
  } else if (b.kind == "robin") {
    takes({"h", "T"});
    boundary.kind = HeatBoundary::Kind::robin;
    boundary.transfer = parsed_in_space(b.data.at("h"));
    boundary.value = parsed(b.data.at("T"));
  } else {
    throw InputError("{}: the model '{}' has no boundary kind '{}'{}.", b.key, c.model, b.kind,
                     name_hint(b.kind, {"temperature", "dirichlet", "exact", "flux", "robin"}));
  }
  return boundary;
}

std::vector<HeatBoundary> boundaries(const Case& c, const Mesh& mesh, const std::string& field, Extent extent) {
  const std::vector<char> used = boundaries_with_sides(c, mesh);
  std::vector<HeatBoundary> all;
  for (std::size_t i = 0; i <= mesh.boundaries.size(); ++i) {
    const bool named = i < mesh.boundaries.size();
    const auto given = named ? c.boundary.find(mesh.boundaries[i]) : c.boundary.end();
    if (given != c.boundary.end())
      all.push_back(boundary_of_case(given->second, c, field));
    else
      all.emplace_back();
    if (given == c.boundary.end() && used[i] && extent == Extent::whole)
      log_info("The boundary {} has no entry in [boundary]: no heat goes through it.",
               named ? fmt::format("'{}'", mesh.boundaries[i]) : "without a name");
  }
  return all;
}

}  // namespace

HeatProblem heat_of_case(const Case& c, const Mesh& mesh, Extent extent) {
  const std::string field = c.model == "poisson" ? "u" : "T";
  const int highest = mesh.dim == 2 ? 12 : 10;
  if (c.order > highest)
    throw InputError("model.order must be from 1 to {} on a mesh of {} dimensions, not {}.", highest, mesh.dim, c.order);
  if (!c.points.empty()) throw InputError("{}: the model '{}' has no point sources.", c.points.front().key, c.model);
  if (c.incident) throw InputError("{}: the model '{}' has no waves.", c.incident->key, c.model);
  for (const auto& [section, formulas] : {std::pair{"initial", &c.initial}, {"exact", &c.exact}, {"source", &c.source}})
    for (const auto& [name, formula] : *formulas)
      if (name != field)
        throw InputError("{} in [{}]: the model '{}' has the field {} only.", formula.key, section, c.model, field);
  if (c.model == "poisson") check_steady(c);
  HeatProblem problem;
  problem.mesh = &mesh;
  problem.order = c.order;
  problem.form = c.solver.form == "vertices" ? HeatForm::vertices : HeatForm::elements;
  problem.precision = c.precision;
  problem.material = materials(c, mesh);
  problem.boundary = boundaries(c, mesh, field, extent);
  if (c.source.contains(field)) problem.source = parsed(c.source.at(field));
  return problem;
}

}  // namespace swell
