// SPDX-License-Identifier: Apache-2.0
// States between host and device, and what is measured on them: energy, finiteness, stiffness.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "dg/nodal.hpp"

namespace swell {

namespace {

constexpr std::int64_t slots_at_once = 4096;
constexpr std::int64_t watch_chunks = 256;
constexpr int time_samples = 17;  // of a material that changes with time

// Directions that come near to every other one.
std::vector<double> many_directions(int dim) {
  std::vector<double> all;
  if (dim == 2) {
    for (int i = 0; i < 32; ++i) {
      const double angle = std::numbers::pi * i / 32;
      all.insert(all.end(), {std::cos(angle), std::sin(angle)});
    }
    return all;
  }
  constexpr int fine = 4;  // points of a grid on the surface of a cube
  for (int i = -fine; i <= fine; ++i)
    for (int j = -fine; j <= fine; ++j)
      for (int k = -fine; k <= fine; ++k)
        if (std::max({std::abs(i), std::abs(j), std::abs(k)}) == fine) {
          const double length = std::sqrt(i * i + j * j + k * k);
          all.insert(all.end(), {i / length, j / length, k / length});
        }
  return all;
}

// Surface over volume, or the sum of |grad r_d|, at the worst of the points.
double shape_stiffness(Shape shape, const std::vector<double>& jacobians) {
  const int dim = dimension(shape);
  const std::size_t points = jacobians.size() / (dim * dim);
  double smallest = std::numeric_limits<double>::max(), faces[4] = {}, worst = 0, scaled[9];
  for (std::size_t p = 0; p < points; ++p) {
    const double j = cofactors(dim, jacobians.data() + p * dim * dim, scaled);
    smallest = std::min(smallest, j);
    double directions = 0, first[3] = {};
    for (int d = 0; d < dim; ++d) {
      double square = 0;
      for (int k = 0; k < dim; ++k) square += scaled[d * dim + k] * scaled[d * dim + k], first[k] += scaled[d * dim + k];
      faces[d + 1] = std::max(faces[d + 1], std::sqrt(square));
      directions += std::sqrt(square) / j;
    }
    faces[0] = std::max(faces[0], std::hypot(first[0], first[1], first[2]));
    worst = std::max(worst, directions);
  }
  if (!is_simplex(shape)) return worst;
  return dim / 2.0 * (faces[0] + faces[1] + faces[2] + faces[3]) / smallest;
}

}  // namespace

std::size_t NodalOperator::state_bytes() const {
  return (layout_->slots + layout_->ghost_slots) * element_.node_count * fields() * bytes_of(problem_.precision);
}

std::unique_ptr<Buffer> NodalOperator::make_state(std::string_view label) { return device_.allocate(state_bytes(), label); }

void NodalOperator::write_state(Buffer& state, const std::function<void(std::int64_t, double*)>& of_cell) const {
  const std::int64_t scalars = element_.node_count * fields();
  std::vector<double> values;
  std::vector<float> single;
  for (std::int64_t first = 0; first < layout_->slots; first += slots_at_once) {
    const auto count = std::min(slots_at_once, layout_->slots - first);
    values.assign(count * scalars, 0.0);
    for (std::int64_t i = 0; i < count; ++i)
      if (layout_->cell_of_slot[first + i] >= 0) of_cell(layout_->cell_of_slot[first + i], values.data() + i * scalars);
    if (problem_.precision == Precision::double_) {
      state.write(values.data(), values.size() * sizeof(double), first * scalars * sizeof(double));
    } else {
      single.assign(values.begin(), values.end());
      state.write(single.data(), single.size() * sizeof(float), first * scalars * sizeof(float));
    }
  }
}

void NodalOperator::read_state(const Buffer& state, const std::function<void(std::int64_t, const double*)>& of_cell) const {
  const std::int64_t scalars = element_.node_count * fields();
  std::vector<double> values;
  std::vector<float> single;
  for (std::int64_t first = 0; first < layout_->slots; first += slots_at_once) {
    const auto count = std::min(slots_at_once, layout_->slots - first);
    values.resize(count * scalars);
    if (problem_.precision == Precision::double_) {
      state.read(values.data(), values.size() * sizeof(double), first * scalars * sizeof(double));
    } else {
      single.resize(count * scalars);
      state.read(single.data(), single.size() * sizeof(float), first * scalars * sizeof(float));
      std::copy(single.begin(), single.end(), values.begin());
    }
    for (std::int64_t i = 0; i < count; ++i)
      if (layout_->cell_of_slot[first + i] >= 0) of_cell(layout_->cell_of_slot[first + i], values.data() + i * scalars);
  }
}

double NodalOperator::energy(Buffer& q, double t) {
  if (material_->in_time()) update_material(t);
  if (!energies_) energies_ = device_.allocate(layout_->slots * bytes_of(problem_.precision), "energies");
  for (const auto& g : groups_) {
    const Kernel& k = g.program->kernel("energy");
    const std::int64_t first = g.group.first / layout_->lanes, batches = g.group.batches(layout_->lanes);
    if (is_simplex(element_.shape)) device_.queue().launch(k, batches, {q, *g.geometry, *g.material, *g.matrix, *energies_, first});
    else device_.queue().launch(k, batches, {q, *g.geometry, *g.material, *energies_, first});
  }
  device_.queue().finish();
  const auto values = download(*energies_, layout_->slots);
  double sum = 0;
  for (const auto slot : layout_->slot_of_cell) sum += values[slot];
  return sum;
}

bool NodalOperator::finite(const Buffer& q) {
  if (!largest_) largest_ = device_.allocate(watch_chunks * bytes_of(problem_.precision), "largest");
  const std::int64_t count = layout_->slots * element_.node_count * fields();
  device_.queue().launch(pointwise_->kernel("watch"), watch_chunks, {q, *largest_, (count + watch_chunks - 1) / watch_chunks, count});
  device_.queue().finish();
  const auto values = download(*largest_, watch_chunks);
  return std::none_of(values.begin(), values.end(), [](double v) { return v < 0; });
}

double NodalOperator::stiffness(double end) {
  const Mesh& mesh = *problem_.mesh;
  const int parameters = std::max(1, material_->parameters()), dim = element_.dim;
  const Matrix corners = lattice(element_.shape, 1);
  const bool time = material_->in_time();
  const CellMap map(mesh, time ? corners : element_.nodes), shape_map(mesh, element_.nodes);
  const auto directions = many_directions(dim);
  const auto device_directions = upload(directions, "directions");
  const std::int64_t most = std::int64_t{1} << 16;
  std::vector<double> rows, shapes, x(map.point_count() * dim), jacobians(element_.node_count * dim * dim);
  double worst = 0;
  const auto measure = [&] {
    if (shapes.empty()) return;
    const auto count = static_cast<std::int64_t>(shapes.size());
    const auto material = upload(rows, "material rows");
    const auto speeds = device_.allocate(count * bytes_of(problem_.precision), "speeds");
    device_.queue().launch(pointwise_->kernel("speeds"), count,
                           {*material, *device_directions, *speeds, static_cast<std::int64_t>(directions.size()) / dim});
    device_.queue().finish();
    const auto values = download(*speeds, count);
    for (std::int64_t i = 0; i < count; ++i) worst = std::max(worst, values[i] * shapes[i]);
    rows.clear();
    shapes.clear();
  };
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell) {
    shape_map.jacobians(cell, jacobians.data());
    const double shape = shape_stiffness(element_.shape, jacobians);
    const auto add = [&](const double* values) {
      rows.insert(rows.end(), values, values + parameters);
      shapes.push_back(shape);
    };
    std::vector<double> value(parameters, 0.0);
    if (!material_->varies(cell)) {
      if (material_->parameters() > 0) std::copy_n(material_->constant(cell), material_->parameters(), value.begin());
      add(value.data());
    } else {
      map.coordinates(cell, x.data());
      for (int i = 0; i < map.point_count(); ++i)
        for (int s = 0; s < (time ? time_samples : 1); ++s) {
          material_->sample(cell, x.data() + i * dim, end * s / (time_samples - 1), value.data());
          add(value.data());
        }
    }
    if (static_cast<std::int64_t>(shapes.size()) >= most) measure();
  }
  measure();
  return worst;
}

Work NodalOperator::stage_work() const {
  Work all;
  for (const auto& g : groups_) all.bytes += g.work.bytes, all.flops += g.work.flops;
  return all;
}

}  // namespace swell
