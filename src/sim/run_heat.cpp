// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>

#include "base/error.hpp"
#include "base/memory.hpp"
#include "base/names.hpp"
#include "base/progress.hpp"
#include "io/files.hpp"
#include "io/summary.hpp"
#include "sim/checkpoints.hpp"
#include "sim/heat/heat.hpp"
#include "sim/heat_receivers.hpp"
#include "sim/outputs/live_view.hpp"
#include "sim/outputs/outputs.hpp"
#include "sim/rank_device.hpp"
#include "sim/run_parts.hpp"

namespace swell {

namespace {

constexpr const char* energy_file = "energy.csv";

class HeatRun {
 public:
  HeatRun(const Case& c, Log& log, const RunOptions& options, HeatSession& session)
      : case_(c),
        log_(log),
        folder_(writable(c.output_folder)),
        ranks_(session.ranks()),
        device_(&session.device()),
        before_(device_->counters()),
        simulation_(session.simulation(c)),
        receivers_(simulation_) {
    if (const HaloExchange* halo = simulation_.exchange()) exchanged_before_ = halo->times();
    if (c.picture && !c.picture->field.empty() && c.picture->field != simulation_.field())
      throw InputError("output.picture.field: the model '{}' has no field '{}'; it has {}.", c.model, c.picture->field,
                       simulation_.field());
    check_slice(c, simulation_.mesh(), ranks_);
    if (!options.restart.empty()) go_on_from(options.restart);
    if (case_.checkpoint) checkpoints_.emplace(saved(simulation_), folder_, *case_.checkpoint);
    if (options.view) open_view(*options.view);
    hold_ = options.hold;
  }

  int go(Summary& result) {
    begin_folder(folder_, case_, log_, ranks_);
    receivers_.open_files(folder_, so_far_);
    snapshots_.emplace(fields(), folder_);
    snapshots_->resume(so_far_);
    if (notes_energy() && ranks_.first()) energies_.emplace(so_far_.file(folder_, energy_file, {"energy"}));
    describe();
    device_->queue().set_profiling(case_.profile);
    if (!restarted_from_) so_far_.energy_initial = simulation_.stored_heat();
    try {
      march();
    } catch (const RunError& failure) {
      // All ranks see a solver that fails; of anything else the others do not know, and wait elsewhere.
      if (!ranks_.alone() && dynamic_cast<const NotConverged*>(&failure) == nullptr) throw;
      receivers_.flush();
      result = summary("failed", failure.what());
      leave(result);
      if (view_) view_->fail(failure.what());
      throw;
    }
    receivers_.flush();
    if (case_.fields_every) snapshots_->write_fields();
    if (case_.picture) log_info("Picture: {}", snapshots_->write_picture(true).string());
    result = summary(stopped_ ? "interrupted" : "done", "");
    leave(result);
    log_info("{} steps to t = {:.6g} in {:.3f} s, {} iterations", result.steps, result.time, result.seconds_solve,
             simulation_.iterations());
    for (const auto& e : result.errors) log_info("error of {}: L2 {:.4e}, max {:.4e}", e.field, e.l2, e.linf);
    if (case_.profile) report_profile(result);
    log_info("Summary: {}", (folder_ / "summary.json").string());
    // A batch system that asks a run to stop may start it again.
    const bool starts_again = stopped_ && checkpoints_ && ranks_.largest(static_cast<double>(interrupted)) == SIGTERM;
    if (view_) close_view();
    return stopped_ && !starts_again ? 130 : 0;
  }

 private:
  bool notes_energy() const { return case_.energy_every > 0 && !simulation_.steady(); }

  void leave(const Summary& result) const {
    if (ranks_.first()) write_summary(folder_ / "summary.json", result);
  }

  void go_on_from(const std::string& restart) {
    restarted_from_ = chosen_checkpoint(restart, folder_);
    so_far_ = restore(simulation_, *restarted_from_);
    std::error_code ignored;
    if (!std::filesystem::equivalent(folder_, std::filesystem::absolute(*restarted_from_).parent_path(), ignored))
      so_far_.begin_files();
    first_iteration_ = simulation_.iterations();
  }

