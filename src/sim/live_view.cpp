// SPDX-License-Identifier: Apache-2.0
#include "sim/live_view.hpp"

#include <algorithm>
#include <ctime>

#include "base/log.hpp"
#include "io/colours.hpp"
#include "sim/run_parts.hpp"

namespace swell {

namespace {

// A paused run looks so often whether a signal came.
constexpr std::chrono::milliseconds nap(50);
constexpr double seconds_between_rates = 0.5;

double seconds_of_thread() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

ViewDescription describe(const LiveSource& source) {
  ViewDescription about;
  const Case& c = source.fields.given;
  about.title = c.title.empty() ? c.file.filename().string() : c.title;
  about.model = source.fields.model;
  about.device = source.device;
  about.fields = source.fields.fields;
  about.end = source.end;
  about.sequential = colours_in_digits(false);
  about.diverging = colours_in_digits(true);
  return about;
}

}  // namespace

ShownCells shown_cells(const Mesh& mesh, const ReferenceElement& element) {
  ShownCells cells;
  cells.shape = element.shape;
  cells.order = element.order;
  cells.count = mesh.own_count();
  cells.coordinates = [map = std::make_shared<CellMap>(mesh, element.nodes), dim = mesh.dim, nodes = element.node_count,
                       x = std::vector<double>(element.node_count * mesh.dim)](std::int64_t cell, double* out) mutable {
    map->coordinates(cell, x.data());
    for (int n = 0; n < nodes; ++n)
      for (int d = 0; d < 3; ++d) out[3 * n + d] = d < dim ? x[n * dim + d] : 0;
  };
  if (mesh.dim == 3)
    for (std::int64_t cell = 0; cell < mesh.own_count(); ++cell)
      for (int face = 0; face < face_count(mesh.shape()); ++face)
        if (mesh.neighbour(cell, face).cell < 0) cells.outer_faces.emplace_back(cell, face);
  return cells;
}

std::string colours_in_digits(bool diverging) {
  constexpr int colours = 256;
  std::string digits;
  for (int i = 0; i < colours; ++i) {
    const Colour c = colour_of(diverging ? ColourMap::diverging : ColourMap::sequential, i / (colours - 1.0));
    digits += fmt::format("{:02x}{:02x}{:02x}", c[0], c[1], c[2]);
  }
  return digits;
}

// The token opens the view to who reads it: on the terminal, not in a log that stays.
void print_address(const Viewer& viewer) {
  fmt::print("View: {}\n", viewer.address());
  std::fflush(stdout);
}

void report_view(const ViewCost& cost) {
  log_info("View: {} frames, {:.3f} MB; they held the run for {:.4f} s, {:.4f} s of it computing", cost.frames,
           static_cast<double>(cost.bytes) / 1e6, cost.seconds, cost.computing);
}

LiveView::LiveView(LiveSource source, int port)
    : source_(std::move(source)),
      viewer_(describe(source_), shown_cells(source_.fields.mesh, source_.fields.element), port) {
  energy_series_ = viewer_.add_series("energy", {"energy"});
  for (const auto& receiver : source_.fields.given.receivers)
    receiver_series_.push_back(
        viewer_.add_series(receiver.name, receiver.fields.empty() ? source_.fields.fields : receiver.fields));
  print_address(viewer_);
}

SignalListener LiveView::receiver_listener() {
  return [this](std::size_t signal, double time, std::span<const double> values) {
    viewer_.note(receiver_series_[signal], time, values);
  };
}

SignalListener LiveView::energy_listener() {
  return
      [this](std::size_t, double time, std::span<const double> values) { viewer_.note(energy_series_, time, values); };
}

bool LiveView::due() const { return viewer_.commanded() || (viewer_.wished() && clock_.seconds() >= next_); }

void LiveView::serve() {
  obey();
  if (!paused_) {
    if (viewer_.wished() && clock_.seconds() >= next_) give_frames();
    return;
  }
  const double since = clock_.seconds();
  while (paused_ && !interrupted) {
    give_frames();
    viewer_.wait(nap);
    obey();
  }
  paused_seconds_ += clock_.seconds() - since;
}

void LiveView::obey() {
  for (ViewCommand command = viewer_.command(); command != ViewCommand::none; command = viewer_.command()) {
    if (command == ViewCommand::stop) interrupted = SIGINT;
    const bool pause = command == ViewCommand::pause;
    if (pause == paused_ || command == ViewCommand::stop) continue;
    paused_ = pause;
    viewer_.set_status(pause ? ViewStatus::paused : ViewStatus::running);
  }
}

ViewMoment LiveView::moment() {
  const double now = clock_.seconds() - paused_seconds_;
  const std::int64_t step = source_.steps();
  if (now - rate_since_ >= seconds_between_rates || rate_ == 0) {
    if (now > rate_since_ && step > rate_step_) rate_ = static_cast<double>(step - rate_step_) / (now - rate_since_);
    rate_since_ = now;
    rate_step_ = step;
  }
  return {source_.fields.time(), step, paused_ ? 0 : rate_};
}

void LiveView::give_frames() {
  source_.wait_for_device();
  const Stopwatch work;
  const double computed = seconds_of_thread();
  const ViewMoment now = moment();
  viewer_.set_moment(now);
  const auto wishes = viewer_.wishes();
  if (wishes.empty()) return;
  source_.bring_up_to_date();
  if (source_.energy && now.step != energy_step_) {
    const double energy = source_.energy();
    viewer_.note(energy_series_, now.time, std::span(&energy, 1));
    energy_step_ = now.step;
  }
  const std::size_t nodes = source_.fields.element.node_count, fields = source_.fields.fields.size();
  std::vector<std::vector<float>> values;
  for (const ViewWish& wish : wishes) values.emplace_back(static_cast<std::size_t>(wish.scene->places) * nodes);
  source_.fields.visit([&](std::int64_t cell, const double* of_cell) {
    for (std::size_t w = 0; w < wishes.size(); ++w) {
      const std::int64_t place = wishes[w].scene->place(cell);
      if (place < 0) continue;
      float* out = values[w].data() + static_cast<std::size_t>(place) * nodes;
      for (std::size_t n = 0; n < nodes; ++n) out[n] = static_cast<float>(of_cell[n * fields + wishes[w].field]);
    }
  });
  for (std::size_t w = 0; w < wishes.size(); ++w) {
    cost_.bytes += static_cast<std::int64_t>(values[w].size() * sizeof(float));
    viewer_.fulfil(wishes[w], now, std::move(values[w]));
  }
  ++cost_.frames;
  const double seconds = work.seconds();
  cost_.seconds += seconds;
  cost_.computing += seconds_of_thread() - computed;
  next_ = clock_.seconds() + std::max(seconds_between_frames, seconds / largest_share);
}

void LiveView::finish(ViewStatus status, const std::string& message) {
  viewer_.set_status(status, message);
  if (status != ViewStatus::failed) give_frames();
}

void LiveView::hold() {
  const SignalGuard guard;
  while (!interrupted) {
    viewer_.wait(nap);
    while (viewer_.command() != ViewCommand::none) {
    }
    give_frames();
  }
}

}  // namespace swell
