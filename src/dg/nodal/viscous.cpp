// SPDX-License-Identifier: Apache-2.0
// The viscous terms of the nodal family, before the other terms of a stage: gradients of all fields, which other ranks need as they
// do states, then the divergence of the viscous flux, which joins the source.
#include <algorithm>
#include <bit>
#include <map>

#include "base/error.hpp"
#include "base/timer.hpp"
#include "dg/nodal/operator.hpp"
#include "dg/nodal/viscous_matrices.hpp"
#include "dg/nodal/viscous_text.hpp"

namespace swell {

namespace {

constexpr int usual_threads = 128;                     // of a group on a GPU
constexpr std::size_t usual_shared = 48 * 1024;        // bytes, with which several groups fit on one processor
constexpr int smallest_group = 32;

// Words of an element that its team shares, as kernels/nodal/viscous_*.h lay them out.
int room(const ReferenceElement& element, const GroupPoints& points, int fields) {
  const int dim = element.dim, nodes = element.node_count, on_face = element.face_node_count;
  if (is_tensor(element.shape)) return ((2 + dim) * nodes + (1 + dim) * 2 * on_face) * fields;
  if (points.volume.rows() == 0) return ((2 + dim) * nodes + element.face_count * on_face) * fields;
  const int volume = static_cast<int>(points.volume.rows()), face = static_cast<int>(points.face.rows()), faces = element.face_count * face;
  const int gradients = 2 * nodes + (dim + 1) * volume + 2 * faces + 2 * on_face + 2 * face;
  const int divergence = (2 + dim) * nodes + (1 + dim) * volume + faces + 2 * on_face + 2 * (1 + dim) * face;
  return std::max(gradients, divergence) * fields;
}

ViscousTeams teams_of(const ReferenceElement& element, const GroupPoints& points, const Problem& problem, const DeviceInfo& info) {
  ViscousTeams teams;
  const int fields = static_cast<int>(problem.model.fields.size());
  teams.room = room(element, points, fields);
  if (!info.simt) {
    // Sums of a tile stay in registers; some hold what they are multiplied with.
    const int most = info.vector_registers * 3 / 4;
    teams.fields = fields;
    while (teams.fields > 6 || fields % teams.fields != 0) --teams.fields;
    teams.rows = std::max(1, most / teams.fields);
    return teams;
  }
  const auto shared = [&] { return static_cast<std::size_t>(teams.elements) * teams.room * bytes_of(problem.precision); };
  const int team = static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::min(element.node_count, usual_threads))));
  teams.elements = std::max(1, usual_threads / team);
  while (teams.elements > 1 && shared() > usual_shared) teams.elements /= 2;
  teams.threads = std::max(smallest_group, team * teams.elements);
  if (shared() > static_cast<std::size_t>(info.shared_bytes))
    throw InputError("The viscous terms of '{}' at order {} take {} bytes of shared memory on {}, which has {}; take a lower "
                     "model.order or precision = \"single\".",
                     problem.model.name, element.order, shared(), info.name, info.shared_bytes);
  return teams;
}

// One over the height of a cell above each of its faces, at the face's middle.
class Heights {
 public:
  explicit Heights(const Mesh& mesh) : mesh_(mesh) {}

  double over_height(std::int64_t cell, int face) {
    const Shape shape = mesh_.shape_of(cell);
    const int dim = mesh_.dim;
    const auto [found, is_new] = maps_.try_emplace({shape, face}, nullptr);
    if (is_new) {
      const Shape side = face_shape(shape, face);
      const Matrix corners = side == Shape::point ? Matrix(1, 0) : lattice(side, 1);
      found->second = std::make_unique<CellMap>(mesh_, shape, face_points(shape, face, corners.colwise().mean()));
    }
    double jacobian[9], scaled[9], normal[3] = {};
    found->second->jacobians(cell, jacobian);
    const double j = cofactors(dim, jacobian, scaled);
    for (int d = 0; d < dim; ++d)
      for (int a = 0; a < dim; ++a)
        if (const int part = face_direction(shape, face)[d]; part != 0) normal[a] += part * scaled[d * dim + a];
    // A constant on the face changes by 2 from there to the farthest point.
    return std::hypot(normal[0], normal[1], normal[2]) / (2 * j);
  }

 private:
  const Mesh& mesh_;
  std::map<std::pair<Shape, int>, std::unique_ptr<CellMap>> maps_;
};

// The weight of the jump across a face in the gradient there. Without it the gradient of Bassi and Rebay (1997) loses an order at
// odd orders; a tenth restores it and makes steps 12 to 30 % shorter, where the interior penalty and the local discontinuous Galerkin
// form make them a half to a third as long (1D, all orders 1 to 6; docs/method.md).
constexpr double penalty_factor = 0.1;

