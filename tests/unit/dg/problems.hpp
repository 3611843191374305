// SPDX-License-Identifier: Apache-2.0
// Small meshes and problems for the tests of the operator.
#pragma once

#include <array>
#include <functional>

#include "dense_operator.hpp"
#include "dg/nodal/operator.hpp"
#include "mesh/sources.hpp"
#include "support.hpp"

namespace swell {

inline std::vector<Shape> shapes_of(int dim) {
  return dim == 1   ? std::vector{Shape::line}
         : dim == 2 ? std::vector{Shape::triangle, Shape::quadrilateral}
                    : std::vector{Shape::tetrahedron, Shape::hexahedron};
}

// Which order a model is tested with on a shape where one is enough: tests that agree share their kernels.
inline int usual_order(const ModelIn& model, Shape shape) {
  return 1 + (static_cast<int>(model.name.size()) + static_cast<int>(shape) - static_cast<int>(Shape::line)) % 3;
}

inline Mesh unit_box(Shape shape, std::vector<std::int64_t> cells, bool periodic) {
  const std::size_t dim = dimension(shape);
  cells.resize(dim, 1);
  return make_box(
      {std::vector<double>(dim, 0.0), std::vector<double>(dim, 1.0), cells, shape, std::vector<bool>(dim, periodic)});
}

// Numbers the vertices of each cell anew, by rotations drawn at random, so that faces meet in many orientations. Lines have none.
void turn_cells(Mesh& mesh, Random& random);
// Shears and stretches the whole mesh: cells stay affine, none stays a box.
void shear(Mesh& mesh);
// Gives the cells this geometry order and moves every point: x -> map(x). Neighbours stay as they are.
void deform(Mesh& mesh, int geometry_order, const std::function<std::array<double, 3>(std::array<double, 3>)>& map);
// A smooth displacement with the period 1 of the unit box along each axis.
std::array<double, 3> wavy(std::array<double, 3> x);
// A smooth displacement without it.
std::array<double, 3> bent(std::array<double, 3> x);
// One region for each cell.
void region_per_cell(Mesh& mesh);

Expression parse(const std::string& text);
// Material constant in each region, drawn at random; every boundary has another kind of the model's, dirichlet and
// incident.
Problem random_problem(const Mesh& mesh, const ModelIn& model, int order, Random& random);
// Every boundary and the material the same numbers everywhere: a constant state must stay.
Problem free_stream_problem(const Mesh& mesh, const ModelIn& model, int order, const Vector& state);

State random_state(const Operator& dg, Random& random);
void write(Operator& dg, Buffer& buffer, const State& state);
State read(const Operator& dg, const Buffer& buffer);
State rate_of(Operator& dg, const State& q, double t = 0);
double largest(const State& state);
double distance(const State& a, const State& b);

}  // namespace swell
