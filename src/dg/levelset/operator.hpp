// SPDX-License-Identifier: Apache-2.0
// A level set as the operator of a simulation: transport as its right-hand side, reinitialisation between steps.
#pragma once

#include "dg/levelset/levelset.hpp"
#include "dg/memory.hpp"
#include "dg/operator.hpp"

namespace swell {

class LevelSetOperator : public Operator, public States, public Observer {
 public:
  // Throws InputError where the problem has no velocity, a source, or cells that are not affine.
  LevelSetOperator(Problem problem, Device& device);

  LevelSet& levelset() { return *levelset_; }
  // Sums over all elements of what LevelSet::measure() integrates. Waits.
  std::array<double, LevelSet::measures> measure(Buffer& q);
  // The thickness that the profile has on average, int G (1 - G) / int |grad G|. Waits.
  double thickness(Buffer& q);
  // How much too thick the profile is on average, counting only where it is: 0 where it is nowhere. Waits.
  double thick_part(Buffer& q);
  // Memory of its buffers, those of a reinitialisation and `states` states among them.
  MemoryNeed memory_need(int states) const;
  std::int64_t reinitialisations() const { return reinitialisations_; }

  std::unique_ptr<Buffer> make_state(std::string_view label) override { return levelset_->make_state(label); }
  void stage(double t, Buffer& q, Buffer& next, Buffer& residual, double a, double b, double dt) override;
  void rate(double t, Buffer& q, Buffer& out) override;
  void combine(Buffer& out, std::span<const Term> terms) override;
  bool after_step(Buffer& q, std::int64_t step, bool last) override;
  Extras extras() override;

  const States& states() const override { return *this; }
  Observer& observer() override { return *this; }

  void write_state(Buffer& state, const Write& of_cell) const override;
  void read_state(const Buffer& state, const Read& of_cell) const override;
  void write_numbers(Buffer& state, const Write& of_cell) const override { levelset_->write_modes(state, of_cell); }
  void read_numbers(const Buffer& state, const Read& of_cell) const override { levelset_->read_modes(state, of_cell); }
  Matrix evaluation(const Matrix& points) const override { return modes(element_.shape, element_.order, points); }
  void sample(Buffer& q, const Buffer& slots, const Buffer& weights, Buffer& samples, std::int64_t count,
              std::int64_t offset) const override {
    levelset_->sample(q, slots, weights, samples, count, offset);
  }

  // The most time that restoring the profile in so many steps takes, by what a step in pseudo-time takes now. Waits.
  double reinitialisation_seconds(std::int64_t steps);

  double energy(Buffer& q, double t) override;
  void note_energy(Buffer& q, double t, Buffer& log, std::int64_t place) override;
  void watch(const Buffer& q, std::int64_t step, double t) override;
  Finding finding() override;
  Monitor& monitor() override;
  Place place(std::int64_t index) const override;
  StiffnessOfShapes stiffness_of_shapes(double end, std::vector<Stiffness>* of_cells = nullptr) override;
  Work stage_work() const override { return levelset_->transport_work(); }
  double compile_seconds() const override { return compile_seconds_ + levelset_->compile_seconds(); }
  std::size_t state_bytes() const override;
  const HaloExchange* halo() const override { return levelset_->halo(); }
  std::vector<std::string> kernels_in_words() const override;

 private:
  void note(LevelSet::Measure kind, Buffer& log, std::int64_t place);

  std::unique_ptr<LevelSet> levelset_;
  std::unique_ptr<Monitor> monitor_;
  std::unique_ptr<Buffer> measures_;
  std::int64_t reinitialisations_ = 0;
};

}  // namespace swell
