// SPDX-License-Identifier: Apache-2.0
#include "cg/grid/heat.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "base/timer.hpp"
#include "cg/text.hpp"
#include "mesh/geometry.hpp"

namespace swell {

namespace {

constexpr const char* side_names[] = {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"};
constexpr std::int32_t nowhere = std::numeric_limits<std::int32_t>::max();

// The number of a side's boundary, or -1 where the mesh has none.
std::int32_t boundary_of(const Mesh& mesh, int side) {
  const auto found = std::find(mesh.boundaries.begin(), mesh.boundaries.end(), side_names[side]);
  return found == mesh.boundaries.end() ? -1 : static_cast<std::int32_t>(found - mesh.boundaries.begin());
}

GridProblem grid_of(const DiffusionProblem& problem, const BoxOptions& box, bool steady, const std::optional<GridPart>& part) {
  GridProblem grid;
  for (int axis = 0; axis < 3; ++axis) {
    grid.cells[axis] = box.cells[axis];
    grid.low[axis] = box.low[axis];
    grid.high[axis] = box.high[axis];
    grid.periodic[axis] = !box.periodic.empty() && box.periodic[axis];
  }
  for (int side = 0; side < 6; ++side) {
    const auto number = boundary_of(*problem.mesh, side);
    if (number >= 0 && problem.boundary[number].kind == DiffusionBoundary::Kind::value) grid.fixed |= 1u << side;
  }
  grid.mass = !steady;
  grid.material = problem.material.front();
  if (part) grid.slab = part->slab;
  return grid;
}

// Which vertex a point of the box is, counted along each axis from 0 on, both ends of a periodic one included.
std::array<std::int64_t, 3> vertex_at(const Mesh& mesh, std::int64_t point, const GridProblem& grid) {
  std::array<std::int64_t, 3> at{};
  for (int axis = 0; axis < 3; ++axis)
    at[axis] = std::llround((mesh.points[point * 3 + axis] - grid.low[axis]) / grid.edge(axis));
  return at;
}

// This rank's cells end at its last plane or at the copy of the next one; those of the layer below, which a periodic grid may
// have at its other end, begin at the copy before its first.
std::int64_t plane_of(std::int64_t z, const GridOperator& grid) {
  const GridProblem& problem = grid.problem();
  if (!problem.slab) return z % grid.counts()[2];
  const std::int64_t k = z - problem.slab->first;
  return problem.periodic[2] && k > problem.slab->planes ? k - problem.cells[2] : k;
}

Numbering places(const Mesh& mesh, const GridOperator& grid) {
  const auto& n = grid.counts();
  const CellBlock& block = mesh.cells();
  Numbering numbering;
  numbering.count = numbering.free = grid.size();
  numbering.of_node.resize(block.nodes.size());
  for (std::size_t i = 0; i < block.nodes.size(); ++i) {
    const auto [x, y, z] = vertex_at(mesh, block.nodes[i], grid.problem());
    numbering.of_node[i] = static_cast<std::int32_t>(grid.place(x % n[0], y % n[1], plane_of(z, grid)));
  }
  return numbering;
}

}  // namespace

std::optional<std::string> GridHeat::obstacle(const DiffusionProblem& problem, const std::optional<BoxOptions>& box,
                                              bool steady, int ranks) {
  if (!box || box->mixed || box->shape != Shape::tetrahedron) return "the mesh is no box of tetrahedra";
  if (!box->equal_cells()) return "mesh.box.move, bend, scatter and inner make cells that differ from each other";
  if (problem.order != 1) return fmt::format("model.order is {} and the fixed grid has linear elements", problem.order);
  double numbers = 1;
  for (const auto cells : box->cells) numbers *= static_cast<double>(cells + 5);
  if (numbers > static_cast<double>(nowhere))
    return fmt::format("the grid has more vertices than the {} that can be numbered", nowhere);
  if (box->cells[2] < ranks)
    return fmt::format("the box has {} layers of bricks along z, fewer than the {} ranks that would share them", box->cells[2],
                       ranks);
  const auto holds = [](const DiffusionBoundary& b) { return b.kind != DiffusionBoundary::Kind::flux; };
  if (steady && std::none_of(problem.boundary.begin(), problem.boundary.end(), holds))
    return "no boundary gives a value or takes heat by transfer";
  return std::nullopt;
}

GridHeat::GridHeat(DiffusionProblem problem, const BoxOptions& box, Vectors& vectors, bool steady, std::optional<GridPart> part)
    : HeatOperator(std::move(problem), vectors),
      steady_(steady),
      grid_(grid_of(problem_, box, steady, part), steady ? 0 : 1, 1, vectors),
      part_(std::move(part)),
      faces_(vectors),
      points_(vectors) {
  numbering_ = places(*problem_.mesh, grid_);
  sizes_ = {grid_.size(), grid_.length(), grid_.owned(), grid_.vertices(), 0, grid_.all_vertices(), 0};
  exchange_ = grid_.exchange();
  name_form();
  check_material();
  make_fixed();
  make_loads();
  make_points();
}

void GridHeat::name_form() { form_ = grid_.problem().varies() ? "fixed grid, material in the kernel" : "fixed grid"; }

// The kernel counts what is wrong; the sentence with its place comes from the host, which looks at each tetrahedron.
void GridHeat::check_material() {
  if (grid_.count_bad_material() == 0) return;
  Slots cells(static_cast<std::size_t>(mesh().cell_count()));
  std::iota(cells.begin(), cells.end(), 0);
  const ElementKind kind{.shape = Shape::tetrahedron, .steady = steady_};
  element_material(problem_, kind, element_rule(elements_.first()), cells);
}

// Given values take nothing, nor do copies of what other ranks have.
bool GridHeat::has_unknown(std::int32_t place) const {
  const auto& n = grid_.counts();
  const std::int64_t first = grid_.place(0, 0, 0), plane = grid_.place(0, 0, 1) - first, at = place - first;
  return at >= 0 && at / plane < n[2] && !grid_.given(at % plane % n[0], at % plane / n[0], at / plane);
}

void GridHeat::make_loads() {
  DiffusionProblem surface = problem_;
  if (part_) surface.mesh = &part_->surface;
  faces_.renew(surface, Elements(*surface.mesh, 1), Shape::triangle, part_ ? places(part_->surface, grid_) : numbering_,
               [&](std::int32_t place) { return has_unknown(place); });
  has_transfer_ = vectors_.ranks().any(faces_.transfers());
  const Cubature rule = element_rule(elements_.first());
  ProgramText loads = load_text(problem_, elements_, faces_.data());
  loads.name = "heat-grid-load";
  loads.text += fmt::format("#define LOAD_POINTS {}\nFUNCTION scalar source_at(scalar x, scalar y, scalar z, double t)\n{{\n"
                            "  return {};\n}}\n\n",
                            rule.points.rows(), problem_.source.c_text()) +
                grid_.constants() + grid_.text_of("kernels/continuous/grid_material.h") + grid_.text_of("kernels/continuous/grid_load.h");
  for (const char* kernel : {"grid_load", "grid_fixed", "grid_invert"}) loads.kernels.emplace_back(kernel);
  const Stopwatch clock;
  loads_ = vectors_.device().compile(loads);
  compile_seconds_ += clock.seconds();
  has_source_ = !(problem_.source.is_constant() && problem_.source.constant() == 0);
  loads_in_time_ = swell::loads_in_time(problem_);
  if (has_source_ && !load_place_) make_source();
}

// A point lies in the tetrahedron whose way takes the axes in the order of its coordinates in the brick, the largest first, and
// the steps between these are the values of the vertices' functions. Each rank adds what its own vertices get, whoever has the cell.
void GridHeat::make_points() {
  const GridProblem& grid = grid_.problem();
  const auto& n = grid_.counts();
  std::vector<PointLoad> loads;
  for (const PointSourceSpec& point : problem_.points) {
    std::array<std::int64_t, 3> at{};
    std::array<double, 3> inside{};
    std::array<int, 3> axes{0, 1, 2};
    for (const int d : axes) {
      const double x = (point.position[d] - grid.low[d]) / grid.edge(d);
      at[d] = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(x)), 0, grid.cells[d] - 1);
      inside[d] = x - static_cast<double>(at[d]);
    }
    std::sort(axes.begin(), axes.end(), [&](int a, int b) { return inside[a] > inside[b]; });
    std::map<std::int32_t, double> shares;  // a brick that is its own neighbour has vertices twice
    for (int vertex = 0; vertex < 4; ++vertex) {
      if (vertex > 0) ++at[axes[vertex - 1]];
      const double share = (vertex == 0 ? 1 : inside[axes[vertex - 1]]) - (vertex == 3 ? 0 : inside[axes[vertex]]);
      const auto place = static_cast<std::int32_t>(grid_.place(at[0] % n[0], at[1] % n[1], plane_of(at[2], grid_)));
      if (has_unknown(place)) shares[place] += point.balance[0] * share;
    }
    loads.push_back(load_of(shares, point.signal));
  }
  points_.set(std::move(loads));
  loads_in_time_ = swell::loads_in_time(problem_);
}

