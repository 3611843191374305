// SPDX-License-Identifier: Apache-2.0
#include "cg/levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>

#include "base/host_threads.hpp"
#include "base/set_up_phase.hpp"
#include "mesh/geometry.hpp"

namespace swell {

namespace {

constexpr double smallest_weight = 1e-13;
// Degrees of the smoother on linear elements. The eigenvalues that it works on spread as the square of the order, more so
// between the crowded nodes of tetrahedra, prisms and pyramids, and a Chebyshev polynomial damps a spread with the root of it.
constexpr int lowest_degree = 3;

int smoother_degree(const Elements& elements) {
  const int order = elements.order();
  const bool crowded = std::any_of(elements.all().begin(), elements.all().end(), [](const auto& of) { return of.second.dim == 3 && !is_tensor(of.first); });
  return lowest_degree + (crowded ? 3 * order / 2 : (order + 1) / 2);
}

// Where each unknown is seen first: the smallest of its nodes.
std::vector<std::int32_t> first_nodes(const ContinuousOperator& of) {
  const std::vector<std::int32_t>& of_node = of.numbering().of_node;
  std::vector<std::int32_t> first(static_cast<std::size_t>(of.size()), std::numeric_limits<std::int32_t>::max());
  for_pieces(std::ssize(of_node), 16 * usual_piece, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      if (of_node[i] >= std::ssize(first)) continue;
      const std::atomic_ref least(first[of_node[i]]);
      const auto node = static_cast<std::int32_t>(i);
      for (std::int32_t was = least.load(std::memory_order_relaxed); node < was;)
        if (least.compare_exchange_weak(was, node, std::memory_order_relaxed)) break;
    }
  });
  return first;
}

// Rows of a matrix in the order in which one thread found them.
struct FoundRows {
  std::vector<std::int32_t> row, end, column;  // of each row its number and where its columns end
  std::vector<double> value;
};

// A row for each unknown of `fine`: the values there of the functions of `coarse`. Given values take no part. at_node(cell, element, node,
// add) calls add(cell of the coarse operator, values of its functions) for a node of a cell.
template <class AtNode>
SparseRows rows_between(const ContinuousOperator& fine, const ContinuousOperator& coarse, const AtNode& at_node) {
  const Elements& elements = fine.elements();
  const std::int64_t cells = fine.mesh().cell_count(), size = fine.size();
  const std::vector<std::int32_t> first = first_nodes(fine);
  std::vector<FoundRows> found(static_cast<std::size_t>((cells + usual_piece - 1) / usual_piece));
  SparseRows out;
  out.start.assign(static_cast<std::size_t>(size) + 1, 0);
  for_pieces(cells, [&](std::int64_t begin, std::int64_t end) {
    FoundRows& here = found[begin / usual_piece];
    for (std::int64_t cell = begin; cell < end; ++cell)
      for (int n = 0; n < elements.node_count(cell); ++n) {
        const std::int32_t unknown = fine.places_of(cell)[n];
        if (unknown >= size || first[unknown] != elements.first_node(cell) + n) continue;
        const auto before = std::ssize(here.column);
        at_node(cell, elements.of_cell(cell), n, [&](std::int64_t coarse_cell, const double* values) {
          const std::int32_t* const places = coarse.places_of(coarse_cell);
          for (int m = 0; m < coarse.elements().node_count(coarse_cell); ++m)
            if (std::abs(values[m]) > smallest_weight && places[m] < coarse.size()) here.column.push_back(places[m]), here.value.push_back(values[m]);
        });
        here.row.push_back(unknown);
        here.end.push_back(static_cast<std::int32_t>(std::ssize(here.column)));
        out.start[unknown + 1] = static_cast<std::int32_t>(std::ssize(here.column) - before);
      }
  });
  for (std::int64_t i = 0; i < size; ++i) out.start[i + 1] += out.start[i];
  out.column.resize(static_cast<std::size_t>(out.start.back()));
  out.value.resize(out.column.size());
  for_pieces(std::ssize(found), 1, [&](std::int64_t piece, std::int64_t) {
    const FoundRows here = std::move(found[piece]);
    for (std::size_t i = 0; i < here.row.size(); ++i) {
      const std::int32_t begin = i == 0 ? 0 : here.end[i - 1], to = out.start[here.row[i]];
      std::copy(here.column.begin() + begin, here.column.begin() + here.end[i], out.column.begin() + to);
      std::copy(here.value.begin() + begin, here.value.begin() + here.end[i], out.value.begin() + to);
    }
  });
  return out;
}

