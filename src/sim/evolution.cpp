// SPDX-License-Identifier: Apache-2.0
#include "sim/evolution.hpp"

#include "base/error.hpp"
#include "base/exact_sum.hpp"
#include "base/host_threads.hpp"
#include "base/names.hpp"
#include "sim/heat/heat.hpp"
#include "sim/rank_device.hpp"
#include "sim/samples/point_gradients.hpp"
#include "sim/simulation.hpp"
#include "sim/whole_mesh.hpp"

namespace swell {

std::unique_ptr<Evolution> make_evolution(const Case& c, Device& device, Ranks& ranks, std::span<const Case> to_come) {
  set_host_threads(host_threads_of_rank(device, ranks));
  if (!is_diffusion(c)) return std::make_unique<Simulation>(c, device, ranks);
  auto heat = std::make_unique<HeatSimulation>(c, device, ranks);
  if (!to_come.empty()) heat->precompile_for(to_come);
  return heat;
}

void Evolution::run_to(double until, const std::function<bool()>& after_step) {
  while (step(until))
    if (after_step && !after_step()) return;
}

void Evolution::advance(double until, const std::function<bool()>& after_step) {
  run_to(until, after_step);
  settle();
}

ErrorNorms Evolution::errors(const Expression* where) {
  PointConversion convert;
  if (exact_in_variables_)
    convert = [this](std::int64_t cell, const double* x, const Matrix& values) {
      const Matrix all = to_outputs_(cell, x, values, Matrix());
      Matrix variables(all.rows(), static_cast<Eigen::Index>(exact_names().size()));
      for (Eigen::Index i = 0; i < variables.cols(); ++i) variables.col(i) = all.col(output_index(exact_names()[static_cast<std::size_t>(i)]));
      return variables;
    };
  return measure_errors(
      mesh_, reference(), [this](const auto& visit) { read(visit); }, exact_, exact_known_, now_.time, ranks_, where, convert);
}

Locator::Hit Evolution::locate(const std::vector<double>& point, const std::string& place) {
  if (!locator_) locator_ = std::make_unique<Locator>(mesh_);
  return swell::locate(*locator_, mesh_, ranks_, point, place);
}

Eigen::Index Evolution::output_index(const std::string& name) const {
  const auto found = std::find(outputs().begin(), outputs().end(), name);
  if (found == outputs().end()) throw InputError("The model '{}' has no output '{}'{}.", model(), name, name_hint(name, outputs()));
  return found - outputs().begin();
}

double Evolution::value_at(const std::string& output, const std::vector<double>& point) {
  const Eigen::Index index = output_index(output), width = static_cast<Eigen::Index>(fields().size());
  const auto hit = locate(point, "A value");
  Matrix at(1, mesh_.dim);
  for (int d = 0; d < mesh_.dim; ++d) at(0, d) = hit.reference[d];
  const Matrix weights = hit.cell < 0 ? Matrix() : reference().of_cell(hit.cell).interpolation(at);
  double value = 0;
  read([&](std::int64_t cell, const double* values) {
    if (cell != hit.cell) return;
    const Matrix here = weights * Eigen::Map<const Matrix>(values, weights.cols(), width);
    if (index < width) {
      value = here(0, index);
      return;
    }
    const PointGradients gradients(mesh_, reference().of_cell(cell), at);
    value = to_outputs_(cell, point.data(), here, gradients.of(cell, values, static_cast<int>(width)))(0, index);
  });
  // A sum of one term that is not zero, on the rank that has it.
  ExactSum all;
  all.add(value);
  ranks_.sum(all.digits());
  return all.value();
}

}  // namespace swell
