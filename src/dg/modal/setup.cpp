// SPDX-License-Identifier: Apache-2.0
// Building the modal operator: kernels compiled, geometry, material, faces and sources on the device.
#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "base/timer.hpp"
#include "dg/group_data.hpp"
#include "dg/memory.hpp"
#include "dg/modal/geometry.hpp"
#include "dg/modal/operator.hpp"
#include "dg/modal/rows.hpp"
#include "dg/text.hpp"
#include "model/boundary_check.hpp"
#include "model/upwind_text.hpp"

namespace swell {

ModalOperator::ModalOperator(Problem problem, Device& device)
    : Operator(std::move(problem), device) {
  check(problem_);
  complete_model(problem_, device_);
  material_ = std::make_unique<MaterialField>(problem_, element_.nodes);
  layout_ = std::make_unique<Layout>(problem_, elements(), *material_, device_);
  bool varying = false;
  for (std::int64_t cell = 0; cell < layout_->elements; ++cell) varying = varying || material_->varies(cell);
  varying = problem_.ranks->any(varying);
  if (varying && problem_.model.face_matrix >= 0)
    throw InputError(
        "model.family = \"modal\" cannot derive an upwind flux where material varies inside elements, and the model '{}' has no "
        "function flux_upwind; use \"nodal\", or model.flux = \"rusanov\".",
        problem_.model.name);
  everywhere_ = layout_->elements;
  problem_.ranks->sum(std::span(&everywhere_, 1));
  modes_ = std::make_unique<ModalElement>(element_.shape, problem_.order, varying ? problem_.coefficient_order : 0, varying);
  batch_ = modal_batch(device_, *layout_, *modes_, fields(), problem_.precision);
  if (varying) pattern_ = find_pattern(ModelProbe(problem_.model, device_), reacts(problem_));
  // Refused before anything is allocated.
  const int states = states_kept(problem_, *layout_, *material_, device_);
  check_memory(modal_memory_need(problem_, *layout_, *material_, device_, states), problem_, device_);
  dummy_buffer_ = device_.allocate(64, "nothing");
  build_programs();
  build_elements();
  build_faces();
  build_ghosts();
  build_rule();
  build_points();
  build_halo();
  build_near();
  build_clusters();
  count_work();
}

void ModalOperator::check(const Problem& problem) {
  if (!problem.model.linear)
    throw InputError("model.family = \"modal\" is for linear models, and '{}' is not stated to be linear; use \"nodal\".",
                     problem.model.name);
  if (problem.model.viscous())
    throw InputError("model.family = \"modal\" does not take the viscous terms of '{}'; use \"nodal\".", problem.model.name);
  if (!problem.model.quantities.empty() || !problem.model.admissible.empty())
    throw InputError("The model '{}' has functions quantity_NAME or admissible, which are for values at nodes; use model.family = \"nodal\".",
                     problem.model.name);
  const Mesh& mesh = *problem.mesh;
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell)
    if (!is_affine(mesh, cell))
      throw InputError(
          "model.family = \"modal\" needs straight simplices, parallelograms or parallelepipeds, and {} of {} is none; use "
          "\"nodal\".",
          mesh.label(cell), mesh.name);
}

std::unique_ptr<Program> ModalOperator::compile(const ProgramText& text) {
  const Stopwatch clock;
  auto program = device_.compile(text);
  compile_seconds_ += clock.seconds();
  return program;
}

void ModalOperator::build_programs() {
  set_variant(0, choose_variant(problem_, group_variants(0), group_key(0)));
  pointwise_ = compile(ModalText{problem_, *modes_, pattern_, batch_}.pointwise());
  common_ = compile(pointwise_text(problem_, element_, *layout_));
}

std::int64_t ModalOperator::items() const {
  return layout_->slots / (device_.info().simt && batch_.rows == 0 ? 1 : batch_.width);
}

void ModalOperator::build_elements() {
  const ModalGeometry geometry = modal_geometry(problem_, *layout_, *material_, batch_.width);
  geometry_ = upload(geometry.gradients, "geometry");
  volume_ = upload(geometry.volume, "Jacobians");
  material_of_ = upload(geometry.material, "material");
  if (!modes_->varying) face_material_ = upload(geometry.material_behind, "material behind faces");
}