SparseRows between_orders(const ContinuousOperator& fine, const ContinuousOperator& coarse) {
  std::map<Shape, Matrix> values;
  for (const auto& [shape, element] : fine.elements().all()) values[shape] = coarse.elements().of(shape).interpolation(element.nodes);
  return rows_between(fine, coarse, [&](std::int64_t cell, const ReferenceElement& element, int node, const auto& add) {
    add(cell, values.at(element.shape).row(node).data());
  });
}

SparseRows between_meshes(const ContinuousOperator& fine, const ContinuousOperator& coarse) {
  const Locator locator(coarse.mesh());
  std::map<Shape, CellMap> maps;
  for (const auto& [shape, element] : fine.elements().all()) maps.emplace(shape, CellMap(fine.mesh(), shape, element.nodes));
  const int dim = fine.mesh().dim;
  return rows_between(fine, coarse, [&](std::int64_t cell, const ReferenceElement& element, int node, const auto& add) {
    std::vector<double> x(static_cast<std::size_t>(element.node_count * dim));
    maps.at(element.shape).coordinates(cell, x.data());
    const auto hit = locator.find(x.data() + node * dim);
    Matrix at(1, dim);
    for (int d = 0; d < dim; ++d) at(0, d) = hit.reference[d];
    const Matrix values = coarse.elements().of_cell(hit.cell).interpolation(at);
    add(hit.cell, values.data());
  });
}

// Half as many cells along the axes that can be halved, those first along which cells are much shorter: only along these does a
// smoother leave nothing but what coarser cells can hold. Nothing where no axis can be halved, or where cells are
// moved: coarser ones would not hold whole cells. Below cells of several shapes are those of one.
std::optional<BoxOptions> coarser(BoxOptions box) {
  box.mixed = false;
  if (!box.equal_cells()) return std::nullopt;
  constexpr double alike = 1.5;
  const auto length = [&](std::size_t axis) { return (box.high[axis] - box.low[axis]) / static_cast<double>(box.cells[axis]); };
  const auto can = [&](std::size_t axis) {
    const bool periodic = !box.periodic.empty() && box.periodic[axis];
    // Pyramids come in pairs of bricks.
    return box.cells[axis] % (box.shape == Shape::pyramid ? 4 : 2) == 0 && box.cells[axis] / 2 >= (periodic ? 3 : 1);
  };
  double shortest = INFINITY;
  for (std::size_t axis = 0; axis < box.cells.size(); ++axis)
    if (can(axis)) shortest = std::min(shortest, length(axis));
  if (std::isinf(shortest)) return std::nullopt;
  for (std::size_t axis = 0; axis < box.cells.size(); ++axis)
    if (can(axis) && length(axis) <= alike * shortest) box.cells[axis] /= 2;
  return box;
}

}  // namespace

std::vector<DiffusionBoundary> without_loads(std::vector<DiffusionBoundary> boundary) {
  for (DiffusionBoundary& b : boundary) b.value = Expression();
  return boundary;
}

DiffusionProblem without_loads(DiffusionProblem problem) {
  problem.source = Expression();
  problem.points.clear();
  problem.boundary = without_loads(std::move(problem.boundary));
  return problem;
}

HeatLevels::HeatLevels(ContinuousOperator& fine, const std::optional<BoxOptions>& box, bool steady, const SharedMesh* shared)
    : fine_(fine), boundary_(without_loads(fine.problem().boundary)) {
  if (shared) {
    share_orders(*shared, box, steady);
    return;
  }
  SetUpPhase phase("the levels of multigrid");
  const auto add = [&](std::unique_ptr<Mesh> mesh, int order) {
    phase.next(fmt::format("level {} of multigrid", coarse_.size() + 2));
    const ContinuousOperator& before = coarse_.empty() ? fine_ : *coarse_.back().of;
    DiffusionProblem problem = without_loads(fine_.problem());
    problem.order = order;
    if (mesh) problem.mesh = mesh.get(); else problem.mesh = before.problem().mesh;
    auto of = std::make_unique<ContinuousOperator>(problem, fine_.vectors(), steady);
    prolongation_.push_back(mesh ? between_meshes(before, *of) : between_orders(before, *of));
    coarse_.push_back({std::move(mesh), std::move(of)});
  };
  for (int order = fine.elements().order() / 2; order >= 1; order /= 2) add(nullptr, order);
  if (!box) return;
  for (auto next = coarser(*box); next; next = coarser(*next)) add(std::make_unique<Mesh>(make_box(*next)), 1);
}

