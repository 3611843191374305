// SPDX-License-Identifier: Apache-2.0
// Kernel sources of the fixed grid, and the arguments that every one of their kernels takes last.
#include <fmt/format.h>

#include "cg/grid/grid.hpp"
#include "cg/text.hpp"

namespace swell {

namespace {

// Sizes and geometry of the grid, the last parameters of its kernels. Not by a macro: hosts of GPUs read parameters as they are
// written.
constexpr const char* grid_integers[] = {"grid_nx",    "grid_ny",    "grid_nz",   "grid_all_z", "grid_plane",
                                         "grid_tiles", "grid_slabs", "grid_room", "grid_width", "grid_scratch"};
constexpr const char* grid_reals[] = {"low_x",     "low_y",     "low_z",     "edge_x",    "edge_y",
                                      "edge_z",    "inverse_x", "inverse_y", "inverse_z", "tetrahedron_volume"};
// Parameters after them where ranks share the grid.
constexpr const char* slab_integers[] = {"slab_begin", "slab_sides", "slab_from", "slab_count", "slab_cuts"};

std::string parameters(bool slab) {
  std::string text;
  for (const char* name : grid_integers) text += fmt::format(", const int {}", name);
  for (const char* name : grid_reals) text += fmt::format(", const scalar {}", name);
  if (slab)
    for (const char* name : slab_integers) text += fmt::format(", const int {}", name);
  return text;
}

std::string names(bool slab) {
  std::string text;
  for (const char* name : grid_integers) text += fmt::format(", {}", name);
  for (const char* name : grid_reals) text += fmt::format(", {}", name);
  if (slab)
    for (const char* name : slab_integers) text += fmt::format(", {}", name);
  return text;
}

void replace_all(std::string& text, std::string_view word, std::string_view by) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + by.size())) text.replace(at, word.size(), by);
}

void define(std::string& text, const char* name, std::int64_t value) { text += fmt::format("#define {} {}\n", name, value); }

// 1 / h^2, rounded as a kernel in this precision rounds it.
double inverse_square(double edge, Precision precision) {
  if (precision == Precision::double_) return 1.0 / (edge * edge);
  const float narrow = static_cast<float>(edge);
  return 1.0f / (narrow * narrow);
}

}  // namespace

std::string GridOperator::constants() const {
  std::string text;
  define(text, "SLAB", problem_.slab.has_value());
  define(text, "FIXED", problem_.fixed);
  define(text, "TERMS", problem_.mass ? 15 : 7);
  define(text, "PERIODIC", problem_.periodic[0] + 2 * problem_.periodic[1] + 4 * problem_.periodic[2]);
  return text + std::string(cg_texts("kernels/continuous/grid.h"));
}

std::string GridOperator::text_of(const char* path) const {
  std::string text(cg_texts(path));
  replace_all(text, " GRID_PARAMETERS", parameters(problem_.slab.has_value()));
  replace_all(text, " GRID_ARGUMENTS", names(problem_.slab.has_value()));
  return text;
}

std::vector<Argument> GridOperator::grid_arguments(const Planes& planes) const {
  std::vector<Argument> all{counts_[0], counts_[1],         counts_[2], problem_.count(2), plane_,
                            tiles_,     all_planes().cuts, room_,      width_,            scratch_size_};
  double volume = 1.0 / 6;
  for (int axis = 0; axis < 3; ++axis) {
    all.push_back(Argument::real(problem_.low[axis]));
    volume *= problem_.edge(axis);
  }
  for (int axis = 0; axis < 3; ++axis) all.push_back(Argument::real(problem_.edge(axis)));
  for (int axis = 0; axis < 3; ++axis)
    all.push_back(Argument::real(inverse_square(problem_.edge(axis), vectors_.precision())));
  all.push_back(Argument::real(volume));
  if (!problem_.slab) return all;
  const std::int64_t sides =
      (problem_.slab->below >= 0 ? 1 : 0) + (problem_.slab->above >= 0 ? 2 : 0) + (planes.seams ? 4 : 0);
  all.insert(all.end(), {problem_.slab->first, sides, planes.from, planes.count, planes.cuts});
  return all;
}

ProgramText GridOperator::text_for(const DiffusionMaterial& material, std::vector<double>& numbers) const {
  GridProblem problem = problem_;
  problem.material = material;
  const bool varies = problem.varies();
  std::string text = vectors_.totals_text() + std::string(solve_texts("kernels/solve/scalars.h"));
  if (!simt()) define(text, "NX", counts_[0]);  // the length of the inner loops
  text += constants();
  define(text, "VARYING", varies);
  if (simt()) define(text, "KEEPS", keeps_);
  std::vector<std::string> kernels{"grid_apply", "grid_diagonal", "grid_direct", "grid_advance"};
  if (varies) {
    kernels.emplace_back("grid_check");
    text += cg_texts("kernels/shared/functions.h");
    const auto function = [&](const char* name, const Expression& value) {
      text += fmt::format("FUNCTION scalar {}(scalar x, scalar y, scalar z, GLOBAL const scalar *number)\n{{\n  return {};\n}}\n\n",
                          name, value.c_text(numbers));
    };
    function("conductivity_at", problem.material.conductivity);
    function("capacity_at", problem.mass ? problem.material.capacity : Expression(1.0));
    text += text_of("kernels/continuous/grid_material.h");
    if (!simt()) text += text_of("kernels/continuous/grid_bricks.h");
  }
  text += text_of(simt() ? "kernels/continuous/grid_points.h" : "kernels/continuous/grid_rows.h");
  ProgramText whole_text{"heat-grid", text, kernels, vectors_.precision(), !simt()};
  if (simt()) {
    whole_text.group = group;
    whole_text.shared = 2 * group * vectors_.total_bytes();
  }
  return whole_text;
}

ProgramText GridOperator::text_for(const DiffusionMaterial& material) const {
  std::vector<double> numbers;
  return text_for(material, numbers);
}

}  // namespace swell
