// SPDX-License-Identifier: Apache-2.0
// Phasors are with exp(+i omega t): the spectrum of a signal is its integral with exp(-i omega t). Amplitudes by Huygens' principle
// with the equivalent currents J = n x H, M = -n x E of the surface (Balanis, Advanced Engineering Electromagnetics, 2012,
// section 6.8 in space, and the same with Hankel's function in the plane); pressure by Kirchhoff's integral.
#include "sim/outputs/farfield.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/phasor.hpp"
#include "case/problem_of_case.hpp"
#include "io/files.hpp"
#include "io/text_table.hpp"
#include "sim/outputs/farfield_trust.hpp"

namespace swell {

namespace {

using Complex = std::complex<double>;
using ComplexVector = std::array<Complex, 3>;
constexpr double pi = std::numbers::pi;
constexpr double same_medium = 1e-9;

double radians(double degrees) { return degrees * pi / 180; }

template <class A, class B>
auto dot(const A& a, const B& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

ComplexVector cross(const std::array<double, 3>& a, const ComplexVector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

std::vector<double> whole_degrees(int count) {
  std::vector<double> all(count);
  for (int i = 0; i < count; ++i) all[i] = i;
  return all;
}

bool has_all(const Model& model, std::initializer_list<const char*> fields, std::initializer_list<const char*> material) {
  const auto is_field = [&](const char* name) { return model.field_index(name) >= 0; };
  const auto is_material = [&](const char* name) { return model.material_index(name) >= 0; };
  return std::all_of(fields.begin(), fields.end(), is_field) && std::all_of(material.begin(), material.end(), is_material);
}

}  // namespace

// Fields and materials say by which formula a model radiates, so that a user's own page of Maxwell's equations does too.
FarField::Kind FarField::kind_of(const Model& model, const std::string& key) {
  if (has_all(model, {"p", "vx", "vy"}, {"rho", "c"})) return Kind::acoustics;
  if (has_all(model, {"Ex", "Ey", "Ez", "Hx", "Hy", "Hz"}, {"epsilon", "mu", "sigma"})) return Kind::maxwell;
  if (has_all(model, {"Hx", "Hy", "Ez"}, {"epsilon", "mu", "sigma"})) return Kind::tm;
  if (has_all(model, {"Ex", "Ey", "Hz"}, {"epsilon", "mu", "sigma"})) return Kind::te;
  throw InputError("{}: the model '{}' has no far field; acoustics, maxwell-tm, maxwell-te and maxwell have.", key, model.name);
}

FarField::FarField(Evolution& evolution) : evolution_(evolution), given_(*evolution.given().far_field) {
  const Problem& problem = evolution.problem();
  if (problem.model.dim == 1)
    throw InputError("{}: a line has no far field, since its waves keep their height; put a receiver at its end.", given_.key);
  kind_ = kind_of(problem.model, given_.key);
  check_dimensions();
  check_sheets();
  find_points();
  if (problem.total_field) pulse_ = problem.total_field->wave.pulse;
  incident_.resize(given_.frequencies.size());
  check_spectrum();
}

// A frequency that the pulse has not got: the far field would be rounding over rounding.
void FarField::check_spectrum() {
  spectral_parts_.assign(given_.frequencies.size(), 1);
  if (!pulse_) return;
  spectral_parts_ = spectral_parts(*pulse_, evolution_.end(), given_.frequencies);
  for (std::size_t f = 0; f < given_.frequencies.size(); ++f) {
    const std::string figures = fmt::format("at {:g} the incident pulse has a spectrum of {:.1e} of the integral of its magnitude",
                                            given_.frequencies[f], spectral_parts_[f]);
    if (!(spectral_parts_[f] >= least_spectrum))
      throw InputError("{}: {} up to t = {:g}, so that no far field can be told from rounding; choose a frequency that the pulse has, or a shorter pulse.",
                       place_of(given_.key, "frequencies"), figures, evolution_.end());
    if (spectral_parts_[f] < weak_spectrum)
      warnings_.push_back(fmt::format("{}: {}; errors of the mesh at stronger frequencies may show there.", place_of(given_.key, "frequencies"), figures));
  }
}

std::vector<double> FarField::left(const Spectra& spectra) {
  const Model& model = evolution_.problem().model;
  const std::size_t fields = model.fields.size();
  std::vector<WeightedField> weighted;
  for (std::size_t i = 0; i < fields; ++i) {
    const bool flow = model.fields[i][0] == (kind_ == Kind::acoustics ? 'v' : 'H');  // in units of the other field by the impedance
    weighted.push_back({static_cast<int>(i), flow ? medium_.impedance : 1});
  }
  const double inside = field_inside(evolution_, given_, weighted);
  std::vector<double> parts;
  for (std::size_t f = 0; f < given_.frequencies.size() && evolution_.ranks().first(); ++f) {
    double squares = 0;
    for (std::size_t p = 0; p < points_.size(); ++p)
      for (const WeightedField& w : weighted)
        squares += std::norm(w.weight * spectra[(f * points_.size() + p) * fields + static_cast<std::size_t>(w.field)]);
    // A field u that has not been transformed adds about u / (2 pi f) to the integral (by parts).
    const double made = 2 * pi * given_.frequencies[f] * std::sqrt(squares / static_cast<double>(points_.size()));
    parts.push_back(inside > 0 ? inside / made : 0);
  }
  return parts;
}

void FarField::warn_of_what_is_left(const std::vector<FarFieldEntry>& all) const {
  for (const double frequency : given_.frequencies) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const FarFieldEntry& e) { return e.frequency == frequency; });
    if (found == all.end() || !(found->left > much_left)) continue;
    log_warning("The far field at {:g} is not complete: the field inside its surface at t = {:g} amounts to {:.2g} of what has passed; raise time.end.",
                frequency, evolution_.time(), found->left);
  }
}

