// SPDX-License-Identifier: Apache-2.0
// Elements near a point source in a step of ADER (dg/near_points.hpp): predicted by the kernels of a stage.
#include <algorithm>
#include <array>

#include "dg/modal/operator.hpp"
#include "time/partial_series.hpp"

namespace swell {

void ModalOperator::build_near() {
  far_ = elements_;
  if (problem_.points.empty() || problem_.scheme != "ader") return;
  near_ = std::make_unique<Near>(Near{NearPoints(problem_, *layout_), {}, {}, {}, {}, {}, {}});
  const NearPoints& points = near_->points;
  near_->series = upload(points.series, "series of signals");
  near_->signals = device_.allocate(problem_.points.size() * series_times(order()) * bytes_of(problem_.precision),
                                    "signals of a step");
  far_ = {};
  for (const Group& group : layout_->groups) {
    HaloItems& to = group.near ? near_->items : far_;
    (group.border ? to.border : to.inner).emplace_back(group.first / together(), group.padded / together());
  }
  // Where an element is cut off, it sees itself.
  std::vector<std::int32_t> neighbour = neighbours();
  for (const auto& [slot, face] : points.cut) {
    neighbour[neighbour_place(slot, 2 * face)] = static_cast<std::int32_t>(slot * modes_->faces + face);
    neighbour[neighbour_place(slot, 2 * face + 1)] = 0;
  }
  near_->neighbour = upload(neighbour, "neighbours of near elements");
  const std::int64_t bytes = std::max<std::int64_t>(1, points.slots * modes_->count * fields()) *
                             static_cast<std::int64_t>(bytes_of(problem_.precision));
  for (auto& term : near_->terms) term = device_.allocate(bytes, "term of the series near a point source");
  near_->integral = device_.allocate(bytes, "integral near a point source");
}

// out = the rate of near elements in which the faces between them count, without point sources.
void ModalOperator::near_rate(double t, Buffer& q, Buffer& out) {
  const NearPoints& points = near_->points;
  if (!points.any) return;
  std::vector<Items> all = near_->items.inner;
  all.insert(all.end(), near_->items.border.begin(), near_->items.border.end());
  take_traces(q, all);
  if (points.across) {
    halo_->start(*faces_);
    halo_->finish(*faces_);
  }
  if (!near()) return;
  if (points.ghosts) {
    fill_ghosts(t, ghost_items_.inner);
    fill_ghosts(t, ghost_items_.border);
  }
  operate(Ending::rate, q, *near_->neighbour, q, out, *dummy_buffer_, 0, 0, 0, all);
}

// The integral over dt of the Taylor series of near elements, and its traces.
void ModalOperator::predict_near(double t, double dt, Buffer& q) {
  const std::int64_t times = series_times(order()), signals = static_cast<std::int64_t>(problem_.points.size()) * times;
  device_.queue().launch(common_->kernel("signals"), signals,
                         {*near_->signals, *near_->series, Argument::time(t), Argument::time(dt)},
                         moved(signals, signals));
  const std::int64_t element = std::int64_t{modes_->count} * fields();
  if (near()) combine(*near_->integral, std::array{Term{dt, &q}}, near_->points.slots);
  const PartialSeries series{&q,
                             {near_->terms[0].get(), near_->terms[1].get()},
                             near_->integral.get(),
                             near_->points.slots * element,
                             device_.info().simt ? 1 : element * layout_->lanes,
                             bytes_of(problem_.precision)};
  add_series_terms(series, order(), dt, device_.queue(), common_->kernel("series_term"),
                   [&](int k, Buffer& from, Buffer& to) {
                     near_rate(0, from, to);
                     if (near()) add_series(NearPoints::derivative_row(k), 1, to);
                   });
  take_traces(*near_->integral, near_->items.inner);
  take_traces(*near_->integral, near_->items.border);
}

void ModalOperator::correct_near(Buffer& q, Buffer& next, const std::vector<Items>& which) {
  if (which.empty()) return;
  operate(Ending::correct, *near_->integral, *neighbour_, q, next, *dummy_buffer_, 0, 0, 0, which);
}

void ModalOperator::add_series(int row, double factor, Buffer& q) {
  const auto count = static_cast<std::int64_t>(problem_.points.size()), values = count * modes_->count * fields();
  device_.queue().launch(pointwise_->kernel("point_series"), modes_->count * fields(),
                         {q, *points_.slot, *points_.weight, *points_.vector, *points_.material, *near_->signals,
                          *near_->series, std::int64_t{row}, count, Argument::real(factor)},
                         moved(3 * values, 4 * values));
}

}  // namespace swell
