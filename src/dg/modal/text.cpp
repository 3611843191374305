// SPDX-License-Identifier: Apache-2.0
#include "dg/modal/text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dg/modal/points.hpp"
#include "dg/modal/rows.hpp"
#include "dg/near_points.hpp"
#include "dg/text.hpp"
#include "element/dense.hpp"
#include "model/expressions_text.hpp"

namespace swell {

namespace {

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

std::string ModalText::constants() const {
  const Model& model = problem.model;
  std::string text = fmt::format("// {}, {}, order {}, modal\n", model.name, shape_name(element.shape), element.order);
  text += constant("DIM", element.dim) + constant("ORDER", element.order) + constant("SIMPLEX", is_simplex(element.shape));
  text += constant("FIELDS", static_cast<int>(model.fields.size()));
  text += constant("MATERIALS", std::max(1, static_cast<int>(model.material.size())));
  text += constant("MODES", element.count) + constant("FACES", element.faces) + constant("FACE_VALUES", element.values);
  text += constant("FACE_POINTS", static_cast<int>(element.face_points.rows()));
  text += constant("POINTS", static_cast<int>(element.rule.points.rows()));
  text += constant("WIDTH", batch.width) + constant("SIGNED_VALUES", element.signed_values);
  text += constant("VARYING", element.varying) + constant("COEFFICIENTS", element.coefficient_count);
  text += constant("ALL_COEFFICIENTS", element.varying ? pattern.coefficients : 0);
  text += constant("FLUX_ENTRIES", static_cast<int>(pattern.flux.size()));
  text += constant("MASS_ENTRIES", static_cast<int>(pattern.mass.size()));
  text += constant("REACTION_ENTRIES", static_cast<int>(pattern.reaction.size()));
  text += constant("HAS_MASS", model.has("mass")) + constant("HAS_REACTION", reacts(problem));
  text += constant("HAS_SOURCE", !problem.source.empty()) + constant("SERIES_TIMES", series_times(element.order));
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
  std::string text = table("int", "face_partner", element.partner) + table("scalar", "face_sign", signs);
  const MirroredFaces mirror = mirrored_faces(element);
  if (!mirror) return text;
  text += constant("MIRROR_A", mirror.a) + constant("MIRROR_B", mirror.b) + "TABLE scalar mirror_sign[FACE_VALUES] = {";
  for (const int s : mirror.sign) text += s > 0 ? "1.0, " : "-1.0, ";
  return text + "};\n";
}

struct ModalText::Writer {
  const Variant* variant;  // nullptr: only `longest` is asked for
  ContractionTables& tables;
  std::string text;
  std::size_t longest = 0;

