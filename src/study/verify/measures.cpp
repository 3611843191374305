// SPDX-License-Identifier: Apache-2.0
#include "study/verify/measures.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "base/error.hpp"
#include "base/expression.hpp"
#include "study/verify/solve.hpp"

namespace swell {

namespace {

struct Row {
  const VerifyEntry& entry;
  const VerifyMeasure& of;
  const Case& given;
  Device& device;
};

void advance_to(VerifyRun& run, const std::optional<double>& time) { run.advance(time.value_or(run.end())); }

double l2(const Row& row, VerifyRun& run) {
  advance_to(run, row.of.time);
  if (row.of.where.text.empty()) return run.error(row.of.field);
  const Expression where = Expression::parse(row.of.where.text, {"x", "y", "z"}, row.of.where.key);
  return run.error(row.of.field, &where);
}

double l1(const Row& row, VerifyRun& run) {
  run.finish();
  return run.error_l1(row.of.field);
}

// The length of the way from `at` to `to`.
double length(const KnownValue& known) {
  double squares = 0;
  for (std::size_t k = 0; k < known.at.size(); ++k) squares += (known.to[k] - known.at[k]) * (known.to[k] - known.at[k]);
  return std::sqrt(squares);
}

double slope(VerifyRun& run, const KnownValue& known) {
  return known.factor * (run.value_at(known.field, known.at) - run.value_at(known.field, known.to)) / length(known);
}

// At a part of the way from `at` to `to`.
double on_the_way(VerifyRun& run, const KnownValue& known, double part) {
  std::vector<double> x = known.at;
  for (std::size_t k = 0; k < x.size(); ++k) x[k] += part * (known.to[k] - known.at[k]);
  return run.value_at(known.field, x);
}

double mean(VerifyRun& run, const KnownValue& known) {
  constexpr int places = 200;
  double sum = 0;
  for (int place = 0; place < places; ++place) sum += on_the_way(run, known, (place + 0.5) / places);
  return sum / places;
}

// How far from `at` the field crosses a level first: between two of so many places on the way, and there by bisection.
double crossing(VerifyRun& run, const KnownValue& known) {
  constexpr int places = 400, halvings = 20;
  const auto above = [&](double part) { return on_the_way(run, known, part) > *known.crosses; };
  const bool first = above(0);
  int place = 1;
  while (place <= places && above(static_cast<double>(place) / places) == first) ++place;
  if (place > places)
    throw RunError("{} does not cross {} between {} and {}.", known.field.empty() ? "The first field" : known.field, *known.crosses, fmt::join(known.at, ", "), fmt::join(known.to, ", "));
  double low = static_cast<double>(place - 1) / places, high = static_cast<double>(place) / places;
  for (int halving = 0; halving < halvings; ++halving) {
    const double middle = (low + high) / 2;
    (above(middle) == first ? low : high) = middle;
  }
  return low * length(known);
}

// The largest difference from known values, in the order of their times.
double values(const Row& row, VerifyRun& run) {
  double largest = 0;
  for (const KnownValue& known : row.of.values) {
    advance_to(run, known.time);
    const double found = known.crosses ? crossing(run, known)
                         : known.mean  ? mean(run, known)
                         : known.to.empty() ? run.value_at(known.field, known.at) : slope(run, known);
    largest = std::max(largest, std::abs(row.of.relative ? found / known.value - 1 : found - known.value));
  }
  return largest;
}

// Along a steady flow in the plane, by the classical scheme of Kutta.
class Flow {
 public:
  Flow(const VerifyMeasure& measure, const Formula& start)
      : clock_(Expression::parse(measure.clock.text, {"t"}, measure.clock.key)),
        start_(Expression::parse(start.text, {"x", "y"}, start.key)),
        steps_(measure.steps) {
    if (measure.velocity.size() != 2) throw InputError("{} must have 2 expressions: flows are carried in the plane", measure.velocity.front().key);
    for (int k = 0; k < 2; ++k) velocity_[k] = Expression::parse(measure.velocity[k].text, {"x", "y"}, measure.velocity[k].key);
  }

  double value(double x, double y, double t) const {
    const Point from = carried({x, y}, -clock_(&t));
    return start_(from.data());
  }

 private:
  using Point = std::array<double, 2>;

  Point velocity(const Point& at) const { return {velocity_[0](at.data()), velocity_[1](at.data())}; }

  Point carried(Point at, double time) const {
    const double dt = time / steps_;
    const auto moved = [](const Point& from, double factor, const Point& along) {
      return Point{from[0] + factor * along[0], from[1] + factor * along[1]};
    };
    for (int i = 0; i < steps_; ++i) {
      const Point a = velocity(at), b = velocity(moved(at, dt / 2, a)), c = velocity(moved(at, dt / 2, b)), d = velocity(moved(at, dt, c));
      for (int k = 0; k < 2; ++k) at[k] += dt / 6 * (a[k] + 2 * b[k] + 2 * c[k] + d[k]);
    }
    return at;
  }

