// SPDX-License-Identifier: Apache-2.0
// Waves, advection and level sets, advanced piece by piece.
#include <algorithm>

#include "base/error.hpp"
#include "sim/outputs/outputs.hpp"
#include "sim/stepped_kinds.hpp"

namespace swell {

std::vector<double> node_places(const Mesh& mesh, const ReferenceElement& element) {
  const CellMap map(mesh, element.nodes);
  const std::int64_t each = element.node_count * mesh.dim;
  std::vector<double> x(mesh.own_count() * each);
  for (std::int64_t cell = 0; cell < mesh.own_count(); ++cell) map.coordinates(cell, x.data() + cell * each);
  return x;
}

namespace {

class SteppedWave : public SteppedRun {
 public:
  explicit SteppedWave(const Case& c) : device_(open_device(c.backend)), simulation_(c, *device_), receivers_(simulation_) {
    receivers_.keep();
    receivers_.sample();
  }

  std::int64_t elements() const override { return simulation_.elements(); }
  const std::vector<std::string>& fields() const override { return simulation_.dg().problem().model.fields; }
  std::string model() const override { return simulation_.dg().problem().model.name; }
  double time() const override { return simulation_.time(); }
  double dt() const override { return simulation_.dt(); }
  double end() const override { return simulation_.end(); }
  std::int64_t steps() const override { return simulation_.steps(); }
  std::vector<double> nodes() const override { return node_places(simulation_.mesh(), simulation_.dg().element()); }
  double energy() override { return simulation_.energy(); }

  std::vector<double> field(std::size_t index) override {
    const Operator& dg = simulation_.dg();
    const std::int64_t nodes = dg.element().node_count, width = dg.fields();
    std::vector<double> values(elements() * nodes);
    dg.states().read_state(simulation_.state(), [&](std::int64_t cell, const double* of_cell) {
      for (std::int64_t n = 0; n < nodes; ++n) values[cell * nodes + n] = of_cell[n * width + static_cast<std::int64_t>(index)];
    });
    return values;
  }

  std::vector<std::string> receivers() const override {
    std::vector<std::string> names;
    for (const auto& r : simulation_.given().receivers) names.push_back(r.name);
    return names;
  }

  SignalTable signal(std::size_t receiver) override {
    receivers_.flush();
    return receivers_.table(receiver);
  }

 protected:
  const ReferenceElement& element() const override { return simulation_.dg().element(); }
  bool time_is_left() const override { return simulation_.time() < simulation_.end() * (1 - 1e-12); }
  bool has_exact() const override { return simulation_.has_exact(); }

  std::vector<FieldErrors> measure(double& total_l2) override {
    const ErrorNorms norms = simulation_.errors();
    std::vector<FieldErrors> errors;
    for (std::size_t f = 0; f < fields().size(); ++f)
      if (simulation_.exact_known()[f]) errors.push_back({fields()[f], norms.l1[f], norms.l2[f], norms.linf[f]});
    total_l2 = norms.total_l2;
    return errors;
  }

  double value(std::size_t field, const std::vector<double>& point) override {
    return simulation_.value_at(fields()[field], point);
  }

  void put_field(std::size_t index, const std::vector<double>& values) override {
    simulation_.set_field(static_cast<int>(index), values);
  }

  bool go_to(double until, const AfterStep& after_step) override {
    bool going = true;
    simulation_.advance(until, [&] {
      receivers_.sample();
      return going = !after_step || after_step();
    });
    return going;
  }

  // The stretch of equal steps to the end is left and entered again as often as asked: the steps stay those of one run.
  bool go(std::int64_t count, const AfterStep& after_step) override {
    std::int64_t left = count;
    bool going = true;
    while (left > 0 && going) {
      const double until = time_is_left() ? end() : time() + static_cast<double>(left) * dt();
      simulation_.march(until, [&] {
        receivers_.sample();
        --left;
        going = !after_step || after_step();
        return going && left > 0;
      });
    }
    simulation_.settle();
    return going;
  }

 private:
  std::unique_ptr<Device> device_;
  Simulation simulation_;
  Receivers receivers_;
};

}  // namespace

std::unique_ptr<SteppedRun> make_stepped_wave(const Case& c) { return std::make_unique<SteppedWave>(c); }

}  // namespace swell
