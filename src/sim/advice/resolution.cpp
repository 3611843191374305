// SPDX-License-Identifier: Apache-2.0
#include "sim/advice/resolution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "element/basis.hpp"
#include "model/derived_flux.hpp"
#include "model/model_probe.hpp"
#include "sim/advice/signal_band.hpp"
#include "sim/cell_projection.hpp"

namespace swell {

namespace {

// Fewer points a wavelength than this leave even high orders with errors of the size of the wave (Ainsworth 2004: 2p + 1 > k h).
constexpr double enough_points = 2 * std::numbers::pi;
constexpr double much_in_highest_degree = 0.05;  // of the root mean square
constexpr std::int64_t cells_looked_at = 20000;
constexpr int points_across = 33;  // of a cell, where a jump is told from a slope

// Every cell of a small mesh; so many of a large one, evenly spread.
template <class Visit>
void for_some_cells(const Mesh& mesh, const Visit& visit) {
  const std::int64_t stride = std::max<std::int64_t>(1, mesh.own_count() / cells_looked_at);
  for (std::int64_t cell = 0; cell < mesh.own_count(); cell += stride) visit(cell, stride);
}

class Volumes {
 public:
  explicit Volumes(const Problem& problem, const Elements& elements) : dim_(problem.mesh->dim), mesh_(*problem.mesh) {
    for (const auto& [shape, element] : elements.all()) {
      Cubature rule = cubature(shape, 2);
      const CellMap map(mesh_, shape, rule.points);
      rules_.emplace(shape, std::pair{std::move(rule), map});
    }
  }
  double operator()(std::int64_t cell) const {
    const auto& [rule, map] = rules_.at(mesh_.shape_of(cell));
    std::vector<double> jacobians(static_cast<std::size_t>(map.point_count() * dim_ * dim_));
    map.jacobians(cell, jacobians.data());
    double volume = 0;
    for (int p = 0; p < map.point_count(); ++p)
      volume += rule.weights[p] * std::abs(Eigen::Map<const Matrix>(jacobians.data() + p * dim_ * dim_, dim_, dim_).determinant());
    return volume;
  }

