// SPDX-License-Identifier: Apache-2.0
// Far fields of metal cylinders and spheres, and of hard and soft ones for sound, against their series (Bowman, Senior and Uslenghi,
// Electromagnetic and Acoustic Scattering by Simple Shapes, 1969). The outer sides lie so far away that nothing comes back from
// them before the end.
#include <cmath>
#include <complex>
#include <numbers>

#include "sim/outputs/farfield.hpp"
#include "sim/simulation.hpp"
#include "study/verify/verify.hpp"

namespace swell {

namespace {

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;
constexpr int terms = 30;  // of series at k a = 1

// ka = 1 at speed 1 and radius 1.
constexpr const char* cylinder = R"toml(
[mesh.shell]
inner = 1
outer = 20
cells = $N
layers = $layers
geometry_order = 3
element = "$element"
[model]
name = "$model"
order = $order
[boundary]
inner = "$wall"
outer = "absorbing"
[incident]
direction = [1, 0]
pulse = "exp(-((s - 8)/2)^2)*sin(s - 8)"
total = { low = [-2.6, -2.6], high = [2.6, 2.6] }
[time]
end = 36
cfl = $cfl
[farfield]
frequencies = [0.15915494309189535]
surface = $surface
phi = [0, 60, 180, 300]
)toml";

constexpr const char* sphere = R"toml(
[mesh.shell]
center = [0, 0, 0]
inner = 1
outer = 16
cells = $N
layers = 12
geometry_order = 3
element = "$element"
[model]
name = "$model"
order = $order
[boundary]
inner = "$wall"
outer = "absorbing"
[incident]
direction = [0, 0, 1]
pulse = "exp(-((s - 6)/1.7)^2)*sin(s - 6)"
total = { low = [-2.2, -2.2, -2.2], high = [2.2, 2.2, 2.2] }
[time]
end = 26
cfl = $cfl
[farfield]
frequencies = [0.15915494309189535]
surface = { radius = 5 }
phi = [0]
theta = [0, 180]
)toml";

double bessel(int n, double x) { return n < 0 ? (n % 2 ? -1 : 1) * std::cyl_bessel_j(-n, x) : std::cyl_bessel_j(n, x); }
double neumann(int n, double x) { return n < 0 ? (n % 2 ? -1 : 1) * std::cyl_neumann(-n, x) : std::cyl_neumann(n, x); }

// Scattering width over the wavelength of a cylinder with k a = 1: the field (soft) or its normal derivative (hard) vanishes.
double cylinder_width(bool soft, double phi) {
  Complex sum = 0;
  for (int n = 0; n < terms; ++n) {
    const double j = soft ? bessel(n, 1) : (bessel(n - 1, 1) - bessel(n + 1, 1)) / 2;
    const double y = soft ? neumann(n, 1) : (neumann(n - 1, 1) - neumann(n + 1, 1)) / 2;
    sum += (n > 0 ? 2.0 : 1.0) * std::cos(n * phi * pi / 180) * j / Complex(j, -y);
  }
  return 2 / pi * std::norm(sum);
}

double slope(double (*f)(unsigned, double), unsigned n) { return n == 0 ? -f(1, 1) : f(n - 1, 1) - (n + 1) * f(n, 1); }

// Cross section over pi a^2 of a sphere with k a = 1, forwards (theta = 0) or back.
double sound_section(bool soft, double theta) {
  Complex sum = 0;
  for (unsigned n = 0; n < terms; ++n) {
    const double j = soft ? std::sph_bessel(n, 1) : slope(std::sph_bessel, n), y = soft ? std::sph_neumann(n, 1) : slope(std::sph_neumann, n);
    sum += (theta > 90 && n % 2 ? -1.0 : 1.0) * (2.0 * n + 1) * j / Complex(j, -y);
  }
  return 4 * std::norm(sum);
}

