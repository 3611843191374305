// SPDX-License-Identifier: Apache-2.0
#include "sim/run.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>
#include <span>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/memory.hpp"
#include "base/names.hpp"
#include "base/progress.hpp"
#include "io/files.hpp"
#include "io/summary.hpp"
#include "sim/checkpoints.hpp"
#include "sim/outputs/farfield.hpp"
#include "sim/outputs/levelset_interface.hpp"
#include "sim/outputs/live_view.hpp"
#include "sim/outputs/outputs.hpp"
#include "sim/rank_device.hpp"
#include "sim/run_parts.hpp"
#include "sim/time_step.hpp"

namespace swell {

namespace {

constexpr const char* interface_file = "interface.csv";

Case on_device(Case c, const std::string& name) {
  c.backend = name;
  return c;
}

class Run {
 public:
  Run(const Case& c, Log& log, Ranks& ranks, const RunOptions& options)
      : case_(c),
        log_(log),
        ranks_(ranks),
        folder_(writable(c.output_folder)),
        device_name_(device_of_rank(c.backend, ranks)),
        device_(open_device(device_name_)),
        simulation_(on_device(c, device_name_), *device_, ranks),
        receivers_(simulation_) {
    check_outputs();
    if (case_.far_field) far_field_.emplace(simulation_);
    if (!options.restart.empty()) {
      restarted_from_ = chosen_checkpoint(options.restart, folder_);
      so_far_ = restore(simulation_, *restarted_from_);
      std::error_code ignored;
      if (!std::filesystem::equivalent(folder_, std::filesystem::absolute(*restarted_from_).parent_path(), ignored))
        so_far_.begin_files();
      first_step_ = simulation_.steps();
      if (far_field_) far_field_->resume(so_far_);
    }
    if (case_.checkpoint) checkpoints_.emplace(saved(simulation_), folder_, *case_.checkpoint);
    if (options.view) open_view(*options.view);
    hold_ = options.hold;
  }

  int go(Summary& result) {
    begin_folder(folder_, case_, log_, ranks_);
    receivers_.open_files(folder_, so_far_);
    snapshots_.emplace(fields_of(simulation_), folder_);
    snapshots_->resume(so_far_);
    if (case_.energy_every > 0) energies_.emplace(simulation_, folder_, so_far_);
    if (view_ && energies_) energies_->set_listener(view_->energy_listener());
    describe();
    device_->queue().set_profiling(case_.profile);
    if (!restarted_from_) so_far_.energy_initial = simulation_.energy();
    if (auto* levelset = dynamic_cast<LevelSetOperator*>(&simulation_.dg()))
      interface_.emplace(*levelset,
                         ranks_.first() ? std::optional(so_far_.file(folder_, interface_file, InterfaceSeries::columns()))
                                        : std::nullopt,
                         so_far_.reinitialisations);
    try {
      march();
    } catch (const RunError& failure) {
      if (!ranks_.alone() && !simulation_.blew_up()) throw;  // of this rank alone: the others wait elsewhere
      receivers_.flush();
      if (energies_) energies_->close();
      result = summary("failed", failure.what());
      leave(result);
      if (view_) view_->fail(failure.what());
      throw;
    }
    receivers_.flush();
    if (energies_) energies_->close();
    if (case_.fields_every) snapshots_->write_fields();
    if (far_field_) far_field_->write(folder_);
    if (case_.picture) log_info("Picture: {}", snapshots_->write_picture(true).string());
    const bool stopped = stop();
    result = summary(stopped ? "interrupted" : "done", "");
    leave(result);
    report(result);
    // A batch system that asks a run to stop may start it again.
    const bool starts_again = stopped && checkpoints_ && ranks_.largest(static_cast<double>(interrupted)) == SIGTERM;
    if (view_) close_view(stopped);
    return stopped && !starts_again ? 130 : 0;
  }

 private:
  void leave(const Summary& result) const {
    if (ranks_.first()) write_summary(folder_ / "summary.json", result);
  }

  // Ranks must stop, and turn to the view, after the same step: with several it is asked where all of them come together.
  void come_together() {
    if (simulation_.checks() == checks_seen_) return;
    checks_seen_ = simulation_.checks();
    std::array<double, 2> asked{interrupted != 0 ? 1.0 : 0.0, view_ && view_->due() ? 1.0 : 0.0};
    ranks_.largest(asked);
    stopped_ = stopped_ || asked[0] > 0;
    looked_at_ = asked[1] > 0;
  }
  bool stop() {
    if (ranks_.alone()) return interrupted != 0;
    come_together();
    return stopped_;
  }
  bool looked_at() {
    if (!view_ || ranks_.alone()) return view_ && view_->due();
    come_together();
    return looked_at_;
  }

