// SPDX-License-Identifier: Apache-2.0
// Boxes with a group of faces inside the domain, as a meshing program would write them.
#pragma once

#include <functional>

#include "mesh/sources.hpp"

namespace swell::test {

using OnSheet = std::function<bool(const std::array<double, 3>& middle)>;

// The inner faces whose vertices have their middle on the sheet are the group `name`.
inline void name_inner_faces(Mesh& mesh, const std::string& name, const OnSheet& on_sheet) {
  const auto boundary = static_cast<std::int32_t>(mesh.boundaries.size());
  mesh.boundaries.push_back(name);
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell)
    for (int f = 0; f < face_count(mesh.shape()); ++f) {
      if (mesh.neighbour(cell, f).cell < cell) continue;
      const auto corners = face_vertices(mesh.shape(), f);
      std::array<double, 3> middle{};
      for (const int v : corners)
        for (int d = 0; d < 3; ++d) middle[d] += mesh.vertex(cell, v)[d] / static_cast<double>(corners.size());
      if (on_sheet(middle)) mesh.inner_faces.push_back({cell, f, boundary});
    }
}

inline bool at(double x, double place) { return x > place - 1e-9 && x < place + 1e-9; }

// So many cells along each unit of [0, 2], [0, 2] x [0, 1] or [0, 2] x [0, 1] x [0, 1], with the group "sheet" at x = 1.
inline Mesh cut_in_two(Shape shape, std::int64_t cells) {
  BoxOptions box{.low = {0, 0}, .high = {2, 1}, .cells = {2 * cells, cells}, .shape = shape, .periodic = {}};
  if (dimension(shape) == 3) box.low.push_back(0), box.high.push_back(1), box.cells.push_back(cells);
  if (dimension(shape) == 1) box.low.pop_back(), box.high.pop_back(), box.cells.pop_back();
  Mesh mesh = make_box(box);
  name_inner_faces(mesh, "sheet", [](const auto& x) { return at(x[0], 1); });
  return mesh;
}

// So many cells along [-1, 1]^2, with the group "sheet" at y = 0, x < 0, whose rim is the origin.
inline Mesh slit(Shape shape, std::int64_t cells) {
  Mesh mesh = make_box({.low = {-1, -1}, .high = {1, 1}, .cells = {cells, cells}, .shape = shape, .periodic = {}});
  name_inner_faces(mesh, "sheet", [](const auto& x) { return x[0] < 0 && at(x[1], 0); });
  return mesh;
}

}  // namespace swell::test
