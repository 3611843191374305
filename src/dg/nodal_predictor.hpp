// SPDX-License-Identifier: Apache-2.0
// ADER's predictor for the nodal family: each element alone, on states of that family.
#pragma once

#include "dg/layout.hpp"
#include "dg/modal_text.hpp"
#include "time/integrator.hpp"

namespace swell {

class NodalPredictor {
 public:
  // Throws InputError where the model is not linear, a cell is not affine, or material varies inside one.
  NodalPredictor(const Problem& problem, const ReferenceElement& element, const Layout& layout,
                 const MaterialField& material, Device& device);

  // As RightHandSide::advance() says.
  using Carried = RightHandSide::Carried;
  void predict(Buffer& q, double dt, Buffer& integral, const Carried& carried, const Work& work);
  void remember(Buffer& q, Buffer& alone, const Work& work);
  void carried_rate(Buffer& q, const Carried& carried, Buffer& out, const Work& work);
  void local_rate(Buffer& q, Buffer& source, Buffer& out, const Work& work);
  double compile_seconds() const { return compile_seconds_; }

 private:
  Device& device_;
  ModalElement modes_;
  ModalPattern pattern_;
  std::int64_t items_;
  double compile_seconds_ = 0;
  std::unique_ptr<Program> program_;
  std::unique_ptr<Buffer> geometry_, material_, numbers_, places_;
};

}  // namespace swell
