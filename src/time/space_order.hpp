// SPDX-License-Identifier: Apache-2.0
// One-step schemes for linear problems whose order in time is that of the space, polynomial degree + 1.
#pragma once

#include "time/integrator.hpp"

namespace swell {

// Explicit Runge-Kutta of order p + 1 in p + 1 stages. Up to order 4 for every right-hand side; above it, where no scheme
// has as few stages, for autonomous ones: their only condition is the Taylor series of the exponential. Throws InputError
// else.
class RungeKuttaOfSpace : public Integrator {
 public:
  explicit RungeKuttaOfSpace(RightHandSide& f);
  int stages() const override { return static_cast<int>(shift_.size()); }
  void step(double t, double dt) override;

 private:
  std::vector<double> shift_, weight_;  // stage j stands at q + shift_j dt k_(j-1), t + shift_j dt
  std::unique_ptr<Buffer> at_, rate_, sum_;
};

// ADER: an element-local prediction over the step, then one right-hand side of the prediction's integral as correction (Titarev
// and Toro 2002; Dumbser and Kaeser 2006). Where coefficients, sources or boundary data change with time, or boundary data are
// given, the prediction is found at p Gauss times of the step by p Picard iterations, which gain an order each, and the
// right-hand sides there are summed with their weights. From order 2 on the prediction also knows what came through the faces
// in the step before (ader_memory() in time/stability.hpp). Where the predictor knows clusters of elements, a step is one of the
// last cluster, and the others take two steps in each one of the next.
class Ader : public Integrator {
 public:
  explicit Ader(RightHandSide& f);
  int stages() const override { return times_.empty() ? 1 : static_cast<int>(times_.size()); }
  void step(double t, double dt) override;
  void restart() override;
  std::vector<Buffer*> memory() override { return resume(known_); }
  std::vector<Buffer*> resume(int count) override;

 private:
  Predictor::Carried carried(double dt) const;
  void step_clusters(double t, double dt);
  void predict_at_times(double t, double dt);
  // out = base + dt * sum of factors * rates
  void add(Buffer& out, const Buffer& base, double dt, const double* factors);

  Predictor& predictor_;
  ClusterPredictor* clusters_ = nullptr;
  std::unique_ptr<Buffer> next_;
  std::unique_ptr<Buffer> predicted_, carried_;  // what is carried, and its rate where the step has times
  bool known_ = false;                       // there was a step before
  std::vector<double> times_, weights_;             // on [0, 1]; empty: autonomous
  std::vector<std::vector<double>> until_;          // [g][h]: integral from 0 to time g of the polynomial that is 1 at time h
  std::vector<std::unique_ptr<Buffer>> at_, rates_;  // at each of the times
};

}  // namespace swell
