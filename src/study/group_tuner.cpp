// SPDX-License-Identifier: Apache-2.0
#include "study/group_tuner.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/log.hpp"

namespace swell {

namespace {

constexpr int tried_in_any_case = 4;     // the default and a few
constexpr double part_for_trials = 0.6;  // of the time; the rest measures the good ones again
constexpr double good_enough = 1.3;      // times the best one's seconds, after the trial
constexpr double trial_seconds = 0.03, final_seconds = 0.08;
constexpr int final_rounds = 9, fewest_final_rounds = 3;
constexpr double clock_seconds = 2e-3;  // launches between two looks at the clock take at least this long
constexpr std::int64_t sampled_scalars = 1 << 20;
constexpr double time_step_part = 1e-6;  // of the step over which a state changes by its own size

double tolerance(Precision precision) { return precision == Precision::double_ ? 1e-12 : 1e-5; }

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double v : values) most = std::max(most, std::abs(v));
  return most;
}

// Relative to the largest value; infinite where something is not a number.
double relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!std::isfinite(b[i])) return std::numeric_limits<double>::infinity();
    most = std::max(most, std::abs(a[i] - b[i]));
  }
  const double scale = largest(a);
  return scale > 0 ? most / scale : most;
}

// How unlike two variants are: doublings of their constants.
double distance(const Variant& a, const Variant& b) {
  constexpr double other_text = 4;
  double sum = a.text == b.text ? 0 : other_text;
  const auto doublings = [](double x, double y) { return std::abs(std::log2((std::abs(x) + 1) / (std::abs(y) + 1))); };
  for (const auto& [name, value] : a.constants) sum += doublings(value, b.constant(name));
  for (const auto& [name, value] : b.constants)
    if (std::none_of(a.constants.begin(), a.constants.end(), [&](const auto& c) { return c.first == name; }))
      sum += doublings(value, 0);
  return sum + doublings(a.resident, b.resident) + doublings(a.threads, b.threads) / 2;
}

}  // namespace

TuneResult GroupTuner::search(double seconds, const std::string& only) {
  const Stopwatch clock;
  trials_.clear();
  for (Variant& v : kernels_.group_variants(group_)) {
    Trial trial;
    trial.timing.name = v.name();
    if (!trials_.empty() && trial.timing.name.find(only) == std::string::npos) continue;
    trial.variant = std::move(v);
    trials_.push_back(std::move(trial));
  }
  for (int count = 0; count < static_cast<int>(trials_.size()); ++count) {
    const double one = count > 0 ? clock.seconds() / count : 0;  // what a trial has taken so far
    if (count >= tried_in_any_case && clock.seconds() + one > part_for_trials * seconds) break;
    Trial& trial = trials_[most_promising()];
    attempt(trial);
    log_info("{} of {}: {}: {}", count + 1, trials_.size(), trial.timing.name,
             trial.timing.usable() ? fmt::format("{:.4g} ms", 1e3 * trial.timing.seconds) : trial.timing.problem);
  }
  finals(clock, seconds);

  TuneResult result;
  result.key = kernels_.group_key(group_);
  result.unknowns = dg_.elements().mixed() ? kernels_.group_scalars(group_).count
                                           : kernels_.group_elements(group_) * dg_.element().node_count * dg_.fields();
  result.default_name = trials_.front().timing.name;
  for (Trial& trial : trials_) {
    if (!trial.tried) trial.timing.problem = "not tried: out of time";
    result.timings.push_back(trial.timing);
  }
  std::stable_sort(result.timings.begin(), result.timings.end(), [](const VariantTiming& a, const VariantTiming& b) {
    if (a.last != b.last) return a.last;
    if (a.usable() != b.usable()) return a.usable();
    return a.usable() && a.seconds < b.seconds;
  });
  for (const Trial& trial : trials_)
    if (trial.timing.name == result.taken().name) kernels_.set_variant(group_, trial.variant);
  result.spent_seconds = clock.seconds();
  return result;
}

// The default first, then what promises most: the mean of what was measured, the more alike the more weight.
std::size_t GroupTuner::most_promising() const {
  if (!trials_.front().tried) return 0;
  std::size_t chosen = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < trials_.size(); ++i) {
    if (trials_[i].tried) continue;
    double sum = 0, weights = 0;
    for (const Trial& known : trials_) {
      if (!known.timing.usable()) continue;
      const double weight = std::exp(-2 * distance(trials_[i].variant, known.variant));
      sum += weight * std::log(known.timing.seconds);
      weights += weight;
    }
    if (sum / weights < least) chosen = i, least = sum / weights;
  }
  return chosen;
}

const GroupTuner::Trial& GroupTuner::best() const {
  const Trial* found = &trials_.front();
  for (const Trial& trial : trials_)
    if (trial.timing.usable() && trial.timing.seconds < found->timing.seconds) found = &trial;
  return *found;
}

void GroupTuner::attempt(Trial& trial) {
  const bool is_default = &trial == &trials_.front();
  trial.tried = true;
  try {
    const Stopwatch clock;
    kernels_.set_variant(group_, trial.variant);
    trial.timing.compile_seconds = clock.seconds();
    if (is_default) {
      dg_.rate(0, *states_.q, *states_.next);
      const double rate = largest(sample(*states_.next));
      step_ = rate > 0 ? largest(sample(*states_.q)) / rate : 1;
    }
    const Answer found = answer();
    if (is_default) reference_ = found;
    trial.timing.problem = difference(found);
    if (trial.timing.problem.empty()) measure(trial);
  } catch (const RunError& failure) {
    if (is_default) throw;
    trial.timing.problem = fmt::format("fails: {}", failure.what());
  }
  if (is_default && !trial.timing.usable())
    throw RunError("The default variant '{}' of {} {}; nothing can be compared with it.", trial.timing.name,
                   kernels_.group_key(group_).kernel, trial.timing.problem);
}

