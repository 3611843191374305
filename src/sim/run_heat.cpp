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
#include "sim/bench.hpp"
#include "sim/heat.hpp"
#include "sim/heat_receivers.hpp"
#include "sim/live_view.hpp"
#include "sim/outputs.hpp"
#include "sim/run_parts.hpp"

namespace swell {

namespace {

class HeatRun {
 public:
  HeatRun(const Case& c, Log& log, const RunOptions& options, HeatSession& session)
      : case_(c),
        log_(log),
        folder_(writable(c.output_folder)),
        device_(&session.device()),
        before_(device_->counters()),
        simulation_(session.simulation(c)),
        receivers_(simulation_) {
    if (c.picture && !c.picture->field.empty() && c.picture->field != simulation_.field())
      throw InputError("output.picture.field: the model '{}' has no field '{}'; it has {}.", c.model, c.picture->field,
                       simulation_.field());
    check_slice(c, simulation_.mesh());
    if (options.view) open_view(*options.view);
    hold_ = options.hold;
  }

  int go(Summary& result) {
    create_folder(folder_);
    log_.open_file(folder_ / "log.txt");
    atomic_write(folder_ / "case.toml", case_.text);
    receivers_.open_files(folder_);
    snapshots_.emplace(fields(), folder_);
    if (case_.energy_every > 0 && !simulation_.steady())
      energies_.emplace(folder_ / "energy.csv", std::vector<std::string>{"energy"});
    describe();
    device_->queue().set_profiling(case_.profile);
    heat_initial_ = simulation_.stored_heat();
    try {
      march();
    } catch (const RunError& failure) {
      receivers_.flush();
      result = summary("failed", failure.what());
      write_summary(folder_ / "summary.json", result);
      if (view_) view_->fail(failure.what());
      throw;
    }
    receivers_.flush();
    if (case_.fields_every) snapshots_->write_fields();
    if (case_.picture) log_info("Picture: {}", snapshots_->write_picture(true).string());
    result = summary(interrupted ? "interrupted" : "done", "");
    write_summary(folder_ / "summary.json", result);
    log_info("{} steps to t = {:.6g} in {:.3f} s, {} iterations", result.steps, result.time, result.seconds_solve,
             simulation_.iterations());
    for (const auto& e : result.errors) log_info("error of {}: L2 {:.4e}, max {:.4e}", e.field, e.l2, e.linf);
    log_info("Summary: {}", (folder_ / "summary.json").string());
    const int code = interrupted ? 130 : 0;
    if (view_) {
      view_->finish(code != 0 ? ViewStatus::interrupted : ViewStatus::done);
      report_view(view_->cost());
      if (hold_ && code == 0) view_->hold();
    }
    return code;
  }

 private:
  FieldSource fields() {
    FieldSource source{case_, simulation_.mesh(), simulation_.element(), case_.model,
                       {simulation_.field()}, [this] { return simulation_.time(); },
                       [this] { return simulation_.nodal_values(); }};
    source.visit = [this](const auto& of_cell) {
      const auto values = simulation_.nodal_values();
      const std::int64_t nodes = simulation_.element().node_count;
      for (std::int64_t cell = 0; cell < simulation_.mesh().cell_count(); ++cell) of_cell(cell, values.data() + cell * nodes);
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

  void describe() {
    log_info("{}", case_.title.empty() ? case_.file.string() : case_.title);
    log_info("{} on {} {} {} elements of order {} ({}): {} unknowns, {} of them given", case_.model,
             simulation_.mesh().cell_count(), case_.family, shape_name(simulation_.element().shape), case_.order,
             simulation_.form(), simulation_.unknowns(), simulation_.given_values());
    log_info("{}, {} threads, {} precision, {} MB; set up in {:.2f} s", device_->info().name, device_->info().threads,
             case_.precision == Precision::double_ ? "double" : "single", device_->counters().bytes / 1000000,
             simulation_.setup_seconds());
  }

  void note_energy() {
    const double heat = simulation_.stored_heat();
    energies_->append(simulation_.time(), std::span(&heat, 1));
  }

  void march() {
    const SignalGuard guard;
    Progress progress(log_, simulation_.steady() ? 1 : simulation_.end());
    const double end = simulation_.steady() ? 1 : simulation_.end();
    const double nearly = 1e-9 * simulation_.dt();
    if (case_.fields_every && !simulation_.steady()) snapshots_->write_fields();
    if (!simulation_.steady()) receivers_.sample();
    if (energies_) note_energy();
    const auto due = [&](double before, double every) {
      return every > 0 && next_time(before, every, end) <= simulation_.time() + nearly;
    };
    while (!simulation_.done() && !interrupted) {
      const double before = simulation_.time();
      simulation_.step();
      receivers_.sample();
      if (energies_ && due(before, case_.energy_every)) note_energy();
      progress.update(simulation_.steady() ? 1 : simulation_.time(), simulation_.steps());
      if (simulation_.done() || simulation_.steady()) break;
      if (due(before, case_.fields_every.value_or(0))) snapshots_->write_fields();
      if (case_.picture && due(before, case_.picture->every)) snapshots_->write_picture(false);
      if (view_) view_->serve_where_due();
    }
    progress.finish();
    if (energies_) energies_->close();
  }

  Summary summary(const std::string& status, const std::string& message) {
    Summary s;
    s.title = case_.title;
    s.model = case_.model;
    s.order = case_.order;
    s.elements = simulation_.mesh().cell_count();
    s.dofs = simulation_.unknowns();
    s.steps = simulation_.steps();
    s.dt = simulation_.steady() ? unknown : simulation_.dt();
    s.time = simulation_.time();
    s.device = device_->info().name;
    s.precision = case_.precision == Precision::double_ ? "double" : "single";
    s.status = status;
    s.message = message;
    if (!simulation_.steady()) {
      s.energy_initial = heat_initial_;
      s.energy_final = simulation_.stored_heat();
    }
    s.seconds_setup = simulation_.setup_seconds();
    s.seconds_compile = simulation_.compile_seconds();
    s.seconds_solve = simulation_.solve_seconds();
    s.dof_per_second = static_cast<double>(s.dofs) * static_cast<double>(simulation_.iterations()) / s.seconds_solve;
    s.memory_measured = static_cast<double>(peak_resident_memory());
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
    if (case_.profile) add_profile(s, *device_, case_.precision);
    return s;
  }

  const Case& case_;
  Log& log_;
  std::filesystem::path folder_;
  Device* device_;
  DeviceCounters before_;
  HeatSimulation& simulation_;
  HeatReceivers receivers_;
  std::optional<Snapshots> snapshots_;
  std::optional<ReceiverFile> energies_;
  std::optional<LiveView> view_;
  bool hold_ = false;
  double heat_initial_ = unknown;
};

}  // namespace

HeatSession::HeatSession(std::string backend) : backend_(std::move(backend)), device_(open_device(backend_)) {}
HeatSession::~HeatSession() = default;

HeatSimulation& HeatSession::simulation(const Case& c) {
  if (simulation_ && simulation_->take(c)) return *simulation_;
  simulation_.reset();
  simulation_ = std::make_unique<HeatSimulation>(c, *device_);
  return *simulation_;
}

int run_heat(const Case& c, Log& log, const RunOptions& options, HeatSession& session, Summary& result) {
  if (c.checkpoint)
    throw InputError("output.checkpoint: the model '{}' cannot be saved and continued; waves, advection and level sets can.",
                     c.model);
  return HeatRun(c, log, options, session).go(result);
}

}  // namespace swell
