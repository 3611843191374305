// SPDX-License-Identifier: Apache-2.0
#include "cg/levels.hpp"

#include <algorithm>
#include <cmath>
#include <map>

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

// A row for each unknown of `fine`: the values there of the functions of `coarse`. Given values take no part.
class RowBuilder {
 public:
  explicit RowBuilder(const ContinuousOperator& fine) : rows_(static_cast<std::size_t>(fine.size())) {}
  bool known(std::int64_t unknown) const { return unknown >= static_cast<std::int64_t>(rows_.size()) || !rows_[unknown].empty(); }
  void add(std::int64_t unknown, const ContinuousOperator& coarse, std::int64_t cell, const double* values) {
    const std::int32_t* const places = coarse.places_of(cell);
    for (int n = 0; n < coarse.elements().node_count(cell); ++n)
      if (std::abs(values[n]) > smallest_weight) rows_[unknown].emplace_back(places[n], values[n]);
  }
  SparseRows rows(std::int64_t coarse_size) const {
    SparseRows out;
    for (const auto& row : rows_) {
      for (const auto& [column, value] : row)
        if (column < coarse_size) {
          out.column.push_back(column);
          out.value.push_back(value);
        }
      out.start.push_back(static_cast<std::int32_t>(out.column.size()));
    }
    return out;
  }

 private:
  std::vector<std::vector<std::pair<std::int32_t, double>>> rows_;
};

SparseRows between_orders(const ContinuousOperator& fine, const ContinuousOperator& coarse) {
  std::map<Shape, Matrix> values;
  for (const auto& [shape, element] : fine.elements().all()) values[shape] = coarse.elements().of(shape).interpolation(element.nodes);
  RowBuilder builder(fine);
  fine.elements().for_cells([&](std::int64_t cell, const ReferenceElement& element, std::int64_t) {
    const Matrix& of_shape = values.at(element.shape);
    for (int n = 0; n < element.node_count; ++n) {
      const auto unknown = fine.places_of(cell)[n];
      if (!builder.known(unknown)) builder.add(unknown, coarse, cell, of_shape.row(n).data());
    }
  });
  return builder.rows(coarse.size());
}

SparseRows between_meshes(const ContinuousOperator& fine, const ContinuousOperator& coarse) {
  const Locator locator(coarse.mesh());
  std::map<Shape, CellMap> maps;
  for (const auto& [shape, element] : fine.elements().all()) maps.emplace(shape, CellMap(fine.mesh(), shape, element.nodes));
  RowBuilder builder(fine);
  const int dim = fine.mesh().dim;
  std::vector<double> x(fine.elements().most_nodes() * dim);
  Matrix at(1, dim);
  fine.elements().for_cells([&](std::int64_t cell, const ReferenceElement& element, std::int64_t) {
    maps.at(element.shape).coordinates(cell, x.data());
    for (int n = 0; n < element.node_count; ++n) {
      const auto unknown = fine.places_of(cell)[n];
      if (builder.known(unknown)) continue;
      const auto hit = locator.find(x.data() + n * dim);
      for (int d = 0; d < dim; ++d) at(0, d) = hit.reference[d];
      const Matrix values = coarse.elements().of_cell(hit.cell).interpolation(at);
      builder.add(unknown, coarse, hit.cell, values.data());
    }
  });
  return builder.rows(coarse.size());
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
  const auto add = [&](std::unique_ptr<Mesh> mesh, int order) {
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
