// SPDX-License-Identifier: Apache-2.0
#include "sim/samples/flow_sampler.hpp"

#include <algorithm>

#include "base/exact_sum.hpp"
#include "dg/observer.hpp"

namespace swell {

namespace {

constexpr std::int64_t most_rows = 512;              // as receivers keep
constexpr std::int64_t most_bytes = 64 << 20;        // of the log, unless one row alone has more

class Sampler final : public FlowSampler {
 public:
  Sampler(Simulation& simulation, std::unique_ptr<BoundaryFlows> flows, const std::vector<std::int32_t>& boundaries)
      : simulation_(simulation), flows_(std::move(flows)), boundaries_(boundaries.size()) {
    const Model& model = simulation.problem().model;
    columns_ = model.fields;
    if (flows_->parts() > 1)
      for (const auto& field : model.fields) columns_.push_back(field + "_viscous");
    for (const std::int32_t boundary : flows_->boundaries())
      place_.push_back(static_cast<std::size_t>(std::find(boundaries.begin(), boundaries.end(), boundary) - boundaries.begin()));
    const double faces = simulation.ranks().largest(static_cast<double>(place_.size()));
    const auto row = static_cast<std::int64_t>(faces) * static_cast<std::int64_t>(columns_.size() * sizeof(double));
    room_ = std::clamp(most_bytes / std::max<std::int64_t>(1, row), std::int64_t{1}, most_rows);
    flows_->reserve(room_);
  }

  const std::vector<std::string>& columns() const override { return columns_; }
  std::int64_t room() const override { return room_; }
  void sample(std::int64_t row) override { flows_->note(simulation_.state(), simulation_.time(), row); }

  // The sums over faces are exact before they are rounded once, so that they do not depend on who has which face.
  std::vector<double> read(std::int64_t rows) override {
    const std::vector<double> faces = flows_->read(rows);
    const std::size_t columns = columns_.size(), fields = simulation_.fields().size(), count = place_.size();
    std::vector<double> all;
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
      std::vector<ExactSum> sums(boundaries_ * columns);
      for (std::size_t face = 0; face < count; ++face)
        for (std::size_t k = 0; k < columns; ++k) {
          // The parts of a field, [part][field], add up to the whole, which comes first.
          const double flow = faces[(row * count + face) * columns + k];
          sums[place_[face] * columns + k % fields].add(flow);
          if (k >= fields) sums[place_[face] * columns + k].add(flow);
        }
      for (ExactSum& sum : sums) {
        simulation_.ranks().sum(sum.digits());
        all.push_back(sum.value());
      }
    }
    return all;
  }

 private:
  Simulation& simulation_;
  std::unique_ptr<BoundaryFlows> flows_;
  std::size_t boundaries_;
  std::vector<std::string> columns_;
  std::vector<std::size_t> place_;  // [face]: that of its boundary among those asked for
  std::int64_t room_ = 1;
};

}  // namespace

std::unique_ptr<FlowSampler> make_flow_sampler(Simulation& simulation, const std::vector<std::int32_t>& boundaries) {
  std::vector<char> marked(simulation.problem().boundary.size(), 0);
  for (const std::int32_t boundary : boundaries) marked[static_cast<std::size_t>(boundary)] = 1;
  auto flows = simulation.dg().observer().flows_through(marked);
  if (!flows) return nullptr;
  return std::make_unique<Sampler>(simulation, std::move(flows), boundaries);
}

}  // namespace swell
