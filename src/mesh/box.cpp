// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "base/error.hpp"
#include "base/host_threads.hpp"
#include "base/memory.hpp"
#include "element/lattice.hpp"
#include "mesh/brick_cells.hpp"
#include "mesh/scatter.hpp"
#include "mesh/sources.hpp"

namespace swell {
namespace {

// The largest box: its connectivity alone takes more than 100 GB.
constexpr std::int64_t largest_cell_count = std::int64_t{1} << 31;

constexpr const char* side_names[] = {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"};

void check(const BoxOptions& options) {
  if (options.mixed && !is_tensor(options.shape))
    throw InputError("mesh.box.element = \"mixed\" is for boxes of two and three dimensions.");
  const auto per_brick = static_cast<std::int64_t>(cut(options.mixed && options.shape == Shape::hexahedron ? Shape::tetrahedron : options.shape).size());
  const std::size_t dim = dimension(options.shape);
  const auto need = [&](const char* key, std::size_t size) {
    if (size != dim)
      throw InputError("mesh.box.{} has {} entries; a box of {} cells needs {}.", key, size, shape_name(options.shape),
                       dim);
  };
  need("low", options.low.size());
  need("high", options.high.size());
  need("cells", options.cells.size());
  if (!options.periodic.empty()) need("periodic", options.periodic.size());
  if (!options.grade.empty()) need("grade", options.grade.size());
  if (!options.grade.empty() && options.geometry_order > 1)
    throw InputError("mesh.box.grade is for straight cells: leave mesh.box.geometry_order out.");
  for (std::size_t d = 0; options.mixed && options.shape == Shape::hexahedron && d < options.periodic.size(); ++d)
    if (const std::int64_t period = mixed_period(static_cast<int>(d)); options.periodic[d] && options.cells[d] % period != 0)
      throw InputError("mesh.box.cells[{}] = {} must be a multiple of {}, the period of a mixed box along this axis, which is periodic.", d,
                       options.cells[d], period);
  for (std::size_t d = 0; options.shape == Shape::pyramid && d < options.cells.size(); ++d)
    if (options.cells[d] % 2 != 0)
      throw InputError("mesh.box.cells[{}] = {} must be even: 2 by 2 by 2 bricks have the apexes of their pyramids in their middle.", d, options.cells[d]);
  std::int64_t count = per_brick;
  for (std::size_t d = 0; d < dim; ++d) {
    if (!std::isfinite(options.low[d]) || !std::isfinite(options.high[d]))
      throw InputError("mesh.box.low and mesh.box.high must be finite numbers.");
    if (!(options.high[d] > options.low[d]) || !std::isfinite(options.high[d] - options.low[d]))
      throw InputError("mesh.box.high[{}] = {} must be larger than mesh.box.low[{}] = {}.", d, options.high[d], d,
                       options.low[d]);
    if (options.cells[d] < 1) throw InputError("mesh.box.cells[{}] = {} must be at least 1.", d, options.cells[d]);
    if (options.cells[d] > largest_cell_count / count)
      throw InputError("mesh.box.cells asks for more than {} cells; take fewer.", largest_cell_count);
    count *= options.cells[d];
  }
  // Points, nodes, neighbours and what connect() sorts, measured with all shapes; refused before anything is allocated.
  constexpr double bytes_per_cell = 200;
  const double bytes = bytes_per_cell * static_cast<double>(count), memory = static_cast<double>(total_memory());
  if (memory > 0 && bytes > memory)
    throw InputError("mesh.box.cells makes {} cells, which need about {:.0f} GB, but this machine has {:.0f} GB; take fewer.", count,
                     bytes / 1e9, memory / 1e9);
}

class BoxMaker {
 public:
  explicit BoxMaker(const BoxOptions& options)
      : options_(options), dim_(dimension(options.shape)), order_(options.geometry_order) {
    for (int d = 0; d < dim_; ++d) cells_[d] = options.cells[d];
    for (int d = 0; d < dim_; ++d) stride_[d + 1] = stride_[d] * (cells_[d] * order_ + 1);
    periodic_ = options.periodic;
    periodic_.resize(dim_, false);
  }

  Mesh make() {
    mesh_.dim = dim_;
    mesh_.name = "box";
    mesh_.regions = {""};
    if (options_.scatter > 0)
      scattered_ = scatter_vertices({dim_, cells_, options_.scatter}, [&](const auto& vertex, int axis) { return drawn(vertex, axis); });
    add_points();
    add_cells();
    for (int d = 0; d < dim_; ++d) periodic_[d] ? join_sides(d) : name_sides(d);
    orient_cells(mesh_);
    connect(mesh_, named_, pairs_);
    for (const auto& group : options_.inner) name_inner(group);
    if (!options_.equal_cells()) check_geometry(mesh_);
    return std::move(mesh_);
  }

 private:
  void add_points() {
    mesh_.points.resize(stride_[dim_] * dim_);
    for_pieces(stride_[dim_], [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t p = begin; p < end; ++p) {
        for (int d = 0; d < dim_; ++d) {
          const std::int64_t last = cells_[d] * order_, i = p / stride_[d] % (last + 1);
          const double low = options_.low[d], high = options_.high[d];
          const double place = scattered_.vertices.empty() ? static_cast<double>(i) : scattered_.vertices[p * dim_ + d];
          mesh_.points[p * dim_ + d] = i == last ? high : low + (high - low) * place / static_cast<double>(last);
        }
        if (options_.move > 0) move_point(p);
      }
    });
    if (!options_.grade.empty()) grade_points();
    if (options_.bend > 0)
      for_pieces(stride_[dim_], [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t p = begin; p < end; ++p) bend_point(p);
      });
  }

