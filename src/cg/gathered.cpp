// SPDX-License-Identifier: Apache-2.0
#include "cg/gathered.hpp"

#include <limits>

#include "cg/levels.hpp"

namespace swell {

GatheredLevel::GatheredLevel(ContinuousOperator& linear, const SharedMesh& mesh, const std::optional<BoxOptions>& box, bool steady)
    : linear_(linear), vectors_(linear.vectors().device(), linear.vectors().precision()) {
  HeatProblem problem = linear.problem();
  problem.mesh = &mesh.whole;
  problem.source = Expression();
  whole_ = std::make_unique<ContinuousOperator>(problem, vectors_, steady);
  levels_ = std::make_unique<HeatLevels>(*whole_, box, steady);
  const int nodes = linear.element().node_count;
  const Mesh& part = linear.mesh();
  place_.resize(static_cast<std::size_t>(linear.length()));
  for (std::int64_t cell = 0; cell < part.cell_count(); ++cell)
    for (int n = 0; n < nodes; ++n)
      place_[linear.numbering().of_node[cell * nodes + n]] = whole_->numbering().of_node[part.number_of(cell) * nodes + n];
  r_ = vectors_.make(whole_->length(), "residual of all ranks");
  z_ = vectors_.make(whole_->length(), "correction of all ranks");
}

GatheredLevel::~GatheredLevel() = default;

void GatheredLevel::scale(double a, double b) { cycle_ = &levels_->scale(a, b); }

// An unknown is larger than nothing on the rank that owns it alone: no sum, and the same bits everywhere.
void GatheredLevel::apply(const Buffer& r, Buffer& z) {
  Vectors& shared = linear_.vectors();
  const auto own = shared.download(r, linear_.owned());
  std::vector<double> all(static_cast<std::size_t>(whole_->size()), -std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < own.size(); ++i) all[place_[i]] = own[i];
  shared.ranks().largest(all);
  vectors_.write(all, *r_);
  cycle_->apply(*r_, *z_);
  const auto answer = vectors_.download(*z_, whole_->size());
  std::vector<double> mine(static_cast<std::size_t>(linear_.size()));
  for (std::size_t i = 0; i < mine.size(); ++i) mine[i] = answer[place_[i]];
  shared.write(mine, z);
}

}  // namespace swell
