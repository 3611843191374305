// SPDX-License-Identifier: Apache-2.0
#include "dg/nodal/limiter.hpp"

#include <cmath>

#include "base/timer.hpp"
#include "dg/group_data.hpp"
#include "dg/memory.hpp"
#include "dg/text.hpp"
#include "dg/transfer.hpp"
#include "element/lattice.hpp"

namespace swell {

namespace {

std::vector<double> numbers(const Matrix& matrix) { return {matrix.data(), matrix.data() + matrix.size()}; }

// V diag(exp(-strength ((k - c p) / (p - c p))^order)) V^-1.
Matrix filter_matrix(const ReferenceElement& element, const FilterSpec& spec) {
  const double first = spec.cutoff * element.order;
  Vector factor = Vector::Ones(element.node_count);
  Eigen::Index mode = 0;
  for (const LatticeIndex& i : lattice_indices(element.shape, element.order)) {
    const int degree = mode_degree(element.shape, i);
    if (degree > first) factor(mode) = std::exp(-spec.strength * std::pow((degree - first) / (element.order - first), spec.order));
    ++mode;
  }
  return element.vandermonde * factor.asDiagonal() * element.inverse_vandermonde;
}

}  // namespace

bool Limiter::asked(const Problem& problem) {
  return problem.positivity || problem.shocks == ShockDevice::filter || problem.filter.strength > 0;
}

Limiter::Limiter(const Problem& problem, const Elements& elements, const Layout& layout, Measures& measures,
                 const MaterialField& material, Device& device, std::size_t state_bytes)
    : problem_(problem),
      elements_(elements),
      layout_(layout),
      measures_(measures),
      device_(device),
      lanes_(material.in_time() ? 1 : layout.lanes),
      entropy_(problem.shocks == ShockDevice::filter) {
  const Stopwatch clock;
  for (const Group& group : layout.groups) {
    const ReferenceElement& element = elements.of(group.shape);
    OfPoints& of = shapes_[group.shape].by_points[by_points(group)];
    if (of.program) continue;
    const Matrix extra = extra_points(group);
    of.program = device.compile(limiter_text(problem, element, layout, layout.face_points, entropy_, extra, measures.material_rows(element),
                                             material.in_time()));
    of.points = extra.size() > 0 ? upload_reals(device, problem.precision, numbers(extra), "points of fluxes") : device.allocate(64, "no points");
  }
  monitor_ = std::make_unique<Monitor>(device, problem.precision, layout.groups.size());
  compile_seconds_ = clock.seconds();
  for (auto& [shape, of] : shapes_) {
    const ReferenceElement& element = elements.of(shape);
    std::vector<double> modal = numbers(element.inverse_vandermonde);
    const std::vector<double> back = numbers(element.vandermonde);
    modal.insert(modal.end(), back.begin(), back.end());
    of.modal = upload_reals(device, problem.precision, modal, "modes");
    if (problem.filter.strength > 0)
      of.filter = upload_reals(device, problem.precision, numbers(filter_matrix(element, problem.filter)), "modal filter");
  }
  behind_ = upload_integers(device, layout.behind, "what is behind faces");
  const std::size_t word = bytes_of(problem.precision);
  record_ = device.allocate(layout.slots * (1 + problem.model.admissible.size()) * word, "means that are not admissible");
  marks_ = device.allocate(layout.slots * word, "marks of elements");
  spare_ = device.allocate(limiter_states(problem, device.info()) > 0 ? state_bytes : 64, "modes of elements");
}

// Gauss points and points of faces, where the group's fluxes are taken there.
Matrix Limiter::extra_points(const Group& group) const {
  const ReferenceElement& element = elements_.of(group.shape);
  if (!by_points(group)) return Matrix(0, element.node_count);
  const GroupPoints points = group_points(element, group, problem_.mesh->geometry_order());
  const Matrix on_faces = stacked_face_points(element, points);
  Matrix all(points.volume.rows() + on_faces.rows(), element.dim);
  all << points.volume, on_faces;
  return element.interpolation(all);
}

double Limiter::unknowns(const Group& group) const {
  return static_cast<double>(group.count) * elements_.of(group.shape).node_count * static_cast<double>(problem_.model.fields.size());
}

void Limiter::limit(double t, const Buffer& before, Buffer& q) {
  if (!problem_.positivity && !entropy_) return;
  for (const Group& g : layout_.groups) {
    const Work work{unknowns(g) * static_cast<double>(bytes_of(problem_.precision)),
                    unknowns(g) * (4 + (entropy_ ? elements_.of(g.shape).node_count : 0))};
    device_.queue().launch(of(g).program->kernel("limit"), items(g),
                           {q, before, *spare_, measures_.material(), measures_.region(), measures_.weight(), *shapes_.at(g.shape).modal,
                            *of(g).points, *behind_, *record_, *marks_, measures_.roughness(), g.first, g.count, g.place - g.first,
                            Argument::time(t)},
                           work);
  }
}

void Limiter::smooth(Buffer& q) {
  if (problem_.filter.strength == 0) return;
  for (const Group& g : layout_.groups)
    device_.queue().launch(of(g).program->kernel("smooth"), items(g), {q, *spare_, measures_.weight(), *shapes_.at(g.shape).filter, g.place},
                           {2 * unknowns(g) * static_cast<double>(bytes_of(problem_.precision)), 2 * unknowns(g) * elements_.of(g.shape).node_count});
}

void Limiter::watch(std::int64_t step) {
  std::vector<Range> ranges;
  for (const Group& g : layout_.groups) ranges.push_back({g.first, g.count});
  monitor_->watch(*marks_, ranges, step);
}

// The first of all means that were not admissible, since the others follow from it.
Finding Limiter::finding() const {
  const Verdict verdict = monitor_->verdict();
  if (verdict.finite) return {};
  const std::size_t width = 1 + problem_.model.admissible.size();
  const auto record = download_reals(problem_.precision, *record_, static_cast<std::size_t>(layout_.slots) * width);
  Finding found;
  found.good = false;
  found.step = verdict.step;
  for (std::int64_t slot = 0; slot < layout_.slots; ++slot) {
    const double* here = record.data() + static_cast<std::size_t>(slot) * width;
    const std::int64_t cell = layout_.cell_of_slot[slot];
    if (cell < 0 || here[0] == 0) continue;
    const bool earlier = found.mean.empty() || here[0] < found.time;
    if (!earlier && (here[0] > found.time || problem_.mesh->number_of(cell) > problem_.mesh->number_of(found.place.cell))) continue;
    found.time = here[0];
    found.place = {cell, 0, static_cast<int>(problem_.model.fields.size())};
    found.mean.assign(here + 1, here + width);
  }
  return found;
}

void Limiter::forget() {
  monitor_->forget();
  record_->fill_zero();
  marks_->fill_zero();
}

}  // namespace swell
