// SPDX-License-Identifier: Apache-2.0
// Materials, boundaries, initial state, sources, incident waves and the far field of a case.
#include <cmath>

#include "base/error.hpp"
#include "base/names.hpp"
#include "case/section.hpp"

namespace swell {

namespace {

constexpr std::string_view wave_keys[] = {"wave", "direction", "polarisation", "origin", "type", "pulse"};

bool is_wave_key(std::string_view name) {
  return std::find(std::begin(wave_keys), std::end(wave_keys), name) != std::end(wave_keys);
}

Formulas read_formulas(const CaseSection& section) {
  Formulas result;
  for (const auto& [name, value] : section.table())
    if (!value.is_table() && !value.is_array()) result[std::string(name.str())] = section.formula(name.str());
  return result;
}

PlaneWave read_wave(const CaseSection& wave, const Case& so_far) {
  for (const std::string_view name : {"direction", "pulse"})
    if (!wave.has(name)) throw InputError("{} needs {} for its incident wave", wave.place(), name);
  PlaneWave result{.direction = normalised(wave.reals("direction"), wave.place("direction")),
                   .polarisation = wave.reals("polarisation"),
                   .origin = wave.reals("origin"),
                   .type = wave.text("type").value_or(""),
                   .pulse = wave.formula("pulse")};
  check_dimension(so_far, result.direction, wave.place("direction"));
  check_dimension(so_far, result.origin, wave.place("origin"));
  if (!result.polarisation.empty()) normalised(result.polarisation, wave.place("polarisation"));
  return result;
}

BoundaryCase read_boundary(const CaseSection& boundaries, std::string_view name, const Case& so_far) {
  BoundaryCase result{.kind = "", .key = boundaries.place(name), .data = {}, .wave = {}};
  const CaseSection section = boundaries.section(name);
  result.kind = boundaries.text(name).value_or(section.text("kind").value_or(""));
  if (result.kind == "incident") result.wave = read_wave(section, so_far);
  for (const auto& [key, value] : section.table()) {
    if (key == "kind") continue;
    if (!is_wave_key(key.str()))
      result.data[std::string(key.str())] = section.formula(key.str());
    else if (!result.wave)
      throw InputError("{} goes with kind = \"incident\" only, not with \"{}\"", section.place(key.str()),
                       shown(result.kind));
  }
  return result;
}

PointSourceCase read_point(const CaseSection& point, const Case& so_far) {
  PointSourceCase result{.at = point.reals("at"),
                         .field = point.text("field").value_or(""),
                         .moment = point.reals("moment"),
                         .amplitude = point.real("amplitude").value_or(1),
                         .signal = point.formula("signal"),
                         .key = point.place()};
  check_dimension(so_far, result.at, point.place("at"));
  if (result.field.empty() == result.moment.empty())
    throw InputError("{} must have either field or moment, and only one of them", result.key);
  const std::size_t entries = result.at.size() * (result.at.size() + 1) / 2;
  if (!result.moment.empty() && result.moment.size() != entries)
    throw InputError("{} must be a list of {} numbers in {} dimensions, not of {}", point.place("moment"), entries,
                     result.at.size(), result.moment.size());
  return result;
}

IncidentCase read_incident(const CaseSection& incident, const Case& so_far) {
  IncidentCase result{.wave = read_wave(incident, so_far),
                      .low = {},
                      .high = {},
                      .regions = incident.words("total"),
                      .key = incident.place()};
  if (!result.regions.empty()) return result;
  const CaseSection total = incident.section("total");
  result.low = total.reals("low");
  result.high = total.reals("high");
  check_dimension(so_far, result.low, total.place("low"));
  if (result.low.size() != result.high.size())
    throw InputError("{} has {} entries where low has {}", total.place("high"), result.high.size(), result.low.size());
  for (std::size_t axis = 0; axis < result.low.size(); ++axis)
    if (!(result.high[axis] > result.low[axis]))
      throw InputError("{} must be above low along each axis, but {} is not above {}", total.place("high"),
                       result.high[axis], result.low[axis]);
  return result;
}

}  // namespace

void read_physics(const CaseSection& root, Case& to) {
  const CaseSection material = root.section("material");
  to.material[""] = read_formulas(material);
  for (const auto& [name, value] : material.table())
    if (value.is_table()) to.material[std::string(name.str())] = read_formulas(material.section(name.str()));

  const CaseSection boundary = root.section("boundary");
  for (const auto& [name, value] : boundary.table())
    to.boundary[std::string(name.str())] = read_boundary(boundary, name.str(), to);

  const CaseSection initial = root.section("initial");
  to.initial = read_formulas(initial);
  to.initial.erase("projection");
  to.projection = initial.text("projection").value_or("interpolation");
  to.exact = read_formulas(root.section("exact"));
  to.source = read_formulas(root.section("source"));
  for (const CaseSection& point : root.section("source").sections("point")) to.points.push_back(read_point(point, to));
  if (root.has("incident")) to.incident = read_incident(root.section("incident"), to);
}

void read_far_field(const CaseSection& root, Case& to) {
  if (!root.has("farfield")) return;
  const CaseSection far = root.section("farfield"), surface = far.section("surface");
  FarFieldCase result{.frequencies = far.reals("frequencies"),
                      .low = surface.reals("low"),
                      .high = surface.reals("high"),
                      .center = surface.reals("center"),
                      .radius = surface.real("radius").value_or(0),
                      .density = surface.real("density").value_or(16),
                      .theta = far.reals("theta"),
                      .phi = far.reals("phi"),
                      .key = far.place()};
  const bool box = surface.has("low") || surface.has("high");
  if (box == surface.has("radius") || surface.has("low") != surface.has("high") || (box && surface.has("center")))
    throw InputError("{} must have either low and high of a box, or radius (and center) of a circle or sphere", surface.place());
  check_dimension(to, result.low, surface.place("low"));
  check_dimension(to, result.high, surface.place("high"));
  check_dimension(to, result.center, surface.place("center"));
  if (result.low.size() != result.high.size())
    throw InputError("{} has {} entries where low has {}", surface.place("high"), result.high.size(), result.low.size());
  for (std::size_t axis = 0; axis < result.low.size(); ++axis)
    if (!(result.high[axis] > result.low[axis]))
      throw InputError("{} must be above low along each axis, but {} is not above {}", surface.place("high"), result.high[axis],
                       result.low[axis]);
  to.far_field = std::move(result);
}

}  // namespace swell