double penalty(Heights& heights, const Mesh& mesh, std::int64_t cell, int face, int order) {
  const Neighbour& other = mesh.neighbour(cell, face);
  double most = heights.over_height(cell, face);
  if (other.cell >= 0) most = std::max(most, heights.over_height(other.cell, other.face));
  return penalty_factor * (order + 1) * (order + 1) * most;
}

}  // namespace

struct NodalOperator::Viscous {
  struct OfGroup {
    std::unique_ptr<Program> program;
    std::unique_ptr<Buffer> matrix, penalty;
    int batch = 1;  // elements of an item
    std::map<std::string, Work, std::less<>> work;
  };
  struct OfGhosts {
    std::unique_ptr<Buffer> penalty;
    const Buffer* to_places = nullptr;
  };
  std::vector<OfGroup> groups;
  std::vector<OfGhosts> ghosts;
  std::map<Shape, std::unique_ptr<Program>> walls;
  std::map<Shape, std::unique_ptr<Buffer>> identities;  // from the nodes of a face to themselves
  std::unique_ptr<Buffer> gradient;
  std::int64_t plane = 0;  // scalars of one of its arrays
  std::unique_ptr<HaloExchange> halo;
};

void NodalOperator::build_viscous() {
  if (!problem_.model.viscous()) return;
  if (problem_.total_field)
    throw InputError("[incident] does not go with the viscous terms of the model '{}'; take an incident boundary's [exact] state.",
                     problem_.model.name);
  for (const auto& spec : problem_.boundary)
    if (spec.kind == BoundarySpec::Kind::incident)
      throw InputError("The boundary kind 'incident' does not go with the viscous terms of the model '{}'; take 'dirichlet'.",
                       problem_.model.name);
  viscous_ = std::make_shared<Viscous>();
  Viscous& v = *viscous_;
  v.plane = layout_->all_nodes * fields();
  v.gradient = device_.allocate(v.plane * element_.dim * bytes_of(problem_.precision), "gradients");
  v.gradient->fill_zero();
  Heights heights(*problem_.mesh);
  for (const GroupOnDevice& g : groups_) {
    // Their geometry is known at the nodes, that of the viscous terms at Gauss points.
    if (g.group.pairs && (g.group.curved || g.group.varying))
      throw InputError("model.form = \"split\" goes with the viscous terms of the model '{}' where cells are straight, with opposite sides "
                       "parallel, and their material is constant; take model.form = \"collocated\".",
                       problem_.model.name);
    build_viscous_group(g);
    const int faces = g.element->face_count, lanes = layout_->lanes;
    std::vector<double> steep(g.group.padded * faces);
    for (std::int64_t i = 0; i < g.group.padded; ++i)
      for (int f = 0; f < faces; ++f)
        steep[(i / lanes * faces + f) * lanes + i % lanes] = penalty(
            heights, *problem_.mesh, layout_->cell_of_slot[g.group.first + std::min(i, g.group.count - 1)], f, problem_.order);
    v.groups.back().penalty = upload(steep, "penalties");
  }
  for (const auto& [shape, of] : shapes_) {
    v.walls[shape] = compile(viscous_walls_text(problem_, *of.element, *layout_));
    const int nodes = of.element->face_node_count;
    v.identities[shape] = upload(pack(Matrix::Identity(nodes, nodes), nodes), "identity");
  }
  std::int64_t first = 0;
  for (const Ghosts& ghosts : ghosts_) {
    std::vector<double> steep;
    for (std::int64_t i = first; i < first + ghosts.faces; ++i)
      steep.push_back(penalty(heights, *problem_.mesh, layout_->cell_of_slot[layout_->ghosts[i].slot], layout_->ghosts[i].face,
                              problem_.order));
    first += ghosts.faces;
    v.ghosts.push_back({upload(steep, "penalties"), ghosts.at_points ? ghosts.to_points.get() : v.identities.at(ghosts.shape).get()});
  }
  if (!halo_) return;
  std::vector<HaloRows> rows = halo_rows(neighbour_ranks(*problem_.mesh));
  for (HaloRows& other : rows)
    for (auto* list : {&other.sent, &other.expected}) {
      const std::size_t count = list->size();
      for (int a = 1; a < element_.dim; ++a)
        for (std::size_t i = 0; i < count; ++i) list->push_back((*list)[i] + a * v.plane);
    }
  const Stopwatch clock;
  v.halo = std::make_unique<HaloExchange>(device_, problem_.precision, *problem_.ranks, rows, fields());
  compile_seconds_ += clock.seconds();
}

