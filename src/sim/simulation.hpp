// SPDX-License-Identifier: Apache-2.0
// A case in motion: set up once, advanced in time, asked for fields, errors and energy. Knows nothing of files.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "base/timer.hpp"
#include "case/case.hpp"
#include "comm/ranks.hpp"
#include "mesh/geometry.hpp"
#include "sim/errors.hpp"
#include "time/integrator.hpp"
#include "time/step_control.hpp"

namespace swell {

class Simulation {
 public:
  // With other ranks each keeps its part of the mesh, and whatever is asked of a simulation is asked on all of them.
  Simulation(Case c, Device& device, Ranks& ranks = lone_rank());

  const Case& given() const { return case_; }
  const Mesh& mesh() const { return mesh_; }  // this rank's part
  Ranks& ranks() const { return ranks_; }
  std::int64_t elements() const { return elements_; }  // of all ranks
  std::int64_t dofs() const { return elements_ * dg_->element().node_count * dg_->fields(); }
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
  bool blew_up() const { return blew_up_; }  // on every rank

  using Moment = TimePoint;
  Moment moment() const {
    Moment now = moment_;
    control_->save(now);
    return now;
  }
  // Goes on from a moment of another run, whose state and memory the caller puts in place. With another step length than there
  // a new stretch begins.
  void resume(const Moment& moment);
  Integrator& integrator() { return *integrator_; }
  // Values [cell][node] of this rank's cells in place of one field; the other fields keep their bits. A new stretch begins.
  void set_field(int field, const std::vector<double>& values);
  // The same for the same cells in the same order and place, however the whole mesh was read, made or shared out.
  const std::string& mesh_fingerprint() const { return mesh_fingerprint_; }

  bool has_exact() const { return !exact_.empty(); }
  // Fields that [exact] names; errors are measured for these.
  const std::vector<char>& exact_known() const { return exact_known_; }
  ErrorNorms errors();
  double energy() { return dg_->observer().energy(state(), time()); }
  // Queued only: into a place of a log of the operator's monitor.
  void note_energy(Buffer& log, std::int64_t place) { dg_->observer().note_energy(state(), time(), log, place); }
  // The cell that holds a point, on the rank whose it is; cell = -1 elsewhere. Throws InputError with `place` before it for points
  // outside the mesh.
  Locator::Hit locate(const std::vector<double>& point, const std::string& place);
  // One field at a point; throws InputError for points outside the mesh.
  double value_at(const std::string& field, const std::vector<double>& point);

  double setup_seconds() const { return setup_seconds_; }
  double solve_seconds() const { return solve_seconds_; }

 private:
  static constexpr double step_tolerance = EqualSteps::tolerance;

  void set_up_problem(Device& device);
  void set_initial();
  void set_steps();
  void watch();
  void blow_up(const Finding& finding);

  Case case_;
  Ranks& ranks_;
  Mesh mesh_;
  std::int64_t elements_ = 0;
  std::unique_ptr<Locator> locator_;  // once it was needed
  std::unique_ptr<Operator> dg_;
  std::unique_ptr<Integrator> integrator_;
  std::vector<Expression> exact_;
  std::vector<char> exact_known_;
  std::string mesh_fingerprint_;
  std::unique_ptr<StepControl> control_;
  bool steady_length_ = true;  // dt stays as it is
  Moment moment_;
  double end_ = 0;
  std::vector<std::pair<std::int64_t, double>> watched_;  // steps and times of the looks since the last check
  Stopwatch since_check_;
  std::int64_t unchecked_ = 0, patience_ = 1, checks_ = 0;  // steps since the last check, and until the next
  bool blew_up_ = false;
  double setup_seconds_ = 0, solve_seconds_ = 0;
};

}  // namespace swell
