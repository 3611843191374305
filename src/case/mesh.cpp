// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/error.hpp"
#include "base/names.hpp"
#include "case/section.hpp"

namespace swell {

namespace {

constexpr double most_cells = 1e9;

struct ShapeWord {
  std::string_view name;
  Shape shape;
  std::size_t dimension;
};
constexpr ShapeWord shapes[] = {{"line", Shape::line, 1},
                                {"triangle", Shape::triangle, 2},
                                {"quadrilateral", Shape::quadrilateral, 2},
                                {"tetrahedron", Shape::tetrahedron, 3},
                                {"hexahedron", Shape::hexahedron, 3},
                                {"prism", Shape::prism, 3},
                                {"pyramid", Shape::pyramid, 3},
                                {"mixed", Shape::quadrilateral, 2},
                                {"mixed", Shape::hexahedron, 3}};

// The schema knows the same words.
const ShapeWord& shape_word(std::string_view name) {
  return *std::find_if(std::begin(shapes), std::end(shapes), [&](const ShapeWord& word) { return word.name == name; });
}

// The shape of this name in so many dimensions, else in any.
const ShapeWord& shape_word(std::string_view name, std::size_t dimension) {
  const auto found = std::find_if(std::begin(shapes), std::end(shapes),
                                  [&](const ShapeWord& word) { return word.name == name && word.dimension == dimension; });
  return found == std::end(shapes) ? shape_word(name) : *found;
}

BoxOptions read_box(const CaseSection& box) {
  BoxOptions result{.low = box.reals("low"),
                    .high = box.reals("high"),
                    .cells = box.wholes("cells"),
                    .shape = Shape::triangle,
                    .periodic = box.truths("periodic")};
  const std::size_t dimension = result.low.size();
  const auto check_length = [&](std::string_view name, std::size_t length) {
    if (length != dimension)
      throw InputError("{} has {} entries where {} has {}", box.place(name), length, box.place("low"), dimension);
  };
  check_length("high", result.high.size());
  check_length("cells", result.cells.size());
  if (box.has("periodic")) check_length("periodic", result.periodic.size());
  double cells = 1;
  for (std::size_t axis = 0; axis < dimension; ++axis) {
    if (!(result.high[axis] > result.low[axis]))
      throw InputError("{} must be above low along each axis, but {} is not above {}", box.place("high"),
                       result.high[axis], result.low[axis]);
    cells *= static_cast<double>(result.cells[axis]);
  }
  if (cells > most_cells)
    throw InputError("{} asks for {:.4g} cells, more than {:.0e}", box.place("cells"), cells, most_cells);
  const char* usual = dimension == 1 ? "line" : dimension == 2 ? "triangle" : "tetrahedron";
  const ShapeWord& word = shape_word(box.text("element").value_or(usual), dimension);
  if (word.dimension != dimension)
    throw InputError("{} is \"{}\", which has {} dimension{}, but the box has {}", box.place("element"), word.name,
                     word.dimension, word.dimension == 1 ? "" : "s", dimension);
  result.shape = word.shape;
  result.mixed = word.name == "mixed";
  result.move = box.real("move").value_or(0);
  result.bend = box.real("bend").value_or(0);
  if (box.has("grade")) result.grade = box.reals("grade");
  result.geometry_order = static_cast<int>(box.whole("geometry_order").value_or(1));
  result.scatter = box.real("scatter").value_or(0);
  if (box.has("inner")) {
    const CaseSection inner = box.section("inner");
    for (const auto& [name, value] : inner.table()) {
      const Formula holds = inner.formula(name.str());
      result.inner.push_back({std::string(name.str()), Expression::parse(holds.text, {"x", "y", "z"}, holds.key)});
    }
  }
  if (result.scatter == 0) return result;
  if (!result.inner.empty())
    throw InputError("{} leaves no faces in rows, of which mesh.box.inner could choose: give one of them", box.place("scatter"));
  if (!is_simplex(result.shape))
    throw InputError("{} is for triangles and tetrahedra, but the cells are {}{}: take mesh.box.move", box.place("scatter"), word.name,
                     result.mixed ? "" : "s");
  if (result.move > 0) throw InputError("{} moves the vertices itself: leave mesh.box.move out", box.place("scatter"));
  if (result.geometry_order > 1)
    throw InputError("{} makes straight cells: leave mesh.box.geometry_order out", box.place("scatter"));
  for (std::size_t axis = 0; axis < result.periodic.size(); ++axis)
    if (result.periodic[axis] && result.cells[axis] < 2)
      throw InputError("{} needs 2 cells or more along a periodic axis", box.place("scatter"));
  return result;
}

DiscOptions read_disc(const CaseSection& disc) {
  DiscOptions result;
  if (disc.has("center")) std::ranges::copy(disc.reals("center"), result.center.begin());
  result.radius = disc.real("radius").value_or(result.radius);
  result.cells = disc.whole("cells").value_or(result.cells);
  result.geometry_order = static_cast<int>(disc.whole("geometry_order").value_or(result.geometry_order));
  result.shape = shape_word(disc.text("element").value_or("triangle")).shape;
  return result;
}

ShellOptions read_shell(const CaseSection& shell) {
  ShellOptions result;
  if (shell.has("center")) result.center = shell.reals("center");
  result.inner = shell.real("inner").value_or(result.inner);
  result.outer = shell.real("outer").value_or(result.outer);
  result.cells = shell.whole("cells").value_or(result.cells);
  result.layers = shell.whole("layers").value_or(result.layers);
  result.geometry_order = static_cast<int>(shell.whole("geometry_order").value_or(result.geometry_order));
  result.shape = shape_word(shell.text("element").value_or(result.center.size() == 2 ? "triangle" : "tetrahedron")).shape;
  return result;
}

}  // namespace

void read_mesh(const CaseSection& mesh, const std::filesystem::path& folder, Case& to) {
  if (mesh.has("box")) to.box = read_box(mesh.section("box"));
  if (mesh.has("disc")) to.disc = read_disc(mesh.section("disc"));
  if (mesh.has("shell")) to.shell = read_shell(mesh.section("shell"));
  if (const std::optional<std::string> file = mesh.text("file")) {
    if (file->empty()) throw InputError("{} is empty", mesh.place("file"));
    to.mesh_file = folder / *file;
  }
  const CaseSection partition = mesh.section("partition");
  const std::string method = partition.text("method").value_or("auto");
  to.partition = method == "metis"   ? PartitionKind::metis
                 : method == "curve" ? PartitionKind::curve
                 : method == "slabs" ? PartitionKind::slabs
                 : method == "file"  ? PartitionKind::file
                                     : PartitionKind::automatic;
  to.fractions = partition.reals("fractions");
}

int dimension_of(const Case& from) {
  if (from.box) return static_cast<int>(from.box->low.size());
  if (from.shell) return static_cast<int>(from.shell->center.size());
  return from.disc ? 2 : 0;
}

void check_dimension(const Case& from, const std::vector<double>& numbers, const std::string& place) {
  const int dimension = dimension_of(from);
  if (dimension == 0 || numbers.empty() || static_cast<int>(numbers.size()) == dimension) return;
  const char* plural = dimension == 1 ? "" : "s";
  throw InputError("{} must be a list of {} number{}, since the mesh has {} dimension{}, not of {}", place, dimension, plural,
                   dimension, plural, numbers.size());
}

}  // namespace swell
