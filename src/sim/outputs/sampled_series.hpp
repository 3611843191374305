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

 protected:
  SampledSeries(Evolution& evolution, std::string folder) : evolution_(evolution), folder_(std::move(folder)) {}
  // `ends_only`: the first and the last state alone.
  void add(const std::string& name, double every, bool ends_only, std::vector<std::string> columns);
  void set_room(std::int64_t rows) { room_ = rows; }

  virtual void take(std::int64_t row) = 0;                        // queues: the state of now into a row of the log
  virtual std::vector<double> fetch(std::int64_t rows) = 0;       // by all ranks together; waits
  // The first rank writes rows of a table's file from a row of what was fetched.
  virtual void write(std::size_t table, std::span<const double> fetched, double time, ReceiverFile& file) = 0;

  Evolution& evolution_;

 private:
  struct Table {
    Timetable times;
    bool ends_only = false;
    std::string file_name;
    std::vector<std::string> columns;
    std::unique_ptr<ReceiverFile> file;  // of the first rank
  };
  struct Row {
    double time = 0;
    std::vector<char> due;  // [table]
  };
  void take(std::vector<char> due);

  std::string folder_;
  std::vector<Table> tables_;
  std::vector<Row> rows_;  // that wait on the device
  std::int64_t room_ = 1, last_step_ = -1;
};

std::unique_ptr<SampledOutput> make_surfaces(Evolution& evolution);
std::unique_ptr<SampledOutput> make_line_probes(Evolution& evolution);
std::unique_ptr<SampledOutput> make_averages(Evolution& evolution);

}  // namespace swell
