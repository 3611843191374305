// SPDX-License-Identifier: Apache-2.0
// Building the operator: layout, geometry and material on the device, kernels compiled.
#include <algorithm>

#include "base/set_up_phase.hpp"
#include "base/timer.hpp"
#include "dg/memory.hpp"
#include "dg/nodal/form.hpp"
#include "dg/nodal/limiter.hpp"
#include "dg/nodal/operator.hpp"
#include "element/line_rule.hpp"
#include "model/upwind_text.hpp"
#include "model/variables.hpp"

namespace swell {

namespace {

// A two-point flux counts as 12 operations a field, about those of Kennedy and Gruber's with a direction of any length; the
// symmetric pairs of each line are computed once and added to both of their nodes.
double pair_flops(const ReferenceElement& element, int fields) {
  const double line = element.order + 1, pairs = line * (line - 1) / 2, columns = element.node_count / line;
  return element.dim * columns * pairs * 16 * fields;
}

}  // namespace

NodalOperator::NodalOperator(Problem problem, Device& device)
    : Operator(std::move(problem), device) {
  problem_.volume_form = settled_form(problem_);
  check_form(problem_);
  SetUpPhase phase("the material");
  complete_model(problem_, device_);
  if (!problem_.model.variables.empty()) check_variables(ModelProbe(problem_.model, *open_device("cpu:1")));
  material_ = std::make_unique<MaterialField>(problem_, elements_.nodes());
  adjusted_ = std::make_unique<AdjustedMass>(problem_, elements_, *material_);
  phase.next("the layout of the elements");
  layout_ = std::make_unique<Layout>(problem_, elements_, *material_, device_, adjusted_.get());
  // Refused before anything is allocated.
  const int states = states_kept(problem_, *layout_, *material_, device_);
  check_memory(memory_need(problem_, elements_, *layout_, material_->in_time(), device_, states), problem_, device_);
  phase.next("the data of the elements");
  dummy_buffer_ = device_.allocate(64, "nothing");
  build_tables();
  build_groups();
  build_ghosts();
  build_sources();
  build_halo();
  build_near();
  build_clusters();
  build_viscous();
  for (auto& [shape, of] : shapes_) of.pointwise = compile(pointwise_text(problem_, *of.element, *layout_));
  if (!Limiter::asked(problem_)) return;
  limiter_ = std::make_unique<Limiter>(problem_, elements_, *layout_, *measures(), *material_, device_, state_bytes());
  compile_seconds_ += limiter_->compile_seconds();
}

NodalOperator::~NodalOperator() = default;

std::unique_ptr<Program> NodalOperator::compile(const ProgramText& text) {
  const Stopwatch clock;
  auto program = device_.compile(text);
  compile_seconds_ += clock.seconds();
  return program;
}

void NodalOperator::build_tables() {
  for (const auto& [shape, element] : elements_.all()) {
    std::vector<std::int32_t> all(element.face_nodes.begin(), element.face_nodes.end());
    for (const auto& code : layout_->codes)
      for (const int node : code) all.push_back(node * fields());
    OfShape& of = shapes_[shape];
    of.element = &element;
    of.tables = upload(all, "tables");
  }
}

void NodalOperator::build_groups() {
  const auto& groups = layout_->groups;
  const bool straight = std::any_of(groups.begin(), groups.end(),
                                    [](const Group& g) { return !is_tensor(g.shape) && !by_points(g); });
  if (straight && problem_.model.linear && !device_.info().simt)
    cover_ = find_flux_cover(ModelProbe(problem_.model, device_));
  for (const Group& group : layout_->groups) {
    GroupOnDevice g;
    g.group = group;
    g.element = &elements_.of(group.shape);
    const ReferenceElement& element = *g.element;
    g.points = group_points(element, group, problem_.mesh->geometry_order());
    const PointCounts counts{static_cast<int>(g.points.volume.rows()), static_cast<int>(g.points.face.rows())};
    const GroupData data = group_data(problem_, element, *layout_, group, g.points, *material_, *adjusted_);
    g.constants.homogeneous = data.homogeneous;
    if (data.homogeneous) g.constants.material = data.material;
    g.geometry = upload(data.geometry, "geometry");
    g.normals = upload(data.normals, "normals");
    g.material = upload(data.material, "material");
    g.material_face = data.material_of.empty() ? upload(data.material_face, "material at faces")
                                               : upload(data.material_of, "material of elements");
    g.neighbour = upload(data.neighbour, "neighbours");
    if (material_->in_time() && group.varying) {
      g.point_rows = counts.volume;
      g.face_rows = std::int64_t{counts.face} * element.face_count;
      g.points_x = upload(data.points, "points");
      g.own_x = upload(data.face_own, "face points");
      g.behind_x = upload(data.face_behind, "points behind faces");
      g.point_region = upload(data.point_region, "regions");
      g.own_region = upload(data.own_region, "regions at faces");
      g.behind_region = upload(data.behind_region, "regions behind faces");
    }
    const double word = static_cast<double>(bytes_of(problem_.precision)), nodes = element.node_count,
                 sides = element.face_count;
    const double unknowns = nodes * fields(), face_nodes = element.face_node_count;
    double flops = 0;
    if (group.pairs) {
      flops = pair_flops(element, fields());
    } else if (is_tensor(element.shape)) {
      // Derivatives along lines and the lift; at points also the way there and back, and the traces behind the faces.
      const double line = element.order + 1, at_faces = 2 * sides * face_nodes * fields();
      flops = unknowns * 2 * element.dim * line + at_faces * line;
      if (by_points(group)) flops += unknowns * 4 * element.dim * line + at_faces * line * element.dim;
    } else if (!by_points(group)) {
      flops = unknowns * 2 * (element.dim * nodes + sides * face_nodes);
      if (group.adjusted())
        flops += 2.0 * counts.volume * nodes * static_cast<double>(2 * adjusted_->moving().size() + adjusted_->reacting().size());
    } else {
      const double terms = element.dim * counts.volume + sides * counts.face;
      flops = 2.0 * fields() * (3 * counts.volume * nodes + nodes * terms + 2 * sides * counts.face * face_nodes);
      if (const int rows = mass_blocks(element, group, g.points).rows; rows > 0) flops += 2.0 * fields() * nodes * (nodes + 2 * rows);
    }
    const double data_words = static_cast<double>(data.geometry.size() + data.normals.size() + data.material.size() +
                                                  data.material_face.size());
    g.work.flops = flops * static_cast<double>(group.count);
    g.work.bytes = 4 * word * unknowns * static_cast<double>(group.count) + word * data_words +
                   4.0 * static_cast<double>(data.neighbour.size());
    groups_.push_back(std::move(g));
    const std::size_t last = groups_.size() - 1;
    set_variant(last, choose_variant(problem_, group_variants(last), group_key(last)));
  }
}

// For prisms and pyramids.
Vector NodalOperator::project_dirac_by_blocks(std::int64_t cell, const Vector& phi) const {
  const ReferenceElement& element = elements_.of_cell(cell);
  const Group curved{.shape = element.shape, .curved = true, .varying = true};
  const GroupPoints points = group_points(element, curved, problem_.mesh->geometry_order());
  const MassBlocks blocks = mass_blocks(element, curved, points);
  const CellMap map(*problem_.mesh, element.shape, blocks.rows == 1 ? blocks.points : points.volume);
  std::vector<double> inverse(static_cast<std::size_t>(element.node_count) * blocks.rows);
  inverse_blocks(blocks, points, map, cell, inverse.data());
  const Vector tested = blocks.to_nodes.transpose() * phi;
  Vector solved(tested.size());
  for (Eigen::Index first = 0; first < tested.size(); first += blocks.rows)
    solved.segment(first, blocks.rows) =
        Eigen::Map<const Matrix>(inverse.data() + first * blocks.rows, blocks.rows, blocks.rows) * tested.segment(first, blocks.rows);
  return blocks.to_nodes * solved;
}

// The mass matrix of a tensor element is diagonal at its Gauss points: V^-1 (1 / (w J)) V^-T phi, V from nodes to
// points.
Vector NodalOperator::project_dirac(std::int64_t cell, const Vector& phi) const {
  const ReferenceElement& element = elements_.of_cell(cell);
  if (!is_tensor(element.shape)) return project_dirac_by_blocks(cell, phi);
  const GroupPoints rule = group_points(element, Group{}, 1);
  // Modes are orthonormal in the rule.
  const Matrix at_points = modes(element.shape, element.order, rule.volume);
  const Matrix back = element.vandermonde * at_points.transpose() * rule.weights.asDiagonal();
  TensorMetrics metrics(*problem_.mesh, element);
  metrics.look(cell);
  Vector values = back.transpose() * phi;
  const int width = element.dim * element.dim + 1;
  for (Eigen::Index p = 0; p < values.size(); ++p) values(p) *= metrics.volume()[(p + 1) * width - 1] / rule.weights(p);
  return back * values;
}

// The mass matrix of two-point fluxes is diagonal at the nodes.
Vector NodalOperator::collocated_dirac(std::int64_t cell, Vector phi) const {
  const ReferenceElement& element = elements_.of_cell(cell);
  const Vector weights = lobatto_product(element.shape, element.order).weights;
  NodalMetrics metrics(*problem_.mesh, element);
  metrics.look(cell);
  for (Eigen::Index n = 0; n < phi.size(); ++n) phi(n) /= weights(n) * metrics.jacobian(static_cast<int>(n));
  return phi;
}

void NodalOperator::build_sources() {
  const int dim = problem_.mesh->dim;
  const bool none = problem_.source.empty() && !problem_.model.viscous();
  source_ = device_.allocate(none ? 64 : layout_->nodes * fields() * bytes_of(problem_.precision), "source");
  if (!problem_.source.empty()) {
    std::vector<double> x(layout_->nodes * dim, 0.0);
    for (const Group& group : layout_->groups) {
      const CellMap map(*problem_.mesh, group.shape, elements_.of(group.shape).nodes);
      for (std::int64_t slot = group.first; slot < group.first + group.padded; ++slot)
        map.coordinates(layout_->cell_of_slot[std::min(slot, group.first + group.count - 1)], x.data() + layout_->first_node(slot) * dim);
    }
    source_x_ = upload(x, "nodes");
  }
  if (problem_.points.empty()) return;
  for (auto& [shape, of] : shapes_) build_points(of);
}

// Point sources in elements of a shape; those elsewhere have no slot.
void NodalOperator::build_points(OfShape& of) {
  const ReferenceElement& element = *of.element;
  const Mesh& mesh = *problem_.mesh;
  const int dim = element.dim, nodes = element.node_count;
  std::vector<std::int32_t> slots;
  std::vector<double> weights, vectors, material, value(std::max(1, material_->parameters()));
  for (const auto& p : problem_.points) {
    if (p.cell < 0 || mesh.shape_of(p.cell) != element.shape) {
      slots.push_back(-1);
      weights.resize(weights.size() + nodes);
      vectors.resize(vectors.size() + 2 * fields());
      material.resize(material.size() + value.size());
      continue;
    }
    slots.push_back(static_cast<std::int32_t>(layout_->first_node(layout_->slot_of_cell[p.cell]) / nodes));
    Matrix at(1, dim);
    for (int d = 0; d < dim; ++d) at(0, d) = p.reference[d];
    double jacobian[9], scaled[9];
    CellMap(mesh, element.shape, at).jacobians(p.cell, jacobian);
    // The Dirac's projection: weights w with (phi, w) = phi(x) for all polynomials phi.
    Vector w = element.interpolation(at).transpose();
    if (problem_.volume_form == VolumeForm::split) {
      w = collocated_dirac(p.cell, w);
    } else if (is_simplex(element.shape) || is_affine(mesh, p.cell)) {
      w = (element.vandermonde * (element.vandermonde.transpose() * w)).eval();
      w /= cofactors(dim, jacobian, scaled);
    } else {
      w = project_dirac(p.cell, w);
    }
    weights.insert(weights.end(), w.data(), w.data() + nodes);
    vectors.insert(vectors.end(), p.balance.begin(), p.balance.end());
    vectors.insert(vectors.end(), p.rate.begin(), p.rate.end());
    material_->sample(p.cell, p.position.data(), 0, value.data());
    material.insert(material.end(), value.begin(), value.end());
  }
  of.points.slot = upload(slots, "point source slots");
  of.points.weight = upload(weights, "point source weights");
  of.points.vector = upload(vectors, "point source vectors");
  of.points.material = upload(material, "point source material");
}

}  // namespace swell
