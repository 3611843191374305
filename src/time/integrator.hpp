// SPDX-License-Identifier: Apache-2.0
// Explicit time integrators: coefficients as data, and a step. They see buffers and a right-hand side, nothing else.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.hpp"

namespace swell {

// What an integrator needs of a discretisation. A state may have room behind it that the right-hand side uses (ghosts), so
// the state that it reads is not const.
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

  // What schemes of the order of the space ask besides.
  virtual int order() const = 0;  // polynomial degree in space
  // f(t, q) = L q with one L for all times.
  virtual bool autonomous() const = 0;
  // f(t, q) without what comes through faces.
  virtual void local_rate(double t, Buffer& q, Buffer& out) = 0;
  // What ADER carries from a step to the next, where ader_memory() (time/stability.hpp) says so: `alone` holds the lowest modes
  // of what the elements became without their faces, so that those of q - alone, times `factor`, are the rate at which the
  // faces moved them.
  struct Carried {
    Buffer* alone = nullptr;  // nullptr: nothing is carried
    double factor = 0;        // weight / dt; 0 where there was no step before
  };
  // q + f(integral) in place of q: the integral over dt of what q becomes by local_rate and the carried rate alone, as a Taylor
  // series in time up to the order of the space; `alone` is then that of this step. Only where f is autonomous. The buffer may
  // be exchanged for another one that holds the result; with dt = 0 nothing changes, but all that later calls need is compiled
  // and allocated.
  virtual void advance(std::unique_ptr<Buffer>& q, double dt, const Carried& carried) = 0;
  // alone = what is carried of q.
  virtual void remember(Buffer& q, Buffer& alone) = 0;
  // out = the carried rate, as a state.
  virtual void carried_rate(Buffer& q, const Carried& carried, Buffer& out) = 0;
};

class Integrator {
 public:
  virtual ~Integrator() = default;
  virtual int stages() const = 0;  // right-hand sides in a step
  virtual void step(double t, double dt) = 0;
  // Forgets what multistep schemes remember, when the step or the state was changed from outside.
  virtual void restart() {}
  // What a multistep scheme remembers besides the state, latest first, and how to go on with `count` of them filled from outside.
  virtual std::vector<Buffer*> memory() { return {}; }
  virtual std::vector<Buffer*> resume(int /*count*/) { return {}; }
  Buffer& state() { return *state_; }

 protected:
  explicit Integrator(RightHandSide& f) : f_(f), state_(f.make_state("state")) {}
  RightHandSide& f_;
  std::unique_ptr<Buffer> state_;
};

// "lsrk54", "rk4", "ssprk33", "ab3"; "rkp1" and "ader", whose order is that of the space.
std::unique_ptr<Integrator> make_integrator(std::string_view scheme, RightHandSide& f);
const std::vector<std::string>& integrator_names();

// States that a scheme needs besides the one that it advances, its own and for advance(); `order` and `autonomous` are of the right-hand side.
int extra_states(std::string_view scheme, int order, bool autonomous);
// Right-hand sides in a step.
int stages_of(std::string_view scheme, int order, bool autonomous);
// The largest rate times dt of a mode that only decays, on the safe side.
double decay_limit(std::string_view scheme);

}  // namespace swell
