// SPDX-License-Identifier: Apache-2.0
// Heat in time and at rest: theta scheme, BDF2 and the steady problem, each step one solve on the device.
#pragma once

#include <optional>

#include "cg/levels.hpp"
#include "solve/pcg.hpp"

namespace swell {

struct HeatScheme {
  enum class Kind : unsigned char { theta, bdf2 };
  Kind kind = Kind::theta;
  double theta = 0.5;
};

// rhoC dT/dt = div(k grad T) + f. The temperature stays on the device.
class HeatStepper {
 public:
  HeatStepper(HeatOperator& of, HeatScheme scheme, SolverOptions options);

  // Multigrid in place of the diagonal; the levels must outlive this.
  void precondition(HeatLevels& levels) { levels_ = &levels; }
  // Another scheme, or materials that have changed since.
  void renew(HeatScheme scheme, SolverOptions options);
  // Values at the nodes at a time from which it goes on; given temperatures take their place on their boundaries.
  void begin(const std::vector<double>& values, double time = 0);
  // From t to t + dt. Throws NotConverged.
  SolveReport step(double t, double dt);
  Buffer& temperature() { return *now_; }
  // What the next step depends on besides the temperature.
  struct Memory {
    std::vector<const Buffer*> before;  // the temperatures before, the last one first
    double last_dt = 0;
    double load_time = 0;               // at which the right-hand side was integrated last
  };
  Memory memory() const;
  // Goes on from what another stepper has left, with the same bits where it is of the same kind.
  void resume(const std::vector<double>& values, const std::vector<std::vector<double>>& before, double last_dt,
              double load_time);
  // Integral of rhoC T. Waits.
  double stored_heat();

 private:
  void write(const std::vector<double>& values, Buffer& to);
  void guess();
  void set_scales(double a, double b);

  HeatOperator& of_;
  Vectors& vectors_;
  HeatScheme scheme_;
  SolverOptions options_;
  ScaledOperator matrix_;
  Pcg solver_;
  HeatLevels* levels_ = nullptr;
  std::unique_ptr<Buffer> now_, before_, older_, right_, load_now_, load_next_, scratch_, inverse_diagonal_, weights_;
  double scale_mass_ = -1, scale_stiffness_ = -1, last_dt_ = 0, load_time_ = 0;
  int known_ = 0;  // earlier temperatures that the guess can use
  bool load_known_ = false, weighed_ = false;
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
