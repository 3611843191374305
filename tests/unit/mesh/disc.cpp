// SPDX-License-Identifier: Apache-2.0
#include <numbers>

#include "helpers.hpp"

namespace swell::test {
namespace {

using std::numbers::pi;

DiscOptions disc_of(Shape shape, int order, std::int64_t cells) {
  DiscOptions disc;
  disc.center = {0.5, -2};
  disc.radius = 3;
  disc.cells = cells;
  disc.geometry_order = order;
  disc.shape = shape;
  return disc;
}

TEST(Disc, IsConnectedAndHasARimOnly) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral})
    for (int order = 1; order <= 4; ++order)
      for (const int cells : {1, 2, 3, 5}) {
        const Mesh mesh = make_disc(disc_of(shape, order, cells));
        EXPECT_EQ(boundary_counts(mesh), (std::vector<std::int64_t>{4 * cells, 0}));
        EXPECT_LT(largest_face_gap(mesh), 1e-14 * 5);
        check_geometry(mesh);
      }
}

TEST(Disc, HasAllRimNodesOnTheCircle) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral})
    for (int order = 1; order <= 4; ++order) {
      const Mesh mesh = make_disc(disc_of(shape, order, 3));
      int on_rim = 0;
      for (std::size_t p = 0; p < mesh.points.size(); p += 2) {
        const double r = std::hypot(mesh.points[p] - 0.5, mesh.points[p + 1] + 2);
        EXPECT_LT(r, 3 + 1e-14);
        if (std::abs(r - 3) < 1e-14) ++on_rim;
      }
      EXPECT_EQ(on_rim, 12 * order);
    }
}

// An even order g gains one power of h over g + 1 on the area by symmetry of the rim's pieces.
TEST(Disc, AreaConvergesWithTheGeometryOrder) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral})
    for (int order = 1; order <= 4; ++order) {
      const double coarse = std::abs(measure(make_disc(disc_of(shape, order, 2))) - 9 * pi);
      const double fine = std::abs(measure(make_disc(disc_of(shape, order, 4))) - 9 * pi);
      const int expected = order % 2 == 0 ? order + 2 : order + 1;
      EXPECT_GT(std::log2(coarse / fine), expected - 0.25) << shape_name(shape) << " of order " << order;
    }
}

TEST(Disc, CurvesOnlyTheCellsOnTheRim) {
  const Mesh mesh = make_disc(disc_of(Shape::triangle, 3, 4));
  for (std::int64_t c = 0; c < mesh.cell_count(); ++c) {
    bool on_rim = false;
    for (int f = 0; f < 3; ++f) on_rim = on_rim || mesh.neighbour(c, f).cell < 0;
    EXPECT_EQ(is_affine(mesh, c), !on_rim);
  }
}

// The interpolation of a smooth function in P_g or Q_g on the curved cells reaches order g + 1, which a map whose
// derivatives do not fall with h would spoil.
TEST(Disc, KeepsTheOrderOfInterpolation) {
  const auto f = [](double x, double y) { return std::sin(1.3 * x + 0.4) * std::cos(0.9 * y); };
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral})
    for (int order = 2; order <= 4; ++order) {
      std::array<double, 2> error{};
      for (int level = 0; level < 2; ++level) {
        const Mesh mesh = make_disc(disc_of(shape, order, 8 << level));
        const ReferenceElement element(shape, order);
        const Matrix fine = lattice(shape, 9);
        const Matrix interpolation = element.interpolation(fine);
        const CellMap nodes(mesh, element.nodes), probes(mesh, fine);
        std::vector<double> x(2 * element.node_count), y(2 * fine.rows());
        for (std::int64_t c = 0; c < mesh.cell_count(); ++c) {
          nodes.coordinates(c, x.data());
          probes.coordinates(c, y.data());
          Vector u(element.node_count);
          for (int i = 0; i < element.node_count; ++i) u(i) = f(x[2 * i], x[2 * i + 1]);
          const Vector v = interpolation * u;
          for (int i = 0; i < fine.rows(); ++i)
            error[level] = std::max(error[level], std::abs(v(i) - f(y[2 * i], y[2 * i + 1])));
        }
      }
      EXPECT_GT(std::log2(error[0] / error[1]), order + 1 - 0.3) << shape_name(shape) << " of order " << order;
    }
}

TEST(Disc, AnswersBadOptionsWithASentence) {
  DiscOptions bad = disc_of(Shape::triangle, 2, 0);
  EXPECT_SENTENCE(make_disc(bad), "mesh.disc.cells = 0");
  bad = disc_of(Shape::triangle, 5, 2);
  EXPECT_SENTENCE(make_disc(bad), "mesh.disc.geometry_order = 5");
  bad = disc_of(Shape::hexahedron, 2, 2);
  EXPECT_SENTENCE(make_disc(bad), "mesh.disc.element");
  bad = disc_of(Shape::triangle, 2, 2);
  bad.radius = NAN;
  EXPECT_SENTENCE(make_disc(bad), "mesh.disc.radius");
  bad.radius = 1, bad.center = {INFINITY, 0};
  EXPECT_SENTENCE(make_disc(bad), "mesh.disc.center");
}

}  // namespace
}  // namespace swell::test
