// SPDX-License-Identifier: Apache-2.0
#include "time/integrator.hpp"

#include <array>
#include <stdexcept>

#include "time/space_order.hpp"
#include "time/stability.hpp"

namespace swell {

namespace {

using Term = RightHandSide::Term;

// Five stages, order four, two registers (Carpenter and Kennedy 1994, NASA TM 109112).
class LowStorage : public Integrator {
 public:
  explicit LowStorage(RightHandSide& f)
      : Integrator(f), next_(f.make_state("next state")), residual_(f.make_state("residual")) {}
  int stages() const override { return 5; }
  void step(double t, double dt) override {
    for (int s = 0; s < 5; ++s) {
      f_.stage(t + c[s] * dt, *state_, *next_, *residual_, a[s], b[s], dt);
      std::swap(state_, next_);
      f_.limit(t + (s < 4 ? c[s + 1] : 1) * dt, *next_, *state_);
    }
  }

 private:
  static constexpr double a[5] = {0, -567301805773.0 / 1357537059087.0, -2404267990393.0 / 2016746695238.0,
                                  -3550918686646.0 / 2091501179385.0, -1275806237668.0 / 842570457699.0};
  static constexpr double b[5] = {1432997174477.0 / 9575080441755.0, 5161836677717.0 / 13612068292357.0,
                                  1720146321549.0 / 2090206949498.0, 3134564353537.0 / 4481467310338.0,
                                  2277821191437.0 / 14882151754819.0};
  static constexpr double c[5] = {0, 1432997174477.0 / 9575080441755.0, 2526269341429.0 / 6820363962896.0,
                                  2006345519317.0 / 3224310063776.0, 2802321613138.0 / 2924317926251.0};
  std::unique_ptr<Buffer> next_, residual_;
};

// The classical scheme of Kutta (1901).
class Classical : public Integrator {
 public:
  explicit Classical(RightHandSide& f)
      : Integrator(f), at_(f.make_state("stage")), rate_(f.make_state("rate")), sum_(f.make_state("sum")) {}
  int stages() const override { return 4; }
  void step(double t, double dt) override {
    constexpr double c[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    for (int s = 0; s < 4; ++s) {
      if (s > 0) f_.combine(*at_, std::array{Term{1, state_.get()}, Term{c[s] * dt, rate_.get()}});
      f_.rate(t + c[s] * dt, s > 0 ? *at_ : *state_, *rate_);
      f_.combine(*sum_, std::array{Term{1, s > 0 ? sum_.get() : state_.get()}, Term{weight[s] * dt, rate_.get()}});
    }
    std::swap(state_, sum_);
  }

 private:
  std::unique_ptr<Buffer> at_, rate_, sum_;
};

// Three stages, order three, strong stability preserving (Shu and Osher 1988): each stage blends the old state with an Euler
// step.
class StrongStability : public Integrator {
 public:
  explicit StrongStability(RightHandSide& f)
      : Integrator(f), at_(f.make_state("stage")), next_(f.make_state("next stage")), rate_(f.make_state("rate")) {}
  int stages() const override { return 3; }
  void step(double t, double dt) override {
    constexpr double c[3] = {0, 1, 0.5}, ends[3] = {1, 0.5, 1}, old[3] = {0, 0.75, 1.0 / 3};
    for (int s = 0; s < 3; ++s) {
      Buffer& from = s > 0 ? *at_ : *state_;
      f_.rate(t + c[s] * dt, from, *rate_);
      f_.combine(*next_,
                 std::array{Term{old[s], state_.get()}, Term{1 - old[s], &from}, Term{(1 - old[s]) * dt, rate_.get()}});
      f_.limit(t + ends[s] * dt, from, *next_);
      std::swap(at_, next_);
    }
    std::swap(state_, at_);
  }