  void open_view(int port) {
    LiveSource source{fields_of(simulation_),
                      device_->info().name,
                      simulation_.end(),
                      [this] { return simulation_.steps(); },
                      [this] { device_->queue().finish(); },
                      [this] {
                        receivers_.flush();
                        if (energies_) energies_->flush();
                      }};
    if (!(case_.energy_every > 0)) source.energy = [this] { return simulation_.energy(); };
    view_.emplace(std::move(source), port);
    receivers_.set_listener(view_->receiver_listener());
  }

  void close_view(bool stopped) {
    view_->finish(stopped ? ViewStatus::interrupted : ViewStatus::done);
    if (ranks_.first()) report_view(view_->cost());
    if (hold_ && !stopped) view_->hold();
  }

  void check_outputs() const {
    const Model& model = simulation_.dg().problem().model;
    if (case_.picture && !case_.picture->field.empty() && model.field_index(case_.picture->field) < 0)
      throw InputError("output.picture.field: the model '{}' has no field '{}'{}.", model.name, case_.picture->field,
                       name_hint(case_.picture->field, model.fields));
    check_slice(case_, simulation_.mesh(), ranks_);
  }

  void describe() {
    const Operator& dg = simulation_.dg();
    log_info("{}", case_.title.empty() ? case_.file.string() : case_.title);
    log_info("{} on {} {} elements of order {}: {} unknowns", dg.problem().model.name, simulation_.elements(),
             shape_name(dg.element().shape), dg.element().order, simulation_.dofs());
    log_info("{}, {} threads, {} precision, {} MB", device_->info().name, device_->info().threads,
             case_.precision == Precision::double_ ? "double" : "single", device_->counters().bytes / 1000000);
    if (restarted_from_)
      log_info("Goes on from '{}': t = {:.6g}, step {}", restarted_from_->string(), simulation_.time(), simulation_.steps());
    for (const auto& kernel : dg.kernels_in_words()) log_info("kernel {}", kernel);
    log_info("dt = {:.6g}, {} steps to t = {:.6g}; set up in {:.2f} s ({:.2f} s compiling)", simulation_.dt(),
             simulation_.predicted_steps(), simulation_.end(), simulation_.setup_seconds(), dg.compile_seconds());
    if (case_.dt) {
      const auto words = long_step_in_words(case_, dg.element().shape, simulation_.dg().stiffness(case_.end.value_or(0)));
      if (!words.empty()) log_warning("{}", words);
    }
    if (const auto growth = growth_in_words(case_, dg.element().shape, simulation_.predicted_steps()); !growth.empty())
      log_warning("{}", growth);
  }

  // When something that happens every so often is due next: at the next step where that is sooner than a step. An instant
  // that the last step has as good as reached is past: no step would be taken for it.
  double next(double every) const {
    const double now = simulation_.time(), dt = simulation_.dt();
    if (every > 0 && every < dt) return std::min(simulation_.end(), now + dt);
    return next_time(now + simulation_.nearly(), every, simulation_.end());
  }

  void note_start() {
    receivers_.sample();
    if (far_field_) far_field_->sample();
    if (energies_) energies_->note();
    if (case_.fields_every) snapshots_->write_fields();
    if (interface_) interface_->note(simulation_.state(), simulation_.time());
  }

  // A checkpoint of a state that is known to be good, with outputs that have reached the disk.
  void save() {
    if (!checkpoints_) return;
    simulation_.settle();
    receivers_.save(so_far_);
    if (energies_) energies_->save(so_far_);
    if (far_field_) far_field_->save(so_far_);
    snapshots_->save(so_far_);
    if (interface_) {
      if (ReceiverFile* file = interface_->file()) so_far_.bytes[interface_file] = file->sync();
      so_far_.reinitialisations = interface_->reinitialisations();
    }
    checkpoints_->write(so_far_);
  }

  void march() {
    const SignalGuard guard;
    Progress progress(log_, simulation_.end());
    if (!restarted_from_) note_start();
    while (simulation_.time() < simulation_.end() * (1 - 1e-12) && !stop()) {
      const double end = simulation_.end();
      const double fields = next(case_.fields_every.value_or(0));
      const double picture = next(case_.picture ? case_.picture->every : 0);
      const double energy = next(case_.energy_every);
      const double until = std::min({fields, picture, energy});
      simulation_.march(until, [&] {
        receivers_.sample();
        if (far_field_) far_field_->sample();
        if (energies_ && energy <= until && simulation_.time() + simulation_.nearly() >= until) energies_->note();
        progress.update(simulation_.time(), simulation_.steps());
        return !stop() && !(checkpoints_ && checkpoints_->due()) && !looked_at();
      });
      if (looked_at()) {
        view_->serve();
        looked_at_ = false;
      }
      const bool inside = simulation_.moment().done > 0;  // a stretch of steps, left to save it
      if (stop() || (until >= end && !inside)) break;
      if (!inside && (fields <= until || picture <= until || (interface_ && energy <= until))) {
        simulation_.settle();
        if (fields <= until) snapshots_->write_fields();
        if (interface_) interface_->note(simulation_.state(), simulation_.time());
        if (picture <= until) snapshots_->write_picture(false);
      }
      if (checkpoints_ && checkpoints_->due()) save();
    }
    simulation_.settle();
    save();
    if (interface_) interface_->note(simulation_.state(), simulation_.time());
    progress.finish();
  }

