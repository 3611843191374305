// SPDX-License-Identifier: Apache-2.0
#include "time/space_order.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"
#include "element/basis.hpp"
#include "time/stability.hpp"

namespace swell {

using Term = RightHandSide::Term;

namespace {

constexpr int most_terms = 4;  // of RightHandSide::combine

Predictor& predictor_of(RightHandSide& f, const char* scheme) {
  if (Predictor* found = f.predictor()) return *found;
  throw InputError(
      "time.scheme = \"{}\" needs a predictor of each element without its faces, and this model's discretisation has "
      "none; take a Runge-Kutta scheme: use \"lsrk54\", "
      "\"rk4\" or \"ssprk33\".",
      scheme);
}

}  // namespace

RungeKuttaOfSpace::RungeKuttaOfSpace(RightHandSide& f)
    : Integrator(f), at_(f.make_state("stage")), rate_(f.make_state("rate")), sum_(f.make_state("sum")) {
  const Predictor& space = predictor_of(f, "rkp1");
  const int stages = space.order() + 1;
  if (stages == 2) {  // the midpoint rule
    shift_ = {0, 0.5};
    weight_ = {0, 1};
  } else if (stages == 3) {  // Heun 1900
    shift_ = {0, 1.0 / 3, 2.0 / 3};
    weight_ = {0.25, 0, 0.75};
  } else if (stages == 4) {  // Kutta 1901
    shift_ = {0, 0.5, 0.5, 1};
    weight_ = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  } else {
    // q + dt L (q + dt/2 L (q + dt/3 L (...))).
    if (!space.autonomous())
      throw InputError(
          "time.scheme = \"rkp1\" above order 3 is for problems without sources, boundary data or coefficients in time; "
          "use \"ader\".");
    shift_.assign(stages, 0);
    for (int j = 1; j < stages; ++j) shift_[j] = 1.0 / (stages + 1 - j);
    weight_.assign(stages, 0);
    weight_.back() = 1;
  }
}

void RungeKuttaOfSpace::step(double t, double dt) {
  bool started = false;
  for (std::size_t j = 0; j < shift_.size(); ++j) {
    if (j > 0) f_.combine(*at_, std::array{Term{1, state_.get()}, Term{shift_[j] * dt, rate_.get()}});
    f_.rate(t + shift_[j] * dt, j > 0 ? *at_ : *state_, *rate_);
    if (weight_[j] == 0) continue;
    f_.combine(*sum_, std::array{Term{1, started ? sum_.get() : state_.get()}, Term{weight_[j] * dt, rate_.get()}});
    started = true;
  }
  std::swap(state_, sum_);
}

Ader::Ader(RightHandSide& f) : Integrator(f), predictor_(predictor_of(f, "ader")) {
  if (ader_memory(predictor_.order())) {
    predicted_ = f.make_state("element-local prediction");
    predicted_->fill_zero();
  }
  // Everything is compiled now, not in the first step.
  clusters_ = predictor_.by_clusters();
  if (clusters_) {
    step_clusters(0, 0);
    return;
  }
  if (predictor_.autonomous()) {
    predictor_.advance(state_, 0, 0, carried(0));
    return;
  }
  if (predicted_) carried_ = f.make_state("rate of the faces in the step before");
  next_ = f.make_state("next state");
  const int count = predictor_.order();
  const Cubature rule = gauss_jacobi(0, 0, count);
  for (int g = 0; g < count; ++g) {
    times_.push_back((1 + rule.points(g, 0)) / 2);
    weights_.push_back(rule.weights(g) / 2);
    at_.push_back(f.make_state("state at a time of the step"));
    rates_.push_back(f.make_state("rate at a time of the step"));
  }
  // Programs and buffers for these times are made now, not in the first step.
  for (int g = 0; g < count; ++g) predictor_.local_rate(times_[g], *state_, *rates_[g]);
  if (predicted_) predictor_.carried_rate(*state_, carried(0), *carried_);
  // The rule, squeezed to [0, time g], integrates Lagrange's polynomials exactly.
  until_.assign(count, std::vector<double>(count, 0.0));
  for (int g = 0; g < count; ++g)
    for (int h = 0; h < count; ++h)
      for (int k = 0; k < count; ++k) {
        double value = 1;
        for (int l = 0; l < count; ++l)
          if (l != h) value *= (times_[g] * times_[k] - times_[l]) / (times_[h] - times_[l]);
        until_[g][h] += times_[g] * weights_[k] * value;
      }
}

void Ader::add(Buffer& out, const Buffer& base, double dt, const double* factors) {
  std::vector<Term> terms{{1, &base}};
  for (std::size_t h = 0; h < rates_.size(); ++h) {
    terms.push_back({dt * factors[h], rates_[h].get()});
    if (static_cast<int>(terms.size()) < most_terms && h + 1 < rates_.size()) continue;
    f_.combine(out, terms);
    terms.assign(1, {1, &out});
  }
}

void Ader::predict_at_times(double t, double dt) {
  for (int iteration = 0; iteration < predictor_.order(); ++iteration) {
    for (std::size_t g = 0; g < times_.size(); ++g)
      predictor_.local_rate(t + times_[g] * dt, iteration > 0 ? *at_[g] : *state_, *rates_[g]);
    for (std::size_t g = 0; g < times_.size(); ++g) {
      add(*at_[g], *state_, dt, until_[g].data());
      if (predicted_) f_.combine(*at_[g], std::array{Term{1, at_[g].get()}, Term{times_[g] * dt, carried_.get()}});
    }
  }
}

std::vector<Buffer*> Ader::resume(int count) {
  known_ = predicted_ && count > 0;
  return known_ ? std::vector<Buffer*>{predicted_.get()} : std::vector<Buffer*>{};
}

// The carried history is multiplied by 0 then, so it must be finite: a state that blew up may have left other values.
void Ader::restart() {
  known_ = false;
  if (predicted_) predicted_->fill_zero();
}

// Steps are equal, or restart() was called between them.
Predictor::Carried Ader::carried(double dt) const {
  return {predicted_.get(), known_ ? ader_memory(predictor_.order()).weight / dt : 0};
}

// Steps of cluster k begin where the number of the step of cluster 0 is a multiple of 2^k. Coarser ones are predicted first.
void Ader::step_clusters(double t, double dt) {
  const int last = clusters_->clusters() - 1;
  const std::int64_t steps = std::int64_t{1} << last;
  const double shortest = dt / static_cast<double>(steps);
  for (std::int64_t step = 0; step < steps; ++step) {
    for (int k = last; k >= 0; --k) {
      if (step % (std::int64_t{1} << k) != 0) continue;
      const double length = std::ldexp(shortest, k);
      clusters_->predict(k, static_cast<int>(step >> k & 1), *state_, t + static_cast<double>(step) * shortest, length, carried(length));
    }
    const std::int64_t done = step + 1;
    for (int k = 0; k <= last && done % (std::int64_t{1} << k) == 0; ++k)
      clusters_->correct(k, *state_, t + static_cast<double>(done - (std::int64_t{1} << k)) * shortest, std::ldexp(shortest, k));
  }
}

void Ader::step(double t, double dt) {
  if (clusters_) {
    step_clusters(t, dt);
    known_ = predicted_ != nullptr;
    return;
  }
  const Predictor::Carried before = carried(dt);
  known_ = predicted_ != nullptr;
  if (times_.empty()) {
    predictor_.advance(state_, t, dt, before);
    return;
  }
  if (predicted_) predictor_.carried_rate(*state_, before, *carried_);
  predict_at_times(t, dt);
  if (predicted_) {  // next_ serves for the element-local prediction
    for (std::size_t g = 0; g < times_.size(); ++g) predictor_.local_rate(t + times_[g] * dt, *at_[g], *rates_[g]);
    add(*next_, *state_, dt, weights_.data());
    predictor_.remember(*next_, *predicted_);
  }
  for (std::size_t g = 0; g < times_.size(); ++g) f_.rate(t + times_[g] * dt, *at_[g], *rates_[g]);
  add(*next_, *state_, dt, weights_.data());
  std::swap(state_, next_);
}

}  // namespace swell