// Each face's record behind it and the orientation in which that is read.
std::vector<std::int32_t> ModalOperator::neighbours() const {
  const int faces = modes_->faces;
  std::vector<std::int32_t> neighbour(layout_->slots * faces * 2);
  const auto at = [&](std::int64_t slot, int i) -> std::int32_t& { return neighbour[neighbour_place(slot, i)]; };
  for (std::int64_t slot = 0; slot < layout_->slots; ++slot)
    for (int f = 0; f < faces; ++f) {
      at(slot, 2 * f) = static_cast<std::int32_t>(slot * faces + f);
      at(slot, 2 * f + 1) = 0;
      const auto cell = layout_->cell_of_slot[slot];
      if (cell < 0) continue;
      const Neighbour& n = problem_.mesh->neighbour(cell, f);
      if (n.cell < 0) continue;
      at(slot, 2 * f) = static_cast<std::int32_t>(layout_->slot_of_cell[n.cell] * faces + n.face);
      at(slot, 2 * f + 1) = n.orientation;
    }
  for (std::size_t i = 0; i < layout_->between.size(); ++i)
    at(layout_->between[i].slot, 2 * layout_->between[i].face) = static_cast<std::int32_t>(between_record(static_cast<std::int64_t>(i)));
  for (std::size_t g = 0; g < layout_->ghosts.size(); ++g) {
    at(layout_->ghosts[g].slot, 2 * layout_->ghosts[g].face) =
        static_cast<std::int32_t>(record_slots() * faces + static_cast<std::int64_t>(g));
    at(layout_->ghosts[g].slot, 2 * layout_->ghosts[g].face + 1) = 0;
  }
  return neighbour;
}

void ModalOperator::build_faces() {
  neighbour_ = upload(neighbours(), "neighbours");
  const std::int64_t records = between_record(static_cast<std::int64_t>(layout_->between.size()));
  faces_ = device_.allocate(records * modes_->values * fields() * bytes_of(problem_.precision), "traces");
}

void ModalOperator::build_ghosts() {
  const int dim = element_.dim, faces = modes_->faces, points = static_cast<int>(modes_->face_points.rows()),
            parameters = std::max(1, material_->parameters());
  std::vector<CellMap> maps;
  for (int f = 0; f < faces; ++f) maps.emplace_back(*problem_.mesh, face_points(element_.shape, f, modes_->face_points));
  std::vector<std::int32_t> index;
  std::map<std::pair<std::int64_t, int>, std::int64_t> between;  // records behind faces to another cluster
  for (const ClusterFace& face : layout_->between)
    between.try_emplace({face.slot, face.face}, between_record(static_cast<std::int64_t>(between.size())));
  std::vector<double> x, n, m, places(points * dim), normal(dim);
  for (std::size_t k = 0; k < layout_->ghosts.size(); ++k) {
    const GhostFace& ghost = layout_->ghosts[k];
    const auto cell = layout_->cell_of_slot[ghost.slot];
    const auto own = ghost.slot * faces + ghost.face;
    const Neighbour& behind = problem_.mesh->neighbour(cell, ghost.face);
    const bool shared = behind.cell >= 0;
    const auto copy = between.find({ghost.slot, ghost.face});
    for (const std::int64_t i :
         {own, record_slots() * faces + static_cast<std::int64_t>(k),
          copy != between.end() ? copy->second : shared ? layout_->slot_of_cell[behind.cell] * faces + behind.face : own,
          std::int64_t{shared ? behind.orientation : 0}, std::int64_t{ghost.spec}})
      index.push_back(static_cast<std::int32_t>(i));
    maps[ghost.face].coordinates(cell, places.data());
    if (ghost.spec >= 0)
      for (int p = 0; p < points; ++p) check_boundary_data(problem_, ghost.spec, places.data() + p * dim);
    x.insert(x.end(), places.begin(), places.end());
    affine_normal(*problem_.mesh, cell, ghost.face, normal.data());
    n.insert(n.end(), normal.begin(), normal.end());
    for (int i = 0; i < parameters; ++i)
      m.push_back(i < material_->parameters() ? material_->constant(cell)[i] : 0.0);
  }
  ghosts_.index = upload(index, "ghost faces");
  ghosts_.x = upload(x, "ghost places");
  ghosts_.n = upload(n, "ghost normals");
  ghosts_.m = upload(m, "ghost material");
  const auto numbers = [&](const Matrix& matrix) { return std::vector<double>(matrix.data(), matrix.data() + matrix.size()); };
  ghosts_.to_points = upload(numbers(modes_->to_points), "face values to points");
  ghosts_.from_points = upload(numbers(modes_->from_points), "points to face values");
}

