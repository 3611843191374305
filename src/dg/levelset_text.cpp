// SPDX-License-Identifier: Apache-2.0
#include "dg/levelset_text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "dg/model.hpp"
#include "element/triple.hpp"

namespace swell {

namespace {

std::string constant(std::string_view name, int value) { return fmt::format("#define {} {}\n", name, value); }

std::string row(const Matrix& matrix, Eigen::Index i) {
  std::string text = "{";
  for (Eigen::Index j = 0; j < matrix.cols(); ++j) text += fmt::format("{}{:.17g}", j ? ", " : "", matrix(i, j));
  return text + "}";
}

std::string table(std::string_view name, const Matrix& matrix) {
  std::string text = fmt::format("TABLE scalar {}[{}][{}] = {{\n", name, matrix.rows(), matrix.cols());
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) text += "  " + row(matrix, i) + ",\n";
  return text + "};\n";
}

Matrix ends_of_line() {
  Matrix ends(2, 1);
  ends << -1, 1;
  return ends;
}

std::string sizes(const LevelSetSize& size) {
  std::string text = fmt::format("// level set, {}, order {}\n", shape_name(size.shape), size.order);
  text += constant("DIM", size.dim) + constant("MODES", size.modes) + constant("FACES", size.faces);
  text += constant("FACE_MODES", size.face_modes) + constant("POINTS", size.points());
  text += constant("FACE_POINTS", size.face_points()) + constant("WIDTH", size.width);
  text += constant("SIMPLEX", is_simplex(size.shape));
  text += constant("ORIENTATIONS", orientation_count(face_shape(size.shape)));
  if (is_simplex(size.shape)) return text + std::string(kernel_texts("kernels/levelset_simplex.h"));
  const Cubature line = cubature(Shape::line, 3 * size.order);
  const Matrix basis = modes(Shape::line, size.order, line.points);
  text += constant("LINE", size.order + 1) + constant("LINE_POINTS", static_cast<int>(line.weights.size()));
  text += table("basis", basis) + table("weighted", basis.transpose() * line.weights.asDiagonal());
  text += table("slope", mode_derivative(Shape::line, size.order, 0));
  text += table("ends", modes(Shape::line, size.order, ends_of_line()));
  return text + std::string(kernel_texts("kernels/levelset_tensor.h"));
}

std::string name_of(const LevelSetSize& size, std::string_view part) {
  return fmt::format("levelset-{}-{}-{}", shape_name(size.shape), size.order, part);
}

std::string velocity_text(const std::vector<std::vector<Expression>>& velocity) {
  std::string text = "FUNCTION void velocity_at(int region, const real *at, double t, real *u)\n{\n";
  text += "  const scalar x = at[0], y = at[1], z = at[2];\n  switch (region) {\n";
  for (std::size_t r = 0; r < velocity.size(); ++r) {
    text += fmt::format("  case {}:\n", r);
    for (std::size_t d = 0; d < velocity[r].size(); ++d)
      text += fmt::format("    u[{}] = {};\n", d, velocity[r][d].c_text());
    text += "    break;\n";
  }
  return text + "  }\n}\n";
}

// Reference points of the integrals in the element and on its faces.
std::string points_text(const LevelSetSize& size) {
  std::string text = table("point", size.rule.points);
  text += fmt::format("TABLE scalar point_weight[POINTS] = {};\n", row(size.rule.weights.transpose(), 0));
  text += fmt::format("#define ROOT_MEASURE {:.17g}\n", std::sqrt(reference_measure(size.shape)));
  text += fmt::format("TABLE scalar face_point[FACES][FACE_POINTS][DIM] = {{\n");
  for (int face = 0; face < size.faces; ++face) {
    const Matrix points = face_points(size.shape, face, size.face_rule.points);
    text += "  {";
    for (Eigen::Index p = 0; p < points.rows(); ++p) text += row(points, p) + ", ";
    text += "},\n";
  }
  return text + "};\n";
}

void append(std::vector<double>& to, const Matrix& matrix) {
  to.insert(to.end(), matrix.data(), matrix.data() + matrix.size());
}

}  // namespace

ProgramText levelset_transport_text(const LevelSetSize& size, Precision precision) {
  const std::string text = sizes(size) + std::string(kernel_texts("kernels/levelset.h"));
  return {name_of(size, "transport"), text, {"traces_of_state", "transport"}, precision, true};
}

ProgramText levelset_reinit_text(const LevelSetSize& size, Precision precision) {
  const std::string text = sizes(size) + std::string(kernel_texts("kernels/levelset.h")) +
                           std::string(kernel_texts("kernels/levelset_reinit.h"));
  return {name_of(size, "reinitialise"), text, {"normals_of_state", "profile_fluxes", "reinitialise"}, precision, true};
}

ProgramText levelset_pointwise_text(const LevelSetSize& size, Precision precision,
                                    const std::vector<std::vector<Expression>>& velocity) {
  std::string text = sizes(size) + std::string(kernel_texts("kernels/levelset.h"));
  text += std::string(kernel_texts("kernels/functions.h")) + velocity_text(velocity) + points_text(size);
  text += kernel_texts("kernels/levelset_velocity.h");
  return {name_of(size, "velocity"),
          text,
          {"project_velocity", "largest_rates", "combine", "measure", "sample"},
          precision,
          false};
}

std::vector<double> levelset_tables(const LevelSetSize& size) {
  const Shape face = face_shape(size.shape);
  std::vector<double> all;
  for (int o = 0; o < orientation_count(face); ++o) append(all, orientation_matrix(face, size.order, o));
  if (!is_simplex(size.shape)) return all;
  const Matrix basis = modes(size.shape, size.order, size.rule.points);
  const Matrix on_face = modes(face, size.order, size.face_rule.points);
  append(all, basis);
  append(all, basis.transpose() * size.rule.weights.asDiagonal());
  append(all, on_face);
  append(all, on_face.transpose() * size.face_rule.weights.asDiagonal());
  for (int d = 0; d < size.dim; ++d) append(all, mode_derivative(size.shape, size.order, d));
  for (int f = 0; f < size.faces; ++f) append(all, trace_matrix(size.shape, size.order, f));
  return all;
}

}  // namespace swell
