// SPDX-License-Identifier: Apache-2.0
#include "case/problem_of_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/names.hpp"
#include "case/numerics_of_case.hpp"
#include "case/waves_of_case.hpp"
#include "mesh/sheets.hpp"

namespace swell {

namespace {

std::vector<std::string> material_names(const Model& model) {
  std::vector<std::string> names;
  for (const auto& p : model.material)
    if (p.derivative_of < 0) names.push_back(p.name);
  return names;
}

std::vector<std::vector<Expression>> materials(const Case& c, const Mesh& mesh, const Model& model) {
  const auto known = material_names(model);
  for (const auto& [region, formulas] : c.material) {
    if (std::find(mesh.regions.begin(), mesh.regions.end(), region) == mesh.regions.end())
      throw InputError("[material.{}] in {} names no region of the mesh{}.", region, case_name(c),
                       region_hint(region, mesh));
    for (const auto& [name, formula] : formulas) {
      const int index = model.material_index(name);
      if (index < 0)
        throw InputError("{}: the model '{}' has no material '{}'{}.", formula.key, model.name, name,
                         name_hint(name, known));
      if (const Parameter& p = model.material[static_cast<std::size_t>(index)]; p.derivative_of >= 0)
        throw InputError("{}: '{}' is a derivative, which Swell takes itself; give '{}' as an expression.", formula.key, name,
                         model.material[static_cast<std::size_t>(p.derivative_of)].name);
    }
  }
  std::vector<std::vector<Expression>> all;
  for (const auto& region : mesh.regions) {
    std::vector<Expression> values;
    for (const auto& p : model.material) {
      if (p.derivative_of >= 0) {
        values.push_back(values[static_cast<std::size_t>(p.derivative_of)].derivative(space_time_variables[static_cast<std::size_t>(p.axis)]));
        continue;
      }
      Expression value(p.value);
      for (const auto& name : {std::string(), region}) {
        const auto table = c.material.find(name);
        if (table == c.material.end() || !table->second.contains(p.name)) continue;
        const Formula& formula = table->second.at(p.name);
        value = Expression::parse(formula.text, space_time_variables, formula.key);
        if (value.uses("t") && model.has("mass"))
          throw InputError("{} uses t, but the model '{}' divides by its material, which must not change with time.",
                           formula.key, model.name);
      }
      values.push_back(value);
    }
    all.push_back(std::move(values));
  }
  return all;
}

// A level set has the kinds of its model file only: what stands behind a side is not asked for.
void check_levelset(const Case& c, const Model& model) {
  std::vector<std::string> kinds;
  for (const auto& kind : model.boundaries) kinds.push_back(kind.name);
  for (const auto& [name, b] : c.boundary)
    if (!model.boundary(b.kind))
      throw InputError("{}: the model 'levelset' has the boundary kinds {}, not '{}'.", b.key, fmt::join(kinds, ", "), b.kind);
  for (const auto& [region, formulas] : c.material)
    if (!formulas.empty()) return;
  throw InputError("A level set needs a velocity: give ax and ay{} under [material].", model.dim == 3 ? " and az" : "");
}

// Waves have no place where there is diffusion only, and a steady problem has no time.
void check_diffusive(const Case& c, const Model& model) {
  if (c.incident) throw InputError("{}: the model '{}' has no waves.", c.incident->key, model.name);
  if (model.has("mass")) return;
  const auto check = [&](const Formulas& formulas) {
    for (const auto& [name, formula] : formulas)
      if (Expression::parse(formula.text, space_time_variables, formula.key).uses("t"))
        throw InputError("{} uses t, but the model '{}' is steady: give it in x, y and z.", formula.key, model.name);
  };
  check(c.source);
  check(c.exact);
  for (const auto& [region, formulas] : c.material) check(formulas);
  for (const auto& [name, boundary] : c.boundary) check(boundary.data);
  for (const auto& point : c.points) check({{point.field, point.signal}});
}

void check_superposition(const Model& model, const std::string& key) {
  if (!model.linear)
    throw InputError("{}: an incident wave is added to the field, which is for linear models, and '{}' is not stated to be linear.", key,
                     model.name);
}

bool has_wedges(const Mesh& mesh) {
  return std::ranges::any_of(mesh.shapes(), [](Shape shape) { return shape == Shape::prism || shape == Shape::pyramid; });
}

// Refuses cases that meshes with cells of several shapes, or with prisms or pyramids, do not take yet.
void check_mixed(const Case& c, const Mesh& mesh, const Model& model) {
  const auto refuse = [&](const std::string& what) {
    throw InputError("The mesh of {} has cells of {} ({}), which {}; take another, or a mesh of one {}.", case_name(c),
                     mesh.mixed() ? "several shapes" : "one shape", mesh.shapes_in_words(), what,
                     has_wedges(mesh) ? "shape that is not prism or pyramid" : "shape");
  };
  if (model.kind() == PageKind::interface) refuse(fmt::format("the model '{}' does not take", model.name));
  if (model.diffusive()) {
    if (c.family == "discontinuous") refuse("model.family = \"discontinuous\" does not take");
    return;
  }
  if (has_wedges(mesh) && mesh.geometry_order() > 1)
    throw InputError("The mesh of {} has prisms or pyramids of geometry order {}; the model '{}' takes straight ones beside each other and "
                     "beside straight cells: mesh with Mesh.ElementOrder = 1, or leave mesh.box.geometry_order out.",
                     case_name(c), mesh.geometry_order(), model.name);
  if (c.family == "modal") refuse("model.family = \"modal\" does not take");
  if (c.local) refuse("time.local does not take");
  if (c.scheme == "ader") refuse("time.scheme = \"ader\" does not take");
  // Quadrilaterals then have normals of a map of order 2, triangles those of order 4.
  if (c.order + 2 < mesh.geometry_order() * (mesh.dim - 1))
    throw InputError("model.order = {} in {} is too low for cells of several shapes and geometry order {}; take {} at least.", c.order,
                     case_name(c), mesh.geometry_order(), mesh.geometry_order() * (mesh.dim - 1) - 2);
}

BoundarySpec boundary_of_case(const BoundaryCase& b, const Case& c, const Model& model) {
  BoundarySpec spec;
  spec.name = b.kind;
  const auto no_data = [&](const std::vector<std::string>& known) {
    for (const auto& [name, formula] : b.data)
      if (std::find(known.begin(), known.end(), name) == known.end())
        throw InputError("{}: '{}' is no entry of the boundary kind '{}'{}.", b.key, name, b.kind,
                         name_hint(name, known));
  };
  if (b.kind == "dirichlet" || b.kind == "exact") {
    spec.kind = BoundarySpec::Kind::dirichlet;
    if (b.kind == "exact") {
      no_data({});
      if (c.exact.empty()) throw InputError("{} is \"exact\", but the case has no [exact] section.", b.key);
      const auto [data, in_variables] = state_expressions(c.exact, model, "exact", case_name(c));
      spec.data = data;
      spec.in_variables = in_variables;
    } else {
      std::vector<std::string> known = model.fields;
      for (const auto& v : model.variables)
        if (model.field_index(v) < 0) known.push_back(v);
      no_data(known);
      if (model.diffusive() && b.data.empty())
        throw InputError("{}: the boundary kind '{}' needs {}.", b.key, b.kind, model.fields.front());
      const auto [data, in_variables] = state_expressions(b.data, model, b.key, case_name(c));
      spec.data = data;
      spec.in_variables = in_variables;
    }
    return spec;
  }
  if (b.kind == "incident") {
    no_data({});
    check_superposition(model, b.key);
    spec.kind = BoundarySpec::Kind::incident;
    if (!b.wave)
      throw InputError(
          "{} is \"incident\", but it gives no wave: wave = \"plane\", direction = [...], pulse = \"...\".", b.key);
    spec.wave = wave_of_case(*b.wave, model, b.key);
    return spec;
  }
  const BoundaryKind* kind = model.boundary(b.kind);
  std::vector<std::string> known{"dirichlet", "exact", "incident"};
  for (const auto& k : model.boundaries) known.push_back(k.name);
  if (!kind)
    throw InputError("{}: the model '{}' has no boundary kind '{}'{}.", b.key, model.name, b.kind,
                     name_hint(b.kind, known));
  std::vector<std::string> parameters;
  for (const auto& p : kind->parameters) parameters.push_back(p.name);
  no_data(parameters);
  for (const auto& p : kind->parameters) {
    const auto given = b.data.find(p.name);
    Expression value(p.value);
    if (given == b.data.end() && p.needed) throw InputError("{}: the boundary kind '{}' needs {}.", b.key, b.kind, p.name);
    if (given != b.data.end()) value = Expression::parse(given->second.text, space_time_variables, given->second.key);
    if (value.is_constant() && !in_range(p, value.constant()))
      throw InputError("{} must be {}, not {}.", place_of(b.key, p.name), range_words(p), value.constant());
    spec.data.push_back(value);
  }
  return spec;
}

// Checks a whole mesh: a condition that no face has would be ignored, and a group inside the domain without a condition is
// logged.
void check_faces(const Case& c, const Mesh& mesh, const std::vector<char>& used) {
  std::vector<std::int64_t> inside(mesh.boundaries.size(), 0);
  for (const InnerFace& inner : mesh.inner_faces) ++inside[inner.boundary];
  for (std::size_t i = 0; i < mesh.boundaries.size(); ++i) {
    if (inside[i] > 0)
      log_info("The {} faces of '{}' inside the domain have no entry in [boundary]: they are no boundary.", inside[i], mesh.boundaries[i]);
    const auto given = c.boundary.find(mesh.boundaries[i]);
    if (given == c.boundary.end()) continue;
    if (std::binary_search(mesh.periodic.begin(), mesh.periodic.end(), static_cast<std::int32_t>(i)))
      throw InputError("{}: the mesh joins faces of '{}' with a periodic side, and a periodic face is no boundary; remove the key, or the "
                       "periodic side from the mesh.",
                       given->second.key, mesh.boundaries[i]);
    if (!used[i]) throw InputError("{}: the group '{}' of the mesh has no faces.", given->second.key, mesh.boundaries[i]);
  }
}

std::vector<BoundarySpec> boundaries(const Case& c, const Mesh& mesh, const Model& model, Extent extent) {
  const std::vector<char> used = boundaries_with_sides(c, mesh);
  if (extent == Extent::whole) check_faces(c, mesh, used);
  std::vector<BoundarySpec> all;
  for (std::size_t i = 0; i <= mesh.boundaries.size(); ++i) {
    const bool named = i < mesh.boundaries.size();
    const auto given = named ? c.boundary.find(mesh.boundaries[i]) : c.boundary.end();
    if (given != c.boundary.end()) {
      all.push_back(boundary_of_case(given->second, c, model));
      continue;
    }
    BoundarySpec wall;
    wall.name = model.wall;
    const std::string side = named ? "boundary '" + mesh.boundaries[i] + "'" : "boundary without a name";
    if (model.wall.empty()) {
      if (used[i])
        throw InputError(
            "The {} of the mesh has no entry in [boundary] of {}, and the model '{}' states no wall for it.", side,
            case_name(c), model.name);
      wall.kind = BoundarySpec::Kind::dirichlet;
      wall.data.assign(model.fields.size(), Expression());
    } else {
      for (const auto& p : model.boundary(model.wall)->parameters) wall.data.emplace_back(p.value);
      if (used[i] && extent == Extent::whole)
        log_info("The {} has no entry in [boundary]: it is \"{}\".", side, model.wall);
    }
    all.push_back(std::move(wall));
  }
  return all;
}

}  // namespace

std::string place_of(const std::string& key, std::string_view entry) {
  const auto end = std::min(key.rfind(key.ends_with(" given by -D") ? " given by" : " in "), key.size());
  return fmt::format("{}.{}{}", key.substr(0, end), entry, key.substr(end));
}

std::string region_hint(std::string_view name, const Mesh& mesh) {
  const std::vector<std::string> named(mesh.regions.begin() + 1, mesh.regions.end());  // the first is the default one
  return named.empty() ? ", which has none with a name" : name_hint(name, named);
}

std::vector<Expression> field_expressions(const Formulas& formulas, const Model& model, std::string_view section,
                                          const std::string& name) {
  std::vector<Expression> all(model.fields.size());
  for (const auto& [field, formula] : formulas) {
    const int i = model.field_index(field);
    if (i < 0)
      throw InputError("[{}] in {}: the model '{}' has no field '{}'{}.", section, name, model.name, field,
                       name_hint(field, model.fields));
    all[i] = Expression::parse(formula.text, space_time_variables, formula.key);
  }
  return all;
}

StateExpressions state_expressions(const Formulas& formulas, const Model& model, std::string_view section, const std::string& name) {
  const auto other = std::find_if(formulas.begin(), formulas.end(), [&](const auto& entry) {
    return model.field_index(entry.first) < 0 && model.variable_index(entry.first) >= 0;
  });
  if (other == formulas.end()) return {field_expressions(formulas, model, section, name), false};
  std::vector<Expression> all(model.variables.size());
  for (const auto& [variable, formula] : formulas) {
    const int i = model.variable_index(variable);
    if (i < 0)
      throw InputError("[{}] in {}: '{}' is among the variables {} of the model '{}', but '{}' is not; give all of them as variables, "
                       "or all as the fields {}.",
                       section, name, other->first, fmt::join(model.variables, ", "), model.name, variable,
                       fmt::join(model.fields, ", "));
    all[i] = Expression::parse(formula.text, space_time_variables, formula.key);
  }
  return {all, true};
}

Mesh mesh_of_case(const Case& c) {
  if (c.disc) return make_disc(*c.disc);
  if (c.shell) return make_shell(*c.shell);
  Mesh mesh = c.box ? make_box(*c.box) : read_gmsh(c.mesh_file);
  std::vector<char> chosen;
  for (const auto& name : mesh.boundaries) chosen.push_back(c.boundary.contains(name));
  cut_sheets(mesh, chosen);
  return mesh;
}

std::vector<char> boundaries_with_sides(const Case& c, const Mesh& mesh) {
  for (const auto& [name, b] : c.boundary)
    if (std::find(mesh.boundaries.begin(), mesh.boundaries.end(), name) == mesh.boundaries.end())
      throw InputError("{}: the mesh has no boundary '{}'{}.", b.key, name, name_hint(name, mesh.boundaries));
  std::vector<char> used(mesh.boundaries.size() + 1, 0);
  for (const auto& n : mesh.neighbours)
    if (n.cell < 0) used[n.boundary >= 0 ? n.boundary : mesh.boundaries.size()] = 1;
  return used;
}

Model model_of_case(const Case& c, int dim) {
  const std::vector<std::string> models = model_names();
  if (!c.model.empty() && std::find(models.begin(), models.end(), c.model) == models.end())
    throw InputError("There is no model '{}'{}.", shown(c.model), name_hint(c.model, models));
  return !c.model_text.empty()  ? parse_user_model(c.model_text, c.model_file, dim)
         : c.model_file.empty() ? load_model(c.model, dim)
                                : load_model_file(c.model_file, dim);
}

Problem problem_of_case(const Case& c, const Mesh& mesh, Extent extent) {
  return problem_of_case(c, mesh, model_of_case(c, mesh.dim), extent);
}

Problem problem_of_case(const Case& c, const Mesh& mesh, Model model, Extent extent) {
  const int highest = mesh.dim == 3 ? 10 : 12;
  if (c.order < 1 || c.order > highest)
    throw InputError("model.order in {} must be from 1 to {} on a mesh of {} dimensions, not {}.", case_name(c),
                     highest, mesh.dim, c.order);
  Problem p;
  p.mesh = &mesh;
  p.model = std::move(model);
  if (p.model.diffusive()) check_diffusive(c, p.model);
  if (mesh.mixed() || has_wedges(mesh)) check_mixed(c, mesh, p.model);
  p.order = c.order;
  p.scheme = c.scheme;
  p.device_name = c.backend;
  p.family = c.family == "modal" ? Family::modal : Family::nodal;
  p.coefficient_order = c.coefficient_order;
  if (c.levelset) {
    check_levelset(c, p.model);
    p.levelset = {c.levelset->thickness, c.levelset->every, c.levelset->tolerance, c.levelset->length,
                  c.levelset->at_end};
  }
  p.precision = c.precision;
  p.form = c.solver.form == "vertices" ? DiffusionForm::vertices : DiffusionForm::elements;
  take_flux(c, p);
  take_nonlinear(c, p);
  p.material = materials(c, mesh, p.model);
  p.boundary = boundaries(c, mesh, p.model, extent);
  if (c.incident) check_superposition(p.model, c.incident->key);
  if (c.incident) p.total_field = total_field(*c.incident, mesh, p.model, extent);
  if (!c.source.empty()) p.source = field_expressions(c.source, p.model, "source", case_name(c));
  if (!c.points.empty()) {
    const auto locator = extent == Extent::whole ? std::make_unique<Locator>(mesh) : nullptr;
    for (const auto& point : c.points) p.points.push_back(point_source(point, p.model, locator.get()));
    if (c.scheme == "ader" && extent == Extent::whole) p.near_points = near_points(p);
  }
  return p;
}

}  // namespace swell
