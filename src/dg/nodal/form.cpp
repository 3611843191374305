// SPDX-License-Identifier: Apache-2.0
#include "dg/nodal/form.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/names.hpp"
#include "element/symmetric_cubature.hpp"
#include "mesh/geometry.hpp"

namespace swell {

namespace {

// Lines, quadrilaterals and hexahedra: nodes along lines.
bool tensor_cells(const Mesh& mesh) {
  return !mesh.mixed() && (mesh.shape() == Shape::line || is_tensor(mesh.shape()));
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

// Products of two polynomials of the order must be exact, for the mass.
void check_quadrature(const Problem& problem) {
  const int least = 2 * problem.order, metric = (problem.mesh->geometry_order() - 1) * (problem.mesh->dim - 1);
  if (problem.degree == 0) return;
  if (problem.mesh->mixed() || !is_simplex(problem.mesh->shape()))
    throw InputError("model.degree is for lines, triangles and tetrahedra: the mesh {} has {}, whose model.order + 1 Gauss points in each "
                     "direction are exact to degree {}; leave it out, or take a higher model.order.",
                     problem.mesh->name, problem.mesh->shapes_in_words(), 2 * problem.order + 1);
  if (problem.degree < least)
    throw InputError("model.degree = {} is too low for model.order = {}, whose mass matrix has degree {}; take {} at least.", problem.degree,
                     problem.order, least, least);
  if (problem.mesh->dim == 3 && problem.degree + 1 + metric > most_symmetric_degree)
    throw InputError("model.degree = {} needs points of degree {} on triangles, and {} is the highest that there are; take {} at most.",
                     problem.degree, problem.degree + 1 + metric, most_symmetric_degree, most_symmetric_degree - 1 - metric);
}

}  // namespace

// Two-point fluxes keep under-resolved flow from what collocation does to it, at a tenth of a step's time; but the Gauss-Lobatto
// mass that they need loses orders on cells that are not affine, and where there is friction a factor of 4 and more of the accuracy at
// even orders. In the plane fluxes at Gauss points, which the viscous terms take anyway, keep what collocation has and survive as well;
// in space they do not, and on lines collocation is enough (decision 0028).
VolumeForm settled_form(const Problem& problem) {
  if (problem.volume_form != VolumeForm::automatic) return problem.volume_form;
  const Mesh& mesh = *problem.mesh;
  const bool viscous = problem.model.viscous();
  bool robust = tensor_cells(mesh) && !problem.model.pairs.empty() && (mesh.dim > 1 || !viscous);
  for (std::int64_t cell = 0; robust && cell < mesh.own_count(); ++cell) robust = is_affine(mesh, cell);
  if (problem.ranks->largest(robust ? 0.0 : 1.0) > 0) return VolumeForm::collocated;
  return viscous && mesh.dim == 2 ? VolumeForm::quadrature : VolumeForm::split;
}

void check_form(const Problem& problem) {
  if (problem.volume_form == VolumeForm::split) check_split(problem);
  if (problem.volume_form == VolumeForm::quadrature) check_quadrature(problem);
}

}  // namespace swell
