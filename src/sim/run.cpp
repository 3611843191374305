// SPDX-License-Identifier: Apache-2.0
#include "sim/run.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/memory.hpp"
#include "base/names.hpp"
#include "base/progress.hpp"
#include "io/files.hpp"
#include "io/summary.hpp"
#include "sim/bench.hpp"
#include "sim/levelset.hpp"
#include "sim/outputs.hpp"
#include "sim/run_parts.hpp"

namespace swell {

namespace {

class Run {
 public:
  Run(const Case& c, Log& log)
      : case_(c),
        log_(log),
        folder_(writable(c.output_folder)),
        device_(open_device(c.backend)),
        simulation_(c, *device_),
        receivers_(simulation_) {
    check_outputs();
  }

  int go(Summary& result) {
    create_folder(folder_);
    log_.open_file(folder_ / "log.txt");
    atomic_write(folder_ / "case.toml", case_.text);
    receivers_.open_files(folder_);
    snapshots_.emplace(fields_of(simulation_), folder_);
    if (case_.energy_every > 0) energies_.emplace(simulation_, folder_ / "energy.csv");
    describe();
    device_->queue().set_profiling(case_.profile);
    energy_initial_ = simulation_.energy();
    if (auto* levelset = dynamic_cast<LevelSetOperator*>(&simulation_.dg()))
      interface_.emplace(*levelset, folder_ / "interface.csv");
    try {
      march();
    } catch (const RunError& failure) {
      receivers_.flush();
      if (energies_) energies_->close();
      result = summary("failed", failure.what());
      write_summary(folder_ / "summary.json", result);
      throw;
    }
    receivers_.flush();
    if (energies_) energies_->close();
    if (case_.fields_every) snapshots_->write_fields();
    if (case_.picture) log_info("Picture: {}", snapshots_->write_picture(true).string());
    result = summary(interrupted ? "interrupted" : "done", "");
    write_summary(folder_ / "summary.json", result);
    report(result);
    return interrupted ? 130 : 0;
  }

 private:
  void check_outputs() const {
    const Model& model = simulation_.dg().problem().model;
    if (case_.picture && !case_.picture->field.empty() && model.field_index(case_.picture->field) < 0)
      throw InputError("output.picture.field: the model '{}' has no field '{}'{}.", model.name, case_.picture->field,
                       name_hint(case_.picture->field, model.fields));
    check_slice(case_, simulation_.mesh());
  }

  void describe() {
    const Operator& dg = simulation_.dg();
    log_info("{}", case_.title.empty() ? case_.file.string() : case_.title);
    log_info("{} on {} {} elements of order {}: {} unknowns", dg.problem().model.name, dg.layout().elements,
             shape_name(dg.element().shape), dg.element().order, dg.dofs());
    log_info("{}, {} threads, {} precision, {} MB", device_->info().name, device_->info().threads,
             case_.precision == Precision::double_ ? "double" : "single", device_->counters().bytes / 1000000);
    for (const auto& kernel : dg.kernels_in_words()) log_info("kernel {}", kernel);
    log_info("dt = {:.6g}, {} steps to t = {:.6g}; set up in {:.2f} s ({:.2f} s compiling)", simulation_.dt(),
             simulation_.predicted_steps(), simulation_.end(), simulation_.setup_seconds(), dg.compile_seconds());
  }

  // When something that happens every so often is due next: at the next step where that is sooner than a step. An instant
  // that the last step has as good as reached is past: no step would be taken for it.
  double next(double every) const {
    const double now = simulation_.time(), dt = simulation_.dt();
    if (every > 0 && every < dt) return std::min(simulation_.end(), now + dt);
    return next_time(now + simulation_.nearly(), every, simulation_.end());
  }