void FarField::check_dimensions() const {
  const int dim = evolution_.mesh().dim;
  const auto size = static_cast<std::size_t>(dim);
  for (const auto& [numbers, name] : {std::pair{&given_.low, "low"}, {&given_.high, "high"}, {&given_.center, "center"}})
    if (!numbers->empty() && numbers->size() != size)
      throw InputError("{} has {} numbers, but the mesh has {} dimensions.", place_of(place_of(given_.key, "surface"), name),
                       numbers->size(), dim);
  if (dim == 2 && !given_.theta.empty())
    throw InputError("{} is for meshes in space; in the plane phi is the only angle.", place_of(given_.key, "theta"));
}

// A sheet that the surface meets radiates from outside of it as well, and on it the fields have two values.
void FarField::check_sheets() const {
  const Mesh& mesh = evolution_.mesh();
  constexpr double touching = 1e-9;  // of the size of a face
  double met = std::numeric_limits<double>::infinity();  // the boundary
  for (const SheetFace& sheet : mesh.sheets) {
    if (sheet.cell[0] < 0 && sheet.cell[1] < 0) continue;
    const int side = sheet.cell[0] >= 0 ? 0 : 1;
    double nearest = std::numeric_limits<double>::infinity(), farthest = -nearest, size = 0;
    const auto corners = face_vertices(mesh.shape_of(sheet.cell[side]), sheet.face[side]);
    const auto first = mesh.vertex(sheet.cell[side], corners[0]);
    for (const int corner : corners) {
      const auto x = mesh.vertex(sheet.cell[side], corner);
      nearest = std::min(nearest, distance_outside(given_, x));
      farthest = std::max(farthest, distance_outside(given_, x));
      size = std::max(size, std::hypot(x[0] - first[0], x[1] - first[1], x[2] - first[2]));
    }
    if (nearest <= touching * size && farthest >= -touching * size) met = std::min<double>(met, sheet.boundary);
  }
  evolution_.ranks().smallest(std::span(&met, 1));
  if (std::isfinite(met))
    throw InputError("{} meets faces of '{}' inside the domain, which [boundary] makes a boundary; it must lie around all that scatters.",
                     place_of(given_.key, "surface"), mesh.boundaries[static_cast<std::size_t>(met)]);
}

