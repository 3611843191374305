// SPDX-License-Identifier: Apache-2.0
// The sections of version 4.1, which have the same order in text and in binary.
#include <fmt/format.h>

#include "mesh/gmsh/contents.hpp"

namespace swell::gmsh {
namespace {

// The least bytes of one number in text: a digit and a space.
constexpr std::int64_t digit = 2;

std::int64_t count_of(Cursor& cursor, std::int64_t text_bytes, std::int64_t binary_bytes, const char* what) {
  return cursor.claim(cursor.size(what), text_bytes, binary_bytes, what);
}

void skip_ints(Cursor& cursor, const char* what) {
  const std::int64_t count = count_of(cursor, digit, 4, what);
  for (std::int64_t i = 0; i < count; ++i) cursor.int32(what);
}

int dimension_of(Cursor& cursor) {
  const std::int64_t dim = cursor.int32("the dimension of an entity");
  if (dim < 0 || dim > 3) cursor.fail(fmt::format("an entity has dimension {}", dim));
  return static_cast<int>(dim);
}

// The first group names the elements of an entity; more than one is kept aside, since only sides and regions matter.
std::int32_t group_of(const EntityGroups& groups, int dim, std::int64_t entity, Contents& contents) {
  const auto found = groups.find({dim, entity});
  if (found == groups.end() || found->second.empty()) return 0;
  if (found->second.size() > 1) contents.shared.push_back({dim, entity, {found->second[0], found->second[1]}});
  return found->second[0];
}

}  // namespace

void read_entities_4(Cursor& cursor, EntityGroups& groups, Contents& contents, bool partitioned) {
  if (partitioned) {
    cursor.size("the number of partitions");
    const std::int64_t ghosts = count_of(cursor, 2 * digit, 8, "ghost entities");
    for (std::int64_t i = 0; i < 2 * ghosts; ++i) cursor.int32("a ghost entity");
  }
  std::array<std::int64_t, 4> counts;
  for (auto& count : counts) count = count_of(cursor, 5 * digit, 4 + 3 * 8 + 4, "entities");
  for (int dim = 0; dim < 4; ++dim)
    for (std::int64_t i = 0; i < counts[dim]; ++i) {
      const std::int64_t entity = cursor.int32("the number of an entity");
      if (partitioned) {
        cursor.int32("the dimension of the parent");
        cursor.int32("the number of the parent");
        // Entities between partitions belong to several; cells belong to one.
        const std::int64_t parts = count_of(cursor, digit, 4, "partitions");
        for (std::int64_t p = 0; p < parts; ++p)
          contents.part_of_entity[{dim, entity}] = static_cast<std::int32_t>(cursor.int32("a partition"));
      }
      for (int b = 0; b < (dim == 0 ? 3 : 6); ++b) cursor.real("a bound of an entity");
      const std::int64_t physical = count_of(cursor, digit, 4, "physical groups");
      auto& mine = groups[{dim, entity}];
      for (std::int64_t p = 0; p < physical; ++p) {
        const std::int64_t group = cursor.int32("a physical group");
        // A minus sign tells that the group sees the entity from its other side.
        mine.push_back(static_cast<std::int32_t>(group < 0 && group > INT32_MIN ? -group : group));
      }
      if (dim > 0) skip_ints(cursor, "bounding entities");
    }
}

void read_nodes_4(Cursor& cursor, Contents& contents) {
  const std::int64_t blocks = cursor.size("the number of node blocks");
  const std::int64_t count = count_of(cursor, 4 * digit, 4 + 3 * 8, "nodes");
  cursor.size("the smallest number of a node");
  cursor.size("the largest number of a node");
  contents.node_tag.reserve(count);
  contents.xyz.reserve(3 * count);
  for (std::int64_t b = 0; b < blocks; ++b) {
    const int dim = dimension_of(cursor);
    cursor.int32("the number of an entity");
    const bool parametric = cursor.int32("0 or 1 (parametric)") != 0;
    const std::int64_t nodes = count_of(cursor, 4 * digit, 4 + 3 * 8, "nodes");
    if (nodes > count - static_cast<std::int64_t>(contents.node_tag.size()))
      cursor.fail(fmt::format("the blocks hold more than the {} nodes that the section claims", count));
    for (std::int64_t n = 0; n < nodes; ++n) contents.node_tag.push_back(cursor.size("the number of a node"));
    for (std::int64_t n = 0; n < nodes; ++n) {
      for (int d = 0; d < 3; ++d) contents.xyz.push_back(cursor.finite("a coordinate"));
      for (int p = 0; parametric && p < dim; ++p) cursor.real("a parameter of a node");
    }
  }
  if (static_cast<std::int64_t>(contents.node_tag.size()) != count)
    cursor.fail(fmt::format("the blocks hold {} nodes, the section claims {}", contents.node_tag.size(), count));
}

void read_elements_4(Cursor& cursor, Contents& contents, const EntityGroups& groups) {
  const std::int64_t blocks = cursor.size("the number of element blocks");
  const std::int64_t count = count_of(cursor, 2 * digit, 8, "elements");
  cursor.size("the smallest number of an element");
  cursor.size("the largest number of an element");
  std::int64_t done = 0;
  for (std::int64_t b = 0; b < blocks; ++b) {
    const int dim = dimension_of(cursor);
    const std::int64_t entity = cursor.int32("the number of an entity");
    const std::int64_t number = cursor.int32("the type of an element");
    const ElementType* type = find_type(number);
    if (!type) cursor.fail(fmt::format("element type {} is {}", number, why_not(number)));
    if (type->dim != dim)
      cursor.fail(fmt::format("elements of dimension {} stand in an entity of dimension {}", type->dim, dim));
    const std::int64_t elements = count_of(cursor, digit * (1 + type->nodes), 4 * (1 + type->nodes), "elements");
    done += elements;
    if (done > count)
      cursor.fail(fmt::format("the blocks hold more than the {} elements that the section claims", count));
    ElementSet& set = contents.set_of(*type);
    set.reserve(elements);
    set.group.resize(set.group.size() + elements, group_of(groups, dim, entity, contents));
    const auto part = contents.part_of_entity.find({dim, entity});
    set.part.resize(set.part.size() + elements, part == contents.part_of_entity.end() ? 0 : part->second);
    for (std::int64_t e = 0; e < elements; ++e) {
      set.tag.push_back(cursor.size("the number of an element"));
      for (int n = 0; n < type->nodes; ++n) set.nodes.push_back(cursor.size("a node of an element"));
    }
  }
  if (done != count) cursor.fail(fmt::format("the blocks hold {} elements, the section claims {}", done, count));
}

void read_periodic_4(Cursor& cursor, Contents& contents) {
  const std::int64_t links = cursor.size("the number of periodic sides");
  for (std::int64_t i = 0; i < links; ++i) {
    Periodic side;
    side.dim = dimension_of(cursor);
    cursor.int32("the number of a periodic side");
    cursor.int32("the number of a periodic side");
    const std::int64_t affine = count_of(cursor, digit, 8, "numbers of a transformation");
    for (std::int64_t a = 0; a < affine; ++a) cursor.real("a number of a transformation");
    const std::int64_t nodes = count_of(cursor, 2 * digit, 8, "periodic nodes");
    side.nodes.reserve(nodes);
    for (std::int64_t n = 0; n < nodes; ++n) {
      const std::int64_t from = cursor.size("a periodic node");
      side.nodes.push_back({from, cursor.size("a periodic node")});
    }
    contents.periodic.push_back(std::move(side));
  }
}

}  // namespace swell::gmsh
