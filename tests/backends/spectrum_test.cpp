// SPDX-License-Identifier: Apache-2.0
// The running Fourier transform on every device, against one on the host of the signals of receivers at the same points.
#include <cmath>
#include <complex>

#include "dg/spectrum.hpp"
#include "sim/outputs/farfield.hpp"
#include "support.hpp"

namespace swell {
namespace {

const std::string ringing = R"toml(
[mesh]
box = { low = [0, 0], high = [1, 1], cells = [3, 2], element = "triangle" }
[model]
name = "acoustics"
order = 2
[initial]
p = "cos(pi*x)*cos(2*pi*y)"
[time]
steps = 150
)toml";

class SpectrumOf : public OnEveryDevice {};

TEST_P(SpectrumOf, ARunIsThatOfItsSamples) {
  for (const char* precision : {"double", "single"}) {
    Simulation run(parse_case(ringing, "test.toml", {std::string("device.precision=") + precision}), device);
    const std::vector<double> point{0.3, 0.4}, frequencies{0.4, 3};
    const auto hit = run.locate(point, "here");
    Matrix at(1, 2);
    at << hit.reference[0], hit.reference[1];
    const Matrix weights = run.dg().states().evaluation(at);
    Spectrum spectrum(run.dg(), {static_cast<std::int32_t>(run.dg().layout().slot_of_cell[hit.cell])},
                      {weights.data(), weights.data() + weights.size()}, frequencies);
    std::vector<double> times, heard;
    const auto note = [&] {
      spectrum.add(run.state(), run.time());
      times.push_back(run.time());
      heard.push_back(run.value_at("p", point));
      return true;
    };
    note();
    run.advance(run.end(), note);
    const auto values = spectrum.values();
    for (std::size_t f = 0; f < frequencies.size(); ++f) {
      std::complex<double> expected = 0;
      for (std::size_t i = 0; i + 1 < times.size(); ++i)
        for (const std::size_t end : {i, i + 1})
          expected += 0.5 * (times[i + 1] - times[i]) * heard[end] * std::polar(1.0, -2 * M_PI * frequencies[f] * times[end]);
      EXPECT_LT(std::abs(values[f * 3] - expected), precision == std::string("double") ? 1e-14 : 1e-6) << precision;
    }
  }
}

TEST_P(SpectrumOf, ARunDoesNotMakeTheHostWaitForSteps) {
  Simulation run(parse_case(ringing + "[farfield]\nfrequencies = [1]\nsurface = { center = [0.5, 0.5], radius = 0.3 }\n", "test.toml"), device);
  FarField far(run);
  const auto after_step = [&] {
    far.sample();
    return true;
  };
  run.run_to(run.dt() * 20, after_step);
  const DeviceCounters before = device.counters();
  const auto checks = run.checks();
  run.run_to(run.dt() * 120, after_step);
  const DeviceCounters after = device.counters();
  EXPECT_EQ(after.allocations, before.allocations);
  // A table for 64 intervals is sent once or twice in a hundred steps.
  EXPECT_LE(after.copies - before.copies - (run.checks() - checks), 2);
}

INSTANTIATE_TEST_SUITE_P(Devices, SpectrumOf, testing::ValuesIn(usable_devices()), device_test_name);

}  // namespace
}  // namespace swell
