// SPDX-License-Identifier: Apache-2.0
#include "dg/diffusion/text.hpp"

#include <fmt/format.h>

#include "element/table_text.hpp"
#include "model/diffusion_text.hpp"
#include "model/model.hpp"

namespace swell {

namespace {

std::string embedded(std::string_view path) { return std::string(kernel_texts(path)); }

std::string sizes(const DiffusionRules& rules) {
  const ReferenceElement& element = rules.element;
  return fmt::format("// discontinuous {}, order {}\n", shape_name(element.shape), element.order) +
         constant_text("DIM", element.dim) + constant_text("NODES", element.node_count) + constant_text("FACES", element.face_count) +
         constant_text("POINTS", rules.volume.points.rows()) + constant_text("FACE_POINTS", rules.face.points.rows()) +
         constant_text("CONSTANT", rules.constant) + table_text("face_weights", rules.face.weights.transpose());
}

std::string turns_table(const DiffusionRules& rules) {
  std::string text = constant_text("TURNS", static_cast<std::int64_t>(rules.turned.size()));
  text += fmt::format("TABLE int turned[{}][{}] = {{\n", rules.turned.size(), rules.turned.front().size());
  for (const auto& points : rules.turned) text += fmt::format("  {{{}}},\n", fmt::join(points, ", "));
  return text + "};\n";
}

std::string line_tables(const DiffusionRules& rules) {
  const Matrix ends = (Matrix(2, 1) << -1, 1).finished();
  const std::string text = gauss_lines_text(rules.element.order) +
                           table_text("end_slope", ReferenceElement(Shape::line, rules.element.order).interpolation_gradients(ends)[0]);
  if (!rules.constant) return text + "#define POINT_WEIGHT(p) 1.0\n";
  return text + table_text("point_weights", rules.volume.weights.transpose()) + "#define POINT_WEIGHT(p) point_weights[0][p]\n";
}

}  // namespace

ProgramText diffusion_text(const DiffusionRules& rules, Precision precision, bool listed) {
  const bool simplex = is_simplex(rules.element.shape);
  std::string text = sizes(rules) + constant_text("LISTED", listed) + turns_table(rules);
  if (!simplex) text += line_tables(rules);
  text += embedded("kernels/diffusion/metric.h") + embedded(simplex ? "kernels/diffusion/simplex.h" : "kernels/diffusion/tensor.h");
  text += embedded("kernels/diffusion/sipg.h");
  return {fmt::format("sipg-{}-{}", shape_name(rules.element.shape), rules.element.order),
          text,
          {listed ? "sipg_trace_listed" : "sipg_trace", listed ? "sipg_apply_listed" : "sipg_apply", "sipg_inverse_diagonal"},
          precision,
          true};
}

ProgramText diffusion_load_text(const DiffusionProblem& problem, const DiffusionRules& rules, int load_points) {
  const ReferenceElement& element = rules.element;
  std::string text = sizes(rules) + constant_text("LOAD_POINTS", load_points);
  text += is_simplex(element.shape) ? "#define FACE_MATRICES (2 * POINTS * NODES * DIM)\n" : "#define FACE_MATRICES 0\n";
  text += embedded("kernels/shared/functions.h");
  text += fmt::format("FUNCTION scalar source_at(scalar x, scalar y, scalar z, double t)\n{{\n  return {};\n}}\n\n",
                      problem.source.c_text());
  std::vector<std::string> flux, value;
  std::string given = "FUNCTION int gives_value(int boundary)\n{\n  switch (boundary) {\n";
  for (std::size_t i = 0; i < problem.boundary.size(); ++i) {
    const DiffusionBoundary& b = problem.boundary[i];
    const bool robin = b.kind == DiffusionBoundary::Kind::robin, known = b.kind == DiffusionBoundary::Kind::value;
    flux.push_back(known   ? "0.0"
                   : robin ? fmt::format("({}) * ({})", b.transfer.c_text(), b.value.c_text())
                           : b.value.c_text());
    value.push_back(known ? b.value.c_text() : "0.0");
    given += fmt::format("  case {}: return {};\n", i, known ? 1 : 0);
  }
  text += given + "  }\n  return 0;\n}\n\n" + boundary_switch_text("boundary_flux", flux) + boundary_switch_text("boundary_value", value);
  text += embedded("kernels/diffusion/load.h");
  return {fmt::format("sipg-{}-{}-load", shape_name(element.shape), element.order),
          text,
          {"sipg_load_volume", "sipg_load_sides", "sipg_sample"},
          problem.precision,
          false};
}

}  // namespace swell
