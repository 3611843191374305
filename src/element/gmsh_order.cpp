// SPDX-License-Identifier: Apache-2.0
#include "element/gmsh_order.hpp"

#include "element/point_order.hpp"

namespace swell {

namespace {

// Gmsh's corners of the square, the cube and the pyramid's base go round: its corners 2 and 3 (6 and 7) are our vertices 3 and 2
// (7 and 6).
PointLayout gmsh_layout(Shape shape) {
  switch (shape) {
    case Shape::point: return {{0}, {}, {}, true};
    case Shape::line: return {{0, 1}, {{0, 1}}, {}, true};
    case Shape::triangle: return {{0, 1, 2}, {{0, 1}, {1, 2}, {2, 0}}, {}, true};
    case Shape::quadrilateral: return {{0, 1, 3, 2}, {{0, 1}, {1, 3}, {3, 2}, {2, 0}}, {}, true};
    case Shape::tetrahedron:
      return {{0, 1, 2, 3},
              {{0, 1}, {1, 2}, {2, 0}, {3, 0}, {3, 2}, {3, 1}},
              {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {3, 1, 2}},
              true};
    case Shape::prism:
      return {{0, 1, 2, 3, 4, 5},
              {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 4}, {2, 5}, {3, 4}, {3, 5}, {4, 5}},
              {{0, 2, 1}, {3, 4, 5}, {0, 1, 3}, {0, 3, 2}, {1, 2, 4}},
              true};
    case Shape::pyramid:
      return {{0, 1, 3, 2, 4},
              {{0, 1}, {0, 2}, {0, 4}, {1, 3}, {1, 4}, {3, 2}, {3, 4}, {2, 4}},
              {{0, 1, 4}, {2, 0, 4}, {1, 3, 4}, {3, 2, 4}, {0, 2, 1}},
              true};
    case Shape::hexahedron: break;
  }
  return {{0, 1, 3, 2, 4, 5, 7, 6},
          {{0, 1}, {0, 2}, {0, 4}, {1, 3}, {1, 5}, {3, 2}, {3, 7}, {2, 6}, {4, 5}, {4, 6}, {5, 7}, {7, 6}},
          {{0, 2, 1}, {0, 1, 4}, {0, 4, 2}, {1, 3, 5}, {3, 2, 7}, {4, 5, 6}},
          true};
}

}  // namespace

std::vector<int> gmsh_lattice_order(Shape shape, int order) {
  return ordered_lattice_numbers(shape, order, gmsh_layout);
}

}  // namespace swell
