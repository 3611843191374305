// SPDX-License-Identifier: Apache-2.0
#include "study/tune.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/log.hpp"
#include "case/problem_of_case.hpp"
#include "device/compile_error.hpp"
#include "dg/tunable.hpp"
#include "study/group_tuner.hpp"

namespace swell {

namespace {

// Less gain than this, or in fewer of the rounds, may be noise.
constexpr double worth_remembering = 0.02, most_rounds = 0.75;

// Waves for a linear model; the case's own start for others, whose states may have to be physical.
void write_state(const Case& c, const Operator& dg, Buffer& state) {
  const Mesh& mesh = *dg.problem().mesh;
  const bool linear = dg.problem().model.linear;
  std::vector<Expression> initial;
  if (!linear) initial = field_expressions(c.initial, dg.problem().model, "initial", c.file.filename().string());
  std::map<Shape, CellMap> maps;
  for (const auto& [shape, element] : dg.elements().all()) maps.emplace(shape, CellMap(mesh, shape, element.nodes));
  dg.states().write_state(state, [&](std::int64_t cell, double* values) {
    std::vector<double> x(dg.elements().most_nodes() * mesh.dim);
    maps.at(mesh.shape_of(cell)).coordinates(cell, x.data());
    for (int n = 0; n < dg.elements().node_count(cell); ++n) {
      double place[4] = {0, 0, 0, 0};
      std::copy_n(x.data() + n * mesh.dim, mesh.dim, place);
      for (int f = 0; f < dg.fields(); ++f)
        values[n * dg.fields() + f] =
            linear ? std::sin(6.0 * place[0] + place[1] - 2.0 * place[2] + f) : initial[f](place);
    }
  });
}

}  // namespace

const VariantTiming& TuneResult::standard() const {
  return *std::find_if(timings.begin(), timings.end(), [&](const auto& t) { return t.name == default_name; });
}

const VariantTiming& TuneResult::taken() const {
  for (const VariantTiming& t : timings)
    if (t.last && t.wins >= most_rounds && t.seconds < (1 - worth_remembering) * standard().seconds) return t;
  return standard();
}

std::string TuneResult::winner() const {
  return &taken() == &standard() ? std::string(default_is_best) : taken().name;
}

TuningChoice TuneResult::choice() const {
  const auto each = static_cast<double>(unknowns);
  return {key, winner(), taken().seconds / each, standard().seconds / each, tuning_date()};
}

std::vector<TuneResult> tune_case(const Case& c, Device& device, const Peaks& peaks, const TuneOptions& options) {
  if (is_diffusion(c))
    throw InputError("The kernels of the model '{}' have one form each: there is nothing to tune. The choices left are "
                     "solver.form and solver.preconditioner; `swell plan` shows what each costs.", c.model);
  const Mesh mesh = mesh_of_case(c);
  std::unique_ptr<Operator> dg;
  try {
    dg = make_operator(problem_of_case(c, mesh), device);
  } catch (const CompileError& refused) {
    if (c.model_file.empty()) throw;
    throw InputError("The model file {} does not compile: {}.{}", c.model_file.string(), refused.what(), refused.errors());
  }
  Tunable* kernels = dg->tunable();
  if (!kernels) throw InputError("The kernels of the model '{}' have one form each: there is nothing to tune.", c.model);
  kernels->expect_scheme(c.scheme);
  TuneStates states{dg->make_state("state"), dg->make_state("next state"), dg->make_state("residual")};
  write_state(c, *dg, *states.q);
  std::vector<TuneResult> all;
  for (std::size_t g = 0; g < kernels->group_count(); ++g) {
    log_info("{}: {} elements, {} variants", kernels->group_key(g).kernel, kernels->group_elements(g),
             kernels->group_variants(g).size());
    all.push_back(GroupTuner(*dg, *kernels, g, states).search(options.seconds, options.only));
    all.back().bound_seconds = bound_of(kernels->group_work(g), peaks, c.precision).seconds;
  }
  return all;
}

Case case_of_bench(const BenchEntry& entry, double dofs) {
  Case c;
  c.title = entry.name();
  c.box = bench_box(entry, dofs);
  c.model = entry.model;
  c.order = entry.order;
  c.precision = entry.precision;
  c.steps = 1;
  if (entry.varying) {
    const Parameter first = load_model(entry.model, dimension(entry.shape)).material.front();
    c.material[""][first.name] = {varying_material(first.value), "material." + first.name};
  }
  return c;
}

std::string describe(const TuneResult& r) {
  std::size_t width = 7;
  for (const auto& t : r.timings) width = std::max(width, t.name.size());
  std::string text = fmt::format("{}, {}, {}, {} unknowns ({})\n", r.key.kernel, r.key.device,
                                 r.key.precision == Precision::double_ ? "double" : "single", r.unknowns, r.key.size);
  text += fmt::format("{:<{}} {:>10} {:>12} {:>9} {:>10}\n", "variant", width, "ms/stage", "M/s", "of bound",
                      "compile s");
  for (const auto& t : r.timings) {
    std::string mark = t.name == r.default_name ? "  default" : "";
    if (&t == &r.best()) mark += "  best";
    if (t.usable())
      text += fmt::format("{:<{}} {:>10.4f} {:>12.1f} {:>8.0f}% {:>10.2f}{}\n", t.name, width, 1e3 * t.seconds,
                          static_cast<double>(r.unknowns) / t.seconds / 1e6, 100 * r.bound_seconds / t.seconds,
                          t.compile_seconds, mark);
    else
      text += fmt::format("{:<{}} {}\n", t.name, width, t.problem);
  }
  if (r.winner() == default_is_best)
    return text +
           fmt::format("The default stays: nothing is faster by more than noise may be. {:.1f} s.\n", r.spent_seconds);
  return text + fmt::format("{} is {:.1f} % faster than the default. {:.1f} s.\n", r.winner(),
                            100 * (r.standard().seconds / r.taken().seconds - 1), r.spent_seconds);
}

}  // namespace swell
