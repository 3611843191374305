// SPDX-License-Identifier: Apache-2.0
#include "dg/nodal/form.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/names.hpp"

namespace swell {

namespace {

// Lines, quadrilaterals and hexahedra: nodes along lines.
bool tensor_cells(const Mesh& mesh) {
  return !mesh.mixed() && (mesh.shape() == Shape::line || !is_simplex(mesh.shape()));
}

void check_split(const Problem& problem) {
  const Model& model = problem.model;
  if (!tensor_cells(*problem.mesh))
    throw InputError("model.form = \"split\" is for lines, quadrilaterals and hexahedra, and the mesh {} has {}; take model.form = "
                     "\"quadrature\".",
                     problem.mesh->name, problem.mesh->shapes_in_words());
  if (model.pairs.empty())
    throw InputError("model.form = \"split\" takes a two-point flux of the model, and '{}' has no function pair_NAME; take model.form = "
                     "\"quadrature\".",
                     model.name);
  if (std::find(model.pairs.begin(), model.pairs.end(), problem.pair) == model.pairs.end())
    throw InputError("model.pair = \"{}\" is no two-point flux of the model '{}', which has {}{}.", problem.pair, model.name,
                     fmt::join(model.pairs, ", "), name_hint(problem.pair, model.pairs));
}

}  // namespace

void check_form(const Problem& problem) {
  if (problem.volume_form == VolumeForm::split) check_split(problem);
}

}  // namespace swell
