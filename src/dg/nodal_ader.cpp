// SPDX-License-Identifier: Apache-2.0
// What one-step schemes ask of the nodal family.
#include <array>

#include "dg/autonomous.hpp"
#include "dg/nodal.hpp"
#include "dg/nodal_predictor.hpp"

namespace swell {

bool NodalOperator::autonomous() const { return is_autonomous(problem_, *layout_, *material_, device_); }

NodalPredictor& NodalOperator::predictor() {
  if (!predictor_) {
    predictor_ = std::make_shared<NodalPredictor>(problem_, element_, *layout_, *material_, device_);
    compile_seconds_ += predictor_->compile_seconds();
  }
  return *predictor_;
}

void NodalOperator::local_rate(double t, Buffer& q, Buffer& out) {
  NodalPredictor& alone = predictor();
  fill_source(t);
  alone.local_rate(q, *source_, out, stage_work());
  add_points(t, out, *nothing_, 0, 0, 0);
}

void NodalOperator::predict(Buffer& q, double dt, Buffer& integral) { predictor().predict(q, dt, integral, stage_work()); }

void NodalOperator::correct(Buffer& q, Buffer& integral, Buffer& next) {
  rate(0, integral, next);
  combine(next, std::array{Term{1, &q}, Term{1, &next}});
}

}  // namespace swell