FarField::Medium FarField::medium_at(const std::vector<SurfacePoint>& points) {
  const Problem& problem = evolution_.problem();
  const Model& model = problem.model;
  const int dim = model.dim;
  const auto value = [&](const std::vector<double>& material, const char* name) {
    const auto found = std::find_if(model.material.begin(), model.material.end(), [&](const auto& m) { return m.name == name; });
    return material[found - model.material.begin()];
  };
  const std::size_t count = model.material.size();
  std::vector<double> low(count, std::numeric_limits<double>::infinity()), high(count, -low[0]);
  for (const SurfacePoint& point : points) {
    const auto hit = evolution_.locate({point.x.begin(), point.x.begin() + dim}, place_of(given_.key, "surface"));
    if (hit.cell < 0) continue;
    const double place[4] = {point.x[0], point.x[1], point.x[2], 0};
    const auto& region = problem.material[problem.mesh->region_of(hit.cell)];
    for (std::size_t i = 0; i < count; ++i) {
      const double here = region[i](place);
      low[i] = std::min(low[i], here);
      high[i] = std::max(high[i], here);
    }
  }
  evolution_.ranks().smallest(low);
  evolution_.ranks().largest(std::span(high));
  for (std::size_t i = 0; i < count; ++i)
    if (high[i] - low[i] > same_medium * std::max(std::abs(high[i]), std::abs(low[i])))
      throw InputError("{}: {} is {} at one point and {} at another, but a far field needs one medium around the surface.",
                       place_of(given_.key, "surface"), model.material[i].name, low[i], high[i]);
  if (kind_ == Kind::acoustics) return {value(low, "c"), value(low, "rho") * value(low, "c")};
  const double epsilon = value(low, "epsilon"), mu = value(low, "mu");
  if (value(low, "sigma") != 0)
    throw InputError("{}: the medium there conducts (sigma = {}), so nothing arrives far away.", place_of(given_.key, "surface"),
                     value(low, "sigma"));
  return {1 / std::sqrt(epsilon * mu), std::sqrt(mu / epsilon)};
}

void FarField::find_points() {
  const Problem& problem = evolution_.problem();
  const int dim = problem.model.dim;
  const double highest = *std::max_element(given_.frequencies.begin(), given_.frequencies.end());
  // A few points tell the speed, and with it how many are needed; all of these must then lie in the same medium.
  medium_ = medium_at(surface_points(given_, dim, std::numeric_limits<double>::infinity()));
  points_ = surface_points(given_, dim, medium_.speed / highest);
  medium_ = medium_at(points_);
  std::vector<Locator::Hit> hits;
  std::vector<double> numbers;
  bool total = false;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const auto hit = evolution_.locate({points_[i].x.begin(), points_[i].x.begin() + dim}, place_of(given_.key, "surface"));
    if (hit.cell < 0) continue;
    mine_.push_back(i);
    numbers.push_back(static_cast<double>(i));
    total = total || (problem.total_field && problem.total_field->total[hit.cell]);
    hits.push_back(hit);
  }
  if (evolution_.ranks().any(total))
    throw InputError("{} meets cells of the total field; it must lie around them, where the field is the scattered one.",
                     place_of(given_.key, "surface"));
  of_ranks_ = evolution_.ranks().gather(numbers);
  spectrum_ = evolution_.samplers().spectrum(hits, given_.frequencies);
  if (!spectrum_) throw InputError("{}: the model '{}' has no far field.", given_.key, evolution_.model());
}

void FarField::sample() {
  const double now = evolution_.time();
  spectrum_->add();
  if (pulse_ && last_time_)
    for (std::size_t f = 0; f < incident_.size(); ++f)
      for (const double t : {*last_time_, now})
        incident_[f] += 0.5 * (now - *last_time_) * (*pulse_)(&t) * turned(given_.frequencies[f], t);
  last_time_ = now;
}

