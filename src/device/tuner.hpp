// SPDX-License-Identifier: Apache-2.0
// The file of remembered choices: which variant of a kernel was the fastest on a device. Plain text, a line for each
// choice, that can be shared between users and merged by appending one file to another.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.hpp"

namespace swell {

// The key of a choice. Drivers and threads may differ where there is nothing nearer; the rest must be equal.
struct TuningKey {
  std::string backend;  // "cuda"
  std::string device;   // the processor in words
  std::string driver;   // of a GPU; the compiler of a CPU
  int threads = 1;
  std::string kernel;  // the computed operation, such as "maxwell-tetrahedron-3-straight"
  Precision precision = Precision::double_;
  std::string size;  // tuning_size()
  bool operator==(const TuningKey&) const = default;
};
TuningKey tuning_key(const DeviceInfo& device, std::string kernel, Precision precision, double stage_bytes);

// "small" where a stage moves so little that caches and launches decide, else "large".
std::string tuning_size(double stage_bytes);

// In place of a variant's name: the default, whichever that is, was the best.
inline constexpr std::string_view default_is_best = "default";

struct TuningChoice {
  TuningKey key;
  std::string variant;
  double seconds = 0, default_seconds = 0;  // of a stage, for one unknown
  std::string date;                         // "2026-01-31T12:00:00Z"; the later of two choices for one key counts
};

class TuningFile {
 public:
  // Lines that are not understood are warnings that name `name` and the line, and are kept as they are.
  static TuningFile parse(std::string_view text, const std::string& name);

  // The nearest: driver and threads equal, else the driver, else the threads, else the latest.
  const TuningChoice* find(const TuningKey& key) const;
  // Takes the place of what there was for the key.
  void remember(const TuningChoice& choice);
  std::string text() const;
  const std::vector<TuningChoice>& choices() const { return choices_; }

 private:
  std::vector<TuningChoice> choices_;
  std::vector<std::string> others_;  // comments, and lines that were not understood
};

// $SWELL_TUNING, else tuning.txt in the cache folder.
std::string tuning_path();
// From the file at tuning_path(), which is read once, and again where the path has changed; one that is not there holds
// nothing.
std::optional<TuningChoice> remembered_choice(const TuningKey& key);
// Adds to the file, with what other processes have written meanwhile; whole or not at all. Throws RunError.
void remember_choice(const TuningChoice& choice);

// The time now as choices have it.
std::string tuning_date();

}  // namespace swell
