// SPDX-License-Identifier: Apache-2.0
#include "sim/run.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <span>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/memory.hpp"
#include "base/names.hpp"
#include "base/progress.hpp"
#include "io/files.hpp"
#include "sim/checkpoints.hpp"
#include "sim/outputs/estimate.hpp"
#include "sim/outputs/farfield.hpp"
#include "sim/outputs/live_view.hpp"
#include "sim/outputs/outputs.hpp"
#include "sim/run_parts.hpp"
#include "sim/run_session.hpp"

namespace swell {

namespace {

// When outputs are due next: steps end there where the evolution can choose their length.
struct Instants {
  double fields, picture, energy;
  double first() const { return std::min({fields, picture, energy}); }
};

class Run {
 public:
  Run(const Case& c, Log& log, const RunOptions& options, RunSession& session)
      : case_(c),
        log_(log),
        ranks_(session.ranks()),
        folder_(writable(c.output_folder)),
        device_(session.device()),
        sent_before_(device_.counters()),
        evolution_(session.evolution(c)),
        receivers_(evolution_),
        sampled_(sampled_outputs(evolution_)) {
    check_outputs();
    if (case_.far_field) far_field_.emplace(evolution_);
    if (!options.restart.empty()) go_on_from(options.restart);
    if (case_.checkpoint) checkpoints_.emplace(evolution_, folder_, *case_.checkpoint);
    if (options.view) open_view(*options.view);
    hold_ = options.hold;
  }