// The rule's points in the six tetrahedra of the first brick, in its edges, and the vertices' functions there in the order of the
// ways: the same numbers as for general elements.
void GridHeat::make_source() {
  const Mesh& mesh = *problem_.mesh;
  const GridProblem& grid = grid_.problem();
  const Cubature rule = element_rule(elements_.first());
  const int points = static_cast<int>(rule.points.rows());
  const Matrix values = elements_.first().interpolation(rule.points);
  std::vector<double> place(6 * points * 3, 0.0), value(6 * points * 4, 0.0);
  double volume = 1.0 / 6;
  for (int axis = 0; axis < 3; ++axis) volume *= grid.edge(axis);
  const double weights = rule.weights.sum();
  for (int cell = 0; cell < 6; ++cell) {
    // Corners of the brick as bits: a way visits the one with a single bit first, and the other axes in turn.
    std::array<int, 4> corner{};
    int first = 0, second = 0;
    for (int v = 0; v < 4; ++v) {
      const auto [i, j, k] = vertex_at(mesh, mesh.cells().nodes[cell * 4 + v], grid);
      corner[v] = static_cast<int>(i + 2 * j + 4 * (k - grid_.first_plane()));
      if (corner[v] == 1 || corner[v] == 2 || corner[v] == 4) first = corner[v];
      if (corner[v] == 3 || corner[v] == 5 || corner[v] == 6) second = corner[v];
    }
    // kernels/continuous/grid_material.h: ways by their first axis, then by their second.
    const int way = first == 1 ? (second == 3 ? 0 : 1) : first == 2 ? (second == 3 ? 2 : 3) : second == 5 ? 4 : 5;
    for (int p = 0; p < points; ++p)
      for (int v = 0; v < 4; ++v) {
        for (int d = 0; d < 3; ++d) place[(way * points + p) * 3 + d] += (corner[v] >> d & 1) * values(p, v);
        const int m = corner[v] == 0 ? 0 : corner[v] == first ? 1 : corner[v] == second ? 2 : 3;
        value[(way * points + p) * 4 + m] = volume * rule.weights(p) / weights * values(p, v);
      }
  }
  load_place_ = vectors_.upload(place, "points of the source");
  load_value_ = vectors_.upload(value, "test functions");
}

