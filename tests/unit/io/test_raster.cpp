// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "base/error.hpp"
#include "io/draw/raster.hpp"

namespace swell {
namespace {

using Point = std::array<double, 3>;
using Map = std::function<Point(Point)>;
using Function = std::function<double(Point)>;

struct Cells {
  Shape shape;
  int order;
  std::int64_t count = 0;
  std::vector<double> points, values;

  void add(Point corner, std::array<Point, 3> edges, const Map& map, const Function& f) {
    const Matrix places = lattice(shape, order);
    for (Eigen::Index i = 0; i < places.rows(); ++i) {
      Point p = corner;
      for (Eigen::Index d = 0; d < places.cols(); ++d)
        for (int c = 0; c < 3; ++c) p[c] += 0.5 * (places(i, d) + 1) * edges[d][c];
      p = map(p);
      points.insert(points.end(), p.begin(), p.end());
      values.push_back(f(p));
    }
    ++count;
  }
  std::int64_t point_count() const { return static_cast<std::int64_t>(values.size()); }
};

// n x n (x n) boxes in the unit square or cube, cut into simplices where the shape is one.
Cells unit_box(
    Shape shape, int order, int n, const Function& f, const Map& map = [](Point p) { return p; }) {
  Cells cells{shape, order, 0, {}, {}};
  const double h = 1.0 / n;
  const bool solid = dimension(shape) == 3;
  for (int k = 0; k < (solid ? n : 1); ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const Point low{i * h, j * h, k * h}, x{h, 0, 0}, y{0, h, 0}, z{0, 0, solid ? h : 0};
        if (!is_simplex(shape)) {
          cells.add(low, {x, y, z}, map, f);
        } else if (!solid) {
          cells.add(low, {x, y, z}, map, f);
          cells.add({low[0] + h, low[1] + h, 0}, {{{-h, 0, 0}, {0, -h, 0}, z}}, map, f);
        } else {
          const Point xy{h, h, 0}, yz{0, h, h}, xz{h, 0, h}, xyz{h, h, h};
          for (const auto& path : {std::array{x, xy}, std::array{xy, y}, std::array{y, yz}, std::array{yz, z},
                                   std::array{z, xz}, std::array{xz, x}})
            cells.add(low, {path[0], path[1], xyz}, map, f);
        }
      }
  return cells;
}

// The largest difference between samples and the function at their places; a sample without a value counts as infinity.
double largest_error(const Picture& picture, const Function& f, const std::function<Point(double, double)>& place) {
  double largest = 0;
  const int columns = picture.width * picture.samples, rows = picture.height * picture.samples;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const double x = picture.low[0] + (column + 0.5) / columns * (picture.high[0] - picture.low[0]);
      const double y = picture.high[1] - (row + 0.5) / rows * (picture.high[1] - picture.low[1]);
      const double value = picture.value[static_cast<std::size_t>(row) * columns + column];
      largest = std::max(largest, std::isnan(value) ? INFINITY : std::abs(value - f(place(x, y))));
    }
  return largest;
}

TEST(CellRaster, IsExactForLinearFieldsOnEveryPlaneShape) {
  const Function f = [](Point p) { return 1 + 2 * p[0] - 3 * p[1]; };
  for (Shape shape : {Shape::triangle, Shape::quadrilateral})
    for (int order : {1, 2, 5}) {
      const Cells cells = unit_box(shape, order, 3, f);
      CellRaster raster(window_of(cells.points.data(), cells.point_count()), 50);
      raster.add(shape, order, cells.count, cells.points.data(), cells.values.data());
      EXPECT_LT(largest_error(raster.picture(), f,
                              [](double x, double y) {
                                return Point{x, y, 0};
                              }),
                1e-5)
          << shape_name(shape) << " of order " << order;
    }
}

TEST(CellRaster, IsSmoothInsideLargeCellsOfHighOrder) {
  const Function f = [](Point p) { return std::sin(5 * p[0]) * std::cos(4 * p[1]); };
  for (Shape shape : {Shape::triangle, Shape::quadrilateral}) {
    const Cells cells = unit_box(shape, 10, 1, f);
    CellRaster raster(window_of(cells.points.data(), cells.point_count()), 100);
    raster.add(shape, 10, cells.count, cells.points.data(), cells.values.data());
    EXPECT_LT(largest_error(raster.picture(), f,
                            [](double x, double y) {
                              return Point{x, y, 0};
                            }),
              4e-3)
        << shape_name(shape);
  }
}

TEST(CellRaster, FillsACurvedDiscAndNothingElse) {
  const Map disc = [](Point p) {
    const double u = 2 * p[0] - 1, v = 2 * p[1] - 1;
    return Point{u * std::sqrt(1 - v * v / 2), v * std::sqrt(1 - u * u / 2), 0};
  };
  const Cells cells = unit_box(
      Shape::quadrilateral, 6, 4, [](Point) { return 1.0; }, disc);
  CellRaster raster({{-1.5, -1.5}, {1.5, 1.5}}, 300);
  raster.add(Shape::quadrilateral, 6, cells.count, cells.points.data(), cells.values.data());
  const Picture& picture = raster.picture();
  double filled = 0;
  for (float value : picture.value) filled += !std::isnan(value);
  const double area = 9 * filled / static_cast<double>(picture.value.size());
  EXPECT_NEAR(area, std::numbers::pi, 0.003);
}

TEST(CellRaster, KeepsTheShapeOfTheWindow) {
  EXPECT_EQ(CellRaster({{0, 0}, {4, 1}}, 400).picture().height, 100);
  EXPECT_THROW(CellRaster({{0, 0}, {0, 1}}, 400), RunError);
}

struct Cut {
  Point point, normal;
};

TEST(Slice, IsExactForLinearFieldsWhereverThePlaneLies) {
  const Function f = [](Point p) { return 1 + 2 * p[0] - 3 * p[1] + 4 * p[2]; };
  for (Shape shape : {Shape::tetrahedron, Shape::hexahedron}) {
    const Cells cells = unit_box(shape, 2, 2, f);
    // Through cells, along faces between cells, and along both ends of the domain.
    for (const Cut& cut : {Cut{{0, 0, 0.3}, {0, 0, 1}}, Cut{{0, 0, 0.5}, {0, 0, 1}}, Cut{{0, 0, 0}, {0, 0, 1}},
                           Cut{{0, 0, 1}, {0, 0, -2}}, Cut{{0.7, 0, 0}, {1, 0, 0}}, Cut{{0, 0.25, 0}, {0, 1, 0}}}) {
      const Plane plane = plane_through(cut.point, cut.normal);
      CellRaster raster(window_of(cells.points.data(), cells.point_count(), plane), 60);
      raster.add_slice(plane, shape, 2, cells.count, cells.points.data(), cells.values.data());
      const auto place = [&](double u, double v) {
        Point p;
        for (int d = 0; d < 3; ++d) p[d] = u * plane.u[d] + v * plane.v[d] + plane.offset * plane.normal[d];
        return p;
      };
      EXPECT_LT(largest_error(raster.picture(), f, place), 1e-5)
          << shape_name(shape) << ", normal " << cut.normal[0] << cut.normal[1] << cut.normal[2] << " through "
          << cut.point[2];
    }
  }
}

TEST(Slice, HasTheAreaOfAnObliqueCut) {
  // The plane x + y + z = 1.5 cuts the unit cube in a regular hexagon of side 1/sqrt(2): area 3 sqrt(3)/4.
  const Cells cells = unit_box(Shape::tetrahedron, 1, 2, [](Point) { return 1.0; });
  const Plane plane = plane_through({0.5, 0.5, 0.5}, {1, 1, 1});
  const PlaneWindow window = window_of(cells.points.data(), cells.point_count(), plane);
  CellRaster raster(window, 400);
  raster.add_slice(plane, Shape::tetrahedron, 1, cells.count, cells.points.data(), cells.values.data());
  double filled = 0;
  for (float value : raster.picture().value) filled += !std::isnan(value);
  const double area = (window.high[0] - window.low[0]) * (window.high[1] - window.low[1]) * filled /
                      static_cast<double>(raster.picture().value.size());
  EXPECT_NEAR(area, 0.75 * std::sqrt(3), 0.003);
}

TEST(Plane, HasAxesThatAReaderExpects) {
  const Plane z = plane_through({0, 0, 2}, {0, 0, 3}), x = plane_through({2, 0, 0}, {1, 0, 0}),
              y = plane_through({0, 2, 0}, {0, 1, 0});
  EXPECT_EQ(z.u, (Point{1, 0, 0}));
  EXPECT_EQ(z.v, (Point{0, 1, 0}));
  EXPECT_EQ(x.u, (Point{0, 1, 0}));
  EXPECT_EQ(x.v, (Point{0, 0, 1}));
  EXPECT_EQ(y.u, (Point{1, 0, 0}));
  EXPECT_EQ(y.v, (Point{0, 0, 1}));
  EXPECT_EQ(z.offset, 2);
}

TEST(Plane, OutsideTheMeshIsAnInputError) {
  const std::vector<double> corners{0, 0, 0, 1, 1, 1};
  EXPECT_THROW(window_of(corners.data(), 2, plane_through({0, 0, 1.01}, {0, 0, 1})), InputError);
  EXPECT_NO_THROW(window_of(corners.data(), 2, plane_through({0, 0, 1}, {0, 0, 1})));
  EXPECT_THROW(plane_through({0, 0, 0}, {0, 0, 0}), InputError);
}

}  // namespace
}  // namespace swell
