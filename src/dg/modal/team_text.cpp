// SPDX-License-Identifier: Apache-2.0
// The modal family's programs for teams of threads (kernels/modal/team.h).
#include <fmt/format.h>

#include "dg/modal/rows.hpp"
#include "dg/modal/text.hpp"
#include "dg/text.hpp"
#include "element/dense.hpp"
#include "model/expressions_text.hpp"

namespace swell {

namespace {

std::string embedded(std::string_view path) { return std::string(kernel_texts(path)); }

// Functions for one row and all fields, whose values lie `columns` apart.
class RowFunctions {
 public:
  RowFunctions(const Variant& variant, int fields, ContractionTables& tables)
      : variant_(variant), fields_(fields), tables_(tables) {}
  void add(const std::string& name, const Matrix& matrix, ContractionKind kind = ContractionKind::assign) {
    const auto rows = static_cast<int>(matrix.rows()), columns = static_cast<int>(matrix.cols());
    write(name, {Contraction::of(matrix, rows, columns)}, false, kind, {fields_, columns, 1});
  }
  void add_levels(const std::string& name, const std::vector<Contraction>& cases, int stride) {
    write(name, cases, true, ContractionKind::assign, {fields_, stride, 1});
  }
  // Functions with a coefficient, for one field.
  void add_products(const std::string& name, const std::vector<Contraction>& cases, ContractionKind kind) {
    write(name, cases, cases.size() > 1, kind, {});
  }
  std::string text;

 private:
  void write(const std::string& name, const std::vector<Contraction>& cases, bool choose, ContractionKind kind,
             const FieldsAtOnce& fields) {
    const std::size_t products = entry_count(cases) * static_cast<std::size_t>(fields.count);
    text += row_function_text(name, cases, choose, kind, modal_form(variant_, products), tables_, fields);
  }
  const Variant& variant_;
  int fields_;
  ContractionTables& tables_;
};

Matrix plain_traces(const ModalElement& element) {
  Matrix all(element.faces * element.values, element.count);
  for (int f = 0; f < element.faces; ++f) all.middleRows(f * element.values, element.values) = element.trace[f];
  return all;
}

Matrix plain_lifts(const ModalElement& element) {
  Matrix all(element.count, element.faces * element.values);
  for (int f = 0; f < element.faces; ++f) all.middleCols(f * element.values, element.values) = element.lift[f];
  return all;
}

ProgramText grouped(ProgramText text, const Variant& variant, const ModalBatch& batch, std::int64_t numbers) {
  text.group = batch.width * variant.constant("ROWS");
  text.shared = static_cast<std::size_t>(numbers) * batch.width * bytes_of(text.precision);
  return text;
}

}  // namespace

std::string ModalText::team_beginning(const Variant& variant) const {
  return constants() + fmt::format("#define ROWS {}\n", variant.constant("ROWS")) + face_tables() + problem.model.text +
         flux_text(problem) + embedded("kernels/modal/lanes.h") + embedded("kernels/modal/local.h");
}

ProgramText ModalText::team_operation(const Variant& variant, ContractionTables& tables) const {
  const auto fields = static_cast<int>(problem.model.fields.size());
  RowFunctions rows(variant, fields, tables);
  rows.add("trace", plain_traces(element));
  rows.add("lift", plain_lifts(element), ContractionKind::subtract);
  if (pattern.flux_changes()) rows.add_products("weak_product", weak_products(), ContractionKind::add);
  else rows.add("weak_derivatives", stacked_weak_derivatives(element));
  if (pattern.mass.size() + pattern.reaction.size() > 0) rows.add_products("product", {triple_product()}, ContractionKind::add);
  const std::string text = team_beginning(variant) + rows.text + embedded("kernels/modal/team.h") +
                           embedded("kernels/modal/team_volume.h") + embedded("kernels/modal/team_rate.h");
  return grouped({name("operator"), text, {"traces", "operate"}, problem.precision, true}, variant, batch,
                 modal_room(element, fields).operation);
}

ProgramText ModalText::team_prediction(const Variant& variant, ContractionTables& tables, const Matrix* nodes) const {
  const auto fields = static_cast<int>(problem.model.fields.size());
  std::vector<std::string> kernels{"predict", "local_rate", "remember", "carried_rate"};
  RowFunctions rows(variant, fields, tables);
  rows.add("trace", plain_traces(element));
  rows.add("lift", plain_lifts(element), ContractionKind::subtract);
  if (pattern.flux_changes()) rows.add_products("strong_product", strong_products(), ContractionKind::subtract);
  else rows.add_levels("derivatives", derivative_levels(), element.count);
  if (pattern.mass.size() + pattern.reaction.size() > 0) rows.add_products("product", {triple_product()}, ContractionKind::add);
  if (!element.varying) {
    rows.add("weak_derivatives", stacked_weak_derivatives(element));
    if (!nodes) kernels.push_back("correct");
  }
  if (nodes) {
    const Matrix to_nodes = element.evaluate(*nodes);
    rows.add("to_nodes", to_nodes);
    rows.add("to_modes", inverse(to_nodes));
  }
  std::string text = team_beginning(variant) +
                     fmt::format("#define SHRINKING {}\n#define NODAL {}\n", shrinking() ? 1 : 0, nodes ? 1 : 0) +
                     memory_tables() + level_table() + rows.text + embedded("kernels/modal/team.h") + embedded("kernels/modal/team_taylor.h");
  if (!element.varying) text += embedded("kernels/modal/team_volume.h");
  text += embedded(nodes ? "kernels/nodal/team_predict.h" : "kernels/modal/team_predict.h");
  return grouped({name("predictor"), text, kernels, problem.precision, true}, variant, batch,
                 modal_room(element, fields).prediction);
}

}  // namespace swell
