// SPDX-License-Identifier: Apache-2.0
// A stage in the order of the method: what lies behind the boundary, what the sources are, then volume, surface and update in one
// kernel for each group of elements; the exchange with other ranks is hidden behind those that do not need it.
#include "dg/nodal/operator.hpp"

#include <array>

#include "dg/nodal/limiter.hpp"

namespace swell {

void NodalOperator::stage(double t, Buffer& q, Buffer& next, Buffer& residual, double a, double b, double dt) {
  operate("stage", t, q, next, residual, a, b, dt);
  add_points(t, next, residual, layout_->lanes, b, dt);
}

void NodalOperator::rate(double t, Buffer& q, Buffer& out) {
  operate("rate", t, q, out, *dummy_buffer_, 0, 0, 0);
  add_points(t, out, *dummy_buffer_, 0, 0, 0);
}

void NodalOperator::limit(double t, Buffer& before, Buffer& q) {
  if (limiter_) limiter_->limit(t, before, q);
}

bool NodalOperator::after_step(Buffer& q, std::int64_t /*step*/, bool /*last*/) {
  if (limiter_) limiter_->smooth(q);
  return false;
}

// Other ranks' faces are on their way while the elements that do not touch them are done.
void NodalOperator::operate(const char* kernel, double t, Buffer& q, Buffer& next, Buffer& residual, double a, double b,
                            double dt) {
  if (viscous_) add_viscous(t, q);
  else if (halo_) halo_->start(q);
  prepare(t, q);
  for (const auto& g : groups_)
    if (!g.group.border) launch(g, kernel, q, next, residual, a, b, dt);
  if (!halo_) return;
  if (!viscous_) halo_->finish(q);
  if (between_) copy_between(q);
  fill_ghosts(t, q, true);
  for (const auto& g : groups_)
    if (g.group.border) launch(g, kernel, q, next, residual, a, b, dt);
}

void NodalOperator::prepare(double t, Buffer& q) {
  if (!viscous_ && material_->in_time()) update_material(t);
  if (between_) copy_between(q);
  fill_ghosts(t, q, false);
  if (!viscous_) fill_source(t);
}

void NodalOperator::fill_ghosts(double t, Buffer& q, bool across) {
  for (const Ghosts& g : ghosts_)
    if (g.across == across) fill_ghosts(t, q, g);
}

void NodalOperator::fill_ghosts(double t, Buffer& q, const Ghosts& g, double of_trace, double part, bool more) {
  const Program& program = *shapes_.at(g.shape).pointwise;
  const Argument time = Argument::time(t), trace = Argument::real(of_trace), written = Argument::real(part), added(std::int64_t{more});
  if (g.at_points)
    device_.queue().launch(program.kernel("ghosts_at_points"), g.faces * g.places,
                           {q, *g.index, *g.x, *g.n, *g.m, *g.to_points, std::int64_t{g.places}, time, trace, written, added}, g.work);
  else
    device_.queue().launch(program.kernel("ghosts"), g.faces, {q, *g.index, *g.x, *g.n, *g.m, time, trace, written, added}, g.work);
}

void NodalOperator::fill_source(double t) {
  // Expressions count as one operation for each value that they give.
  const auto nodes = layout_->nodes;
  if (!problem_.source.empty())
    device_.queue().launch(pointwise().kernel("sources"), nodes, {*source_x_, *source_, Argument::time(t)},
                           moved(nodes * (element_.dim + fields()), nodes * fields()));
}

void NodalOperator::launch(const GroupOnDevice& g, Buffer& neighbour, const char* kernel, Buffer& q, Buffer& next,
                           Buffer& residual, double a, double b, double dt) {
  device_.queue().launch(g.program->kernel(kernel), g.group.batches(g.variant.batch),
                         {q, next, residual, *g.geometry, *g.normals, *g.material, *g.material_face, neighbour,
                          *g.matrix, *shapes_.at(g.group.shape).tables, *source_, g.group.place / layout_->lanes, Argument::real(a),
                          Argument::real(b), Argument::real(dt)},
                         g.work);
}

void NodalOperator::add_points(double t, Buffer& q, Buffer& residual, int lanes, double b, double dt) {
  if (problem_.points.empty()) return;
  const auto count = static_cast<std::int64_t>(problem_.points.size());
  for (const auto& [shape, of] : shapes_) {
    const std::int64_t nodes = of.element->node_count, values = count * nodes * fields();
    device_.queue().launch(of.pointwise->kernel("point_sources"), nodes * fields(),
                           {q, residual, *of.points.slot, *of.points.weight, *of.points.vector, *of.points.material, count,
                            std::int64_t{lanes}, Argument::real(b), Argument::real(dt), Argument::time(t)},
                           moved((lanes > 0 ? 4 : 2) * values, 4 * values));
  }
}

void NodalOperator::update_material(double t) {
  const Kernel& k = pointwise().kernel("coefficients");
  const std::int64_t lanes = layout_->lanes, width = std::max<std::int64_t>(1, material_->parameters());
  const auto fill = [&](std::int64_t count, Buffer& x, Buffer& region, Buffer& m, std::int64_t in_row, std::int64_t row,
                        std::int64_t offset) {
    device_.queue().launch(k, count, {x, region, m, in_row, row, offset, Argument::time(t)},
                           moved(count * (element_.dim + width), count * width));
  };
  for (const auto& g : groups_) {
    if (!g.group.varying) continue;
    fill(g.group.padded * g.point_rows, *g.points_x, *g.point_region, *g.material, lanes, width, 0);
    fill(g.group.padded * g.face_rows, *g.own_x, *g.own_region, *g.material_face, lanes, 2 * width, 0);
    fill(g.group.padded * g.face_rows, *g.behind_x, *g.behind_region, *g.material_face, lanes, 2 * width, width);
  }
  for (const Ghosts& g : ghosts_) fill(g.faces * g.places, *g.material_x, *g.region, *g.m, 1, width, 0);
}

// Work of a kernel that moves so many scalars.
Work NodalOperator::moved(std::int64_t scalars, std::int64_t flops) const {
  return {static_cast<double>(scalars) * static_cast<double>(bytes_of(problem_.precision)), static_cast<double>(flops)};
}

void NodalOperator::combine(Buffer& out, std::span<const Term> terms) { combine(out, terms, layout_->nodes); }

// The first nodes of a state.
void NodalOperator::combine(Buffer& out, std::span<const Term> terms, std::int64_t nodes) {
  std::array<Term, 4> all;
  all.fill({0, terms[0].buffer});
  std::copy(terms.begin(), terms.end(), all.begin());
  // On a CPU a batch of elements at once; on GPUs, neighbouring threads take neighbouring values.
  const std::int64_t words = nodes * fields();
  const std::int64_t stride =
      device_.info().simt ? 1 : std::int64_t{element_.node_count} * fields() * layout_->lanes;
  const auto count = static_cast<std::int64_t>(terms.size());
  device_.queue().launch(
      pointwise().kernel("combine"), words / stride,
      {out, *all[0].buffer, Argument::real(all[0].factor), *all[1].buffer, Argument::real(all[1].factor),
       *all[2].buffer, Argument::real(all[2].factor), *all[3].buffer, Argument::real(all[3].factor), stride, count},
      moved(words * (count + 1), 2 * words * count));
}

}  // namespace swell
