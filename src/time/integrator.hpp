// SPDX-License-Identifier: Apache-2.0
// Explicit time integrators: coefficients as data, and a step. They see buffers and a right-hand side, nothing else.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.hpp"
#include "time/predictor.hpp"

namespace swell {

// The interface that a discretisation offers to an integrator. A state may have room behind it that the right-hand side uses
// (ghosts), so the state that it reads is not const.
class RightHandSide {
 public:
  struct Term {
    double factor;
    const Buffer* buffer;
  };
  virtual ~RightHandSide() = default;
  virtual std::unique_ptr<Buffer> make_state(std::string_view label) = 0;
  // residual = a residual + dt f(t, q), next = q + b residual; in one pass over memory.
  virtual void stage(double t, Buffer& q, Buffer& next, Buffer& residual, double a, double b, double dt) = 0;
  // out = f(t, q)
  virtual void rate(double t, Buffer& q, Buffer& out) = 0;
  // out = sum of at most four terms; out may be one of them.
  virtual void combine(Buffer& out, std::span<const Term> terms) = 0;
  // lsrk54 and ssprk33 call it after each stage, with the state at time t and the one that the stage began with: it may bring q
  // back to admissible states.
  virtual void limit(double /*t*/, Buffer& /*before*/, Buffer& /*q*/) {}
  // The predictor for schemes whose order is that of the space; nullptr: there is none.
  virtual Predictor* predictor() { return nullptr; }
};

class Integrator {
 public:
  virtual ~Integrator() = default;
  virtual int stages() const = 0;  // right-hand sides in a step
  virtual void step(double t, double dt) = 0;
  // Clears the history of multistep schemes, when the step or the state was changed from outside.
  virtual void restart() {}
  // The history of a multistep scheme besides the state, latest first; resume() goes on with `count` buffers filled from
  // outside.
  virtual std::vector<Buffer*> memory() { return {}; }
  virtual std::vector<Buffer*> resume(int /*count*/) { return {}; }
  Buffer& state() { return *state_; }

 protected:
  explicit Integrator(RightHandSide& f) : f_(f), state_(f.make_state("state")) {}
  RightHandSide& f_;
  std::unique_ptr<Buffer> state_;
};

// "lsrk54", "rk4", "ssprk33", "ab3"; "rkp1" and "ader", whose order is that of the space: they throw InputError where the
// right-hand side has no predictor.
std::unique_ptr<Integrator> make_integrator(std::string_view scheme, RightHandSide& f);
const std::vector<std::string>& integrator_names();

// States that a scheme needs besides the one that it advances, its own and for advance(); `order` and `autonomous` are of the
// right-hand side.
int extra_states(std::string_view scheme, int order, bool autonomous);
// Right-hand sides in a step.
int stages_of(std::string_view scheme, int order, bool autonomous);
// The largest rate times dt of a mode that only decays, on the safe side.
double decay_limit(std::string_view scheme);

}  // namespace swell
