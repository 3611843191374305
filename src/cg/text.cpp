// SPDX-License-Identifier: Apache-2.0
#include "cg/text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/expression_steps.hpp"
#include "cg/blocks/fan_values.hpp"
#include "element/table_text.hpp"
#include "model/diffusion_text.hpp"

namespace swell {

namespace {

std::string embedded(std::string_view path) { return std::string(cg_texts(path)); }

std::string element_constants(const ReferenceElement& element) {
  return fmt::format("// continuous {}, order {}\n", shape_name(element.shape), element.order) +
         constant_text("DIM", element.dim) + constant_text("NODES", element.node_count);
}

std::string kind_constants(const ElementKind& kind, bool constant_inside, const Cubature& rule) {
  return constant_text("AFFINE", kind.affine) + constant_text("VARYING", kind.varying) +
         constant_text("STEADY", kind.steady) + constant_text("CONSTANT", constant_inside) +
         constant_text("POINTS", rule.points.rows()) + table_text("point_weights", rule.weights.transpose()) +
         "#define point_weight point_weights[0]\n";
}

std::string source_text(const DiffusionProblem& problem, const ReferenceElement& element, const ElementKind& kind,
                        const Cubature& rule) {
  return element_constants(element) + kind_constants(kind, false, rule) + constant_text("PLACES", source_has_places(problem)) +
         embedded("kernels/shared/functions.h") +
         fmt::format("FUNCTION scalar source_at(scalar x, scalar y, scalar z, double t)\n{{\n  return {};\n}}\n\n",
                     problem.source.c_text()) +
         embedded("kernels/continuous/source.h");
}

std::string block_head(const BlockGroup& group) {
  return embedded("kernels/continuous/block_parameters.h") +
         embedded(group.threads > 0 ? "kernels/continuous/block_groups.h" : "kernels/continuous/block_lanes.h");
}

std::string face_constants(const FaceData& faces) {
  return constant_text("FACE_NODES", faces.nodes) + constant_text("FACE_POINTS", faces.points);
}

}  // namespace

ProgramText block_text(const ReferenceElement& element, const ElementKind& kind, const Cubature& rule,
                       const Vectors& vectors, const BlockGroup& group) {
  const bool tensor = is_tensor(element.shape);
  std::string text = vectors.totals_text() + element_constants(element) +
                     kind_constants(kind, constant_inside(kind), rule) + constant_text("MOST", group.most) +
                     constant_text("CHAIN", group.chain) + constant_text("FOLLOWS", group.follows);
  if (tensor) {
    text += gauss_lines_text(element.order);
  } else {
    text += constant_text("SLOPES", element.order == 1 ? 1 : mode_count(element.shape, element.order - 1));
  }
  if (group.chain > 1) {
    text += constant_text("NEXT_STEP", fan_next_step) + block_head(group) + embedded("kernels/continuous/fans.h");
  } else {
    text += embedded("kernels/continuous/geometry.h");
    text += embedded(tensor ? "kernels/continuous/tensor.h" : "kernels/continuous/simplex.h") + block_head(group);
    text += embedded("kernels/continuous/blocks.h");
  }
  return {fmt::format("heat-{}-{}", shape_name(element.shape), element.order),
          text,
          {"block_apply", "block_diagonal"},
          vectors.precision(),
          true,
          group.threads,
          group.threads > 0 ? group.shared : 0};
}

ProgramText block_load_text(const DiffusionProblem& problem, const ReferenceElement& element, const ElementKind& kind,
                            const Cubature& rule, const BlockGroup& group) {
  return {fmt::format("heat-{}-{}-source", shape_name(element.shape), element.order),
          source_text(problem, element, kind, rule) + constant_text("MOST", group.most) + block_head(group) +
              embedded("kernels/continuous/block_load.h"),
          {"block_load"},
          problem.precision,
          true,
          group.threads,
          group.threads > 0 ? group.shared : 0};
}

ProgramText gather_sums_text(Precision precision) {
  return {"heat-sums", embedded("kernels/continuous/sums.h"), {"gather_sums"}, precision, false};
}

ProgramText vertex_text(const ReferenceElement& element, const ElementKind& kind, const Cubature& rule,
                        Precision precision, bool adds) {
  return {fmt::format("heat-{}-{}-vertices", shape_name(element.shape), element.order),
          element_constants(element) + kind_constants(kind, kind.affine && !kind.varying, rule) + constant_text("ADDS", adds) +
              embedded("kernels/continuous/geometry.h") + embedded("kernels/continuous/vertices.h"),
          {"vertex_apply", "vertex_diagonal"},
          precision,
          false};
}

ProgramText vertex_load_text(const DiffusionProblem& problem, const ReferenceElement& element, const ElementKind& kind,
                             const Cubature& rule, bool adds) {
  return {fmt::format("heat-{}-{}-vertices-source", shape_name(element.shape), element.order),
          source_text(problem, element, kind, rule) + constant_text("ADDS", adds) + embedded("kernels/continuous/vertex_load.h"),
          {"vertex_load"},
          problem.precision,
          false};
}

ProgramText material_text(const MaterialBatch& batch, Precision computed, Precision stored) {
  const std::string steps = expression_steps_text();
  return {"heat-material",
          embedded("kernels/shared/functions.h") + constant_text("DIM", batch.dim) + constant_text("CORNERS", batch.corners) +
              constant_text("SLOTS", batch.slots) +
              constant_text("PIECE", batch.piece) + constant_text("APART", batch.apart) + "#define CHUNK (PIECE * SLOTS)\n" +
              constant_text("REGISTERS", ExpressionSteps::registers) + constant_text("STEP", ExpressionSteps::width) +
              fmt::format("typedef {} stored;\n", stored == Precision::single_ ? "float" : "double") +
              embedded("kernels/continuous/material_steps.h") + steps + embedded("kernels/continuous/material.h"),
          {"fill_material"},
          computed,
          false};
}

ProgramText gather_text(Shape face, const FaceData& faces, Precision precision) {
  return {fmt::format("heat-{}-{}-gather", shape_name(face), faces.nodes),
          face_constants(faces) + embedded("kernels/continuous/gather.h"),
          {"gather_faces", "face_apply", "face_diagonal", "invert"},
          precision,
          false};
}

ProgramText load_text(const DiffusionProblem& problem, const Elements& elements, const FaceData& faces) {
  const ReferenceElement& first = elements.first();
  std::string text = fmt::format("// continuous {}, order {}\n", shape_name(first.shape), first.order) + constant_text("DIM", first.dim) +
                     constant_text("NODES", elements.most_nodes()) + face_constants(faces) + embedded("kernels/shared/functions.h");
  std::vector<std::string> flux, value;
  for (const DiffusionBoundary& b : problem.boundary) {
    const bool given = b.kind == DiffusionBoundary::Kind::value;
    // Coarser levels have 0 outside, and one kernel source for all transfers.
    const bool robin = b.kind == DiffusionBoundary::Kind::robin && !(b.value.is_constant() && b.value.constant() == 0);
    flux.push_back(given   ? "0.0"
                   : robin ? fmt::format("({}) * ({})", b.transfer.c_text(), b.value.c_text())
                           : b.value.c_text());
    value.push_back(given ? b.value.c_text() : "0.0");
  }
  text += boundary_switch_text("boundary_flux", flux) + boundary_switch_text("boundary_value", value) + embedded("kernels/continuous/load.h");
  return {fmt::format("heat-{}-{}-load", shape_name(first.shape), first.order),
          text,
          {"load_faces", "set_fixed", "sample"},
          problem.precision,
          false};
}

}  // namespace swell
