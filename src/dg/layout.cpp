// SPDX-License-Identifier: Apache-2.0
#include "dg/layout.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <mutex>

#include "base/error.hpp"
#include "base/host_threads.hpp"
#include "dg/group_data.hpp"
#include "mesh/geometry.hpp"

namespace swell {

namespace {

constexpr int total_here = -1, scattered_here = -2;
constexpr char kind_count = 5, adjusted_kind = 4;
// Groups that are integrated at points come last.
constexpr char kinds_in_order[kind_count] = {0, adjusted_kind, 1, 2, 3};

// The kind of kernel that a cell needs: bit 0 material (and where the case asks for it fluxes) at points, bit 1 a map that is not
// affine; or adjusted_kind, material that varies inside and takes one value on each side of a face.
std::vector<char> kinds(const Problem& problem, const MaterialField& material, const AdjustedMass* adjusted) {
  const Mesh& mesh = *problem.mesh;
  std::vector<char> kind(mesh.own_count(), 0);
  for_pieces(std::ssize(kind), [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> own(material.parameters()), behind(own);
    for (std::int64_t cell = begin; cell < end; ++cell) {
      const int faces = face_count(mesh.shape_of(cell));
      // The face of a straight cell with one material would have to see a neighbour's material that varies along it.
      bool varying = material.varies(cell);
      for (int f = 0; f < faces && !varying; ++f) {
        const auto other = mesh.neighbour(cell, f).cell;
        varying = other >= 0 && material.varies(other);
      }
      if (varying) kind[cell] |= 1;
      if (!is_affine(mesh, cell)) kind[cell] |= 2;
      bool constant_faces = kind[cell] == 1 && adjusted && adjusted->possible();
      for (int f = 0; f < faces && constant_faces; ++f) constant_faces = adjusted->face(cell, f, own.data(), behind.data());
      if (constant_faces) kind[cell] = adjusted_kind;
    }
  });
  return kind;
}

bool touches_halo(const Mesh& mesh, std::int64_t cell) {
  for (int f = 0; f < face_count(mesh.shape_of(cell)); ++f)
    if (mesh.neighbour(cell, f).cell >= mesh.own_count()) return true;
  return false;
}

int cluster_of(const Problem& problem, std::int64_t cell) { return problem.cluster.empty() ? 0 : problem.cluster[cell]; }

bool is_beside_finer(const Problem& problem, std::int64_t cell) {
  if (problem.cluster.empty()) return false;
  for (int f = 0; f < face_count(problem.mesh->shape_of(cell)); ++f)
    if (const auto other = problem.mesh->neighbour(cell, f).cell; other >= 0 && problem.cluster[other] < problem.cluster[cell]) return true;
  return false;
}

// The elements of each kind and shape on all ranks together.
struct KindTotals {
  explicit KindTotals(std::size_t classes) : count(classes, 0), homogeneous(classes, 1) {}
  std::vector<std::int64_t> count;
  std::vector<char> homogeneous;
};

// `class_of`: the number of a cell's kind and shape.
KindTotals totals(const Problem& problem, const MaterialField& material, const std::vector<int>& class_of, std::size_t classes) {
  const Mesh& mesh = *problem.mesh;
  const int parameters = material.parameters();
  constexpr double most = std::numeric_limits<double>::infinity();
  std::vector<double> low(classes * parameters, most), high(classes * parameters, -most);
  KindTotals all(classes);
  std::mutex one_at_a_time;
  for_pieces(std::ssize(class_of), [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::int64_t> count(classes, 0);
    std::vector<double> lowest(low.size(), most), highest(high.size(), -most);
    for (std::int64_t cell = begin; cell < end; ++cell) {
      const int number = class_of[cell];
      ++count[number];
      const auto look = [&](std::int64_t at) {
        for (int k = 0; k < parameters; ++k) {
          const double value = material.constant(at)[k];
          double &least = lowest[number * parameters + k], &largest = highest[number * parameters + k];
          least = std::min(least, value), largest = std::max(largest, value);
        }
      };
      look(cell);
      for (int f = 0; f < face_count(mesh.shape_of(cell)); ++f)
        if (const auto other = mesh.neighbour(cell, f).cell; other >= 0) look(other);
    }
    const std::lock_guard lock(one_at_a_time);
    for (std::size_t k = 0; k < classes; ++k) all.count[k] += count[k];
    for (std::size_t k = 0; k < low.size(); ++k) low[k] = std::min(low[k], lowest[k]), high[k] = std::max(high[k], highest[k]);
  });
  problem.ranks->sum(all.count);
  problem.ranks->smallest(low);
  problem.ranks->largest(high);
  if (problem.model.face_matrix >= 0) std::fill(all.homogeneous.begin(), all.homogeneous.end(), 0);  // its faces differ
  for (std::size_t k = 0; k < classes; ++k)
    for (int i = 0; i < parameters; ++i)
      if (low[k * parameters + i] != high[k * parameters + i]) all.homogeneous[k] = 0;
  return all;
}

std::int64_t rounded_up(std::int64_t value, std::int64_t step) { return (value + step - 1) / step * step; }

// Finds what face f of a slot has behind it; faces on boundaries go to `found`, where their ghosts have no place yet.
void fill_behind(Layout& layout, const Problem& problem, std::int64_t slot, const Group& group, int f, std::vector<GhostFace>& found) {
  const Mesh& mesh = *problem.mesh;
  std::int32_t* entry = layout.behind.data() + (slot * layout.behind_faces + f) * 2;
  const auto cell = layout.cell_of_slot[slot];
  entry[0] = static_cast<std::int32_t>(layout.address(slot));  // padding meets itself
  entry[1] = layout.code(group.shape, f, 0);
  if (cell < 0) return;
  const Neighbour& n = mesh.neighbour(cell, f);
  if (n.cell < 0) {
    const int last = static_cast<int>(problem.boundary.size()) - 1;
    found.push_back({slot, f, n.boundary >= 0 ? n.boundary : last, -1, 0});
    return;
  }
  entry[0] = static_cast<std::int32_t>(layout.address(layout.slot_of_cell[n.cell]));
  entry[1] = layout.code(mesh.shape_of(n.cell), n.face, n.orientation);
  if (cluster_of(problem, n.cell) != group.cluster) {
    const auto number = static_cast<std::int64_t>(layout.between.size());
    layout.between.push_back({slot, f, layout.slot_of_cell[n.cell], entry[1], problem.cluster[n.cell]});
    entry[0] = static_cast<std::int32_t>(layout.between_address(number));
    entry[1] = layout.ghost_code + static_cast<int>(number % layout.ghosts_per_slot);
  }
  if (problem.total_field && problem.total_field->total[cell] != problem.total_field->total[n.cell])
    found.push_back({slot, f, problem.total_field->total[cell] ? total_here : scattered_here, entry[0], entry[1]});
}

constexpr std::int64_t most_addresses = std::numeric_limits<std::int32_t>::max();  // kernels count them in 32 bits

}  // namespace

Layout::Layout(const Problem& problem, const Elements& all, const MaterialField& material, const Device& device,
               const AdjustedMass* adjusted)
    : lanes(device.lanes(problem.precision)),
      unit(all.mixed() ? 1 : all.first().node_count),
      most_nodes(all.most_nodes()),
      elements(problem.mesh->own_count()) {
  // Ghost slots behind every face at the most.
  for (const auto& [shape, element] : all.all()) behind_faces = std::max(behind_faces, element.face_count);
  const std::int64_t of_cell = all.mixed() ? std::int64_t{2} * all.most_nodes() : behind_faces + 1;
  if (elements > most_addresses / of_cell)
    throw InputError("The mesh {} has {} cells; this version takes at most {} on one device.", problem.mesh->name, elements,
                     most_addresses / of_cell);
  add_groups(problem, all, material, adjusted, device.info().simt ? largest_batch : lanes);
  add_codes(all);
  look_behind(problem, all);
  if (all.mixed()) place_mixed_ghosts();
  else place_ghosts();
}

const Group& Layout::group_of(std::int64_t slot) const {
  const Group* group = groups.data();
  while (slot >= group->first + group->padded) ++group;
  return *group;
}

void Layout::add_groups(const Problem& problem, const Elements& all_elements, const MaterialField& material,
                        const AdjustedMass* adjusted, int padding) {
  const Mesh& mesh = *problem.mesh;
  auto kind = kinds(problem, material, adjusted);
  const bool mixed = all_elements.mixed();
  if (!problem.model.linear && (mixed || !is_simplex(mesh.shape()))) {
    // A nonlinear flux at nodes and at points is not the same: all faces of a mesh take one of them. A linear flux
    // between cells of one material each is a polynomial on their face, which both describe.
    char all = 0;
    for (char k : kind) all |= k;
    std::array<double, 2> anywhere{all & 1 ? 1.0 : 0.0, all & 2 ? 1.0 : 0.0};
    problem.ranks->largest(anywhere);
    all = static_cast<char>((anywhere[0] > 0 ? 1 : 0) | (anywhere[1] > 0 ? 2 : 0));
    // Affine simplices, prisms and pyramids at points need no geometry at each of them.
    for (std::size_t cell = 0; cell < kind.size(); ++cell)
      kind[cell] = !is_tensor(mesh.shape_of(static_cast<std::int64_t>(cell))) && (kind[cell] & 2) == 0 && (all & 2) != 0 ? char{1} : all;
  }
  // Viscous fluxes of quadrilaterals and hexahedra are taken at Gauss points of faces; what lies beside them must take the same. Those of
  // prisms and pyramids have no other form.
  const bool wedges = std::ranges::any_of(mesh.shapes(), [](Shape shape) { return !is_simplex(shape) && !is_tensor(shape); });
  if (problem.volume_form == VolumeForm::quadrature || (problem.model.viscous() && (mixed || wedges)))
    for (char& k : kind) k = k == adjusted_kind ? 1 : static_cast<char>(k | 1);
  for (std::int64_t cell = 0; cell < elements; ++cell)
    if (!is_tensor(mesh.shape_of(cell)) && kind[cell] == 3) kind[cell] = 2;  // curved ones have their material at points anyway
  std::vector<Shape> shapes;
  for (const auto& [shape, element] : all_elements.all()) shapes.push_back(shape);
  const int shape_count = static_cast<int>(shapes.size());
  std::vector<int> class_of(elements);
  for_pieces(elements, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t cell = begin; cell < end; ++cell) {
      const auto at = std::find(shapes.begin(), shapes.end(), mesh.shape_of(cell));
      class_of[cell] = kind[cell] * shape_count + static_cast<int>(at - shapes.begin());
    }
  });
  const auto order = space_filling_order(mesh);
  const KindTotals all = totals(problem, material, class_of, std::size_t{kind_count} * shapes.size());
  slot_of_cell.assign(mesh.cell_count(), -1);
  // ADER is for modes, or for nodal cells with one kernel.
  const auto is_near = [&](std::int64_t cell) {
    return !problem.near_points.empty() && problem.near_points[cell] && (problem.family == Family::modal || kind[cell] == 0);
  };
  clusters = problem.clusters;
  // The cells of each group, along the curve; of a cluster those beside a finer one come first.
  std::array<int, kind_count> place_of_kind{};
  for (int i = 0; i < kind_count; ++i) place_of_kind[kinds_in_order[i]] = i;
  const int places = kind_count * shape_count * clusters;
  const auto number_of_group = [&](bool near, int place, bool border, bool beside_finer) {
    return (((near ? 0 : 1) * places + place) * 2 + (border ? 1 : 0)) * 2 + (beside_finer ? 0 : 1);
  };
  const ByClass of_group = sorted_by_class(std::ssize(order), 8 * places, [&](std::int64_t i) {
    const auto cell = order[i];
    if (cell >= elements) return -1;
    const int k = class_of[cell] / shape_count, shape = class_of[cell] % shape_count, cluster = cluster_of(problem, cell);
    return number_of_group(is_near(cell), (place_of_kind[k] * shape_count + shape) * clusters + cluster, touches_halo(mesh, cell),
                           cluster > 0 && is_beside_finer(problem, cell));
  });
  for (const bool near : {true, false})
    for (int place = 0; place < kind_count * shape_count * clusters; ++place)
      for (const bool border : {false, true}) {
        const int cluster = place % clusters, kind_and_shape = place / clusters;
        const char k = kinds_in_order[kind_and_shape / shape_count];
        const int number = k * shape_count + kind_and_shape % shape_count;
        Group group;
        group.shape = shapes[kind_and_shape % shape_count];
        group.curved = k == 2 || k == 3;
        group.varying = is_tensor(group.shape) ? (k & 1) != 0 : k >= 1;
        group.weights = k == adjusted_kind && adjusted ? adjusted->weights() : 0;
        group.first = slots;
        group.border = border;
        group.near = near;
        group.cluster = cluster;
        group.homogeneous = all.homogeneous[number] != 0;
        group.everywhere = all.count[number];
        group.gauss_faces = mixed && mesh.dim == 2;
        group.pairs = problem.volume_form == VolumeForm::split;
        // In a mixed mesh all shapes take the points that suit each other on faces.
        if (problem.volume_form == VolumeForm::quadrature && !mixed) group.degree = problem.degree > 0 ? problem.degree : 2 * problem.order;
        // Points for a nonlinear flux on simplices need not suit a material; on triangular faces their degree is one more.
        if (mixed && !problem.model.linear && is_simplex(group.shape) && by_points(group) && (mesh.dim == 2 || mesh.geometry_order() == 1))
          group.degree = 2 * problem.order + (mesh.dim == 2 ? 0 : 1);
        const ReferenceElement& element = all_elements.of(group.shape);
        if (group.everywhere > 0 && by_points(group))
          face_points = std::max(face_points, static_cast<int>(group_points(element, group, mesh.geometry_order()).face.rows()));
        const std::int64_t first = of_group.start[number_of_group(near, place, border, true)];
        group.beside_finer = of_group.start[number_of_group(near, place, border, false)] - first;
        group.count = of_group.start[number_of_group(near, place, border, false) + 1] - first;
        if (group.count == 0) continue;
        cell_of_slot.resize(slots + group.count);
        for_pieces(group.count, [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t i = begin; i < end; ++i) {
            const auto cell = order[of_group.item[first + i]];
            slot_of_cell[cell] = slots + i;
            cell_of_slot[slots + i] = cell;
          }
        });
        group.padded = rounded_up(group.count, padding);
        slots += group.padded;
        cell_of_slot.resize(slots, -1);
        // A group begins at a whole number of its own batches.
        nodes = rounded_up(nodes, std::int64_t{padding} * element.node_count);
        group.place = nodes / element.node_count;
        for (std::int64_t i = 0; mixed && i < group.padded; ++i) first_node_.push_back(nodes + i * element.node_count);
        nodes += group.padded * element.node_count;
        groups.push_back(group);
      }
  nodes = rounded_up(nodes, std::int64_t{padding} * all_elements.first().node_count);
  all_nodes = nodes;
  for (std::int64_t cell = elements; cell < mesh.cell_count(); ++cell) {
    slot_of_cell[cell] = slots + halo_slots++;
    if (mixed) first_node_.push_back(all_nodes);
    all_nodes += all_elements.node_count(cell);
  }
}