void ModalOperator::build_points() {
  if (problem_.points.empty()) return;
  const int dim = element_.dim;
  std::vector<std::int32_t> slots;
  std::vector<double> weights, vectors, material, value(std::max(1, material_->parameters()));
  for (const auto& p : problem_.points) {
    if (p.cell < 0) {
      slots.push_back(-1);
      weights.resize(weights.size() + modes_->count);
      vectors.resize(vectors.size() + 2 * fields());
      material.resize(material.size() + value.size());
      continue;
    }
    slots.push_back(static_cast<std::int32_t>(layout_->slot_of_cell[p.cell]));
    Matrix at(1, dim);
    for (int d = 0; d < dim; ++d) at(0, d) = p.reference[d];
    double jacobian[9], scaled[9];
    CellMap(*problem_.mesh, at).jacobians(p.cell, jacobian);
    // The Dirac's projection to orthonormal modes is their values there.
    const Matrix w = modes_->evaluate(at) / cofactors(dim, jacobian, scaled);
    weights.insert(weights.end(), w.data(), w.data() + w.size());
    vectors.insert(vectors.end(), p.balance.begin(), p.balance.end());
    vectors.insert(vectors.end(), p.rate.begin(), p.rate.end());
    material_->sample(p.cell, p.position.data(), 0, value.data());
    material.insert(material.end(), value.begin(), value.end());
  }
  points_.slot = upload(slots, "point source slots");
  points_.weight = upload(weights, "point source weights");
  points_.vector = upload(vectors, "point source vectors");
  points_.material = upload(material, "point source material");
}

Work ModalOperator::moved(std::int64_t scalars, std::int64_t flops) const {
  return {static_cast<double>(scalars) * static_cast<double>(bytes_of(problem_.precision)), static_cast<double>(flops)};
}

// A stage: state and residual read and written, traces of both sides, geometry and connectivity. A step of ADER: the state
// read and written, its traces written and read once, geometry twice. A product counts two operations; each part is counted as
// if it were done once, whatever the variant does.
void ModalOperator::count_work() {
  const auto entries = [](const Matrix& m) {
    return static_cast<double>((m.cwiseAbs().array() > 1e-13 * m.cwiseAbs().maxCoeff()).count());
  };
  double trace = entries(stacked_traces(*modes_)), lift = entries(stacked_lifts(*modes_)), volume = 0, taylor = 0;
  const std::vector<int> levels = ModalText{problem_, *modes_, pattern_, batch_}.level_modes();
  for (int d = 0; d < element_.dim; ++d) {
    volume += entries(modes_->derivative[d]);
    for (int r = 0; r < order(); ++r) taylor += entries(modes_->derivative[d].topLeftCorner(levels[r + 1], levels[r]));
  }
  const double count = static_cast<double>(layout_->elements), word = static_cast<double>(bytes_of(problem_.precision));
  const double unknowns = modes_->count * fields(), traces = modes_->faces * modes_->values * fields(),
               shape = element_.dim * element_.dim + std::max(1, material_->parameters());
  work_ = {count * (word * (4 * unknowns + 2 * traces + shape) + 8.0 * modes_->faces), count * fields() * 2 * (volume + lift)};
  const double carried = 2 * static_cast<double>(remembered());  // read and written
  predict_work_ = {count * word * (unknowns + traces + shape + carried), count * fields() * 2 * (taylor + trace)};
  correct_work_ = {count * (word * (2 * unknowns + traces + shape) + 8.0 * modes_->faces), count * fields() * 2 * (volume + lift)};
}

std::optional<Work> ModalOperator::advance_work() const {
  return Work{predict_work_.bytes + correct_work_.bytes, predict_work_.flops + correct_work_.flops};
}

}  // namespace swell
