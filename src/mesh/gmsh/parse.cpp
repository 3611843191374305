// SPDX-License-Identifier: Apache-2.0
// The header and the sections of a Gmsh file, in whatever order they come.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "mesh/gmsh/contents.hpp"

namespace swell::gmsh {
namespace {

// Returns the major version, 2 or 4.
int read_header(Cursor& cursor, const std::string& file) {
  if (cursor.next_is("$NOD")) throw InputError("{} is a Gmsh file of version 1; save it as version 2.2 or 4.1.", file);
  if (!cursor.next_is("$MeshFormat"))
    throw InputError(
        "{} is no Gmsh mesh: it does not begin with $MeshFormat; save it from Gmsh as .msh, version 2.2 or "
        "4.1.",
        file);
  cursor.line();
  const double version = cursor.text_real("the version");
  const std::int64_t kind = cursor.text_integer("the kind of file (0: ASCII, 1: binary)");
  const std::int64_t width = cursor.text_integer("the size of numbers");
  const bool two = version >= 2 && version < 2.21, four = version == 4.1;
  if (!two && !four)
    cursor.fail(
        fmt::format("version {:.6g} is not read; save the mesh as version 2.2 or 4.1 (gmsh -format msh41)", version));
  if (kind != 0 && kind != 1)
    cursor.fail(fmt::format("the kind of file is {}; it must be 0 (ASCII) or 1 (binary)", kind));
  if (width != 8 && !(four && width == 4))
    cursor.fail(fmt::format("numbers of {} bytes are not read; they must have 8{}", width, four ? " or 4" : ""));
  if (kind == 1) {
    cursor.line();
    const std::uint32_t one = cursor.raw_int32("the number one of the header");
    constexpr std::uint32_t swapped_one = 0x01000000;
    if (one != 1 && one != swapped_one)
      cursor.fail("the header of a binary file must hold the number one; it was damaged, perhaps copied as text");
    cursor.set_binary(one == swapped_one, static_cast<int>(width));
  }
  cursor.expect_end("MeshFormat");
  return two ? 2 : 4;
}

void read_names(Cursor& cursor, Contents& contents) {
  const std::int64_t count = cursor.text_integer("the number of physical names");
  if (count < 0) cursor.fail("the number of physical names must not be negative");
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t dim = cursor.text_integer("the dimension of a physical group");
    const std::int64_t number = cursor.text_integer("the number of a physical group");
    const std::string name = cursor.quoted("the name of a physical group");
    if (dim < 0 || dim > 3 || number != static_cast<std::int32_t>(number))
      cursor.fail(fmt::format("'{}' is a physical group of dimension {} and number {}", name, dim, number));
    contents.names[{static_cast<int>(dim), static_cast<std::int32_t>(number)}] = name;
  }
}

}  // namespace

void ElementSet::reserve(std::int64_t more) {
  const std::size_t wanted = tag.size() + more;
  if (wanted <= tag.capacity()) return;
  const std::size_t room = std::max(wanted, 2 * tag.size());
  tag.reserve(room);
  group.reserve(room);
  nodes.reserve(room * type.nodes);
}

ElementSet& Contents::set_of(const ElementType& type) {
  for (ElementSet& set : elements)
    if (set.type.number == type.number) return set;
  elements.push_back({type, {}, {}, {}, {}});
  return elements.back();
}

Contents parse(const std::string& file, std::string_view bytes) {
  Cursor cursor(file, bytes);
  Contents contents;
  contents.file = file;
  EntityGroups groups;
  const int version = read_header(cursor, file);
  std::set<std::string> seen;
  while (!cursor.at_end()) {
    const std::string_view title = cursor.line();
    if (title.empty() || title[0] != '$') cursor.fail("a section should begin here with a $");
    const std::string section(title.substr(1));
    const bool known = section == "PhysicalNames" || section == "Nodes" || section == "Elements" ||
                       section == "Periodic" ||
                       (version == 4 && (section == "Entities" || section == "PartitionedEntities"));
    if (!known) {
      cursor.skip_to_end(section);
      continue;
    }
    if (!seen.insert(section).second) cursor.fail(fmt::format("a second section ${} begins here", section));
    if (section == "PhysicalNames") read_names(cursor, contents);
    if (section == "Entities") read_entities_4(cursor, groups, contents, false);
    if (section == "PartitionedEntities") read_entities_4(cursor, groups, contents, true);
    if (section == "Nodes") version == 2 ? read_nodes_2(cursor, contents) : read_nodes_4(cursor, contents);
    if (section == "Elements")
      version == 2 ? read_elements_2(cursor, contents) : read_elements_4(cursor, contents, groups);
    if (section == "Periodic") version == 2 ? read_periodic_2(cursor, contents) : read_periodic_4(cursor, contents);
    cursor.expect_end(section);
  }
  for (const char* needed : {"Nodes", "Elements"})
    if (!seen.count(needed))
      throw InputError("{} has no section ${}; mesh the geometry in Gmsh and save it again.", file, needed);
  return contents;
}

}  // namespace swell::gmsh
