// SPDX-License-Identifier: Apache-2.0
#include "sim/advice/unfelt.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <memory>

#include "dg/group_data.hpp"
#include "mesh/geometry.hpp"

namespace swell {

namespace {

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

  // The faces of a cell at boundaries whose kind may be ignored.
  void look(std::int64_t cell, const double* values) {
    const Mesh& mesh = *problem_.mesh;
    const ReferenceElement& element = elements_.of_cell(cell);
    for (int face = 0; face < element.face_count; ++face) {
      const Neighbour& beyond = mesh.neighbour(cell, face);
      if (beyond.cell >= 0) continue;
      const std::size_t boundary = beyond.boundary < 0 ? problem_.boundary.size() - 1 : static_cast<std::size_t>(beyond.boundary);
      const BoundarySpec& spec = problem_.boundary[boundary];
      if (spec.kind == BoundarySpec::Kind::model && !spec.data.empty() && problem_.model.has("ignores_" + spec.name))
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
  }

  const Problem& problem_;
  const Elements& elements_;
  const MaterialField& material_;
  double t_;
  std::map<std::pair<Shape, int>, std::unique_ptr<Middle>> middles_;
  std::map<std::string, Faces> kinds_;
};

}  // namespace

std::string unfelt_in_words(const Problem& problem, const Elements& elements, const MaterialField& material, const ModelProbe& page, double t,
                            const std::function<void(const std::function<void(std::int64_t cell, const double* values)>&)>& read) {
  Collector collector(problem, elements, material, t);
  read([&](std::int64_t cell, const double* values) { collector.look(cell, values); });
  constexpr double none = std::numeric_limits<double>::infinity();
  // The cell's number, the place, the boundary.
  std::array<double, 5> first{none, none, none, none, none};
  for (const auto& [kind, faces] : collector.kinds()) {
    const std::size_t rows = faces.cell.size();
    const Vector ignored = page.ignores(kind, rows_of(faces.q, rows), rows_of(faces.m, rows), rows_of(faces.n, rows), rows_of(faces.data, rows));
    for (std::size_t i = 0; i < rows; ++i) {
      const auto number = static_cast<double>(problem.mesh->number_of(faces.cell[i]));
      if (ignored[static_cast<Eigen::Index>(i)] > 0 && number < first[0])
        first = {number, faces.place[i][0], faces.place[i][1], faces.place[i][2], static_cast<double>(faces.boundary[i])};
    }
  }
  double least = first[0];
  problem.ranks->smallest(std::span(&least, 1));
  if (least == none) return {};
  if (first[0] != least) first.fill(none);
  problem.ranks->smallest(first);
  const auto boundary = static_cast<int>(first[4]);
  const BoundarySpec& spec = boundary < 0 ? problem.boundary.back() : problem.boundary[static_cast<std::size_t>(boundary)];
  std::vector<std::string> names;
  for (const Parameter& parameter : problem.model.boundary(spec.name)->parameters) names.push_back(parameter.name);
  return fmt::format("At {} the state at t = {:.6g} leaves {} so fast that it does not feel {} of the boundary kind '{}'; take 'absorbing' "
                     "there if it is to stay so.",
                     place_text(problem.mesh->dim, &first[1]), t,
                     boundary < 0 ? "a side without a name" : fmt::format("'{}'", problem.mesh->boundaries[static_cast<std::size_t>(boundary)]),
                     fmt::join(names, ", "), spec.name);
}

}  // namespace swell
