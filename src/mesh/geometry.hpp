// SPDX-License-Identifier: Apache-2.0
// The map from reference to physical coordinates of a cell, at points chosen once for all cells.
#pragma once

#include <map>
#include <vector>

#include "mesh/mesh.hpp"

namespace swell {

class CellMap {
 public:
  // `points` are reference points (rows), of the shape that the cells asked for have.
  CellMap(const Mesh& mesh, Shape shape, const Matrix& points);
  // For a mesh of one shape.
  CellMap(const Mesh& mesh, const Matrix& points) : CellMap(mesh, mesh.shape(), points) {}

  const Matrix& values() const { return values_; }  // [point][node]: what each node of a cell counts there
  int point_count() const { return static_cast<int>(values_.rows()); }
  // out: [point][dim].
  void coordinates(std::int64_t cell, double* out) const;
  // out: [point][dim][dim]: dx_i/dr_j at [i][j].
  void jacobians(std::int64_t cell, double* out) const;

 private:
  const Mesh& mesh_;
  Matrix values_;  // points x lattice nodes
  std::array<Matrix, 3> gradients_;
};

// True where the map is affine to rounding (all simplices of geometry order 1, parallelograms, straight high-order
// cells).
bool is_affine(const Mesh& mesh, std::int64_t cell);

// Order of the cells along a space-filling curve through their centroids: result[i] is the i-th cell to visit.
std::vector<std::int64_t> space_filling_order(const Mesh& mesh);

// Finds the cell that holds a point, curved cells included. Keeps a reference to the mesh.
class Locator {
 public:
  explicit Locator(const Mesh& mesh);
  struct Hit {
    std::int64_t cell = -1;             // -1: outside the mesh
    std::array<double, 3> reference{};  // coordinates in the cell
  };
  // The cell with the smallest number of those that hold the point, to 1e-10 of the cell's size.
  Hit find(const double* point) const;

 private:
  struct Box {
    std::array<double, 3> low{}, high{};
  };
  Box bounds(std::int64_t cell) const;
  std::int64_t bin(int axis, double x) const;
  template <class Visit>
  void for_each_bin(const Box& box, const Visit& visit) const;
  bool holds(std::int64_t cell, const double* point, std::array<double, 3>& reference) const;
  bool newton(std::int64_t cell, const double* point, std::array<double, 3>& reference) const;

  struct ShapeMatrices {
    Matrix to_modes, from_vertices;
  };

  const Mesh& mesh_;
  std::map<Shape, ShapeMatrices> matrices_;
  Box all_;
  std::array<std::int64_t, 3> bins_{1, 1, 1};
  std::vector<std::int64_t> start_, cell_;  // cells of each bin, in ascending order
};

}  // namespace swell
