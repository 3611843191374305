// SPDX-License-Identifier: Apache-2.0
#include "view/scene.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "element/element.hpp"
#include "element/lattice.hpp"

namespace swell {

void Scene::values(const std::vector<float>& given, float* of_corners) const {
  std::vector<float> made;
  if (!evaluation.empty()) {
    made.assign(given.size(), 0);
    for (std::int64_t at = 0; at < places; ++at)
      for (int n = 0; n < nodes; ++n)
        for (int k = 0; k < nodes; ++k) made[at * nodes + n] += evaluation[n * nodes + k] * given[at * nodes + k];
  }
  const std::vector<float>& of_nodes = evaluation.empty() ? given : made;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Corner& c = corners[i];
    const float* cell = of_nodes.data() + std::int64_t{c.place} * nodes;
    of_corners[i] = c.part == 0 ? cell[c.from] : cell[c.from] + c.part * (cell[c.to] - cell[c.from]);
  }
}

std::int64_t ShownCells::count() const {
  std::int64_t all = 0;
  for (const ShapeRun& run : runs) all += run.cells;
  return all;
}

void ShownCells::for_each_cell(const std::function<void(std::int64_t, std::int64_t, int)>& visit) const {
  std::int64_t cell = 0, node = 0;
  for (const ShapeRun& run : runs) {
    const int nodes = lattice_count(run.shape, order);
    for (std::int64_t i = 0; i < run.cells; ++i, ++cell, node += nodes) visit(cell, node, nodes);
  }
}

SceneMaker::SceneMaker(ShownCells cells, std::int64_t triangles) : cells_(std::move(cells)), dim_(cells_.dim()), nodes_(0) {
  const std::int64_t count = cells_.count();
  if (count > std::numeric_limits<std::int32_t>::max())
    throw InputError("The view shows meshes of up to {} elements; this one has {}.",
                     std::numeric_limits<std::int32_t>::max(), count);
  bool in_halves = false;
  for (const ShapeRun& run : cells_.runs) {
    in_halves = in_halves || (dim_ > 1 && !is_simplex(run.shape));
    if (lattices_.contains(run.shape)) continue;
    const ReferenceElement element(run.shape, cells_.order);
    Lattice lattice;
    lattice.nodes = element.node_count;
    lattice.faces_of_node.assign(lattice.nodes, 0);
    for (int face = 0; face < element.face_count; ++face)
      for (int i = 0; i < element.face_node_count; ++i) lattice.faces_of_node[element.face_node(face, i)] |= 1u << face;
    if (dim_ == 3) lattice.simplices = lattice_simplices(run.shape, cells_.order);
    nodes_ = std::max(nodes_, lattice.nodes);
    lattices_.emplace(run.shape, std::move(lattice));
  }
  const std::int64_t faces = dim_ <= 2 ? count : static_cast<std::int64_t>(cells_.outer_faces.size());
  for (int detail = 1; detail <= cells_.order; ++detail)
    if (cells_.order % detail == 0 && faces * detail * detail * (in_halves ? 2 : 1) <= triangles) detail_ = detail;
  low_.fill(std::numeric_limits<double>::infinity());
  high_.fill(-std::numeric_limits<double>::infinity());
  std::vector<double> x(3 * nodes_);
  if (dim_ == 3) boxes_.resize(count);
  cells_.for_each_cell([&](std::int64_t cell, std::int64_t, int nodes) {
    cells_.coordinates(cell, x.data());
    for (int d = 0; d < 3; ++d) {
      double low = x[d], high = x[d];
      for (int n = 1; n < nodes; ++n) low = std::min(low, x[3 * n + d]), high = std::max(high, x[3 * n + d]);
      low_[d] = std::min(low_[d], low);
      high_[d] = std::max(high_[d], high);
      if (dim_ == 3) boxes_[cell].low[d] = static_cast<float>(low), boxes_[cell].high[d] = static_cast<float>(high);
    }
  });
  constexpr double strip_height = 0.08;  // of its length
  if (dim_ == 1) high_[1] = strip_height / 2 * (high_[0] - low_[0]), low_[1] = -high_[1];
}

// Two triangles for each piece of a cell between two of its nodes, and lines around cells.
Scene SceneMaker::strip() {
  Scene scene;
  scene.number = ++made_;
  scene.nodes = nodes_;
  scene.evaluation = cells_.evaluation;
  scene.places = cells_.count();
  const int stride = cells_.order / detail_;
  std::vector<double> x(3 * nodes_);
  for (std::int64_t cell = 0, count = cells_.count(); cell < count; ++cell) {
    cells_.coordinates(cell, x.data());
    const auto first = static_cast<std::uint32_t>(scene.corners.size());
    for (int node = 0; node < nodes_; node += stride)
      for (const double y : {low_[1], high_[1]}) {
        const auto at = static_cast<std::int16_t>(node);
        scene.corners.push_back({static_cast<std::int32_t>(cell), at, at, 0});
        const double place[3] = {x[3 * node], y, 0};
        add_point(scene, place);
      }
    for (int piece = 0; piece < detail_; ++piece) {
      const std::uint32_t a = first + 2 * static_cast<std::uint32_t>(piece);
      scene.triangles.insert(scene.triangles.end(), {a, a + 2, a + 1, a + 2, a + 3, a + 1});
      scene.lines.insert(scene.lines.end(), {a, a + 2, a + 1, a + 3});
    }
    const std::uint32_t last = first + 2 * static_cast<std::uint32_t>(detail_);
    scene.lines.insert(scene.lines.end(), {first, first + 1, last, last + 1});
  }
  return scene;
}

