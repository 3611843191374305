// SPDX-License-Identifier: Apache-2.0
#include "dg/measures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/timer.hpp"
#include "dg/nodal/diffusion_stiffness.hpp"
#include "dg/nodal/node_weights.hpp"
#include "dg/stiffness.hpp"
#include "dg/text.hpp"
#include "dg/transfer.hpp"
#include "model/expressions_text.hpp"
#include "time/diffusion_limit.hpp"
#include "time/stability.hpp"

namespace swell {

namespace {

constexpr std::int64_t chunks = 256;  // of the elements of a group, whose largest rates are found apart
// Where shocks are kept in hand by changing the state after a stage, means stay admissible only with steps of a part of the stable
// ones: measured with shock tubes and blasts of pressure ratios up to 10^5, orders 1 to 6 (docs/decisions/0026-shocks-by-filter.md).
constexpr double rate_where_rough = 3;

bool any_varies(const Layout& layout) {
  return std::any_of(layout.groups.begin(), layout.groups.end(), [](const Group& g) { return g.varying; });
}

// How far the elements of a group lie behind its slots in a state.
std::int64_t shift(const Group& group) { return group.place - group.first; }

}  // namespace

Measures::Measures(const Problem& problem, const Elements& elements, const Layout& layout, const MaterialField& material, Device& device)
    : problem_(problem), elements_(elements), layout_(layout), material_(material), device_(device) {
  const Stopwatch clock;
  material_at_nodes_ = material.in_time() || any_varies(layout);
  for (const auto& [shape, element] : elements.all())
    programs_[shape] = device.compile(measures_text(problem, element, layout, material_rows(element), material.in_time()));
  monitor_ = std::make_unique<Monitor>(device, problem.precision, layout.groups.size());
  compile_seconds_ = clock.seconds();
  upload_material();
  upload_geometry();
  const std::size_t word = bytes_of(problem.precision);
  rates_ = device.allocate(layout.slots * word, "rates of elements");
  roughness_ = device.allocate(layout.slots * word, "roughness of elements");
  partial_ = device.allocate(chunks * layout.groups.size() * word, "partial rates");
  largest_ = device.allocate(64, "the largest rate");
  integral_ = monitor_->make_log(1);
  if (!problem.model.quantities.empty()) integrals_ = device.allocate(layout.slots * word, "integrals over elements");
  if (const auto conditions = static_cast<std::int64_t>(problem.model.admissible.size()); conditions > 0)
    marks_ = device.allocate(layout.nodes * conditions * word, "marks of nodes");
}

// A row for each element, or for each node where material varies; places where it changes with time.
void Measures::upload_material() {
  const int dim = elements_.first().dim, parameters = std::max(1, material_.parameters());
  const bool in_time = material_.in_time();
  const int width = in_time ? dim : parameters;
  std::vector<double> x, rows((material_at_nodes_ ? layout_.nodes : layout_.slots) * width, 0.0);
  std::vector<std::int32_t> region(layout_.slots, 0);
  for (const Group& group : layout_.groups) {
    const int nodes = elements_.of(group.shape).node_count;
    const CellMap map(*problem_.mesh, group.shape, elements_.of(group.shape).nodes);
    x.resize(nodes * dim);
    for (std::int64_t slot = group.first; slot < group.first + group.count; ++slot) {
      const auto cell = layout_.cell_of_slot[slot];
      region[slot] = material_.region(cell);
      if (!material_at_nodes_) {
        std::copy_n(material_.constant(cell), material_.parameters(), rows.data() + slot * width);
        continue;
      }
      double* to = rows.data() + layout_.first_node(slot) * width;
      map.coordinates(cell, x.data());
      for (int n = 0; n < nodes; ++n)
        if (in_time) material_.changing(cell, x.data() + n * dim, to + n * width);
        else material_.sample(cell, x.data() + n * dim, 0, to + n * width);
    }
  }
  material_rows_ = upload_reals(device_, problem_.precision, rows, "material of elements");
  region_ = upload_integers(device_, region, "regions of elements");
}

// The stiffness of each element's shape; the weights of its nodes in an integral, where the page has quantities.
void Measures::upload_geometry() {
  const int dim = elements_.first().dim;
  const bool viscous = problem_.model.viscous(), weighted = !problem_.model.linear || !problem_.model.quantities.empty();
  // Where there are viscous terms, two numbers for each element.
  const std::int64_t words = viscous ? 2 : 1;
  std::vector<double> metric(layout_.slots * words, 0.0), weight(weighted ? layout_.nodes : 0, 0.0), jacobians;
  for (const auto& [shape, element] : elements_.all()) {
    const CellMap map(*problem_.mesh, shape, element.nodes);
    NodeWeights weights(problem_, element);
    // The caller takes a part of the largest step against transport on elements of the first shape.
    const double part = shape == elements_.first().shape || problem_.model.linear
                            ? 1
                            : stable_constant(problem_.scheme, elements_.first().shape, element.order) /
                                  stable_constant(problem_.scheme, shape, element.order);
    const double diffusion = viscous ? stable_constant(problem_.scheme, elements_.first().shape, element.order) *
                                           diffusion_eigenvalue(shape, element.order) / diffusion_limit(problem_.scheme, element.order)
                                     : 0;
    jacobians.resize(element.node_count * dim * dim);
    for (const Group& group : layout_.groups) {
      if (group.shape != shape) continue;
      for (std::int64_t slot = group.first; slot < group.first + group.count; ++slot) {
        const auto cell = layout_.cell_of_slot[slot];
        map.jacobians(cell, jacobians.data());
        metric[slot * words] = part * transport_stiffness(shape, jacobians);
        if (viscous) metric[slot * words + 1] = diffusion * diffusion_stiffness(shape, jacobians);
        if (weighted) weights.find(group, cell, jacobians, weight.data() + layout_.first_node(slot));
      }
    }
  }
  metric_ = upload_reals(device_, problem_.precision, metric, "stiffness of elements");
  if (weighted) weight_ = upload_reals(device_, problem_.precision, weight, "weights of nodes");
  const auto directions = few_directions(dim);
  directions_ = static_cast<std::int64_t>(directions.size()) / dim;
  direction_ = upload_reals(device_, problem_.precision, directions, "directions");
}

// Work of a kernel that reads the state of a group once and does so many operations at each value.
Work Measures::work(const Group& group, double flops) const {
  const double values = static_cast<double>(group.count) * elements_.of(group.shape).node_count * static_cast<double>(problem_.model.fields.size());
  return {values * static_cast<double>(bytes_of(problem_.precision)), flops * values};
}

void Measures::note_rates(const Buffer& q, double t) {
  for (const Group& g : layout_.groups) {
    device_.queue().launch(kernel(g, "rates"), Items(g.first, g.count),
                           {q, *material_rows_, *region_, *metric_, *direction_, *rates_, directions_, shift(g), Argument::time(t)},
                           work(g, static_cast<double>(directions_)));
  }
  note_largest(*rates_, 0);
  note_largest(*roughness_, 1);
}

// Into a place of largest_, over all elements here.
void Measures::note_largest(const Buffer& values, std::int64_t place) {
  std::int64_t filled = 0;
  for (const Group& g : layout_.groups) {
    const auto n = std::min(chunks, g.count);
    device_.queue().launch(kernel(g, "largest"), n, {values, *partial_, g.first, g.count, n, filled}, {});
    filled += n;
  }
  device_.queue().launch(programs_.begin()->second->kernel("largest"), 1, {*partial_, *largest_, std::int64_t{0}, filled, std::int64_t{1}, place}, {});
}

double Measures::largest_rate() {
  device_.queue().finish();
  // Not every maximum over ranks keeps NaN, and all ranks must go on alike.
  const std::vector<double> here = download_reals(problem_.precision, *largest_, 2);
  std::array<double, 2> all{std::isfinite(here[0]) ? here[0] : std::numeric_limits<double>::infinity(), here[1]};
  problem_.ranks->largest(all);
  return all[1] > 0.5 ? rate_where_rough * all[0] : all[0];
}

void Measures::note_quantity(std::size_t number, const Buffer& q, double t, Buffer& log, std::int64_t place) {
  std::vector<Range> elements;
  for (const Group& g : layout_.groups) {
    device_.queue().launch(kernel(g, "quantities"), Items(g.first, g.count),
                           {q, *material_rows_, *region_, *weight_, *integrals_, static_cast<std::int64_t>(number), shift(g), Argument::time(t)},
                           work(g, 2));
    elements.push_back({g.first, g.count});
  }
  monitor_->sum(*integrals_, elements, log, place);
}

double Measures::quantity(std::size_t number, const Buffer& q, double t) {
  note_quantity(number, q, t, *integral_, 0);
  return monitor_->read_log(*integral_, 1, *problem_.ranks)[0];
}

void Measures::watch(const Buffer& q, std::int64_t step, double t) {
  if (problem_.model.admissible.empty()) return;
  std::vector<Range> marks;
  for (const Group& g : layout_.groups) {
    device_.queue().launch(kernel(g, "conditions"), Items(g.first, g.count),
                           {q, *material_rows_, *region_, *marks_, shift(g), Argument::time(t)}, work(g, 2));
    const auto of_element = static_cast<std::int64_t>(elements_.of(g.shape).node_count * problem_.model.admissible.size());
    marks.push_back({g.place * of_element, g.count * of_element});
  }
  monitor_->watch(*marks_, marks, step);
}

}  // namespace swell
