// SPDX-License-Identifier: Apache-2.0
// Small files as Gmsh itself writes them: a square of two triangles, groups, a periodic pair; and readers of bytes.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "mesh/gmsh/contents.hpp"
#include "mesh/gmsh_write.hpp"

namespace swell::test {

inline Mesh read_bytes(const std::string& bytes) { return gmsh::build(gmsh::parse("test.msh", bytes)); }

inline const std::string square_2 = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
1 5 "floor"
2 1 "air"
$EndPhysicalNames
$Nodes
5
1 0 0 0
2 1 0 0
3 1 1 0
4 0 1 0
9 7 7 7
$EndNodes
$Elements
5
1 15 2 0 1 1
2 1 2 5 1 1 2
3 1 2 6 3 3 4
4 2 2 1 1 1 2 3
5 2 2 0 1 1 3 4
$EndElements
$Periodic
2
0 1 4
1
1 4
1 1 3
Affine 1 0 0 0 0 1 0 -1 0 0 1 0 0 0 0 1
2
1 4
2 3
$EndPeriodic
)";

inline const std::string square_4 = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
2
1 5 "floor"
2 1 "air"
$EndPhysicalNames
$Entities
1 2 2 0
1 0 0 0 0
1 0 0 0 1 0 0 1 -5 2 1 -2
3 0 1 0 1 1 0 1 6 2 3 -4
1 0 0 0 1 1 0 1 1 4 1 2 3 4
2 0 0 0 1 1 0 0 0
$EndEntities
$Nodes
3 5 1 9
0 1 0 1
1
0 0 0
1 1 1 1
2
1 0 0 0.5
2 1 0 3
3
4
9
1 1 0
0 1 0
7 7 7
$EndNodes
$Elements
4 4 2 5
1 1 1 1
2 1 2
1 3 1 1
3 3 4
2 1 2 1
4 1 2 3
2 2 2 1
5 1 3 4
$EndElements
$Periodic
2
0 1 4
0
1
1 4
1 1 3
16 1 0 0 0 0 1 0 -1 0 0 1 0 0 0 0 1
2
1 4
2 3
$EndPeriodic
)";

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

inline const GmshFormat all_formats[] = {
    {2, false, false, 8}, {2, true, false, 8}, {2, true, true, 8},  {4, false, false, 8},
    {4, true, false, 8},  {4, true, true, 8},  {4, true, false, 4}, {4, true, true, 4},
};

}  // namespace swell::test
