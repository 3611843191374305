// SPDX-License-Identifier: Apache-2.0
// The integrators on small systems of ordinary differential equations that live on the host.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#include "base/error.hpp"
#include "time/integrator.hpp"

namespace swell {
namespace {

using Values = std::vector<double>;

class HostBuffer : public Buffer {
 public:
  explicit HostBuffer(std::size_t count) : values(count, 0.0) {}
  std::size_t bytes() const override { return values.size() * sizeof(double); }
  void write(const void* from, std::size_t count, std::size_t offset) override {
    std::memcpy(reinterpret_cast<char*>(values.data()) + offset, from, count);
  }
  void read(void* to, std::size_t count, std::size_t offset) const override {
    std::memcpy(to, reinterpret_cast<const char*>(values.data()) + offset, count);
  }
  void fill_zero() override { values.assign(values.size(), 0.0); }
  Values values;
};

Values& in(Buffer& b) { return static_cast<HostBuffer&>(b).values; }
const Values& in(const Buffer& b) { return static_cast<const HostBuffer&>(b).values; }

// q' = f(t, q), all of it local: there are no neighbours. As of a space of this polynomial degree.
class Equation : public RightHandSide, public Predictor {
 public:
  using Function = std::function<Values(double, const Values&)>;
  Equation(std::size_t size, Function f, int order = 3, bool autonomous = false)
      : size_(size), f_(std::move(f)), order_(order), autonomous_(autonomous) {}

  std::unique_ptr<Buffer> make_state(std::string_view) override {
    ++states;
    return std::make_unique<HostBuffer>(size_);
  }
  void stage(double t, Buffer& q, Buffer& next, Buffer& residual, double a, double b, double dt) override {
    const Values f = evaluate(t, in(q));
    for (std::size_t i = 0; i < size_; ++i) {
      in(residual)[i] = a * in(residual)[i] + dt * f[i];
      in(next)[i] = in(q)[i] + b * in(residual)[i];
    }
  }
  void rate(double t, Buffer& q, Buffer& out) override { in(out) = evaluate(t, in(q)); }
  void combine(Buffer& out, std::span<const Term> terms) override {
    ASSERT_LE(terms.size(), 4u);
    Values sum(size_, 0.0);
    for (const Term& term : terms)
      for (std::size_t i = 0; i < size_; ++i) sum[i] += term.factor * in(*term.buffer)[i];
    in(out) = sum;
  }
  Predictor* predictor() override { return offers_predictor ? this : nullptr; }
  void limit(double t, Buffer&, Buffer&) override { limited.push_back(t); }
  int order() const override { return order_; }
  bool autonomous() const override { return autonomous_; }
  void local_rate(double t, Buffer& q, Buffer& out) override { in(out) = f_(t, in(q)); }
  // There are no faces, so nothing is carried.
  void remember(Buffer& q, Buffer& alone) override { in(alone) = in(q); }
  void carried_rate(Buffer& q, const Carried& carried, Buffer& out) override {
    for (std::size_t i = 0; i < size_; ++i) in(out)[i] = carried.factor * (in(q)[i] - in(*carried.predicted)[i]);
  }
  void advance(std::unique_ptr<Buffer>& q, double, double dt, const Carried&) override {
    Values derivative = in(*q), sum(size_, 0.0);
    double factor = 1;
    for (int r = 0; r <= order_; ++r) {
      factor *= dt / (r + 1);
      for (std::size_t i = 0; i < size_; ++i) sum[i] += factor * derivative[i];
      derivative = f_(0, derivative);
    }
    const Values f = evaluate(0, sum);
    for (std::size_t i = 0; i < size_; ++i) in(*q)[i] += f[i];
  }
  int states = 0, evaluations = 0;
  bool offers_predictor = true;
  std::vector<double> limited;  // times of the states that were limited

