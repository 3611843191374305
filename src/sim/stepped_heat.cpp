// SPDX-License-Identifier: Apache-2.0
// Heat in motion, advanced step by step, and at rest, solved at the first wish to advance.
#include "base/error.hpp"
#include "sim/heat_receivers.hpp"
#include "sim/stepped_kinds.hpp"

namespace swell {

namespace {

class SteppedHeat : public SteppedRun {
 public:
  explicit SteppedHeat(const Case& c)
      : device_(open_device(c.backend)), simulation_(c, *device_), receivers_(simulation_), fields_{simulation_.field()} {
    receivers_.keep();
    if (!simulation_.steady()) receivers_.sample();
  }

  std::int64_t elements() const override { return simulation_.mesh().cell_count(); }
  const std::vector<std::string>& fields() const override { return fields_; }
  std::string model() const override { return simulation_.given().model; }
  double time() const override { return simulation_.time(); }
  double dt() const override { return simulation_.dt(); }
  double end() const override { return simulation_.end(); }
  std::int64_t steps() const override { return simulation_.steps(); }
  std::vector<double> nodes() const override { return node_places(simulation_.mesh(), simulation_.element()); }
  std::vector<double> field(std::size_t) override { return simulation_.nodal_values(); }
  double energy() override { return simulation_.stored_heat(); }

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
  const ReferenceElement& element() const override { return simulation_.element(); }
  bool time_is_left() const override { return !simulation_.done(); }
  bool has_exact() const override { return simulation_.has_exact(); }

  std::vector<FieldErrors> measure(double& total_l2) override {
    const ErrorNorms norms = simulation_.errors();
    total_l2 = norms.total_l2;
    return {{simulation_.field(), norms.l1[0], norms.l2[0], norms.linf[0]}};
  }

  double value(std::size_t, const std::vector<double>& point) override { return simulation_.value_at(point); }
  void put_field(std::size_t, const std::vector<double>& values) override { simulation_.set_values(values); }

  bool go_to(double until, const AfterStep& after_step) override {
    if (simulation_.steady()) return go(1, after_step);
    const double nearly = 1e-9 * dt();
    bool going = true;
    while (going && time() < until - nearly) going = go(1, after_step);
    return going;
  }

  bool go(std::int64_t count, const AfterStep& after_step) override {
    if (simulation_.steady() && simulation_.done()) return true;
    if (simulation_.steady() && count > 1) count = 1;
    for (; count > 0; --count) {
      simulation_.step();
      receivers_.sample();
      if (after_step && !after_step()) return false;
    }
    return true;
  }

 private:
  std::unique_ptr<Device> device_;
  HeatSimulation simulation_;
  HeatReceivers receivers_;
  std::vector<std::string> fields_;
};

}  // namespace

std::unique_ptr<SteppedRun> make_stepped_heat(const Case& c) { return std::make_unique<SteppedHeat>(c); }

}  // namespace swell
