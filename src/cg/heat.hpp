// SPDX-License-Identifier: Apache-2.0
// Heat in time and at rest: what the implicit schemes of time/ solve, and the steady problem.
#pragma once

#include <optional>

#include "cg/levels.hpp"
#include "solve/pcg.hpp"
#include "time/implicit.hpp"

namespace swell {

// rhoC dT/dt = div(k grad T) + f by an implicit scheme. The temperature stays on the device.
class HeatStepper : private ImplicitProblem {
 public:
  HeatStepper(HeatOperator& of, ImplicitScheme scheme, SolverOptions options);

  // Multigrid in place of the diagonal; the levels must outlive this.
  void precondition(HeatLevels& levels) { levels_ = &levels; }
  // Another scheme, or materials that have changed since.
  void renew(ImplicitScheme scheme, SolverOptions options);
  // Values at the nodes at a time from which it goes on; given temperatures take their place on their boundaries.
  void begin(const std::vector<double>& values, double time = 0);
  // The values x whose integrals with the test functions, M x, are these, found from a guess, which tells the given temperatures that do not
  // belong to the start. Throws NotConverged.
  std::vector<double> projected(const std::vector<double>& right, const std::vector<double>& guess);
  // From t to t + dt. Throws NotConverged.
  SolveReport step(double t, double dt);
  Buffer& temperature() { return scheme_.state(); }
  // The memory of the scheme, on which the next step depends besides the temperature.
  ImplicitIntegrator::Memory memory() const { return scheme_.memory(); }
  // Goes on from what another stepper has left, with the same bits where it is of the same kind.
  void resume(const std::vector<double>& values, const std::vector<std::vector<double>>& before, double last_dt,
              double load_time);
  // Integral of rhoC T. Waits.
  double stored_heat();

 private:
  std::unique_ptr<Buffer> make_vector(std::string_view label) override { return vectors_.make(of_.length(), label); }
  void copy(const Buffer& from, Buffer& to) override { vectors_.copy(from, to, of_.length()); }
  void combine(double a, const Buffer& x, double b, Buffer& y) override { vectors_.combine(a, x, b, y, of_.length()); }
  void add(double a, const Buffer& x, Buffer& y) override { vectors_.combine(a, x, 1, y, of_.size()); }
  void apply(double a, double b, const Buffer& x, Buffer& y) override { of_.apply(a, b, x, y, of_.size()); }
  void load(double t, Buffer& y) override { of_.load(t, y); }
  bool loads_in_time() const override { return of_.loads_in_time(); }
  void set_given(double t, Buffer& y) override { of_.set_fixed(t, y); }
  void solve(double a, double b, const Buffer& right, Buffer& y) override;
  void write(const std::vector<double>& values, Buffer& to);
  void set_scales(double a, double b);

  HeatOperator& of_;
  Vectors& vectors_;
  SolverOptions options_;
  ScaledOperator matrix_;
  Pcg solver_;
  HeatLevels* levels_ = nullptr;
  ImplicitIntegrator scheme_;
  std::unique_ptr<Buffer> inverse_diagonal_, weights_;
  double scale_mass_ = -1, scale_stiffness_ = -1;
  SolveReport report_;
  bool weighed_ = false;
};

// div(k grad T) + f = 0.
class SteadySolver {
 public:
  SteadySolver(HeatOperator& of, SolverOptions options);
  // No temperature is given anywhere and no heat leaves by transfer: the answer is known up to a constant only.
  bool floating() const { return !of_.holds_values() && !of_.has_transfer(); }
  // Multigrid in place of the diagonal; the levels must outlive this.
  void precondition(HeatLevels& levels) { levels_ = &levels; }
  void renew(SolverOptions options) { options_ = options; }
  // From 0 on.
  SolveReport solve();
  void add(double constant);  // to the answer
  Buffer& temperature() { return *now_; }

 private:
  HeatOperator& of_;
  Vectors& vectors_;
  SolverOptions options_;
  ScaledOperator matrix_;
  Pcg solver_;
  HeatLevels* levels_ = nullptr;
  std::unique_ptr<Buffer> now_, right_, inverse_diagonal_;
};

}  // namespace swell