  // A checkpoint with outputs that have reached the disk.
  void save() {
    receivers_.save(so_far_);
    if (energies_) so_far_.bytes[energy_file] = energies_->sync();
    snapshots_->save(so_far_);
    checkpoints_->write(so_far_);
  }

  FieldSource fields() {
    FieldSource source{case_, simulation_.mesh(), simulation_.element(), case_.model,
                       {simulation_.field()}, [this] { return simulation_.time(); },
                       [this] { return simulation_.nodal_values(); }};
    source.ranks = &ranks_;
    source.visit = [this](const auto& of_cell) {
      const auto values = simulation_.nodal_values();
      const std::int64_t nodes = simulation_.element().node_count;
      for (std::int64_t cell = 0; cell < simulation_.mesh().own_count(); ++cell) of_cell(cell, values.data() + cell * nodes);
    };
    return source;
  }

  void open_view(int port) {
    LiveSource source{fields(),
                      device_->info().name,
                      simulation_.steady() ? 0 : simulation_.end(),
                      [this] { return simulation_.steps(); },
                      [this] { device_->queue().finish(); },
                      [this] { receivers_.flush(); }};
    if (!simulation_.steady()) source.energy = [this] { return simulation_.stored_heat(); };
    view_.emplace(std::move(source), port);
    receivers_.set_listener(view_->receiver_listener());
  }

  void close_view() {
    view_->finish(stopped_ ? ViewStatus::interrupted : ViewStatus::done);
    if (ranks_.first()) report_view(view_->cost());
    if (hold_ && !stopped_) view_->hold();
  }

  void describe() {
    log_info("{}", case_.title.empty() ? case_.file.string() : case_.title);
    log_info("{} on {} {} {} elements of order {} ({}): {} unknowns, {} of them given", case_.model,
             simulation_.elements(), case_.family, shape_name(simulation_.element().shape), case_.order,
             simulation_.form(), simulation_.unknowns(), simulation_.given_values());
    log_info("{}, {} threads, {} precision, {} MB; set up in {:.2f} s", device_->info().name, device_->info().threads,
             case_.precision == Precision::double_ ? "double" : "single", device_->counters().bytes / 1000000,
             simulation_.setup_seconds());
    if (restarted_from_)
      log_info("Goes on from '{}': t = {:.6g}, step {}", restarted_from_->string(), simulation_.time(), simulation_.steps());
  }

  void note_energy() {
    const double heat = simulation_.stored_heat();
    if (energies_) energies_->append(simulation_.time(), std::span(&heat, 1));
  }

  void note_start() {
    if (case_.fields_every && !simulation_.steady()) snapshots_->write_fields();
    if (!simulation_.steady()) receivers_.sample();
    if (notes_energy()) note_energy();
  }

  void march() {
    const SignalGuard guard;
    Progress progress(log_, simulation_.steady() ? 1 : simulation_.end());
    const double end = simulation_.steady() ? 1 : simulation_.end();
    const double nearly = 1e-9 * simulation_.dt();
    if (!restarted_from_) note_start();
    const auto due = [&](double before, double every) {
      return every > 0 && next_time(before, every, end) <= simulation_.time() + nearly;
    };
    // Ranks must stop after the same step.
    while (!simulation_.done() && !(stopped_ = ranks_.any(interrupted != 0))) {
      const double before = simulation_.time();
      simulation_.step();
      receivers_.sample();
      if (notes_energy() && due(before, case_.energy_every)) note_energy();
      progress.update(simulation_.steady() ? 1 : simulation_.time(), simulation_.steps());
      if (simulation_.done() || simulation_.steady()) break;
      if (due(before, case_.fields_every.value_or(0))) snapshots_->write_fields();
      if (case_.picture && due(before, case_.picture->every)) snapshots_->write_picture(false);
      if (checkpoints_ && checkpoints_->due()) save();
      if (view_) view_->serve_where_due();
    }
    stopped_ = stopped_ || ranks_.any(interrupted != 0);
    if (checkpoints_) save();
    progress.finish();
    if (energies_) energies_->close();
  }

