// SPDX-License-Identifier: Apache-2.0
// A right-hand side in the order of the method: coefficients of the time, traces on the faces, what lies behind the boundary,
// then volume, surface and update in one kernel. Elements that touch other ranks take their traces first and use those of the
// others last, so that the exchange is hidden behind the rest.
#include "dg/modal/operator.hpp"

#include <array>
#include <limits>


namespace swell {

void ModalOperator::stage(double t, Buffer& q, Buffer& next, Buffer& residual, double a, double b, double dt) {
  evaluate(Ending::stage, t, q, next, residual, a, b, dt);
  add_points(t, next, residual, true, b, dt);
}

void ModalOperator::rate(double t, Buffer& q, Buffer& out) {
  evaluate(Ending::rate, t, q, out, *dummy_buffer_, 0, 0, 0);
  add_points(t, out, *dummy_buffer_, false, 0, 0);
}

void ModalOperator::evaluate(Ending ending, double t, Buffer& q, Buffer& next, Buffer& residual, double a, double b, double dt) {
  if (material_->in_time()) update_material(t);
  take_traces(q, elements_.border);
  if (halo_) halo_->start(*faces_);
  take_traces(q, elements_.inner);
  if (between_) copy_traces_between(*faces_);
  fill_ghosts(t, ghost_items_.inner);
  update_source(t);
  operate(ending, q, *neighbour_, q, next, residual, a, b, dt, elements_.inner);
  if (!halo_) return;
  halo_->finish(*faces_);
  if (between_) copy_traces_between(*faces_);
  fill_ghosts(t, ghost_items_.border);
  operate(ending, q, *neighbour_, q, next, residual, a, b, dt, elements_.border);
}

void ModalOperator::local_rate(double t, Buffer& q, Buffer& out) {
  times_kept_ = static_cast<std::size_t>(order());
  if (material_->in_time()) update_material(t);
  update_source(t);
  const auto& kernel = prediction().kernel("local_rate");
  device_.queue().launch(kernel, items(),
                         {q, out, *geometry_, *material_of_, *coefficients_, *source_, *predictor_values_,
                          *predictor_columns_},
                         work_);
  if (near_) near_rate(t, q, out);
  add_points(t, out, *dummy_buffer_, false, 0, 0);
}

void ModalOperator::predict(Buffer& q, double dt, Buffer& integral) {
  predict(q, dt, &integral, {}, {Items(items())}, Keep::integral);
}

// The integral over the step goes to its traces; to the state of its own too where that is asked for. Where traces alone are kept
// it is not the element's own step, and what is carried stays as it is.
void ModalOperator::predict(Buffer& q, double dt, Buffer* integral, const Carried& carried, const std::vector<Items>& which, Keep keep) {
  const std::int64_t remember = !carried.predicted ? 0 : keep == Keep::traces ? 2 : 1;
  const Kernel& kernel = prediction().kernel("predict");  // before its tables are asked for
  launch(kernel, which,
         {q, integral ? *integral : *dummy_buffer_, *faces_, carried.predicted ? *carried.predicted : *dummy_buffer_,
          *geometry_, *material_of_, *coefficients_, *predictor_values_, *predictor_columns_,
          static_cast<std::int64_t>(keep), remember, Argument::real(carried.factor),
          Argument::real(dt)},
         predict_work_);
}

void ModalOperator::remember(Buffer& q, Buffer& predicted) {
  device_.queue().launch(prediction().kernel("remember"), items(), {q, predicted},
                         moved(2 * layout_->slots * remembered(), 0));
}

void ModalOperator::carried_rate(Buffer& q, const Carried& carried, Buffer& out) {
  device_.queue().launch(
      prediction().kernel("carried_rate"), items(), {q, *carried.predicted, out, Argument::real(carried.factor)},
      moved(layout_->slots * (2 * remembered() + modes_->count * fields()), 2 * layout_->slots * remembered()));
  if (near()) combine(out, std::array{Term{0, &q}}, near_->points.slots);
}

void ModalOperator::advance(std::unique_ptr<Buffer>& q, double t, double dt, const Carried& carried) {
  if (modes_->varying && !integral_) {
    integral_ = make_state("integral over the step");
    next_ = make_state("next state");
  }
  const auto complete = [&](const std::vector<Items>& far, const std::vector<Items>& near) {
    if (modes_->varying) operate(Ending::correct, *integral_, *neighbour_, *q, *next_, *dummy_buffer_, 0, 0, 0, far);
    else correct(*q, dt, far);
    correct_near(*q, modes_->varying ? *next_ : *q, near);
  };
  if (near_) predict_near(t, dt, *q);
  const Keep keep = integral_ ? Keep::integral : Keep::in_state;
  predict(*q, dt, integral_.get(), carried, far_.border, keep);
  if (halo_) halo_->start(*faces_);
  predict(*q, dt, integral_.get(), carried, far_.inner, keep);
  fill_ghosts(0, ghost_items_.inner);
  complete(far_.inner, near_ ? near_->items.inner : std::vector<Items>{});
  if (halo_) {
    halo_->finish(*faces_);
    fill_ghosts(0, ghost_items_.border);
    complete(far_.border, near_ ? near_->items.border : std::vector<Items>{});
  }
  if (modes_->varying) std::swap(q, next_);
  else marked_ = look_ && !near();
  if (near_) add_series(near_->points.mean_row(), dt, *q);
}

void ModalOperator::correct(Buffer& q, double dt, const std::vector<Items>& which) {
  const Kernel& kernel = prediction().kernel("correct");  // before its tables are asked for
  const Work looks = moved(layout_->slots, 2 * layout_->slots * modes_->count * fields());
  const Work work = look_ ? Work{correct_work_.bytes + looks.bytes, correct_work_.flops + looks.flops} : correct_work_;
  launch(kernel, which,
         {q, *faces_, *geometry_, *material_of_, *face_material_, *coefficients_, *neighbour_, *predictor_values_,
          *predictor_columns_, look_ ? *marks_ : *dummy_buffer_, std::int64_t{look_}, Argument::real(dt)},
         work);
}

bool ModalOperator::autonomous() const {
  if (!autonomous_) autonomous_ = is_autonomous(problem_, *layout_, *material_, device_);
  return *autonomous_;
}

void ModalOperator::take_traces(Buffer& q, const std::vector<Items>& which) {
  const std::int64_t records = layout_->slots * modes_->faces * modes_->values * fields();
  launch(operation_->kernel("traces"), which, {q, *faces_, *values_, *columns_},
         moved(records + layout_->slots * modes_->count * fields(), 2 * records * modes_->values));
}

// Fills the exterior states at boundaries, or at the surface of a total field, where the trace may be another rank's.
void ModalOperator::fill_ghosts(double t, const std::vector<Items>& which, double of_trace, double part, bool more) {
  for (const Items& some : which)
    device_.queue().launch(pointwise_->kernel("ghosts"), some,
                           {*faces_, *ghosts_.index, *ghosts_.x, *ghosts_.n, *ghosts_.m, *face_material_,
                            *ghosts_.to_points, *ghosts_.from_points, Argument::time(t), Argument::real(of_trace), Argument::real(part),
                            std::int64_t{more}},
                           moved(3 * some.count * modes_->values * fields(), 0));
}

// `work` is that of all elements.
void ModalOperator::launch(const Kernel& kernel, const std::vector<Items>& which, std::initializer_list<Argument> arguments,
                           const Work& work) {
  for (const Items& some : which) {
    const double part = static_cast<double>(some.count) / static_cast<double>(items());
    device_.queue().launch(kernel, some, arguments, {part * work.bytes, part * work.flops});
  }
}

void ModalOperator::update_source(double t) {
  if (problem_.source.empty()) return;
  const std::int64_t numbers = layout_->slots * modes_->count, points = modes_->rule.points.rows();
  device_.queue().launch(pointwise_->kernel("sources"), numbers, {*rule_.x, *rule_.to_modes, *source_, Argument::time(t)},
                         moved(numbers * fields(), 2 * numbers * fields() * points));
}

// Makes room for the coefficients of a time: those of the time before are kept where schemes come back to it.
void ModalOperator::take_time(double t) {
  std::size_t place = 0;
  while (place < other_times_.size() && other_times_[place].time != t) ++place;
  if (place == other_times_.size()) {
    if (place + 1 >= times_kept_) {
      if (place == 0) return;  // one time is kept
      place = oldest_++ % other_times_.size();
    } else {
      other_times_.push_back({std::numeric_limits<double>::quiet_NaN(), device_.allocate(coefficients_->bytes(), "coefficients of another time"),
                              device_.allocate(face_material_->bytes(), "material of another time")});
    }
  }
  std::swap(coefficients_, other_times_[place].coefficients);
  std::swap(face_material_, other_times_[place].face_material);
  std::swap(time_of_material_, other_times_[place].time);
}

// Expressions at the points, then their projections: all on the device.
void ModalOperator::update_material(double t) {
  if (t == time_of_material_) return;
  take_time(t);
  if (t == time_of_material_) return;
  time_of_material_ = t;
  const std::int64_t width = std::max<std::int64_t>(1, material_->parameters()),
                     count = record_slots() * modes_->rule.points.rows();
  device_.queue().launch(
      common_->kernel("coefficients"), count,
      {*rule_.changing, *rule_.region, *rule_.material, std::int64_t{1}, width, std::int64_t{0}, Argument::time(t)},
      moved(count * (element_.dim + width), count * width));
  project_material();
}

void ModalOperator::project_material() {
  const std::int64_t width = std::max<std::int64_t>(1, material_->parameters()), points = modes_->rule.points.rows();
  const std::int64_t modes = layout_->slots * modes_->coefficient_count,  // of one coefficient
                     values = record_slots() * modes_->faces * modes_->values;
  device_.queue().launch(pointwise_->kernel("project"), layout_->slots,
                         {*rule_.material, *geometry_, *rule_.to_coefficients, *coefficients_},
                         moved(modes * pattern_.coefficients, 2 * modes * points * pattern_.coefficients));
  if (!pattern_.flux_changes()) return;
  device_.queue().launch(pointwise_->kernel("face_materials"), values,
                         {*rule_.material, *rule_.to_faces, *face_material_}, moved(values * width, 2 * values * points * width));
  if (const auto count = static_cast<std::int64_t>(layout_->ghosts.size()); count > 0)
    device_.queue().launch(pointwise_->kernel("ghost_materials"), count, {*ghosts_.index, *face_material_},
                           moved(2 * count * modes_->values * width, 0));
}

void ModalOperator::operate(Ending ending, Buffer& q, Buffer& neighbour, Buffer& base, Buffer& next, Buffer& residual, double a,
                            double b, double dt, const std::vector<Items>& which) {
  launch(operation_->kernel("operate"), which,
         {q, *faces_, base, next, residual, *geometry_, *material_of_, *face_material_, *coefficients_, neighbour,
          *source_, *values_, *columns_, static_cast<std::int64_t>(ending), Argument::real(a), Argument::real(b),
          Argument::real(dt)},
         work_);
}

void ModalOperator::add_points(double t, Buffer& q, Buffer& residual, bool stage, double b, double dt) {
  if (problem_.points.empty()) return;
  const auto count = static_cast<std::int64_t>(problem_.points.size()), values = count * modes_->count * fields();
  device_.queue().launch(pointwise_->kernel("point_sources"), modes_->count * fields(),
                         {q, residual, *points_.slot, *points_.weight, *points_.vector, *points_.material, count,
                          std::int64_t{stage}, Argument::real(b), Argument::real(dt), Argument::time(t)},
                         moved((stage ? 4 : 2) * values, 4 * values));
}

void ModalOperator::combine(Buffer& out, std::span<const Term> terms) { combine(out, terms, layout_->slots); }

// The first slots of a state.
void ModalOperator::combine(Buffer& out, std::span<const Term> terms, std::int64_t slots) {
  std::array<Term, 4> all;
  all.fill({0, terms[0].buffer});
  std::copy(terms.begin(), terms.end(), all.begin());
  const std::int64_t words = slots * modes_->count * fields();
  const std::int64_t stride =
      device_.info().simt ? 1 : std::int64_t{modes_->count} * fields() * layout_->lanes;
  const auto count = static_cast<std::int64_t>(terms.size());
  device_.queue().launch(
      common_->kernel("combine"), words / stride,
      {out, *all[0].buffer, Argument::real(all[0].factor), *all[1].buffer, Argument::real(all[1].factor),
       *all[2].buffer, Argument::real(all[2].factor), *all[3].buffer, Argument::real(all[3].factor), stride, count},
      moved(words * (count + 1), 2 * words * count));
}

}  // namespace swell
