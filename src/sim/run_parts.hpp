// SPDX-License-Identifier: Apache-2.0
// Parts of a run: the wish to stop, times of outputs, checks of folders and slices, times for the summary.
#pragma once

#include <csignal>
#include <filesystem>
#include <span>

#include "base/log.hpp"
#include "case/case.hpp"
#include "comm/ranks.hpp"
#include "device/device.hpp"
#include "io/summary.hpp"
#include "solve/exchange.hpp"

namespace swell {

// Not 0 once SIGINT or SIGTERM came while a SignalGuard lived.
extern volatile std::sig_atomic_t interrupted;

// While it lives, SIGINT and SIGTERM ask the run to stop after the step.
class SignalGuard {
 public:
  SignalGuard() {
    interrupted = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      struct sigaction ask {};
      ask.sa_handler = [](int number) { interrupted = number; };
      sigaction(numbers[i], &ask, &before_[i]);
    }
  }
  ~SignalGuard() {
    for (std::size_t i = 0; i < 2; ++i) sigaction(numbers[i], &before_[i], nullptr);
  }
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

 private:
  static constexpr int numbers[2] = {SIGINT, SIGTERM};
  struct sigaction before_[2];
};

// The next multiple of `every` after `now`, or the end.
double next_time(double now, double every, double end);

// Checks, before the work and without a trace, whether the folder can be made: one that cannot is wrong input.
const std::filesystem::path& writable(const std::filesystem::path& folder);

// Makes the folder with the log and the case in it, without what a killed run left unfinished. Then it is there for all ranks.
// A run that begins anew removes what an earlier run left there, so that no file of another run passes for its own: field files
// and their list, numbered pictures and those of `fields`, signals, tables and the summary. Checkpoints stay until this run has
// written one, since they may be all that is left of long work. Files of other names are never touched.
void begin_folder(const std::filesystem::path& folder, const Case& c, const std::vector<std::string>& fields, bool anew, Log& log,
                  Ranks& ranks);

// Throws InputError where the plane of a picture of a mesh in space does not meet the mesh.
void check_slice(const Case& c, const Mesh& mesh, Ranks& ranks = lone_rank());

// add_times() adds the transfers since `before`, add_profile() each kernel of a profiled run beside its roofline bound.
void add_times(Summary& s, const Device& device, const DeviceCounters& before);
void add_profile(Summary& s, Device& device, Precision precision);
void report_profile(const Summary& s);

// Messages of all ranks since `before`; the times of the rank that waited longest.
ExchangeSummary exchange_summary(const HaloExchange& halo, Ranks& ranks, const HaloTimes& before = {});

}  // namespace swell