Shape SceneMaker::shape_of(std::int64_t cell) const {
  auto run = cells_.runs.begin();
  for (; cell >= run->cells; ++run) cell -= run->cells;
  return run->shape;
}

const SceneMaker::Lattice& SceneMaker::lattice_of(std::int64_t cell) const { return lattices_.at(shape_of(cell)); }

std::array<double, 3> SceneMaker::middle() const {
  return {(low_[0] + high_[0]) / 2, (low_[1] + high_[1]) / 2, (low_[2] + high_[2]) / 2};
}

void SceneMaker::add_point(Scene& scene, const double* x) const {
  const auto from = middle();
  for (int d = 0; d < 3; ++d) scene.points.push_back(static_cast<float>(x[d] - from[d]));
}

std::vector<std::int32_t> SceneMaker::places_of_outer(std::int64_t& places) const {
  std::vector<std::int32_t> place(cells_.count(), -1);
  for (const auto& [cell, face] : cells_.outer_faces)
    if (place[cell] < 0) place[cell] = static_cast<std::int32_t>(places++);
  return place;
}

Scene SceneMaker::whole() {
  if (dim_ == 1) return strip();
  Scene scene;
  scene.number = ++made_;
  scene.nodes = nodes_;
  scene.evaluation = cells_.evaluation;
  scene.places = 0;
  if (dim_ == 2)
    scene.places = cells_.count();
  else
    scene.place_of_cell = places_of_outer(scene.places);
  const int stride = cells_.order / detail_;
  // Triangles of each kind of face, as nodes of the cell.
  std::map<Shape, std::vector<std::vector<std::int32_t>>> of_shape;
  for (const auto& [shape, lattice] : lattices_) {
    auto& of_face = of_shape[shape];
    if (dim_ == 2) {
      of_face.push_back(lattice_simplices(shape, cells_.order, stride));
      continue;
    }
    const ReferenceElement element(shape, cells_.order);
    for (int face = 0; face < element.face_count; ++face) {
      of_face.push_back(lattice_simplices(face_shape(shape, face), cells_.order, stride));
      for (std::int32_t& node : of_face.back()) node = element.face_node(face, node);
    }
  }
  const std::int64_t faces = dim_ == 2 ? cells_.count() : static_cast<std::int64_t>(cells_.outer_faces.size());
  std::vector<double> x(3 * nodes_);
  std::vector<std::int64_t> corner(nodes_);
  for (std::int64_t i = 0; i < faces; ++i) {
    const auto [cell, face] = dim_ == 2 ? std::pair<std::int64_t, int>{i, 0} : cells_.outer_faces[i];
    const auto place = static_cast<std::int32_t>(scene.place(cell));
    cells_.coordinates(cell, x.data());
    std::fill(corner.begin(), corner.end(), -1);
    const Shape shape = shape_of(cell);
    const auto& nodes = of_shape.at(shape)[face];
    const auto& faces_of_node = lattices_.at(shape).faces_of_node;
    for (const std::int32_t node : nodes) {
      if (corner[node] < 0) {
        corner[node] = static_cast<std::int64_t>(scene.corners.size());
        scene.corners.push_back({place, static_cast<std::int16_t>(node), static_cast<std::int16_t>(node), 0});
        add_point(scene, x.data() + 3 * node);
      }
      scene.triangles.push_back(static_cast<std::uint32_t>(corner[node]));
    }
    // A side of a small triangle lies on the cell's rim where its ends share a face (in space: an edge, that is two).
    for (std::size_t t = 0; t < nodes.size(); t += 3)
      for (int side = 0; side < 3; ++side) {
        const auto a = nodes[t + side], b = nodes[t + (side + 1) % 3];
        if (std::popcount(faces_of_node[a] & faces_of_node[b]) < dim_ - 1) continue;
        scene.lines.push_back(static_cast<std::uint32_t>(corner[a]));
        scene.lines.push_back(static_cast<std::uint32_t>(corner[b]));
      }
  }
  return scene;
}

Scene SceneMaker::slice(const SlicePlane& plane) {
  Scene scene;
  scene.number = ++made_;
  scene.nodes = nodes_;
  scene.evaluation = cells_.evaluation;
  scene.place_of_cell.assign(cells_.count(), -1);
  std::vector<double> x(3 * nodes_);
  for (std::int64_t cell = 0, count = cells_.count(); cell < count; ++cell) {
    // The box meets the plane where its middle is no farther from it than half its size along the normal.
    double distance = 0, reach = 0;
    for (int d = 0; d < 3; ++d) {
      const double low = boxes_[cell].low[d], high = boxes_[cell].high[d];
      distance += ((low + high) / 2 - plane[d]) * plane[3 + d];
      reach += (high - low) / 2 * std::abs(plane[3 + d]);
    }
    if (std::abs(distance) > reach * (1 + 1e-5)) continue;
    cells_.coordinates(cell, x.data());
    scene.place_of_cell[cell] = static_cast<std::int32_t>(scene.places++);
    cut(plane, lattice_of(cell), x.data(), scene.place_of_cell[cell], scene);
  }
  return scene;
}

}  // namespace swell
