// SPDX-License-Identifier: Apache-2.0
// A case of a discontinuous right-hand side in motion: waves, advection, level sets.
#pragma once

#include <limits>
#include <span>
#include <utility>

#include "base/error.hpp"
#include "base/timer.hpp"
#include "dg/operator.hpp"
#include "model/model_probe.hpp"
#include "sim/evolution.hpp"
#include "time/clusters.hpp"
#include "time/integrator.hpp"

namespace swell {

class Simulation : public Evolution, public Samplers {
 public:
  // With several ranks each keeps its part of the mesh, and every call is collective.
  Simulation(Case c, Device& device, Ranks& ranks = lone_rank());

  Operator& dg() { return *dg_; }
  const Operator& dg() const { return *dg_; }
  Buffer& state() { return integrator_->state(); }
  Integrator& integrator() { return *integrator_; }
  const std::optional<Clusters>& clusters() const { return clusters_; }
  int stages() const { return integrator_->stages(); }
  std::int64_t predicted_steps() const;

  // With local time stepping a step is one of the last cluster. Linear problems take equal steps, none longer than dt(), that end at `until` (a case with `steps` keeps its dt: it ends at
  // the first step that reaches `until`); the steps of nonlinear ones follow the state's own waves. Steps are only queued, and
  // the host waits for the device a few times a second: the state is known to be finite and admissible after settle(). A run
  // that blows up throws at the same step whatever the speed of the machine; time() and steps() are then those at which it was
  // first seen.
  bool step(double until) override;
  void settle() override;
  void check() override;

  void read(const CellVisitor& visit) override { dg_->states().read_state(state(), visit); }
  void read_coefficients(const CellVisitor& visit) override { dg_->states().read_numbers(state(), visit); }
  // The other fields keep their bits. A new stretch of steps begins.
  void write(int field, const std::vector<double>& values) override;
  Memory memory() override;
  void resume(const Memory& memory) override;
  // The L2 projection: both spaces are polynomials on the same reference shape.
  Matrix conversion(int order, const Matrix& to_nodes) const override;
  Samplers& samplers() override { return *this; }
  std::unique_ptr<PointSampler> sampler(const std::vector<Locator::Hit>& points, std::int64_t rows) override;
  std::unique_ptr<PointSpectrum> spectrum(const std::vector<Locator::Hit>& points, const std::vector<double>& frequencies) override;
  std::unique_ptr<FlowSampler> flows(const std::vector<std::int32_t>& boundaries) override;
  // Outputs need gradients: samples then hold, for each point, the fields and their derivatives along each axis.
  bool derives() const { return derives_; }
  // [row][point][output] from such samples [row][point][value or axis][field] at these points.
  std::vector<double> outputs_at(const std::vector<Locator::Hit>& points, std::vector<double> values, std::int64_t rows) const;
  Introduction introduction() override;
  void describe(Summary& summary) override;

 private:
  void set_up_problem(Device& device);
  void set_initial();
  void limit_initial();
  void set_outputs();
  void check_initial();
  Matrix material_at(std::int64_t cell, const double* x, Eigen::Index points) const;
  Matrix outputs_of(const Matrix& states, const Matrix& gradients, const Matrix& material) const;
  std::vector<std::pair<std::string, std::vector<double>>> outputs_at_nodes();
  template <class Use>
  void visit_nodes(bool with_gradients, Use use);
  void set_steps();
  void watch();
  void blow_up(const Finding& finding);
  RunError bad_mean(std::span<const double> seen);
  // A clause about data of boundaries that are out of range when the run fails; else nothing.
  std::string boundary_fault(double failed) const;
  std::vector<double> coefficients_of(const Buffer& state) const;
  void put_coefficients(Buffer& state, const std::vector<double>& all) const;

  static constexpr int steps_to_fault = 10;  // from bad data to a state that shows it, as often as states are watched
  static constexpr double never_seen = -std::numeric_limits<double>::max();  // stands for what is no number

  std::unique_ptr<Operator> dg_;
  std::unique_ptr<Integrator> integrator_;
  std::unique_ptr<StepControl> control_;
  std::unique_ptr<Device> host_;      // where the model has variables or derived outputs
  std::unique_ptr<ModelProbe> page_;  // on it
  std::optional<Clusters> clusters_;   // with local time stepping
  std::string hint_;                   // without: what it would gain, where that is much
  bool derives_ = false;
  bool steady_length_ = true;  // dt stays as it is
  std::vector<std::pair<std::int64_t, double>> watched_;  // steps and times of the watches since the last check
  Stopwatch since_check_;
  std::int64_t unchecked_ = 0, patience_ = 1;  // steps since the last check, and until the next
  std::int64_t steps_here_ = 0;                // that this process has made
};

}  // namespace swell
