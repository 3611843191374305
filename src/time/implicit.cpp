// SPDX-License-Identifier: Apache-2.0
#include "time/implicit.hpp"

#include <algorithm>
#include <cmath>

namespace swell {

ImplicitIntegrator::ImplicitIntegrator(ImplicitProblem& problem, ImplicitScheme scheme) : problem_(problem), scheme_(scheme) {
  for (auto* vector : {&now_, &before_, &older_, &right_, &load_now_, &load_next_, &scratch_})
    *vector = problem.make_vector("states and right-hand sides");
}

void ImplicitIntegrator::restart() {
  known_ = 0;
  load_known_ = false;
}

ImplicitIntegrator::Memory ImplicitIntegrator::memory() const {
  Memory memory{{}, last_dt_, load_time_};
  if (known_ > 0) memory.before.push_back(before_.get());
  if (known_ > 1) memory.before.push_back(older_.get());
  return memory;
}

std::vector<Buffer*> ImplicitIntegrator::earlier(std::size_t count) {
  std::vector<Buffer*> all;
  if (count > 0) all.push_back(before_.get());
  if (count > 1) all.push_back(older_.get());
  return all;
}

void ImplicitIntegrator::resume(std::size_t count, double last_dt, double load_time) {
  known_ = static_cast<int>(count);
  last_dt_ = last_dt;
  load_time_ = load_time;
  load_known_ = known_ > 0;
  if (load_known_) problem_.load(load_time, problem_.loads_in_time() ? *load_now_ : *load_next_);
}

// The first guess for the new state goes along the parabola, or line, through the last ones; it takes the place of the oldest,
// and the others move back by one.
void ImplicitIntegrator::guess() {
  if (known_ >= 2) {
    problem_.combine(3, *now_, 1, *older_);
    problem_.combine(-3, *before_, 1, *older_);
  } else if (known_ == 1) {
    problem_.combine(2, *now_, 0, *older_);
    problem_.combine(-1, *before_, 1, *older_);
  } else {
    problem_.copy(*now_, *older_);
  }
  std::swap(older_, before_);  // before: guess, older: the one before now
  std::swap(before_, now_);    // now: guess, before: the old state
}

void ImplicitIntegrator::step(double t, double dt) {
  if (known_ > 0 && std::abs(dt - last_dt_) > 1e-9 * dt) known_ = 0;  // the scheme and the guess need equal steps
  last_dt_ = dt;
  const bool two = scheme_.kind == ImplicitScheme::Kind::bdf2 && known_ > 0;
  const double theta = scheme_.kind == ImplicitScheme::Kind::bdf2 ? 1.0 : scheme_.theta;
  if (two) {
    // (3/2 M + dt K) y = M (2 y_now - 1/2 y_before) + dt F
    problem_.copy(*before_, *scratch_);
    problem_.combine(2, *now_, -0.5, *scratch_);
    problem_.apply(1, 0, *scratch_, *right_);
  } else {
    problem_.apply(1, -(1 - theta) * dt, *now_, *right_);
  }
  if (!problem_.loads_in_time()) {
    if (!load_known_) problem_.load(load_time_ = t, *load_next_);
    problem_.add(dt, *load_next_, *right_);
  } else {
    if (theta < 1 && !load_known_) problem_.load(t, *load_now_);
    problem_.load(load_time_ = t + dt, *load_next_);
    problem_.add(theta * dt, *load_next_, *right_);
    if (theta < 1) problem_.add((1 - theta) * dt, *load_now_, *right_);
    std::swap(load_now_, load_next_);  // this step's end is the next one's start
  }
  load_known_ = true;
  guess();
  problem_.set_given(t + dt, *now_);
  problem_.solve(two ? 1.5 : 1.0, theta * dt, *right_, *now_);
  known_ = std::min(known_ + 1, 2);
}

}  // namespace swell