double metal_section(double theta) {
  Complex sum = 0;
  for (unsigned n = 1; n < terms; ++n) {
    const double j = std::sph_bessel(n, 1), y = std::sph_neumann(n, 1);
    const double dj = j + slope(std::sph_bessel, n), dy = y + slope(std::sph_neumann, n);  // of x j(x) and x y(x) at 1
    const Complex a = dj / Complex(dj, -dy), b = j / Complex(j, -y);
    sum += (n + 0.5) * (theta > 90 ? (n % 2 ? -1.0 : 1.0) * (a - b) : a + b);
  }
  return 4 * std::norm(sum);
}

// The largest difference to `expected` (by angle) in decibels; `unit` makes sections of numbers.
auto decibels(double (*expected)(const FarFieldEntry&), double unit) {
  return [=](Simulation& simulation) {
    FarField far(simulation);
    far.sample();
    simulation.advance(simulation.end(), [&] {
      far.sample();
      return true;
    });
    double largest = 0;
    for (const FarFieldEntry& entry : far.entries())
      largest = std::max(largest, std::abs(10 * std::log10(entry.section / unit / expected(entry))));
    return largest;
  };
}

}  // namespace

std::vector<VerifyEntry> verify_far_field() {
  constexpr double allowed = 0.1;
  const std::string quantity = "largest difference in dB";
  const auto soft_width = [](const FarFieldEntry& e) { return cylinder_width(true, e.phi); };
  const auto hard_width = [](const FarFieldEntry& e) { return cylinder_width(false, e.phi); };
  const auto in_words = [](const char* model, const char* wall, const char* surface) {
    return std::map<std::string, std::string>{{"model", model}, {"wall", wall}, {"surface", surface}, {"layers", "20"}};
  };
  const char *circle = "{ radius = 5 }", *box = "{ low = [-4, -4.5], high = [4.2, 4] }";
  const double wavelength = 2 * pi;
  const auto plane = [&](const std::vector<int>& quick) {
    return std::vector<VerifySeries>{limit("quadrilateral", 6, {6}, quick, allowed), limit("triangle", 6, {6}, {}, allowed)};
  };
  const std::vector<VerifySeries> once{limit("quadrilateral", 6, {6}, {}, allowed)};
  const std::vector<VerifySeries> space{limit("hexahedron", 5, {4}, {}, allowed)};
  const auto sphere_words = [](const char* model, const char* wall) {
    return std::map<std::string, std::string>{{"model", model}, {"wall", wall}};
  };
  return {
      {"farfield-cylinder-tm", "scattering width of a metal cylinder, ka = 1, electric field along it", cylinder,
       in_words("maxwell-tm", "pec", circle), plane({}), decibels(soft_width, wavelength), quantity},
      {"farfield-cylinder-te", "scattering width of a metal cylinder, ka = 1, magnetic field along it", cylinder,
       in_words("maxwell-te", "pec", circle), plane({6}), decibels(hard_width, wavelength), quantity},
      {"farfield-cylinder-box", "the same from the sides of a box around it, electric field along it", cylinder,
       in_words("maxwell-tm", "pec", box), once, decibels(soft_width, wavelength), quantity},
      {"farfield-cylinder-sound", "scattering width of a hard cylinder for sound, ka = 1", cylinder,
       in_words("acoustics", "rigid", circle), once, decibels(hard_width, wavelength), quantity},
      {"farfield-sphere", "cross section of a metal sphere, ka = 1, forwards and back", sphere, sphere_words("maxwell", "pec"), space,
       decibels([](const FarFieldEntry& e) { return metal_section(e.theta); }, pi), quantity},
      {"farfield-sphere-sound", "cross section of a soft sphere for sound, ka = 1, forwards and back", sphere,
       sphere_words("acoustics", "soft"), space, decibels([](const FarFieldEntry& e) { return sound_section(true, e.theta); }, pi),
       quantity},
  };
}

}  // namespace swell
