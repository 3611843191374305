// SPDX-License-Identifier: Apache-2.0
// What a run writes while it goes: fields for ParaView, pictures, time signals.
#pragma once

#include <filesystem>
#include <memory>

#include "io/receivers.hpp"
#include "io/vtu.hpp"
#include "sim/simulation.hpp"

namespace swell {

// Signals at points: sampled on the device, fetched when its room is full.
class Receivers {
 public:
  // Finds the points; throws InputError for those outside the mesh.
  explicit Receivers(Simulation& simulation);
  // Creates receivers/NAME.csv in the folder.
  void open_files(const std::filesystem::path& folder);
  // After each step, and once before the first.
  void sample();
  void flush();

 private:
  struct Signal {
    std::vector<int> fields;
    double every = 0, next = 0;
    std::unique_ptr<ReceiverFile> file;
  };
  Simulation& simulation_;
  std::vector<Signal> signals_;
  std::unique_ptr<Buffer> slot_, weight_, samples_;
  std::vector<double> times_;  // of the samples in samples_
};

// fields.pvd and its pieces, and PNG pictures.
class Snapshots {
 public:
  Snapshots(Simulation& simulation, std::filesystem::path folder);
  void write_fields();
  // Returns the file.
  std::filesystem::path write_picture(bool last);

 private:
  // The state as host values [cell][lattice point] of one field.
  std::vector<double> lattice_values(const std::vector<double>& nodal, int field) const;
  std::vector<double> nodal_values() const;
  const std::vector<double>& lattice_points();

  Simulation& simulation_;
  std::filesystem::path folder_;
  PvdSeries series_;
  Matrix to_lattice_;
  std::vector<double> points_;
  int fields_written_ = 0, pictures_written_ = 0;
};

}  // namespace swell
