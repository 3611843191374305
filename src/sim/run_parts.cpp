// SPDX-License-Identifier: Apache-2.0
#include "sim/run_parts.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <functional>
#include <regex>

#include "base/error.hpp"
#include "device/peaks.hpp"
#include "io/checkpoint.hpp"
#include "io/files.hpp"
#include "solve/exchange.hpp"

namespace swell {

volatile std::sig_atomic_t interrupted = 0;

double next_time(double now, double every, double end) {
  if (!(every > 0)) return end;
  return std::min(end, (std::floor(now / every + 1e-9) + 1) * every);
}

const std::filesystem::path& writable(const std::filesystem::path& folder) {
  std::filesystem::path there = std::filesystem::absolute(folder).lexically_normal();
  std::error_code ignored;
  while (!std::filesystem::exists(there, ignored) && there.has_relative_path()) there = there.parent_path();
  if (!std::filesystem::is_directory(there, ignored))
    throw InputError(
        "The output folder '{}' cannot be created: the file '{}' is in the way; remove it or choose another folder.",
        folder.string(), there.string());
  if (faccessat(AT_FDCWD, there.c_str(), W_OK | X_OK, AT_EACCESS) != 0)
    throw InputError("The output folder '{}' cannot be written: {}.", folder.string(), reason(errno));
  return folder;
}

namespace {

// Files of signals begin with the column of time, whoever named them.
bool is_signal(const std::filesystem::path& file) {
  std::string begin(5, ' ');
  std::ifstream(file).read(begin.data(), 5);
  return file.extension() == ".csv" && begin == "time,";
}

void remove_where(const std::filesystem::path& folder, const std::function<bool(const std::filesystem::path&)>& ours) {
  std::error_code none;
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    if (entry.is_regular_file(none) && ours(entry.path())) found.push_back(entry.path());
  for (const auto& file : found)
    if (!std::filesystem::remove(file, none) && none)
      throw RunError("The file '{}' of an earlier run cannot be removed: {}.", file.string(), none.message());
}

void remove_outputs(const std::filesystem::path& folder, const std::vector<std::string>& fields) {
  const auto named = [](const char* pattern) {
    return [name = std::regex(pattern)](const std::filesystem::path& file) { return std::regex_match(file.filename().string(), name); };
  };
  remove_where(folder / "fields", named(R"(\d{6,}(-\d+)?\.p?vtu)"));
  for (const char* signals : {"receivers", "surfaces", "probes"}) remove_where(folder / signals, is_signal);
  remove_where(folder, named(R"((fields\.pvd|summary\.json|energy\.csv|interface\.csv|farfield\.csv|averages(-\d+)?\.p?vtu|\w+-\d{6,}\.png))"));
  remove_where(folder, [&](const std::filesystem::path& file) {
    return file.extension() == ".png" && std::find(fields.begin(), fields.end(), file.stem().string()) != fields.end();
  });
}

}  // namespace

void begin_folder(const std::filesystem::path& folder, const Case& c, const std::vector<std::string>& fields, bool anew, Log& log,
                  Ranks& ranks) {
  if (ranks.first()) {
    create_folder(folder);
    for (const char* part : {"", "fields"}) remove_unfinished(folder / part);
    if (anew) remove_outputs(folder, fields);
    log.open_file(folder / "log.txt");
    atomic_write(folder / "case.toml", c.text);
    const auto saved = checkpoints_in(folder);
    if (anew && !saved.empty())
      log_info("The folder holds checkpoints of an earlier run, the last one of step {}, which {}; --restart latest goes on from it.",
               saved.rbegin()->first, c.checkpoint ? "go when this run writes its own" : "stay");
  }
  ranks.barrier();
}

namespace {

// Whether points lie on both sides of the plane that `slice` gives: a point and a normal.
bool meets(const Mesh& mesh, const std::vector<double>& slice, Ranks& ranks) {
  bool before = false, behind = false;
  for (std::size_t i = 0; i < mesh.points.size(); i += 3) {
    double distance = 0;
    for (int d = 0; d < 3; ++d) distance += (mesh.points[i + d] - slice[d]) * slice[3 + d];
    before = before || distance <= 0;
    behind = behind || distance >= 0;
  }
  const bool some_before = ranks.any(before), some_behind = ranks.any(behind);
  return some_before && some_behind;
}

}  // namespace

void check_slice(const Case& c, const Mesh& mesh, Ranks& ranks) {
  if (c.picture && mesh.dim == 3 && !c.picture->slice.empty() && !meets(mesh, c.picture->slice, ranks))
    throw InputError(
        "output.picture.slice: the plane through ({:g}, {:g}, {:g}) does not meet the mesh; move its point into the "
        "mesh.",
        c.picture->slice[0], c.picture->slice[1], c.picture->slice[2]);
}

void add_times(Summary& s, const Device& device, const DeviceCounters& before) {
  const DeviceCounters& counters = device.counters();
  s.times.compile = s.seconds_compile;
  s.times.send = counters.sent.seconds - before.sent.seconds;
  s.times.receive = counters.received.seconds - before.received.seconds;
  s.times.sent_bytes = counters.sent.bytes - before.sent.bytes;
  s.times.received_bytes = counters.received.bytes - before.received.bytes;
}

ExchangeSummary exchange_summary(const HaloExchange& halo, Ranks& ranks, const HaloTimes& before) {
  HaloTimes times = halo.times();
  times.exchanges -= before.exchanges;
  times.messages -= before.messages;
  times.bytes -= before.bytes;
  times.packing -= before.packing;
  times.flying -= before.flying;
  times.waiting -= before.waiting;
  std::array<std::int64_t, 2> sent{times.messages, times.bytes};
  ranks.sum(sent);
  ExchangeSummary s{times.exchanges, sent[0], sent[1], 0, 0, 0, halo.direct()};
  const double longest = ranks.largest(times.waiting);
  const bool mine = times.waiting == longest;
  s.packing = ranks.largest(mine ? times.packing : 0);
  s.flying = ranks.largest(mine ? times.flying : 0);
  s.waiting = longest;
  return s;
}

void add_profile(Summary& s, Device& device, Precision precision) {
  const auto kernels = device.queue().profile();
  device.queue().set_profiling(false);
  const Peaks peaks = measure_peaks(device);
  s.times.compute = 0;
  for (const auto& k : kernels) {
    s.times.compute += k.seconds;
    const double least = bound_of({k.bytes, k.flops}, peaks, precision).seconds;
    s.kernels.push_back({k.name, k.calls, k.seconds, k.bytes, k.flops, k.seconds > 0 ? least / k.seconds : 0});
  }
}

void report_profile(const Summary& s) {
  for (const auto& k : s.kernels)
    log_info("kernel {:<14} {:>8} calls {:>10.4f} s {:>8.2f} GB/s {:>8.2f} GFLOP/s {:>5.1f} % of the bound", k.name, k.calls,
             k.seconds, k.bytes / k.seconds / 1e9, k.flops / k.seconds / 1e9, 100 * k.fraction);
  log_info("compile {:.4f} s; send {:.4f} s, {:.3f} MB; compute {:.4f} s; receive {:.4f} s, {:.3f} MB", s.times.compile,
           s.times.send, static_cast<double>(s.times.sent_bytes) / 1e6, s.times.compute, s.times.receive,
           static_cast<double>(s.times.received_bytes) / 1e6);
  if (s.exchange)
    log_info(
        "exchange: {} messages, {:.3f} MB, {}; {:.4f} s on the way, {:.4f} s of it waited for: {:.0f} % hidden; {:.4f} s packing",
        s.exchange->messages, static_cast<double>(s.exchange->bytes) / 1e6,
        s.exchange->direct ? "straight from the device's memory" : "through the host's memory", s.exchange->flying,
        s.exchange->waiting, 100 * s.exchange->hidden(), s.exchange->packing);
}

}  // namespace swell
