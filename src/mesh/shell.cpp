// SPDX-License-Identifier: Apache-2.0
// The space between two circles or two spheres with one center: the outline of a square or the surface of a cube, cut into
// equal steps of angle (Ronchi, Iacono and Paolucci 1996), times a number of layers. All cells follow one smooth map, so that
// the k-th derivatives of a cell's map fall like h^k. Points are numbered by their place on the cube, so that its sides meet;
// bricks are cut into Kuhn's simplices along axes that grow with the cube's own, so that the cuts of neighbours meet too.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "base/error.hpp"
#include "element/lattice.hpp"
#include "mesh/sources.hpp"

namespace swell {
namespace {

constexpr double most_cells = 1e9;

void check(const ShellOptions& options) {
  const auto dim = static_cast<int>(options.center.size());
  if (dim != 2 && dim != 3) throw InputError("mesh.shell.center must be a list of 2 or 3 numbers, not of {}.", dim);
  for (const double x : options.center)
    if (!std::isfinite(x)) throw InputError("mesh.shell.center must be finite numbers.");
  if (dimension(options.shape) != dim)
    throw InputError("mesh.shell.element is {}, which has {} dimensions, but the center has {}.", shape_name(options.shape),
                     dimension(options.shape), dim);
  if (!(options.inner > 0) || !(options.outer > options.inner) || !std::isfinite(options.outer))
    throw InputError("mesh.shell.outer = {} must be above inner = {}, and that above 0.", options.outer, options.inner);
  if (options.cells < 1 || options.layers < 1)
    throw InputError("mesh.shell.cells = {} and layers = {} must be at least 1.", options.cells, options.layers);
  const auto n = static_cast<double>(options.cells), layers = static_cast<double>(options.layers);
  if (const double cells = (dim == 2 ? 4 * n : 6 * n * n) * layers; cells > most_cells)
    throw InputError("mesh.shell.cells and layers ask for {:.4g} cells, more than {:.0e}.", cells, most_cells);
  if (options.geometry_order < 1 || options.geometry_order > 4)
    throw InputError("mesh.shell.geometry_order = {} must lie between 1 and 4.", options.geometry_order);
}

class ShellMaker {
 public:
  explicit ShellMaker(const ShellOptions& options)
      : options_(options),
        dim_(static_cast<int>(options.center.size())),
        g_(options.geometry_order),
        side_(options.cells * g_),
        depth_(options.layers * g_) {}

  Mesh make() {
    mesh_.dim = dim_;
    mesh_.name = "shell";
    mesh_.regions = {""};
    mesh_.boundaries = {"inner", "outer"};
    CellBlock block;
    block.shape = options_.shape;
    block.geometry_order = g_;
    block.nodes_per_cell = lattice_count(options_.shape, g_);
    mesh_.blocks.push_back(std::move(block));
    for (int axis = 0; axis < dim_; ++axis)
      for (const std::int64_t wall : {std::int64_t{0}, side_}) add_side(axis, wall);
    mesh_.blocks[0].region.assign(mesh_.blocks[0].nodes.size() / mesh_.blocks[0].nodes_per_cell, 0);
    orient_cells(mesh_);
    connect(mesh_, walls_, {});
    return std::move(mesh_);
  }

 private:
  using Place = std::array<std::int64_t, 3>;  // on the cube, in steps of the fine lattice

  // The points above a place on the cube's surface, layer by layer; made where they are met first.
  std::int64_t point(const Place& place, std::int64_t layer) {
    const auto [found, is_new] = columns_.try_emplace(place, static_cast<std::int64_t>(mesh_.points.size()) / dim_);
    if (is_new) {
      double direction[3] = {0, 0, 0}, length = 0;
      for (int d = 0; d < dim_; ++d) {
        direction[d] = std::tan(std::numbers::pi / 4 * (2.0 * static_cast<double>(place[d]) / static_cast<double>(side_) - 1));
        length += direction[d] * direction[d];
      }
      length = std::sqrt(length);
      for (std::int64_t l = 0; l <= depth_; ++l) {
        const double way = static_cast<double>(l) / static_cast<double>(depth_);
        const double radius = (1 - way) * options_.inner + way * options_.outer;
        for (int d = 0; d < dim_; ++d) mesh_.points.push_back(options_.center[d] + radius * direction[d] / length);
      }
    }
    return found->second + layer;
  }

  void add_side(int axis, std::int64_t wall) {
    const int across[2] = {(axis == 0) ? 1 : 0, (axis == 2) ? 1 : 2};  // the other axes, in ascending order
    const std::int64_t rows = dim_ == 3 ? options_.cells : 1;
    for (std::int64_t j = 0; j < rows; ++j)
      for (std::int64_t i = 0; i < options_.cells; ++i)
        for (std::int64_t layer = 0; layer < options_.layers; ++layer) {
          // A brick's points by their steps along its axes: one or two on the cube, then outwards.
          const auto at = [&](const LatticeIndex& step) {
            Place place{0, 0, 0};
            place[axis] = wall;
            place[across[0]] = i * g_ + step[0];
            if (dim_ == 3) place[across[1]] = j * g_ + step[1];
            return point(place, layer * g_ + step[dim_ - 1]);
          };
          add_brick(at);
          if (layer == 0) add_walls(at, 0);
          if (layer + 1 == options_.layers) add_walls(at, 1);
        }
  }

  void add_brick(const auto& at) {
    auto& nodes = mesh_.blocks[0].nodes;
    const auto indices = lattice_indices(options_.shape, g_);
    if (!is_simplex(options_.shape)) {
      for (const LatticeIndex& index : indices) nodes.push_back(at(index));
      return;
    }
    // Each order of the axes is a path from the lowest to the highest corner, and the hull of its corners a simplex.
    int order[3] = {0, 1, 2};
    do {
      for (const LatticeIndex& index : indices) {
        LatticeIndex step{0, 0, 0};
        for (int corner = 1; corner <= dim_; ++corner)
          for (int k = 0; k < corner; ++k) step[order[k]] += index[corner - 1];
        nodes.push_back(at(step));
      }
    } while (std::next_permutation(order, order + dim_));
  }

  // The faces of a brick on the inner (0) or the outer (1) wall.
  void add_walls(const auto& at, int wall) {
    const auto corner = [&](int a, int b) {
      return dim_ == 2 ? at({a * g_, wall * g_, 0}) : at({a * g_, b * g_, wall * g_});
    };
    if (dim_ == 2) {
      walls_.push_back({{corner(0, 0), corner(1, 0), -1, -1}, wall});
    } else if (is_simplex(options_.shape)) {
      walls_.push_back({{corner(0, 0), corner(1, 0), corner(1, 1), -1}, wall});
      walls_.push_back({{corner(0, 0), corner(0, 1), corner(1, 1), -1}, wall});
    } else {
      walls_.push_back({{corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1)}, wall});
    }
  }

  const ShellOptions& options_;
  int dim_, g_;
  std::int64_t side_, depth_;  // in steps of the fine lattice
  Mesh mesh_;
  std::map<Place, std::int64_t> columns_;  // the first point of each
  std::vector<NamedFace> walls_;
};

}  // namespace

Mesh make_shell(const ShellOptions& options) {
  check(options);
  return ShellMaker(options).make();
}

}  // namespace swell
