// SPDX-License-Identifier: Apache-2.0
#include "dg/spectrum.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "base/phasor.hpp"
#include "dg/transfer.hpp"

namespace swell {

namespace {

constexpr std::int64_t rows = 65;  // of samples: 64 intervals at a time

}  // namespace

Spectrum::Spectrum(Operator& dg, const std::vector<std::int32_t>& slots, const std::vector<double>& weights,
                   std::vector<double> frequencies)
    : dg_(dg),
      points_(slots.size()),
      frequencies_(std::move(frequencies)),
      precision_(dg.device().info().doubles ? Precision::double_ : dg.problem().precision) {
  times_.reserve(rows);
  if (points_ == 0) return;
  Device& device = dg.device();
  const std::size_t numbers = 2 * frequencies_.size(), precise = bytes_of(precision_);
  program_ = device.compile({"spectrum",
                             fmt::format("#define DOUBLES {}\n#define FREQUENCIES {}\n#define ROWS {}\n{}",
                                         device.info().doubles ? 1 : 0, frequencies_.size(), rows, kernel_texts("kernels/shared/spectrum.h")),
                             {"add_spectrum"},
                             dg.problem().precision,
                             false});
  slots_ = dg.upload(slots, "slots of a spectrum's points");
  weights_ = dg.upload(weights, "weights of a spectrum's points");
  samples_ = device.allocate(rows * count() * bytes_of(dg.problem().precision), "samples of a spectrum");
  factors_ = device.allocate((rows - 1) * 2 * numbers * precise, "factors of a spectrum");
  sums_ = device.allocate(numbers * count() * precise, "a spectrum");
}

void Spectrum::add(Buffer& state, double time) {
  if (points_ == 0) return;
  const auto points = static_cast<std::int64_t>(points_);
  const std::int64_t row = (first_row_ + static_cast<std::int64_t>(times_.size())) % rows;
  dg_.states().sample(state, *slots_, *weights_, *samples_, points, row * points);
  times_.push_back(time);
  if (static_cast<std::int64_t>(times_.size()) == rows) flush();
}

void Spectrum::flush() {
  if (times_.size() < 2) return;
  const std::size_t intervals = times_.size() - 1;
  std::vector<double> factors;
  for (std::size_t i = 0; i < intervals; ++i)
    for (const double time : {times_[i], times_[i + 1]})
      for (const double frequency : frequencies_) {
        const auto factor = 0.5 * (times_[i + 1] - times_[i]) * turned(frequency, time);
        factors.push_back(factor.real());
        factors.push_back(factor.imag());
      }
  write_reals(precision_, *factors_, factors, 0);
  const auto items = static_cast<std::int64_t>(count()), many = static_cast<std::int64_t>(intervals);
  const auto sums = static_cast<double>(2 * frequencies_.size() * count()), read = static_cast<double>((many + 1) * items);
  dg_.device().queue().launch(program_->kernel("add_spectrum"), items, {*samples_, *factors_, *sums_, items, first_row_, many},
                              {2 * sums * static_cast<double>(bytes_of(precision_)) +
                                   read * static_cast<double>(bytes_of(dg_.problem().precision)),
                               4 * sums * static_cast<double>(many)});
  first_row_ = (first_row_ + many) % rows;
  times_.front() = times_.back();
  times_.resize(1);
}

std::vector<std::complex<double>> Spectrum::values() {
  std::vector<std::complex<double>> all(frequencies_.size() * count());
  if (points_ == 0) return all;
  flush();
  dg_.device().queue().finish();
  const auto sums = download_reals(precision_, *sums_, 2 * all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t f = i / count(), item = i % count();
    all[i] = {sums[2 * f * count() + item], sums[(2 * f + 1) * count() + item]};
  }
  return all;
}

void Spectrum::set(const std::vector<std::complex<double>>& values) {
  times_.clear();
  if (points_ == 0) return;
  std::vector<double> sums(2 * values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t f = i / count(), item = i % count();
    sums[2 * f * count() + item] = values[i].real();
    sums[(2 * f + 1) * count() + item] = values[i].imag();
  }
  write_reals(precision_, *sums_, sums, 0);
}

}  // namespace swell
