// SPDX-License-Identifier: Apache-2.0
#include "dg/levelset/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "element/triple.hpp"
#include "model/model.hpp"

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

int line_points(const LevelSetSize& size) {
  return static_cast<int>(cubature(Shape::line, 3 * size.order).weights.size());
}

// Shared memory of an element in scalars: what kernels/levelset/group.h calls `wide`, `narrow`, and the modes of its faces.
struct Room {
  int wide, narrow, face;
  int all() const { return wide + narrow + face; }
};

Room room_of(const LevelSetSize& size) {
  const int fields = size.dim + 1, face_rows = size.faces * size.face_modes;
  Room room{std::max({fields * size.modes, 3 * face_rows, size.faces * size.face_points()}), (size.dim + 2) * size.team,
            std::max(face_rows, size.modes)};
  if (is_simplex(size.shape)) {
    room.narrow = std::max({room.narrow, size.dim * size.points(), size.faces * size.face_points()});
    return room;
  }
  const int line = size.order + 1, wide = line_points(size);
  if (size.dim == 2) {
    room.narrow = std::max(room.narrow, fields * line * wide);
  } else {
    room.wide = std::max({room.wide, fields * line * wide * wide, size.faces * line * wide});
    room.narrow = std::max({room.narrow, fields * line * line * wide, 3 * size.faces * line * wide});
  }
  return room;
}

int threads_of(const LevelSetSize& size) {
  constexpr int warp = 32;
  return (size.team * size.elements + warp - 1) / warp * warp;
}

// The text of one form or the other, and the group that it asks for.
ProgramText program(const LevelSetSize& size, std::string_view part, std::string text, std::vector<std::string> kernels,
                    Precision precision, bool vectors) {
  ProgramText result{fmt::format("levelset-{}-{}-{}", shape_name(size.shape), size.order, part), std::move(text),
                     std::move(kernels), precision, vectors};
  if (size.team == 0) return result;
  result.group = threads_of(size);
  result.shared = static_cast<std::size_t>(room_of(size).all()) * size.elements * bytes_of(precision);
  return result;
}

std::string sizes(const LevelSetSize& size) {
  std::string text = fmt::format("// level set, {}, order {}\n", shape_name(size.shape), size.order);
  text += constant("DIM", size.dim) + constant("MODES", size.modes) + constant("FACES", size.faces);
  text += constant("FACE_MODES", size.face_modes) + constant("POINTS", size.points());
  text += constant("FACE_POINTS", size.face_points()) + constant("WIDTH", size.width);
  text += constant("SIMPLEX", is_simplex(size.shape));
  text += fmt::format("#define MEAN_ON_FACE ((scalar){:.17g})\n",
                      std::sqrt(reference_measure(face_shape(size.shape)) / reference_measure(size.shape)));
  text += constant("ORIENTATIONS", orientation_count(face_shape(size.shape)));
  const std::string form = size.team ? "kernels/levelset/group_" : "kernels/levelset/";
  if (size.team) {
    const Room room = room_of(size);
    text += constant("TEAM", size.team) + constant("ELEMENTS", size.elements) + constant("WIDE", room.wide);
    text += constant("NARROW", room.narrow) + constant("ROOM", room.all());
  }
  text += kernel_texts("kernels/levelset/common.h");
  if (is_simplex(size.shape)) return text + std::string(kernel_texts(form + "simplex.h"));
  const Cubature line = cubature(Shape::line, 3 * size.order);
  const Matrix basis = modes(Shape::line, size.order, line.points);
  text += constant("LINE", size.order + 1) + constant("LINE_POINTS", static_cast<int>(line.weights.size()));
  text += table("basis", basis) + table("weighted", basis.transpose() * line.weights.asDiagonal());
  text += table("slope", mode_derivative(Shape::line, size.order, 0));
  text += table("ends", modes(Shape::line, size.order, ends_of_line()));
  return text + std::string(kernel_texts(form + "tensor.h"));
}

