// SPDX-License-Identifier: Apache-2.0
// The far field of a run: the spectrum of the fields on a closed surface, transformed to what arrives at a great distance
// (docs/farfield.md has the formulas).
#pragma once

#include <complex>
#include <filesystem>
#include <optional>

#include "sim/outputs/farfield_surface.hpp"
#include "sim/outputs/outputs.hpp"

namespace swell {

// The far field of one direction and frequency, for each unit of the incident wave where there is one.
struct FarFieldEntry {
  double frequency = 0, theta = 90, phi = 0;     // degrees
  double section = 0;                            // scattering width or cross section; without incident wave: the square of the amplitude
  double spectrum = 1;                           // of the incident pulse at this frequency, as a part of the integral of |pulse|
  double left = 0;                               // field inside the surface at the end, as a part of what made this far field
  std::vector<std::complex<double>> amplitude;   // times exp(-ikr) / sqrt(r) or / r; one component, or those along theta and phi
};

class FarField {
 public:
  // Finds the surface's points; throws InputError for a model without far field, points outside the mesh or in the total field,
  // and a medium that is not the same all over the surface.
  explicit FarField(Evolution& evolution);
  // Goes on with what a checkpoint holds.
  void resume(const OutputsSoFar& before);
  void save(OutputsSoFar& so_far);
  // Sentences on frequencies that the incident pulse hardly has.
  const std::vector<std::string>& warnings() const { return warnings_; }
  // After each step, and once before the first; queued only.
  void sample();
  // Waits; of all ranks together, and all of it on the first one.
  std::vector<FarFieldEntry> entries();
  // farfield.csv, by the first rank. Why the run did not reach its end goes into its first line.
  void write(const std::filesystem::path& folder, const std::string& unfinished = {});
  // The file without entries, for a run that has not come so far.
  void write_nothing(const std::filesystem::path& folder, const std::string& unfinished) const;

 private:
  using Spectra = std::vector<std::complex<double>>;
  struct Medium {
    double speed = 1, impedance = 1;
  };
  enum class Kind { acoustics, tm, te, maxwell };
  static Kind kind_of(const Model& model, const std::string& key);
  void check_dimensions() const;
  void check_sheets() const;
  void check_spectrum();
  void find_points();
  // [frequency]: the field inside the surface over what its spectrum on the surface amounts to; on the first rank.
  std::vector<double> left(const Spectra& spectra);
  void warn_of_what_is_left(const std::vector<FarFieldEntry>& all) const;
  // Throws InputError where it is not the same at all of the points.
  Medium medium_at(const std::vector<SurfacePoint>& points);
  // [frequency][point][field] of the whole surface, on the first rank.
  Spectra gathered();
  std::string head(const std::string& unfinished) const;  // of farfield.csv
  FarFieldEntry entry(const Spectra& spectra, std::size_t frequency, double theta, double phi) const;

  Evolution& evolution_;
  const FarFieldCase& given_;
  Kind kind_;
  Medium medium_;
  std::vector<SurfacePoint> points_;
  std::vector<std::size_t> mine_;               // the points of this rank
  std::vector<std::vector<double>> of_ranks_;   // on the first rank: the points of each
  std::unique_ptr<PointSpectrum> spectrum_;
  std::optional<Expression> pulse_;             // of the incident wave
  std::vector<double> spectral_parts_;          // [frequency] of that pulse
  std::vector<std::string> warnings_;
  Spectra incident_;                            // its spectrum
  std::optional<double> last_time_;
};

}  // namespace swell
