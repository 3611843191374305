// SPDX-License-Identifier: Apache-2.0
#include "sim/heat/loads.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/log.hpp"
#include "element/basis.hpp"
#include "mesh/geometry.hpp"

namespace swell {

namespace {

class LoadSearch {
 public:
  LoadSearch(const DiffusionProblem& problem, const std::string& field, std::initializer_list<double> times)
      : problem_(problem), mesh_(*problem.mesh), field_(field), times_(times) {}

  // The first that is found.
  std::string find() {
    for (const Shape shape : mesh_.shapes()) look_inside(shape);
    for (std::size_t i = 0; i < problem_.points.size(); ++i) look(problem_.points[i].signal, i);
    for (const Shape shape : mesh_.shapes())
      for (int face = 0; face < face_count(shape); ++face) look_at_sides(shape, face);
    return found_;
  }

 private:
  template <class Visit>
  void for_cells(Shape shape, const Visit& visit) const {
    for (std::int64_t cell = 0; cell < mesh_.own_count() && found_.empty(); ++cell)
      if (mesh_.shape_of(cell) == shape) visit(cell);
  }

  void look_inside(Shape shape) {
    const CellMap inside(mesh_, shape, cubature(shape, 2 * problem_.order).points);
    for_cells(shape, [&](std::int64_t cell) { look(problem_.source, "source." + field_, inside, cell); });
  }

  void look_at_sides(Shape shape, int face) {
    const Shape side = face_shape(shape, face);
    const Matrix between = cubature(side, 2 * problem_.order).points, at_nodes = nodes(side, problem_.order);
    const CellMap points(mesh_, shape, face_points(shape, face, between)), corners(mesh_, shape, face_points(shape, face, at_nodes));
    for_cells(shape, [&](std::int64_t cell) {
      const Neighbour& n = mesh_.neighbour(cell, face);
      if (n.cell >= 0 || n.boundary < 0) return;
      const DiffusionBoundary& boundary = problem_.boundary[n.boundary];
      look(boundary.value, "boundary." + mesh_.boundaries[n.boundary],
           boundary.kind == DiffusionBoundary::Kind::value ? corners : points, cell);
    });
  }

  void look(const Expression& signal, std::size_t point) {
    for (const double t : times_)
      if (const double value = signal(&t); !std::isfinite(value) && found_.empty())
        found_ = fmt::format("source.point[{}].signal = {} has the value {} at t = {:.6g}; it must be finite.", point, signal.text(),
                             std::isnan(value) ? NAN : value, t);
  }

  void look(const Expression& load, const std::string& key, const CellMap& map, std::int64_t cell) {
    std::vector<double> x(map.point_count() * mesh_.dim);
    map.coordinates(cell, x.data());
    for (int p = 0; p < map.point_count(); ++p)
      for (const double t : times_) {
        double at[4] = {0, 0, 0, t};
        std::copy_n(x.data() + p * mesh_.dim, mesh_.dim, at);
        const double value = load(at);
        if (!std::isfinite(value) && found_.empty())
          found_ = fmt::format("{} = {} has the value {} at ({:.6g}, {:.6g}, {:.6g}) and t = {:.6g}; it must be finite everywhere.",
                               key, load.text(), std::isnan(value) ? NAN : value, at[0], at[1], at[2], t);
      }
  }

  const DiffusionProblem& problem_;
  const Mesh& mesh_;
  std::string field_, found_;
  std::vector<double> times_;
};

}  // namespace

std::string unfit_load(const DiffusionProblem& problem, const std::string& field, std::initializer_list<double> times, Ranks& ranks) {
  std::string sentence = LoadSearch(problem, field, times).find();
  double first = sentence.empty() ? ranks.count() : ranks.rank();
  ranks.smallest(std::span(&first, 1));
  const int from = static_cast<int>(first);
  if (from == ranks.count()) return "";
  auto size = sentence.size();
  ranks.broadcast(std::as_writable_bytes(std::span(&size, 1)), from);
  sentence.resize(size);
  ranks.broadcast(std::as_writable_bytes(std::span(sentence)), from);
  return sentence;
}

void check_balance(const SolveReport& report, Precision precision) {
  constexpr double by_integration = 0.01;
  if (report.share > by_integration)
    throw InputError("No boundary gives a temperature or a heat transfer, and the source and the fluxes add up to {:.6g}, not to 0: "
                     "there is no steady answer; change [source] or [boundary], or give a temperature somewhere.",
                     report.sum);
  const double by_rounding = precision == Precision::double_ ? 1e-9 : 1e-4;
  if (report.share > by_rounding)
    log_warning("The source and the fluxes add up to {:.3g}, not to 0: this is taken off.", report.sum);
}

}  // namespace swell
