// SPDX-License-Identifier: Apache-2.0
// The variants of the modal operator's kernels: which there are, which one is used.
#include <fmt/format.h>

#include <array>

#include "dg/modal/operator.hpp"

namespace swell {

namespace {

constexpr std::size_t stage_group = 0;

}  // namespace

TuningKey ModalOperator::group_key(std::size_t g) const {
  // State and residual, read and written.
  const double scalars = 4.0 * static_cast<double>(everywhere_) * modes_->count * fields();
  const std::string kernel = fmt::format("{}-{}-{}-modal{}-{}", problem_.model.name, shape_name(element_.shape), problem_.order,
                                         modes_->varying ? fmt::format("-varying{}", modes_->coefficient_order) : "",
                                         g == stage_group ? "operator" : "predictor");
  return tuning_key(device_.info(), kernel, problem_.precision, scalars * static_cast<double>(bytes_of(problem_.precision)));
}

std::vector<Variant> ModalOperator::group_variants(std::size_t g) const {
  const ModalProgram program = g == stage_group ? ModalProgram::operation : ModalProgram::prediction;
  const ModalText text{problem_, *modes_, pattern_, batch_};
  return modal_variants(program, text.sizes(program, group_key(g).size == "large"), device_);
}

void ModalOperator::set_variant(std::size_t g, const Variant& variant) {
  const ModalText text{problem_, *modes_, pattern_, batch_};
  ContractionTables tables;
  auto program = compile(g == stage_group ? text.operation(variant, tables) : text.prediction(variant, tables));
  (g == stage_group ? values_ : predictor_values_) = upload(tables.numbers, "numbers of contractions");
  (g == stage_group ? columns_ : predictor_columns_) = upload(tables.places, "places of contractions");
  (g == stage_group ? operation_ : prediction_) = std::move(program);
  (g == stage_group ? operation_variant_ : prediction_variant_) = variant;
}

Program& ModalOperator::prediction() {
  if (!prediction_) set_variant(1, choose_variant(problem_, group_variants(1), group_key(1)));
  return *prediction_;
}

void ModalOperator::group_stage(std::size_t g, Buffer& q, std::unique_ptr<Buffer>& next, Buffer& residual, double a, double b,
                                double dt) {
  if (g == stage_group)
    stage(0, q, *next, residual, a, b, dt);
  else
    advance(next, 0, dt, {});
}

void ModalOperator::group_answer(std::size_t g, Buffer& q, std::unique_ptr<Buffer>& next, Buffer& residual, double dt) {
  if (g == stage_group) {
    residual.fill_zero();
    stage(0, q, *next, residual, 0, 1, dt);
    return;
  }
  combine(*next, std::array{Term{1, &q}});
  advance(next, 0, dt, {});
}

std::vector<std::string> ModalOperator::kernels_in_words() const {
  std::vector<std::string> all{group_key(0).kernel + ": " + operation_variant_.name()};
  if (prediction_) all.push_back(group_key(1).kernel + ": " + prediction_variant_.name());
  return all;
}

}  // namespace swell
