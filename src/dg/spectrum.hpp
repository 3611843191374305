// SPDX-License-Identifier: Apache-2.0
// The spectrum of all fields at points: a Fourier transform that runs beside the time steps, on the device.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "dg/operator.hpp"

namespace swell {

class Spectrum {
 public:
  // Each point has a slot and a row of weights, as Operator::sample() takes them; frequencies are cycles for each unit of time.
  Spectrum(Operator& dg, const std::vector<std::int32_t>& slots, const std::vector<double>& weights, std::vector<double> frequencies);

  // Queues: the state at `time` is the end of an interval, or the beginning of all of them. Waits for nothing but, once in many
  // steps, for a small table to be sent.
  void add(Buffer& state, double time);
  // Integral of q exp(-2 pi i f t) over the time so far: [frequency][point][field]; waits.
  std::vector<std::complex<double>> values();
  // Goes on with the integral of another run up to a time; the state at that time is to be added first.
  void set(const std::vector<std::complex<double>>& values);

 private:
  void flush();
  std::size_t count() const { return points_ * static_cast<std::size_t>(dg_.fields()); }

  Operator& dg_;
  std::size_t points_;
  std::vector<double> frequencies_;
  Precision precision_;  // of the sums
  std::unique_ptr<Program> program_;
  std::unique_ptr<Buffer> slots_, weights_, samples_, factors_, sums_;
  std::int64_t first_row_ = 0;  // of the samples that wait
  std::vector<double> times_;   // of them
};

}  // namespace swell
