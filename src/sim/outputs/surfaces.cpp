// SPDX-License-Identifier: Apache-2.0
// Flows through named boundaries, surfaces/NAME.csv: of each field what leaves the domain through them, and for the first vector of
// the model, whose flow is a force, its parts along given directions.
#include <algorithm>

#include "base/error.hpp"
#include "base/names.hpp"
#include "case/problem_of_case.hpp"
#include "sim/outputs/sampled_series.hpp"

namespace swell {

namespace {

class Surfaces final : public SampledSeries {
 public:
  explicit Surfaces(Evolution& evolution) : SampledSeries(evolution, "surfaces") {
    const Case& given = evolution.given();
    check_kind(given.surfaces.front());
    for (const SurfaceCase& surface : given.surfaces) read(surface);
    flows_ = evolution.samplers().flows(boundaries_);
    if (!flows_)
      throw InputError("{}: the flows of the model '{}' are those of model.family = \"nodal\", not of \"{}\"; take that family, or leave the "
                       "surface out.",
                       given.surfaces.front().key, evolution.model(), given.family);
    const auto& model = evolution.problem().model;
    const bool viscous = flows_->columns().size() > model.fields.size();
    for (std::size_t i = 0; i < surfaces_.size(); ++i) {
      std::vector<std::string> columns = flows_->columns();
      for (const Direction& direction : surfaces_[i].directions) {
        columns.push_back(direction.name);
        if (viscous) columns.push_back(direction.name + "_viscous");
      }
      add(given.surfaces[i].name, given.surfaces[i].every, false, std::move(columns));
    }
    set_room(flows_->room());
  }

 private:
  struct Direction {
    std::string name;
    std::vector<double> unit;
    std::size_t first = 0;  // column of the vector's first component
  };
  struct Surface {
    std::vector<std::size_t> boundaries;  // among all that are asked for
    std::vector<Direction> directions;
    double reference = 1;
  };

  void check_kind(const SurfaceCase& surface) const {
    const Model& model = evolution_.problem().model;
    if (model.kind() != PageKind::hyperbolic)
      throw InputError("{}: the model '{}' has no flows through surfaces; waves and compressible flow have. Leave the surface out.",
                       surface.key, model.name);
  }

  void read(const SurfaceCase& given) {
    const Mesh& mesh = evolution_.mesh();
    Surface surface;
    surface.reference = given.reference;
    for (const std::string& name : given.boundaries) {
      const auto found = std::find(mesh.boundaries.begin(), mesh.boundaries.end(), name);
      const std::string place = place_of(given.key, "boundaries");
      if (found == mesh.boundaries.end())
        throw InputError("{}: the mesh has no boundary '{}'{}.", place, name, name_hint(name, mesh.boundaries));
      const auto number = static_cast<std::int32_t>(found - mesh.boundaries.begin());
      check_sides(number, place);
      const auto known = std::find(boundaries_.begin(), boundaries_.end(), number);
      surface.boundaries.push_back(static_cast<std::size_t>(known - boundaries_.begin()));
      if (known == boundaries_.end()) boundaries_.push_back(number);
    }
    if (!given.drag.empty()) surface.directions.push_back(direction("drag", given.drag, given.key));
    if (!given.lift.empty()) surface.directions.push_back(direction("lift", given.lift, given.key));
    surfaces_.push_back(std::move(surface));
  }

  // A group inside the domain, or a periodic side, exchanges nothing with the outside.
  void check_sides(std::int32_t number, const std::string& place) const {
    const Mesh& mesh = evolution_.mesh();
    bool has = false;
    for (std::int64_t cell = 0; cell < mesh.own_count() && !has; ++cell)
      for (int face = 0; face < face_count(mesh.shape_of(cell)) && !has; ++face) {
        const Neighbour& side = mesh.neighbour(cell, face);
        has = side.cell < 0 && side.boundary == number;
      }
    if (!evolution_.ranks().any(has))
      throw InputError("{}: '{}' is no boundary of the domain, but periodic or a group of faces inside, which [boundary] must name to make it "
                       "one.",
                       place, mesh.boundaries[static_cast<std::size_t>(number)]);
  }

  Direction direction(const std::string& name, const std::vector<double>& unit, const std::string& key) const {
    const Model& model = evolution_.problem().model;
    if (unit.size() != static_cast<std::size_t>(model.dim))
      throw InputError("{} has {} numbers, but the mesh has {} dimensions.", place_of(key, name), unit.size(), model.dim);
    const auto is_vector = [](const FieldGroup& group) { return group.kind == FieldKind::vector; };
    const auto count = std::ranges::count_if(model.groups, is_vector);
    if (count != 1)
      throw InputError("{}: a force is the flow of a vector, and the model '{}' has {}; leave it out.", place_of(key, name), model.name,
                       count == 0 ? "none" : "several");
    return {name, unit, static_cast<std::size_t>(std::ranges::find_if(model.groups, is_vector)->first)};
  }

  void take(std::int64_t row) override { flows_->sample(row); }
  std::vector<double> fetch(std::int64_t rows) override { return flows_->read(rows); }

  void write(std::size_t table, std::span<const double> fetched, double time, const Rows& append) override {
    const Surface& surface = surfaces_[table];
    const std::size_t columns = flows_->columns().size(), fields = evolution_.fields().size();
    std::vector<double> row(columns, 0.0);
    for (const std::size_t boundary : surface.boundaries)
      for (std::size_t k = 0; k < columns; ++k) row[k] += fetched[boundary * columns + k];
    for (const Direction& direction : surface.directions)
      for (std::size_t part = 0; part < columns; part += fields) {
        double sum = 0;
        for (std::size_t d = 0; d < direction.unit.size(); ++d) sum += direction.unit[d] * row[part + direction.first + d];
        row.push_back(sum / surface.reference);
      }
    append(time, row);
  }

  std::vector<std::int32_t> boundaries_;  // of the mesh
  std::vector<Surface> surfaces_;
  std::unique_ptr<FlowSampler> flows_;
};

}  // namespace

std::unique_ptr<SampledSeries> make_surfaces(Evolution& evolution) { return std::make_unique<Surfaces>(evolution); }

}  // namespace swell
