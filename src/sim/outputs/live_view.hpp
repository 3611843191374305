// SPDX-License-Identifier: Apache-2.0
// A run's share of the live view: it checks after each step whether a browser waits, reads its field then, and obeys pause and
// stop. The run's time for this is counted, and kept below a share of its total by waiting longer between frames.
#pragma once

#include "base/timer.hpp"
#include "sim/outputs/outputs.hpp"
#include "view/viewer.hpp"

namespace swell {

// The view's cost on the run's thread.
struct ViewCost {
  std::int64_t frames = 0;
  double seconds = 0;    // that the run was held up
  double computing = 0;  // of them on a processor; a busy machine makes only the others longer
  std::int64_t bytes = 0;  // of values that were handed over
};

// With several ranks each has a view, the first of them serves, and the others give it their part of the field.
class LiveView {
 public:
  static constexpr double largest_share = 0.04;  // of the run's time
  static constexpr double seconds_between_frames = 0.05;

  // Prints the address. Throws InputError where the port is taken. `bring_up_to_date` fetches time signals, before a frame;
  // `energy`: the view asks for the energy itself, since no file notes it.
  LiveView(Evolution& evolution, Device& device, int port, std::function<void()> bring_up_to_date, bool energy);

  SignalListener receiver_listener();
  SignalListener energy_listener();

  // After each step, on the first rank: whether serve() has something to do. False on the others.
  bool due() const;
  // On all ranks together: hands frames to those who wait, and keeps the run from going on while it is paused. Stop is the
  // same as SIGINT.
  void serve();
  // Shows the last state and how the run ended.
  void finish(ViewStatus status);
  // On the first rank: shows why the run has failed.
  void fail(const std::string& why);
  // Goes on showing it until SIGINT or SIGTERM; one rank only.
  void hold();

  const ViewCost& cost() const { return cost_; }

 private:
  // The first rank's order to all ranks for one joint round.
  struct Round {
    static constexpr std::size_t most = 16;
    std::int64_t goes_on = 0;  // another round follows, since the run is paused
    std::int64_t count = 0;    // fields to read
    std::array<std::int64_t, most> fields{};
  };
  Round next_round();
  Round with_wishes(Round round);
  Round agreed(Round round);  // the first rank's
  void take_part(const Round& round);
  void give_own();
  void give_gathered(const Round& round);
  void hand_over(const ViewWish& wish, std::vector<float> values);
  void obey();
  ViewMoment moment();

  Evolution& evolution_;
  Device& device_;
  std::function<void()> bring_up_to_date_;
  bool energy_;
  std::vector<double> points_;  // of the cells of all ranks, where there are several
  std::unique_ptr<Viewer> viewer_;  // of the first rank
  std::vector<ViewWish> wishes_;
  std::size_t energy_series_ = 0;
  std::vector<std::size_t> receiver_series_;
  Stopwatch clock_;
  double next_ = 0;
  bool paused_ = false;
  double paused_seconds_ = 0, rate_ = 0, rate_since_ = 0;
  std::int64_t rate_step_ = 0, energy_step_ = -1;
  ViewCost cost_;
};

// 256 colours as six hexadecimal digits each.
std::string colours_in_digits(bool diverging);
void print_address(const Viewer& viewer);
void report_view(const ViewCost& cost);

}  // namespace swell
