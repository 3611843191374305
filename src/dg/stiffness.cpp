// SPDX-License-Identifier: Apache-2.0
#include "dg/stiffness.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/host_threads.hpp"
#include "dg/nodal/diffusion_stiffness.hpp"
#include "dg/group_data.hpp"
#include "dg/transfer.hpp"
#include "time/diffusion_limit.hpp"
#include "time/integrator.hpp"

namespace swell {

namespace {

constexpr int time_samples = 17;  // of a material that changes with time

// Directions that come near to every other one: in 1D the only one, in 2D so many over half a circle, in 3D a grid on the
// surface of a cube.
std::vector<double> spread_directions(int dim, int on_half_circle, int fine) {
  std::vector<double> all;
  if (dim == 1) return {1};
  if (dim == 2) {
    for (int i = 0; i < on_half_circle; ++i) {
      const double angle = std::numbers::pi * i / on_half_circle;
      all.insert(all.end(), {std::cos(angle), std::sin(angle)});
    }
    return all;
  }
  for (int i = -fine; i <= fine; ++i)
    for (int j = -fine; j <= fine; ++j)
      for (int k = -fine; k <= fine; ++k)
        if (std::max({std::abs(i), std::abs(j), std::abs(k)}) == fine) {
          const double length = std::sqrt(i * i + j * j + k * k);
          all.insert(all.end(), {i / length, j / length, k / length});
        }
  return all;
}

struct ShapeStiffness {
  double transport = 0;  // surface over volume, or the sum of |grad r_d|
  double crossing = 0;   // one over the way from the middle to the nearest face
};

// On prisms and pyramids: surface over volume, and the way from the middle to each face.
ShapeStiffness wedge_stiffness(Shape shape, const std::vector<double>& jacobians) {
  const auto middle = reference_middle(shape);
  const Matrix corners = lattice(shape, 1);
  double smallest = std::numeric_limits<double>::max(), surface = 0, nearest = 0, scaled[9];
  std::vector<double> largest(face_count(shape), 0.0);
  for (std::size_t p = 0; p < jacobians.size() / 9; ++p) {
    smallest = std::min(smallest, cofactors(3, jacobians.data() + 9 * p, scaled));
    for (int face = 0; face < face_count(shape); ++face) {
      const Eigen::Map<const Eigen::Matrix3d> gradients(scaled);  // its columns
      const auto& along = face_direction(shape, face);
      largest[face] = std::max(largest[face], (gradients * Eigen::Vector3d(along[0], along[1], along[2])).norm());
    }
  }
  for (int face = 0; face < face_count(shape); ++face) {
    double way = 0;  // in the reference coordinate that is constant on the face
    for (int d = 0; d < 3; ++d) way += face_direction(shape, face)[d] * (corners(face_vertices(shape, face)[0], d) - middle[d]);
    surface += largest[face] * reference_measure(face_shape(shape, face));
    nearest = std::max(nearest, largest[face] / way);
  }
  return {surface / (smallest * reference_measure(shape)), nearest / smallest};
}

// Data that cells are measured by: rows of materials, for each the shape of its cell, where cells are told apart its number, and where there
// are viscous terms diffusion_stiffness() of it.
struct Samples {
  std::vector<double> rows;
  std::vector<ShapeStiffness> shapes;
  std::vector<std::int64_t> cells;
  std::vector<double> spread;
};
constexpr std::int64_t cells_at_once = 32768, cells_of_piece = 512;

// At the worst of the points.
ShapeStiffness shape_stiffness(Shape shape, const std::vector<double>& jacobians) {
  if (shape == Shape::prism || shape == Shape::pyramid) return wedge_stiffness(shape, jacobians);
  const int dim = dimension(shape);
  const std::size_t points = jacobians.size() / (dim * dim);
  double smallest = std::numeric_limits<double>::max(), faces[4] = {}, worst = 0, scaled[9];
  for (std::size_t p = 0; p < points; ++p) {
    const double j = cofactors(dim, jacobians.data() + p * dim * dim, scaled);
    smallest = std::min(smallest, j);
    double directions = 0, first[3] = {};
    for (int d = 0; d < dim; ++d) {
      double square = 0;
      for (int k = 0; k < dim; ++k)
        square += scaled[d * dim + k] * scaled[d * dim + k], first[k] += scaled[d * dim + k];
      faces[d + 1] = std::max(faces[d + 1], std::sqrt(square));
      directions += std::sqrt(square) / j;
    }
    faces[0] = std::max(faces[0], std::hypot(first[0], first[1], first[2]));
    worst = std::max(worst, directions);
  }
  // A face's plane r_d = +-1 lies 1 / |grad r_d| from the middle of a tensor shape; on simplices the middle's reference
  // distance to each face is 2 / (dim + 1).
  const double largest = *std::max_element(faces, faces + 4);
  if (!is_simplex(shape)) return {worst, *std::max_element(faces + 1, faces + 4) / smallest};
  return {dim / 2.0 * (faces[0] + faces[1] + faces[2] + faces[3]) / smallest, (dim + 1) / 2.0 * largest / smallest};
}

}  // namespace

double transport_stiffness(Shape shape, const std::vector<double>& jacobians) { return shape_stiffness(shape, jacobians).transport; }

// Opposite directions have the same speeds: half of the cube's surface is enough.
std::vector<double> few_directions(int dim) {
  const auto all = spread_directions(dim, 16, 2);
  std::vector<double> half;
  for (std::size_t i = 0; i < all.size(); i += dim) {
    const double *at = all.data() + i, ahead = at[0] != 0 || dim == 1 ? at[0] : at[1] != 0 ? at[1] : at[dim - 1];
    if (dim <= 2 || ahead > 0) half.insert(half.end(), at, at + dim);
  }
  return half;
}

Stiffness measure_stiffness(const Problem& problem, const ReferenceElement& element, const MaterialField& field,
                            Device& device, const Program& pointwise, double end_of_run, std::vector<Stiffness>* of_cells) {
  const Mesh& mesh = *problem.mesh;
  const int parameters = std::max(1, field.parameters()), dim = element.dim;
  const Matrix corners = lattice(element.shape, 1);
  const bool time = field.in_time();
  const CellMap map(mesh, element.shape, time ? corners : element.nodes), shape_map(mesh, element.shape, element.nodes);
  const auto directions = spread_directions(dim, 32, 4);
  const auto device_directions = upload_reals(device, problem.precision, directions, "directions");
  const bool viscous = problem.model.viscous();
  if (of_cells) of_cells->resize(mesh.cell_count());
  Stiffness worst;
  double diffusion = 0;
  const auto measure = [&](const Samples& samples) {
    const auto& [rows, shapes, cells, spread] = samples;
    if (shapes.empty()) return;
    const auto count = static_cast<std::int64_t>(shapes.size());
    const auto material = upload_reals(device, problem.precision, rows, "material rows");
    const auto speeds = device.allocate(count * bytes_of(problem.precision), "speeds");
    device.queue().launch(pointwise.kernel("speeds"), count,
                          {*material, *device_directions, *speeds, static_cast<std::int64_t>(directions.size()) / dim});
    device.queue().finish();
    const auto values = download_reals(problem.precision, *speeds, count);
    for (std::int64_t i = 0; i < count; ++i) {
      const double speed = std::isnan(values[i]) ? INFINITY : values[i];  // which no maximum loses
      worst.transport = std::max(worst.transport, speed * shapes[i].transport);
      worst.crossing = std::max(worst.crossing, speed * shapes[i].crossing);
      if (!of_cells) continue;
      Stiffness& of = (*of_cells)[cells[i]];
      of.transport = std::max(of.transport, speed * shapes[i].transport);
      of.crossing = std::max(of.crossing, speed * shapes[i].crossing);
    }
    device.queue().launch(pointwise.kernel("decays"), count, {*material, *speeds});
    device.queue().finish();
    const auto decays = download_reals(problem.precision, *speeds, count);
    for (std::int64_t i = 0; i < count; ++i) {
      worst.reaction = std::max(worst.reaction, decays[i]);
      if (of_cells) (*of_cells)[cells[i]].reaction = std::max((*of_cells)[cells[i]].reaction, decays[i]);
    }
    if (viscous) {
      device.queue().launch(pointwise.kernel("diffusivities"), count, {*material, *speeds});
      device.queue().finish();
      const auto diffusivities = download_reals(problem.precision, *speeds, count);
      for (std::int64_t i = 0; i < count; ++i)
        diffusion = std::max(diffusion, (std::isnan(diffusivities[i]) ? INFINITY : diffusivities[i]) * spread[i]);
    }
  };
  const auto sample = [&](std::int64_t begin, std::int64_t end, Samples& samples) {
    std::vector<double> x(map.point_count() * dim), jacobians(element.node_count * dim * dim), value(parameters, 0.0);
    for (std::int64_t cell = begin; cell < end; ++cell) {
      if (mesh.shape_of(cell) != element.shape) continue;
      shape_map.jacobians(cell, jacobians.data());
      const ShapeStiffness shape = shape_stiffness(element.shape, jacobians);
      const auto add = [&](const double* values) {
        samples.rows.insert(samples.rows.end(), values, values + parameters);
        samples.shapes.push_back(shape);
        if (of_cells) samples.cells.push_back(cell);
        if (viscous) samples.spread.push_back(diffusion_stiffness(element.shape, jacobians));
      };
      if (!field.varies(cell)) {
        if (field.parameters() > 0) std::copy_n(field.constant(cell), field.parameters(), value.begin());
        add(value.data());
        continue;
      }
      map.coordinates(cell, x.data());
      for (int i = 0; i < map.point_count(); ++i)
        for (int s = 0; s < (time ? time_samples : 1); ++s) {
          field.sample(cell, x.data() + i * dim, end_of_run * s / (time_samples - 1), value.data());
          add(value.data());
        }
    }
  };
  for (std::int64_t first = 0, cells = mesh.cell_count(); first < cells; first += cells_at_once) {
    const std::int64_t count = std::min(cells_at_once, cells - first);
    std::vector<Samples> of_pieces((count + cells_of_piece - 1) / cells_of_piece);
    for_pieces(count, cells_of_piece, [&](std::int64_t begin, std::int64_t end) {
      sample(first + begin, first + end, of_pieces[begin / cells_of_piece]);
    });
    Samples all;
    for (const Samples& here : of_pieces) {
      all.rows.insert(all.rows.end(), here.rows.begin(), here.rows.end());
      all.shapes.insert(all.shapes.end(), here.shapes.begin(), here.shapes.end());
      all.cells.insert(all.cells.end(), here.cells.begin(), here.cells.end());
      all.spread.insert(all.spread.end(), here.spread.begin(), here.spread.end());
    }
    measure(all);
  }
  // Viscous terms decay too, further along the axis than what the limit of the reaction allows for.
  if (diffusion > 0)
    worst.reaction += diffusion * diffusion_eigenvalue(element.shape, element.order) * decay_limit(problem.scheme) /
                      diffusion_limit(problem.scheme, element.order);
  std::array<double, 3> all{worst.transport, worst.crossing, worst.reaction};
  problem.ranks->largest(all);
  return {all[0], all[1], all[2]};
}

}  // namespace swell
