// SPDX-License-Identifier: Apache-2.0
#include "dg/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "dg/near_points.hpp"
#include "dg/nodal/viscous_text.hpp"
#include "element/lattice.hpp"
#include "element/line_rule.hpp"
#include "model/expressions_text.hpp"

namespace swell {

namespace {

std::string constant(std::string_view name, int value) { return fmt::format("#define {} {}\n", name, value); }

std::string int_table(std::string_view name, const std::vector<std::vector<int>>& rows, int factor) {
  std::string text = fmt::format("TABLE int {}[{}][{}] = {{\n", name, rows.size(), rows.front().size());
  for (const auto& row : rows) {
    text += "  {";
    for (std::size_t i = 0; i < row.size(); ++i) text += fmt::format("{}{}", i ? ", " : "", row[i] * factor);
    text += "},\n";
  }
  return text + "};\n";
}

std::string scalar_row(const double* values, std::int64_t count) {
  std::string text = "{";
  for (std::int64_t i = 0; i < count; ++i) text += fmt::format("{}{:.17g}", i ? ", " : "", values[i]);
  return text + "}";
}

std::string common_constants(const Problem& problem, const ReferenceElement& element, const Layout& layout) {
  const Model& model = problem.model;
  std::string text = fmt::format("// {}, {}, order {}\n", model.name, shape_name(element.shape), element.order);
  text +=
      constant("DIM", element.dim) + constant("ORDER", element.order) + constant("SIMPLEX", is_simplex(element.shape));
  const auto sides = face_shapes(element.shape);
  text += constant("SIDES", static_cast<int>(sides.size()));
  if (sides.size() > 1) {
    std::vector<std::vector<int>> side(1), direction;
    for (int f = 0; f < element.face_count; ++f) {
      side[0].push_back(face_shape(element.shape, f) != sides.front());
      direction.emplace_back(face_direction(element.shape, f).begin(), face_direction(element.shape, f).end());
    }
    text += int_table("face_side", side, 1) + int_table("face_direction", direction, 1);
  }
  text += constant("FIELDS", static_cast<int>(model.fields.size()));
  text += constant("MATERIALS", std::max<int>(1, static_cast<int>(model.material.size())));
  text += constant("NODES", element.node_count) + constant("FACES", element.face_count);
  text += constant("FACE_NODES", element.face_node_count);
  text += constant("BEHIND_NODES", layout.unit) + constant("CODE_NODES", static_cast<int>(layout.codes.front().size()));
  text += constant("MOST_NODES", layout.most_nodes);
  text += constant("HAS_MASS", model.has("mass")) + constant("HAS_REACTION", reacts(problem));
  text += constant("HAS_VISCOUS", model.viscous());
  text += constant("HAS_SOURCE", !problem.source.empty() || model.viscous()) + constant("SERIES_TIMES", series_times(element.order));
  text += constant("FLUX_RUSANOV", problem.flux == FluxKind::rusanov);
  text += constant("FLUX_BLEND", problem.alpha == 0 ? 0 : problem.alpha == 1 ? 1 : 2);
  text += fmt::format("#define FLUX_ALPHA {:.17g}\n", problem.alpha);
  std::vector<std::vector<int>> faces(element.face_count);
  for (int f = 0; f < element.face_count; ++f)
    for (int i = 0; i < element.face_node_count; ++i) faces[f].push_back(element.face_node(f, i));
  text += int_table("face_node", faces, 1);
  text += int_table("neighbour_node", layout.codes, static_cast<int>(model.fields.size()));
  return text + names_text(model);
}

std::string scalar_table(std::string_view name, const Matrix& rows) {
  std::string text = fmt::format("TABLE scalar {}[{}][{}] = {{\n", name, rows.rows(), rows.cols());
  for (Eigen::Index i = 0; i < rows.rows(); ++i) text += "  " + scalar_row(rows.row(i).data(), rows.cols()) + ",\n";
  return text + "};\n";
}

// Two-point fluxes take the place of Gauss points: what they are functions of, the nodes of a line and 1 over their weights.
std::string pair_text(const Problem& problem, const ReferenceElement& edge) {
  const Cubature lobatto = gauss_lobatto(edge.order);
  const Vector over = lobatto.weights.cwiseInverse();
  std::string text = constant("HAS_VARIABLES", !problem.model.variables.empty());
  text += fmt::format("TABLE scalar line_point[ORDER + 1] = {};\n", scalar_row(lobatto.points.data(), lobatto.points.size()));
  text += fmt::format("TABLE scalar over_weight[ORDER + 1] = {};\n", scalar_row(over.data(), over.size()));
  return text + fmt::format("#define two_point_flux pair_{}\n", problem.pair);
}

// The matrices of a line of nodes, and of its Gauss points.
std::string line_text(const Problem& problem, const ReferenceElement& element, const Group& group) {
  const LineRule line(element.order);
  const ReferenceElement edge(Shape::line, element.order);
  const int geometry_order = problem.mesh->geometry_order();
  std::string text = "#define LINE (ORDER + 1)\n";
  text += constant("MAP", static_cast<int>(tensor_map(group, element, geometry_order)));
  text += constant("SPLIT", group.curved && !exact_products(element.dim, geometry_order) && problem.model.linear &&
                                (problem.model.has("mass") || !group.varying));
  text += scalar_table("derivative", edge.derivative[0]) + scalar_table("nodal_lift", line.nodal_lift);
  if (group.pairs) return text + pair_text(problem, edge);
  text += scalar_table("to_points", line.to_points) + scalar_table("to_nodes", line.to_nodes);
  text += fmt::format("TABLE scalar line_point[ORDER + 1] = {};\n", scalar_row(line.points.data(), line.points.size()));
  text += scalar_table("weak", line.weak) + scalar_table("ends", line.ends) + scalar_table("end_weights", line.end_weights);
  return text + scalar_table("point_derivative", line.derivative);
}

// Where all elements have the same material its values are constants, and so is what a flux makes of them alone.
std::string material_constants(const GroupData& data) {
  if (!data.homogeneous) return constant("HOMOGENEOUS", 0);
  std::string text = constant("HOMOGENEOUS", 1) + "FUNCTION void constant_material(real *m)\n{\n";
  for (std::size_t i = 0; i < data.material.size(); ++i) text += fmt::format("  m[{}] = {:#.17g};\n", i, data.material[i]);
  return text + "}\n";
}

// Fields whose fluxes, and fields whose values are differentiated.
std::string cover_text(const FluxCover& cover) {
  const auto list = [](const char* name, const std::vector<int>& fields) {
    return fields.empty() ? std::string{} : fmt::format("TABLE int {}[{}] = {{{}}};\n", name, fields.size(), fmt::join(fields, ", "));
  };
  return constant("COVER_ROWS", static_cast<int>(cover.rows.size())) +
         constant("COVER_COLUMNS", static_cast<int>(cover.columns.size())) + list("cover_row", cover.rows) +
         list("cover_column", cover.columns);
}

// An expression of i that is entry i of a list, which compilers fold where i is known.
std::string choice_text(const char* name, const std::vector<int>& list) {
  std::string text = fmt::format("#define {}(i) (", name);
  for (std::size_t i = 0; i + 1 < list.size(); ++i) text += fmt::format("(i) == {} ? {} : ", i, list[i]);
  return text + fmt::format("{})\n", list.empty() ? 0 : list.back());
}

// At a point: the rates of the moving fields from their balance and from the values of the reacting ones.
std::string adjusted_text(const AdjustedMass& adjusted) {
  std::string text = constant("ADJUSTED", 1) + constant("WEIGHTS", adjusted.weights());
  text += constant("MOVING", static_cast<int>(adjusted.moving().size())) + choice_text("MOVING_FIELD", adjusted.moving());
  text += constant("REACTING", static_cast<int>(adjusted.reacting().size())) + choice_text("REACTING_FIELD", adjusted.reacting());
  text += "FUNCTION void adjust_point(const real *weight, const real *balance, const real *value, real *rate)\n{\n";
  for (std::size_t row = 0; row < adjusted.moving().size(); ++row) {
    std::string sum;
    for (const AdjustedMass::Term& term : adjusted.terms()) {
      if (term.row != static_cast<int>(row)) continue;
      const std::string factor = term.factor == 1 ? "" : fmt::format("{:#.17g} * ", term.factor);
      sum += fmt::format("{}{}weight[{}] * {}[{}]", sum.empty() ? "" : " + ", factor, term.weight, term.reaction ? "value" : "balance",
                         term.column);
    }
    text += fmt::format("  rate[{}] = {};\n", row, sum);
  }
  return text + "}\n";
}

std::string embedded(std::string_view path) { return std::string(kernel_texts(path)); }

}  // namespace

std::string operator_name(const Problem& problem, const ReferenceElement& element, const Group& group) {
  const char* kind = group.curved ? "curved" : group.adjusted() ? "adjusted" : group.varying ? "varying" : "straight";
  return fmt::format("{}-{}-{}-{}{}", problem.model.name, shape_name(element.shape), element.order, kind,
                     group.pairs        ? "-" + problem.pair
                     : group.degree > 0 ? fmt::format("-{}", group.degree)
                                        : std::string());
}

ProgramText operator_text(const Problem& problem, const ReferenceElement& element, const Layout& layout,
                          const Group& group, const Variant& variant, const GroupPoints& points,
                          const GroupData& data, const FluxCover& cover, const AdjustedMass& adjusted) {
  const bool simplex = !is_tensor(element.shape) && !group.pairs, quadrature = by_points(group);
  std::string text = common_constants(problem, element, layout);
  text += constant("CURVED", group.curved) + constant("VARYING", group.varying) + constant("PAIRS", group.pairs);
  text += constant("LINEAR", problem.model.linear) + constant("BATCH", variant.batch);
  for (const auto& [name, value] : variant.constants) text += constant(name, value);
  for (const auto& [name, value] : variant.derived) text += constant(name, value);
  if (variant.constant("COVER")) text += cover_text(cover);
  text += group.adjusted() ? adjusted_text(adjusted) : constant("ADJUSTED", 0);
  text += constant("POINTS", static_cast<int>(points.volume.rows()));
  text += constant("FACE_POINTS", static_cast<int>(points.face.rows()));
  if (quadrature) text += constant("POINT_CODE", layout.point_code);
  text += constant("MASS_ROWS", quadrature ? mass_blocks(element, group, points).rows : 0);
  if (points.weights.size() > 0)
    text += fmt::format("TABLE scalar point_weight[{}] = {};\n", points.weights.size(),
                        scalar_row(points.weights.data(), points.weights.size()));
  if (simplex)
    text += constant("SPLIT", (points.bent || (group.gauss_faces && group.curved && !exact_products(element.dim, problem.mesh->geometry_order()))) &&
                                  problem.model.linear && problem.model.has("mass"));
  else
    text += line_text(problem, element, group);
  text += problem.model.text + flux_text(problem);
  if (variant.text == Variant::Text::simd) {
    text += embedded("kernels/nodal/simd.h");
    if (group.adjusted()) text += embedded("kernels/nodal/adjusted_energy.h") + embedded("kernels/nodal/adjusted.h");
    if (simplex)
      text += embedded(quadrature ? "kernels/nodal/quadrature.h" : "kernels/nodal/simplex.h");
    else
      text += embedded("kernels/nodal/lines.h") + embedded(group.pairs  ? "kernels/nodal/pairs.h"
                                                           : quadrature ? "kernels/nodal/gauss.h"
                                                                        : "kernels/nodal/tensor.h");
    text += embedded("kernels/nodal/stage.h");
  } else {
    text += material_constants(data) + embedded("kernels/nodal/simt.h");
    const bool matrix = variant.text == Variant::Text::matrix;
    if (group.adjusted() && !matrix) text += embedded("kernels/nodal/simt_adjusted.h");
    if (matrix)
      text += embedded("kernels/nodal/matrix_steps.h") + (group.adjusted() ? embedded("kernels/nodal/matrix_adjusted.h") : "") +
              embedded("kernels/nodal/matrix_simplex.h");
    else if (simplex)
      text += embedded(quadrature ? "kernels/nodal/simt_quadrature.h" : "kernels/nodal/simt_simplex.h");
    else
      text += embedded("kernels/nodal/simt_tensor.h") +
              embedded(group.pairs                 ? "kernels/nodal/simt_pairs.h"
                       : quadrature                ? "kernels/nodal/simt_gauss.h"
                       : variant.constant("LINES") ? "kernels/nodal/simt_lines.h"
                                                   : "kernels/nodal/simt_columns.h");
    if (group.adjusted()) text += embedded("kernels/nodal/adjusted_energy.h");
    if (simplex && !quadrature) text += embedded("kernels/nodal/simt_energy.h");
    text += embedded("kernels/nodal/simt_stage.h");
  }
  return {operator_name(problem, element, group),
          text,
          {"stage", "rate", "energy"},
          problem.precision,
          variant.text == Variant::Text::simd,
          variant.threads,
          variant.shared,
          variant.resident};
}

ProgramText viscous_text(const Problem& problem, const ReferenceElement& element, const Layout& layout, const Group& group,
                         const GroupPoints& points, const ViscousTeams& teams) {
  const bool lines = is_tensor(element.shape), gpu = teams.threads > 0;
  std::string text = common_constants(problem, element, layout);
  text += constant("CURVED", group.curved) + constant("VARYING", group.varying) + constant("BY_POINTS", by_points(group));
  text += constant("POINTS", static_cast<int>(points.volume.rows())) + constant("FACE_POINTS", static_cast<int>(points.face.rows()));
  text += constant("POINT_CODE", layout.point_code) + constant("GHOST_CODE", layout.ghost_code);
  text += constant("MASS_ROWS", by_points(group) ? mass_blocks(element, group, points).rows : 0);
  text += constant("ROOM", teams.room) + constant("ADD_SOURCE", !problem.source.empty());
  if (gpu)
    text += constant("TEAM_THREADS", teams.threads / teams.elements);
  else
    text += constant("TILE_ROWS", teams.rows) + constant("TILE_FIELDS", teams.fields);
  // At Gauss points, also where the other terms take two-point fluxes between nodes.
  Group at_points = group;
  at_points.pairs = false;
  if (lines) text += line_text(problem, element, at_points);
  text += problem.model.text + flux_text(problem);
  if (!gpu) text += embedded("kernels/nodal/simd.h");
  text += embedded("kernels/nodal/viscous.h") + embedded(lines ? "kernels/nodal/viscous_tensor.h" : "kernels/nodal/viscous_simplex.h");
  const std::size_t shared = gpu ? static_cast<std::size_t>(teams.elements) * teams.room * bytes_of(problem.precision) : 0;
  return {operator_name(problem, element, group) + "-viscous", text, {"gradients", "divergence"}, problem.precision, !gpu,
          teams.threads, shared, 0};
}

ProgramText viscous_walls_text(const Problem& problem, const ReferenceElement& element, const Layout& layout) {
  const std::string text = common_constants(problem, element, layout) + embedded("kernels/shared/functions.h") + problem.model.text +
                           viscous_boundary_text(problem) + embedded("kernels/nodal/ghost_places.h") +
                           embedded("kernels/nodal/viscous_walls.h");
  return {fmt::format("{}-{}-{}-walls", problem.model.name, shape_name(element.shape), element.order), text,
          {"wall_values", "wall_fluxes"}, problem.precision, false};
}

ProgramText flows_text(const Problem& problem, const ReferenceElement& element, const Layout& layout) {
  const std::string text = common_constants(problem, element, layout) + constant("MATERIAL_IN_TIME", problem.material_in_time()) +
                           embedded("kernels/shared/functions.h") + problem.model.text + flux_text(problem) +
                           embedded("kernels/nodal/ghost_places.h") + embedded("kernels/nodal/flows.h");
  return {fmt::format("{}-{}-{}-flows", problem.model.name, shape_name(element.shape), element.order), text, {"flows"},
          problem.precision, false};
}

ProgramText pointwise_text(const Problem& problem, const ReferenceElement& element, const Layout& layout) {
  std::string text = common_constants(problem, element, layout);
  text += embedded("kernels/shared/functions.h") + problem.model.text + flux_text(problem);
  text += material_text(problem) + source_text(problem) + boundary_text(problem) + embedded("kernels/nodal/pointwise.h");
  std::vector<std::string> kernels{"combine", "ghosts", "ghosts_at_points", "coefficients", "sources", "point_sources",
                                   "point_series", "series_term", "signals", "receivers", "speeds", "decays"};
  if (problem.model.viscous()) kernels.emplace_back("diffusivities");
  return {fmt::format("{}-{}-{}-pointwise", problem.model.name, shape_name(element.shape), element.order), text, kernels,
          problem.precision, false};
}

ProgramText limiter_text(const Problem& problem, const ReferenceElement& element, const Layout& layout, int face_points, bool entropy,
                         const Matrix& extra, int material_rows, bool material_in_time) {
  const Model& model = problem.model;
  // Between nodes whose values are all positive a polynomial is positive where the smallest is above this part of the largest.
  const double lebesgue = extra.rows() > 0 ? extra.cwiseAbs().rowwise().sum().maxCoeff() : 1;
  // A smooth function's modes fall faster than this at every order (Hennemann and Gassner 2020, eq. 45).
  const double rough = 0.5 * std::pow(10.0, -1.8 * std::pow(element.order + 1.0, 0.25));
  std::string text = common_constants(problem, element, layout);
  text += constant("MATERIAL_ROWS", material_rows) + constant("MATERIAL_IN_TIME", material_in_time);
  text += constant("CONDITIONS", static_cast<int>(model.admissible.size())) + constant("ENTROPY", entropy);
  text += constant("EXTRA", static_cast<int>(extra.rows())) + constant("POINT_CODE", layout.point_code);
  text += constant("FACE_POINTS", face_points) + constant("BEHIND_FACES", layout.behind_faces);
  text += fmt::format("#define NEAR {:.17g}\n#define ROUGH {:.17g}\n", (lebesgue - 1) / (lebesgue + 1), rough);
  text += "TABLE int mode_degree[NODES] = {";
  for (const LatticeIndex& i : lattice_indices(element.shape, element.order))
    text += fmt::format("{}, ", mode_degree(element.shape, i));
  text += "};\n" + embedded("kernels/shared/functions.h") + model.text + material_text(problem) + embedded("kernels/nodal/limit.h");
  std::vector<std::string> kernels{"smooth"};
  if (!model.admissible.empty()) kernels.emplace_back("limit");
  return {fmt::format("{}-{}-{}-limiter", model.name, shape_name(element.shape), element.order), text, kernels, problem.precision,
          !material_in_time};
}

ProgramText measures_text(const Problem& problem, const ReferenceElement& element, const Layout& layout, int material_rows,
                          bool material_in_time) {
  const Model& model = problem.model;
  std::string text = common_constants(problem, element, layout);
  text += constant("MATERIAL_ROWS", material_rows) + constant("MATERIAL_IN_TIME", material_in_time);
  text += constant("CONDITIONS", static_cast<int>(model.admissible.size()));
  text += constant("QUANTITIES", static_cast<int>(model.quantities.size()));
  text += embedded("kernels/shared/functions.h") + model.text + material_text(problem);
  std::vector<std::string> kernels{"rates", "largest"};
  if (!model.admissible.empty()) kernels.emplace_back("conditions");
  if (!model.quantities.empty()) {
    kernels.emplace_back("quantities");
    text += "FUNCTION real quantity_at(int which, const real *q, const real *m)\n{\n  switch (which) {\n";
    for (std::size_t i = 0; i < model.quantities.size(); ++i)
      text += fmt::format("  case {}: return quantity_{}(q, m);\n", i, model.quantities[i]);
    text += "  }\n  return 0.0;\n}\n\n";
  }
  return {fmt::format("{}-{}-{}-measures", model.name, shape_name(element.shape), element.order),
          text + embedded("kernels/nodal/measures.h"), kernels, problem.precision, false};
}

}  // namespace swell
