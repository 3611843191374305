// SPDX-License-Identifier: Apache-2.0
// Variables, derived outputs and admissible initial states, as a page gives them.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "sim/advice/boundaries.hpp"
#include "sim/samples/point_gradients.hpp"
#include "sim/simulation.hpp"

namespace swell {

namespace {

constexpr std::int64_t rows_at_once = 65536;  // of states that the page is asked about

}  // namespace

// A row for each point.
Matrix Simulation::material_at(std::int64_t cell, const double* x, Eigen::Index points) const {
  Matrix all = Matrix::Zero(points, std::max(1, dg_->material().parameters()));
  for (Eigen::Index n = 0; n < points; ++n) dg_->material().sample(cell, x + n * mesh_.dim, now_.time, all.row(n).data());
  return all;
}

// Fields, then the variables that are no fields, then what is derived; without gradients what needs them is 0.
Matrix Simulation::outputs_of(const Matrix& states, const Matrix& gradients, const Matrix& material) const {
  const Model& model = problem().model;
  Matrix all(states.rows(), static_cast<Eigen::Index>(outputs().size()));
  all.leftCols(states.cols()) = states;
  Eigen::Index next = states.cols();
  if (!model.variables.empty()) {
    const Matrix variables = page_->variables_of(states, material);
    for (std::size_t v = 0; v < model.variables.size(); ++v)
      if (model.field_index(model.variables[v]) < 0) all.col(next++) = variables.col(static_cast<Eigen::Index>(v));
  }
  for (const DerivedOutput& output : model.derived) {
    if (!output.gradients) all.col(next++) = page_->derived(output.name, states, material);
    else if (gradients.size() > 0) all.col(next++) = page_->derived(output.name, states, gradients, material);
    else all.col(next++).setZero();
  }
  return all;
}

void Simulation::set_outputs() {
  const Model& model = problem().model;
  const bool judged = !model.admissible.empty();
  std::vector<std::string> more;
  for (const auto& variable : model.variables)
    if (model.field_index(variable) < 0) more.push_back(variable);
  for (const DerivedOutput& output : model.derived) {
    more.push_back(output.name);
    derives_ = derives_ || output.gradients;
  }
  if (more.empty() && !judged) return;
  host_ = open_device("cpu:1");
  page_ = std::make_unique<ModelProbe>(model, *host_);
  if (more.empty()) return;
  outputs_ = fields();
  outputs_.insert(outputs_.end(), more.begin(), more.end());
  to_outputs_ = [this](std::int64_t cell, const double* x, const Matrix& states, const Matrix& gradients) {
    return outputs_of(states, gradients, material_at(cell, x, states.rows()));
  };
  extra_fields_ = [this] { return outputs_at_nodes(); };
}

namespace {

// States of some cells, a row for each node.
struct SomeNodes {
  std::vector<std::int64_t> cells;
  Matrix states, material, x;
  Matrix gradients;  // [node][field][axis], where they were asked for
  Eigen::Index filled = 0;
};

}  // namespace

// Hands over the nodes of this rank's cells, many at once.
template <class Use>
void Simulation::visit_nodes(bool with_gradients, Use use) {
  std::map<Shape, CellMap> maps;
  std::map<Shape, PointGradients> slopes;
  for (const auto& [shape, element] : reference().all()) {
    maps.emplace(shape, CellMap(mesh_, shape, element.nodes));
    if (with_gradients) slopes.emplace(shape, PointGradients(mesh_, element, element.nodes));
  }
  const auto rows = static_cast<Eigen::Index>(rows_at_once + reference().most_nodes());
  SomeNodes some{{}, Matrix(rows, static_cast<Eigen::Index>(fields().size())), Matrix(rows, std::max(1, dg_->material().parameters())),
                 Matrix(rows, mesh_.dim), Matrix(with_gradients ? rows : 0, static_cast<Eigen::Index>(fields().size()) * mesh_.dim)};
  read([&](std::int64_t cell, const double* values) {
    const Eigen::Index nodes = reference().node_count(cell);
    some.cells.push_back(cell);
    some.states.middleRows(some.filled, nodes) = Eigen::Map<const Matrix>(values, nodes, some.states.cols());
    maps.at(mesh_.shape_of(cell)).coordinates(cell, some.x.row(some.filled).data());
    some.material.middleRows(some.filled, nodes) = material_at(cell, some.x.row(some.filled).data(), nodes);
    if (with_gradients)
      some.gradients.middleRows(some.filled, nodes) = slopes.at(mesh_.shape_of(cell)).of(cell, values, static_cast<int>(fields().size()));
    some.filled += nodes;
    if (some.filled < rows_at_once) return;
    use(some);
    some.cells.clear();
    some.filled = 0;
  });
  if (some.filled > 0) use(some);
}

std::vector<std::pair<std::string, std::vector<double>>> Simulation::outputs_at_nodes() {
  const auto count = static_cast<std::size_t>(reference().first_node(mesh_.own_count())), known = fields().size();
  std::vector<std::pair<std::string, std::vector<double>>> all;
  for (std::size_t i = known; i < outputs().size(); ++i) all.emplace_back(outputs()[i], std::vector<double>(count));
  visit_nodes(derives_, [&](const SomeNodes& some) {
    const Matrix found = outputs_of(some.states.topRows(some.filled), some.gradients.topRows(derives_ ? some.filled : 0),
                                    some.material.topRows(some.filled));
    Eigen::Index row = 0;
    for (const std::int64_t cell : some.cells)
      for (int n = 0; n < reference().node_count(cell); ++n, ++row)
        for (std::size_t i = 0; i < all.size(); ++i)
          all[i].second[static_cast<std::size_t>(reference().first_node(cell) + n)] = found(row, static_cast<Eigen::Index>(known + i));
  });
  return all;
}

std::vector<double> Simulation::outputs_at(const std::vector<Locator::Hit>& points, std::vector<double> values, std::int64_t rows) const {
  if (outputs_.empty() || values.empty()) return values;
  const auto count = static_cast<Eigen::Index>(points.size()), width = static_cast<Eigen::Index>(fields().size());
  const Eigen::Index dim = mesh_.dim, sampled = derives_ ? 1 + dim : 1;  // values of a point: those of fields, then derivatives
  Matrix states(rows * count, width), gradients(derives_ ? rows * count : 0, width * dim);
  for (Eigen::Index row = 0; row < states.rows(); ++row) {
    const Eigen::Map<const Matrix> here(values.data() + row * sampled * width, sampled, width);
    states.row(row) = here.row(0);
    for (Eigen::Index i = 0; i < (derives_ ? width * dim : 0); ++i) gradients(row, i) = here(1 + i % dim, i / dim);
  }
  Matrix material(states.rows(), std::max(1, dg_->material().parameters()));
  for (Eigen::Index point = 0; point < count; ++point) {
    const Locator::Hit& hit = points[static_cast<std::size_t>(point)];
    Matrix at(1, mesh_.dim);
    for (int d = 0; d < mesh_.dim; ++d) at(0, d) = hit.reference[d];
    double x[3] = {0, 0, 0};
    CellMap(mesh_, mesh_.shape_of(hit.cell), at).coordinates(hit.cell, x);
    material.row(point) = material_at(hit.cell, x, 1);
  }
  for (std::int64_t row = 1; row < rows; ++row) material.middleRows(row * count, count) = material.topRows(count);
  const Matrix all = outputs_of(states, gradients, material);
  return {all.data(), all.data() + all.size()};
}

// Every rank looks at its own cells, so that one of them alone may refuse.
void Simulation::check_initial() {
  const auto& names = problem().model.admissible;
  if (names.empty()) return;
  std::string wrong;
  visit_nodes(false, [&](const SomeNodes& some) {
    const Matrix margins = page_->admissible(some.states.topRows(some.filled), some.material.topRows(some.filled));
    for (Eigen::Index row = 0; row < some.filled && wrong.empty(); ++row)
      for (Eigen::Index k = 0; k < margins.cols() && wrong.empty(); ++k)
        if (!(margins(row, k) > 0)) {
          double place[3] = {0, 0, 0};
          std::copy_n(some.x.row(row).data(), mesh_.dim, place);
          wrong = fmt::format("[initial] gives {} = {:.6g} at {}; it must be positive.", names[static_cast<std::size_t>(k)], margins(row, k),
                              place_text(mesh_.dim, place));
        }
  });
  if (!wrong.empty()) throw InputError("{}", wrong);
}

// Data of boundaries that depend on time are looked at a little before a run fails: they may be why it does.
std::string Simulation::boundary_fault(double failed) const {
  if (!boundaries_may_fail(problem())) return {};
  std::vector<double> times;
  for (int back = steps_to_fault; back >= -1; --back) times.push_back(std::max(0.0, failed - back * now_.dt));
  return boundary_fault_in_words(problem(), reference(), times);
}

// The sentence for a mean that no limiter can mend; seen: cell, field, place, the element's name, then time and margins.
RunError Simulation::bad_mean(std::span<const double> seen) {
  const auto& names = problem().model.admissible;
  std::string found;
  for (std::size_t k = 0; k < names.size(); ++k)
    found += fmt::format("{}{} = {}", k == 0 ? "" : ", ", names[k], seen[7 + k] > never_seen ? fmt::format("{:.6g}", seen[7 + k]) : "no number");
  now_.time = seen[6];
  return RunError(
      "The run lost positivity at t = {:.6g} (noticed at step {}): the mean of element {} at {} has {}, which must be positive, and no "
      "limiter mends a mean; try {}, time.scheme = \"ssprk33\", model.flux = \"rusanov\"{} or smaller cells there.",
      seen[6], now_.steps, static_cast<std::int64_t>(seen[5]), place_text(mesh_.dim, &seen[2]), found,
      case_.dt ? "a smaller time.dt" : "a smaller time.cfl", problem().shocks == ShockDevice::none ? ", model.shocks = \"auto\"" : "");
}

}  // namespace swell