 private:
  int dim_;
  const Mesh& mesh_;
  std::map<Shape, std::pair<Cubature, CellMap>> rules_;
};

// Waves run both ways; where a flow carries them they differ, and only the fastest counts.
double slowest_wave(const ModelProbe& probe, const Vector& material) {
  const Vector along = Vector::Unit(3, 0).head(probe.model().dim);
  const Vector speeds = wave_speeds({probe.mass_matrix(material), probe.flux_matrix(material, along)});
  const double fastest = speeds.cwiseAbs().maxCoeff();
  const bool both_ways = std::abs(speeds.minCoeff() + speeds.maxCoeff()) < 1e-9 * fastest;
  double slowest = fastest;
  for (const double speed : speeds)
    if (both_ways && std::abs(speed) > 1e-9 * fastest) slowest = std::min(slowest, std::abs(speed));
  return slowest;
}

struct Signal {
  std::string key;
  const Expression* of;
};

std::vector<Signal> signals_of(const Problem& problem) {
  std::vector<Signal> all;
  if (problem.total_field) all.push_back({"incident.pulse", &problem.total_field->wave.pulse});
  for (std::size_t b = 0; b < problem.boundary.size(); ++b)
    if (const auto& wave = problem.boundary[b].wave) all.push_back({"boundary pulse", &wave->pulse});
  for (const PointSourceSpec& point : problem.points) all.push_back({"source.point.signal", &point.signal});
  return all;
}

// Whether a material goes from one value to another within one of so many pieces of the way between two places of a cell.
bool jumps_between(const MaterialField& material, std::int64_t cell, const double* from, const double* to, int dim, int parameter) {
  std::vector<double> values(static_cast<std::size_t>(material.parameters()));
  double last = 0, largest = 0, low = std::numeric_limits<double>::infinity(), high = -low;
  for (int i = 0; i < points_across; ++i) {
    double x[3] = {0, 0, 0}, inside[4] = {0, 0, 0, 0};
    for (int d = 0; d < dim; ++d) x[d] = from[d] + (to[d] - from[d]) * i / (points_across - 1);
    material.inside(cell, x, inside);
    material.sample(cell, inside, 0, values.data());
    const double value = values[static_cast<std::size_t>(parameter)];
    if (i > 0) largest = std::max(largest, std::abs(value - last));
    last = value;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  return high > low && largest > 0.5 * (high - low);
}

}  // namespace

std::optional<WaveResolution> wave_resolution(const Problem& problem, const Elements& elements, const MaterialField& material,
                                              Device& device, double end) {
  if (!problem.model.linear || problem.model.diffusive() || !(end > 0)) return std::nullopt;
  WaveResolution worst;
  std::map<std::string, double> known;  // by the signal's text
  for (const Signal& signal : signals_of(problem)) {
    const auto [found, is_new] = known.try_emplace(signal.of->text(), 0);
    if (is_new) found->second = highest_frequency(*signal.of, end);
    if (found->second > worst.frequency) worst = {signal.key, found->second, 0};
  }
  if (worst.frequency == 0) return std::nullopt;
  const Mesh& mesh = *problem.mesh;
  const ModelProbe probe(problem.model, device);
  const Volumes volume(problem, elements);
  std::map<std::vector<double>, double> slowest;
  double fewest = std::numeric_limits<double>::infinity();
  for_some_cells(mesh, [&](std::int64_t cell, std::int64_t) {
    std::vector<double> values(static_cast<std::size_t>(std::max(1, material.parameters())));
    double middle[3] = {0, 0, 0}, inside[4] = {0, 0, 0, 0};
    const int corners = vertex_count(mesh.shape_of(cell));
    for (int v = 0; v < corners; ++v)
      for (int d = 0; d < mesh.dim; ++d) middle[d] += mesh.vertex(cell, v)[d] / corners;
    material.inside(cell, middle, inside);
    material.sample(cell, inside, 0, values.data());
    auto found = slowest.find(values);
    if (found == slowest.end()) {
      if (slowest.size() > 1000) return;  // materials that vary everywhere: these tell enough
      found = slowest.emplace(values, slowest_wave(probe, Eigen::Map<const Vector>(values.data(), static_cast<int>(values.size())))).first;
    }
    const double wavelength = found->second / worst.frequency;
    fewest = std::min(fewest, wavelength * std::pow(elements.node_count(cell) / volume(cell), 1.0 / mesh.dim));
  });
  problem.ranks->smallest(std::span(&fewest, 1));
  worst.points = fewest;
  return fewest > 0 && std::isfinite(fewest) ? std::optional(worst) : std::nullopt;
}

std::int64_t cells_with_jumps(const Problem& problem, const Elements& elements, const MaterialField& material) {
  const Mesh& mesh = *problem.mesh;
  const int parameters = material.parameters(), dim = mesh.dim;
  const bool any = std::any_of(problem.material.begin(), problem.material.end(),
                               [](const auto& region) { return std::any_of(region.begin(), region.end(), may_jump); });
  std::int64_t count = 0;
  if (!any) return 0;
  std::map<Shape, CellMap> maps;
  for (const auto& [shape, element] : elements.all()) maps.emplace(shape, CellMap(mesh, shape, element.nodes));
  for_some_cells(mesh, [&](std::int64_t cell, std::int64_t stride) {
    if (!material.varies(cell)) return;
    const CellMap& map = maps.at(mesh.shape_of(cell));
    std::vector<double> x(static_cast<std::size_t>(map.point_count() * dim));
    map.coordinates(cell, x.data());
    Matrix values(map.point_count(), parameters);
    std::vector<double> row(static_cast<std::size_t>(parameters));
    for (int n = 0; n < map.point_count(); ++n) {
      double inside[4] = {0, 0, 0, 0};
      material.inside(cell, x.data() + n * dim, inside);
      material.sample(cell, inside, 0, row.data());
      values.row(n) = Eigen::Map<const Vector>(row.data(), parameters).transpose();
    }
    for (int p = 0; p < parameters; ++p) {
      if (!may_jump(problem.material[static_cast<std::size_t>(material.region(cell))][static_cast<std::size_t>(p)])) continue;
      int low = 0, high = 0;
      const double smallest = values.col(p).minCoeff(&low), largest = values.col(p).maxCoeff(&high);
      if (!(largest > smallest)) continue;
      if (!jumps_between(material, cell, x.data() + low * dim, x.data() + high * dim, dim, p)) continue;
      count += stride;
      return;
    }
  });
  problem.ranks->sum(std::span(&count, 1));
  return count;
}

std::vector<std::string> resolution_in_words(const std::optional<WaveResolution>& waves, std::int64_t cells_with_jumps) {
  std::vector<std::string> sentences;
  if (waves && waves->points < enough_points)
    sentences.push_back(fmt::format("{} has frequencies up to {:.3g} (within 20 dB of the strongest), whose shortest waves see {:.2g} points a "
                                    "wavelength in the coarsest cells; with fewer than about 6 a wave is hardly resolved: a finer mesh, a higher "
                                    "model.order or a slower signal helps.",
                                    waves->key, waves->frequency, waves->points));
  if (cells_with_jumps > 0)
    sentences.push_back(fmt::format("A jump of the material cuts through {} cells, where the error falls with the cells' size only; let faces of "
                                    "the mesh follow the jump, or refine there.",
                                    cells_with_jumps));
  return sentences;
}

std::string initial_in_words(const Problem& problem, const Elements& elements,
                             const std::function<void(const std::function<void(std::int64_t cell, const double* values)>&)>& read) {
  const Mesh& mesh = *problem.mesh;
  const auto fields = static_cast<int>(problem.model.fields.size());
  if (elements.order() < 2) return {};
  struct OfShape {
    Matrix mass, highest;  // highest: what a lower degree cannot hold
  };
  std::map<Shape, OfShape> shapes;
  for (const auto& [shape, element] : elements.all()) {
    const ReferenceElement lower(shape, element.order - 1);
    const Matrix held = interpolation_between(lower, element) * projection_between(element, lower);
    shapes[shape] = {element.mass, Matrix::Identity(held.rows(), held.cols()) - held};
  }
  const Volumes volume(problem, elements);
  Vector all = Vector::Zero(fields), highest = Vector::Zero(fields);
  const std::int64_t stride = std::max<std::int64_t>(1, mesh.own_count() / cells_looked_at);
  read([&](std::int64_t cell, const double* values) {
    if (cell % stride != 0) return;
    const OfShape& of = shapes.at(mesh.shape_of(cell));
    const Eigen::Map<const Matrix> q(values, elements.node_count(cell), fields);
    const Matrix top = of.highest * q;
    const double size = volume(cell);
    for (int f = 0; f < fields; ++f) {
      all[f] += size * q.col(f).dot(of.mass * q.col(f));
      highest[f] += size * top.col(f).dot(of.mass * top.col(f));
    }
  });
  std::vector<double> mine(all.data(), all.data() + fields);
  mine.insert(mine.end(), highest.data(), highest.data() + fields);
  Vector sum = Vector::Zero(2 * fields);
  for (const auto& of_rank : problem.ranks->gather(mine))
    if (!of_rank.empty()) sum += Eigen::Map<const Vector>(of_rank.data(), 2 * fields);
  for (int f = 0; f < fields; ++f) {
    const double part = sum[f] > 0 ? std::sqrt(sum[fields + f] / sum[f]) : 0;
    if (part > much_in_highest_degree)
      return fmt::format("The mesh hardly resolves the initial {}: {:.0f} % of its size lies in the highest degree of its elements; a finer mesh or a "
                         "higher model.order helps.",
                         problem.model.fields[static_cast<std::size_t>(f)], 100 * part);
  }
  return {};
}

}  // namespace swell
