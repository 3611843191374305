// SPDX-License-Identifier: Apache-2.0
// The sections of version 2.2. Counts and periodic pairs are text in binary files too.
#include <fmt/format.h>

#include "mesh/gmsh/contents.hpp"

namespace swell::gmsh {
namespace {

const ElementType& known_type(Cursor& cursor, std::int64_t number) {
  const ElementType* type = find_type(number);
  if (!type) cursor.fail(fmt::format("element type {} is {}", number, why_not(number)));
  return *type;
}

// Behind the header of an element: tags, then nodes. The first tag is the physical group; the third, where there is one, the
// number of partitions, and the fourth the element's own.
void read_element(Cursor& cursor, ElementSet& set, std::int64_t tag, std::int64_t tag_count) {
  std::int64_t group = 0, part = 0;
  for (std::int64_t t = 0; t < tag_count; ++t) {
    const std::int64_t value = cursor.int32("a tag of an element");
    if (t == 0) group = value;
    if (t == 3) part = value;
  }
  set.tag.push_back(tag);
  set.group.push_back(static_cast<std::int32_t>(group));
  set.part.push_back(static_cast<std::int32_t>(part));
  for (int n = 0; n < set.type.nodes; ++n) set.nodes.push_back(cursor.int32("a node of an element"));
}

}  // namespace

void read_nodes_2(Cursor& cursor, Contents& contents) {
  std::int64_t count = cursor.text_integer("the number of nodes");
  cursor.line();
  count = cursor.claim(count, 8, 28, "nodes");
  contents.node_tag.reserve(count);
  contents.xyz.reserve(3 * count);
  for (std::int64_t i = 0; i < count; ++i) {
    contents.node_tag.push_back(cursor.int32("the number of a node"));
    for (int d = 0; d < 3; ++d) contents.xyz.push_back(cursor.finite("a coordinate"));
  }
}

void read_elements_2(Cursor& cursor, Contents& contents) {
  std::int64_t count = cursor.text_integer("the number of elements");
  cursor.line();
  count = cursor.claim(count, 8, 8, "elements");
  if (!cursor.binary()) {
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t tag = cursor.int32("the number of an element");
      const ElementType& type = known_type(cursor, cursor.int32("the type of an element"));
      const std::int64_t tags = cursor.claim(cursor.int32("the number of tags"), 2, 4, "tags");
      read_element(cursor, contents.set_of(type), tag, tags);
    }
    return;
  }
  for (std::int64_t done = 0; done < count;) {
    const ElementType& type = known_type(cursor, cursor.int32("the type of an element"));
    const std::int64_t block = cursor.int32("the number of elements of a type");
    if (block < 1 || block > count - done)
      cursor.fail(fmt::format("a block of {} elements cannot follow {} of {}", block, done, count));
    const std::int64_t tags = cursor.claim(cursor.int32("the number of tags"), 2, 4, "tags");
    cursor.claim(block, 1, 4 * (1 + tags + type.nodes), "elements");
    ElementSet& set = contents.set_of(type);
    set.reserve(block);
    for (std::int64_t i = 0; i < block; ++i) read_element(cursor, set, cursor.int32("the number of an element"), tags);
    done += block;
  }
}

void read_periodic_2(Cursor& cursor, Contents& contents) {
  const std::int64_t count = cursor.text_integer("the number of periodic sides");
  for (std::int64_t i = 0; i < count; ++i) {
    Periodic side;
    const std::int64_t dim = cursor.text_integer("the dimension of a periodic side");
    if (dim < 0 || dim > 3) cursor.fail(fmt::format("a periodic side has dimension {}", dim));
    side.dim = static_cast<int>(dim);
    cursor.text_integer("the number of a periodic side");
    cursor.text_integer("the number of a periodic side");
    if (cursor.next_is("Affine")) cursor.line();
    const std::int64_t nodes = cursor.text_integer("the number of periodic nodes");
    if (nodes < 0) cursor.fail("the number of periodic nodes must not be negative");
    for (std::int64_t n = 0; n < nodes; ++n) {
      const std::int64_t from = cursor.text_integer("a periodic node");
      side.nodes.push_back({from, cursor.text_integer("a periodic node")});
    }
    contents.periodic.push_back(std::move(side));
  }
}

}  // namespace swell::gmsh