  int go(Summary& result) {
    begin_folder(folder_, case_, evolution_.fields(), !goes_on_here_, log_, ranks_);
    if (far_field_) far_field_->write_nothing(folder_, "the run has not come to its end");
    receivers_.open_files(folder_, so_far_);
    for (const auto& output : sampled_) output->open(folder_, so_far_);
    snapshots_.emplace(evolution_, folder_);
    snapshots_->resume(so_far_);
    if (case_.energy_every > 0 && !evolution_.steady()) energies_.emplace(evolution_, folder_, so_far_);
    if (view_ && energies_) energies_->set_listener(view_->energy_listener());
    for (const ExtraTable& table : evolution_.tables())
      tables_.push_back(ranks_.first() ? std::optional(so_far_.file(folder_, table.file, table.columns)) : std::nullopt);
    introduce();
    device_.queue().set_profiling(case_.profile);
    if (!restarted_from_) so_far_.energy_initial = evolution_.energy();
    if (case_.estimate) estimate_.emplace(evolution_);
    try {
      advance();
    } catch (const RunError& failure) {
      if (!ranks_.single() && !evolution_.failed_together()) throw;  // of this rank alone: the others wait elsewhere
      receivers_.flush();
      for (const auto& output : sampled_) output->flush();
      if (energies_) energies_->close();
      if (far_field_) far_field_->write_nothing(folder_, failure.what());
      result = summary("failed", failure.what());
      leave(result);
      if (view_) view_->fail(failure.what());
      throw;
    }
    receivers_.flush();
    for (const auto& output : sampled_) output->finish();
    if (energies_) energies_->close();
    if (case_.fields_every) snapshots_->write_fields();
    if (far_field_) far_field_->write(folder_, so_far());
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
  // Empty at the end of the run.
  std::string so_far() const {
    if (evolution_.finished()) return "";
    return fmt::format("the run was stopped at t = {:.6g} of {:.6g}, and the spectra lack what comes later", evolution_.time(), evolution_.end());
  }

  void leave(const Summary& result) const {
    if (ranks_.first()) write_summary(folder_ / "summary.json", result);
  }

  void go_on_from(const std::string& restart) {
    if (evolution_.steady())
      throw InputError("--restart: the model '{}' has no time in which it could be continued.", evolution_.model());
    restarted_from_ = chosen_checkpoint(restart, folder_);
    so_far_ = restore(evolution_, *restarted_from_);
    std::error_code ignored;
    goes_on_here_ = std::filesystem::equivalent(folder_, std::filesystem::absolute(*restarted_from_).parent_path(), ignored);
    if (!goes_on_here_) so_far_.begin_files();
    if (far_field_) far_field_->resume(so_far_);
  }

  // Ranks must stop, and turn to the view, after the same step: with several it is asked where all of them meet.
  void agree_with_ranks() {
    if (evolution_.checks() == checks_seen_) return;
    checks_seen_ = evolution_.checks();
    std::array<double, 2> asked{interrupted != 0 ? 1.0 : 0.0, view_ && view_->due() ? 1.0 : 0.0};
    ranks_.largest(asked);
    stopped_ = stopped_ || asked[0] > 0;
    looked_at_ = asked[1] > 0;
  }
  bool stop() {
    if (ranks_.single()) return interrupted != 0;
    agree_with_ranks();
    return stopped_;
  }
  bool looked_at() {
    if (!view_ || ranks_.single()) return view_ && view_->due();
    agree_with_ranks();
    return looked_at_;
  }

  void open_view(int port) {
    const auto bring_up_to_date = [this] {
      receivers_.flush();
      if (energies_) energies_->flush();
    };
    view_.emplace(evolution_, device_, port, bring_up_to_date, !(case_.energy_every > 0) && !evolution_.steady());
    receivers_.set_listener(view_->receiver_listener());
  }

  void close_view(bool stopped) {
    view_->finish(stopped ? ViewStatus::interrupted : ViewStatus::done);
    if (ranks_.first()) report_view(view_->cost());
    if (hold_ && !stopped) view_->hold();
  }

  void check_outputs() const {
    const auto& names = evolution_.outputs();
    if (case_.picture && !case_.picture->field.empty() && std::find(names.begin(), names.end(), case_.picture->field) == names.end())
      throw InputError("output.picture.field: the model '{}' has no field '{}'{}.", evolution_.model(), case_.picture->field,
                       name_hint(case_.picture->field, names));
    check_slice(case_, evolution_.mesh(), ranks_);
  }

  void introduce() {
    const auto [lines, warnings] = evolution_.introduction();
    log_info("{}", case_.title.empty() ? case_.file.string() : case_.title);
    log_info("{}", lines.front());
    log_info("{}, {} threads, {} precision, {} MB", device_.info().name, device_.info().threads,
             case_.precision == Precision::double_ ? "double" : "single", device_.counters().bytes / 1000000);
    if (restarted_from_)
      log_info("Goes on from '{}': t = {:.6g}, step {}", restarted_from_->string(), evolution_.time(), evolution_.steps());
    for (const auto& line : std::span(lines).subspan(1)) log_info("{}", line);
    for (const auto& warning : warnings) log_warning("{}", warning);
    warn_of_short_intervals();
    if (far_field_)
      for (const auto& warning : far_field_->warnings()) log_warning("{}", warning);
  }

  // Files at shorter intervals than a step are written once a step: their times are not those that the case names.
  void warn_of_short_intervals() const {
    if (evolution_.steady()) return;
    for (const auto& [key, every] : {std::pair{"fields.every", case_.fields_every.value_or(0)}, {"picture.every", case_.picture ? case_.picture->every : 0},
                                     {"energy_every", case_.energy_every}})
      if (every > 0 && every < evolution_.dt() * (1 - 1e-9))
        log_warning("output.{} = {:g} is shorter than a time step ({:.3g}): each step is written, at its own time.", key, every, evolution_.dt());
  }

  // When an output that comes every so often is due next: at the next step where that is sooner than a step. An instant that
  // the last step has as good as reached is past: no step would be taken for it.
  double next(double every) const {
    const double now = evolution_.time(), dt = evolution_.dt();
    if (every > 0 && every < dt) return std::min(evolution_.end(), now + dt);
    return next_time(now + evolution_.nearly(), every, evolution_.end());
  }
  Instants next_instants() const {
    return {next(case_.fields_every.value_or(0)), next(case_.picture ? case_.picture->every : 0), next(case_.energy_every)};
  }
  bool reached(double instant) const { return evolution_.time() + evolution_.nearly() >= instant; }

  void note_tables() {
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      const auto row = evolution_.tables()[i].row();
      if (!tables_[i]) continue;
      tables_[i]->append(evolution_.time(), row);
      tables_[i]->flush();
    }
  }

  void sample() {
    receivers_.sample();
    for (const auto& output : sampled_) output->sample();
    if (far_field_) far_field_->sample();
  }

  void note_start() {
    if (evolution_.steady()) return;
    sample();
    if (energies_) energies_->note();
    if (case_.fields_every) snapshots_->write_fields();
    note_tables();
  }

  // A checkpoint of a state that is known to be good, with outputs that have reached the disk.
  void save() {
    if (!checkpoints_) return;
    evolution_.settle();
    receivers_.save(so_far_);
    for (const auto& output : sampled_) output->save(so_far_);
    if (energies_) energies_->save(so_far_);
    if (far_field_) far_field_->save(so_far_);
    snapshots_->save(so_far_);
    for (std::size_t i = 0; i < tables_.size(); ++i)
      if (tables_[i]) so_far_.bytes[evolution_.tables()[i].file] = tables_[i]->sync();
    checkpoints_->write(so_far_);
  }

