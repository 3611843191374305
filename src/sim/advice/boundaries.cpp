// SPDX-License-Identifier: Apache-2.0
#include "sim/advice/boundaries.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <memory>

#include "dg/group_data.hpp"
#include "mesh/geometry.hpp"
#include "model/boundary_check.hpp"

namespace swell {

namespace {

constexpr double none = std::numeric_limits<double>::infinity();

// Judgements of a page on a state at a boundary.
enum class Judgement { ignores, lacks };

std::string function_of(Judgement judgement, const std::string& kind) {
  return (judgement == Judgement::ignores ? "ignores_" : "lacks_") + kind;
}

const BoundarySpec& spec_of(const Problem& problem, int boundary) {
  return boundary < 0 ? problem.boundary.back() : problem.boundary[static_cast<std::size_t>(boundary)];
}

bool in_time(const BoundarySpec& spec) {
  return std::ranges::any_of(spec.data, [](const Expression& datum) { return datum.uses("t"); });
}

std::string boundary_name(const Problem& problem, int boundary) {
  return boundary < 0 ? "a side without a name" : fmt::format("'{}'", problem.mesh->boundaries[static_cast<std::size_t>(boundary)]);
}

// Whether a rank has found something; then all have that of the smallest first number.
bool agreed(const Problem& problem, std::span<double> found) {
  double least = found.front();
  problem.ranks->smallest(std::span(&least, 1));
  if (least == none) return false;
  if (found.front() != least) std::ranges::fill(found, none);
  problem.ranks->smallest(found);
  return true;
}

std::string sentence(Judgement judgement, const Problem& problem, const std::string& place, int boundary, double t) {
  const std::string& kind = spec_of(problem, boundary).name;
  const std::string name = boundary_name(problem, boundary);
  std::vector<std::string> names;
  if (judgement == Judgement::ignores) {
    for (const Parameter& parameter : problem.model.boundary(kind)->parameters) names.push_back(parameter.name);
    return fmt::format("At {} the state at t = {:.6g} leaves {} so fast that it does not feel {} of the boundary kind '{}'; take 'absorbing' "
                       "there if it is to stay so.",
                       place, t, name, fmt::join(names, ", "), kind);
  }
  // Kinds that are given a whole state.
  for (const BoundaryKind& other : problem.model.boundaries)
    if (other.parameters.size() >= problem.model.fields.size()) names.push_back(fmt::format("'{}'", other.name));
  names.emplace_back("'dirichlet'");
  return fmt::format("At {} the state at t = {:.6g} enters through {}, where the boundary kind '{}' gives it nothing, so that it may drift "
                     "without bound; take {} there.",
                     place, t, name, kind, fmt::join(names, " or "));
}

// The middle of a face of a shape.
struct Middle {
  Middle(const Mesh& mesh, const ReferenceElement& element, int face)
      : at(face_points(element.shape, face, corners(element.shape, face).colwise().mean())),
        interpolation(element.interpolation(at)),
        map(mesh, element.shape, at) {}

  static Matrix corners(Shape shape, int face) {
    const Shape side = face_shape(shape, face);
    return side == Shape::point ? Matrix(1, 0) : lattice(side, 1);
  }

  Matrix at, interpolation;
  CellMap map;
};

// Faces of one boundary kind: a row for each, as the page takes them.
struct Faces {
  std::vector<std::int64_t> cell;
  std::vector<std::array<double, 3>> place;
  std::vector<int> boundary;
  std::vector<double> q, m, n, data;
};

Matrix rows_of(const std::vector<double>& all, std::size_t rows) {
  const auto count = static_cast<Eigen::Index>(rows);
  return Eigen::Map<const Matrix>(all.data(), count, static_cast<Eigen::Index>(all.size()) / count);
}

class Collector {
 public:
  Collector(const Problem& problem, const Elements& elements, const MaterialField& material, double t)
      : problem_(problem), elements_(elements), material_(material), t_(t) {}

  // The faces of a cell at boundaries whose kind may not suit the state.
  void look(std::int64_t cell, const double* values) {
    const Mesh& mesh = *problem_.mesh;
    const ReferenceElement& element = elements_.of_cell(cell);
    for (int face = 0; face < element.face_count; ++face) {
      const Neighbour& beyond = mesh.neighbour(cell, face);
      if (beyond.cell >= 0) continue;
      const BoundarySpec& spec = spec_of(problem_, beyond.boundary);
      if (spec.kind == BoundarySpec::Kind::model && (problem_.model.has(function_of(Judgement::ignores, spec.name)) ||
                                                     problem_.model.has(function_of(Judgement::lacks, spec.name))))
        add(cell, face, element, values, beyond.boundary, spec);
    }
  }

  const std::map<std::string, Faces>& kinds() const { return kinds_; }

