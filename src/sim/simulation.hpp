// SPDX-License-Identifier: Apache-2.0
// A case in motion: set up once, advanced in time, asked for fields, errors and energy. Knows nothing of files.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "base/timer.hpp"
#include "sim/case.hpp"
#include "sim/errors.hpp"
#include "time/integrator.hpp"

namespace swell {

class Simulation {
 public:
  Simulation(Case c, Device& device);

  const Case& given() const { return case_; }
  const Mesh& mesh() const { return mesh_; }
  Operator& dg() { return *dg_; }
  const Operator& dg() const { return *dg_; }
  Buffer& state() { return integrator_->state(); }

  double time() const { return moment_.time; }
  std::int64_t steps() const { return moment_.steps; }
  double dt() const { return moment_.dt; }  // cfl times the stable step, or what the case gives
  double nearly() const { return 2 * step_tolerance * moment_.dt; }  // so little time is no reason for a step
  double end() const { return end_; }
  std::int64_t predicted_steps() const;
  int stages() const { return integrator_->stages(); }

  // Equal steps, none longer than dt(), that end at `until` (a case with `steps` keeps its dt: it ends at the first step that
  // reaches `until`). `after_step` may return false to stop early. Throws RunError where the state stops being finite.
  void advance(double until, const std::function<bool()>& after_step = {});
  // The same, but the steps are only queued, and the host waits for the device a few times a second: the state is known to be
  // good after settle(). A run that blows up throws at the same step whatever the speed of the machine; time() and steps() are
  // then those at which it was first seen.
  void march(double until, const std::function<bool()>& after_step = {});
  void settle();
  // Waits, and throws RunError where one of the looks at the state so far has found a value that is not finite.
  void check();
  std::int64_t checks() const { return checks_; }

  // Where in time a run is, with all that the next step depends on besides the state.
  struct Moment {
    double time = 0, dt = 0;
    std::int64_t steps = 0;
    // Steps of a fixed length are counted from here.
    double origin = 0;
    std::int64_t origin_step = 0;
    // The stretch of equal steps that it is in, and how many of them are done; none: 0.
    double start = 0, until = 0;
    std::int64_t done = 0;
  };
  Moment moment() const { return moment_; }
  // Goes on from a moment of another run, whose state and memory the caller puts in place. With another step length than there
  // a new stretch begins.
  void resume(const Moment& moment);
  Integrator& integrator() { return *integrator_; }

  bool has_exact() const { return !exact_.empty(); }
  // Fields that [exact] names; errors are measured for these.
  const std::vector<char>& exact_known() const { return exact_known_; }
  ErrorNorms errors();
  double energy() { return dg_->energy(state(), time()); }
  // Queued only: into a place of a log of the operator's monitor.
  void note_energy(Buffer& log, std::int64_t place) { dg_->note_energy(state(), time(), log, place); }
  // One field at a point; throws InputError for points outside the mesh.
  double value_at(const std::string& field, const std::vector<double>& point);

  double setup_seconds() const { return setup_seconds_; }
  double solve_seconds() const { return solve_seconds_; }

 private:
  // A step may be longer than asked by this part, so that rounding does not add one.
  static constexpr double step_tolerance = 1e-9;

  void set_initial();
  void watch();
  void blow_up(const Verdict& verdict);

  Case case_;
  Mesh mesh_;
  std::unique_ptr<Operator> dg_;
  std::unique_ptr<Integrator> integrator_;
  std::vector<Expression> exact_;
  std::vector<char> exact_known_;
  Moment moment_;
  double end_ = 0;
  std::vector<std::pair<std::int64_t, double>> watched_;  // steps and times of the looks since the last check
  Stopwatch since_check_;
  std::int64_t unchecked_ = 0, patience_ = 1, checks_ = 0;  // steps since the last check, and until the next
  double setup_seconds_ = 0, solve_seconds_ = 0;
};

}  // namespace swell
