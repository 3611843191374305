// SPDX-License-Identifier: Apache-2.0
#include "model/material.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "base/error.hpp"
#include "base/host_threads.hpp"

namespace swell {

// How far a point moves to the middle of its cell, as a part of the way: a few roundings of the coordinates, so that smooth data
// keep every digit, within limits that hold where a cell is large or lies far from the origin.
static constexpr double inset_roundings = 16, inset_smallest = 1e-13, inset_largest = 1e-11;

double inset_of(const std::vector<double>& x, int dim) {
  double farthest = 0, narrowest = std::numeric_limits<double>::infinity();
  for (int d = 0; d < dim; ++d) {
    double low = x[d], high = x[d];
    for (std::size_t i = d; i < x.size(); i += dim) low = std::min(low, x[i]), high = std::max(high, x[i]);
    farthest = std::max({farthest, std::abs(low), std::abs(high)});
    narrowest = std::min(narrowest, high - low);
  }
  return std::clamp(inset_roundings * std::numeric_limits<double>::epsilon() * farthest / narrowest, inset_smallest,
                    inset_largest);
}

MaterialField::MaterialField(const Problem& problem, const Matrix& points)
    : MaterialField(problem, std::map<Shape, Matrix>{{problem.mesh->shape(), points}}) {}

MaterialField::MaterialField(const Problem& problem, const std::map<Shape, Matrix>& points) : problem_(problem) {
  const Mesh& mesh = *problem.mesh;
  const int dim = mesh.dim, count = parameters();
  in_time_ = problem.material_in_time();
  separated_ = separated_material(problem);
  varies_.assign(mesh.cell_count(), 0);
  parameter_varies_.assign(count, 0);
  constant_.resize(mesh.cell_count() * count);
  middle_.resize(mesh.cell_count() * dim);
  inset_.resize(mesh.cell_count());

  std::vector<char> region_constant, region_in_time;
  for (const auto& region : problem.material) {
    bool constant = true, time = false;
    for (const auto& e : region) constant = constant && e.is_constant(), time = time || e.uses("t");
    region_constant.push_back(constant);
    region_in_time.push_back(time);
  }

  std::map<Shape, CellMap> maps;
  for (const auto& [shape, of_shape] : points) maps.emplace(shape, CellMap(mesh, shape, of_shape));
  std::mutex one_at_a_time;
  for_pieces(mesh.cell_count(), [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> x, first(count), other(count);
    std::vector<char> parameter_varies(count, 0);
    for (std::int64_t cell = begin; cell < end; ++cell) {
      const CellMap& map = maps.at(mesh.shape_of(cell));
      const int samples = map.point_count();
      x.resize(samples * dim);
      map.coordinates(cell, x.data());
      inset_[cell] = inset_of(x, dim);
      double* middle = middle_.data() + cell * dim;
      std::fill(middle, middle + dim, 0.0);
      for (int i = 0; i < samples; ++i)
        for (int d = 0; d < dim; ++d) middle[d] += x[i * dim + d] / samples;
      sample(cell, middle, 0, first.data());
      std::copy(first.begin(), first.end(), constant_.begin() + cell * count);
      // The derived flux's matrix turns with a curved face.
      if (problem.model.face_matrix >= 0 && !is_affine(mesh, cell)) varies_[cell] = 1;
      if (region_constant[region(cell)]) continue;
      if (region_in_time[region(cell)]) varies_[cell] = 1;
      for (int i = 0; i < samples; ++i) {
        sample(cell, x.data() + i * dim, 0, other.data());
        if (other == first) continue;
        varies_[cell] = 1;
        for (int k = 0; k < count; ++k)
          if (other[k] != first[k]) parameter_varies[k] = 1;
      }
    }
    const std::lock_guard lock(one_at_a_time);
    for (int k = 0; k < count; ++k) parameter_varies_[k] = parameter_varies_[k] || parameter_varies[k];
  });
}

void MaterialField::inside(std::int64_t cell, const double* position, double* out) const {
  const int dim = problem_.mesh->dim;
  const double* middle = middle_.data() + cell * dim;
  for (int d = 0; d < dim; ++d) out[d] = position[d] + inset_[cell] * (middle[d] - position[d]);
}

void MaterialField::changing(std::int64_t cell, const double* position, double* out) const {
  if (!separated_) return inside(cell, position, out);
  double at[4] = {0, 0, 0, 0};
  inside(cell, position, at);
  const auto& field = separated_->field[region(cell)];
  for (int d = 0; d < problem_.mesh->dim; ++d) out[d] = d < parameters() ? field[d](at) : 0;
}

void MaterialField::sample(std::int64_t cell, const double* position, double t, double* out) const {
  double at[4] = {0, 0, 0, t};
  inside(cell, position, at);
  const auto& region = problem_.material[this->region(cell)];
  const std::string& name = problem_.mesh->regions[this->region(cell)];
  for (int i = 0; i < parameters(); ++i) {
    out[i] = region[i](at);
    const Parameter& p = problem_.model.material[i];
    if (!in_range(p, out[i]))
      throw InputError("The material '{}' = {}{} has the value {} at ({}, {}, {}); it must be {}.", p.name, region[i].text(),
                       name.empty() ? "" : fmt::format(" of region '{}'", name), out[i], at[0], at[1], at[2], range_words(p));
  }
}

}  // namespace swell
