// SPDX-License-Identifier: Apache-2.0
#include "cg/heat.hpp"

#include <algorithm>
#include <cmath>

namespace swell {

HeatStepper::HeatStepper(HeatOperator& of, HeatScheme scheme, SolverOptions options)
    : of_(of),
      vectors_(of.vectors()),
      scheme_(scheme),
      options_(options),
      matrix_(of, 1, 0),
      solver_(vectors_, matrix_) {
  for (auto* vector : {&now_, &before_, &older_, &right_, &load_now_, &load_next_, &scratch_, &inverse_diagonal_,
                       &weights_})
    *vector = vectors_.make(of.length(), "temperature and right-hand sides");
  solver_.precondition(*inverse_diagonal_);
}

void HeatStepper::renew(HeatScheme scheme, SolverOptions options) {
  scheme_ = scheme;
  options_ = options;
  scale_mass_ = scale_stiffness_ = -1;
  weighed_ = false;
}

void HeatStepper::begin(const std::vector<double>& values, double time) {
  write(values, *now_);
  of_.set_fixed(time, *now_);
  of_.complete(*now_);
  known_ = 0;
  load_known_ = false;
}

// Cells may have different values at a node that they share: across a period, or by rounding. The first of them in the mesh decides,
// on whichever rank it is.
void HeatStepper::write(const std::vector<double>& values, Buffer& to) {
  vectors_.write(values, to);
  of_.agree(to);
}

HeatStepper::Memory HeatStepper::memory() const {
  Memory memory{{}, last_dt_, load_time_};
  if (known_ > 0) memory.before.push_back(before_.get());
  if (known_ > 1) memory.before.push_back(older_.get());
  return memory;
}

void HeatStepper::resume(const std::vector<double>& values, const std::vector<std::vector<double>>& before, double last_dt,
                         double load_time) {
  write(values, *now_);
  known_ = static_cast<int>(before.size());
  if (known_ > 0) write(before[0], *before_);
  if (known_ > 1) write(before[1], *older_);
  last_dt_ = last_dt;
  load_time_ = load_time;
  load_known_ = known_ > 0;
  if (load_known_) of_.load(load_time, of_.loads_in_time() ? *load_now_ : *load_next_);
}

double HeatStepper::stored_heat() {
  if (!weighed_) of_.weigh(*weights_);
  weighed_ = true;
  return vectors_.dot(*weights_, *now_, of_.length());
}

void HeatStepper::set_scales(double a, double b) {
  if (a == scale_mass_ && b == scale_stiffness_) return;
  scale_mass_ = a, scale_stiffness_ = b;
  matrix_.scale(a, b);
  if (levels_) return solver_.precondition(levels_->scale(a, b));
  of_.diagonal(a, b, *inverse_diagonal_, of_.size());
  of_.invert(*inverse_diagonal_, of_.size());
  solver_.fuse(of_.fused(a, b, *inverse_diagonal_));
}

// The first guess for the new temperature goes along the parabola, or line, through the last ones; it takes the place of the
// oldest, and the others move back by one.
void HeatStepper::guess() {
  const auto n = of_.length();
  if (known_ >= 2) {
    vectors_.combine(3, *now_, 1, *older_, n);
    vectors_.combine(-3, *before_, 1, *older_, n);
  } else if (known_ == 1) {
    vectors_.combine(2, *now_, 0, *older_, n);
    vectors_.combine(-1, *before_, 1, *older_, n);
  } else {
    vectors_.copy(*now_, *older_, n);
  }
  std::swap(older_, before_);  // before: guess, older: the one before now
  std::swap(before_, now_);    // now: guess, before: the old temperature
}

SolveReport HeatStepper::step(double t, double dt) {
  const auto n = of_.size();
  if (known_ > 0 && std::abs(dt - last_dt_) > 1e-9 * dt) known_ = 0;  // the scheme and the guess need equal steps
  last_dt_ = dt;
  const bool two = scheme_.kind == HeatScheme::Kind::bdf2 && known_ > 0;
  const double theta = scheme_.kind == HeatScheme::Kind::bdf2 ? 1.0 : scheme_.theta;
  if (two) {
    // (3/2 M + dt K) T = M (2 T_now - 1/2 T_before) + dt F
    vectors_.copy(*before_, *scratch_, of_.length());
    vectors_.combine(2, *now_, -0.5, *scratch_, of_.length());
    of_.apply(1, 0, *scratch_, *right_, n);
  } else {
    of_.apply(1, -(1 - theta) * dt, *now_, *right_, n);
  }
  if (!of_.loads_in_time()) {
    if (!load_known_) of_.load(load_time_ = t, *load_next_);
    vectors_.combine(dt, *load_next_, 1, *right_, n);
  } else {
    if (theta < 1 && !load_known_) of_.load(t, *load_now_);
    of_.load(load_time_ = t + dt, *load_next_);
    vectors_.combine(theta * dt, *load_next_, 1, *right_, n);
    if (theta < 1) vectors_.combine((1 - theta) * dt, *load_now_, 1, *right_, n);
    std::swap(load_now_, load_next_);  // this step's end is the next one's start
  }
  load_known_ = true;
  guess();
  of_.set_fixed(t + dt, *now_);
  set_scales(two ? 1.5 : 1.0, theta * dt);
  const SolveReport report = solver_.solve(*right_, *now_, options_);
  of_.complete(*now_);
  known_ = std::min(known_ + 1, 2);
  return report;
}

SteadySolver::SteadySolver(HeatOperator& of, SolverOptions options)
    : of_(of), vectors_(of.vectors()), options_(options), matrix_(of, 0, 1), solver_(vectors_, matrix_) {
  for (auto* vector : {&now_, &right_, &inverse_diagonal_})
    *vector = vectors_.make(of.length(), "temperature and right-hand side");
  solver_.precondition(*inverse_diagonal_);
}

SolveReport SteadySolver::solve() {
  const auto n = of_.size();
  of_.diagonal(0, 1, *inverse_diagonal_, n);
  of_.invert(*inverse_diagonal_, n);
  solver_.fuse(of_.fused(0, 1, *inverse_diagonal_));
  if (levels_) solver_.precondition(levels_->scale(0, 1));
  of_.load(0, *right_);
  now_->fill_zero();
  of_.set_fixed(0, *now_);
  const SolveReport report = solver_.solve(*right_, *now_, options_, floating());
  of_.complete(*now_);
  return report;
}

void SteadySolver::add(double constant) {
  vectors_.add_constant(constant, *now_, of_.size());
  of_.complete(*now_);
}

}  // namespace swell
