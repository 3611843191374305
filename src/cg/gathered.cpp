// SPDX-License-Identifier: Apache-2.0
#include "cg/gathered.hpp"

#include "cg/levels.hpp"

namespace swell {

struct GatheredLevel::Whole {
  Vectors vectors;  // of this rank only
  std::unique_ptr<ContinuousOperator> of;
  std::unique_ptr<HeatLevels> levels;
  Preconditioner* cycle = nullptr;
  std::unique_ptr<Buffer> r, z;
  // Data of each rank: the unknowns that it has, in its order, by their numbers here; how many it owns, which are the first;
  // their values.
  std::vector<std::vector<std::int32_t>> places;
  std::vector<std::size_t> owned;
  std::vector<std::vector<double>> values;
};

GatheredLevel::GatheredLevel(ContinuousOperator& linear, const SharedMesh& mesh, const std::optional<BoxOptions>& box, bool steady)
    : linear_(linear), mine_(static_cast<std::size_t>(linear.size())) {
  const Vectors& shared = linear.vectors();
  if (shared.ranks().first()) {
    whole_ = std::make_unique<Whole>(Whole{Vectors(shared.device(), shared.precision()), {}, {}, {}, {}, {}, {}, {}, {}});
    DiffusionProblem problem = without_loads(linear.problem());
    problem.mesh = mesh.whole;
    whole_->of = std::make_unique<ContinuousOperator>(problem, whole_->vectors, steady);
    whole_->levels = std::make_unique<HeatLevels>(*whole_->of, box, steady);
    whole_->r = whole_->vectors.make(whole_->of->length(), "residual of all ranks");
    whole_->z = whole_->vectors.make(whole_->of->length(), "correction of all ranks");
  }
  find_places(mesh);
  make_transfers();
}

GatheredLevel::~GatheredLevel() = default;

// Ranks know their unknowns by the numbers that the first told them, which do not follow the curve along which it has its own.
void GatheredLevel::find_places(const SharedMesh& mesh) {
  Ranks& ranks = linear_.vectors().ranks();
  const auto& told = linear_.rank_nodes()->whole;
  const auto of_ranks = ranks.gather(std::vector<double>(told.begin(), told.begin() + linear_.size()));
  const auto owned = ranks.gather(std::vector<double>{static_cast<double>(linear_.owned())});
  if (!whole_) return;
  const Numbering& here = whole_->of->numbering();
  const Numbering all = number_nodes(*mesh.whole, whole_->of->elements(), fixed_boundaries(whole_->of->problem()));
  std::vector<std::int32_t> place(static_cast<std::size_t>(all.count));
  for (std::size_t i = 0; i < all.of_node.size(); ++i) place[all.of_node[i]] = here.of_node[i];
  for (std::size_t rank = 0; rank < of_ranks.size(); ++rank) {
    auto& places = whole_->places.emplace_back();
    for (const double number : of_ranks[rank]) places.push_back(place[static_cast<std::size_t>(number)]);
    whole_->owned.push_back(static_cast<std::size_t>(owned[rank].front()));
    whole_->values.emplace_back(rank == 0 ? 0 : places.size());
  }
}

void GatheredLevel::make_transfers() {
  Ranks& ranks = linear_.vectors().ranks();
  std::vector<Message> sent, expected, sent_back, expected_back;
  const auto add = [](std::vector<Message>& to, int rank, std::span<double> values) {
    if (!values.empty()) to.push_back({rank, std::as_writable_bytes(values)});
  };
  if (!ranks.first()) {
    add(sent, 0, std::span(mine_).first(static_cast<std::size_t>(linear_.owned())));
    add(expected_back, 0, mine_);
  }
  for (int rank = 1; rank < ranks.count() && whole_; ++rank) {
    add(expected, rank, std::span(whole_->values[rank]).first(whole_->owned[rank]));
    add(sent_back, rank, whole_->values[rank]);
  }
  to_first_ = ranks.transfer(expected, sent);
  from_first_ = ranks.transfer(expected_back, sent_back);
}

void GatheredLevel::scale(double a, double b) {
  if (whole_) whole_->cycle = &whole_->levels->scale(a, b);
}

void GatheredLevel::set_material(const std::vector<DiffusionMaterial>& material) {
  if (!whole_) return;
  whole_->cycle = nullptr;
  whole_->of->set_material(material);
  whole_->levels->set_material(material);
}

std::vector<ProgramText> GatheredLevel::texts_for(const std::vector<DiffusionMaterial>& material) const {
  if (!whole_) return {};
  std::vector<ProgramText> all = whole_->of->texts_for(material);
  for (ProgramText& text : whole_->levels->texts_for(material)) all.push_back(std::move(text));
  return all;
}

void GatheredLevel::expect(const std::vector<DiffusionMaterial>& material) {
  if (!whole_) return;
  whole_->of->expect(material);
  whole_->levels->expect(material);
}

void GatheredLevel::set_loads(const std::vector<DiffusionBoundary>& boundary) {
  if (!whole_) return;
  whole_->cycle = nullptr;
  whole_->of->set_loads(without_loads(boundary), Expression());
  whole_->levels->set_loads(boundary);
}

void GatheredLevel::apply(const Buffer& r, Buffer& z) {
  Vectors& shared = linear_.vectors();
  const auto own = shared.download(r, linear_.owned());
  std::copy(own.begin(), own.end(), mine_.begin());
  to_first_->start();
  to_first_->finish();
  if (whole_) {
    std::vector<double> all(static_cast<std::size_t>(whole_->of->size()));
    const auto values = [&](std::size_t rank) -> std::vector<double>& { return rank == 0 ? mine_ : whole_->values[rank]; };
    for (std::size_t rank = 0; rank < whole_->places.size(); ++rank)
      for (std::size_t i = 0; i < whole_->owned[rank]; ++i) all[whole_->places[rank][i]] = values(rank)[i];
    whole_->vectors.write(all, *whole_->r);
    whole_->cycle->apply(*whole_->r, *whole_->z);
    const auto answer = whole_->vectors.download(*whole_->z, whole_->of->size());
    for (std::size_t rank = 0; rank < whole_->places.size(); ++rank)
      for (std::size_t i = 0; i < whole_->places[rank].size(); ++i) values(rank)[i] = answer[whole_->places[rank][i]];
  }
  from_first_->start();
  from_first_->finish();
  shared.write(mine_, z);
}

}  // namespace swell
