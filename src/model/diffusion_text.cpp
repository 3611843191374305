// SPDX-License-Identifier: Apache-2.0
#include "model/diffusion_text.hpp"

#include <fmt/format.h>

#include "element/dense.hpp"
#include "element/element.hpp"
#include "element/table_text.hpp"
#include "model/model.hpp"

namespace swell {

std::string boundary_switch_text(std::string_view head, const std::vector<std::string>& cases) {
  std::string text = fmt::format("FUNCTION scalar {}(int boundary, scalar x, scalar y, scalar z, double t)\n{{\n", head);
  text += "  switch (boundary) {\n";
  for (std::size_t i = 0; i < cases.size(); ++i) text += fmt::format("  case {}: return {};\n", i, cases[i]);
  return text + "  }\n  return 0.0;\n}\n\n";
}

std::string gauss_lines_text(int order) {
  const ReferenceElement line(Shape::line, order);
  const Matrix points = cubature(Shape::line, 2 * order).points;
  const Matrix to_gauss = line.interpolation(points), node_slope = line.interpolation_gradients(points)[0];
  // Values at the points differ from values at the nodes by a change of basis: differentiate by way of the nodes.
  const Matrix gauss_slope = node_slope * inverse(to_gauss);
  return constant_text("LINE", order + 1) + table_text("to_gauss", to_gauss) + table_text("gauss_slope", gauss_slope) +
         table_text("node_slope", node_slope) + std::string(kernel_texts("kernels/shared/gauss_lines.h"));
}

}  // namespace swell