void HeatLevels::share_orders(const SharedMesh& shared, const std::optional<BoxOptions>& box, bool steady) {
  const Mesh& part = fine_.mesh();
  const auto along_curve = space_filling_order(part);
  for (int order = fine_.elements().order() / 2; order >= 1; order /= 2) {
    ContinuousOperator& before = coarse_.empty() ? fine_ : *coarse_.back().of;
    DiffusionProblem problem = without_loads(fine_.problem());
    problem.order = order;
    RankNodes nodes = rank_nodes(problem, shared, fine_.vectors().ranks(), along_curve);
    auto of = std::make_unique<ContinuousOperator>(problem, fine_.vectors(), steady, std::move(nodes));
    prolongation_.push_back(between_orders(before, *of));
    coarse_.push_back({nullptr, std::move(of)});
  }
  gathered_ = std::make_unique<GatheredLevel>(coarse_.empty() ? fine_ : *coarse_.back().of, shared, box, steady);
}

// Whatever was made of the operators as they were.
void HeatLevels::forget() {
  multigrid_.reset();
  aggregates_.reset();
  scaled_.clear();
  inverse_diagonal_.clear();
}

void HeatLevels::set_material(const std::vector<DiffusionMaterial>& material) {
  forget();
  for (const Coarse& coarse : coarse_) coarse.of->set_material(material);
  if (gathered_) gathered_->set_material(material);
}

std::vector<ProgramText> HeatLevels::texts_for(const std::vector<DiffusionMaterial>& material) const {
  std::vector<ProgramText> all = gathered_ ? gathered_->texts_for(material) : std::vector<ProgramText>();
  for (const Coarse& coarse : coarse_)
    for (ProgramText& text : coarse.of->texts_for(material)) all.push_back(std::move(text));
  return all;
}

void HeatLevels::expect(const std::vector<DiffusionMaterial>& material) {
  for (const Coarse& coarse : coarse_) coarse.of->expect(material);
  if (gathered_) gathered_->expect(material);
}

void HeatLevels::set_loads(const std::vector<DiffusionBoundary>& boundary) {
  const auto same_transfer = [](const DiffusionBoundary& one, const DiffusionBoundary& other) {
    return one.transfer.text() == other.transfer.text();
  };
  if (std::equal(boundary.begin(), boundary.end(), boundary_.begin(), boundary_.end(), same_transfer)) return;
  forget();
  boundary_.clear();  // known again once all levels have taken them
  for (const Coarse& coarse : coarse_) coarse.of->set_loads(without_loads(boundary), Expression());
  if (gathered_) gathered_->set_loads(boundary);
  boundary_ = without_loads(boundary);
}

Multigrid& HeatLevels::scale(double a, double b) {
  multigrid_.reset();
  const bool singular = a == 0 && !fine_.holds_values() && !fine_.has_transfer();
  multigrid_ = std::make_unique<Multigrid>(fine_.vectors(), levels(a, b), singular);
  return *multigrid_;
}

std::vector<MultigridLevel> HeatLevels::levels(double a, double b) {
  scaled_.clear();
  inverse_diagonal_.clear();
  aggregates_.reset();
  std::vector<MultigridLevel> levels;
  for (std::size_t i = 0; i <= coarse_.size(); ++i) {
    ContinuousOperator& of = i == 0 ? fine_ : *coarse_[i - 1].of;
    if (of.all_nodes() == of.all_given()) break;
    scaled_.push_back(std::make_unique<ScaledOperator>(of, a, b));
    inverse_diagonal_.push_back(of.vectors().make(of.length(), "inverse diagonal"));
    of.inverse_diagonal(a, b, *inverse_diagonal_.back());
    const bool last = i == coarse_.size() || coarse_[i].of->all_nodes() == coarse_[i].of->all_given();
    levels.push_back({scaled_.back().get(), inverse_diagonal_.back().get(), last ? SparseRows{} : prolongation_[i],
                      smoother_degree(of.elements())});
  }
  if (gathered_) {
    const bool linear = levels.size() == coarse_.size() + 1;
    if (linear && gathered_->unknowns() > 0) {
      gathered_->scale(a, b);
      levels.back().inverse = gathered_.get();
    }
    return levels;
  }
  if (levels.empty() || levels.back().a->size() <= Multigrid::largest_dense) return levels;
  const ContinuousOperator& last = levels.size() == 1 ? fine_ : *coarse_[levels.size() - 2].of;
  std::vector<std::int64_t> first;
  last.elements().for_cells([&](std::int64_t, const ReferenceElement&, std::int64_t node) { first.push_back(node); });
  first.push_back(std::ssize(last.numbering().of_node));
  const auto pattern = SparsePattern::of_cells(last.numbering().of_node, first, last.size());
  aggregates_ = std::make_unique<AggregationLevels>(fine_.vectors(), *levels.back().a, pattern);
  levels.back().prolongation = aggregates_->prolongation();
  for (MultigridLevel& level : aggregates_->levels()) levels.push_back(std::move(level));
  return levels;
}

}  // namespace swell
