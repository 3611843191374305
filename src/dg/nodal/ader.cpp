// SPDX-License-Identifier: Apache-2.0
// The nodal family's side of one-step schemes.
#include <array>

#include "dg/nodal/operator.hpp"
#include "dg/nodal_predictor.hpp"

namespace swell {

bool NodalOperator::autonomous() const { return is_autonomous(problem_, *layout_, *material_, device_); }

NodalPredictor& NodalOperator::predictor_part() {
  if (!predictor_part_) {
    predictor_part_ = make_nodal_predictor(problem_, element_, *layout_, *material_, device_);
    compile_seconds_ += predictor_part_->compile_seconds();
  }
  return *predictor_part_;
}

void NodalOperator::local_rate(double t, Buffer& q, Buffer& out) {
  NodalPredictor& local = predictor_part();
  fill_source(t);
  local.local_rate(q, *source_, out, stage_work());
  if (near_) near_rate(t, q, out);
  add_points(t, out, *dummy_buffer_, 0, 0, 0);
}

void NodalOperator::predict(Buffer& q, double dt, Buffer& integral) {
  predictor_part().predict(q, dt, integral, {}, stage_work(), layout_->slots, true);
}

void NodalOperator::remember(Buffer& q, Buffer& kept) { predictor_part().remember(q, kept, stage_work()); }

void NodalOperator::carried_rate(Buffer& q, const Carried& carried, Buffer& out) {
  predictor_part().carried_rate(q, carried, out, stage_work());
  if (near()) combine(out, std::array{Term{0, &q}}, near_->points.slots * element_.node_count);
}

void NodalOperator::advance(std::unique_ptr<Buffer>& q, double t, double dt, const Carried& carried) {
  if (!integral_) {
    integral_ = make_state("integral over the step");
    next_ = make_state("next state");
  }
  predictor_part().predict(*q, dt, *integral_, carried, stage_work(), layout_->slots, true);
  if (near_) predict_near(t, dt, *q);
  operate("rate", 0, *integral_, *next_, *dummy_buffer_, 0, 0, 0);
  combine(*next_, std::array{Term{1, q.get()}, Term{1, next_.get()}});
  std::swap(q, next_);
  if (near_) add_series(near_->points.mean_row(), dt, *q);
}

}  // namespace swell
