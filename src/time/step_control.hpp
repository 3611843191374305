// SPDX-License-Identifier: Apache-2.0
// How long the next step is: equal steps for linear problems, steps from the state's own wave speeds for nonlinear ones.
#pragma once

#include <cstdint>

#include "device/device.hpp"

namespace swell {

// The memory of steps that follow the state's own wave speeds.
struct StepMemory {
  double dt = 0;       // the longest step that is taken now; 0: nothing is known yet
  double waiting = 0;  // a measured rate that was not taken over yet; 0: none
};

// A run's point in time, with everything that the next step depends on besides the state.
struct TimePoint {
  double time = 0, dt = 0;  // dt: the longest step that is taken
  std::int64_t steps = 0;
  // Steps of a fixed length are counted from here.
  double origin = 0;
  std::int64_t origin_step = 0;
  // The stretch of equal steps that the run is in, and how many of them are done; none: 0.
  double start = 0, until = 0;
  std::int64_t done = 0;
  StepMemory memory;  // filled by StepControl::save()
};

class StepControl {
 public:
  virtual ~StepControl() = default;
  // The length of the next step towards `until`; 0: it is reached. Where done is 0 afterwards, this step begins a stretch of
  // equal ones, and multistep schemes must forget the steps before.
  virtual double next(TimePoint& now, double until) = 0;
  // That step was taken.
  virtual void stepped(TimePoint& now, double step) = 0;
  // After a step: may queue a measurement of the state.
  virtual void look(Buffer& /*q*/, const TimePoint& /*now*/) {}
  // Writes the control's memory into a point of time that a checkpoint keeps, and reads it from there. May wait.
  virtual void save(TimePoint& /*now*/) {}
  virtual void resume(const TimePoint& /*now*/) {}
};

// Stretches of equal steps, none longer than dt, that end at `until` exactly. With `keep_length` all steps have the length dt,
// and a stretch ends with the first that reaches `until`.
class EqualSteps : public StepControl {
 public:
  explicit EqualSteps(bool keep_length) : keep_length_(keep_length) {}
  double next(TimePoint& now, double until) override;
  void stepped(TimePoint& now, double step) override;

  // A step may be longer than dt by this part, so that rounding does not add one.
  static constexpr double tolerance = 1e-9;

 private:
  static std::int64_t count(const TimePoint& now);
  bool keep_length_;
};

// The rates at which waves of a state cross elements, measured where the state lies.
class StateRates {
 public:
  virtual ~StateRates() = default;
  virtual void note_rates(const Buffer& q, double t) = 0;  // queues a measurement
  virtual double largest_rate() = 0;  // of the last measurement, over all ranks; not finite where a speed was not. Waits.
};

// Steps of a part of 1 / rate of the state. A measurement is queued after each of the first steps, then after every few, and
// read when the next one is due: the host waits only then, and the steps depend on step numbers alone, never on the machine's
// speed.
class StableSteps : public StepControl {
 public:
  // dt = fraction / rate.
  StableSteps(StateRates& rates, double fraction) : rates_(rates), fraction_(fraction) {}
  // Measures at once, waits, and sets now.dt to the stable step: before the first step.
  void begin(const Buffer& q, TimePoint& now);
  double next(TimePoint& now, double until) override;
  void stepped(TimePoint& now, double step) override;
  void look(Buffer& q, const TimePoint& now) override;
  void save(TimePoint& now) override;
  void resume(const TimePoint& now) override;

 private:
  void take(double rate);

  StateRates& rates_;
  double fraction_;
  StepMemory memory_;
  bool queued_ = false;  // a measurement that was not read yet
};

}  // namespace swell
