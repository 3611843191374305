// SPDX-License-Identifier: Apache-2.0
#include "element/table_text.hpp"

#include <fmt/format.h>

namespace swell {

std::string constant_text(std::string_view name, std::int64_t value) { return fmt::format("#define {} {}\n", name, value); }

std::string table_text(std::string_view name, const Matrix& matrix) {
  std::string text = fmt::format("TABLE scalar {}[{}][{}] = {{\n", name, matrix.rows(), matrix.cols());
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    text += "  {";
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) text += fmt::format("{}{:#.17g}", j ? ", " : "", matrix(i, j));
    text += "},\n";
  }
  return text + "};\n";
}

}  // namespace swell
