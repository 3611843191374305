// SPDX-License-Identifier: Apache-2.0
#include "sim/heat/probes.hpp"

namespace swell {

namespace {

class StoredHeat final : public Quantity {
 public:
  explicit StoredHeat(HeatSimulation& simulation) : simulation_(simulation) {}
  const std::string& name() const override {
    static const std::string energy = "energy";
    return energy;
  }
  double value() override { return simulation_.stored_heat(); }
  void reserve(std::int64_t places) override { noted_.resize(static_cast<std::size_t>(places)); }
  void note(std::int64_t place) override { noted_[static_cast<std::size_t>(place)] = value(); }
  std::vector<double> noted(std::int64_t count) override { return {noted_.begin(), noted_.begin() + count}; }

 private:
  HeatSimulation& simulation_;
  std::vector<double> noted_;
};

class Sampler final : public PointSampler {
 public:
  Sampler(HeatSimulation& simulation, const std::vector<Locator::Hit>& hits, std::int64_t rows)
      : simulation_(simulation), count_(static_cast<std::int64_t>(hits.size())) {
    const Elements& elements = simulation.reference();
    const auto width = static_cast<std::size_t>(elements.most_nodes());
    std::vector<std::int32_t> unknowns;
    std::vector<double> weights;
    for (const auto& hit : hits) {
      const ReferenceElement& element = elements.of_cell(hit.cell);
      Matrix at(1, element.dim);
      for (int d = 0; d < element.dim; ++d) at(0, d) = hit.reference[d];
      const Matrix w = element.interpolation(at);
      weights.insert(weights.end(), w.data(), w.data() + w.size());
      for (int n = 0; n < element.node_count; ++n) unknowns.push_back(simulation.unknown(hit.cell, n));
      // Smaller elements leave places, which count nothing.
      weights.resize((weights.size() + width - 1) / width * width, 0.0);
      unknowns.resize(weights.size(), unknowns.back());
    }
    unknown_ = simulation.vectors().upload(unknowns, "receiver unknowns");
    weight_ = simulation.vectors().upload(weights, "receiver weights");
    samples_ = simulation.vectors().make(rows * count_, "samples");
  }
  void sample(std::int64_t row) override {
    if (auto* penalty = simulation_.interior_penalty())
      penalty->of().sample(simulation_.temperature(), *unknown_, *weight_, *samples_, count_, row * count_);
    else
      simulation_.continuous().sample(simulation_.temperature(), *unknown_, *weight_, *samples_, count_, row * count_);
  }
  std::vector<double> read(std::int64_t rows) override { return simulation_.vectors().download(*samples_, rows * count_); }

 private:
  HeatSimulation& simulation_;
  std::int64_t count_;
  std::unique_ptr<Buffer> unknown_, weight_, samples_;
};

}  // namespace

std::unique_ptr<Quantity> make_stored_heat(HeatSimulation& simulation) { return std::make_unique<StoredHeat>(simulation); }

std::unique_ptr<PointSampler> make_sampler(HeatSimulation& simulation, const std::vector<Locator::Hit>& points, std::int64_t rows) {
  return std::make_unique<Sampler>(simulation, points, rows);
}

}  // namespace swell
