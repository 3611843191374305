// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "gmsh_text.hpp"
#include "helpers.hpp"

namespace swell::test {
namespace {

TEST(Gmsh, ReadsGroupsAndPeriodicSidesOfBothVersions) {
  for (const std::string& text : {square_2, square_4}) {
    const Mesh mesh = read_bytes(text);
    EXPECT_EQ(mesh.dim, 2);
    ASSERT_EQ(mesh.cell_count(), 2);
    EXPECT_EQ(mesh.points.size(), 8u);  // the node that no cell uses is dropped
    EXPECT_EQ(mesh.regions, (std::vector<std::string>{"", "air"}));
    EXPECT_EQ(mesh.boundaries, (std::vector<std::string>{"floor", "6"}));
    EXPECT_EQ(mesh.cells().region, (std::vector<std::int32_t>{1, 0}));
    EXPECT_EQ(mesh.cells().tag, (std::vector<std::int64_t>{4, 5}));
    EXPECT_NEAR(measure(mesh), 1, 1e-15);
    EXPECT_LT(largest_face_gap(mesh, {0, 1}), 1e-15);
    EXPECT_EQ(boundary_counts(mesh), (std::vector<std::int64_t>{0, 0, 2}));  // floor and ceiling are joined
  }
}

TEST(Gmsh, NamesBoundariesWhereNothingIsPeriodic) {
  for (const std::string& text : {square_2, square_4}) {
    const Mesh mesh = read_bytes(text.substr(0, text.find("$Periodic")));
    EXPECT_EQ(boundary_counts(mesh), (std::vector<std::int64_t>{1, 1, 2}));
  }
}

TEST(Gmsh, SkipsSectionsThatItDoesNotKnow) {
  for (const std::string& text : {square_2, square_4}) {
    const std::string extra = "$Comments\n3 $Nodes 4\nany thing\n$EndComments\n";
    EXPECT_EQ(read_bytes(replaced(text, "$PhysicalNames", extra + "$PhysicalNames")).cell_count(), 2);
    EXPECT_EQ(read_bytes(text + "$NodeData\n1\n\"u\"\n$EndNodeData\n").cell_count(), 2);
  }
}

TEST(Gmsh, ReadsLinesThatEndAsOnWindows) {
  for (const std::string& text : {square_2, square_4}) {
    std::string windows;
    for (const char c : text) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
    EXPECT_EQ(read_bytes(windows).cell_count(), 2);
  }
}

TEST(Gmsh, ReadsSparseNodeNumbers) {
  // Version 2.2 has 32-bit numbers.
  EXPECT_SENTENCE(read_bytes(replaced(square_2, "3 1 1 0", "4000000000 1 1 0")), "a node = 4000000000 is too large");
  std::string sparse = replaced(square_2, "3 1 1 0", "2000000000 1 1 0");
  sparse = replaced(sparse, "3 1 2 6 3 3 4", "3 1 2 6 3 2000000000 4");
  sparse = replaced(sparse, "1 2 3\n", "1 2 2000000000\n");
  sparse = replaced(sparse, "1 3 4\n", "1 2000000000 4\n");
  sparse = replaced(sparse, "2 3\n$EndP", "2 2000000000\n$EndP");
  EXPECT_EQ(read_bytes(sparse).cell_count(), 2);
  sparse = replaced(square_4, "\n3\n4\n9\n", "\n4000000000000000\n4\n9\n");
  sparse = replaced(sparse, "\n3 3 4\n", "\n3 4000000000000000 4\n");
  sparse = replaced(sparse, "\n4 1 2 3\n", "\n4 1 2 4000000000000000\n");
  sparse = replaced(sparse, "\n5 1 3 4\n", "\n5 1 4000000000000000 4\n");
  sparse = replaced(sparse, "2 3\n$EndP", "2 4000000000000000\n$EndP");
  EXPECT_EQ(read_bytes(sparse).cell_count(), 2);
}

TEST(Gmsh, AnswersWrongNodesWithTheirPlace) {
  EXPECT_SENTENCE(read_bytes(replaced(square_2, "3 1 1 0", "3 1 nan 0")), "test.msh, line 13: a coordinate is nan");
  EXPECT_SENTENCE(read_bytes(replaced(square_2, "3 1 1 0", "3 1 1e999 0")), "line 13: '1e999' is no number");
  EXPECT_SENTENCE(read_bytes(replaced(square_2, "3 1 1 0", "3 1 x 0")), "line 13: 'x' is no number");
  EXPECT_SENTENCE(read_bytes(replaced(square_2, "3 1 1 0", "4 1 1 0")), "two nodes have the number 4");
  EXPECT_SENTENCE(read_bytes(replaced(square_2, "1 2 3\n", "1 2 8\n")),
                  "element 4 has the node 8, which the file does not");
  EXPECT_SENTENCE(read_bytes(replaced(square_2, "1 2 3\n", "1 2 -8\n")), "element 4 has the node -8");
  EXPECT_SENTENCE(read_bytes(replaced(square_2, "3 1 1 0", "3 1 1 0.5")), "node 3 lies at z = 0.5");
  EXPECT_SENTENCE(read_bytes(replaced(square_4, "3\n4\n9\n", "3\n3\n9\n")), "two nodes have the number 3");
  EXPECT_SENTENCE(read_bytes(replaced(square_4, "1 1 0\n", "1 inf 0\n")), "line 29: a coordinate is inf");
}

TEST(Gmsh, AnswersAbsurdCountsBeforeItBelievesThem) {
  for (const char* count : {"1099511627776", "6", "-1", "99999999999999999999", "x"}) {
    EXPECT_NE(sentence([&] { read_bytes(replaced(square_2, "$Nodes\n5", "$Nodes\n" + std::string(count))); }), "");
    EXPECT_NE(sentence([&] { read_bytes(replaced(square_2, "$Elements\n5", "$Elements\n" + std::string(count))); }),
              "");
    EXPECT_NE(sentence([&] { read_bytes(replaced(square_4, "3 5 1 9", "3 " + std::string(count) + " 1 9")); }), "");
    EXPECT_NE(sentence([&] { read_bytes(replaced(square_4, "4 4 2 5", "4 " + std::string(count) + " 2 5")); }), "");
  }
  EXPECT_SENTENCE(read_bytes(replaced(square_2, "$Nodes\n5", "$Nodes\n1099511627776")),
                  "claims 1099511627776 nodes, but");
  EXPECT_SENTENCE(read_bytes(replaced(square_4, "1 1 1 1\n2 1 2", "1 1 1 1099511627776\n2 1 2")),
                  "claims 1099511627776 elements, but");
}

TEST(Gmsh, AnswersElementTypesThatItCannotUse) {
  EXPECT_SENTENCE(read_bytes(replaced(square_2, "5 2 2 0 1 1 3 4", "5 16 2 0 1 1 3 4 1 2 3 4 9")), "serendipity");
  EXPECT_SENTENCE(read_bytes(replaced(square_2, "5 2 2 0 1 1 3 4", "5 18 2 0 1 1 3 4 1 2 3")), "a serendipity element");
  EXPECT_SENTENCE(read_bytes(replaced(square_2, "5 2 2 0 1 1 3 4", "5 120 2 0 1 1 3 4 1 2")), "of an order above");
  EXPECT_SENTENCE(read_bytes(replaced(square_2, "5 2 2 0 1 1 3 4", "5 25 2 0 1 1 3 4")), "order above 4");
  EXPECT_SENTENCE(read_bytes(replaced(square_2, "5 2 2 0 1 1 3 4", "5 777 2 0 1 1 3 4")),
                  "line 23: element type 777 is unknown");
  EXPECT_SENTENCE(read_bytes(replaced(square_2, "5 2 2 0 1 1 3 4", "5 9 2 0 1 1 3 4 9 9 9")),
                  "holds triangles of order 1 and triangles of order 2; all cells of a mesh have one order");
}

TEST(Gmsh, AnswersGroupsThatMakeNoSense) {
  EXPECT_SENTENCE(read_bytes(replaced(square_4, "1 1 4 1 2 3 4", "2 1 7 4 1 2 3 4")),
                  "surface 1 belongs to the physical groups 'air' and '7'");
  EXPECT_SENTENCE(read_bytes(replaced(square_2, "2 1 2 5 1 1 2", "2 1 2 5 1 2 4")),
                  "boundary 'floor' belongs to no cell");
  EXPECT_SENTENCE(read_bytes(replaced(square_2, "2 1 2 5 1 1 2", "2 1 2 5 1 1 9")),
                  "element 2 of the group 'floor' is no face");
  const std::string lines = square_2.substr(0, square_2.find("$Elements"));
  EXPECT_SENTENCE(read_bytes(lines + "$Elements\n1\n1 15 2 0 1 1\n$EndElements\n"), "holds no lines, triangles");
  EXPECT_SENTENCE(read_bytes(lines + "$Elements\n1\n1 1 2 0 1 2 4\n$EndElements\n"), "a mesh of lines must lie on the x axis");
  EXPECT_SENTENCE(read_bytes(lines), "has no section $Elements");
}

TEST(Gmsh, AnswersOtherFilesAndVersions) {
  EXPECT_SENTENCE(read_bytes(""), "is no Gmsh mesh");
  EXPECT_SENTENCE(read_bytes("solid ascii\n"), "is no Gmsh mesh");
  EXPECT_SENTENCE(read_bytes("$NOD\n1\n"), "version 1");
  EXPECT_SENTENCE(read_bytes(replaced(square_4, "4.1 0 8", "4 0 8")), "version 4 is not read");
  EXPECT_SENTENCE(read_bytes(replaced(square_4, "4.1 0 8", "3.7 0 8")), "version 3.7 is not read");
  EXPECT_SENTENCE(read_bytes(replaced(square_4, "4.1 0 8", "4.1 2 8")), "kind of file is 2");
  EXPECT_SENTENCE(read_bytes(replaced(square_4, "4.1 0 8", "4.1 0 3")), "numbers of 3 bytes");
  EXPECT_SENTENCE(read_bytes(square_4 + square_4), "a second section");
  EXPECT_SENTENCE(read_gmsh("/nowhere/there.msh"), "/nowhere/there.msh cannot be opened");
  EXPECT_SENTENCE(read_gmsh("/"), "is a folder");
  EXPECT_SENTENCE(read_gmsh("/dev/null"), "is no ordinary file");
  EXPECT_SENTENCE(read_gmsh("/nowhere/there.geo"), "does not exist");
}

TEST(Gmsh, SaysHowToMeshAGeometryWhereTheProgramIsMissing) {
  const auto geo = std::filesystem::temp_directory_path() / "swell-test-square.geo";
  { std::ofstream(geo) << "Point(1) = {0, 0, 0};\n"; }
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  EXPECT_SENTENCE(read_gmsh(geo), "the program gmsh is not installed; make a mesh of it where gmsh is (gmsh -3");
  setenv("PATH", path.c_str(), 1);
  std::filesystem::remove(geo);
}

TEST(Gmsh, CallsTheProgramWithoutAShell) {
  const auto folder = std::filesystem::temp_directory_path() / "swell test; touch folder";
  std::filesystem::create_directories(folder);
  { std::ofstream(folder / "gmsh") << "#!/bin/sh\nwhile [ \"$1\" != -o ]; do shift; done\ncp \"$3.answer\" \"$2\"\n"; }
  std::filesystem::permissions(folder / "gmsh", std::filesystem::perms::owner_all);
  { std::ofstream(folder / "-square.geo") << "Point(1) = {0, 0, 0};\n"; }
  { std::ofstream(folder / "-square.geo.answer") << square_4; }
  const std::string path = std::getenv("PATH");
  setenv("PATH", (folder.string() + ":" + path).c_str(), 1);
  EXPECT_EQ(read_gmsh(folder / "-square.geo").cell_count(), 2);
  std::filesystem::remove(folder / "-square.geo.answer");
  EXPECT_SENTENCE(read_gmsh(folder / "-square.geo"), "gmsh could not mesh");
  setenv("PATH", path.c_str(), 1);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace swell::test