  Summary summary(const std::string& status, const std::string& message) {
    Operator& dg = simulation_.dg();
    Summary s;
    s.title = case_.title;
    s.model = dg.problem().model.name;
    s.order = case_.order;
    s.elements = simulation_.elements();
    s.dofs = simulation_.dofs();
    s.ranks = ranks_.count();
    s.steps = simulation_.steps();
    s.dt = simulation_.dt();
    s.time = simulation_.time();
    s.device = device_->info().name;
    s.precision = case_.precision == Precision::double_ ? "double" : "single";
    s.status = status;
    s.message = message;
    s.energy_initial = so_far_.energy_initial;
    s.energy_final = simulation_.energy();
    s.seconds_setup = simulation_.setup_seconds();
    s.seconds_compile = dg.compile_seconds();
    s.seconds_solve = simulation_.solve_seconds();
    s.dof_per_second =
        static_cast<double>(s.dofs) * static_cast<double>((s.steps - first_step_) * simulation_.stages()) / simulation_.solve_seconds();
    std::int64_t memory = static_cast<std::int64_t>(peak_resident_memory());
    ranks_.sum(std::span(&memory, 1));
    s.memory_measured = static_cast<double>(memory);
    if (simulation_.has_exact() && status == "done") {
      const ErrorNorms norms = simulation_.errors();
      for (int f = 0; f < dg.fields(); ++f)
        if (simulation_.exact_known()[f])
          s.errors.push_back({dg.problem().model.fields[f], norms.l1[f], norms.l2[f], norms.linf[f]});
      s.total_l2 = norms.total_l2;
    }
    add_times(s, *device_, dg.compile_seconds());
    if (const HaloExchange* halo = dg.halo()) s.exchange = exchange_summary(*halo, ranks_);
    if (case_.profile) add_profile(s, *device_, case_.precision);
    return s;
  }

  void report(const Summary& s) const {
    log_info("{} steps to t = {:.6g} in {:.3f} s: {:.1f} million unknowns a second", s.steps, s.time, s.seconds_solve,
             s.dof_per_second / 1e6);
    for (const auto& e : s.errors) log_info("error of {}: L2 {:.4e}, max {:.4e}", e.field, e.l2, e.linf);
    if (case_.profile) report_profile(s);
    log_info("Summary: {}", (folder_ / "summary.json").string());
  }

  const Case& case_;
  Log& log_;
  Ranks& ranks_;
  std::filesystem::path folder_;
  std::string device_name_;
  std::unique_ptr<Device> device_;
  Simulation simulation_;
  Receivers receivers_;
  std::optional<Snapshots> snapshots_;
  std::optional<EnergySeries> energies_;
  std::optional<FarField> far_field_;
  std::optional<LiveView> view_;
  bool hold_ = false;
  std::optional<InterfaceSeries> interface_;
  OutputsSoFar so_far_;
  std::optional<Checkpoints> checkpoints_;
  std::optional<std::filesystem::path> restarted_from_;
  std::int64_t first_step_ = 0;
  std::int64_t checks_seen_ = 0;
  bool stopped_ = false, looked_at_ = false;
};

}  // namespace

int run_wave(const Case& c, Log& log, const RunOptions& options, Summary& result) {
  return Run(c, log, *options.ranks, options).go(result);
}

int run_case(const Case& c, const RunOptions& options) {
  Ranks& ranks = *options.ranks;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> nowhere(std::fopen("/dev/null", "w"), std::fclose);
  Log log(options.quiet, ranks.first() ? stderr : nowhere.get());  // one rank speaks for all
  if (options.hold && !ranks.alone())
    throw InputError("--hold goes with one rank, which has the whole field; {} were started.", ranks.count());
  Summary summary;
  if (!is_diffusion(c)) return run_wave(c, log, options, summary);
  HeatSession session(c.backend, ranks);
  return run_heat(c, log, options, session, summary);
}

}  // namespace swell
