// SPDX-License-Identifier: Apache-2.0
#include "mesh/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "mesh/geometry.hpp"

namespace swell {
namespace {

// Pairs of vertices that are joined by an edge: those that share dim - 1 faces.
std::vector<std::array<int, 2>> edges(Shape shape) {
  std::vector<std::array<int, 2>> pairs;
  const auto on = [&](int face, int vertex) {
    const auto all = face_vertices(shape, face);
    return std::find(all.begin(), all.end(), vertex) != all.end();
  };
  for (int a = 0; a < vertex_count(shape); ++a)
    for (int b = a + 1; b < vertex_count(shape); ++b) {
      int shared = 0;
      for (int face = 0; face < face_count(shape); ++face) shared += on(face, a) && on(face, b);
      if (shared >= dimension(shape) - 1) pairs.push_back({a, b});
    }
  return pairs;
}

// The inverse of the map from our reference shape to the ideal one, whose edges have one length; its scale does not matter.
Eigen::MatrixXd to_ideal(Shape shape) {
  switch (shape) {
    case Shape::triangle: return (Eigen::Matrix2d() << 1, 0.5, 0, std::sqrt(3.0) / 2).finished().inverse();
    case Shape::tetrahedron:
      return (Eigen::Matrix3d() << 1, 0.5, 0.5, 0, std::sqrt(3.0) / 2, std::sqrt(3.0) / 6, 0, 0, std::sqrt(2.0 / 3)).finished().inverse();
    case Shape::prism: return (Eigen::Matrix3d() << 1, 0.5, 0, 0, std::sqrt(3.0) / 2, 0, 0, 0, 1).finished().inverse();
    case Shape::pyramid: return (Eigen::Matrix3d() << 1, 0, 0.5, 0, 1, 0.5, 0, 0, std::sqrt(0.5)).finished().inverse();
    default: return Eigen::MatrixXd::Identity(dimension(shape), dimension(shape));
  }
}

// det J / |J|_F^dim, scaled to 1 for the ideal shape: 1 only for that, 0 for a flat cell (Knupp 2001, mean ratio). `j` is
// [dim][dim].
double mean_ratio(int dim, const Eigen::MatrixXd& ideal, const double* j) {
  const Eigen::MatrixXd m = Eigen::Map<const Matrix>(j, dim, dim) * ideal;
  const double det = m.determinant();
  const double norm = m.squaredNorm() / dim;
  return det <= 0 || norm <= 0 ? 0.0 : std::pow(det, 2.0 / dim) / norm;
}

double determinant(int dim, const double* j) { return Eigen::Map<const Matrix>(j, dim, dim).determinant(); }

void count_faces(const Mesh& mesh, MeshQuality& quality) {
  std::int64_t inner = 0, periodic = 0;
  for (std::int64_t c = 0, count = mesh.cell_count(); c < count; ++c)
    for (int f = 0; f < face_count(mesh.shape_of(c)); ++f) {
      const Neighbour& n = mesh.neighbour(c, f);
      if (n.cell < 0) {
        ++quality.boundary_faces;
        continue;
      }
      const auto mine = mesh.vertex(c, face_vertices(mesh.shape_of(c), f)[0]);
      bool shared = false;  // across a periodic side the vertices lie elsewhere
      for (const int v : face_vertices(mesh.shape_of(n.cell), n.face)) shared = shared || mesh.vertex(n.cell, v) == mine;
      ++(shared ? inner : periodic);
    }
  quality.interior_faces = inner / 2;
  quality.periodic_faces = periodic / 2;
}

std::string in_groups_of_three(std::int64_t number) {
  std::string text = std::to_string(number);
  for (int i = static_cast<int>(text.size()) - 3; i > 0; i -= 3) text.insert(i, 1, ',');
  return text;
}

}  // namespace

namespace {

// Measures the cells of one block, the first of which has this number.
void measure_block(const Mesh& mesh, const CellBlock& block, std::int64_t first, MeshQuality& quality) {
  const int dim = mesh.dim;
  const bool simplex = is_simplex(block.shape);
  const Eigen::MatrixXd ideal = to_ideal(block.shape);
  const int degree = simplex ? dim * (block.geometry_order - 1) : dim * block.geometry_order;
  const Cubature rule = cubature(block.shape, std::max(1, degree));
  const CellMap inside(mesh, block.shape, rule.points), corners(mesh, block.shape, lattice(block.shape, 1));
  std::vector<double> j(std::max(inside.point_count(), corners.point_count()) * dim * dim);
  const auto pairs = edges(block.shape);
  for (std::int64_t c = first; c < first + block.count(); ++c) {
    inside.jacobians(c, j.data());
    double measure = 0;
    for (int p = 0; p < inside.point_count(); ++p) measure += rule.weights(p) * determinant(dim, &j[p * dim * dim]);
    quality.total_measure += measure;
    quality.smallest_measure = std::min(quality.smallest_measure, measure);
    quality.largest_measure = std::max(quality.largest_measure, measure);
    corners.jacobians(c, j.data());
    for (int p = 0; p < corners.point_count(); ++p) {
      const double shape = mean_ratio(dim, ideal, &j[p * dim * dim]);
      if (shape < quality.worst_shape) quality.worst_shape = shape, quality.worst_cell = c;
    }
    for (const auto& [a, b] : pairs) {
      const auto x = mesh.vertex(c, a), y = mesh.vertex(c, b);
      const double length = std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
      quality.shortest_edge = std::min(quality.shortest_edge, length);
      quality.longest_edge = std::max(quality.longest_edge, length);
    }
    if (!is_affine(mesh, c)) ++quality.curved_cells;
  }
}

}  // namespace

MeshQuality measure_quality(const Mesh& mesh) {
  MeshQuality quality;
  quality.smallest_measure = quality.shortest_edge = quality.worst_shape = INFINITY;
  std::int64_t first = 0;
  for (const CellBlock& block : mesh.blocks) {
    measure_block(mesh, block, first, quality);
    first += block.count();
  }
  count_faces(mesh, quality);
  return quality;
}

std::string describe(const Mesh& mesh) {
  const MeshQuality quality = measure_quality(mesh);
  std::string text;
  const auto line = [&](const char* name, const std::string& value) {
    fmt::format_to(std::back_inserter(text), "{:<12} {}\n", name, value);
  };
  std::array<double, 3> low{}, high{};
  for (std::size_t i = 0; i < mesh.points.size(); ++i) {
    const std::size_t d = i % mesh.dim;
    low[d] = i < static_cast<std::size_t>(mesh.dim) ? mesh.points[i] : std::min(low[d], mesh.points[i]);
    high[d] = i < static_cast<std::size_t>(mesh.dim) ? mesh.points[i] : std::max(high[d], mesh.points[i]);
  }
  line("mesh", mesh.name);
  line("dimension", std::to_string(mesh.dim));
  for (const CellBlock& block : mesh.blocks)
    line("cells", fmt::format("{} of shape {}, geometry order {}", in_groups_of_three(block.count()), shape_name(block.shape),
                              block.geometry_order));
  line("points", in_groups_of_three(static_cast<std::int64_t>(mesh.points.size()) / mesh.dim));
  line("box", place_text(mesh.dim, low.data()) + " to " + place_text(mesh.dim, high.data()));
  line(mesh.dim == 1 ? "length" : mesh.dim == 2 ? "area" : "volume", fmt::format("{:.12g}", quality.total_measure));

  std::vector<std::int64_t> in_region(mesh.regions.size());
  for (const CellBlock& block : mesh.blocks)
    for (const std::int32_t r : block.region) ++in_region[r];
  for (std::size_t r = 0; r < mesh.regions.size(); ++r)
    if (r > 0 || in_region[r] > 0)
      line("region", fmt::format("{}: {} cells", r == 0 ? "(default)" : "'" + mesh.regions[r] + "'",
                                 in_groups_of_three(in_region[r])));

  std::vector<std::int64_t> on_boundary(mesh.boundaries.size() + 1), inside(mesh.boundaries.size());
  for (const Neighbour& n : mesh.neighbours)
    if (n.cell < 0) ++on_boundary[n.boundary < 0 ? mesh.boundaries.size() : static_cast<std::size_t>(n.boundary)];
  for (const InnerFace& f : mesh.inner_faces) ++inside[f.boundary];
  for (std::size_t b = 0; b < mesh.boundaries.size(); ++b)
    line("boundary",
         fmt::format("'{}': {} faces{}", mesh.boundaries[b], in_groups_of_three(on_boundary[b]),
                     inside[b] > 0 ? fmt::format(" and {} inside the domain", in_groups_of_three(inside[b])) : ""));
  if (on_boundary.back() > 0)
    line("boundary", fmt::format("(no name): {} faces", in_groups_of_three(on_boundary.back())));
  line("faces", fmt::format("{} inside, {} on the boundary, {} periodic", in_groups_of_three(quality.interior_faces),
                            in_groups_of_three(quality.boundary_faces), in_groups_of_three(quality.periodic_faces)));

  line("edges", fmt::format("{:.6g} to {:.6g}", quality.shortest_edge, quality.longest_edge));
  line("cell size", fmt::format("{:.6g} to {:.6g}", quality.smallest_measure, quality.largest_measure));
  line("quality", fmt::format("worst {:.4f} of 1 ({} near {})", quality.worst_shape, mesh.label(quality.worst_cell),
                              place_text(mesh.dim, mesh.vertex(quality.worst_cell, 0).data())));
  line("curved", fmt::format("{} cells whose map is not affine", in_groups_of_three(quality.curved_cells)));
  return text;
}

}  // namespace swell