void Layout::add_codes(const Elements& all) {
  int longest = 0;
  for (const auto& [shape, element] : all.all())
    for (int face = 0; face < element.face_count; ++face) turns = std::max(turns, orientation_count(face_shape(shape, face)));
  for (const auto& [shape, element] : all.all()) {
    first_code[shape] = static_cast<int>(codes.size());
    longest = std::max(longest, element.face_node_count);
    for (int face = 0; face < element.face_count; ++face)
      for (int o = 0; o < turns; ++o)
        codes.push_back(element.neighbour_nodes(face, o < orientation_count(face_shape(shape, face)) ? o : 0));
  }
  ghost_code = static_cast<int>(codes.size());
  ghosts_per_slot = all.mixed() ? 1 : unit / longest;
  for (int place = 0; place < ghosts_per_slot; ++place) {
    std::vector<int> nodes_of_place(longest);
    for (int i = 0; i < longest; ++i) nodes_of_place[i] = place * longest + i;
    codes.push_back(std::move(nodes_of_place));
  }
  for (auto& row : codes) row.resize(longest, row.back());
  if (face_points == 0) return;
  // Kernels read the first values of a trace at points as if they were nodes' before they take them for what they are.
  const auto first_place = codes[ghost_code];
  point_code = static_cast<int>(codes.size());
  codes.push_back(first_place);
  slots_per_ghost = (face_points + unit - 1) / unit;
}

