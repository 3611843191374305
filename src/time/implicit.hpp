// SPDX-License-Identifier: Apache-2.0
// Implicit schemes for linear problems M dy/dt = -K y + F(t): the theta scheme and BDF2, each step one solve. They see buffers
// and the problem, nothing else.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "device/device.hpp"

namespace swell {

// The interface that a discretisation offers to an implicit scheme. Vectors hold unknowns and given (Dirichlet) values.
class ImplicitProblem {
 public:
  virtual ~ImplicitProblem() = default;
  virtual std::unique_ptr<Buffer> make_vector(std::string_view label) = 0;
  // Operations on whole vectors: to = from, y = a x + b y.
  virtual void copy(const Buffer& from, Buffer& to) = 0;
  virtual void combine(double a, const Buffer& x, double b, Buffer& y) = 0;
  // Operations on the unknowns: y += a x, y = (a M + b K) x, y = F(t).
  virtual void add(double a, const Buffer& x, Buffer& y) = 0;
  virtual void apply(double a, double b, const Buffer& x, Buffer& y) = 0;
  virtual void load(double t, Buffer& y) = 0;
  virtual bool loads_in_time() const = 0;  // F depends on t
  virtual void set_given(double t, Buffer& y) = 0;
  // (a M + b K) y = right, from the guess in y.
  virtual void solve(double a, double b, const Buffer& right, Buffer& y) = 0;
};

struct ImplicitScheme {
  enum class Kind : unsigned char { theta, bdf2 };
  Kind kind = Kind::theta;
  double theta = 0.5;
};

class ImplicitIntegrator {
 public:
  ImplicitIntegrator(ImplicitProblem& problem, ImplicitScheme scheme);

  void set_scheme(ImplicitScheme scheme) { scheme_ = scheme; }
  Buffer& state() { return *now_; }
  // The state was written from outside: steps begin anew.
  void restart();
  void step(double t, double dt);

  // The memory of the scheme, on which the next step depends besides the state: earlier states, the last one first, the length
  // of the last step, and the time at which the load was integrated last.
  struct Memory {
    std::vector<Buffer*> before;
    double last_dt = 0, load_time = 0;
  };
  Memory memory() const;
  // Buffers for the earlier states of another run, to be filled; resume() then goes on with them, with the same bits.
  std::vector<Buffer*> earlier(std::size_t count);
  void resume(std::size_t count, double last_dt, double load_time);

 private:
  void guess();

  ImplicitProblem& problem_;
  ImplicitScheme scheme_;
  std::unique_ptr<Buffer> now_, before_, older_, right_, load_now_, load_next_, scratch_;
  double last_dt_ = 0, load_time_ = 0;
  int known_ = 0;  // earlier states that the guess can use
  bool load_known_ = false;
};

}  // namespace swell
