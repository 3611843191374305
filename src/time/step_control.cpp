// SPDX-License-Identifier: Apache-2.0
#include "time/step_control.hpp"

#include <algorithm>
#include <cmath>

namespace swell {

namespace {

// Waves that an initial state hides are faster than those it shows: the first steps are short, and each measurement lets them
// grow by at most this factor.
constexpr double first_part = 0.2, growth = 1.25;
constexpr std::int64_t first_steps = 20, look_every = 5;

}  // namespace

std::int64_t EqualSteps::count(const TimePoint& now) {
  return std::max<std::int64_t>(0, static_cast<std::int64_t>(std::ceil((now.until - now.start) / now.dt - tolerance)));
}

double EqualSteps::next(TimePoint& now, double until) {
  if (now.done == 0 || now.until != until) {
    now.start = now.time;
    now.until = until;
    now.done = 0;
  }
  const std::int64_t steps = count(now);
  if (now.done >= steps) return 0;
  return keep_length_ ? now.dt : (until - now.start) / static_cast<double>(steps);
}

void EqualSteps::stepped(TimePoint& now, double step) {
  ++now.steps;
  ++now.done;
  const bool complete = now.done >= count(now);
  now.time = keep_length_ ? now.origin + static_cast<double>(now.steps - now.origin_step) * now.dt
             : complete   ? now.until
                          : now.start + static_cast<double>(now.done) * step;
  if (complete) now.done = 0;
}

void StableSteps::begin(const Buffer& q, TimePoint& now) {
  rates_.note_rates(q, now.time);
  queued_ = false;
  now.dt = fraction_ / rates_.largest_rate();
  memory_ = {now.dt * first_part, 0};
  now.done = 0;
}

// A rate that is not finite comes from a state that the watch will find; the steps stay as they are until then.
void StableSteps::take(double rate) {
  if (std::isfinite(rate)) memory_.dt = std::min(fraction_ / rate, growth * memory_.dt);
}

double StableSteps::next(TimePoint& now, double until) {
  const double left = until - now.time, least = EqualSteps::tolerance * memory_.dt;
  if (left <= least) {
    now.done = 0;
    return 0;
  }
  // The last two steps before `until` share what is left, so that none is very short.
  double step = memory_.dt;
  if (left <= memory_.dt + least) step = left;
  else if (left < 2 * memory_.dt) step = left / 2;
  if (now.until != until || now.dt != step) now.done = 0;
  now.until = until;
  now.dt = step;
  return step;
}

void StableSteps::stepped(TimePoint& now, double step) {
  ++now.steps;
  ++now.done;
  now.time = now.until - now.time <= step * (1 + EqualSteps::tolerance) ? now.until : now.time + step;
  if (now.time == now.until) now.done = 0;
}

void StableSteps::look(Buffer& q, const TimePoint& now) {
  if (now.steps > first_steps && now.steps % look_every != 0) return;
  if (queued_) memory_.waiting = rates_.largest_rate();
  if (memory_.waiting != 0) take(memory_.waiting);
  memory_.waiting = 0;
  rates_.note_rates(q, now.time);
  queued_ = true;
}

void StableSteps::save(TimePoint& now) {
  if (queued_) memory_.waiting = rates_.largest_rate();
  queued_ = false;
  if (!std::isfinite(memory_.waiting)) memory_.waiting = 0;
  now.memory = memory_;
}

void StableSteps::resume(const TimePoint& now) {
  memory_ = now.memory;
  queued_ = false;
}

}  // namespace swell