  void march() {
    const SignalGuard guard;
    Progress progress(log_, simulation_.end());
    receivers_.sample();
    if (energies_) energies_->note();
    if (case_.fields_every) snapshots_->write_fields();
    if (interface_) interface_->note(simulation_.state(), simulation_.time());
    while (simulation_.time() < simulation_.end() * (1 - 1e-12) && !interrupted) {
      const double end = simulation_.end();
      const double fields = next(case_.fields_every.value_or(0));
      const double picture = next(case_.picture ? case_.picture->every : 0);
      const double energy = next(case_.energy_every);
      const double until = std::min({fields, picture, energy});
      simulation_.march(until, [&] {
        receivers_.sample();
        if (energies_ && energy <= until && simulation_.time() >= until) energies_->note();
        progress.update(simulation_.time(), simulation_.steps());
        return !interrupted;
      });
      if (interrupted || until >= end) break;
      if (fields > until && picture > until) continue;
      simulation_.settle();
      if (fields <= until) snapshots_->write_fields();
      if (interface_) interface_->note(simulation_.state(), simulation_.time());
      if (picture <= until) snapshots_->write_picture(false);
    }
    simulation_.settle();
    if (interface_) interface_->note(simulation_.state(), simulation_.time());
    progress.finish();
  }

  Summary summary(const std::string& status, const std::string& message) {
    Operator& dg = simulation_.dg();
    Summary s;
    s.title = case_.title;
    s.model = dg.problem().model.name;
    s.order = case_.order;
    s.elements = dg.layout().elements;
    s.dofs = dg.dofs();
    s.steps = simulation_.steps();
    s.dt = simulation_.dt();
    s.time = simulation_.time();
    s.device = device_->info().name;
    s.precision = case_.precision == Precision::double_ ? "double" : "single";
    s.status = status;
    s.message = message;
    s.energy_initial = energy_initial_;
    s.energy_final = simulation_.energy();
    s.seconds_setup = simulation_.setup_seconds();
    s.seconds_compile = dg.compile_seconds();
    s.seconds_solve = simulation_.solve_seconds();
    s.dof_per_second =
        static_cast<double>(s.dofs) * static_cast<double>(s.steps * simulation_.stages()) / simulation_.solve_seconds();
    s.memory_measured = static_cast<double>(peak_resident_memory());
    if (simulation_.has_exact() && status == "done") {
      const ErrorNorms norms = simulation_.errors();
      for (int f = 0; f < dg.fields(); ++f)
        if (simulation_.exact_known()[f])
          s.errors.push_back({dg.problem().model.fields[f], norms.l1[f], norms.l2[f], norms.linf[f]});
      s.total_l2 = norms.total_l2;
    }
    add_times(s, *device_, dg.compile_seconds());
    if (case_.profile) add_profile(s, *device_, case_.precision);
    return s;
  }

  void report(const Summary& s) const {
    log_info("{} steps to t = {:.6g} in {:.3f} s: {:.1f} million unknowns a second", s.steps, s.time, s.seconds_solve,
             s.dof_per_second / 1e6);
    for (const auto& e : s.errors) log_info("error of {}: L2 {:.4e}, max {:.4e}", e.field, e.l2, e.linf);
    for (const auto& k : s.kernels)
      log_info("kernel {:<14} {:>8} calls {:>10.4f} s {:>8.2f} GB/s {:>8.2f} GFLOP/s {:>5.1f} % of the bound", k.name,
               k.calls, k.seconds, k.bytes / k.seconds / 1e9, k.flops / k.seconds / 1e9, 100 * k.fraction);
    if (case_.profile)
      log_info("compile {:.4f} s; send {:.4f} s, {:.3f} MB; compute {:.4f} s; receive {:.4f} s, {:.3f} MB",
               s.times.compile, s.times.send, static_cast<double>(s.times.sent_bytes) / 1e6, s.times.compute,
               s.times.receive, static_cast<double>(s.times.received_bytes) / 1e6);
    log_info("Summary: {}", (folder_ / "summary.json").string());
  }

  const Case& case_;
  Log& log_;
  std::filesystem::path folder_;
  std::unique_ptr<Device> device_;
  Simulation simulation_;
  Receivers receivers_;
  std::optional<Snapshots> snapshots_;
  std::optional<EnergySeries> energies_;
  std::optional<InterfaceSeries> interface_;
  double energy_initial_ = 0;
};

}  // namespace

int run_wave(const Case& c, Log& log, Summary& result) { return Run(c, log).go(result); }

int run_case(const Case& c, const RunOptions& options) {
  Log log(options.quiet);
  Summary summary;
  if (!is_diffusion(c)) return run_wave(c, log, summary);
  HeatSession session(c.backend);
  return run_heat(c, log, session, summary);
}

}  // namespace swell
