// SPDX-License-Identifier: Apache-2.0
// A simulation of heat that takes another case: what stays, and what is made again.
#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "base/timer.hpp"
#include "sim/heat/heat.hpp"
#include "sim/heat/options.hpp"

namespace swell {

namespace {

bool same(const Expression& a, const Expression& b) { return a.text() == b.text(); }

bool same_box(const std::optional<BoxOptions>& a, const std::optional<BoxOptions>& b) {
  if (!a || !b) return !a && !b;
  return a->low == b->low && a->high == b->high && a->cells == b->cells && a->shape == b->shape && a->mixed == b->mixed &&
         a->periodic == b->periodic && a->move == b->move && a->bend == b->bend &&
         a->geometry_order == b->geometry_order && a->scatter == b->scatter &&
         std::equal(a->inner.begin(), a->inner.end(), b->inner.begin(), b->inner.end(),
                    [](const auto& one, const auto& other) { return one.name == other.name && same(one.holds, other.holds); });
}

bool same_disc(const std::optional<DiscOptions>& a, const std::optional<DiscOptions>& b) {
  if (!a || !b) return !a && !b;
  return a->center == b->center && a->radius == b->radius && a->cells == b->cells &&
         a->geometry_order == b->geometry_order && a->shape == b->shape;
}

bool same_shell(const std::optional<ShellOptions>& a, const std::optional<ShellOptions>& b) {
  if (!a || !b) return !a && !b;
  return a->center == b->center && a->inner == b->inner && a->outer == b->outer && a->cells == b->cells &&
         a->layers == b->layers && a->geometry_order == b->geometry_order && a->shape == b->shape;
}

// The names decide along which groups of faces the mesh is cut open.
bool same_sheets(const Case& a, const Case& b) {
  const auto same_name = [](const auto& one, const auto& other) { return one.first == other.first; };
  const bool has_groups = !a.mesh_file.empty() || (a.box && !a.box->inner.empty());
  return !has_groups || std::equal(a.boundary.begin(), a.boundary.end(), b.boundary.begin(), b.boundary.end(), same_name);
}

bool same_discretisation(const Case& a, const Case& b) {
  return same_box(a.box, b.box) && same_disc(a.disc, b.disc) && same_shell(a.shell, b.shell) && a.mesh_file == b.mesh_file && same_sheets(a, b) &&
         a.model == b.model && a.family == b.family &&
         a.order == b.order && a.precision == b.precision && a.solver.form == b.solver.form &&
         a.solver.preconditioner == b.solver.preconditioner && a.partition == b.partition && a.fractions == b.fractions;
}

bool same_kinds(const DiffusionProblem& a, const DiffusionProblem& b) {
  return std::equal(a.boundary.begin(), a.boundary.end(), b.boundary.begin(), b.boundary.end(),
                    [](const DiffusionBoundary& one, const DiffusionBoundary& other) { return one.kind == other.kind; });
}

bool same_loads(const DiffusionProblem& a, const DiffusionProblem& b) {
  return same(a.source, b.source) &&
         std::equal(a.boundary.begin(), a.boundary.end(), b.boundary.begin(), b.boundary.end(),
                    [](const DiffusionBoundary& one, const DiffusionBoundary& other) {
                      return same(one.value, other.value) && same(one.transfer, other.transfer);
                    });
}

bool same_points(const DiffusionProblem& a, const DiffusionProblem& b) {
  return std::equal(a.points.begin(), a.points.end(), b.points.begin(), b.points.end(),
                    [](const PointSourceSpec& one, const PointSourceSpec& other) {
                      return one.position == other.position && one.balance == other.balance && same(one.signal, other.signal);
                    });
}

bool same_materials(const DiffusionProblem& a, const DiffusionProblem& b) {
  return std::equal(a.material.begin(), a.material.end(), b.material.begin(), b.material.end(),
                    [](const DiffusionMaterial& one, const DiffusionMaterial& other) {
                      return same(one.capacity, other.capacity) && same(one.conductivity, other.conductivity);
                    });
}

// The form of all expressions, whatever their constants: materials of one form need the same kernels.
std::string form_of(const std::vector<DiffusionMaterial>& material) {
  std::string form;
  std::vector<double> numbers;
  for (const DiffusionMaterial& m : material)
    for (const Expression* expression : {&m.conductivity, &m.capacity}) {
      numbers.clear();
      form += expression->c_text(numbers) + "\n";
    }
  return form;
}

}  // namespace

DiffusionUpdates& HeatSimulation::updates() { return interior_penalty_ ? *interior_penalty_ : continuous_->updates(); }

void HeatSimulation::precompile_for(std::span<const Case> cases) {
  const Stopwatch clock;
  std::map<std::string, std::vector<DiffusionMaterial>> materials;  // by their form
  const Extent here = ranks_.single() ? Extent::whole : Extent::part;
  for (const Case& c : cases) {
    if (!same_discretisation(case_, c)) continue;
    try {
      auto material = diffusion_problem(problem_of_case(c, mesh_, page_.model, here), form_).material;
      materials.emplace(form_of(material), std::move(material));
    } catch (const InputError&) {
      // its own run says so
    }
  }
  std::map<std::string, ProgramText> texts;
  for (const auto& [form, material] : materials) {
    for (ProgramText& text : updates().texts_for(material)) texts.emplace(text.text, std::move(text));
    if (!levels_) continue;
    for (ProgramText& text : levels_->texts_for(material)) texts.emplace(text.text, std::move(text));
  }
  std::vector<ProgramText> all;
  for (auto& [key, text] : texts) all.push_back(std::move(text));
  const Stopwatch preparation;
  vectors_->device().prepare(all);
  prepare_seconds_ = preparation.seconds();
  for (const auto& [form, material] : materials) {
    updates().expect(material);
    if (levels_) levels_->expect(material);
  }
  setup_seconds_ += clock.seconds();
}

// Where a case was refused half-way, nothing is known of what the last one has left.
void HeatSimulation::renew(const DiffusionProblem& problem) {
  const DiffusionProblem& now = interior_penalty_ ? interior_penalty_->problem() : continuous_->problem();
  const bool loads = renewal_incomplete_ || !same_loads(problem, now), material = renewal_incomplete_ || !same_materials(problem, now);
  const bool points = renewal_incomplete_ || !same_points(problem, now);
  renewal_incomplete_ = true;
  if (points) updates().set_points(problem.points);
  if (loads) updates().set_loads(problem.boundary, problem.source);
  if (loads && levels_) levels_->set_loads(problem.boundary);
  if (material) updates().set_material(problem.material);
  if (material && levels_) levels_->set_material(problem.material);
  renewal_incomplete_ = false;
  if (interior_penalty_) interior_penalty_->renew(options_of(case_));
  if (solver_) solver_->renew(options_of(case_));
  if (stepper_) stepper_->renew(scheme_of(case_), options_of(case_));
}

bool HeatSimulation::adopt(const Case& c) {
  const Stopwatch clock;
  if (!same_discretisation(case_, c)) return false;
  Problem stated = problem_of_case(c, mesh_, page_.model, ranks_.single() ? Extent::whole : Extent::part);
  DiffusionProblem problem = diffusion_problem(stated, form_);
  place_points(problem, c);
  if (!same_kinds(problem, interior_penalty_ ? interior_penalty_->problem() : continuous_->problem())) return false;
  if (continuous_ && on_fixed_grid(c, problem, steady_, ranks_.count()) != (elements_form_ == nullptr)) return false;
  read_formulas(c);
  page_ = std::move(stated);
  case_ = c;
  prepare_seconds_ = 0;
  compiled_before_ = interior_penalty_ ? interior_penalty_->of().compile_seconds() : continuous_->compile_seconds();
  renew(problem);
  begin();
  setup_seconds_ = clock.seconds();
  return true;
}

}  // namespace swell
