// SPDX-License-Identifier: Apache-2.0
// The data of each ghost state: its place, the face's normal, the material.
#include "dg/nodal/face_places.hpp"
#include "dg/nodal/operator.hpp"
#include "model/boundary_check.hpp"

namespace swell {

void NodalOperator::build_ghosts() {
  // Those of one shape have one rule on each kind of their faces.
  const auto points_at = [&](std::int64_t ghost) -> Matrix {
    const GhostFace& of = layout_->ghosts[ghost];
    const Shape shape = layout_->group_of(of.slot).shape;
    for (const auto& g : groups_)
      if (g.group.shape == shape && by_points(g.group)) return g.points.on(*g.element, of.face);
    return {};
  };
  const auto all = static_cast<std::int64_t>(layout_->ghosts.size());
  const auto nodal = layout_->nodal_ghosts, across = nodal - layout_->nodal_across, points_across = all - layout_->point_across;
  const auto shape_at = [&](std::int64_t ghost) { return layout_->group_of(layout_->ghosts[ghost].slot).shape; };
  const auto cluster_at = [&](std::int64_t ghost) { return layout_->group_of(layout_->ghosts[ghost].slot).cluster; };
  const auto side_at = [&](std::int64_t ghost) { return face_shape(shape_at(ghost), layout_->ghosts[ghost].face); };
  // Neighbouring faces that differ in nothing make one launch.
  for (std::int64_t first = 0, last = 0; first < all; first = last) {
    Ghosts ghosts;
    ghosts.shape = shape_at(first);
    ghosts.cluster = cluster_at(first);
    ghosts.at_points = first >= nodal;
    ghosts.across = ghosts.at_points ? first >= points_across : first >= across;
    const auto end = first < across ? across : first < nodal ? nodal : first < points_across ? points_across : all;
    const Shape side = side_at(first);
    while (last < end && shape_at(last) == ghosts.shape && cluster_at(last) == ghosts.cluster && (!ghosts.at_points || side_at(last) == side)) ++last;
    describe_ghosts(ghosts, first, last, ghosts.at_points ? points_at(first) : Matrix());
    ghosts_.push_back(std::move(ghosts));
  }
}

// The ghost faces first .. last-1, at these points of the face, or at its nodes where there are none.
void NodalOperator::describe_ghosts(Ghosts& ghosts, std::int64_t first, std::int64_t last, const Matrix& points) {
  const ReferenceElement& element = elements_.of(ghosts.shape);
  const int dim = element.dim, parameters = std::max(1, material_->parameters());
  ghosts.faces = last - first;
  ghosts.places = points.rows() > 0 ? static_cast<int>(points.rows()) : element.face_node_count;
  std::vector<std::int32_t> index, region;
  std::vector<double> x, n, m, inside, value(parameters), normal(dim), moved(dim);
  FacePlaces places(*problem_.mesh, element, points);
  for (std::int64_t g = first; g < last; ++g) {
    const GhostFace& ghost = layout_->ghosts[g];
    const auto cell = layout_->cell_of_slot[ghost.slot];
    const bool shared = ghost.behind_slot >= 0;
    const std::int64_t own = layout_->address(ghost.slot);
    for (const std::int64_t i : {own, std::int64_t{ghost.face}, layout_->ghost_address(g),
                                 g % layout_->ghosts_per_slot, shared ? ghost.behind_slot : own,
                                 std::int64_t{shared ? ghost.behind_code : 0}, std::int64_t{ghost.spec}})
      index.push_back(static_cast<std::int32_t>(i));
    places.look(cell, ghost.face);
    for (int i = 0; i < ghosts.places; ++i) {
      const double* at = places.x(i);
      if (ghost.spec >= 0) check_boundary_data(problem_, ghost.spec, at);
      x.insert(x.end(), at, at + dim);
      places.normal(i, normal.data());
      n.insert(n.end(), normal.begin(), normal.end());
      material_->sample(cell, at, 0, value.data());
      m.insert(m.end(), value.begin(), value.end());
      material_->changing(cell, at, moved.data());
      inside.insert(inside.end(), moved.begin(), moved.end());
      region.push_back(material_->region(cell));
    }
  }
  // States read and written, and what is known of each place; the arithmetic of a boundary is not counted.
  ghosts.work.bytes = static_cast<double>(ghosts.faces * ghosts.places * (3 * fields() + 2 * dim + parameters)) *
                      static_cast<double>(bytes_of(problem_.precision));
  ghosts.index = upload(index, "ghost faces");
  ghosts.x = upload(x, "ghost places");
  ghosts.n = upload(n, "ghost normals");
  ghosts.m = upload(m, "ghost material");
  const Shape side = face_shape(element.shape, layout_->ghosts[first].face);
  if (points.rows() > 0) ghosts.to_points = upload(pack(trace_matrix(element, side, points), ghosts.places), "trace matrix");
  if (material_->in_time()) {
    ghosts.material_x = upload(inside, "ghost places inside");
    ghosts.region = upload(region, "ghost regions");
  }
}

}  // namespace swell