  Summary summary(const std::string& status, const std::string& message) {
    Summary s;
    s.title = case_.title;
    s.model = case_.model;
    s.order = case_.order;
    s.elements = simulation_.elements();
    s.dofs = simulation_.unknowns();
    s.ranks = ranks_.count();
    s.steps = simulation_.steps();
    s.dt = simulation_.steady() ? unknown : simulation_.dt();
    s.time = simulation_.time();
    s.device = device_->info().name;
    s.precision = case_.precision == Precision::double_ ? "double" : "single";
    s.status = status;
    s.message = message;
    if (!simulation_.steady()) {
      s.energy_initial = so_far_.energy_initial;
      s.energy_final = simulation_.stored_heat();
    }
    s.seconds_setup = simulation_.setup_seconds();
    s.seconds_compile = simulation_.compile_seconds();
    s.seconds_solve = simulation_.solve_seconds();
    s.dof_per_second = static_cast<double>(s.dofs) * static_cast<double>(simulation_.iterations() - first_iteration_) / s.seconds_solve;
    std::int64_t memory = static_cast<std::int64_t>(peak_resident_memory());
    ranks_.sum(std::span(&memory, 1));
    s.memory_measured = static_cast<double>(memory);
    s.solver = SolverSummary{simulation_.iterations(), simulation_.last_solve().residual,
                             simulation_.last_solve().history};
    if (simulation_.has_exact() && status == "done") {
      const ErrorNorms norms = simulation_.errors();
      s.errors.push_back({simulation_.field(), norms.l1[0], norms.l2[0], norms.linf[0]});
      s.total_l2 = norms.total_l2;
    }
    add_times(s, *device_, simulation_.compile_seconds());
    // What earlier runs on this device sent and received is theirs.
    s.times.send -= before_.sent.seconds;
    s.times.receive -= before_.received.seconds;
    s.times.sent_bytes -= before_.sent.bytes;
    s.times.received_bytes -= before_.received.bytes;
    if (const HaloExchange* halo = simulation_.exchange()) s.exchange = exchange_summary(*halo, ranks_, exchanged_before_);
    if (case_.profile) add_profile(s, *device_, case_.precision);
    return s;
  }

  const Case& case_;
  Log& log_;
  std::filesystem::path folder_;
  Ranks& ranks_;
  Device* device_;
  DeviceCounters before_;
  HaloTimes exchanged_before_;  // by earlier runs and by the set-up
  HeatSimulation& simulation_;
  HeatReceivers receivers_;
  std::optional<Snapshots> snapshots_;
  std::optional<ReceiverFile> energies_;
  std::optional<LiveView> view_;
  bool hold_ = false;
  OutputsSoFar so_far_;
  std::optional<Checkpoints> checkpoints_;
  std::optional<std::filesystem::path> restarted_from_;
  std::int64_t first_iteration_ = 0;
  bool stopped_ = false;
};

}  // namespace

HeatSession::HeatSession(std::string backend, Ranks& ranks)
    : backend_(std::move(backend)), ranks_(ranks), device_(open_device(device_of_rank(backend_, ranks))) {}
HeatSession::~HeatSession() = default;

HeatSimulation& HeatSession::simulation(const Case& c) {
  if (simulation_ && simulation_->take(c)) return *simulation_;
  simulation_.reset();
  simulation_ = std::make_unique<HeatSimulation>(c, *device_, ranks_);
  if (!to_come_.empty()) simulation_->expect(to_come_);
  return *simulation_;
}

int run_heat(const Case& c, Log& log, const RunOptions& options, HeatSession& session, Summary& result) {
  if (c.model == "poisson" && c.checkpoint)
    throw InputError("output.checkpoint: the model 'poisson' has no time in which it could be continued.");
  if (c.model == "poisson" && !options.restart.empty())
    throw InputError("--restart: the model 'poisson' has no time in which it could be continued.");
  return HeatRun(c, log, options, session).go(result);
}

}  // namespace swell