 private:
  std::unique_ptr<Buffer> at_, next_, rate_;
};

// Three steps, order three (Adams and Bashforth); the first two steps are of the strong stability preserving scheme.
class AdamsBashforth : public Integrator {
 public:
  explicit AdamsBashforth(RightHandSide& f) : Integrator(f), at_(f.make_state("stage")) {
    for (auto& r : rates_) r = f.make_state("rate");
  }
  int stages() const override { return 1; }
  void restart() override { known_ = 0; }
  std::vector<Buffer*> memory() override { return resume(known_); }
  std::vector<Buffer*> resume(int count) override {
    known_ = count;
    std::vector<Buffer*> rates;
    for (int i = 0; i < count; ++i) rates.push_back(rates_[i].get());
    return rates;
  }
  void step(double t, double dt) override {
    std::swap(rates_[2], rates_[1]);
    std::swap(rates_[1], rates_[0]);
    f_.rate(t, *state_, *rates_[0]);
    if (known_ < 2) {
      start(t, dt);
      ++known_;
      return;
    }
    f_.combine(*state_, std::array{Term{1, state_.get()}, Term{23 * dt / 12, rates_[0].get()},
                                   Term{-16 * dt / 12, rates_[1].get()}, Term{5 * dt / 12, rates_[2].get()}});
  }

 private:
  void start(double t, double dt) {
    Buffer& rate = *rates_[2];  // not needed before the third step
    f_.combine(*at_, std::array{Term{1, state_.get()}, Term{dt, rates_[0].get()}});
    f_.rate(t + dt, *at_, rate);
    f_.combine(*at_, std::array{Term{0.75, state_.get()}, Term{0.25, at_.get()}, Term{0.25 * dt, &rate}});
    f_.rate(t + 0.5 * dt, *at_, rate);
    f_.combine(*state_, std::array{Term{1.0 / 3, state_.get()}, Term{2.0 / 3, at_.get()}, Term{2.0 / 3 * dt, &rate}});
  }
  std::unique_ptr<Buffer> at_;
  std::array<std::unique_ptr<Buffer>, 3> rates_;
  int known_ = 0;
};

struct Entry {
  std::string name;
  // -1: it depends on the order of the space
  int extra, stages;
  // The stability region reaches to -2.51 for ssprk33, -2.79 for rk4, further for lsrk54, to -0.545 for ab3, and to -2 for
  // the Taylor series of ader and rkp1 at order 1.
  double decay;
  std::unique_ptr<Integrator> (*make)(RightHandSide&);
};

template <class Scheme>
std::unique_ptr<Integrator> make(RightHandSide& f) {
  return std::make_unique<Scheme>(f);
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all{{"lsrk54", 2, 5, 2.5, make<LowStorage>},
                                      {"rk4", 3, 4, 2.5, make<Classical>},
                                      {"ssprk33", 3, 3, 2.5, make<StrongStability>},
                                      {"ab3", 4, 1, 0.5, make<AdamsBashforth>},
                                      {"rkp1", 3, -1, 1.9, make<RungeKuttaOfSpace>},
                                      {"ader", -1, -1, 1.9, make<Ader>}};
  return all;
}

const Entry& entry(std::string_view scheme) {
  for (const auto& e : entries())
    if (e.name == scheme) return e;
  throw std::logic_error("no integrator " + std::string(scheme));
}

}  // namespace

std::unique_ptr<Integrator> make_integrator(std::string_view scheme, RightHandSide& f) { return entry(scheme).make(f); }

const std::vector<std::string>& integrator_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& e : entries()) all.push_back(e.name);
    return all;
  }();
  return names;
}

int extra_states(std::string_view scheme, int order, bool autonomous) {
  if (scheme != "ader") return entry(scheme).extra;
  if (!ader_memory(order)) return autonomous ? 2 : 1 + 2 * order;
  return autonomous ? 3 : 3 + 2 * order;
}
int stages_of(std::string_view scheme, int order, bool autonomous) {
  if (scheme == "ader") return autonomous ? 1 : order;
  return scheme == "rkp1" ? order + 1 : entry(scheme).stages;
}
double decay_limit(std::string_view scheme) { return entry(scheme).decay; }

}  // namespace swell