void NodalOperator::build_viscous_group(const GroupOnDevice& g) {
  const ReferenceElement& element = *g.element;
  Viscous::OfGroup of;
  const ViscousTeams teams = teams_of(element, g.points, problem_, device_.info());
  of.program = compile(viscous_text(problem_, element, *layout_, g.group, g.points, teams));
  of.matrix = upload(viscous_matrices(element, g.group, g.points, device_.info().simt ? 0 : teams.rows), "viscous matrices");
  of.batch = device_.info().simt ? teams.elements : layout_->lanes;
  // States and gradients pass once in each direction; on tensor elements derivatives run along lines.
  const double unknowns = static_cast<double>(element.node_count) * fields() * static_cast<double>(g.group.count);
  const double word = static_cast<double>(bytes_of(problem_.precision)), dim = element.dim, line = element.order + 1;
  const double sum = is_tensor(element.shape) ? 3 * line
                                              : static_cast<double>(element.node_count + element.face_count * element.face_node_count);
  of.work["gradients"] = {word * unknowns * (1 + dim), unknowns * dim * 2 * sum};
  of.work["divergence"] = {word * unknowns * (2 + dim), unknowns * dim * 2 * sum};
  viscous_->groups.push_back(std::move(of));
}

void NodalOperator::launch_viscous(const char* kernel, Buffer& q, bool border) {
  const Viscous& v = *viscous_;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const GroupOnDevice& g = groups_[i];
    const Viscous::OfGroup& of = v.groups[i];
    if (g.group.border != border) continue;
    const std::int64_t first = g.group.place / layout_->lanes, items = g.group.batches(of.batch);
    const Work& work = of.work.find(kernel)->second;
    if (std::string_view(kernel) == "gradients")
      device_.queue().launch(of.program->kernel(kernel), items,
                             {q, *v.gradient, *g.geometry, *g.normals, *g.neighbour, *of.matrix, first, v.plane}, work);
    else
      device_.queue().launch(of.program->kernel(kernel), items,
                             {q, *v.gradient, *source_, *g.geometry, *g.normals, *g.material, *g.material_face, *g.neighbour,
                              *of.matrix, *of.penalty, first, v.plane},
                             work);
  }
}

void NodalOperator::launch_walls(const char* kernel, double t, Buffer& q) {
  const Viscous& v = *viscous_;
  for (std::size_t i = 0; i < ghosts_.size(); ++i) {
    const Ghosts& g = ghosts_[i];
    const Viscous::OfGhosts& of = v.ghosts[i];
    const std::int64_t places = g.places, at_points = g.at_points ? 1 : 0;
    const Kernel& k = v.walls.at(g.shape)->kernel(kernel);
    if (std::string_view(kernel) == "wall_values")
      device_.queue().launch(k, g.faces * places, {q, *g.index, *g.x, *g.n, *g.m, *of.to_places, places, at_points, Argument::time(t)},
                             g.work);
    else
      device_.queue().launch(k, g.faces * places,
                             {q, *v.gradient, *g.index, *g.x, *g.n, *g.m, *of.to_places, *of.penalty, places, at_points, v.plane,
                              Argument::time(t)},
                             g.work);
  }
}

void NodalOperator::add_viscous_work(Work& all) const {
  if (!viscous_) return;
  for (const Viscous::OfGroup& of : viscous_->groups)
    for (const auto& [kernel, work] : of.work) all.bytes += work.bytes, all.flops += work.flops;
}

// Messages of other ranks are on their way while the elements that do not touch them are done. Behind boundaries the state holds mirrors
// for the viscous terms until the other terms put theirs there.
void NodalOperator::fill_gradients(double t, Buffer& q) {
  if (halo_) halo_->start(q);
  if (material_->in_time()) update_material(t);
  launch_walls("wall_values", t, q);
  launch_viscous("gradients", q, false);
  if (!halo_) return;
  halo_->finish(q);
  launch_viscous("gradients", q, true);
}

void NodalOperator::add_viscous(double t, Buffer& q) {
  fill_gradients(t, q);
  if (halo_) viscous_->halo->start(*viscous_->gradient);
  fill_source(t);
  launch_walls("wall_fluxes", t, q);
  launch_viscous("divergence", q, false);
  if (!halo_) return;
  viscous_->halo->finish(*viscous_->gradient);
  launch_viscous("divergence", q, true);
}

Buffer& NodalOperator::wall_fluxes(double t, Buffer& q) {
  fill_gradients(t, q);
  launch_walls("wall_fluxes", t, q);
  return *viscous_->gradient;
}

}  // namespace swell
