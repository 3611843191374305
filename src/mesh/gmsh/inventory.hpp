// SPDX-License-Identifier: Apache-2.0
// The contents of a Gmsh file before it is written: elements group by group, and the pairs of points of periodic sides.
#pragma once

#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "element/lattice.hpp"
#include "mesh/gmsh/types.hpp"
#include "mesh/mesh.hpp"

namespace swell::gmsh {

struct Element {
  std::int64_t tag = 0;
  std::vector<std::int64_t> points;  // in Gmsh's order
};
// Elements of one type and one group, which is an entity of the file with the number group + 1.
struct Group {
  int dim = 0;
  std::int32_t group = 0;  // index of the region or boundary
  std::int32_t physical = 0;
  const ElementType* type = nullptr;
  std::vector<Element> elements;
};
// Points of a periodic side and their partners, which lie `offset` ahead.
struct Link {
  std::array<double, 3> offset{};
  std::set<std::array<std::int64_t, 2>> points;
};

class Inventory {
 public:
  explicit Inventory(const Mesh& mesh);

  using Groups = std::map<std::array<std::int32_t, 3>, Group>;
  const Groups& groups() const { return groups_; }  // by dimension, group and type
  const std::vector<Link>& links() const { return links_; }
  std::int64_t element_count() const;
  std::int64_t largest_tag() const { return next_tag_ - 1; }

 private:
  void collect_cells();
  void collect_faces();
  Group& group(int dim, std::int32_t index, std::int32_t physical, const ElementType& type);
  std::vector<std::int64_t> face_points_of(std::int64_t cell, Shape face, const std::vector<int>& vertices) const;
  std::vector<std::int64_t> face_points_of(std::int64_t cell, int face) const;
  void add_face(std::int64_t cell, int face, std::int32_t boundary);
  void add_link(std::int64_t cell, int face, const Neighbour& neighbour);

  const Mesh& mesh_;
  int order_;  // of the geometry
  Groups groups_;
  std::vector<Link> links_;
  std::int64_t next_tag_ = 1;
};

}  // namespace swell::gmsh
