// SPDX-License-Identifier: Apache-2.0
// The axes of charts: what they span, and where their ticks stand.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "io/draw/chart.hpp"
#include "io/draw/picture.hpp"

namespace swell {

namespace {

// Curves stay off the frame by this part of the span.
constexpr double margin = 0.04;
// From this ratio of the ends on, a logarithmic axis ends at powers of ten.
constexpr double decades_from = 30;

// "1e-06" as people write it.
std::string short_exponent(std::string text) {
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  const bool negative = text[e + 1] == '-';
  const std::size_t digits = std::min(text.find_first_not_of("+-0", e + 1), text.size() - 1);
  return text.substr(0, e + 1) + (negative ? "-" : "") + text.substr(digits);
}

}  // namespace

ChartScale::ChartScale(const ChartAxis& axis, const std::vector<double>& values, double from, double to, double room)
    : kind_(axis.kind), from_(from), to_(to) {
  for (const double v : values)
    if (shows(v)) low_ = std::min(low_, v), high_ = std::max(high_, v);
  if (axis.ends) low_ = (*axis.ends)[0], high_ = (*axis.ends)[1];
  if (!(low_ <= high_)) throw InputError("There is no value to draw of '{}'.", axis.title);
  if (axis.low && *axis.low < high_) low_ = std::max(low_, *axis.low);
  if (axis.ends && low_ < high_) {
    // As they are given.
  } else if (kind_ == AxisKind::logarithmic) {
    const bool wide = high_ / low_ >= decades_from && axis.ticks.empty();
    low_ = wide ? std::pow(10, std::floor(std::log10(low_) + 1e-9)) : low_ / 1.25;
    high_ = wide ? std::pow(10, std::ceil(std::log10(high_) - 1e-9)) : high_ * 1.25;
  } else if (low_ == high_) {
    const double half = low_ == 0 ? 1 : 0.1 * std::abs(low_);
    low_ -= half, high_ += half;
  } else if (from > to) {  // upwards; along the page curves use the whole width
    const double more = margin * (high_ - low_);
    low_ -= more, high_ += more;
  }
  choose_ticks(axis, room);
}

bool ChartScale::shows(double value) const {
  return std::isfinite(value) && (kind_ != AxisKind::logarithmic || value > 0);
}

double ChartScale::operator()(double value) const {
  const double t = kind_ == AxisKind::logarithmic ? std::log(value / low_) / std::log(high_ / low_) : (value - low_) / (high_ - low_);
  return from_ + (to_ - from_) * t;
}

void ChartScale::choose_ticks(const ChartAxis& axis, double room) {
  const double length = std::abs(to_ - from_);
  const int most = std::max(3, static_cast<int>(length / room));
  if (!axis.ticks.empty()) {
    for (const double v : axis.ticks)
      if (v >= low_ && v <= high_ && (ticks_.empty() || std::abs((*this)(v) - (*this)(ticks_.back())) >= room)) ticks_.push_back(v);
    for (const double v : ticks_) texts_.push_back(short_exponent(fmt::format("{:.6g}", v)));
  } else if (kind_ == AxisKind::logarithmic && high_ / low_ > 10) {
    choose_decades(room);
  } else {
    ticks_ = swell::ticks(low_, high_, most);
    if (kind_ == AxisKind::degrees)
      for (const double step : {5.0, 10.0, 15.0, 30.0, 45.0, 90.0, 180.0}) {
        if ((high_ - low_) / step > most && step < 180) continue;
        ticks_.clear();
        // Adding 0 turns a negative zero into 0.
        for (double v = step * std::ceil(low_ / step - 1e-9) + 0.0; v <= high_ + 1e-9; v += step) ticks_.push_back(v);
        break;
      }
    if (kind_ == AxisKind::logarithmic) {  // within a decade round numbers crowd towards the end
      std::vector<double> apart;
      for (const double v : ticks_)
        if (apart.empty() || std::abs((*this)(v) - (*this)(apart.back())) >= room) apart.push_back(v);
      ticks_ = apart;
    }
    texts_ = tick_texts(ticks_);
    for (std::string& text : texts_) text = short_exponent(text);
  }
}

void ChartScale::choose_decades(double room) {
  const double decade = std::abs(to_ - from_) / std::log10(high_ / low_);  // its length on the page
  const int first = static_cast<int>(std::floor(std::log10(low_) + 1e-9)), last = static_cast<int>(std::ceil(std::log10(high_) - 1e-9));
  const int step = std::max(1, static_cast<int>(std::ceil(room / decade)));
  // Between the powers of ten only where there is room for the nearest two, 1 and 2, and few decades need it.
  const bool fine = decade * std::log10(2) >= room && last - first <= 3;
  const bool plain = first >= -3 && last <= 4;
  for (int power = first; power <= last; power += step)
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double v = factor * std::pow(10, power);
      if ((factor > 1 && !fine) || v < low_ * (1 - 1e-9) || v > high_ * (1 + 1e-9)) continue;
      ticks_.push_back(v);
      texts_.push_back(plain || power == 0 ? fmt::format("{:g}", v) : fmt::format("{:g}e{}", factor, power));
    }
}

}  // namespace swell
