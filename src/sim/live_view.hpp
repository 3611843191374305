// SPDX-License-Identifier: Apache-2.0
// A run's share of the live view: looks after each step whether a page waits, reads its field then, and obeys pause and stop.
// What that costs the run is counted, and kept below a share of its time by waiting longer between frames.
#pragma once

#include "sim/outputs.hpp"
#include "view/viewer.hpp"

namespace swell {

// What the view has taken of the run's thread.
struct ViewCost {
  std::int64_t frames = 0;
  double seconds = 0;      // that the run was held up
  double computing = 0;    // of them on a processor; a busy machine makes only the others longer
  std::int64_t bytes = 0;  // of values that were handed over
};

// What a run gives to be looked at besides its fields.
struct LiveSource {
  FieldSource fields;
  std::string device;
  double end = 0;
  std::function<std::int64_t()> steps;
  std::function<void()> wait_for_device;   // its queued steps are the run's own time, not the view's
  std::function<void()> bring_up_to_date;  // time signals, before a frame
  std::function<double()> energy = {};     // where no file notes it
};

class LiveView {
 public:
  static constexpr double largest_share = 0.04;  // of the run's time
  static constexpr double seconds_between_frames = 0.05;

  // Prints the address. Throws InputError where the port is taken.
  LiveView(LiveSource source, int port);

  SignalListener receiver_listener();
  SignalListener energy_listener();

  // After each step: whether serve() has something to do.
  bool due() const;
  // Hands frames to those who wait, and keeps the run from going on while it is paused. Stop is the same as SIGINT.
  void serve();
  // The last state and how it ended.
  void finish(ViewStatus status, const std::string& message = "");
  // Goes on showing it until SIGINT or SIGTERM.
  void hold();

  const ViewCost& cost() const { return cost_; }

 private:
  void give_frames();
  void obey();
  ViewMoment moment();

  LiveSource source_;
  Viewer viewer_;
  std::size_t energy_series_ = 0;
  std::vector<std::size_t> receiver_series_;
  Stopwatch clock_;
  double next_ = 0;
  bool paused_ = false;
  double paused_seconds_ = 0, rate_ = 0, rate_since_ = 0;
  std::int64_t rate_step_ = 0, energy_step_ = -1;
  ViewCost cost_;
};

// Cells of a mesh with the nodes of an element, for Viewer. The mesh must outlive them.
ShownCells shown_cells(const Mesh& mesh, const ReferenceElement& element);
// 256 colours as six hexadecimal digits each.
std::string colours_in_digits(bool diverging);
void print_address(const Viewer& viewer);
void report_view(const ViewCost& cost);

}  // namespace swell
