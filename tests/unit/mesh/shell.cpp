// SPDX-License-Identifier: Apache-2.0
#include <numbers>

#include "helpers.hpp"

namespace swell::test {
namespace {

using std::numbers::pi;

ShellOptions shell_of(Shape shape, int order, std::int64_t cells, std::int64_t layers) {
  ShellOptions shell;
  shell.center = dimension(shape) == 2 ? std::vector<double>{0.5, -2} : std::vector<double>{0.5, -2, 1};
  shell.inner = 1.5;
  shell.outer = 3;
  shell.cells = cells;
  shell.layers = layers;
  shell.geometry_order = order;
  shell.shape = shape;
  return shell;
}

double exact_measure(int dim) { return dim == 2 ? pi * (9 - 2.25) : 4.0 / 3 * pi * (27 - 3.375); }

TEST(Shell, IsConnectedAndHasTwoBoundaries) {
  for (const Shape shape : wide_shapes)
    for (int order = 1; order <= 4; ++order)
      for (const int cells : {1, 2, 3}) {
        if (cells == 1 && (order == 1 || shape == Shape::tetrahedron)) continue;  // a straight shell of so few cells has folds
        const Mesh mesh = make_shell(shell_of(shape, order, cells, 2));
        const std::int64_t faces = dimension(shape) == 2 ? 4 * cells : 6 * cells * cells * (is_simplex(shape) ? 2 : 1);
        EXPECT_EQ(boundary_counts(mesh), (std::vector<std::int64_t>{faces, faces, 0})) << shape_name(shape) << " of order " << order;
        EXPECT_LT(largest_face_gap(mesh), 1e-13);
        check_geometry(mesh);
      }
}

TEST(Shell, HasItsPointsOnCirclesOrSpheres) {
  for (const Shape shape : wide_shapes) {
    const Mesh mesh = make_shell(shell_of(shape, 3, 2, 2));
    for (std::size_t p = 0; p < mesh.points.size(); p += mesh.dim) {
      double r = 0;
      const double center[] = {0.5, -2, 1};
      for (int d = 0; d < mesh.dim; ++d) r += std::pow(mesh.points[p + d] - center[d], 2);
      const double layer = (std::sqrt(r) - 1.5) / 1.5 * 6;
      EXPECT_NEAR(layer, std::round(layer), 1e-13);
      EXPECT_GE(layer, -1e-13);
      EXPECT_LE(layer, 6 + 1e-13);
    }
  }
}

// An even order g gains one power of h over g + 1 by symmetry of the boundaries' pieces.
TEST(Shell, VolumeConvergesWithTheGeometryOrder) {
  for (const Shape shape : wide_shapes)
    for (int order = 1; order <= (dimension(shape) == 2 ? 4 : 3); ++order) {
      const double exact = exact_measure(dimension(shape));
      const double coarse = std::abs(measure(make_shell(shell_of(shape, order, 3, 1))) - exact);
      const double fine = std::abs(measure(make_shell(shell_of(shape, order, 6, 2))) - exact);
      const int expected = order % 2 == 0 ? order + 2 : order + 1;
      EXPECT_GT(std::log2(coarse / fine), expected - 0.4) << shape_name(shape) << " of order " << order;
    }
}

TEST(Shell, RefusesWhatCannotBe) {
  const auto refusal = [](auto change) {
    ShellOptions shell = shell_of(Shape::triangle, 2, 2, 2);
    change(shell);
    return sentence([&] { make_shell(shell); });
  };
  EXPECT_EQ(refusal([](ShellOptions& s) { s.outer = 1; }), "mesh.shell.outer = 1 must be above inner = 1.5, and that above 0.");
  EXPECT_EQ(refusal([](ShellOptions& s) { s.center = {0}; }), "mesh.shell.center must be a list of 2 or 3 numbers, not of 1.");
  EXPECT_EQ(refusal([](ShellOptions& s) { s.shape = Shape::hexahedron; }),
            "mesh.shell.element is hexahedron, which has 3 dimensions, but the center has 2.");
  EXPECT_EQ(refusal([](ShellOptions& s) { s.cells = s.layers = 1'000'000; }),
            "mesh.shell.cells and layers ask for 4e+12 cells, more than 1e+09.");
  EXPECT_EQ(refusal([](ShellOptions& s) { s.geometry_order = 5; }), "mesh.shell.geometry_order = 5 must lie between 1 and 4.");
}

}  // namespace
}  // namespace swell::test
