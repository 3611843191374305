// SPDX-License-Identifier: Apache-2.0
#include "dg/modal/points.hpp"

#include <fmt/format.h>

#include "dg/text.hpp"
#include "element/symmetric_cubature.hpp"

namespace swell {

namespace {

constexpr int highest_symmetric_degree = 26;  // that symmetric_cubature() has on triangles

int exact_degree(const ModalElement& element) { return 2 * element.order + element.coefficient_order; }

// The rule is that of the element on simplices, that of the line on tensor shapes.
Cubature exact_cubature(const ModalElement& element) {
  const int degree = exact_degree(element);
  if (!is_simplex(element.shape)) return cubature(Shape::line, degree);
  if (element.shape == Shape::triangle && degree <= highest_symmetric_degree) return symmetric_cubature(element.shape, degree);
  return cubature(element.shape, degree);
}

std::string tensor_text(const ModalElement& element, ContractionTables& tables) {
  const Cubature rule = exact_cubature(element);
  const auto count = static_cast<int>(rule.points.rows());
  std::string text;
  const auto constant = [&](const char* name, std::size_t value) { text += fmt::format("#define {} {}\n", name, value); };
  const auto keep = [&](const char* name, const Matrix& matrix) {
    constant(name, tables.numbers.size());
    tables.numbers.insert(tables.numbers.end(), matrix.data(), matrix.data() + matrix.size());
  };
  const auto of_line = [&](int order) { return modes(Shape::line, order, rule.points); };
  const auto slope_of_line = [&](int order) { return mode_gradients(Shape::line, order, rule.points)[0]; };
  constant("EXACT_POINTS", static_cast<std::size_t>(element.dim == 2 ? count * count : count * count * count));
  constant("LINE", static_cast<std::size_t>(element.order + 1));
  constant("LINE_POINTS", static_cast<std::size_t>(count));
  constant("COEFFICIENT_LINE", static_cast<std::size_t>(element.coefficient_order + 1));
  keep("LINE_BASIS", of_line(element.order));
  keep("LINE_SLOPE", slope_of_line(element.order));
  keep("LINE_TEST", of_line(element.order).transpose() * rule.weights.asDiagonal());
  keep("LINE_TEST_SLOPE", slope_of_line(element.order).transpose() * rule.weights.asDiagonal());
  keep("COEFFICIENT_BASIS", of_line(element.coefficient_order));
  keep("COEFFICIENT_SLOPE", slope_of_line(element.coefficient_order));
  text += fmt::format("TABLE int lattice_of_mode[MODES] = {{{}}};\n", fmt::join(element.lattice, ", "));
  return text + std::string(kernel_texts("kernels/modal/points_tensor.h"));
}

std::string simplex_text(const ModalElement& element, ContractionTables& tables) {
  const Cubature rule = exact_cubature(element);
  const auto points = static_cast<int>(rule.points.rows());
  const auto full = [](const Matrix& matrix) {
    return Contraction::of(matrix, static_cast<int>(matrix.rows()), static_cast<int>(matrix.cols()));
  };
  const Matrix values = element.evaluate(rule.points);
  const auto slopes_of_coefficient = mode_gradients(element.shape, element.coefficient_order, rule.points);
  std::vector<Contraction> slopes, test_slopes, coefficient_slopes;
  for (int d = 0; d < element.dim; ++d) {
    const Matrix slope = values * element.derivative[d];
    slopes.push_back(full(slope));
    test_slopes.push_back(full(slope.transpose() * rule.weights.asDiagonal()));
    coefficient_slopes.push_back(full(slopes_of_coefficient[d]));
  }
  std::string text = fmt::format("#define EXACT_POINTS {}\n", points);
  const auto add = [&](const char* name, const std::vector<Contraction>& cases, bool choose, ContractionKind kind) {
    text += contraction_text(name, cases, choose, kind, ContractionForm::dense, tables);
  };
  add("values_of_modes", {full(values)}, false, ContractionKind::assign);
  add("slopes_of_modes", slopes, true, ContractionKind::assign);
  add("test_values", {full(values.transpose() * rule.weights.asDiagonal())}, false, ContractionKind::add);
  add("test_slopes", test_slopes, true, ContractionKind::add);
  add("values_of_coefficient", {full(modes(element.shape, element.coefficient_order, rule.points))}, false,
      ContractionKind::assign);
  add("slopes_of_coefficient", coefficient_slopes, true, ContractionKind::assign);
  return text;
}

}  // namespace

std::string modal_points_text(const ModalElement& element, ContractionTables& tables) {
  return is_simplex(element.shape) ? simplex_text(element, tables) : tensor_text(element, tables);
}

std::size_t modal_points_products(const ModalElement& element, bool slopes) {
  const auto points = static_cast<std::size_t>(exact_cubature(element).points.rows()),
             line = static_cast<std::size_t>(element.order + 1), ways = 2 + (slopes ? static_cast<std::size_t>(element.dim) : 0);
  if (is_simplex(element.shape)) return ways * points * static_cast<std::size_t>(element.count);
  const std::size_t plane = line * points * (line + points);
  return ways * (element.dim == 2 ? plane : line * line * line * points + points * plane);
}

}  // namespace swell