void Layout::look_behind(const Problem& problem, const Elements& all) {
  behind.assign(slots * behind_faces * 2, 0);
  for (const Group& group : groups) {
    const auto fill = [&](std::int64_t begin, std::int64_t end, std::vector<GhostFace>& found) {
      for (std::int64_t slot = group.first + begin; slot < group.first + end; ++slot)
        for (int f = 0; f < all.of(group.shape).face_count; ++f) fill_behind(*this, problem, slot, group, f, found);
    };
    // Faces between clusters are numbered as they are found: by one thread.
    const std::int64_t piece = problem.cluster.empty() ? usual_piece : group.padded;
    const auto of_group = found_in_pieces<GhostFace>(group.padded, piece, fill);
    ghosts.insert(ghosts.end(), of_group.begin(), of_group.end());
  }
  between_slots = between_address(static_cast<std::int64_t>(between.size()) + ghosts_per_slot - 1) - slots - halo_slots;
  std::int64_t first_by_points = slots;
  for (const Group& group : groups)
    if (by_points(group)) first_by_points = std::min(first_by_points, group.first);
  std::stable_sort(ghosts.begin(), ghosts.end(), [](const auto& a, const auto& b) { return a.spec < b.spec; });
  if (!problem.cluster.empty())  // each has its ghosts together
    std::stable_sort(ghosts.begin(), ghosts.end(),
                     [&](const auto& a, const auto& b) { return group_of(a.slot).cluster < group_of(b.slot).cluster; });
  // Each shape has kernels of its own, and each kind of its faces points of its own.
  const auto kind_of_face = [&](const GhostFace& ghost) {
    const Shape shape = group_of(ghost.slot).shape;
    return std::pair{shape, face_shape(shape, ghost.face)};
  };
  if (all.mixed() || face_shapes(all.first().shape).size() > 1)
    std::stable_sort(ghosts.begin(), ghosts.end(), [&](const auto& a, const auto& b) { return kind_of_face(a) < kind_of_face(b); });
  // Groups that are integrated at points come last.
  const auto at_points =
      std::stable_partition(ghosts.begin(), ghosts.end(), [&](const auto& g) { return g.slot < first_by_points; });
  nodal_ghosts = at_points - ghosts.begin();
  const auto here = [&](const GhostFace& g) { return g.behind_slot < nodes / unit || (!between.empty() && g.behind_slot >= slots + halo_slots); };
  nodal_across = at_points - std::stable_partition(ghosts.begin(), at_points, here);
  point_across = ghosts.end() - std::stable_partition(at_points, ghosts.end(), here);
}