 private:
  Values evaluate(double t, const Values& q) {
    ++evaluations;
    return f_(t, q);
  }
  std::size_t size_;
  Function f_;
  int order_;
  bool autonomous_;
};

Values solve(const std::string& scheme, const Equation::Function& f, const Values& start, double end, int steps) {
  Equation equation(start.size(), f);
  const auto integrator = make_integrator(scheme, equation);
  in(integrator->state()) = start;
  for (int i = 0; i < steps; ++i) integrator->step(i * end / steps, end / steps);
  return in(integrator->state());
}

// In a space of degree 3.
int order_of(const std::string& scheme) { return scheme == "ssprk33" || scheme == "ab3" ? 3 : 4; }

class EveryScheme : public testing::TestWithParam<std::string> {};

// Between 160 and 320 steps, of one component.
double observed_order(const std::string& scheme, const Equation::Function& f, const Values& start, double end,
                      double exact) {
  const double coarse = std::abs(solve(scheme, f, start, end, 160)[0] - exact);
  const double fine = std::abs(solve(scheme, f, start, end, 320)[0] - exact);
  return std::log2(coarse / fine);
}

TEST_P(EveryScheme, ConvergesAtItsOrderOnALinearOscillator) {
  const auto f = [](double, const Values& q) { return Values{q[1], -4 * q[0]}; };
  EXPECT_NEAR(observed_order(GetParam(), f, {1, 0}, 2, std::cos(4.0)), order_of(GetParam()), 0.2);
}

TEST_P(EveryScheme, ConvergesAtItsOrderOnANonlinearEquation) {
  const auto f = [](double, const Values& q) { return Values{-q[0] * q[0]}; };
  EXPECT_NEAR(observed_order(GetParam(), f, {1}, 3, 0.25), order_of(GetParam()), 0.25);
}

TEST_P(EveryScheme, ConvergesAtItsOrderWhereTheEquationChangesWithTime) {
  const auto f = [](double t, const Values& q) {
    return Values{q[0] * std::cos(t) + std::exp(std::sin(t))};
  };  // q = (1 + t) e^sin t
  EXPECT_NEAR(observed_order(GetParam(), f, {1}, 3, 4 * std::exp(std::sin(3.0))), order_of(GetParam()), 0.3);
}

// A clock among the unknowns must show each stage's own time: the rows of the coefficients sum to the stage's c.
TEST_P(EveryScheme, AsksForTheRightHandSideAtTheTimesOfItsStages) {
  if (GetParam() == "ader") GTEST_SKIP() << "its prediction begins with the state at the start of the step";
  double worst = 0;
  const auto f = [&](double t, const Values& q) {
    worst = std::max(worst, std::abs(t - q[0]));
    return Values{1};
  };
  const double end = solve(GetParam(), f, {0}, 1, 7)[0];
  EXPECT_LT(worst, 1e-13);
  EXPECT_NEAR(end, 1, 1e-13);
}

// Polynomials of degree p - 1 in time: the conditions on the weights alone.
TEST_P(EveryScheme, IntegratesPolynomialsInTimeExactly) {
  const int degree = order_of(GetParam()) - 1;
  const auto f = [&](double t, const Values&) { return Values{std::pow(t, degree)}; };
  EXPECT_NEAR(solve(GetParam(), f, {0}, 1, 5)[0], 1.0 / (degree + 1), 1e-13);
}

TEST_P(EveryScheme, TakesTheStatesAndStagesThatItSays) {
  Equation equation(1, [](double, const Values&) { return Values{1}; });
  const auto integrator = make_integrator(GetParam(), equation);
  EXPECT_EQ(equation.states, 1 + extra_states(GetParam(), 3, false));
  EXPECT_EQ(integrator->stages(), stages_of(GetParam(), 3, false));
  for (int i = 0; i < 5; ++i) integrator->step(i, 1);
  const int before = equation.evaluations;
  integrator->step(5, 1);
  EXPECT_EQ(equation.evaluations - before, stages_of(GetParam(), 3, false));
}

TEST_P(EveryScheme, ForgetsThePastWhenRestarted) {
  const auto f = [](double t, const Values& q) { return Values{std::sin(t) - q[0]}; };
  Equation used(1, f), fresh(1, f);
  const auto a = make_integrator(GetParam(), used), b = make_integrator(GetParam(), fresh);
  in(a->state()) = {1};
  for (int i = 0; i < 5; ++i) a->step(0.1 * i, 0.1);
  a->restart();
  in(a->state()) = {0.3};
  in(b->state()) = {0.3};
  for (int i = 0; i < 6; ++i) {
    a->step(2 + 0.05 * i, 0.05);
    b->step(2 + 0.05 * i, 0.05);
    EXPECT_EQ(in(a->state())[0], in(b->state())[0]) << "step " << i;
  }
}

// Schemes whose order is that of the space: q' = L q, and q' = a(t) q + b(t), for every polynomial degree.
class SchemeOfTheSpace : public testing::TestWithParam<std::tuple<std::string, int>> {
 protected:
  const std::string scheme = std::get<0>(GetParam());
  const int degree = std::get<1>(GetParam());

