// SPDX-License-Identifier: Apache-2.0
#include "sim/heat/discontinuous.hpp"

#include "mesh/geometry.hpp"
#include "mesh/partition.hpp"

namespace swell {

namespace {

// As on the continuous levels (cg/levels.cpp), and one step more of it, since jumps spread the eigenvalues further.
int smoother_degree(const ReferenceElement& element) {
  return element.shape == Shape::tetrahedron ? 6 + 3 * element.order / 2 : 4 + element.order;
}

}  // namespace

DiscontinuousPoisson::DiscontinuousPoisson(const DiffusionProblem& problem, Vectors& vectors, SolverOptions options,
                                           bool multigrid, const std::optional<BoxOptions>& box, const SharedMesh* shared)
    : problem_(problem), of_(problem, vectors), solver_(of_, options) {
  if (multigrid) make_levels(without_loads(problem), box, shared);
}

// Continuous functions that vanish where a value is given are functions of the discontinuous space without jumps: on them the
// interior penalty operator is that of the continuous elements, which therefore are its first coarser level.
void DiscontinuousPoisson::make_levels(DiffusionProblem problem, const std::optional<BoxOptions>& box, const SharedMesh* shared) {
  Vectors& vectors = of_.vectors();
  std::optional<RankNodes> nodes;
  if (shared) {
    own_cells_ = std::make_unique<Mesh>(without_halo(*problem.mesh));
    problem.mesh = own_cells_.get();
    nodes = rank_nodes(problem, *shared, vectors.ranks(), space_filling_order(*own_cells_));
  }
  continuous_ = std::make_unique<ContinuousOperator>(problem, vectors, true, std::move(nodes));
  levels_ = std::make_unique<HeatLevels>(*continuous_, box, true, shared);
}

void DiscontinuousPoisson::make_multigrid() {
  solver_.make_inverse_diagonal();
  std::vector<MultigridLevel> levels;
  levels.push_back({&of_, &solver_.inverse_diagonal(), {}, smoother_degree(of_.element())});
  if (continuous_->all_nodes() > continuous_->all_given()) {
    SparseRows& rows = levels.front().prolongation;
    for (const std::int32_t unknown : continuous_->numbering().of_node) {
      if (unknown < continuous_->size()) {
        rows.column.push_back(unknown);
        rows.value.push_back(1);
      }
      rows.start.push_back(static_cast<std::int32_t>(rows.column.size()));
    }
    for (MultigridLevel& level : levels_->levels(0, 1)) levels.push_back(std::move(level));
  }
  multigrid_ = std::make_unique<Multigrid>(of_.vectors(), std::move(levels), of_.floating());
  solver_.precondition(*multigrid_);
}

SolveReport DiscontinuousPoisson::solve() {
  if (levels_ && !multigrid_) make_multigrid();
  return solver_.solve();
}

void DiscontinuousPoisson::set_material(std::vector<DiffusionMaterial> material) {
  multigrid_.reset();
  problem_.material = std::move(material);
  of_.set_material(problem_.material);
  if (!levels_) return;
  continuous_->set_material(problem_.material);
  levels_->set_material(problem_.material);
}

void DiscontinuousPoisson::set_loads(std::vector<DiffusionBoundary> boundary, Expression source) {
  multigrid_.reset();
  problem_.boundary = std::move(boundary);
  problem_.source = std::move(source);
  of_.set_loads(problem_.boundary, problem_.source);
  if (!levels_) return;
  continuous_->set_loads(without_loads(problem_.boundary), Expression());
  levels_->set_loads(problem_.boundary);
}

void DiscontinuousPoisson::set_points(std::vector<PointSourceSpec> points) {
  problem_.points = std::move(points);
  of_.set_points(problem_.points);
}

std::vector<ProgramText> DiscontinuousPoisson::texts_for(const std::vector<DiffusionMaterial>& material) const {
  std::vector<ProgramText> all = of_.texts_for(material);
  if (!levels_) return all;
  for (const auto& texts : {continuous_->texts_for(material), levels_->texts_for(material)})
    all.insert(all.end(), texts.begin(), texts.end());
  return all;
}

void DiscontinuousPoisson::expect(const std::vector<DiffusionMaterial>& material) {
  of_.expect(material);
  if (!levels_) return;
  continuous_->expect(material);
  levels_->expect(material);
}

}  // namespace swell
