// SPDX-License-Identifier: Apache-2.0
// ADER's part of a discretisation: each element without its faces over a step. A right-hand side may offer one.
#pragma once

#include <memory>

#include "device/device.hpp"

namespace swell {

class ClusterPredictor;

class Predictor {
 public:
  virtual ~Predictor() = default;
  virtual int order() const = 0;  // polynomial degree in space
  // f(t, q) = L q with one L for all times, but for point sources of which advance() takes account.
  virtual bool autonomous() const = 0;
  // f(t, q) without the terms that come through faces, but those between elements near a point source, which are predicted together.
  virtual void local_rate(double t, Buffer& q, Buffer& out) = 0;
  // ADER carries this from a step to the next where ader_memory() (time/stability.hpp) says so: `predicted` holds the lowest modes
  // that the elements would have without their faces, so that those of q - predicted, times `factor`, are the rate at which the
  // faces moved them.
  struct Carried {
    Buffer* predicted = nullptr;  // nullptr: nothing is carried
    double factor = 0;            // weight / dt; 0 where there was no step before
  };
  // Replaces q at time t by q + f(I): I is the integral over dt of q's Taylor series in time, up to the order of the space, under
  // local_rate and the carried rate alone; `predicted` is then that of this step. Only where autonomous(). The buffer may be
  // exchanged for another one that holds the result; with dt = 0 nothing changes, but everything that later calls need is
  // compiled and allocated.
  virtual void advance(std::unique_ptr<Buffer>& q, double t, double dt, const Carried& carried) = 0;
  // predicted = the modes of q that are carried.
  virtual void remember(Buffer& q, Buffer& predicted) = 0;
  // out = the carried rate, as a state; nothing is carried near a point source.
  virtual void carried_rate(Buffer& q, const Carried& carried, Buffer& out) = 0;
  // For local time stepping, where the problem has clusters of elements; nullptr: one step is for all.
  virtual ClusterPredictor* by_clusters() { return nullptr; }
};

// A step of Predictor::advance() for a part of the elements, its cluster. A step of cluster k has the length dt 2^k. Traces that a
// cluster's neighbours of another one see are integrated over the shorter step of the two: those of the coarser element over each
// half of its step, those of the finer element are added up over both of its steps. Boundary data may depend on time.
class ClusterPredictor {
 public:
  virtual ~ClusterPredictor() = default;
  virtual int clusters() const = 0;
  // A step of length dt begins at time t; `half`, 0 or 1, tells which of the two in a step of the next coarser cluster it is. A
  // coarser cluster whose step begins at t too must have been predicted before.
  virtual void predict(int cluster, int half, Buffer& q, double t, double dt, const Predictor::Carried& carried) = 0;
  // That step ends; finer clusters have ended theirs.
  virtual void correct(int cluster, Buffer& q, double t, double dt) = 0;
};

}  // namespace swell