 private:
  void add(std::int64_t cell, int face, const ReferenceElement& element, const double* values, int boundary, const BoundarySpec& spec) {
    const int dim = element.dim;
    auto& middle = middles_[{element.shape, face}];
    if (!middle) middle = std::make_unique<Middle>(*problem_.mesh, element, face);
    double jacobian[9], scaled[10], normal[3] = {}, place[4] = {0, 0, 0, t_};
    middle->map.coordinates(cell, place);
    place[3] = t_;
    middle->map.jacobians(cell, jacobian);
    scaled[dim * dim] = cofactors(dim, jacobian, scaled);
    outward_normal(element.shape, face, scaled, normal);
    const Matrix state = middle->interpolation * Eigen::Map<const Matrix>(values, element.node_count, static_cast<Eigen::Index>(problem_.model.fields.size()));
    std::vector<double> material(static_cast<std::size_t>(std::max(1, material_.parameters())));
    material_.sample(cell, place, t_, material.data());
    Faces& faces = kinds_[spec.name];
    faces.cell.push_back(cell);
    faces.place.push_back({place[0], place[1], place[2]});
    faces.boundary.push_back(boundary);
    faces.q.insert(faces.q.end(), state.data(), state.data() + state.size());
    faces.m.insert(faces.m.end(), material.begin(), material.end());
    faces.n.insert(faces.n.end(), normal, normal + dim);
    for (const Expression& data : spec.data) faces.data.push_back(data(place));
    if (spec.data.empty()) faces.data.push_back(0);
  }

  const Problem& problem_;
  const Elements& elements_;
  const MaterialField& material_;
  double t_;
  std::map<std::pair<Shape, int>, std::unique_ptr<Middle>> middles_;
  std::map<std::string, Faces> kinds_;
};

}  // namespace

std::vector<std::string> boundary_warnings(
    const Problem& problem, const Elements& elements, const MaterialField& material, const ModelProbe& page, double t,
    const std::function<void(const std::function<void(std::int64_t cell, const double* values)>&)>& read) {
  Collector collector(problem, elements, material, t);
  read([&](std::int64_t cell, const double* values) { collector.look(cell, values); });
  std::vector<std::string> all;
  for (const Judgement judgement : {Judgement::ignores, Judgement::lacks}) {
    // The cell's number, the place, the boundary.
    std::array<double, 5> first{none, none, none, none, none};
    for (const auto& [kind, faces] : collector.kinds()) {
      if (!problem.model.has(function_of(judgement, kind))) continue;
      const std::size_t rows = faces.cell.size();
      const Vector judged = page.judged(function_of(judgement, kind), rows_of(faces.q, rows), rows_of(faces.m, rows), rows_of(faces.n, rows),
                                        rows_of(faces.data, rows));
      for (std::size_t i = 0; i < rows; ++i) {
        const auto number = static_cast<double>(problem.mesh->number_of(faces.cell[i]));
        if (judged[static_cast<Eigen::Index>(i)] > 0 && number < first[0])
          first = {number, faces.place[i][0], faces.place[i][1], faces.place[i][2], static_cast<double>(faces.boundary[i])};
      }
    }
    if (!agreed(problem, first)) continue;
    const auto boundary = static_cast<int>(first[4]);
    all.push_back(sentence(judgement, problem, place_text(problem.mesh->dim, &first[1]), boundary, t));
  }
  return all;
}

bool boundaries_may_fail(const Problem& problem) {
  return !problem.model.admissible.empty() && std::ranges::any_of(problem.boundary, in_time);
}

std::string boundary_fault_in_words(const Problem& problem, const Elements& elements, std::span<const double> times) {
  const Mesh& mesh = *problem.mesh;
  // The cell's number, the place, the time, the boundary, the datum and its value.
  std::array<double, 8> first;
  first.fill(none);
  std::map<Shape, CellMap> maps;
  for (const auto& [shape, element] : elements.all()) maps.emplace(shape, CellMap(mesh, shape, element.nodes));
  for (std::int64_t cell = 0; cell < mesh.own_count(); ++cell) {
    const ReferenceElement& element = elements.of_cell(cell);
    const auto number = static_cast<double>(mesh.number_of(cell));
    Matrix x;
    for (int face = 0; face < element.face_count && number < first[0]; ++face) {
      const Neighbour& beyond = mesh.neighbour(cell, face);
      if (beyond.cell >= 0 || !in_time(spec_of(problem, beyond.boundary))) continue;
      if (x.size() == 0) {
        x.resize(element.node_count, mesh.dim);
        maps.at(element.shape).coordinates(cell, x.data());
      }
      const BoundarySpec& spec = spec_of(problem, beyond.boundary);
      for (int i = 0; i < element.face_node_count; ++i)
        for (const double t : times) {
          double at[4] = {0, 0, 0, t};
          for (int d = 0; d < mesh.dim; ++d) at[d] = x(element.face_node(face, i), d);
          const auto fault = number < first[0] ? boundary_fault(problem, spec, at) : std::nullopt;
          if (fault) first = {number, at[0], at[1], at[2], t, static_cast<double>(beyond.boundary), static_cast<double>(fault->datum), fault->value};
        }
    }
  }
  if (!agreed(problem, first)) return {};
  const auto boundary = static_cast<int>(first[5]);
  const BoundarySpec& spec = spec_of(problem, boundary);
  const BoundaryFault fault{static_cast<std::size_t>(first[6]), first[7]};
  return fmt::format("{} gives {} at {} at t = {:.6g}, which must be {}", boundary_name(problem, boundary), fault_words(problem, spec, fault),
                     place_text(mesh.dim, &first[1]), first[4], range_words(problem, spec, fault));
}

}  // namespace swell
