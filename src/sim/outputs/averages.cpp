// SPDX-License-Identifier: Apache-2.0
// Averages over time of all fields, variables and derived outputs at the nodes, averages.vtu: integrals by the trapezoidal rule over
// the states that were looked at. The host waits for each of these states, as for a file of fields.
#include <algorithm>

#include "base/error.hpp"
#include "base/log.hpp"
#include "sim/outputs/sampled_series.hpp"

namespace swell {

namespace {

class Averages final : public SampledOutput {
 public:
  explicit Averages(Evolution& evolution) : evolution_(evolution), given_(*evolution.given().averages) {
    if (evolution.steady()) throw InputError("{}: the model '{}' has no time to average over.", given_.key, evolution.model());
    times_.every = given_.every;
    times_.next = given_.from;
    if (!(given_.from < evolution.end()))
      throw InputError("{}: from = {:g} is not before the end of the run at t = {:g}.", given_.key, given_.from, evolution.end());
  }

  void open(const std::filesystem::path& folder, const OutputsSoFar& before) override {
    folder_ = folder;
    snapshots_.emplace(evolution_, folder);
    if (const auto known = before.next.find(file_name); known != before.next.end()) resume(known->second, before.averages);
  }

  void sample() override {
    if (!times_.due(evolution_.time())) return;
    times_.take(evolution_.time());
    evolution_.settle();
    NodalFields now = snapshots_->values();
    if (last_.empty()) {
      begin(now);
    } else {
      const double half = 0.5 * (evolution_.time() - last_time_);
      add(last_, half);
      add(now, half);
    }
    last_ = std::move(now);
    last_time_ = evolution_.time();
  }

  void flush() override {}

  // [cell][node][number]: mean, squares and the last state of each output; then the time averaged over and the last time.
  void save(OutputsSoFar& so_far) override {
    so_far.next[file_name] = times_.next;
    so_far.averages.clear();
    if (last_.empty()) return;
    const std::size_t outputs = last_.size(), nodes = last_.front().second.size(), width = 3 * outputs;
    std::vector<double> own(nodes * width);
    for (std::size_t n = 0; n < nodes; ++n)
      for (std::size_t i = 0; i < outputs; ++i) {
        own[n * width + i] = mean_[i][n];
        own[n * width + outputs + i] = squares_[i][n];
        own[n * width + 2 * outputs + i] = last_[i].second[n];
      }
    so_far.averages = of_all_cells(evolution_, std::move(own));
    if (!evolution_.ranks().first()) so_far.averages.clear();
    so_far.averages.push_back(span_);
    so_far.averages.push_back(last_time_);
  }

  void finish() override {
    if (!(span_ > 0)) {
      log_warning("{}: the run ended with {} state at or after from = {:g}, so that there are no averages.", given_.key,
                  last_.empty() ? "no" : "one", given_.from);
      return;
    }
    NodalFields all;
    for (std::size_t i = 0; i < last_.size(); ++i) {
      const std::string& name = last_[i].first;
      std::vector<double> rms, deviation;
      for (std::size_t n = 0; n < mean_[i].size(); ++n) {
        const double variance = squares_[i][n] / span_;
        deviation.push_back(std::sqrt(variance));
        rms.push_back(std::sqrt(mean_[i][n] * mean_[i][n] + variance));
      }
      all.emplace_back(name + "_mean", mean_[i]);
      all.emplace_back(name + "_rms", std::move(rms));
      all.emplace_back(name + "_deviation", std::move(deviation));
    }
    const std::string name = snapshots_->write(folder_, "averages", all);
    log_info("Averages from t = {:.6g} to {:.6g}: {}", last_time_ - span_, last_time_, (folder_ / name).string());
  }

 private:
  static constexpr const char* file_name = "averages";

  void begin(const NodalFields& now) {
    for (const auto& [name, values] : now) {
      mean_.emplace_back(values.size(), 0.0);
      squares_.emplace_back(values.size(), 0.0);
    }
  }

  // A state with this weight: the mean, and the integral of the square of what differs from it (West 1979).
  void add(const NodalFields& state, double weight) {
    span_ += weight;
    for (std::size_t i = 0; i < state.size(); ++i)
      for (std::size_t n = 0; n < mean_[i].size(); ++n) {
        const double difference = state[i].second[n] - mean_[i][n];
        mean_[i][n] += weight / span_ * difference;
        squares_[i][n] += weight * difference * (state[i].second[n] - mean_[i][n]);
      }
  }

  void resume(double next, const std::vector<double>& stored) {
    times_.next = next;
    if (stored.empty()) return;
    NodalFields now = snapshots_->values();
    const Elements& elements = evolution_.reference();
    const Mesh& mesh = evolution_.mesh();
    const std::size_t outputs = now.size(), width = 3 * outputs;
    if (stored.size() != static_cast<std::size_t>(elements.whole_first_node(evolution_.elements())) * width + 2) {
      log_warning("{}: the checkpoint has averages of another order or of other outputs, which cannot go on: they begin anew at t = {:.6g}.",
                  given_.key, evolution_.time());
      return;
    }
    begin(now);
    for (std::int64_t cell = 0; cell < mesh.own_count(); ++cell)
      for (int node = 0; node < elements.node_count(cell); ++node) {
        const auto n = static_cast<std::size_t>(elements.first_node(cell) + node);
        const double* from = stored.data() + static_cast<std::size_t>(elements.whole_first_node(mesh.number_of(cell)) + node) * width;
        for (std::size_t i = 0; i < outputs; ++i) {
          mean_[i][n] = from[i];
          squares_[i][n] = from[outputs + i];
          now[i].second[n] = from[2 * outputs + i];
        }
      }
    last_ = std::move(now);
    span_ = stored[stored.size() - 2];
    last_time_ = stored.back();
  }

  Evolution& evolution_;
  const AveragesCase& given_;
  std::filesystem::path folder_;
  std::optional<Snapshots> snapshots_;
  Timetable times_;
  NodalFields last_;  // the last state
  double last_time_ = 0, span_ = 0;
  std::vector<std::vector<double>> mean_, squares_;  // [output][node]
};

}  // namespace

std::unique_ptr<SampledOutput> make_averages(Evolution& evolution) { return std::make_unique<Averages>(evolution); }

}  // namespace swell
