// SPDX-License-Identifier: Apache-2.0
// Writes the files that read_back.py checks: every shape and order, straight and curved cells that fill a domain of
// measure 1, with fields that the script knows in closed form. The formulas here and there are the same on purpose.
#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "element/basis.hpp"
#include "io/files.hpp"
#include "io/vtu.hpp"

namespace {

using namespace swell;
using Point = std::array<double, 3>;

constexpr int highest_order = 7;

// A cell by its first vertex and its edges from there.
struct Cell {
  Point corner;
  std::array<Point, 3> edges;
};

std::vector<Cell> boxes(int dim) {
  const double split = 0.4;  // two cells of different size
  const Point y{0, 1, 0}, z{0, 0, dim == 3 ? 1.0 : 0.0};
  return {{{0, 0, 0}, {{{split, 0, 0}, y, z}}}, {{split, 0, 0}, {{{1 - split, 0, 0}, y, z}}}};
}

// Kuhn's simplices: from the origin along the axes in every sequence; odd sequences are turned round.
std::vector<Cell> simplices(int dim) {
  const std::vector<std::array<int, 3>> sequences =
      dim == 2 ? std::vector<std::array<int, 3>>{{0, 1, 2}, {1, 0, 2}}
               : std::vector<std::array<int, 3>>{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}};
  std::vector<Cell> cells;
  for (std::size_t n = 0; n < sequences.size(); ++n) {
    Cell cell{};
    Point vertex{0, 0, 0};
    for (int d = 0; d < dim; ++d) {
      vertex[sequences[n][d]] = 1;
      cell.edges[d] = vertex;
    }
    if (n >= sequences.size() / 2) std::swap(cell.edges[0], cell.edges[1]);
    cells.push_back(cell);
  }
  return cells;
}

// Both maps have determinant 1.
Point straight(Point p, int dim) {
  return dim == 2 ? Point{p[0] + 0.2 * p[1], p[1], 0} : Point{p[0] + 0.2 * p[1] + 0.1 * p[2], p[1] + 0.3 * p[2], p[2]};
}
Point curved(Point p, int dim) {
  return dim == 2 ? Point{p[0] + 0.2 * p[1] * p[1], p[1], 0}
                  : Point{p[0] + 0.2 * p[1] * p[1] + 0.1 * p[2] * p[2], p[1] + 0.1 * p[2] * p[2], p[2]};
}

double of_position(const double* x, int degree) { return std::pow(0.7 + 0.3 * x[0] - 0.5 * x[1] + 0.4 * x[2], degree); }

double of_reference(const double* r, bool simplex, int degree) {
  if (simplex) return std::pow(0.9 + 0.3 * r[0] - 0.5 * r[1] + 0.4 * r[2], degree);
  return std::pow(0.7 + 0.3 * r[0], degree) * std::pow(0.9 - 0.5 * r[1], degree) * std::pow(0.8 + 0.4 * r[2], degree);
}

struct Arrays {
  std::vector<double> points, position, reference, vectors, number;
  std::vector<std::int32_t> region;
};

Arrays sample(Shape shape, int order, const std::vector<Cell>& cells, bool curve) {
  const int dim = dimension(shape);
  const Matrix places = lattice(shape, order);
  Arrays arrays;
  for (const Cell& cell : cells) {
    for (Eigen::Index i = 0; i < places.rows(); ++i) {
      Point r{0, 0, 0}, p = cell.corner;
      for (int d = 0; d < dim; ++d) r[d] = 0.5 * (places(i, d) + 1);  // VTK's parametric coordinates run from 0 to 1
      for (int d = 0; d < dim; ++d)
        for (int c = 0; c < 3; ++c) p[c] += r[d] * cell.edges[d][c];
      p = curve ? curved(p, dim) : straight(p, dim);
      arrays.points.insert(arrays.points.end(), p.begin(), p.end());
      arrays.position.push_back(of_position(p.data(), curve ? 1 : order));
      arrays.reference.push_back(of_reference(r.data(), is_simplex(shape), order));
      arrays.vectors.insert(arrays.vectors.end(), {p[1], p[2], p[0]});
    }
    arrays.number.push_back(0.5 * static_cast<double>(arrays.number.size()));
    arrays.region.push_back(7 + static_cast<std::int32_t>(arrays.region.size()));
  }
  return arrays;
}

void write(const std::filesystem::path& path, Shape shape, int order, const Arrays& arrays, const VtuOptions& options) {
  VtuPiece piece;
  piece.runs = {{shape, static_cast<std::int64_t>(arrays.region.size())}};
  piece.order = order;
  piece.points = arrays.points.data();
  piece.point_fields.push_back({"position", arrays.position.data()});
  // The other way to give a field: made when asked for.
  const std::int64_t count = mode_count(shape, order);
  piece.point_fields.push_back({"reference", VtuSource([&](std::int64_t first, std::int64_t cells, double* out) {
                                  std::copy_n(arrays.reference.data() + first * count, cells * count, out);
                                })});
  piece.point_vectors.push_back({"vectors <&>", arrays.vectors.data()});
  piece.cell_fields.push_back({"number", arrays.number.data()});
  piece.cell_numbers.push_back({"region", arrays.region.data()});
  write_vtu(path, piece, options);
}

void write_all(const std::filesystem::path& folder) {
  create_folder(folder);
  PvdSeries series(folder / "fields.pvd");
  for (Shape shape : {Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::hexahedron}) {
    const std::vector<Cell> cells = is_simplex(shape) ? simplices(dimension(shape)) : boxes(dimension(shape));
    const std::string name(shape_name(shape));
    for (int order = 1; order <= highest_order; ++order)
      for (bool curve : {false, true}) {
        if (curve && order < 2) continue;
        const std::string file = name + "_" + std::to_string(order) + (curve ? "_curved" : "_straight") + ".vtu";
        write(folder / file, shape, order, sample(shape, order, cells, curve), {.single = false, .compress = !curve});
        if (shape == Shape::triangle && !curve) series.add(0.1 * order, file);
      }
    write(folder / (name + "_3_single.vtu"), shape, 3, sample(shape, 3, cells, false), {.single = true});
  }
  // Long enough for many compressed blocks with a partial one at the end, and nothing at all.
  std::vector<Cell> many;
  while (many.size() < 2001) many.push_back(boxes(3)[many.size() % 2]);
  const Arrays arrays = sample(Shape::hexahedron, 3, many, false);
  write(folder / "many_compressed.vtu", Shape::hexahedron, 3, arrays, {.single = false, .compress = true});
  write(folder / "many_raw.vtu", Shape::hexahedron, 3, arrays, {.single = false, .compress = false});
  write(folder / "empty.vtu", Shape::tetrahedron, 2, {}, {});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: make_vtu FOLDER\n");
    return 2;
  }
  try {
    write_all(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
}
