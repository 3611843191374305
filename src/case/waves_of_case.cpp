// SPDX-License-Identifier: Apache-2.0
#include "case/waves_of_case.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/names.hpp"
#include "mesh/near_cells.hpp"

namespace swell {

namespace {

std::array<double, 3> padded(const std::vector<double>& v) {
  std::array<double, 3> out{};
  std::copy_n(v.begin(), std::min<std::size_t>(3, v.size()), out.begin());
  return out;
}

void check_length(const std::vector<double>& v, int dim, const std::string& what) {
  if (!v.empty() && static_cast<int>(v.size()) != dim)
    throw InputError("{} has {} numbers, but the mesh has {} dimensions.", what, v.size(), dim);
}

double dot(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

std::array<double, 3> normalised(std::array<double, 3> v, const std::string& what) {
  const double length = std::sqrt(dot(v, v));
  if (!(length > 0)) throw InputError("{} has no length.", what);
  for (double& x : v) x /= length;
  return v;
}

// A unit vector across the direction: along y for 1D, in the plane for 2D, as near to z (or x) as can be in 3D.
std::array<double, 3> across(const std::array<double, 3>& d, int dim) {
  if (dim <= 2) return {-d[1], d[0], 0};
  std::array<double, 3> up{0, 0, 1};
  if (std::abs(d[2]) > 0.9) up = {1, 0, 0};
  const double along = dot(up, d);
  for (int i = 0; i < 3; ++i) up[i] -= along * d[i];
  return normalised(up, "the polarisation");
}

}  // namespace

WaveSpec wave_of_case(const PlaneWave& wave, const Model& model, const std::string& key) {
  if (!model.has("plane_wave") || !model.has("plane_wave_speed"))
    throw InputError("{}: the model '{}' has no plane waves (functions plane_wave and plane_wave_speed).", key,
                     model.name);
  if (!model.has("state_absorbing"))
    throw InputError("{}: the model '{}' has no absorbing boundary to let the rest out.", key, model.name);
  check_length(wave.direction, model.dim, place_of(key, "direction"));
  check_length(wave.polarisation, model.dim, place_of(key, "polarisation"));
  check_length(wave.origin, model.dim, place_of(key, "origin"));
  WaveSpec spec;
  spec.direction = normalised(padded(wave.direction), place_of(key, "direction"));
  spec.origin = padded(wave.origin);
  if (!wave.type.empty() && wave.type != "P" && wave.type != "S")
    throw InputError("{} must be \"P\" or \"S\", not \"{}\".", place_of(key, "type"), wave.type);
  const bool elastic = model.field_index("sxx") >= 0;
  if (!wave.type.empty() && !elastic)
    throw InputError("{} is for elastic waves; the model is '{}'.", place_of(key, "type"), model.name);
  if (wave.type == "S" && model.dim == 1)
    throw InputError(
        "{} is \"S\", but a line has P waves only; shear waves obey the equations of the model 'acoustics' with "
        "c = sqrt(mu/rho).",
        place_of(key, "type"));
  if (!wave.polarisation.empty()) {
    spec.polarisation = normalised(padded(wave.polarisation), place_of(key, "polarisation"));
    const double along = std::abs(dot(spec.polarisation, spec.direction));
    if (along > 1e-9 && !(elastic && along > 1 - 1e-9))
      throw InputError("{} must be at a right angle to the direction{}.", place_of(key, "polarisation"),
                       elastic ? " (S) or along it (P)" : "");
  } else {
    spec.polarisation = elastic && wave.type != "S" ? spec.direction : across(spec.direction, model.dim);
  }
  spec.pulse = Expression::parse(wave.pulse.text, {"s"}, wave.pulse.key);
  return spec;
}

TotalFieldSpec total_field(const IncidentCase& incident, const Mesh& mesh, const Model& model, Extent extent) {
  TotalFieldSpec spec{wave_of_case(incident.wave, model, incident.key), std::vector<char>(mesh.cell_count(), 0)};
  check_length(incident.low, mesh.dim, place_of(incident.key, "total.low"));
  check_length(incident.high, mesh.dim, place_of(incident.key, "total.high"));
  std::vector<int> regions;
  for (const auto& name : incident.regions) {
    const auto found = std::find(mesh.regions.begin(), mesh.regions.end(), name);
    if (found == mesh.regions.end())
      throw InputError("{}: '{}' is no region of the mesh{}.", place_of(incident.key, "total"), name,
                       region_hint(name, mesh));
    regions.push_back(static_cast<int>(found - mesh.regions.begin()));
  }
  std::map<Shape, CellMap> middle;
  for (const Shape shape : mesh.shapes()) {
    const auto at = reference_middle(shape);
    middle.emplace(shape, CellMap(mesh, shape, Eigen::Map<const Matrix>(at.data(), 1, mesh.dim)));
  }
  std::int64_t inside = 0;
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell) {
    double x[3];
    middle.at(mesh.shape_of(cell)).coordinates(cell, x);
    bool total =
        regions.empty() || std::find(regions.begin(), regions.end(), mesh.region_of(cell)) != regions.end();
    for (std::size_t d = 0; d < incident.low.size(); ++d)
      total = total && x[d] > incident.low[d] && x[d] < incident.high[d];
    spec.total[cell] = total;
    inside += total;
  }
  if (inside == 0 && extent == Extent::whole)
    throw InputError("{} holds no cell of the mesh.", place_of(incident.key, "total"));
  // The scattered-field side of such a sheet would not see the wave, nor would the wave enter through it.
  for (const SheetFace& sheet : mesh.sheets)
    if (extent == Extent::whole && spec.total[sheet.cell[0]] != spec.total[sheet.cell[1]])
      throw InputError("{} ends at faces of '{}', which [boundary] makes a boundary; a surface between total and scattered field must "
                       "not be one, so move it away from them.",
                       place_of(incident.key, "total"), mesh.boundaries[sheet.boundary]);
  return spec;
}

std::vector<char> near_points(const Problem& problem) {
  // Beyond, the field of a point source is as smooth for its cells as waves are; jumps fall like (h / r)^(p + 1), so that high orders
  // need fewer cells, and a moment, whose field is the derivative of a force's, more of them: measured, decision 0020.
  std::vector<char> near(problem.mesh->cell_count(), 0);
  for (const PointSourceSpec& point : problem.points) {
    const bool moment = std::any_of(point.rate.begin(), point.rate.end(), [](double part) { return part != 0; });
    const double reach = problem.order >= 4 && !moment ? 3 : 4;
    for (const std::int64_t cell : cells_near(*problem.mesh, point.cell, point.position.data(), reach)) near[cell] = 1;
  }
  return near;
}

PointSourceSpec point_source(const PointSourceCase& p, const Model& model, const Locator* locator) {
  PointSourceSpec spec;
  check_length(p.at, model.dim, place_of(p.key, "at"));
  spec.position = padded(p.at);
  if (locator) {
    const auto hit = locator->find(spec.position.data());
    if (hit.cell < 0)
      throw InputError("{}: the point ({}) lies outside the mesh.", place_of(p.key, "at"), fmt::join(p.at, ", "));
    spec.cell = hit.cell;
    spec.reference = hit.reference;
  }
  spec.balance.assign(model.fields.size(), 0.0);
  spec.rate.assign(model.fields.size(), 0.0);
  if (!p.moment.empty()) {
    const int first = model.field_index("sxx");
    const std::size_t count = static_cast<std::size_t>(model.dim * (model.dim + 1) / 2);
    if (first < 0)
      throw InputError("{} is for elastic waves; the model is '{}'.", place_of(p.key, "moment"), model.name);
    if (p.moment.size() != count)
      throw InputError("{} has {} numbers; in {}D it has {}.", place_of(p.key, "moment"), p.moment.size(), model.dim,
                       count);
    // s_t = C : grad v - M'(t) delta (Aki and Richards 2002, section 3.3): the signal is the moment rate.
    for (std::size_t i = 0; i < count; ++i) spec.rate[first + i] = -p.amplitude * p.moment[i];
  } else {
    const int field = model.field_index(p.field);
    if (field < 0)
      throw InputError("{}: the model '{}' has no field '{}'{}.", place_of(p.key, "field"), model.name, p.field,
                       name_hint(p.field, model.fields));
    spec.balance[field] = p.amplitude;
  }
  spec.signal = Expression::parse(p.signal.text, {"t"}, p.signal.key);
  return spec;
}

}  // namespace swell
