// SPDX-License-Identifier: Apache-2.0
#include "sim/local/clusters_of_case.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "dg/near_points.hpp"
#include "dg/text.hpp"
#include "model/upwind_text.hpp"
#include "sim/time_step.hpp"

namespace swell {

namespace {

constexpr double worth_a_hint = 2;  // times less work

std::string name_of(const Case& c) { return c.file.empty() ? "the case" : c.file.filename().string(); }

CellGraph cell_graph(const Mesh& mesh) {
  CellGraph graph;
  graph.first.push_back(0);
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell) {
    for (int f = 0; f < face_count(mesh.shape_of(cell)); ++f)
      if (const auto other = mesh.neighbour(cell, f).cell; other >= 0) graph.neighbour.push_back(other);
    graph.first.push_back(static_cast<std::int64_t>(graph.neighbour.size()));
  }
  return graph;
}

std::vector<Stiffness> stiffness_of_cells(const Case& c, Problem problem, Device& device) {
  complete_model(problem, device);
  const Elements elements(*problem.mesh, problem.order);
  const MaterialField material(problem, elements.nodes());
  const Layout layout(problem, elements, material, device);
  boundary_rule_of_clusters(problem, layout, material, device);  // refuses what clusters do not take
  std::vector<Stiffness> all(problem.mesh->cell_count());
  for (const auto& [shape, element] : elements.all()) {
    const auto program = device.compile(pointwise_text(problem, element, layout));
    measure_stiffness(problem, element, material, device, *program, c.end.value_or(0), &all);
  }
  return all;
}

// Where nothing moves a cell takes any step.
std::vector<double> stable_steps(const Case& c, const Mesh& mesh, const std::vector<Stiffness>& stiffness) {
  std::vector<double> steps;
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell) {
    const double rate = stable_rate(c, mesh.shape_of(cell), stiffness[cell]);
    if (!std::isfinite(rate))
      throw InputError("The largest wave speed in {} is not a number: look at the function speed of the model; time.local needs it in "
                       "every cell.",
                       name_of(c));
    steps.push_back(rate > 0 ? c.cfl / rate : std::numeric_limits<double>::max());
  }
  return steps;
}

// The cheap conditions alone; is_autonomous() is the other one.
bool is_possible(const Problem& problem, const Layout& layout) {
  const auto straight = [&](const Group& group) { return !group.curved && (!group.varying || problem.family == Family::modal); };
  return problem.model.linear && !problem.model.viscous() && problem.model.kind() == PageKind::hyperbolic && !problem.mesh->mixed() &&
         problem.points.empty() && std::ranges::all_of(layout.groups, straight);
}

// Steps of the last cluster end where something is written or sampled at given times.
double shortest_interval(const Case& c) {
  double shortest = c.end.value_or(0);
  const auto look = [&](double every) {
    if (every > 0) shortest = shortest > 0 ? std::min(shortest, every) : every;
  };
  look(c.fields_every.value_or(0));
  look(c.energy_every);
  if (c.picture) look(c.picture->every);
  if (c.checkpoint) look(c.checkpoint->every);
  for (const auto& receiver : c.receivers) look(receiver.every);
  for (const auto& surface : c.surfaces) look(surface.every);
  for (const auto& probe : c.probes) look(probe.every);
  return shortest;
}

}  // namespace

std::optional<Clusters> take_clusters(const Case& c, Problem& problem, Device& device) {
  if (!c.local) return {};
  if (!problem.model.linear || problem.model.kind() == PageKind::interface)
    throw InputError("time.local in {} is for waves and transport with linear models, of which '{}' is none: leave time.local out.", name_of(c),
                     problem.model.name);
  const Mesh& mesh = *problem.mesh;
  std::vector<double> stable = stable_steps(c, mesh, stiffness_of_cells(c, problem, device));
  const double shortest = *std::min_element(stable.begin(), stable.end());
  if (shortest == std::numeric_limits<double>::max())
    throw InputError("Nothing moves in {}: the largest wave speed is 0, so leave time.local out and give time.dt.", name_of(c));
  if (c.dt)
    for (double& step : stable) step *= *c.dt / shortest;
  Clusters clusters = find_clusters(stable, cell_graph(mesh),
                                    {.most = static_cast<int>(c.max_clusters), .shorten = !c.dt, .interval = shortest_interval(c), .even = problem.near_points});
  problem.clusters = clusters.count();
  if (clusters.count() > 1) problem.cluster = clusters.of_cell;
  return clusters;
}

std::string clusters_in_words(const Clusters& clusters) {
  if (clusters.count() == 1) return "one: a step for all elements is the best here";
  std::vector<std::string> each;
  for (int k = 0; k < clusters.count(); ++k)
    each.push_back(fmt::format("{} with dt = {:.6g}", clusters.cells[k], clusters.dt * std::ldexp(1.0, k)));
  return fmt::format("{} of elements, {}; {:.3g} times less work than one step for all", clusters.count(), fmt::join(each, ", "), clusters.gain);
}

std::string hint_in_words(const Case& c, const Problem& problem, const Layout& layout, const MaterialField& material, Device& device,
                          const std::vector<Stiffness>& stiffness) {
  const Mesh& mesh = *problem.mesh;
  if (c.local || !problem.ranks->single() || !is_possible(problem, layout)) return "";
  const std::vector<double> stable = stable_steps(c, mesh, stiffness);
  const int most = static_cast<int>(c.max_clusters);
  if (largest_gain(stable, most) <= worth_a_hint || !is_autonomous(problem, layout, material, device)) return "";
  const double gain = find_clusters(stable, cell_graph(mesh), {.most = most, .shorten = true, .interval = shortest_interval(c), .even = {}}).gain;
  if (gain <= worth_a_hint) return "";
  return fmt::format("Local time stepping would take about {:.2g} times less work here: time.local = true with time.scheme = \"ader\" lets large "
                     "elements take longer steps than small ones.",
                     gain);
}

ClusterSummary cluster_summary(const Clusters& clusters) {
  ClusterSummary of;
  for (int k = 0; k < clusters.count(); ++k) {
    of.dt.push_back(std::ldexp(clusters.dt, k));
    of.cells.push_back(clusters.cells[k]);
    of.updates.push_back(clusters.cells[k] * clusters.steps(k));
  }
  of.speedup = clusters.gain;
  return of;
}

}  // namespace swell
