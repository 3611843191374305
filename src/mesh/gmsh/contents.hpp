// SPDX-License-Identifier: Apache-2.0
// The contents of a Gmsh file before they become a mesh: nodes and elements by their numbers in the file.
#pragma once

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "mesh/gmsh/cursor.hpp"
#include "mesh/gmsh/types.hpp"
#include "mesh/mesh.hpp"

namespace swell::gmsh {

// All elements of one type.
struct ElementSet {
  ElementType type;
  std::vector<std::int64_t> nodes;  // [element][node]: numbers of the file
  std::vector<std::int64_t> tag;
  std::vector<std::int32_t> group;  // physical group, 0: none
  std::vector<std::int32_t> part;   // partition from 1, 0: none
  std::int64_t count() const { return static_cast<std::int64_t>(tag.size()); }
  // Makes room, at least doubling it, since a file may have a block for each element.
  void reserve(std::int64_t more);
};

// A surface, say, that is a member of several physical groups.
struct SharedEntity {
  int dim = 0;
  std::int64_t entity = 0;
  std::array<std::int32_t, 2> groups{};
};

struct Periodic {
  int dim = 0;
  std::vector<std::array<std::int64_t, 2>> nodes;
};

struct Contents {
  std::string file;
  std::map<std::pair<int, std::int32_t>, std::string> names;  // (dimension, physical group)
  std::vector<std::int64_t> node_tag;
  std::vector<double> xyz;
  std::vector<ElementSet> elements;
  std::vector<SharedEntity> shared;
  std::map<std::pair<int, std::int64_t>, std::int32_t> part_of_entity;  // (dimension, entity), version 4.1
  std::vector<Periodic> periodic;

  ElementSet& set_of(const ElementType& type);
};

// Reads a whole file. Throws InputError.
Contents parse(const std::string& file, std::string_view bytes);
// The sections of the two versions.
void read_nodes_2(Cursor& cursor, Contents& contents);
void read_elements_2(Cursor& cursor, Contents& contents);
void read_periodic_2(Cursor& cursor, Contents& contents);

// (dimension, entity) -> its physical groups.
using EntityGroups = std::map<std::pair<int, std::int64_t>, std::vector<std::int32_t>>;
void read_entities_4(Cursor& cursor, EntityGroups& groups, Contents& contents, bool partitioned);
void read_nodes_4(Cursor& cursor, Contents& contents);
void read_elements_4(Cursor& cursor, Contents& contents, const EntityGroups& groups);
void read_periodic_4(Cursor& cursor, Contents& contents);

// Turns the contents into a checked, connected mesh.
Mesh build(Contents contents);

}  // namespace swell::gmsh
