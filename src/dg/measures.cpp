// SPDX-License-Identifier: Apache-2.0
#include "dg/measures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "base/timer.hpp"
#include "dg/group_data.hpp"
#include "dg/stiffness.hpp"
#include "dg/text.hpp"
#include "dg/transfer.hpp"
#include "element/line_rule.hpp"
#include "model/expressions_text.hpp"
#include "dg/nodal/diffusion_stiffness.hpp"
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

// The integral of each Lagrange polynomial over the reference element.
Vector nodal_weights(const ReferenceElement& element) {
  return (element.vandermonde * element.vandermonde.transpose()).inverse().colwise().sum().transpose();
}

}  // namespace

Measures::Measures(const Problem& problem, const ReferenceElement& element, const Layout& layout, const MaterialField& material,
                   Device& device)
    : problem_(problem), element_(element), layout_(layout), material_(material), device_(device) {
  const Stopwatch clock;
  material_rows_of_element_ = material.in_time() || any_varies(layout) ? element.node_count : 1;
  program_ = device.compile(measures_text(problem, element, layout, material_rows_of_element_, material.in_time()));
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
    marks_ = device.allocate(layout.slots * element.node_count * conditions * word, "marks of nodes");
}

// A row for each element, or for each node where material varies; places where it changes with time.
void Measures::upload_material() {
  const int nodes = element_.node_count, dim = element_.dim, parameters = std::max(1, material_.parameters());
  const bool in_time = material_.in_time(), at_nodes = in_time || any_varies(layout_);
  const int width = in_time ? dim : parameters;
  const CellMap map(*problem_.mesh, element_.nodes);
  std::vector<double> x(nodes * dim), rows(layout_.slots * (at_nodes ? nodes : 1) * width, 0.0);
  std::vector<std::int32_t> region(layout_.slots, 0);
  for (std::int64_t slot = 0; slot < layout_.slots; ++slot) {
    const auto cell = layout_.cell_of_slot[slot];
    if (cell < 0) continue;
    region[slot] = material_.region(cell);
    double* to = rows.data() + slot * (at_nodes ? nodes : 1) * width;
    if (!at_nodes) {
      std::copy_n(material_.constant(cell), material_.parameters(), to);
      continue;
    }
    map.coordinates(cell, x.data());
    for (int n = 0; n < nodes; ++n)
      if (in_time) material_.changing(cell, x.data() + n * dim, to + n * width);
      else material_.sample(cell, x.data() + n * dim, 0, to + n * width);
  }
  material_rows_ = upload_reals(device_, problem_.precision, rows, "material of elements");
  region_ = upload_integers(device_, region, "regions of elements");
}

// The stiffness of each element's shape; the weights of its nodes in an integral, where the page has quantities.
void Measures::upload_geometry() {
  const int nodes = element_.node_count, dim = element_.dim;
  const CellMap map(*problem_.mesh, element_.nodes);
  const Vector reference = nodal_weights(element_);
  const GroupPoints rule = group_points(element_, Group{}, 1);
  std::optional<TensorMetrics> tensor;
  Matrix to_points;
  std::optional<NodalMetrics> at_nodes;
  Vector lobatto;
  if (problem_.volume_form == VolumeForm::split) {
    at_nodes.emplace(*problem_.mesh, element_);
    lobatto = lobatto_product(element_.shape, element_.order).weights;
  } else if (!is_simplex(element_.shape)) {
    tensor.emplace(*problem_.mesh, element_);
    to_points = element_.interpolation(rule.volume);
  }
  struct Curved {
    Vector weights;
    Matrix values;
    CellMap map;
  };
  std::map<bool, Curved> rules;  // of curved simplices, by what their faces are integrated with
  const auto curved = [&](const Group& group) -> const Curved& {
    const auto found = rules.find(group.gauss_faces);
    if (found != rules.end()) return found->second;
    const GroupPoints points = group_points(element_, group, problem_.mesh->geometry_order());
    return rules.emplace(group.gauss_faces, Curved{points.weights, element_.interpolation(points.volume), CellMap(*problem_.mesh, points.volume)})
        .first->second;
  };
  std::vector<double> jacobians(nodes * dim * dim), weight;
  // Where there are viscous terms, two numbers for each element.
  const std::int64_t words = problem_.model.viscous() ? 2 : 1;
  std::vector<double> metric(layout_.slots * words, 0.0);
  // In units of the transport, of which the caller takes a part.
  const double diffusion = problem_.model.viscous()
                               ? stable_constant(problem_.scheme, element_.shape, element_.order) *
                                     diffusion_eigenvalue(element_.shape, element_.order) / diffusion_limit(problem_.scheme, element_.order)
                               : 0;
  const bool weighted = !problem_.model.linear || !problem_.model.quantities.empty();
  if (weighted) weight.assign(layout_.slots * nodes, 0.0);
  for (std::int64_t slot = 0; slot < layout_.slots; ++slot) {
    const auto cell = layout_.cell_of_slot[slot];
    if (cell < 0) continue;
    map.jacobians(cell, jacobians.data());
    metric[slot * words] = transport_stiffness(element_.shape, jacobians);
    if (problem_.model.viscous()) metric[slot * words + 1] = diffusion * diffusion_stiffness(element_.shape, jacobians);
    double scaled[9];
    if (weighted && problem_.volume_form == VolumeForm::split) {
      at_nodes->look(cell);
      for (int n = 0; n < nodes; ++n) weight[slot * nodes + n] = lobatto(n) * at_nodes->jacobian(n);
      continue;
    }
    if (weighted && !is_simplex(element_.shape)) {
      // The operator's own mass conserves this: the integral of each Lagrange polynomial by the Gauss points.
      tensor->look(cell);
      Vector at_points = rule.weights;
      for (Eigen::Index p = 0; p < at_points.size(); ++p) at_points(p) /= tensor->volume()[(p + 1) * (dim * dim + 1) - 1];
      Eigen::Map<Vector>(weight.data() + slot * nodes, nodes) = to_points.transpose() * at_points;
      continue;
    }
    if (weighted && layout_.group_of(slot).curved) {
      // The weight-adjusted mass conserves 1 M A^-1 M q with A_ij = (L_i, L_j / J), M = (L_i, L_j): its own mean of a curved element.
      const Curved& rule_of = curved(layout_.group_of(slot));
      std::vector<double> at_points(rule_of.map.point_count() * dim * dim);
      rule_of.map.jacobians(cell, at_points.data());
      Vector factor = rule_of.weights;
      for (Eigen::Index p = 0; p < factor.size(); ++p) factor(p) /= cofactors(dim, at_points.data() + p * dim * dim, scaled);
      const Matrix adjusted = rule_of.values.transpose() * factor.asDiagonal() * rule_of.values;
      const Vector ones = element_.mass.rowwise().sum();
      Eigen::Map<Vector>(weight.data() + slot * nodes, nodes) = element_.mass * adjusted.ldlt().solve(ones);
      continue;
    }
    for (int n = 0; weighted && n < nodes; ++n)
      weight[slot * nodes + n] = reference(n) * cofactors(dim, jacobians.data() + n * dim * dim, scaled);
  }
  metric_ = upload_reals(device_, problem_.precision, metric, "stiffness of elements");
  if (weighted) weight_ = upload_reals(device_, problem_.precision, weight, "weights of nodes");
  const auto directions = few_directions(dim);
  directions_ = static_cast<std::int64_t>(directions.size()) / dim;
  direction_ = upload_reals(device_, problem_.precision, directions, "directions");
}

