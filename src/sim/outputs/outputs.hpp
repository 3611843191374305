// SPDX-License-Identifier: Apache-2.0
// The outputs of a run while it goes: fields for ParaView, pictures, time signals.
#pragma once

#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>

#include "io/receivers.hpp"
#include "io/vtu.hpp"
#include "sim/evolution.hpp"

namespace swell {

// How far the outputs of a run have come, for another run that goes on with them.
struct OutputsSoFar {
  std::map<std::string, std::uint64_t> bytes;  // of time signals, by file
  std::vector<double> next_samples;            // of the receivers
  std::string series;                          // entries of fields.pvd
  int fields = 0, pictures = 0;                // that were written
  double energy_initial = 0;
  std::vector<double> far_field;               // the spectrum on its surface and that of the incident wave, on the first rank
  std::map<std::string, double> next;          // when other tables are due, by file
  std::vector<double> averages;                // as Averages keeps them, of all cells, on the first rank

  // For a run that goes on in another folder: its files begin there.
  void begin_files();
  // A file of time signals, new or continued.
  ReceiverFile file(const std::filesystem::path& folder, const std::string& name, const std::vector<std::string>& columns) const;
};

// A table has a row at the first step at or after each multiple of `every`; 0: after each step.
struct Timetable {
  double every = 0, next = 0;
  bool due(double time) const { return !(time < next); }
  void take(double time) {
    // Rounding must not skip a row.
    if (every > 0) next = (std::floor(time / every + 1e-9) + 1 - 1e-9) * every;
  }
};

// An output that looks at the state after steps.
class SampledOutput {
 public:
  virtual ~SampledOutput() = default;
  // Makes its files in the folder, or goes on with them.
  virtual void open(const std::filesystem::path& folder, const OutputsSoFar& before) = 0;
  // After each step, and once before the first; where nothing is due, nothing happens.
  virtual void sample() = 0;
  // Samples up to the time of now, which a run that blew up sets back, reach their files.
  virtual void flush() = 0;
  virtual void save(OutputsSoFar& so_far) = 0;
  virtual void finish() = 0;  // at the end of the run
};
// Those that the case asks for. Throws InputError where the mesh or the model cannot give them.
std::vector<std::unique_ptr<SampledOutput>> sampled_outputs(Evolution& evolution);

// The outputs of these names, or all fields where there are none; `place` says where a wrong one stands.
std::vector<int> output_numbers(const Evolution& evolution, const std::vector<std::string>& names, const std::string& place);

// Signals at points: sampled on the device, fetched when its room is full.
class Receivers {
 public:
  // Finds the points; throws InputError for those outside the mesh.
  explicit Receivers(Evolution& evolution);
  // Creates receivers/NAME.csv in the folder, or goes on with it.
  void open_files(const std::filesystem::path& folder, const OutputsSoFar& before);
  // Keeps the samples in memory, with files or without.
  void keep();
  // The samples of a receiver up to the last flush().
  const SignalTable& table(std::size_t receiver) const { return signals_[receiver].kept; }
  // Everything sampled has reached the disk then.
  void save(OutputsSoFar& so_far);
  // After each step, and once before the first: queued only, but for one sample in many, when the room is full.
  void sample();
  // Fetches what was sampled up to the time of now, which a run that blew up sets back; then waits for the device.
  void flush();
  void set_listener(SignalListener listener) { listener_ = std::move(listener); }

 private:
  struct Signal {
    std::vector<int> fields;
    Timetable times;
    std::string name;
    std::unique_ptr<ReceiverFile> file;
    SignalTable kept;
  };
  Evolution& evolution_;
  std::vector<Signal> signals_;
  bool keeps_ = false;
  std::vector<std::pair<std::size_t, std::size_t>> places_;  // on the first rank, of each signal: its rank, its number there
  std::unique_ptr<PointSampler> sampler_;                    // where points lie in this rank's cells
  std::vector<double> times_;                                // of the samples that wait on the device
  SignalListener listener_;
};

// energy.csv: the quantities of an evolution, summed on the device and fetched when its room is full; the sums of ranks are
// added in their order.
class EnergySeries {
 public:
  EnergySeries(Evolution& evolution, const std::filesystem::path& folder, const OutputsSoFar& before);
  void save(OutputsSoFar& so_far);
  void note();  // queued only, as a receiver's sample
  void flush();
  void close();
  void set_listener(SignalListener listener) { listener_ = std::move(listener); }

 private:
  Evolution& evolution_;
  std::optional<ReceiverFile> file_;  // of the first rank
  std::vector<double> times_;         // of the values that were noted
  SignalListener listener_;
};

// Numbers of each cell, of the cells of all ranks in the order of the whole mesh; only on the first rank.
std::vector<double> of_all_cells(const Evolution& evolution, std::vector<double> own);

using NodalFields = std::vector<std::pair<std::string, std::vector<double>>>;

// fields.pvd and its pieces, one of each rank, and PNG pictures, which the first rank draws for all.
class Snapshots {
 public:
  Snapshots(Evolution& evolution, std::filesystem::path folder);
  void resume(const OutputsSoFar& before);
  void save(OutputsSoFar& so_far) const;
  void write_fields();
  // All fields, variables and derived outputs by name, [cell][node] of this rank's cells.
  NodalFields values();
  // Such fields as FOLDER/STEM.vtu, or a .pvtu and a piece of each rank; returns the name of the file that has all.
  std::string write(const std::filesystem::path& folder, const std::string& stem, const NodalFields& nodal);
  // Returns the file.
  std::filesystem::path write_picture(bool last);

 private:
  // Values [cell][node][field] as [cell][lattice point] of one field.
  std::vector<double> lattice_values(const std::vector<double>& nodal, std::size_t field, std::size_t fields) const;
  const std::vector<double>& lattice_points();

  std::vector<double> nodal_values();  // [cell][node][field]

  Evolution& evolution_;
  std::filesystem::path folder_;
  PvdSeries series_;
  std::map<Shape, Matrix> to_lattice_;
  std::vector<double> points_;
  int fields_written_ = 0, pictures_written_ = 0;
};

}  // namespace swell