  void write_outputs(const Instants& due) {
    const bool fields = reached(due.fields), picture = reached(due.picture);
    if (!fields && !picture && (tables_.empty() || !reached(due.energy))) return;
    evolution_.settle();
    if (fields) snapshots_->write_fields();
    note_tables();
    if (picture) snapshots_->write_picture(false);
  }

  void advance() {
    const SignalGuard guard;
    Progress progress(log_, evolution_.steady() ? 1 : evolution_.end());
    if (!restarted_from_) note_start();
    while (!evolution_.finished() && !stop()) {
      const Instants due = next_instants();
      if (!evolution_.step(due.first())) break;
      sample();
      if (energies_ && reached(due.energy)) energies_->note();
      progress.update(evolution_.steady() ? 1 : evolution_.time(), evolution_.steps());
      if (looked_at()) {
        view_->serve();
        looked_at_ = false;
      }
      if (stop() || evolution_.finished()) break;
      write_outputs(due);
      if (checkpoints_ && checkpoints_->due()) save();
    }
    evolution_.settle();
    save();
    if (!evolution_.steady()) note_tables();
    progress.finish();
  }

  Summary summary(const std::string& status, const std::string& message) {
    Summary s;
    s.title = case_.title;
    s.model = evolution_.model();
    s.order = case_.order;
    s.elements = evolution_.elements();
    s.dofs = evolution_.dofs();
    s.ranks = ranks_.count();
    s.steps = evolution_.steps();
    s.dt = evolution_.steady() ? unknown : evolution_.dt();
    s.time = evolution_.time();
    s.device = device_.info().name;
    s.precision = case_.precision == Precision::double_ ? "double" : "single";
    s.status = status;
    s.message = message;
    if (!evolution_.quantities().empty()) {
      s.energy_initial = so_far_.energy_initial;
      s.energy_final = evolution_.energy();
      for (const auto& quantity : evolution_.quantities().subspan(1)) s.integrals.emplace_back(quantity->name(), quantity->value());
    }
    s.seconds_setup = evolution_.setup_seconds();
    s.seconds_solve = evolution_.solve_seconds();
    evolution_.describe(s);
    std::int64_t memory = static_cast<std::int64_t>(peak_resident_memory());
    ranks_.sum(std::span(&memory, 1));
    s.memory_measured = static_cast<double>(memory);
    if (evolution_.has_exact() && status == "done") {
      const ErrorNorms norms = evolution_.errors();
      for (std::size_t f = 0; f < evolution_.exact_names().size(); ++f)
        if (evolution_.exact_known()[f]) s.errors.push_back({evolution_.exact_names()[f], norms.l1[f], norms.l2[f], norms.linf[f]});
      s.total_l2 = norms.total_l2;
    }
    if (estimate_ && status != "failed") s.estimate = estimate_->finish();
    add_times(s, device_, sent_before_);
    if (case_.profile) add_profile(s, device_, case_.precision);
    return s;
  }

  void report(const Summary& s) const {
    if (s.solver)
      log_info("{} steps to t = {:.6g} in {:.3f} s, {} iterations", s.steps, s.time, s.seconds_solve, s.solver->iterations);
    else
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
  Device& device_;
  DeviceCounters sent_before_;  // by earlier runs on this device
  Evolution& evolution_;
  Receivers receivers_;
  std::vector<std::unique_ptr<SampledOutput>> sampled_;
  std::optional<Snapshots> snapshots_;
  std::optional<EnergySeries> energies_;
  std::vector<std::optional<ReceiverFile>> tables_;  // of the first rank
  std::optional<FarField> far_field_;
  std::optional<Estimate> estimate_;
  std::optional<LiveView> view_;
  bool hold_ = false;
  OutputsSoFar so_far_;
  std::optional<Checkpoints> checkpoints_;
  std::optional<std::filesystem::path> restarted_from_;
  bool goes_on_here_ = false;  // in the folder that the checkpoint lies in
  std::int64_t checks_seen_ = 0;
  bool stopped_ = false, looked_at_ = false;
};

}  // namespace

int run_case(const Case& c, Log& log, const RunOptions& options, RunSession& session, Summary& result) {
  return Run(c, log, options, session).go(result);
}

int run_case(const Case& c, const RunOptions& options) {
  Ranks& ranks = *options.ranks;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> nowhere(std::fopen("/dev/null", "w"), std::fclose);
  Log log(options.quiet, ranks.first() ? stderr : nowhere.get());  // one rank speaks for all
  if (options.hold && !ranks.single())
    throw InputError("--hold goes with one rank, which has the whole field; {} were started.", ranks.count());
  RunSession session(c.backend, ranks);
  Summary summary;
  return run_case(c, log, options, session, summary);
}

}  // namespace swell
