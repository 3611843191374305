// SPDX-License-Identifier: Apache-2.0
#include "sim/wave_probes.hpp"

#include "dg/measures.hpp"
#include "dg/spectrum.hpp"
#include "sim/samples/point_gradients.hpp"

namespace swell {

namespace {

class Energy final : public Quantity {
 public:
  explicit Energy(Simulation& simulation) : simulation_(simulation) {}
  const std::string& name() const override {
    static const std::string energy = "energy";
    return energy;
  }
  double value() override { return simulation_.dg().observer().energy(simulation_.state(), simulation_.time()); }
  void reserve(std::int64_t places) override { log_ = simulation_.dg().observer().monitor().make_log(places); }
  void note(std::int64_t place) override {
    simulation_.dg().observer().note_energy(simulation_.state(), simulation_.time(), *log_, place);
  }
  std::vector<double> noted(std::int64_t count) override {
    return simulation_.dg().observer().monitor().read_log(*log_, count, simulation_.ranks());
  }

 private:
  Simulation& simulation_;
  std::unique_ptr<Buffer> log_;
};

// A quantity_NAME of the page.
class OwnQuantity final : public Quantity {
 public:
  OwnQuantity(Simulation& simulation, Measures& measures, std::size_t number)
      : simulation_(simulation), measures_(measures), number_(number) {}
  const std::string& name() const override { return measures_.quantities()[number_]; }
  double value() override { return measures_.quantity(number_, simulation_.state(), simulation_.time()); }
  void reserve(std::int64_t places) override { log_ = simulation_.dg().observer().monitor().make_log(places); }
  void note(std::int64_t place) override {
    measures_.note_quantity(number_, simulation_.state(), simulation_.time(), *log_, place);
  }
  std::vector<double> noted(std::int64_t count) override {
    return simulation_.dg().observer().monitor().read_log(*log_, count, simulation_.ranks());
  }

 private:
  Simulation& simulation_;
  Measures& measures_;
  std::size_t number_;
  std::unique_ptr<Buffer> log_;
};

// Points of this rank's cells as Operator::sample() takes them: slots of their cells, weights of the coefficients there.
struct Points {
  std::vector<std::int32_t> slots;
  std::vector<double> weights;
};

Points points_of(const Simulation& simulation, const std::vector<Locator::Hit>& hits, bool with_gradients) {
  Points points;
  const int dim = simulation.mesh().dim;
  const Layout& layout = simulation.dg().layout();
  const auto most = static_cast<std::size_t>(simulation.dg().elements().most_nodes());
  const auto add = [&](std::int64_t cell, const Matrix& w) {
    points.slots.push_back(static_cast<std::int32_t>(layout.address(layout.slot_of_cell[cell])));
    points.weights.insert(points.weights.end(), w.data(), w.data() + w.size());
    points.weights.resize(points.slots.size() * most, 0.0);
  };
  for (const auto& hit : hits) {
    const Shape shape = simulation.mesh().shape_of(hit.cell);
    const States& states = simulation.dg().states();
    Matrix at(1, dim);
    for (int d = 0; d < dim; ++d) at(0, d) = hit.reference[d];
    add(hit.cell, states.evaluation(shape, at));
    if (!with_gradients) continue;
    const ReferenceElement& element = simulation.reference().of(shape);
    const Matrix slopes = PointGradients(simulation.mesh(), element, at).weights(hit.cell) * states.evaluation(shape, element.nodes);
    for (int a = 0; a < dim; ++a) add(hit.cell, slopes.row(a));
  }
  return points;
}

class Sampler final : public PointSampler {
 public:
  Sampler(Simulation& simulation, const std::vector<Locator::Hit>& hits, std::int64_t rows)
      : simulation_(simulation), hits_(hits) {
    Operator& dg = simulation.dg();
    const Points points = points_of(simulation, hits, simulation.derives());
    count_ = static_cast<std::int64_t>(points.slots.size());
    slot_ = dg.upload(points.slots, "receiver slots");
    weight_ = dg.upload(points.weights, "receiver weights");
    samples_ = dg.device().allocate(rows * count_ * dg.fields() * bytes_of(dg.problem().precision), "samples");
  }
  void sample(std::int64_t row) override {
    simulation_.dg().states().sample(simulation_.state(), *slot_, *weight_, *samples_, count_, row * count_);
  }
  std::vector<double> read(std::int64_t rows) override {
    return simulation_.outputs_at(hits_, simulation_.dg().download(*samples_, rows * count_ * simulation_.dg().fields()), rows);
  }

 private:
  Simulation& simulation_;
  std::int64_t count_ = 0;  // values of all fields, or derivatives
  std::vector<Locator::Hit> hits_;
  std::unique_ptr<Buffer> slot_, weight_, samples_;
};

class WaveSpectrum final : public PointSpectrum {
 public:
  WaveSpectrum(Simulation& simulation, const Points& points, const std::vector<double>& frequencies)
      : simulation_(simulation), spectrum_(simulation.dg(), points.slots, points.weights, frequencies) {}
  void add() override { spectrum_.add(simulation_.state(), simulation_.time()); }
  Values values() override { return spectrum_.values(); }
  void set(const Values& values) override { spectrum_.set(values); }

 private:
  Simulation& simulation_;
  Spectrum spectrum_;
};

}  // namespace

std::vector<std::unique_ptr<Quantity>> make_quantities(Simulation& simulation) {
  std::vector<std::unique_ptr<Quantity>> all;
  all.push_back(std::make_unique<Energy>(simulation));
  if (Measures* measures = simulation.dg().observer().measures())
    for (std::size_t i = 0; i < measures->quantities().size(); ++i)
      if (measures->quantities()[i] != all.front()->name()) all.push_back(std::make_unique<OwnQuantity>(simulation, *measures, i));
  return all;
}

std::unique_ptr<PointSampler> make_sampler(Simulation& simulation, const std::vector<Locator::Hit>& points, std::int64_t rows) {
  return std::make_unique<Sampler>(simulation, points, rows);
}

std::unique_ptr<PointSpectrum> make_spectrum(Simulation& simulation, const std::vector<Locator::Hit>& points,
                                             const std::vector<double>& frequencies) {
  return std::make_unique<WaveSpectrum>(simulation, points_of(simulation, points, false), frequencies);
}

}  // namespace swell
