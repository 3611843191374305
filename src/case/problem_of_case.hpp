// SPDX-License-Identifier: Apache-2.0
// From a case to the problem that the discretisation solves: the mesh made or read, names checked against the model and the
// mesh, expressions parsed.
#pragma once

#include "case/case.hpp"
#include "mesh/geometry.hpp"
#include "model/problem.hpp"

namespace swell {

// The mesh of a case, cut open along the groups of faces inside the domain that [boundary] names (mesh/sheets.hpp).
Mesh mesh_of_case(const Case& c);
// `mesh` must outlive the problem. For a part of a mesh whose whole was checked before, only the data of the part are filled
// in: points have no cells.
enum class Extent { whole, part };
Problem problem_of_case(const Case& c, const Mesh& mesh, Extent extent = Extent::whole);
// Uses a model that was read before.
Problem problem_of_case(const Case& c, const Mesh& mesh, Model model, Extent extent);
// The page of the case's model.
Model model_of_case(const Case& c, int dim);

// One expression for each field in x, y, z, t; fields that are not named are 0. Throws for names that are no fields.
std::vector<Expression> field_expressions(const Formulas& formulas, const Model& model, std::string_view section,
                                          const std::string& name);

// The same, where the names may be those of the model's variables instead.
struct StateExpressions {
  std::vector<Expression> values;
  bool in_variables = false;
};
StateExpressions state_expressions(const Formulas& formulas, const Model& model, std::string_view section, const std::string& name);

// For each boundary of the mesh, and last for what has no name: whether any side lies on it. Throws where the case names a
// boundary that the mesh has not.
std::vector<char> boundaries_with_sides(const Case& c, const Mesh& mesh);

// " (known: a, b)" for a region that the mesh has not, or that it has none with a name.
std::string region_hint(std::string_view name, const Mesh& mesh);

// The place of an entry of the table at `key`: "receiver[0] in room.toml" and "at" give "receiver[0].at in room.toml".
std::string place_of(const std::string& key, std::string_view entry);

}  // namespace swell
