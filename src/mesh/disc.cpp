// SPDX-License-Identifier: Apache-2.0
// The O-grid of a disc: an inner square of n x n quadrilaterals and a ring of 4n columns around it. Triangles have straight
// edges but on the rim, so only those that touch it with an edge are curved. Quadrilaterals of the ring all follow one
// smooth map from the square to the rim: with a single curved side the mixed derivatives of a cell's map would fall only
// like h^2, too slowly for the order (Ciarlet and Raviart 1972 ask for h^k of the k-th derivatives).
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "element/lattice.hpp"
#include "mesh/sources.hpp"

namespace swell {
namespace {

using Point = std::array<double, 2>;

constexpr double square_half_width = 0.45;  // of the radius: cells of the square and of the ring are then of like size
constexpr std::int64_t largest_cells = 20'000;  // along an edge; the disc then has more than 2^31 triangles

void check(const DiscOptions& options) {
  if (options.shape != Shape::triangle && options.shape != Shape::quadrilateral)
    throw InputError("mesh.disc.element must be triangle or quadrilateral, not {}.", shape_name(options.shape));
  if (options.cells < 1 || options.cells > largest_cells)
    throw InputError("mesh.disc.cells = {} must lie between 1 and {}.", options.cells, largest_cells);
  if (options.geometry_order < 1 || options.geometry_order > 4)
    throw InputError("mesh.disc.geometry_order = {} must lie between 1 and 4.", options.geometry_order);
  if (!(options.radius > 0) || !std::isfinite(options.radius))
    throw InputError("mesh.disc.radius = {} must be a positive number.", options.radius);
  if (!std::isfinite(options.center[0]) || !std::isfinite(options.center[1]))
    throw InputError("mesh.disc.center must be two finite numbers.");
}

// A quadrilateral of the O-grid: corners in lattice order, the numbers of its (g+1)^2 lattice points, and, in the ring, the
// piece of the square's outline and of the rim that its column joins, and the part of the way between them that it covers.
struct Patch {
  std::array<Point, 4> corner;
  std::vector<std::int64_t> id;
  bool in_ring = false, on_rim = false;
  std::array<Point, 2> inner{};
  double angle_begin = 0, angle_end = 0;
  double way_begin = 0, way_end = 0;
};

class DiscMaker {
 public:
  explicit DiscMaker(const DiscOptions& options)
      : options_(options),
        g_(options.geometry_order),
        n_(options.cells),
        layers_(std::max<std::int64_t>(1, (options.cells + 1) / 2)),
        side_(n_ * g_),
        square_points_((side_ + 1) * (side_ + 1)) {}

  Mesh make() {
    mesh_.dim = 2;
    mesh_.name = "disc";
    mesh_.regions = {""};
    mesh_.boundaries = {"rim"};
    mesh_.points.resize(2 * (square_points_ + 4 * side_ * layers_ * g_));
    CellBlock block;
    block.shape = options_.shape;
    block.geometry_order = g_;
    block.nodes_per_cell = lattice_count(options_.shape, g_);
    mesh_.blocks.push_back(std::move(block));
    for (std::int64_t j = 0; j < n_; ++j)
      for (std::int64_t i = 0; i < n_; ++i) add_square_patch(i, j);
    for (std::int64_t column = 0; column < 4 * n_; ++column)
      for (std::int64_t layer = 0; layer < layers_; ++layer) add_ring_patch(column, layer);
    mesh_.blocks[0].region.assign(mesh_.blocks[0].nodes.size() / mesh_.blocks[0].nodes_per_cell, 0);
    orient_cells(mesh_);
    connect(mesh_, rim_, {});
    return std::move(mesh_);
  }

 private:
  double angle(std::int64_t column) const {
    return std::numbers::pi / 2 * (static_cast<double>(column) / static_cast<double>(n_) - 0.5);
  }
  Point on_circle(double phi) const {
    return {options_.center[0] + options_.radius * std::cos(phi), options_.center[1] + options_.radius * std::sin(phi)};
  }
  Point square_corner(std::int64_t i, std::int64_t j) const {
    const double half = square_half_width * options_.radius;
    const auto at = [&](std::int64_t k, int d) {
      return options_.center[d] + half * (2.0 * static_cast<double>(k) / static_cast<double>(n_) - 1);
    };
    return {at(i, 0), at(j, 1)};
  }
  // Steps along the outline of a square of `side` steps, counterclockwise from its lower right corner.
  static std::array<std::int64_t, 2> outline(std::int64_t step, std::int64_t side) {
    const std::int64_t along = step % side;
    switch (step / side % 4) {
      case 0: return {side, along};
      case 1: return {side - along, side};
      case 2: return {0, side - along};
      default: return {along, 0};
    }
  }
  Point ring_corner(std::int64_t column, std::int64_t layer) const {
    const auto [i, j] = outline(column, n_);
    const Point inner = square_corner(i, j), outer = on_circle(angle(column % (4 * n_)));
    if (layer == layers_) return outer;
    const double v = static_cast<double>(layer) / static_cast<double>(layers_);
    return {(1 - v) * inner[0] + v * outer[0], (1 - v) * inner[1] + v * outer[1]};
  }
  std::int64_t square_id(std::int64_t i, std::int64_t j) const { return i + (side_ + 1) * j; }
  std::int64_t ring_id(std::int64_t column, std::int64_t layer) const {
    column %= 4 * side_;
    if (layer > 0) return square_points_ + (layer - 1) * 4 * side_ + column;
    const auto [i, j] = outline(column, side_);
    return square_id(i, j);
  }

