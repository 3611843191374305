// SPDX-License-Identifier: Apache-2.0
// ADER's element-local predictor on states of the nodal family. It computes in modes, so the modal family makes it.
#pragma once

#include "dg/layout.hpp"
#include "time/integrator.hpp"

namespace swell {

class NodalPredictor {
 public:
  virtual ~NodalPredictor() = default;
  // See Predictor::advance().
  using Carried = Predictor::Carried;
  // Predicts these slots, from the first of a group on. With `renew` what is carried becomes that of this step, else dt is a part of a step.
  virtual void predict(Buffer& q, double dt, Buffer& integral, const Carried& carried, const Work& work, Items slots, bool renew) = 0;
  virtual void remember(Buffer& q, Buffer& predicted, const Work& work) = 0;
  virtual void carried_rate(Buffer& q, const Carried& carried, Buffer& out, const Work& work) = 0;
  virtual void local_rate(Buffer& q, Buffer& source, Buffer& out, const Work& work) = 0;
  virtual double compile_seconds() const = 0;
};

// Throws InputError where the model is not linear, a cell is not affine, or material varies inside one.
std::unique_ptr<NodalPredictor> make_nodal_predictor(const Problem& problem, const ReferenceElement& element, const Layout& layout,
                                                     const MaterialField& material, Device& device);

}  // namespace swell
