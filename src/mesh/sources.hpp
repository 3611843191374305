// SPDX-License-Identifier: Apache-2.0
// Where meshes come from: boxes, discs and shells made here, files from Gmsh. Each returns a checked, connected mesh.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "base/expression.hpp"
#include "mesh/mesh.hpp"

namespace swell {

struct BoxOptions {
  std::vector<double> low, high;  // 1 to 3 numbers
  std::vector<std::int64_t> cells;
  Shape shape = Shape::triangle;
  std::vector<bool> periodic;  // empty: none
  double move = 0;             // of every vertex along each axis, at random, at most this part of a cell; sides stay
  double bend = 0;             // of the whole box by a smooth map, at most this part of its size; sides stay
  int geometry_order = 1;      // of the cells, which follow the smooth map to this degree
  double scatter = 0;          // as move, of simplices that are then joined as a mesher does
  std::vector<double> grade = {};  // along each axis the cells at the sides are so many times longer than those in the middle; empty: equal
  bool mixed = false;          // of quadrilaterals or hexahedra, some of which are cut so that all pairs of neighbours occur
  // Groups of faces inside the box: those at whose middle an expression in x, y, z is not 0, before they are moved and bent.
  struct InnerGroup {
    std::string name;
    Expression holds;
  };
  std::vector<InnerGroup> inner = {};

  bool equal_cells() const { return move == 0 && bend == 0 && scatter == 0 && grade.empty() && !mixed && inner.empty(); }
};
// Sides are named xmin, xmax, ymin, ymax, zmin, zmax; those of a box of lines are points. Each rectangle is cut into 2 right
// triangles by the diagonal from its lower left to its upper right corner, each brick into the 6 tetrahedra of Kuhn, into 2 prisms
// between such triangles below and above, or 2 by 2 by 2 bricks into 24 pyramids round their middle; scattered
// vertices are joined to Delaunay's triangles, and to tetrahedra that differ from brick to brick (mesh/scatter.hpp).
Mesh make_box(const BoxOptions& options);

struct DiscOptions {
  std::array<double, 2> center{0, 0};
  double radius = 1;
  std::int64_t cells = 4;  // along each edge of the inner square of the O-grid
  int geometry_order = 2;  // 1: straight edges
  Shape shape = Shape::triangle;
};
// An O-grid of the disc whose rim, named "rim", is curved to the geometry order.
Mesh make_disc(const DiscOptions& options);

struct ShellOptions {
  std::vector<double> center{0, 0};  // 2 or 3 numbers
  double inner = 1, outer = 2;       // radii
  std::int64_t cells = 4;            // along each edge of the square or cube that the shell is the image of
  std::int64_t layers = 4;
  int geometry_order = 2;            // 1: straight edges
  Shape shape = Shape::triangle;
};
// The space between two circles or spheres, whose boundaries, named "inner" and "outer", are curved to the geometry order.
Mesh make_shell(const ShellOptions& options);

// MSH 2.2 and 4.1, ASCII and binary, geometry order 1 to 4; cells of all shapes of a dimension may come together.
// Physical groups of the mesh's own dimension name regions, those one dimension lower name boundaries. Throws InputError
// with the file's name and line or byte for anything that is wrong. Lines as cells lie on the x axis. A .geo file is meshed
// first, where the program gmsh is installed.
Mesh read_gmsh(const std::filesystem::path& file);

}  // namespace swell