// Where two boundaries meet, the one with the smaller number gives the value.
void GridHeat::make_fixed() {
  const auto& n = grid_.counts();
  const GridProblem& grid = grid_.problem();
  std::vector<double> points;
  std::vector<std::int32_t> boundary, place;
  std::array<std::int64_t, 3> at{};
  const auto side_of = [&] {
    for (int side = 0; side < 6; ++side)
      if ((grid.fixed >> side & 1) && at[side / 2] == (side % 2 ? grid.count(side / 2) - 1 : 0)) return side;
    return -1;
  };
  const std::int64_t first = grid_.first_plane();
  for (at[2] = first; at[2] < first + n[2]; ++at[2])
    for (at[1] = 0; at[1] < n[1]; ++at[1]) {
      const bool row = at[2] == 0 || at[2] == grid.count(2) - 1 || at[1] == 0 || at[1] == n[1] - 1;
      for (at[0] = 0; at[0] < n[0]; at[0] += row ? 1 : n[0] - 1) {
        const int side = side_of();
        if (side < 0) continue;
        for (int d = 0; d < 3; ++d)
          points.push_back(at[d] == grid.cells[d] ? grid.high[d]
                                                  : grid.low[d] + (grid.high[d] - grid.low[d]) * static_cast<double>(at[d]) /
                                                                      static_cast<double>(grid.cells[d]));
        boundary.push_back(boundary_of(*problem_.mesh, side));
        place.push_back(static_cast<std::int32_t>(grid_.place(at[0], at[1], at[2] - first)));
      }
    }
  sizes_.given = sizes_.all_given = static_cast<std::int64_t>(place.size());
  vectors_.ranks().sum(std::span(&sizes_.all_given, 1));
  fixed_points_ = vectors_.upload(points, "places of given values");
  fixed_boundary_ = vectors_.upload(boundary, "boundaries of given values");
  fixed_place_ = vectors_.upload(place, "given values");
}