  Expression clock_, start_;
  std::array<Expression, 2> velocity_;
  int steps_;
};

double carried(const Row& row, VerifyRun& run) {
  const auto start = row.given.initial.find(row.of.field);
  if (start == row.given.initial.end()) throw InputError("The measure \"carried\" needs [initial] with {}.", row.of.field);
  const Flow flow(row.of, start->second);
  run.advance(*row.of.time);
  return run.distance(row.of.field, [&](double x, double y) { return flow.value(x, y, *row.of.time); });
}

// The largest growth from one step to the next, over the energy (or the integral that is named) at the start.
double energy_growth(const Row& row, VerifyRun& run) {
  const double start = run.integral(row.of.field);
  double last = start, growth = 0;
  run.advance(run.end(), [&] {
    const double now = run.integral(row.of.field);
    growth = std::max(growth, now - last);
    last = now;
  });
  return growth / std::abs(start);
}

double energy_change(const Row& row, VerifyRun& run) {
  const double start = run.integral(row.of.field);
  run.finish();
  return std::abs(run.integral(row.of.field) / start - 1);
}

double stored(const Row& row, VerifyRun& run) {
  run.finish();
  return std::abs(run.stored_heat() / row.of.unit / row.of.expected.front() - 1);
}

// The heat stored in each step against what came in.
double balance(const Row& row, VerifyRun& run) {
  const Expression inflow = Expression::parse(row.of.inflow.text, {"t", "dt"}, row.of.inflow.key);
  double largest = 0, before = run.stored_heat(), t = run.time();
  run.advance(run.end(), [&] {
    const double at[] = {t, run.dt()};
    const double after = run.stored_heat(), in = inflow(at);
    largest = std::max(largest, std::abs(after - before - in) / in);
    before = after;
    t = run.time();
  });
  return largest;
}

double iterations(const Row&, VerifyRun& run) {
  run.finish();
  return run.iterations();
}

double enclosed(const Row&, VerifyRun& run) {
  run.finish();
  const EnclosedMeasures found = run.enclosed();
  return std::abs(found.found / found.exact - 1);
}

double misplaced(const Row&, VerifyRun& run) {
  run.finish();
  return run.enclosed().misplaced;
}

// In roundings, so that both precisions are judged alike.
double mass(const Row&, VerifyRun& run) {
  const double before = run.mass();
  run.finish();
  return std::abs(run.mass() / before - 1) / run.rounding();
}

double far_field(const Row& row, VerifyRun& run) {
  const std::vector<double> found = run.far_field();
  const std::vector<double>& expected = row.of.expected;
  if (found.size() != expected.size())
    throw InputError("The measure \"farfield\" has {} expected numbers, but the case has {} frequencies and directions.", expected.size(), found.size());
  double largest = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    largest = std::max(largest, std::abs(10 * std::log10(found[i] / row.of.unit / expected[i])));
  return largest;
}

// Between two runs after the same time, over all values at nodes, relative to the second.
double difference(const Row& row, VerifyRun& run) {
  VerifyRun other(case_compared_with(row.entry, row.given), row.device);
  run.finish();
  other.finish();
  const auto a = run.nodal_values(), b = other.nodal_values();
  if (a.size() != b.size()) throw InputError("The two runs of {} do not have the same nodes.", row.entry.name);
  double apart = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    apart += (a[i] - b[i]) * (a[i] - b[i]);
    size += b[i] * b[i];
  }
  return std::sqrt(apart / size);
}

using Measure = double (*)(const Row&, VerifyRun&);
const std::map<std::string_view, Measure> by_name{{"l2", l2},
                                                  {"l1", l1},
                                                  {"values", values},
                                                  {"carried", carried},
                                                  {"energy-growth", energy_growth},
                                                  {"energy-change", energy_change},
                                                  {"stored", stored},
                                                  {"balance", balance},
                                                  {"iterations", iterations},
                                                  {"enclosed", enclosed},
                                                  {"misplaced", misplaced},
                                                  {"mass", mass},
                                                  {"farfield", far_field},
                                                  {"difference", difference}};

}  // namespace

double measured(const VerifyEntry& entry, const Case& c, Device& device) {
  VerifyRun run(c, device);
  return by_name.at(entry.measure.kind)({entry, entry.measure, c, device}, run);
}

double carried_value(const VerifyMeasure& measure, const Formula& start, double x, double y, double t) {
  return Flow(measure, start).value(x, y, t);
}

}  // namespace swell
