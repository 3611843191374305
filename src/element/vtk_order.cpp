// SPDX-License-Identifier: Apache-2.0
#include "element/vtk_order.hpp"

#include <stdexcept>

#include "element/point_order.hpp"

namespace swell {

namespace {

// VTK's corners of the square and the cube go round: its corners 2 and 3 (6 and 7) are our vertices 3 and 2 (7 and 6).
PointLayout vtk_layout(Shape shape) {
  switch (shape) {
    case Shape::point: return {{0}, {}, {}, true};
    case Shape::line: return {{0, 1}, {{0, 1}}, {}, false};
    case Shape::triangle: return {{0, 1, 2}, {{0, 1}, {1, 2}, {2, 0}}, {}, true};
    case Shape::quadrilateral: return {{0, 1, 3, 2}, {{0, 1}, {1, 3}, {2, 3}, {0, 2}}, {}, false};
    case Shape::tetrahedron:
      return {{0, 1, 2, 3},
              {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}},
              {{0, 1, 3}, {2, 3, 1}, {0, 3, 2}, {0, 2, 1}},
              true};
    case Shape::prism:
      return {{0, 1, 2, 3, 4, 5},
              {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}},
              {{0, 1, 2}, {3, 4, 5}, {0, 1, 3}, {1, 2, 4}, {2, 0, 5}},
              false};
    case Shape::pyramid: throw std::logic_error("VTK has no Lagrange cell for pyramids.");
    case Shape::hexahedron: break;
  }
  return {{0, 1, 3, 2, 4, 5, 7, 6},
          {{0, 1}, {1, 3}, {2, 3}, {0, 2}, {4, 5}, {5, 7}, {6, 7}, {4, 6}, {0, 4}, {1, 5}, {3, 7}, {2, 6}},
          {{0, 2, 4}, {1, 3, 5}, {0, 1, 4}, {2, 3, 6}, {0, 1, 2}, {4, 5, 6}},
          false};
}

}  // namespace

std::vector<int> vtk_lattice_order(Shape shape, int order) { return ordered_lattice_numbers(shape, order, vtk_layout); }

}  // namespace swell