// Work of a kernel that reads the state once and does so many operations at each value.
Work Measures::work(double flops) const {
  const double values = static_cast<double>(layout_.elements) * element_.node_count * static_cast<double>(problem_.model.fields.size());
  return {values * static_cast<double>(bytes_of(problem_.precision)), flops * values};
}

void Measures::note_rates(const Buffer& q, double t) {
  for (const Group& g : layout_.groups) {
    device_.queue().launch(program_->kernel("rates"), Items(g.first, g.count),
                           {q, *material_rows_, *region_, *metric_, *direction_, *rates_, directions_, Argument::time(t)},
                           work(static_cast<double>(directions_)));
  }
  note_largest(*rates_, 0);
  note_largest(*roughness_, 1);
}

// Into a place of largest_, over all elements here.
void Measures::note_largest(const Buffer& values, std::int64_t place) {
  std::int64_t filled = 0;
  for (const Group& g : layout_.groups) {
    const auto n = std::min(chunks, g.count);
    device_.queue().launch(program_->kernel("largest"), n, {values, *partial_, g.first, g.count, n, filled}, {});
    filled += n;
  }
  device_.queue().launch(program_->kernel("largest"), 1, {*partial_, *largest_, std::int64_t{0}, filled, std::int64_t{1}, place}, {});
}

double Measures::largest_rate() {
  device_.queue().finish();
  // Not every maximum over ranks keeps NaN, and all ranks must go on alike.
  const std::vector<double> here = download_reals(problem_.precision, *largest_, 2);
  std::array<double, 2> all{std::isfinite(here[0]) ? here[0] : std::numeric_limits<double>::infinity(), here[1]};
  problem_.ranks->largest(all);
  return all[1] > 0.5 ? rate_where_rough * all[0] : all[0];
}

// The elements of each group without the padding behind them, with so many values each.
std::vector<Range> Measures::ranges(std::int64_t scalars) const {
  std::vector<Range> all;
  for (const Group& g : layout_.groups) all.push_back({g.first * scalars, g.count * scalars});
  return all;
}

void Measures::note_quantity(std::size_t number, const Buffer& q, double t, Buffer& log, std::int64_t place) {
  for (const Group& g : layout_.groups)
    device_.queue().launch(program_->kernel("quantities"), Items(g.first, g.count),
                           {q, *material_rows_, *region_, *weight_, *integrals_, static_cast<std::int64_t>(number), Argument::time(t)},
                           work(2));
  monitor_->sum(*integrals_, ranges(1), log, place);
}

double Measures::quantity(std::size_t number, const Buffer& q, double t) {
  note_quantity(number, q, t, *integral_, 0);
  return monitor_->read_log(*integral_, 1, *problem_.ranks)[0];
}

void Measures::watch(const Buffer& q, std::int64_t step, double t) {
  if (problem_.model.admissible.empty()) return;
  for (const Group& g : layout_.groups)
    device_.queue().launch(program_->kernel("conditions"), Items(g.first, g.count),
                           {q, *material_rows_, *region_, *marks_, Argument::time(t)}, work(2));
  monitor_->watch(*marks_, ranges(static_cast<std::int64_t>(element_.node_count * problem_.model.admissible.size())), step);
}

}  // namespace swell