FarField::Spectra FarField::gathered() {
  const std::size_t fields = evolution_.fields().size(), count = given_.frequencies.size();
  const Spectra own = spectrum_->values();
  std::vector<double> parts;
  for (const Complex& value : own) {
    parts.push_back(value.real());
    parts.push_back(value.imag());
  }
  const auto all = evolution_.ranks().gather(parts);
  Spectra spectra(evolution_.ranks().first() ? count * points_.size() * fields : 0);
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const std::size_t there = of_ranks_[rank].size();
    for (std::size_t f = 0; f < count; ++f)
      for (std::size_t p = 0; p < there; ++p)
        for (std::size_t i = 0; i < fields; ++i) {
          const double* value = all[rank].data() + 2 * ((f * there + p) * fields + i);
          spectra[(f * points_.size() + static_cast<std::size_t>(of_ranks_[rank][p])) * fields + i] = {value[0], value[1]};
        }
  }
  return spectra;
}

void FarField::save(OutputsSoFar& so_far) {
  so_far.far_field.clear();
  for (const Spectra& part : {gathered(), incident_})
    for (const Complex& value : part) {
      so_far.far_field.push_back(value.real());
      so_far.far_field.push_back(value.imag());
    }
}

void FarField::resume(const OutputsSoFar& before) {
  const std::size_t fields = evolution_.fields().size(), count = given_.frequencies.size();
  if (before.far_field.size() != 2 * count * (points_.size() * fields + 1))
    throw InputError("--restart: {} asks for a far field that the checkpoint has no beginning of.", given_.key);
  const auto at = [&](std::size_t i) { return Complex(before.far_field[2 * i], before.far_field[2 * i + 1]); };
  Spectra own;
  for (std::size_t f = 0; f < count; ++f)
    for (const std::size_t point : mine_)
      for (std::size_t i = 0; i < fields; ++i) own.push_back(at((f * points_.size() + point) * fields + i));
  spectrum_->set(own);
  for (std::size_t f = 0; f < count; ++f) incident_[f] = at(count * points_.size() * fields + f);
  last_time_.reset();
  sample();
}

FarFieldEntry FarField::entry(const Spectra& spectra, std::size_t frequency, double theta, double phi) const {
  const Model& model = evolution_.problem().model;
  const std::size_t fields = model.fields.size();
  const double k = 2 * pi * given_.frequencies[frequency] / medium_.speed, z = medium_.impedance;
  const double st = std::sin(radians(theta)), ct = std::cos(radians(theta)), sp = std::sin(radians(phi)), cp = std::cos(radians(phi));
  const std::array<double, 3> r{st * cp, st * sp, model.dim == 3 ? ct : 0}, along_theta{ct * cp, ct * sp, -st}, along_phi{-sp, cp, 0};
  const auto vector = [&](const Complex* q, const char* first, int components) {
    ComplexVector v{};
    const int at = model.field_index(first);
    for (int d = 0; d < components; ++d) v[d] = q[at + d];
    return v;
  };
  const auto scalar = [&](const Complex* q, const char* name) { return ComplexVector{0, 0, q[model.field_index(name)]}; };
  Complex pressure = 0;
  ComplexVector currents{}, magnetic{};  // radiation vectors: integrals of J and M exp(i k r.x)
  for (std::size_t p = 0; p < points_.size(); ++p) {
    const SurfacePoint& point = points_[p];
    const Complex* q = spectra.data() + (frequency * points_.size() + p) * fields;
    const Complex factor = point.weight * std::polar(1.0, k * dot(r, point.x));
    if (kind_ == Kind::acoustics) {
      const ComplexVector v = vector(q, "vx", model.dim);
      pressure += factor * (dot(r, point.normal) * q[model.field_index("p")] + z * dot(point.normal, v));
      continue;
    }
    const ComplexVector e = kind_ == Kind::tm ? scalar(q, "Ez") : vector(q, "Ex", model.dim);
    const ComplexVector h = kind_ == Kind::te ? scalar(q, "Hz") : vector(q, "Hx", model.dim);
    const ComplexVector j = cross(point.normal, h), m = cross(point.normal, e);
    for (int d = 0; d < 3; ++d) {
      currents[d] += factor * j[d];
      magnetic[d] -= factor * m[d];
    }
  }
  const Complex i(0, 1);
  // Green's function far away without exp(-ikr) / sqrt(r) or / r.
  const Complex green = model.dim == 3 ? Complex(1 / (4 * pi)) : std::polar(1 / std::sqrt(8 * pi * k), -pi / 4);
  FarFieldEntry result{given_.frequencies[frequency], theta, phi, 0, spectral_parts_[frequency], 0, {}};
  switch (kind_) {
    case Kind::acoustics: result.amplitude = {i * k * green * pressure}; break;
    case Kind::tm: result.amplitude = {-i * k * green * (z * currents[2] - dot(along_phi, magnetic))}; break;
    case Kind::te: result.amplitude = {-i * k * green * (magnetic[2] / z + dot(along_phi, currents))}; break;
    case Kind::maxwell:
      result.amplitude = {-i * k * green * (dot(along_phi, magnetic) + z * dot(along_theta, currents)),
                          i * k * green * (dot(along_theta, magnetic) - z * dot(along_phi, currents))};
  }
  if (pulse_)
    for (Complex& a : result.amplitude) a /= incident_[frequency];
  for (const Complex& a : result.amplitude) result.section += (!pulse_ ? 1 : model.dim == 3 ? 4 * pi : 2 * pi) * std::norm(a);
  return result;
}