  void add_square_patch(std::int64_t i, std::int64_t j) {
    Patch patch;
    for (int v = 0; v < 4; ++v) patch.corner[v] = square_corner(i + (v & 1), j + (v >> 1));
    for (int b = 0; b <= g_; ++b)
      for (int a = 0; a <= g_; ++a) patch.id.push_back(square_id(i * g_ + a, j * g_ + b));
    add_patch(patch);
  }

  // r points outwards, s counterclockwise.
  void add_ring_patch(std::int64_t column, std::int64_t layer) {
    Patch patch;
    for (int v = 0; v < 4; ++v) patch.corner[v] = ring_corner(column + (v >> 1), layer + (v & 1));
    for (int b = 0; b <= g_; ++b)
      for (int a = 0; a <= g_; ++a) patch.id.push_back(ring_id(column * g_ + b, layer * g_ + a));
    patch.in_ring = true;
    patch.on_rim = layer + 1 == layers_;
    patch.inner = {ring_corner(column, 0), ring_corner(column + 1, 0)};
    patch.way_begin = static_cast<double>(layer) / static_cast<double>(layers_);
    patch.way_end = static_cast<double>(layer + 1) / static_cast<double>(layers_);
    patch.angle_begin = angle(column);
    patch.angle_end = angle(column + 1);
    if (patch.on_rim)
      rim_.push_back({{ring_id(column * g_, layers_ * g_), ring_id((column + 1) * g_, layers_ * g_), -1, -1}, 0});
    add_patch(patch);
  }

  void add_patch(const Patch& patch) {
    if (options_.shape == Shape::quadrilateral) return add_quadrilateral(patch);
    add_triangle(patch, {1, 0}, {1, 1}, patch.on_rim);
    add_triangle(patch, {1, 1}, {0, 1}, false);
  }

  Point bilinear(const Patch& patch, double a, double b) const {
    Point x;
    for (int d = 0; d < 2; ++d)
      x[d] = (1 - a) * (1 - b) * patch.corner[0][d] + a * (1 - b) * patch.corner[1][d] +
             (1 - a) * b * patch.corner[2][d] + a * b * patch.corner[3][d];
    return x;
  }
  // The vector from the chord of the rim to the rim, at t in [0,1] along it.
  Point bulge(const Patch& patch, double t) const {
    const Point rim = on_circle((1 - t) * patch.angle_begin + t * patch.angle_end);
    return {rim[0] - (1 - t) * patch.corner[1][0] - t * patch.corner[3][0],
            rim[1] - (1 - t) * patch.corner[1][1] - t * patch.corner[3][1]};
  }
  void add_node(std::int64_t id, const Point& x) {
    mesh_.blocks[0].nodes.push_back(id);
    mesh_.points[2 * id] = x[0];
    mesh_.points[2 * id + 1] = x[1];
  }

  // Between the square's outline and the rim: the map of which the corners of the ring are points too.
  Point in_ring(const Patch& patch, double r, double s) const {
    const double way = (1 - r) * patch.way_begin + r * patch.way_end;
    const Point rim = on_circle((1 - s) * patch.angle_begin + s * patch.angle_end);
    Point x;
    for (int d = 0; d < 2; ++d)
      x[d] = (1 - way) * ((1 - s) * patch.inner[0][d] + s * patch.inner[1][d]) + way * rim[d];
    return x;
  }

  void add_quadrilateral(const Patch& patch) {
    for (int b = 0; b <= g_; ++b)
      for (int a = 0; a <= g_; ++a) {
        const double r = static_cast<double>(a) / g_, s = static_cast<double>(b) / g_;
        add_node(patch.id[a + (g_ + 1) * b], patch.in_ring ? in_ring(patch, r, s) : bilinear(patch, r, s));
      }
  }

  // The half of the patch with vertices (0,0), v and w in units of its sides. With barycentric coordinates p of v and q
  // of w, the bulge of side v-w is spread as p q bulge(t) / (t (1 - t)), t = (1 + q - p) / 2 (Szabo and Babuska 1991):
  // then the k-th derivatives of the map fall like h^k, as the optimal order needs (Ciarlet and Raviart 1972).
  void add_triangle(const Patch& patch, std::array<int, 2> v, std::array<int, 2> w, bool curved) {
    for (int j = 0; j <= g_; ++j)
      for (int i = 0; i + j <= g_; ++i) {
        const int a = i * v[0] + j * w[0], b = i * v[1] + j * w[1];
        const double p = static_cast<double>(i) / g_, q = static_cast<double>(j) / g_;
        Point x;
        for (int d = 0; d < 2; ++d)
          x[d] = (1 - p - q) * patch.corner[0][d] + p * patch.corner[v[0] + 2 * v[1]][d] +
                 q * patch.corner[w[0] + 2 * w[1]][d];
        if (curved && i > 0 && j > 0) {
          const double t = (1 + q - p) / 2;
          const Point shift = bulge(patch, t);
          for (int d = 0; d < 2; ++d) x[d] += p * q / (t * (1 - t)) * shift[d];
        }
        add_node(patch.id[a + (g_ + 1) * b], x);
      }
  }

  const DiscOptions& options_;
  int g_;
  std::int64_t n_, layers_;
  std::int64_t side_, square_points_;  // in steps of the fine lattice
  Mesh mesh_;
  std::vector<NamedFace> rim_;
};

}  // namespace

Mesh make_disc(const DiscOptions& options) {
  check(options);
  return DiscMaker(options).make();
}

}  // namespace swell