  Values after(Equation& equation, const Values& start, double end, int steps) const {
    const auto integrator = make_integrator(scheme, equation);
    in(integrator->state()) = start;
    for (int i = 0; i < steps; ++i) integrator->step(i * end / steps, end / steps);
    return in(integrator->state());
  }
};

TEST_P(SchemeOfTheSpace, HasItsOrderOnALinearOscillator) {
  Equation equation(2, [](double, const Values& q) { return Values{q[1], -4 * q[0]}; }, degree, true);
  const auto error = [&](int steps) {
    const Values q = after(equation, {1, 0}, 2, steps);
    return std::hypot(q[0] - std::cos(4.0), q[1] + 2 * std::sin(4.0));
  };
  EXPECT_NEAR(std::log2(error(16) / error(32)), degree + 1, 0.25);
}

TEST_P(SchemeOfTheSpace, HasItsOrderWhereTheEquationChangesWithTime) {
  if (scheme == "rkp1" && degree > 3) GTEST_SKIP() << "refused";
  Equation equation(1, [](double t, const Values& q) { return Values{q[0] * std::cos(t) + std::exp(std::sin(t))}; }, degree);
  const auto error = [&](int steps) {  // the largest on the way: at the end alone it may pass through zero
    const auto integrator = make_integrator(scheme, equation);
    in(integrator->state()) = {1};
    double worst = 0;
    for (int i = 1; i <= steps; ++i) {
      const double dt = 3.0 / steps, t = i * dt;
      integrator->step(t - dt, dt);
      worst = std::max(worst, std::abs(in(integrator->state())[0] - (1 + t) * std::exp(std::sin(t))));
    }
    return worst;
  };
  // Gauss times may give more than asked.
  EXPECT_GT(std::log2(error(20) / error(40)), degree + 1 - 0.3);
}

INSTANTIATE_TEST_SUITE_P(Degrees, SchemeOfTheSpace, testing::Combine(testing::Values("rkp1", "ader"), testing::Range(1, 8)),
                         [](const auto& given) {
                           return std::get<0>(given.param) + "OfDegree" + std::to_string(std::get<1>(given.param));
                         });

TEST(RungeKuttaOfTheSpace, RefusesHighOrderWhereTheEquationChangesWithTime) {
  Equation equation(1, [](double, const Values&) { return Values{0}; }, 4, false);
  EXPECT_THROW(make_integrator("rkp1", equation), InputError);
}

TEST(SchemesOfTheSpace, RefuseARightHandSideWithoutAPredictor) {
  Equation equation(1, [](double, const Values&) { return Values{0}; });
  equation.offers_predictor = false;
  for (const char* scheme : {"rkp1", "ader"}) EXPECT_THROW(make_integrator(scheme, equation), InputError) << scheme;
  for (const char* scheme : {"lsrk54", "rk4", "ssprk33", "ab3"}) EXPECT_NO_THROW(make_integrator(scheme, equation)) << scheme;
}

TEST(Limits, FollowEachStageAtTheTimeOfItsState) {
  Equation equation(1, [](double t, const Values&) { return Values{t}; });
  const auto strong = make_integrator("ssprk33", equation);
  strong->step(2, 0.5);
  EXPECT_EQ(equation.limited, (std::vector<double>{2.5, 2.25, 2.5}));
  equation.limited.clear();
  make_integrator("lsrk54", equation)->step(2, 0.5);
  ASSERT_EQ(equation.limited.size(), 5u);
  EXPECT_EQ(equation.limited.back(), 2.5);
}

INSTANTIATE_TEST_SUITE_P(Schemes, EveryScheme, testing::ValuesIn(integrator_names()),
                         [](const auto& given) { return given.param; });

TEST(Integrators, AreFoundByName) {
  Equation equation(1, [](double, const Values&) { return Values{0}; });
  EXPECT_EQ(integrator_names(), (std::vector<std::string>{"lsrk54", "rk4", "ssprk33", "ab3", "rkp1", "ader"}));
  EXPECT_THROW(make_integrator("euler", equation), std::logic_error);
}

// The history carried from a state that blew up is forgotten with it.
TEST(AderMemory, IsForgottenByARestart) {
  Equation equation(1, [](double t, const Values& q) { return Values{std::cos(t) - q[0]}; }, 5);
  const auto ader = make_integrator("ader", equation);
  in(ader->state()) = {std::numeric_limits<double>::quiet_NaN()};
  ader->step(0, 0.1);
  EXPECT_EQ(ader->memory().size(), 1u);
  ader->restart();
  EXPECT_TRUE(ader->memory().empty());
  in(ader->state()) = {1};
  ader->step(0, 0.1);
  EXPECT_NEAR(in(ader->state())[0], (std::cos(0.1) + std::sin(0.1) + std::exp(-0.1)) / 2, 1e-8);
}

}  // namespace
}  // namespace swell
