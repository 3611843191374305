// SPDX-License-Identifier: Apache-2.0
// Elements near a point source in a step of ADER (dg/near_points.hpp): predicted by the kernels of a stage.
#include <array>

#include "dg/nodal/operator.hpp"
#include "time/partial_series.hpp"

namespace swell {

void NodalOperator::build_near() {
  if (problem_.points.empty() || problem_.scheme != "ader") return;
  near_ = std::make_unique<Near>(Near{NearPoints(problem_, *layout_), {}, {}, {}, {}});
  near_->series = upload(near_->points.series, "series of signals");
  near_->signals = device_.allocate(problem_.points.size() * series_times(order()) * bytes_of(problem_.precision),
                                    "signals of a step");
  if (!near_->points.any) return;
  near_->term = make_state("term of the series near a point source");
  // Where an element is cut off, it sees itself.
  Layout layout = *layout_;
  for (const auto& [slot, face] : near_->points.cut) {
    std::int32_t* entry = layout.behind.data() + (slot * layout.behind_faces + face) * 2;
    entry[0] = static_cast<std::int32_t>(layout.address(slot));
    entry[1] = layout.code(element_.shape, face, 0);
  }
  for (const auto& g : groups_)
    if (g.group.near)
      near_->neighbour.push_back(upload(group_data(problem_, element_, layout, g.group, g.points, *material_, *adjusted_).neighbour,
                                        "neighbours of near elements"));
}

// out = the rate of near elements in which the faces between them count, without point sources.
void NodalOperator::near_rate(double t, Buffer& q, Buffer& out) {
  const NearPoints& points = near_->points;
  if (points.across) {
    halo_->start(q);
    halo_->finish(q);
  }
  if (points.ghosts) {
    fill_ghosts(t, q, false);
    fill_ghosts(t, q, true);
  }
  std::size_t number = 0;
  for (const auto& g : groups_)
    if (g.group.near) launch(g, *near_->neighbour[number++], "rate", q, out, *dummy_buffer_, 0, 0, 0);
}

// The integral over dt of the Taylor series of near elements, in the place of what they would be without their faces.
void NodalOperator::predict_near(double t, double dt, Buffer& q) {
  const std::int64_t times = series_times(order()), signals = static_cast<std::int64_t>(problem_.points.size()) * times;
  device_.queue().launch(pointwise().kernel("signals"), signals,
                         {*near_->signals, *near_->series, Argument::time(t), Argument::time(dt)},
                         moved(signals, signals));
  if (!near_->points.any) return;
  const std::int64_t element = std::int64_t{element_.node_count} * fields();
  if (near()) combine(*integral_, std::array{Term{dt, &q}}, near_->points.slots * element_.node_count);
  const PartialSeries series{&q,
                             {near_->term.get(), next_.get()},
                             integral_.get(),
                             near_->points.slots * element,
                             device_.info().simt ? 1 : element * layout_->lanes,
                             bytes_of(problem_.precision)};
  add_series_terms(series, order(), dt, device_.queue(), pointwise().kernel("series_term"),
                   [&](int k, Buffer& from, Buffer& to) {
                     near_rate(0, from, to);
                     if (near()) add_series(NearPoints::derivative_row(k), 1, to);
                   });
}

void NodalOperator::add_series(int row, double factor, Buffer& q) {
  const auto count = static_cast<std::int64_t>(problem_.points.size()), values = count * element_.node_count * fields();
  const Points& points = shapes_.begin()->second.points;
  device_.queue().launch(pointwise().kernel("point_series"), element_.node_count * fields(),
                         {q, *points.slot, *points.weight, *points.vector, *points.material, *near_->signals,
                          *near_->series, std::int64_t{row}, count, Argument::real(factor)},
                         moved(3 * values, 4 * values));
}

}  // namespace swell