std::vector<FarFieldEntry> FarField::entries() {
  const bool space = evolution_.mesh().dim == 3;
  const auto thetas = !space ? std::vector<double>{90} : given_.theta.empty() ? whole_degrees(181) : given_.theta;
  const auto phis = !given_.phi.empty() ? given_.phi : space ? std::vector<double>{0, 90} : whole_degrees(360);
  const Spectra spectra = gathered();
  const std::vector<double> parts_left = left(spectra);
  std::vector<FarFieldEntry> all;
  if (!evolution_.ranks().first()) return all;
  for (std::size_t f = 0; f < given_.frequencies.size(); ++f)
    for (const double phi : phis)
      for (const double theta : thetas) {
        all.push_back(entry(spectra, f, theta, phi));
        all.back().left = parts_left[f];
      }
  return all;
}

std::string FarField::head(const std::string& unfinished) const {
  const bool space = evolution_.mesh().dim == 3;
  const char* section = !pulse_ ? "intensity" : space ? "cross_section" : "width";
  std::string text = unfinished.empty() ? "" : fmt::format("{}: {}\n", unfinished_mark, unfinished);
  text += fmt::format("frequency{},phi,{},dB", space ? ",theta" : "", section);
  const std::vector<std::string> names = kind_ == Kind::maxwell     ? std::vector<std::string>{"Etheta", "Ephi"}
                                         : kind_ == Kind::acoustics ? std::vector<std::string>{"p"}
                                         : kind_ == Kind::tm        ? std::vector<std::string>{"Ez"}
                                                                    : std::vector<std::string>{"Hz"};
  for (const auto& name : names) text += fmt::format(",{0}_real,{0}_imaginary", name);
  return text + (pulse_ ? ",spectrum,left\n" : ",left\n");
}

void FarField::write_nothing(const std::filesystem::path& folder, const std::string& unfinished) const {
  if (evolution_.ranks().first()) atomic_write(folder / "farfield.csv", head(unfinished));
}

void FarField::write(const std::filesystem::path& folder, const std::string& unfinished) {
  const auto all = entries();
  if (!evolution_.ranks().first()) return;
  const bool space = evolution_.mesh().dim == 3;
  std::string text = head(unfinished);
  for (const FarFieldEntry& e : all) {
    const double wavelength = medium_.speed / e.frequency;
    const double unit = !pulse_ ? 1 : space ? wavelength * wavelength : wavelength;
    text += fmt::format("{}{},{},{},{}", e.frequency, space ? fmt::format(",{}", e.theta) : "", e.phi, e.section,
                        10 * std::log10(e.section / unit));
    for (const Complex& a : e.amplitude) text += fmt::format(",{},{}", a.real(), a.imag());
    if (pulse_) text += fmt::format(",{:.6g}", e.spectrum);
    text += fmt::format(",{:.6g}\n", e.left);
  }
  atomic_write(folder / "farfield.csv", text);
  if (unfinished.empty()) warn_of_what_is_left(all);
}

}  // namespace swell
