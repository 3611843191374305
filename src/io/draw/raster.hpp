// SPDX-License-Identifier: Apache-2.0
// Samples a field at the pixels of a picture: cells of two dimensions, or the cut of a plane through cells of three.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "element/basis.hpp"
#include "io/draw/plane.hpp"

namespace swell {

// Samples over the window [low, high], samples x samples of them in each of width x height pixels, so that edges come
// out smooth; NaN where there is no cell.
struct Picture {
  int width = 0, height = 0;
  int samples = 1;
  std::array<double, 2> low{0, 0}, high{1, 1};
  std::vector<float> value;  // [row from the top][column], height*samples rows of width*samples
  std::vector<std::array<double, 4>> lines = {};  // thin segments over the field: from x, y to x, y in the window
};

// Each cell is refined until its pieces are a few pixels large, and these are filled linearly: smooth also where a cell
// of high order covers a large part of the picture.
class CellRaster {
 public:
  // The height follows from the window's shape.
  CellRaster(const PlaneWindow& window, int width);

  // points[cell][lattice point][3] and values[cell][lattice point] of `order`; only x and y of the points are used.
  void add(Shape shape, int order, std::int64_t cells, const double* points, const double* values);
  // The cut through tetrahedra or hexahedra, in the plane's coordinates.
  void add_slice(const Plane& plane, Shape shape, int order, std::int64_t cells, const double* points,
                 const double* values);

  const Picture& picture() const { return picture_; }

 private:
  // A corner in the samples' coordinates, and the value there.
  struct Corner {
    double x, y, value;
  };
  // A corner in the plane's coordinates, its height over the plane, and the value.
  struct SpaceCorner {
    double u, v, height, value;
  };
  void fill(const Corner& a, const Corner& b, const Corner& c);
  void slice(const std::array<SpaceCorner, 4>& tetrahedron);
  Corner to_samples(double x, double y, double value) const;
  // How a cell is sampled: values at the points of a lattice, and the small simplices between these.
  struct Refinement {
    Matrix interpolation;
    std::vector<int> pieces;
  };
  const Refinement& refinement(Shape shape, int order, double size_in_samples);

  Picture picture_;
  int columns_ = 0, rows_ = 0;
  double scale_ = 1;                                      // samples per unit length
  std::map<std::array<int, 3>, Refinement> refinements_;  // by shape, order, fine order
};

}  // namespace swell