void Layout::place_ghosts() {
  const auto count = static_cast<std::int64_t>(ghosts.size());
  const std::int64_t first = slots + halo_slots + between_slots;
  ghost_slots = ghost_address(count) - first;
  all_nodes = (first + ghost_slots) * unit;
  if (first + ghost_slots > most_addresses)
    throw InputError("The mesh has {} cells with {} faces on boundaries, which is more than this version takes on one device.",
                     elements, count);
  for (std::int64_t g = 0; g < count; ++g) {
    std::int32_t* entry = behind.data() + (ghosts[g].slot * behind_faces + ghosts[g].face) * 2;
    entry[0] = static_cast<std::int32_t>(ghost_address(g));
    entry[1] = g < nodal_ghosts ? ghost_code + static_cast<int>(g % ghosts_per_slot) : point_code;
  }
}

// One trace behind the other.
void Layout::place_mixed_ghosts() {
  const auto count = static_cast<std::int64_t>(ghosts.size());
  const auto longest = static_cast<std::int64_t>(codes.front().size());
  for (std::int64_t g = 0; g < count; ++g) {
    ghost_address_.push_back(all_nodes);
    all_nodes += g < nodal_ghosts ? longest : std::max<std::int64_t>(longest, face_points);
    std::int32_t* entry = behind.data() + (ghosts[g].slot * behind_faces + ghosts[g].face) * 2;
    entry[0] = static_cast<std::int32_t>(ghost_address_.back());
    entry[1] = g < nodal_ghosts ? ghost_code : point_code;
  }
  if (all_nodes > most_addresses)
    throw InputError("The mesh has {} cells with {} faces on boundaries, which is more than this version takes on one device.",
                     elements, count);
}

// Where the trace of a ghost lies; for the number of ghosts, the address behind the last one.
std::int64_t Layout::ghost_address(std::int64_t ghost) const {
  if (!ghost_address_.empty()) return ghost_address_[ghost];
  const std::int64_t first = slots + halo_slots + between_slots;
  if (ghost < nodal_ghosts) return first + ghost / ghosts_per_slot;
  const std::int64_t at_nodes = (nodal_ghosts + ghosts_per_slot - 1) / ghosts_per_slot;
  return first + at_nodes + (ghost - nodal_ghosts) * slots_per_ghost;
}

}  // namespace swell
