// SPDX-License-Identifier: Apache-2.0
// Triangles to look at: cells cut along the lattice of their own order, and where in a field the values of their corners lie.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "element/lattice.hpp"
#include "mesh/mesh.hpp"

namespace swell {

// Cells with nodes in lattice order (element/basis.hpp), wherever they come from. Asked from the server's thread.
struct ShownCells {
  std::vector<ShapeRun> runs;
  int order = 1;
  std::function<void(std::int64_t cell, double* nodes)> coordinates;  // [node][3]; 0 in a direction that the mesh lacks
  // In three dimensions: the outer faces of cells, as element/shape.hpp numbers them.
  std::vector<std::pair<std::int64_t, int>> outer_faces;
  // Where a field comes as other numbers than its values at nodes, as many of them: what each counts there, [node][number]. Only
  // of cells of one shape.
  std::vector<float> evaluation = {};

  std::int64_t count() const;
  int dim() const { return dimension(runs.front().shape); }
  // Calls visit(cell, nodes of the cells before it, nodes of the cell) in the order of the cells.
  void for_each_cell(const std::function<void(std::int64_t cell, std::int64_t first_node, int nodes)>& visit) const;
};

// A corner of a triangle: on the straight line between two nodes of a cell, or a node itself (part = 0).
struct Corner {
  std::int32_t place = 0;  // of the cell among the scene's
  std::int16_t from = 0, to = 0;
  float part = 0;
};

struct Scene {
  std::int64_t number = 0;
  std::vector<std::int32_t> place_of_cell;  // -1: not shown; empty: all cells are, in their order
  std::int64_t places = 0;
  int nodes = 0;  // of a cell; of cells of several shapes the most that one has: smaller ones leave the rest of their row
  std::vector<float> evaluation;  // as of the cells
  std::vector<Corner> corners;
  std::vector<float> points;             // [corner][3], from the middle of the mesh
  std::vector<std::uint32_t> triangles;  // [triangle][3]
  std::vector<std::uint32_t> lines;      // [segment][2], along the faces of cells

  std::int64_t place(std::int64_t cell) const { return place_of_cell.empty() ? cell : place_of_cell[cell]; }
  // Values of corners from values [place][node], or from the numbers that `evaluation` makes them from.
  void values(const std::vector<float>& given, float* of_corners) const;
};

// A point and a normal, from the coordinates' origin.
using SlicePlane = std::array<double, 6>;

// Makes scenes of one mesh, on one thread.
class SceneMaker {
 public:
  // A picture with more triangles than this is made of fewer, larger ones.
  static constexpr std::int64_t most_triangles = 1'500'000;

  explicit SceneMaker(ShownCells cells, std::int64_t triangles = most_triangles);

  // All cells in two dimensions, the outer faces in three; in one a strip along the x axis, without a meaning across it.
  Scene whole();
  // The polygons in which a plane meets cells; three dimensions only.
  Scene slice(const SlicePlane& plane);

  int dim() const { return dim_ == 1 ? 2 : dim_; }  // of what is shown
  const std::array<double, 3>& low() const { return low_; }
  const std::array<double, 3>& high() const { return high_; }
  std::int64_t count() const { return cells_.count(); }
  // Whether whole() shows every node.
  bool complete() const { return detail_ == cells_.order; }

 private:
  struct Box {
    std::array<float, 3> low, high;
  };
  // Common to the cells of one shape.
  struct Lattice {
    int nodes = 0;
    std::vector<unsigned> faces_of_node;  // a bit a face
    std::vector<std::int32_t> simplices;  // in three dimensions
  };
  const Lattice& lattice_of(std::int64_t cell) const;
  Shape shape_of(std::int64_t cell) const;
  std::array<double, 3> middle() const;
  std::vector<std::int32_t> places_of_outer(std::int64_t& places) const;
  Scene strip();
  void cut(const SlicePlane& plane, const Lattice& lattice, const double* nodes, std::int32_t place, Scene& scene) const;
  void add_point(Scene& scene, const double* x) const;

  ShownCells cells_;
  int dim_, nodes_, detail_ = 1;
  std::map<Shape, Lattice> lattices_;
  std::array<double, 3> low_{}, high_{};
  std::vector<Box> boxes_;  // of cells, in three dimensions
  std::int64_t made_ = 0;
};

}  // namespace swell