  void add(const std::string& function, const std::vector<Contraction>& cases, bool choose, ContractionKind kind,
           const FieldsAtOnce& fields = {}) {
    longest = std::max(longest, entry_count(cases));
    if (!variant) return;
    text += contraction_text(function, cases, choose, kind,
                             modal_form(*variant, entry_count(cases) * static_cast<std::size_t>(fields.count)), tables, fields);
  }
  bool at_points() const { return variant && modal_at_points(*variant); }
  FieldsAtOnce at_once(int in_stride, int out_stride) const {
    return {variant ? variant->constant("AT_ONCE") : 1, in_stride, out_stride};
  }
};

Contraction ModalText::triple_product() const {
  return Contraction::of(
      element.renumbered(volume_triples(element.shape, {element.order, element.coefficient_order, element.order})));
}

std::vector<Contraction> ModalText::weak_products() const {
  std::vector<Contraction> all;
  for (int d = 0; d < element.dim; ++d)
    all.push_back(Contraction::of(element.renumbered(volume_triples(
        element.shape, {element.order, element.coefficient_order, element.order}, {Factor::test, d}))));
  return all;
}

std::vector<Contraction> ModalText::strong_products() const {
  const TripleDegrees degrees{element.order, element.coefficient_order, element.order};
  std::vector<Contraction> all;
  for (int d = 0; d < element.dim; ++d)
    all.push_back(Contraction::sum(
        Contraction::of(element.renumbered(volume_triples(element.shape, degrees, {Factor::solution, d}))),
        Contraction::of(element.renumbered(volume_triples(element.shape, degrees, {Factor::coefficient, d})))));
  return all;
}

void ModalText::write_triple_product(Writer& to) const {
  if (pattern.mass.size() + pattern.reaction.size() == 0 || to.at_points()) return;
  to.add("product", {triple_product()}, false, ContractionKind::add);
}

void ModalText::write_varying_operation(Writer& to) const {
  std::vector<Contraction> traces, lifts, weak;
  for (int f = 0; f < element.faces; ++f) {
    traces.push_back(Contraction::of(element.trace[f], element.values, element.count));
    lifts.push_back(Contraction::of(element.lift[f], element.count, element.values));
  }
  to.add("trace", traces, true, ContractionKind::assign);
  to.add("lift", lifts, true, ContractionKind::subtract);
  if (!pattern.flux_changes()) {
    for (int d = 0; d < element.dim; ++d)
      weak.push_back(Contraction::of(element.derivative[d].transpose(), element.count, element.count));
    to.add("weak", weak, true, ContractionKind::add);
  } else if (!to.at_points()) {
    to.add("weak_product", weak_products(), true, ContractionKind::add);
  }
  write_triple_product(to);
}

void ModalText::write_varying_prediction(Writer& to) const {
  std::vector<Contraction> traces, strong;
  for (int f = 0; f < element.faces; ++f)
    traces.push_back(Contraction::of(element.trace[f], element.values, element.count));
  to.add("trace", traces, true, ContractionKind::assign);
  if (!pattern.flux_changes()) {
    for (int d = 0; d < element.dim; ++d) strong.push_back(Contraction::of(element.derivative[d], element.count, element.count));
    to.add("strong", strong, true, ContractionKind::subtract);
  } else if (!to.at_points()) {
    to.add("strong_product", strong_products(), true, ContractionKind::subtract);
  }
  write_triple_product(to);
}

// `strong`: the flux is differentiated, not the test function.
void ModalText::write_points(Writer& to, bool strong) const {
  if (!to.at_points()) return;
  to.text += constant("DIVERGENCES", strong) + modal_points_text(element, to.tables) + embedded("kernels/modal/points.h");
}

// Where each element has one material.
void ModalText::write_face_products(Writer& to) const {
  const auto assign = [&](const char* function, const Matrix& matrix) {
    const auto rows = static_cast<int>(matrix.rows()), columns = static_cast<int>(matrix.cols());
    to.add(function, {Contraction::of(matrix, rows, columns)}, false, ContractionKind::assign, to.at_once(columns, rows));
  };
  assign("trace", stacked_traces(element));
  assign("lift", stacked_lifts(element));
  assign("weak_derivatives", stacked_weak_derivatives(element));
}

std::vector<int> ModalText::level_modes() const {
  std::vector<int> modes;
  for (int level = 0; level <= element.order; ++level)
    modes.push_back(shrinking() ? element.mode_count_of(element.degree.back() - level) : element.count);
  return modes;
}

std::vector<Contraction> ModalText::derivative_levels() const {
  const std::vector<int> modes = level_modes();
  std::vector<Contraction> levels;
  for (int level = 0; level < (shrinking() ? element.order : 1); ++level) {
    const int rows = modes[level + 1], columns = modes[level];
    levels.push_back(Contraction::of(stacked_derivatives(element, rows, columns), element.dim * rows, columns));
  }
  return levels;
}

std::string ModalText::level_table() const {
  return fmt::format("TABLE int level_modes[ORDER + 1] = {{{}}};\n", fmt::join(level_modes(), ", "));
}

// remembered[]: numbers of an element; is_remembered[]: for each mode, where threads have rows.
std::string ModalText::memory_tables() const {
  const std::vector<int> modes = element.remembered();
  std::vector<int> numbers, marks(element.count, 0);
  for (int k = 0; k < static_cast<int>(problem.model.fields.size()); ++k)
    for (const int mode : modes) numbers.push_back(k * element.count + mode);
  for (const int mode : modes) marks[mode] = 1;
  std::string text = constant("REMEMBERED", static_cast<int>(numbers.size()));
  if (numbers.empty()) numbers.push_back(0);  // a table has at least one entry
  text += fmt::format("TABLE int remembered[{}] = {{{}}};\n", numbers.size(), fmt::join(numbers, ", "));
  return text + fmt::format("TABLE int is_remembered[MODES] = {{{}}};\n", fmt::join(marks, ", "));
}

void ModalText::write_derivatives(Writer& to) const {
  to.text += level_table();
  to.add("derivatives", derivative_levels(), true, ContractionKind::assign, to.at_once(element.count, element.dim * element.count));
  const std::vector<int> modes = element.remembered();
  if (modes.empty()) return;
  const auto rows = static_cast<int>(modes.size());
  Matrix some(element.dim * rows, element.count);
  for (int d = 0; d < element.dim; ++d)
    for (int j = 0; j < rows; ++j) some.row(d * rows + j) = element.derivative[d].row(modes[j]);
  to.add("remembered_derivatives", {Contraction::of(some, element.dim * rows, element.count)}, false, ContractionKind::assign);
}

ModalSizes ModalText::sizes(ModalProgram program, bool large) const {
  ContractionTables none;
  Writer counter{nullptr, none, {}};
  if (!element.varying) {
    write_face_products(counter);
    if (program == ModalProgram::prediction) write_derivatives(counter);
  } else if (program == ModalProgram::operation) {
    write_varying_operation(counter);
  } else {
    write_varying_prediction(counter);
  }
  const std::size_t by_points = element.varying ? modal_points_products(element, pattern.flux_changes()) : 0;
  const bool remembers = !element.remembered().empty();
  return {static_cast<int>(problem.model.fields.size()), counter.longest, element.varying, large, batch.rows, by_points, remembers};
}

std::string ModalText::variant_constants(const Variant& variant) const {
  return constant("AT_ONCE", std::max(1, variant.constant("AT_ONCE"))) + constant("STREAM", variant.constant("STREAM")) +
         constant("PREDICT_ONCE", !element.varying && variant.constant("PREDICTIONS") == 1) +
         constant("AT_POINTS", modal_at_points(variant));
}

ProgramText ModalText::operation(const Variant& variant, ContractionTables& tables) const {
  if (variant.constant("ROWS") > 0) return team_operation(variant, tables);
  Writer to{&variant, tables,
            constants() + variant_constants(variant) + face_tables() + problem.model.text + flux_text(problem) +
                embedded("kernels/modal/lanes.h") + embedded("kernels/modal/local.h")};
  if (element.varying) {
    write_varying_operation(to);
    write_points(to, false);
    to.text += embedded("kernels/modal/varying.h");
  } else {
    write_face_products(to);
    to.text += embedded("kernels/modal/rows.h");
  }
  to.text += embedded("kernels/modal/rate.h") + embedded("kernels/modal/modal.h");
  return {name("operator"), to.text, {"traces", "operate"}, problem.precision, true};
}

ProgramText ModalText::prediction(const Variant& variant, ContractionTables& tables, const Matrix* nodes) const {
  if (variant.constant("ROWS") > 0) return team_prediction(variant, tables, nodes);
  Writer to{&variant, tables,
            constants() + variant_constants(variant) + face_tables() + constant("SHRINKING", shrinking()) + problem.model.text +
                flux_text(problem) + embedded("kernels/modal/lanes.h") + embedded("kernels/modal/local.h")};
  std::vector<std::string> kernels{"predict", "local_rate", "remember", "carried_rate"};
  to.text += memory_tables();
  if (element.varying) {
    write_varying_prediction(to);
    write_points(to, true);
    to.text += embedded("kernels/modal/varying.h") + embedded("kernels/modal/taylor.h");
  } else {
    write_face_products(to);
    write_derivatives(to);
    to.text += embedded("kernels/modal/rows.h") + embedded("kernels/modal/taylor.h") + embedded("kernels/modal/rate.h");
    if (!nodes) kernels.push_back("correct");
  }
  if (nodes) {
    const Matrix to_nodes = element.evaluate(*nodes);
    for (const auto& [function, matrix] : {std::pair<const char*, Matrix>{"to_nodes", to_nodes}, {"to_modes", inverse(to_nodes)}})
      to.add(function, {Contraction::of(matrix, element.count, element.count)}, false, ContractionKind::assign);
  }
  to.text += embedded(nodes ? "kernels/nodal/predict.h" : "kernels/modal/predict.h");
  return {name("predictor"), to.text, kernels, problem.precision, true};
}

ProgramText ModalText::pointwise() const {
  std::string text = constants() + face_tables();
  text += embedded("kernels/shared/functions.h") + problem.model.text + flux_text(problem);
  text += material_text(problem) + source_text(problem) + boundary_text(problem) + embedded("kernels/modal/pointwise.h");
  std::vector<std::string> kernels{"ghosts", "sources", "point_sources", "point_series", "receivers", "energy"};
  if (element.varying) kernels.insert(kernels.end(), {"project", "face_materials", "ghost_materials"});
  return {name("pointwise"), text, kernels, problem.precision, false};
}

}  // namespace swell
