// SPDX-License-Identifier: Apache-2.0
// The sense of each cell: the sign of its Jacobian, everywhere inside it.
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/host_threads.hpp"
#include "element/lattice.hpp"
#include "mesh/geometry.hpp"

namespace swell {
namespace {

// The lattice on which the Jacobian of a cell that is not affine is looked at. Its determinant has degree dim (g - 1)
// on simplices and dim g - 1 in each direction on tensor shapes; for quadrilaterals and pyramids of order 1 the corners decide. A
// pyramid's apex is looked at along its middle line.
int probe_order(Shape shape, int geometry_order) {
  const int dim = dimension(shape);
  const int degree = is_simplex(shape) ? dim * (geometry_order - 1) : dim * geometry_order - 1;
  return dim <= 2 ? std::clamp(2 * degree, 1, 12) : std::clamp(degree, 1, 6);
}

double determinant(int dim, const double* j) {
  if (dim == 1) return j[0];
  if (dim == 2) return j[0] * j[3] - j[1] * j[2];
  return j[0] * (j[4] * j[8] - j[5] * j[7]) - j[1] * (j[3] * j[8] - j[5] * j[6]) + j[2] * (j[3] * j[7] - j[4] * j[6]);
}

// The product of the lengths of the columns: the largest value that the determinant could have (Hadamard).
double largest_determinant(int dim, const double* j) {
  double product = 1;
  for (int c = 0; c < dim; ++c) {
    double square = 0;
    for (int r = 0; r < dim; ++r) square += j[r * dim + c] * j[r * dim + c];
    product *= std::sqrt(square);
  }
  return product;
}

class SenseOfCells {
 public:
  // For the cells of one shape.
  SenseOfCells(const Mesh& mesh, Shape shape)
      : mesh_(mesh),
        middle_(mesh, shape, Matrix::Constant(1, mesh.dim, is_simplex(shape) ? -1.0 / 3 : 0.0)),
        probes_(mesh, shape, lattice(shape, probe_order(shape, mesh.geometry_order()))) {}

  // +1 or -1 where the Jacobian has that sign in the whole cell; throws where it has none. `jacobians`: room of a thread.
  int operator()(std::int64_t cell, std::vector<double>& jacobians) const {
    constexpr double flat = 1e-12;  // of the volume of the box with the same edges: rounding of the coordinates
    const CellMap& map = is_affine(mesh_, cell) ? middle_ : probes_;
    const int dim = mesh_.dim;
    jacobians.resize(static_cast<std::size_t>(map.point_count()) * dim * dim);
    map.jacobians(cell, jacobians.data());
    double lowest = 0, highest = 0, scale = 0;
    for (int p = 0; p < map.point_count(); ++p) {
      const double det = determinant(dim, &jacobians[p * dim * dim]);
      if (!std::isfinite(det)) fail(cell, "has coordinates that are not finite numbers");
      lowest = p == 0 ? det : std::min(lowest, det);
      highest = p == 0 ? det : std::max(highest, det);
      scale = std::max(scale, largest_determinant(dim, &jacobians[p * dim * dim]));
    }
    const double zero = flat * scale;
    if (lowest > zero) return 1;
    if (highest < -zero) return -1;
    if (lowest >= -zero && highest <= zero) fail(cell, dim == 1 ? "has no length" : dim == 2 ? "has no area" : "has no volume");
    if (lowest < -zero && highest > zero) fail(cell, "folds over itself (its Jacobian changes sign)");
    fail(cell, "is degenerate (its Jacobian vanishes at a point)");
  }

  [[noreturn]] void fail(std::int64_t cell, const char* what) const {
    const auto at = mesh_.vertex(cell, 0);
    throw InputError("{}: {} near {} {}; mend the mesh there.", mesh_.name, mesh_.label(cell), place_text(mesh_.dim, at.data()),
                     what);
  }

 private:
  const Mesh& mesh_;
  CellMap middle_, probes_;
};

}  // namespace

void orient_cells(Mesh& mesh) {
  std::int64_t first = 0;
  for (CellBlock& block : mesh.blocks) {
    // The mirror image of the lattice: axes 0 and 1 change places; a line runs backwards.
    std::vector<int> mirror;
    for (const LatticeIndex& at : lattice_indices(block.shape, block.geometry_order)) {
      const LatticeIndex image = mesh.dim == 1 ? LatticeIndex{block.geometry_order - at[0], 0, 0} : LatticeIndex{at[1], at[0], at[2]};
      mirror.push_back(lattice_number(block.shape, block.geometry_order, image));
    }
    const SenseOfCells sense(mesh, block.shape);
    for_pieces(block.count(), [&](std::int64_t begin, std::int64_t end) {
      std::vector<std::int64_t> old(block.nodes_per_cell);
      std::vector<double> jacobians;
      for (std::int64_t i = begin; i < end; ++i) {
        if (sense(first + i, jacobians) > 0) continue;
        std::int64_t* nodes = &block.nodes[i * block.nodes_per_cell];
        std::copy_n(nodes, block.nodes_per_cell, old.begin());
        for (int n = 0; n < block.nodes_per_cell; ++n) nodes[n] = old[mirror[n]];
      }
    });
    first += block.count();
  }
}

void check_geometry(const Mesh& mesh) {
  std::int64_t first = 0;
  for (const CellBlock& block : mesh.blocks) {
    const SenseOfCells sense(mesh, block.shape);
    for_pieces(block.count(), [&](std::int64_t begin, std::int64_t end) {
      std::vector<double> jacobians;
      for (std::int64_t i = begin; i < end; ++i)
        if (sense(first + i, jacobians) < 0) sense.fail(first + i, "is inverted (its Jacobian is negative)");
    });
    first += block.count();
  }
}

}  // namespace swell
