// SPDX-License-Identifier: Apache-2.0
// The points from which expressions are projected: a cubature in every element, with material and region there.
#include <algorithm>

#include "dg/modal/geometry.hpp"
#include "dg/modal/operator.hpp"

namespace swell {

namespace {

std::vector<double> numbers(const Matrix& matrix) { return {matrix.data(), matrix.data() + matrix.size()}; }

}  // namespace

void ModalOperator::build_rule() {
  const int dim = element_.dim, points = static_cast<int>(modes_->rule.points.rows()),
            parameters = std::max(1, material_->parameters());
  const bool varying = modes_->varying;
  const auto project = [&](const Matrix& at) -> Matrix { return at.transpose() * modes_->rule.weights.asDiagonal(); };
  coefficients_ = device_.allocate(
      std::max<std::size_t>(64, varying ? layout_->slots * pattern_.coefficients * modes_->coefficient_count *
                                              bytes_of(problem_.precision)
                                        : 0),
      "coefficients");
  source_ = device_.allocate(problem_.source.empty() ? 64 : state_bytes(), "source");
  if (!problem_.source.empty()) {
    std::vector<double> x(layout_->slots * points * dim);
    const CellMap map(*problem_.mesh, modes_->rule.points);
    std::vector<double> place(points * dim);
    for (std::int64_t slot = 0; slot < layout_->slots; ++slot) {
      map.coordinates(cell_of_record_slot(slot), place.data());
      for (int p = 0; p < points; ++p)
        material_->inside(cell_of_record_slot(slot), place.data() + p * dim, x.data() + (slot * points + p) * dim);
    }
    rule_.x = upload(x, "points");
    rule_.to_modes = upload(numbers(project(modes_->at_rule)), "projection");
  }
  rule_.material = device_.allocate(
      std::max<std::size_t>(64, varying ? layout_->slots * points * parameters * bytes_of(problem_.precision) : 0),
      "material at points");
  rule_.at = upload(varying ? numbers(modes_->at_rule) : std::vector<double>{}, "modes at points");
  rule_.weights =
      upload(std::vector<double>(modes_->rule.weights.data(), modes_->rule.weights.data() + points), "weights");
  if (!varying) return;

  const CellMap map(*problem_.mesh, modes_->rule.points);
  std::vector<double> place(points * dim), values(record_slots() * points * parameters, 0.0),
      changing(material_->in_time() ? record_slots() * points * dim : 0);
  std::vector<std::int32_t> region(record_slots() * points);
  for (std::int64_t slot = 0; slot < record_slots(); ++slot) {
    const auto cell = cell_of_record_slot(slot);
    map.coordinates(cell, place.data());
    for (int p = 0; p < points; ++p) {
      material_->sample(cell, place.data() + p * dim, 0, values.data() + (slot * points + p) * parameters);
      region[slot * points + p] = material_->region(cell);
      if (material_->in_time())
        material_->changing(cell, place.data() + p * dim, changing.data() + (slot * points + p) * dim);
    }
  }
  rule_.material = upload(values, "material at points");
  if (material_->in_time()) {
    rule_.changing = upload(changing, "places of material");
    rule_.region = upload(region, "regions");
  }
  const Matrix to_coefficients = project(modes_->coefficient_at_rule);
  rule_.to_coefficients = upload(numbers(to_coefficients), "projection of coefficients");

  // On the faces: the coefficients' polynomial where they stand in the flux, else the material itself, which only sets how
  // much of a jump is damped and must stay in its range.
  const int faces = modes_->faces, per_face = modes_->values;
  if (pattern_.flux_changes()) {
    Matrix to_faces(faces * per_face, points);
    for (int f = 0; f < faces; ++f)
      to_faces.middleRows(f * per_face, per_face) =
          swell::modes(element_.shape, modes_->coefficient_order,
                       face_points(element_.shape, f, modes_->face_points)) *
          to_coefficients;
    rule_.to_faces = upload(numbers(to_faces), "projection to faces");
    const std::int64_t records = between_record(static_cast<std::int64_t>(layout_->between.size()));
    face_material_ =
        device_.allocate(records * per_face * parameters * bytes_of(problem_.precision), "material at faces");
  } else {
    std::vector<double> at_faces;
    std::vector<CellMap> maps;
    for (int f = 0; f < faces; ++f)
      maps.emplace_back(*problem_.mesh, face_points(element_.shape, f, modes_->face_points));
    std::vector<double> x(per_face * dim), value(parameters, 0.0);
    const auto add = [&](std::int64_t cell, int face) {
      maps[face].coordinates(cell, x.data());
      for (int v = 0; v < per_face; ++v) {
        material_->sample(cell, x.data() + v * dim, 0, value.data());
        at_faces.insert(at_faces.end(), value.begin(), value.end());
      }
    };
    for (std::int64_t slot = 0; slot < record_slots(); ++slot)
      for (int f = 0; f < faces; ++f) add(cell_of_record_slot(slot), f);
    for (const auto& ghost : layout_->ghosts) add(layout_->cell_of_slot[ghost.slot], ghost.face);
    for (const auto& face : layout_->between) {
      const Neighbour& behind = problem_.mesh->neighbour(layout_->cell_of_slot[face.slot], face.face);
      add(behind.cell, behind.face);
    }
    face_material_ = upload(at_faces, "material at faces");
  }
  project_material();
}

}  // namespace swell
