// SPDX-License-Identifier: Apache-2.0
#include "dg/modal_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dg/expressions_text.hpp"
#include "dg/text.hpp"

namespace swell {

namespace {

// Products that a function may write out: compilers take a second for a few thousand, and longer texts leave the
// instruction caches.
constexpr std::size_t longest_text = 6000;

std::string constant(std::string_view name, int value) { return fmt::format("#define {} {}\n", name, value); }

std::string embedded(std::string_view path) { return std::string(kernel_texts(path)); }

std::string entry_table(std::string_view name, const std::vector<ModalPattern::Entry>& entries) {
  if (entries.empty()) return "";
  std::string text = fmt::format("TABLE int {}[{}][3] = {{", name, entries.size());
  for (const auto& e : entries) text += fmt::format("{{{}, {}, {}}}, ", e.row, e.column, e.coefficient);
  return text + "};\n";
}

template <class Rows>
std::string table(std::string_view type, std::string_view name, const Rows& rows) {
  std::string text = fmt::format("TABLE {} {}[{}][{}] = {{\n", type, name, rows.size(), rows.front().size());
  for (const auto& row : rows) text += fmt::format("  {{{}}},\n", fmt::join(row, ", "));
  return text + "};\n";
}

}  // namespace

std::string ModalText::name(const char* part) const {
  return fmt::format("{}-{}-{}-modal-{}", problem.model.name, shape_name(element.shape), element.order, part);
}

bool ModalText::shrinking() const { return !element.varying && !reacts(problem); }

std::string ModalText::words() const {
  if (!element.varying)
    return fmt::format("{}: one material in each element", name("operator"));
  return fmt::format("{}: coefficients of degree {}, {} of them in an element", name("operator"),
                     element.coefficient_order, pattern.coefficients);
}

std::string ModalText::constants() const {
  const Model& model = problem.model;
  std::string text = fmt::format("// {}, {}, order {}, modal\n", model.name, shape_name(element.shape), element.order);
  text += constant("DIM", element.dim) + constant("ORDER", element.order) + constant("SIMPLEX", is_simplex(element.shape));
  text += constant("FIELDS", static_cast<int>(model.fields.size()));
  text += constant("MATERIALS", std::max(1, static_cast<int>(model.material.size())));
  text += constant("MODES", element.count) + constant("FACES", element.faces) + constant("FACE_VALUES", element.values);
  text += constant("FACE_POINTS", static_cast<int>(element.face_points.rows()));
  text += constant("POINTS", static_cast<int>(element.rule.points.rows()));
  text += constant("WIDTH", width) + constant("SIGNED_VALUES", element.signed_values);
  text += constant("VARYING", element.varying) + constant("COEFFICIENTS", element.coefficient_count);
  text += constant("ALL_COEFFICIENTS", element.varying ? pattern.coefficients : 0);
  text += constant("FLUX_ENTRIES", static_cast<int>(pattern.flux.size()));
  text += constant("MASS_ENTRIES", static_cast<int>(pattern.mass.size()));
  text += constant("REACTION_ENTRIES", static_cast<int>(pattern.reaction.size()));
  text += constant("HAS_MASS", model.has("mass")) + constant("HAS_REACTION", reacts(problem));
  text += constant("HAS_SOURCE", !problem.source.empty());
  text += constant("FLUX_RUSANOV", problem.flux == FluxKind::rusanov);
  text += constant("FLUX_BLEND", problem.alpha == 0 ? 0 : problem.alpha == 1 ? 1 : 2);
  text += fmt::format("#define FLUX_ALPHA {:.17g}\n", problem.alpha);
  text += entry_table("flux_entry", pattern.flux) + entry_table("mass_entry", pattern.mass) +
          entry_table("reaction_entry", pattern.reaction);
  return text + names_text(model);
}

std::string ModalText::face_tables() const {
  std::vector<std::vector<std::string>> signs;
  for (const auto& row : element.sign) {
    signs.emplace_back();
    for (const int s : row) signs.back().push_back(s > 0 ? "1.0" : "-1.0");
  }
  return table("int", "face_partner", element.partner) + table("scalar", "face_sign", signs);
}

std::string ModalText::contraction(const std::string& function, const std::vector<Contraction>& cases, bool choose,
                                   ContractionKind kind, ContractionTables& tables) const {
  const auto form = entry_count(cases) <= longest_text ? ContractionForm::text : ContractionForm::rows;
  return contraction_text(function, cases, choose, kind, form, tables);
}

ProgramText ModalText::operation(ContractionTables& tables) const {
  std::string text = constants() + face_tables();
  std::vector<Contraction> traces, lifts, weak;
  for (int f = 0; f < element.faces; ++f) {
    traces.push_back(Contraction::of(element.trace[f], element.values, element.count));
    lifts.push_back(Contraction::of(element.lift[f], element.count, element.values));
  }
  text += contraction("trace", traces, true, ContractionKind::assign, tables);
  text += contraction("lift", lifts, true, ContractionKind::subtract, tables);
  if (element.varying && pattern.flux_changes()) {
    const TripleDegrees degrees{element.order, element.coefficient_order, element.order};
    for (int d = 0; d < element.dim; ++d)
      weak.push_back(
          Contraction::of(element.renumbered(volume_triples(element.shape, degrees, {Factor::test, d}))));
    text += contraction("weak_product", weak, true, ContractionKind::add, tables);
  } else {
    for (int d = 0; d < element.dim; ++d)
      weak.push_back(Contraction::of(element.derivative[d].transpose(), element.count, element.count));
    text += contraction("weak", weak, true, ContractionKind::add, tables);
  }
  if (element.varying && pattern.mass.size() + pattern.reaction.size() > 0) {
    const TripleDegrees degrees{element.order, element.coefficient_order, element.order};
    text += contraction("product", {Contraction::of(element.renumbered(volume_triples(element.shape, degrees)))}, false,
                        ContractionKind::add, tables);
  }
  text += problem.model.text + embedded("kernels/flux.h") + embedded("kernels/modal_lanes.h") +
          embedded("kernels/modal_local.h") + embedded("kernels/modal.h");
  return {name("operator"), text, {"traces", "operate"}, problem.precision, true};
}

ProgramText ModalText::prediction(ContractionTables& tables, const Matrix* nodes) const {
  std::string text = constants() + face_tables();
  std::vector<Contraction> traces, strong;
  for (int f = 0; f < element.faces; ++f)
    traces.push_back(Contraction::of(element.trace[f], element.values, element.count));
  text += contraction("trace", traces, true, ContractionKind::assign, tables);
  const TripleDegrees degrees{element.order, element.coefficient_order, element.order};
  if (element.varying && pattern.flux_changes()) {
    for (int d = 0; d < element.dim; ++d)
      strong.push_back(Contraction::sum(
          Contraction::of(element.renumbered(volume_triples(element.shape, degrees, {Factor::solution, d}))),
          Contraction::of(element.renumbered(volume_triples(element.shape, degrees, {Factor::coefficient, d})))));
    text += contraction("strong_product", strong, true, ContractionKind::subtract, tables);
  }
  std::vector<int> level_modes;
  const int top = element.degree.back();
  for (int level = 0; level <= element.order; ++level)
    level_modes.push_back(shrinking() ? element.mode_count_of(top - level) : element.count);
  if (strong.empty()) {
    for (int level = 0; level < (shrinking() ? element.order : 1); ++level)
      for (int d = 0; d < element.dim; ++d)
        strong.push_back(Contraction::of(element.derivative[d], level_modes[level], level_modes[level]));
    text += contraction("strong", strong, true, ContractionKind::subtract, tables);
  }
  if (element.varying && pattern.mass.size() + pattern.reaction.size() > 0)
    text += contraction("product", {Contraction::of(element.renumbered(volume_triples(element.shape, degrees)))}, false,
                        ContractionKind::add, tables);
  text += constant("SHRINKING", shrinking());
  text += fmt::format("TABLE int level_modes[ORDER + 1] = {{{}}};\n", fmt::join(level_modes, ", "));
  text += problem.model.text + embedded("kernels/flux.h") + embedded("kernels/modal_lanes.h") +
          embedded("kernels/modal_local.h") + embedded("kernels/modal_taylor.h");
  if (nodes) {
    const Matrix to_nodes = element.evaluate(*nodes);
    for (const auto& [function, matrix] : {std::pair<const char*, Matrix>{"to_nodes", to_nodes}, {"to_modes", to_nodes.inverse()}})
      text += contraction(function, {Contraction::of(matrix, element.count, element.count)}, false, ContractionKind::assign, tables);
  }
  text += embedded(nodes ? "kernels/nodal_predict.h" : "kernels/modal_predict.h");
  return {name("predictor"), text, {"predict", "local_rate"}, problem.precision, true};
}

ProgramText ModalText::pointwise() const {
  std::string text = constants() + face_tables();
  text += embedded("kernels/functions.h") + problem.model.text + embedded("kernels/flux.h");
  text += material_text(problem) + source_text(problem) + boundary_text(problem) + embedded("kernels/modal_pointwise.h");
  std::vector<std::string> kernels{"ghosts", "sources", "point_sources", "receivers", "energy"};
  if (element.varying) kernels.insert(kernels.end(), {"project", "face_materials", "ghost_materials"});
  return {name("pointwise"), text, kernels, problem.precision, false};
}

}  // namespace swell