  // Lengths of cells change geometrically from the middle to both sides. The map is linear in each cell, so that the vertices of moved
  // cells keep their part of it.
  void grade_points() {
    for (int d = 0; d < dim_; ++d) {
      const auto count = cells_[d];
      std::vector<double> places{0};
      for (std::int64_t i = 0; i < count; ++i) {
        const double outward = count > 1 ? static_cast<double>(std::abs(2 * i + 1 - count)) / static_cast<double>(count - 1) : 0;
        places.push_back(places.back() + std::pow(options_.grade[d], outward));
      }
      const double low = options_.low[d], size = options_.high[d] - low;
      for (std::int64_t p = 0; p < stride_[dim_]; ++p) {
        double& x = mesh_.points[p * dim_ + d];
        const double at = (x - low) / size * static_cast<double>(count);
        const auto cell = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(at)), 0, count - 1);
        const double place = places[cell] + (at - static_cast<double>(cell)) * (places[cell + 1] - places[cell]);
        if (const std::int64_t i = p / stride_[d] % (count + 1); i > 0 && i < count) x = low + size * place / places.back();
      }
    }
  }

  // A number from -1 to 1 for an axis of a vertex, the same on both of two periodic sides: mixed as in splitmix64
  // (Steele, Lea and Flood 2014), so that a mesh is the same on every machine.
  double drawn(const std::array<std::int64_t, 3>& vertex, int axis) const {
    std::uint64_t mixed = static_cast<std::uint64_t>(axis);
    for (int d = 0; d < dim_; ++d) {
      const std::int64_t i = periodic_[d] ? vertex[d] % cells_[d] : vertex[d];
      mixed += 0x9e3779b97f4a7c15ULL * static_cast<std::uint64_t>(i + 1 + 1000003 * d);
      mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9ULL;
      mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebULL;
      mixed ^= mixed >> 31;
    }
    return static_cast<double>(mixed >> 11) * 0x1p-52 - 1;
  }

  // Vertices on a side stay there; points between vertices follow them, so that edges stay straight.
  void move_point(std::int64_t p) {
    std::array<std::int64_t, 3> low{};
    std::array<double, 3> part{}, step{};
    for (int d = 0; d < dim_; ++d) {
      const std::int64_t i = p / stride_[d] % (cells_[d] * order_ + 1);
      low[d] = std::min(i / order_, cells_[d] - 1);
      part[d] = static_cast<double>(i - low[d] * order_) / order_;
    }
    for (int corner = 0; corner < 1 << dim_; ++corner) {
      double weight = 1;
      std::array<std::int64_t, 3> vertex = low;
      for (int d = 0; d < dim_; ++d) {
        vertex[d] += corner >> d & 1;
        weight *= corner >> d & 1 ? part[d] : 1 - part[d];
      }
      if (weight == 0) continue;
      for (int d = 0; d < dim_; ++d)
        if (vertex[d] > 0 && vertex[d] < cells_[d]) step[d] += weight * drawn(vertex, d);
    }
    for (int d = 0; d < dim_; ++d)
      mesh_.points[p * dim_ + d] += options_.move * step[d] * (options_.high[d] - options_.low[d]) / cells_[d];
  }

  // By products of sines, which vanish on the sides.
  void bend_point(std::int64_t p) {
    double* x = &mesh_.points[p * dim_];
    double wave = options_.bend;
    for (int d = 0; d < dim_; ++d)
      wave *= std::sin(std::numbers::pi * (x[d] - options_.low[d]) / (options_.high[d] - options_.low[d]));
    for (int d = 0; d < dim_; ++d) {
      const std::int64_t last = cells_[d] * order_, i = p / stride_[d] % (last + 1);
      if (i > 0 && i < last) x[d] += (d == 1 ? -wave : wave) * (options_.high[d] - options_.low[d]);
    }
  }

  std::int64_t corner(const std::array<std::int64_t, 3>& at, int corner_number) const {
    std::int64_t p = 0;
    for (int d = 0; d < dim_; ++d) p += (at[d] + (corner_number >> d & 1)) * order_ * stride_[d];
    return p;
  }

  const Cells& cells_at(Shape shape, const std::array<std::int64_t, 3>& at) const { return cut_at(shape, at, dim_, options_.mixed); }

  std::vector<Shape> shapes() const {
    if (!options_.mixed) return {options_.shape};
    if (dim_ == 2) return {Shape::triangle, Shape::quadrilateral};
    return {Shape::tetrahedron, Shape::hexahedron, Shape::prism, Shape::pyramid};
  }

  // A lattice point of the cell with these corners: so many steps from the first one along each axis.
  std::int64_t lattice_point(Shape shape, const std::array<std::int64_t, 3>& at, const std::vector<int>& cell,
                             const LatticeIndex& steps) const {
    const std::int64_t first = corner(at, cell[0]);
    std::int64_t p = first;
    for (int d = 0; d < dim_; ++d) {
      const int towards = cell[axis_vertex(shape, d)];
      p += steps[d] * ((corner(at, towards) - first) / order_);
    }
    return p;
  }

  void add_cells() {
    for (const Shape shape : shapes()) add_block(shape);
  }

  // The cells of this shape.
  void add_block(Shape shape) {
    CellBlock block;
    block.shape = shape;
    block.geometry_order = order_;
    const auto lattice = lattice_indices(shape, order_);
    block.nodes_per_cell = static_cast<int>(lattice.size());
    if (!scattered_.cells.empty()) {
      block.nodes = scattered_.cells;
      block.region.assign(block.nodes.size() / block.nodes_per_cell, 0);
      mesh_.blocks.push_back(std::move(block));
      return;
    }
    if (!options_.mixed) {
      add_bricks(shape, lattice, block);
      return;
    }
    for_each_brick(cells_, [&](const std::array<std::int64_t, 3>& at) {
      for (const auto& cell : cells_at(shape, at))
        for (const LatticeIndex& steps : lattice) block.nodes.push_back(lattice_point(shape, at, cell, steps));
    });
    block.region.assign(block.nodes.size() / block.nodes_per_cell, 0);
    if (!block.region.empty()) mesh_.blocks.push_back(std::move(block));
  }

  // Where all bricks have as many cells each knows where its own begin.
  void add_bricks(Shape shape, const std::vector<LatticeIndex>& lattice, CellBlock& block) {
    const std::int64_t bricks = cells_[0] * cells_[1] * cells_[2], of_brick = std::ssize(cut(shape)) * block.nodes_per_cell;
    block.nodes.resize(bricks * of_brick);
    for_pieces(bricks, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t brick = begin; brick < end; ++brick) {
        const std::array<std::int64_t, 3> at{brick % cells_[0], brick / cells_[0] % cells_[1], brick / cells_[0] / cells_[1]};
        std::int64_t* node = &block.nodes[brick * of_brick];
        for (const auto& cell : cells_at(shape, at))
          for (const LatticeIndex& steps : lattice) *node++ = lattice_point(shape, at, cell, steps);
      }
    });
    block.region.assign(bricks * std::ssize(cut(shape)), 0);
    mesh_.blocks.push_back(std::move(block));
  }

  template <class Visit>
  static void for_each_brick(const std::array<std::int64_t, 3>& counts, const Visit& visit) {
    std::array<std::int64_t, 3> at{};
    for (at[2] = 0; at[2] < counts[2]; ++at[2])
      for (at[1] = 0; at[1] < counts[1]; ++at[1])
        for (at[0] = 0; at[0] < counts[0]; ++at[0]) visit(at);
  }

  // Every face of a cell whose vertices all lie on the side gets the side's name.
  void name_sides(int axis) {
    for (int upper = 0; upper < 2; ++upper) {
      const auto boundary = static_cast<std::int32_t>(mesh_.boundaries.size());
      mesh_.boundaries.push_back(side_names[2 * axis + upper]);
      if (!scattered_.cells.empty()) {
        name_scattered_faces(axis, upper, boundary);
        continue;
      }
      auto counts = cells_;
      counts[axis] = 1;
      for_each_brick(counts, [&](std::array<std::int64_t, 3> at) {
        if (upper) at[axis] = cells_[axis] - 1;
        for (const Shape shape : shapes())
          for (const auto& cell : cells_at(shape, at))
            for (int f = 0; f < face_count(shape); ++f) name_face(shape, at, cell, f, axis, upper, boundary);
      });
    }
  }

  void name_face(Shape shape, const std::array<std::int64_t, 3>& at, const std::vector<int>& cell, int face, int axis, int upper,
                 std::int32_t boundary) {
    NamedFace named;
    named.boundary = boundary;
    int i = 0;
    for (const int v : face_vertices(shape, face)) {
      if ((cell[v] >> axis & 1) != upper) return;
      named.vertices[i++] = corner(at, cell[v]);
    }
    named_.push_back(named);
  }

  void name_scattered_faces(int axis, int upper, std::int32_t boundary) {
    const CellBlock& block = mesh_.cells();
    const auto on_side = [&](std::int64_t p) { return p / stride_[axis] % (cells_[axis] + 1) == (upper ? cells_[axis] : 0); };
    for (std::size_t first = 0; first < block.nodes.size(); first += block.nodes_per_cell)
      for (int f = 0; f < face_count(block.shape); ++f) {
        NamedFace named;
        named.boundary = boundary;
        int i = 0;
        for (const int v : face_vertices(block.shape, f)) named.vertices[i++] = block.nodes[first + v];
        if (std::all_of(named.vertices.begin(), named.vertices.begin() + i, on_side)) named_.push_back(named);
      }
  }

  double straight(std::int64_t point, int axis) const {
    const std::int64_t last = cells_[axis] * order_, i = point / stride_[axis] % (last + 1);
    return options_.low[axis] + (options_.high[axis] - options_.low[axis]) * static_cast<double>(i) / static_cast<double>(last);
  }

  // Each face between two cells is looked at from the first of them; across a period it is none.
  void name_inner(const BoxOptions::InnerGroup& group) {
    if (std::find(mesh_.boundaries.begin(), mesh_.boundaries.end(), group.name) != mesh_.boundaries.end())
      throw InputError("mesh.box.inner: '{}' is the name of a side of the box; choose another one.", group.name);
    const auto boundary = static_cast<std::int32_t>(mesh_.boundaries.size());
    const auto before = mesh_.inner_faces.size();
    mesh_.boundaries.push_back(group.name);
    for (std::int64_t cell = 0, count = mesh_.cell_count(); cell < count; ++cell) {
      const Shape shape = mesh_.shape_of(cell);
      const auto nodes = mesh_.nodes_of(cell);
      for (int f = 0; f < face_count(shape); ++f) {
        if (mesh_.neighbour(cell, f).cell < cell) continue;
        const auto corners = face_vertices(shape, f);
        double middle[3] = {0, 0, 0};
        bool inside = true;  // not where a period joins two sides
        for (int d = 0; d < dim_; ++d) {
          bool upper = periodic_[d], lower = periodic_[d];
          for (const int v : corners) {
            const std::int64_t p = nodes[vertex_node(shape, order_, v)];
            const std::int64_t i = p / stride_[d] % (cells_[d] * order_ + 1);
            middle[d] += straight(p, d) / static_cast<double>(corners.size());
            upper = upper && i == cells_[d] * order_;
            lower = lower && i == 0;
          }
          inside = inside && !upper && !lower;
        }
        if (inside && group.holds(middle) != 0) mesh_.inner_faces.push_back({cell, f, boundary});
      }
    }
    if (mesh_.inner_faces.size() == before) throw InputError("mesh.box.inner: '{}' holds no face inside the box.", group.name);
    check_one_name();
  }

  void check_one_name() const {
    std::map<std::pair<std::int64_t, std::int32_t>, std::int32_t> named;
    for (std::size_t i = 0; i < mesh_.inner_faces.size(); ++i) {
      const auto& [cell, face, boundary] = mesh_.inner_faces[i];
      const auto [found, is_new] = named.try_emplace({cell, face}, boundary);
      if (!is_new)
        throw InputError("mesh.box.inner: '{}' and '{}' hold one face; a face may have one name only.", mesh_.boundaries[found->second],
                         mesh_.boundaries[boundary]);
    }
  }

  void join_sides(int axis) {
    PeriodicPair pair;
    for (std::int64_t p = 0; p < stride_[dim_]; ++p)
      if (p / stride_[axis] % (cells_[axis] * order_ + 1) == 0)
        pair.points.push_back({p, p + cells_[axis] * order_ * stride_[axis]});
    pairs_.push_back(std::move(pair));
  }

  const BoxOptions& options_;
  int dim_, order_;
  std::array<std::int64_t, 3> cells_{1, 1, 1};
  std::array<std::int64_t, 4> stride_{1, 1, 1, 1};
  std::vector<bool> periodic_;
  ScatteredCells scattered_;
  Mesh mesh_;
  std::vector<NamedFace> named_;
  std::vector<PeriodicPair> pairs_;
};

}  // namespace

Mesh make_box(const BoxOptions& options) {
  check(options);
  return BoxMaker(options).make();
}

}  // namespace swell