// Sizes, what the shape gives, and transport: what every program with elements begins with.
std::string beginning(const LevelSetSize& size) {
  return sizes(size) +
         std::string(kernel_texts(size.team ? "kernels/levelset/group.h" : "kernels/levelset/levelset.h"));
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

void form_teams(LevelSetSize& size, const DeviceInfo& device, Precision precision) {
  constexpr int most_threads = 128, simplex_team = 64;  // in a group; more wait for each other too long
  constexpr std::int64_t usual_shared = 48 * 1024;      // that leaves room for several groups
  size.team = 0;
  if (!device.simt) return;
  const auto bytes = [&] {
    return static_cast<std::int64_t>(room_of(size).all() * size.elements * bytes_of(precision));
  };
  size.team = is_simplex(size.shape) ? std::min(size.points(), simplex_team) : size.points() / line_points(size);
  size.elements = 1;
  if (bytes() > device.shared_bytes) {
    size.team = 0;
    return;
  }
  const auto busy = [&] { return static_cast<double>(size.team * size.elements) / threads_of(size); };
  int best = 1;
  double most = busy();
  for (size.elements = 2; size.elements * size.team <= most_threads && bytes() <= usual_shared; size.elements *= 2)
    if (busy() > most) most = busy(), best = size.elements;
  size.elements = best;
}

ProgramText levelset_transport_text(const LevelSetSize& size, Precision precision) {
  return program(size, "transport", beginning(size), {"traces_of_state", "transport"}, precision, true);
}

ProgramText levelset_reinit_text(const LevelSetSize& size, Precision precision) {
  std::string text = beginning(size);
  text += kernel_texts(size.team ? "kernels/levelset/group_reinit.h" : "kernels/levelset/reinit.h");
  return program(size, "reinitialise", std::move(text), {"normals_of_state", "profile_fluxes", "reinitialise"},
                 precision, true);
}

ProgramText levelset_velocity_text(const LevelSetSize& size, Precision precision,
                                   const std::vector<std::vector<Expression>>& velocity) {
  std::string text = beginning(size);
  text += std::string(kernel_texts("kernels/shared/functions.h")) + velocity_text(velocity);
  text += fmt::format("#define ROOT_MEASURE {:.17g}\n", std::sqrt(reference_measure(size.shape)));
  if (!size.team) text += points_text(size);
  text += kernel_texts(size.team ? "kernels/levelset/group_velocity.h" : "kernels/levelset/velocity.h");
  return program(size, "velocity", std::move(text), {"project_velocity", "largest_rates", "measure"}, precision, false);
}

ProgramText levelset_state_text(const LevelSetSize& size, Precision precision) {
  std::string text = constant("MODES", size.modes) + constant("WIDTH", size.width);
  text += kernel_texts("kernels/levelset/state.h");
  return {fmt::format("levelset-{}-{}-state", shape_name(size.shape), size.order),
          text,
          {"combine", "sample"},
          precision,
          false};
}

std::vector<double> levelset_tables(const LevelSetSize& size) {
  const Shape face = face_shape(size.shape);
  std::vector<double> all;
  for (int o = 0; o < orientation_count(face); ++o) append(all, orientation_matrix(face, size.order, o));
  if (is_simplex(size.shape)) {
    // A thread of a team has a row of a product, so that its matrices lie the other way round.
    const auto add = [&](const Matrix& matrix) { append(all, size.team ? Matrix(matrix.transpose()) : matrix); };
    const Matrix basis = modes(size.shape, size.order, size.rule.points);
    const Matrix on_face = modes(face, size.order, size.face_rule.points);
    add(basis);
    add(basis.transpose() * size.rule.weights.asDiagonal());
    add(on_face);
    add(on_face.transpose() * size.face_rule.weights.asDiagonal());
    for (int d = 0; d < size.dim; ++d) append(all, mode_derivative(size.shape, size.order, d));
    for (int f = 0; f < size.faces; ++f) append(all, trace_matrix(size.shape, size.order, f));
    if (size.team)
      for (int d = 0; d < size.dim; ++d) add(mode_derivative(size.shape, size.order, d));
  }
  if (!size.team) return all;
  append(all, size.rule.points);
  for (int f = 0; f < size.faces; ++f) append(all, face_points(size.shape, f, size.face_rule.points));
  append(all, size.rule.weights);
  return all;
}

}  // namespace swell
