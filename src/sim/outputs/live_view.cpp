// SPDX-License-Identifier: Apache-2.0
#include "sim/outputs/live_view.hpp"

#include <algorithm>
#include <ctime>

#include "base/log.hpp"
#include "io/draw/colours.hpp"
#include "mesh/outer_faces.hpp"
#include "sim/run_parts.hpp"

namespace swell {

namespace {

// A paused run looks so often whether a signal came.
constexpr std::chrono::milliseconds nap(50);
constexpr double seconds_between_rates = 0.5;
// For pages to take the last state, which they may ask for only when they have drawn the one before.
constexpr double seconds_for_the_last = 0.5;

double seconds_of_thread() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

ViewDescription describe(const Evolution& evolution, const Device& device) {
  ViewDescription about;
  const Case& c = evolution.given();
  about.title = c.title.empty() ? c.file.filename().string() : c.title;
  about.model = evolution.model();
  about.device = device.info().name;
  about.fields = evolution.fields();
  about.end = evolution.end();
  about.sequential = colours_in_digits(false);
  about.diverging = colours_in_digits(true);
  return about;
}

// The cells of this rank with the nodes of their elements.
ShownCells shown_cells(const Mesh& mesh, const Elements& elements) {
  ShownCells cells;
  std::int64_t left = mesh.own_count();
  for (const CellBlock& block : mesh.blocks) {
    const auto own = std::min(left, block.count());
    if (own > 0) cells.runs.push_back({block.shape, own});
    left -= own;
  }
  cells.order = elements.order();
  std::map<Shape, CellMap> maps;
  for (const auto& [shape, element] : elements.all()) maps.emplace(shape, CellMap(mesh, shape, element.nodes));
  cells.coordinates = [&mesh, &elements, maps = std::make_shared<std::map<Shape, CellMap>>(std::move(maps)),
                       x = std::vector<double>(elements.most_nodes() * mesh.dim)](std::int64_t cell, double* out) mutable {
    maps->at(mesh.shape_of(cell)).coordinates(cell, x.data());
    for (int n = 0; n < elements.node_count(cell); ++n)
      for (int d = 0; d < 3; ++d) out[3 * n + d] = d < mesh.dim ? x[n * mesh.dim + d] : 0;
  };
  if (mesh.dim == 3)
    for (std::int64_t cell = 0; cell < mesh.own_count(); ++cell)
      for (int face = 0; face < face_count(mesh.shape_of(cell)); ++face)
        if (mesh.neighbour(cell, face).cell < 0) cells.outer_faces.emplace_back(cell, face);
  return cells;
}

// All cells, with points that were gathered from all ranks.
ShownCells gathered_cells(const std::vector<double>& points, const Elements& elements) {
  ShownCells cells;
  cells.runs = elements.runs();
  cells.order = elements.order();
  cells.coordinates = [&points, &elements](std::int64_t cell, double* out) {
    std::copy_n(points.begin() + 3 * elements.whole_first_node(cell), 3 * elements.whole_node_count(cell), out);
  };
  if (cells.dim() == 3) cells.outer_faces = outer_faces(cells.runs, cells.order, points);
  return cells;
}

std::vector<double> own_points(const Evolution& source) {
  const Elements& elements = source.reference();
  const auto cells = shown_cells(source.mesh(), elements);
  std::vector<double> points(3 * elements.first_node(source.mesh().own_count()));
  for (std::int64_t cell = 0; cell < source.mesh().own_count(); ++cell)
    cells.coordinates(cell, points.data() + 3 * elements.first_node(cell));
  return points;
}

}  // namespace

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

LiveView::LiveView(Evolution& evolution, Device& device, int port, std::function<void()> bring_up_to_date, bool energy)
    : evolution_(evolution), device_(device), bring_up_to_date_(std::move(bring_up_to_date)), energy_(energy) {
  Ranks& ranks = evolution.ranks();
  if (!ranks.single()) points_ = of_all_cells(evolution, own_points(evolution));
  if (!ranks.first()) return;
  ShownCells cells = ranks.single() ? shown_cells(evolution.mesh(), evolution.reference())
                                    : gathered_cells(points_, evolution.reference());
  // Coefficients that are values at the nodes are shown as they are.
  if (const Matrix to_nodes = evolution.to_nodes(); !evolution.reference().mixed() && !to_nodes.isIdentity(0))
    cells.evaluation.assign(to_nodes.data(), to_nodes.data() + to_nodes.size());
  viewer_ = std::make_unique<Viewer>(describe(evolution, device), std::move(cells), port);
  energy_series_ = viewer_->add_series("energy", {"energy"});
  for (const auto& receiver : evolution.given().receivers)
    receiver_series_.push_back(viewer_->add_series(receiver.name, receiver.fields.empty() ? evolution.fields() : receiver.fields));
  print_address(*viewer_);
}

SignalListener LiveView::receiver_listener() {
  return [this](std::size_t signal, double time, std::span<const double> values) {
    if (viewer_) viewer_->note(receiver_series_[signal], time, values);
  };
}

SignalListener LiveView::energy_listener() {
  return [this](std::size_t, double time, std::span<const double> values) {
    if (viewer_) viewer_->note(energy_series_, time, values);
  };
}

bool LiveView::due() const {
  return viewer_ && (viewer_->commanded() || (viewer_->wished() && clock_.seconds() >= next_));
}

void LiveView::serve() {
  for (bool again = true; again;) {
    const Round round = viewer_ ? next_round() : Round{};
    const Round same = agreed(round);
    take_part(same);
    again = same.goes_on != 0;
  }
}

LiveView::Round LiveView::agreed(Round round) {
  evolution_.ranks().broadcast(std::as_writable_bytes(std::span(&round, 1)), 0);
  return round;
}

// A paused run answers wishes for what has not been seen yet, and naps between them.
LiveView::Round LiveView::next_round() {
  obey();
  Round round;
  if (paused_ && !interrupted) {
    const double since = clock_.seconds();
    viewer_->wait(nap);
    paused_seconds_ += clock_.seconds() - since;
    obey();
  }
  round.goes_on = paused_ && !interrupted;
  if (!paused_ && clock_.seconds() < next_) return round;
  return with_wishes(round);
}

LiveView::Round LiveView::with_wishes(Round round) {
  device_.queue().finish();
  viewer_->set_moment(moment());
  wishes_ = viewer_->wishes();
  for (const ViewWish& wish : wishes_) {
    const auto known = round.fields.begin() + round.count;
    if (std::find(round.fields.begin(), known, wish.field) == known && known != round.fields.end())
      round.fields[round.count++] = wish.field;
  }
  return round;
}

void LiveView::take_part(const Round& round) {
  if (round.count == 0) return;
  device_.queue().finish();
  const Stopwatch work;
  const double computed = seconds_of_thread();
  bring_up_to_date_();
  if (energy_ && evolution_.steps() != energy_step_) {
    const double energy = evolution_.energy();
    if (viewer_) viewer_->note(energy_series_, evolution_.time(), std::span(&energy, 1));
    energy_step_ = evolution_.steps();
  }
  if (evolution_.ranks().single())
    give_own();
  else
    give_gathered(round);
  ++cost_.frames;
  const double seconds = work.seconds();
  cost_.seconds += seconds;
  cost_.computing += seconds_of_thread() - computed;
  next_ = clock_.seconds() + std::max(seconds_between_frames, seconds / largest_share);
}

void LiveView::hand_over(const ViewWish& wish, std::vector<float> values) {
  cost_.bytes += static_cast<std::int64_t>(values.size() * sizeof(float));
  viewer_->fulfil(wish, moment(), std::move(values));
}

// Straight from the state into what the wishes ask for.
void LiveView::give_own() {
  const Elements& elements = evolution_.reference();
  const auto row = static_cast<std::size_t>(elements.most_nodes()), fields = evolution_.fields().size();
  std::vector<std::vector<float>> values;
  for (const ViewWish& wish : wishes_) values.emplace_back(static_cast<std::size_t>(wish.scene->places) * row);
  evolution_.read_coefficients([&](std::int64_t cell, const double* of_cell) {
    const auto nodes = static_cast<std::size_t>(elements.node_count(cell));
    for (std::size_t w = 0; w < wishes_.size(); ++w) {
      const std::int64_t place = wishes_[w].scene->place(cell);
      if (place < 0) continue;
      float* out = values[w].data() + static_cast<std::size_t>(place) * row;
      for (std::size_t n = 0; n < nodes; ++n) out[n] = static_cast<float>(of_cell[n * fields + wishes_[w].field]);
    }
  });
  for (std::size_t w = 0; w < wishes_.size(); ++w) hand_over(wishes_[w], std::move(values[w]));
}

// Each rank sends the fields of its cells to the first one, which picks out what the wishes ask for.
void LiveView::give_gathered(const Round& round) {
  const Elements& elements = evolution_.reference();
  const std::int64_t row = elements.most_nodes(), cells = evolution_.elements();
  const std::size_t fields = evolution_.fields().size();
  for (std::int64_t i = 0; i < round.count; ++i) {
    const auto field = static_cast<std::size_t>(round.fields[i]);
    std::vector<double> own(elements.first_node(evolution_.mesh().own_count()));
    evolution_.read_coefficients([&](std::int64_t cell, const double* of_cell) {
      if (cell >= evolution_.mesh().own_count()) return;
      for (int n = 0; n < elements.node_count(cell); ++n) own[elements.first_node(cell) + n] = of_cell[n * fields + field];
    });
    const auto all = of_all_cells(evolution_, std::move(own));
    if (!viewer_) continue;
    for (const ViewWish& wish : wishes_) {
      if (static_cast<std::size_t>(wish.field) != field) continue;
      std::vector<float> values(wish.scene->places * row);
      for (std::int64_t cell = 0; cell < cells; ++cell)
        if (const auto place = wish.scene->place(cell); place >= 0)
          std::copy_n(all.begin() + elements.whole_first_node(cell), elements.whole_node_count(cell), values.begin() + place * row);
      hand_over(wish, std::move(values));
    }
  }
}

void LiveView::obey() {
  for (ViewCommand command = viewer_->command(); command != ViewCommand::none; command = viewer_->command()) {
    if (command == ViewCommand::stop) interrupted = SIGINT;
    const bool pause = command == ViewCommand::pause;
    if (pause == paused_ || command == ViewCommand::stop) continue;
    paused_ = pause;
    viewer_->set_status(pause ? ViewStatus::paused : ViewStatus::running);
  }
}

ViewMoment LiveView::moment() {
  const double now = clock_.seconds() - paused_seconds_;
  const std::int64_t step = evolution_.steps();
  if (now - rate_since_ >= seconds_between_rates || rate_ == 0) {
    if (now > rate_since_ && step > rate_step_) rate_ = static_cast<double>(step - rate_step_) / (now - rate_since_);
    rate_since_ = now;
    rate_step_ = step;
  }
  return {evolution_.time(), step, paused_ ? 0 : rate_};
}

void LiveView::finish(ViewStatus status) {
  if (viewer_) viewer_->set_status(status);
  const double until = clock_.seconds() + seconds_for_the_last;
  for (bool again = true; again;) {
    Round round;
    if (viewer_) {
      round = with_wishes(round);
      round.goes_on = !viewer_->all_have_seen() && clock_.seconds() < until;
    }
    round = agreed(round);
    take_part(round);
    again = round.goes_on != 0;
    if (again && viewer_) viewer_->wait(nap);
  }
}

void LiveView::fail(const std::string& why) {
  if (viewer_) viewer_->set_status(ViewStatus::failed, why);
}

void LiveView::hold() {
  const SignalGuard guard;
  while (!interrupted) {
    viewer_->wait(nap);
    while (viewer_->command() != ViewCommand::none) {
    }
    take_part(with_wishes({}));
  }
}

}  // namespace swell
