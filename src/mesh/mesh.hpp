// SPDX-License-Identifier: Apache-2.0
// A mesh: points, blocks of cells of one shape, named regions and boundaries, and who meets whom across each face.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "element/basis.hpp"
#include "element/shape.hpp"

namespace swell {

// Cells of one shape and geometry order. Nodes are the cell's points in lattice order (element/basis.hpp) of the
// geometry order; for order 1 these are its vertices.
struct CellBlock {
  Shape shape = Shape::triangle;
  int geometry_order = 1;
  int nodes_per_cell = 0;
  std::vector<std::int64_t> nodes;   // [cell][lattice index] -> point
  std::vector<std::int32_t> region;  // [cell] -> index into Mesh::regions
  std::vector<std::int64_t> tag;     // [cell] number in the file, for messages; empty for generated meshes
  std::int64_t count() const { return static_cast<std::int64_t>(region.size()); }
};

// The neighbour across face f of a cell, or the boundary there.
struct Neighbour {
  std::int64_t cell = -1;       // -1: a boundary
  std::int8_t face = 0;         // the neighbour's face
  std::int8_t orientation = 0;  // as in element/shape.hpp
  std::int32_t boundary = -1;   // index into Mesh::boundaries where cell = -1; -1: a side that no group names
};

// A face between two cells that a group of the file names (a surface inside the domain), seen from one of them.
struct InnerFace {
  std::int64_t cell = -1;
  std::int32_t face = 0;
  std::int32_t boundary = -1;
};

// A face inside the domain that is a boundary for the cells on both of its sides (mesh/sheets.hpp), seen from each of them.
struct SheetFace {
  std::array<std::int64_t, 2> cell{-1, -1};  // of a rank's part: -1 where it is another rank's, which may be both
  std::array<std::int32_t, 2> face{};
  std::int32_t boundary = -1;
};

// Cells that follow each other and have one shape.
struct ShapeRun {
  Shape shape = Shape::triangle;
  std::int64_t cells = 0;
};

struct Mesh {
  int dim = 2;                          // 1 to 3: that of its cells
  std::string name;                     // the file, or "box"
  std::vector<double> points;           // [point][dim]
  std::vector<CellBlock> blocks;        // cells are numbered through them in turn; mixed meshes have one for each shape
  std::vector<std::string> regions;     // names; regions[0] = "" is the default region
  std::vector<std::string> boundaries;  // names
  std::vector<Neighbour> neighbours;    // [cell][face]
  std::vector<InnerFace> inner_faces;   // named faces inside the domain
  std::vector<SheetFace> sheets;        // where it was cut open
  std::vector<std::int32_t> periodic;   // of a whole mesh: boundaries with faces that are periodic, ascending
  std::vector<std::int32_t> partition;  // [cell] -> part, from 0, that the file gives; empty: none

  // The halo of a rank's part (mesh/partition.hpp): the cells of other ranks that touch it come last. A whole mesh has none.
  std::vector<std::int64_t> number;     // [cell] in the whole mesh; empty: this is the whole mesh
  std::vector<std::int32_t> halo_rank;  // [halo cell] whose it is
  std::vector<ShapeRun> whole_runs;     // the cells of the whole mesh; empty: this is the whole mesh

  // Where a cell is.
  struct Spot {
    const CellBlock* block = nullptr;
    std::int64_t local = 0;       // number in the block
    std::int64_t first_face = 0;  // of the cell, in `neighbours`
  };
  Spot spot(std::int64_t cell) const;

  // For a mesh of one shape.
  const CellBlock& cells() const { return blocks.front(); }
  Shape shape() const { return blocks.front().shape; }

  std::vector<ShapeRun> runs() const;  // the cells of the whole mesh, of which a part may lack some shapes
  std::vector<Shape> shapes() const;   // of these, each once
  bool mixed() const { return shapes().size() > 1; }
  std::string shapes_in_words() const;  // "triangle and quadrilateral"
  int geometry_order() const { return blocks.front().geometry_order; }  // of all cells
  std::int64_t cell_count() const;
  std::int64_t own_count() const { return cell_count() - static_cast<std::int64_t>(halo_rank.size()); }
  std::int64_t number_of(std::int64_t cell) const { return number.empty() ? cell : number[cell]; }
  Shape shape_of(std::int64_t cell) const { return spot(cell).block->shape; }
  std::int32_t region_of(std::int64_t cell) const;
  std::span<const std::int64_t> nodes_of(std::int64_t cell) const;
  std::span<std::int64_t> nodes_of(std::int64_t cell);
  const Neighbour& neighbour(std::int64_t cell, int face) const { return neighbours[spot(cell).first_face + face]; }
  Neighbour& neighbour(std::int64_t cell, int face) { return neighbours[spot(cell).first_face + face]; }
  std::int64_t face_total() const;  // faces of all cells
  std::array<double, 3> vertex(std::int64_t cell, int local) const;
  // The number in the file, or in a generated mesh.
  std::int64_t tag_of(std::int64_t cell) const;
  // "element 17" by the file's number, "cell 17" of a generated mesh.
  std::string label(std::int64_t cell) const;
};

// "(0.5, 0.25)": a place in so many dimensions, for messages.
std::string place_text(int dim, const double* x);

// The lattice index of a vertex among the nodes of a cell of this geometry order.
int vertex_node(Shape shape, int geometry_order, int vertex);

// A boundary face as a file or generator gives it: its vertices (points) and the boundary that it belongs to.
struct NamedFace {
  std::array<std::int64_t, 4> vertices{-1, -1, -1, -1};
  std::int32_t boundary = -1;
};
// Two sets of faces that are glued: point `from` of one side lies on point `to` of the other.
struct PeriodicPair {
  std::vector<std::array<std::int64_t, 2>> points;
};

// Throws InputError for NaN coordinates and for degenerate cells, and where the Jacobian of a cell changes sign (it is
// folded over); cells that are negative everywhere are turned round. Call it before connect().
void orient_cells(Mesh& mesh);

// Fills mesh.neighbours in O(n log n). Throws InputError for cells with a repeated vertex, faces shared by more than
// two cells, duplicate and overlapping cells, named faces that belong to no cell, periodic faces without a partner. Two
// periodic sides must be a translation of each other; a periodic face is no boundary.
void connect(Mesh& mesh, const std::vector<NamedFace>& named, const std::vector<PeriodicPair>& periodic);

// Throws InputError for NaN coordinates and for inverted, degenerate or folded cells.
void check_geometry(const Mesh& mesh);

}  // namespace swell