// One that seems slow is compared with the best so far at this very moment: the machine may be slow just now.
void GroupTuner::measure(Trial& trial) {
  const double seconds = launch_seconds(trial_seconds);
  if (&trial != &trials_.front() && seconds > good_enough * best().timing.seconds) {
    kernels_.set_variant(group_, best().variant);
    trial.doubtful = seconds <= good_enough * launch_seconds(trial_seconds);
  }
  trial.timing.seconds = seconds;
}

// In rounds, so that a machine that is slower for a while is so for all of them; the median, so that a moment in which
// it was faster than ever does not decide.
void GroupTuner::finals(const Stopwatch& clock, double seconds) {
  const double limit = good_enough * best().timing.seconds;
  std::vector<Trial*> good;
  for (Trial& trial : trials_)
    if (trial.timing.usable() && (trial.timing.seconds <= limit || trial.doubtful || &trial == &trials_.front()))
      good.push_back(&trial);
  std::vector<std::vector<double>> rounds(good.size());
  double last = 0;  // seconds of the last round
  for (int round = 0; round < final_rounds; ++round) {
    if (round >= fewest_final_rounds && clock.seconds() + last > seconds) break;
    const double began = clock.seconds();
    for (std::size_t i = 0; i < good.size(); ++i) {
      kernels_.set_variant(group_, good[i]->variant);
      rounds[i].push_back(launch_seconds(final_seconds));
    }
    last = clock.seconds() - began;
  }
  // The default is the first of the good ones.
  for (std::size_t i = good.size(); i-- > 0;) {
    int wins = 0;
    for (std::size_t round = 0; round < rounds[i].size(); ++round) wins += rounds[i][round] < rounds[0][round];
    good[i]->timing.wins = static_cast<double>(wins) / static_cast<double>(rounds[i].size());
    std::sort(rounds[i].begin(), rounds[i].end());
    good[i]->timing.seconds = rounds[i][(rounds[i].size() - 1) / 2];
    good[i]->timing.last = true;
  }
}

// Seconds of one launch, the best of several.
double GroupTuner::launch_seconds(double at_least) {
  const auto launch = [&](int count) {
    constexpr double a = -0.5, b = 0.5;
    const Stopwatch clock;
    for (int i = 0; i < count; ++i)
      kernels_.group_stage(group_, *states_.q, states_.next, *states_.residual, a, b, time_step_part * step_);
    dg_.device().queue().finish();
    return clock.seconds() / count;
  };
  launch(1);
  constexpr int most = 1000, fewest_rounds = 3;
  const int count = std::clamp(static_cast<int>(std::ceil(clock_seconds / std::max(1e-9, launch(1)))), 1, most);
  double least = std::numeric_limits<double>::infinity();
  const Stopwatch clock;
  for (int i = 0; i < fewest_rounds || clock.seconds() < at_least; ++i) least = std::min(least, launch(count));
  return least;
}

GroupTuner::Answer GroupTuner::answer() {
  Answer found;
  dg_.rate(0, *states_.q, *states_.next);
  found.rate = sample(*states_.next);
  kernels_.group_answer(group_, *states_.q, states_.next, *states_.residual, step_);
  found.stage = sample(*states_.next);
  found.energy = dg_.observer().energy(*states_.q, 0);
  return found;
}

// The group's values in a state: all of them, or its first, middle and last ones.
std::vector<double> GroupTuner::sample(const Buffer& state) const {
  const Range all_scalars = kernels_.group_scalars(group_);
  constexpr std::int64_t part = sampled_scalars / 3;
  std::vector<std::int64_t> starts{0};
  std::int64_t count = all_scalars.count;
  if (count > 3 * part) {
    starts = {0, (count - part) / 2, count - part};
    count = part;
  }
  std::vector<double> all;
  std::vector<float> single(count);
  std::vector<double> values(count);
  const std::size_t word = bytes_of(dg_.problem().precision);
  for (const std::int64_t start : starts) {
    const std::size_t offset = static_cast<std::size_t>(all_scalars.first + start) * word;
    if (dg_.problem().precision == Precision::double_) {
      state.read(values.data(), values.size() * word, offset);
    } else {
      state.read(single.data(), single.size() * word, offset);
      std::copy(single.begin(), single.end(), values.begin());
    }
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

// A description of the defect of an answer, or "".
std::string GroupTuner::difference(const Answer& found) const {
  const double allowed = tolerance(dg_.problem().precision);
  const double rate = relative_difference(reference_.rate, found.rate);
  const double stage = relative_difference(reference_.stage, found.stage);
  const double energy = relative_difference({reference_.energy}, {found.energy});
  if (rate <= allowed && stage <= allowed && energy <= allowed) return "";
  return fmt::format(
      "is wrong: differs from the default by {:.1e} in the rate, {:.1e} in a stage, {:.1e} in the energy", rate, stage,
      energy);
}

}  // namespace swell
