// SPDX-License-Identifier: Apache-2.0
// Tables of samples that gather in a log on the device: a row of the log when one of them is due, fetched when the log is full.
#pragma once

#include "sim/outputs/outputs.hpp"

namespace swell {

class SampledSeries : public SampledOutput {
 public:
  void open(const std::filesystem::path& folder, const OutputsSoFar& before) override;
  void sample() override;  // queued only, but for one sample in many, when the log is full
  void flush() override;
  void save(OutputsSoFar& so_far) override;
  void finish() override;

  // Keeps the samples in memory; then the tables, by the names of their files without ".csv", up to the last flush().
  void keep();
  std::vector<std::string> names() const;
  const SignalTable& table(std::size_t number) const { return tables_[number].kept; }

 protected:
  using Rows = std::function<void(double time, std::span<const double> values)>;

  SampledSeries(Evolution& evolution, std::string folder) : evolution_(evolution), folder_(std::move(folder)) {}
  // `ends_only`: the first and the last state alone.
  void add(const std::string& name, double every, bool ends_only, std::vector<std::string> columns);
  void set_room(std::int64_t rows) { room_ = rows; }

  virtual void take(std::int64_t row) = 0;                        // queues: the state of now into a row of the log
  virtual std::vector<double> fetch(std::int64_t rows) = 0;       // by all ranks together; waits
  // The first rank appends rows of a table from a row of what was fetched.
  virtual void write(std::size_t table, std::span<const double> fetched, double time, const Rows& append) = 0;

  Evolution& evolution_;

 private:
  struct Table {
    Timetable times;
    bool ends_only = false;
    std::string name;  // of its file, without ".csv"
    std::vector<std::string> columns;
    std::unique_ptr<ReceiverFile> file;  // of the first rank
    SignalTable kept;
    std::string file_name() const { return name + ".csv"; }
  };
  struct Row {
    double time = 0;
    std::vector<char> due;  // [table]
  };
  void take(std::vector<char> due);

  std::string folder_;
  std::vector<Table> tables_;
  std::vector<Row> rows_;  // that wait on the device
  bool keeps_ = false;
  std::int64_t room_ = 1, last_step_ = -1;
};

std::unique_ptr<SampledSeries> make_surfaces(Evolution& evolution);
std::unique_ptr<SampledSeries> make_line_probes(Evolution& evolution);
std::unique_ptr<SampledOutput> make_averages(Evolution& evolution);

}  // namespace swell