void GridHeat::launch(const Program& program, const char* kernel, std::int64_t items,
                      const std::vector<Argument>& arguments) {
  if (items > 0) vectors_.device().queue().launch(program.kernel(kernel), items, arguments, {});
}

void GridHeat::apply(double a, double b, const Buffer& x, Buffer& y, std::int64_t) {
  grid_.apply(a, b, x, y, false);
  faces_.apply(b, x, y, size());
}

void GridHeat::inverse_diagonal(double a, double b, Buffer& y) {
  grid_.diagonal(a, b, y);
  faces_.diagonal(b, y, size());
  launch(*loads_, "grid_invert", size(), {y});
}

void GridHeat::weigh(Buffer& y) {
  const auto ones = vectors_.upload(std::vector<double>(static_cast<std::size_t>(length()), 1.0), "ones");
  grid_.apply(1, 0, *ones, y, true);
  vectors_.device().queue().finish();
}

void GridHeat::load(double t, Buffer& y) {
  if (has_source_) {
    std::vector<Argument> arguments{*load_place_, *load_value_, y, Argument::time(t)};
    for (const Argument& argument : grid_.grid_arguments()) arguments.push_back(argument);
    launch(*loads_, "grid_load", nodes(), arguments);
  } else {
    vectors_.combine(0, y, 0, y, size());
  }
  faces_.load(*loads_, t, y, size());
  points_.add(t, y, 0, size());
}

void GridHeat::set_fixed(double t, Buffer& x) {
  launch(*loads_, "grid_fixed", sizes_.given, {*fixed_points_, *fixed_boundary_, *fixed_place_, x, Argument::time(t)});
}

void GridHeat::set_material(std::vector<DiffusionMaterial> material) {
  problem_.material = std::move(material);
  grid_.set_material(problem_.material.front());
  name_form();
  check_material();
}

void GridHeat::set_loads(std::vector<DiffusionBoundary> boundary, Expression source) {
  problem_.boundary = std::move(boundary);
  problem_.source = std::move(source);
  make_loads();
}

void GridHeat::set_points(std::vector<PointSourceSpec> points) {
  problem_.points = std::move(points);
  make_points();
}

FusedPasses* GridHeat::fused(double a, double b, const Buffer& inverse_diagonal) {
  if (has_transfer_) return nullptr;
  grid_.scale(a, b, inverse_diagonal);
  return &grid_;
}

void GridHeat::sample(const Buffer& x, const Buffer& unknown, const Buffer& weight, Buffer& out, std::int64_t count,
                      std::int64_t offset) {
  launch(*loads_, "sample", count, {x, unknown, weight, out, offset});
}

}  // namespace swell
