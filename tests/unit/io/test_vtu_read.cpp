// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "element/basis.hpp"
#include "io/receivers.hpp"
#include "io/vtu.hpp"
#include "io/vtu_read.hpp"
#include "scratch.hpp"

namespace swell {
namespace {

struct Written {
  Written(const std::filesystem::path& path, Shape shape, int order, bool single, bool compress, std::int64_t cells = 700) {
    const std::int64_t count = mode_count(shape, order) * cells;
    for (std::int64_t i = 0; i < 3 * count; ++i) points.push_back(0.1 * static_cast<double>(i));
    for (std::int64_t i = 0; i < count; ++i) field.push_back(1.0 / static_cast<double>(i + 1));
    VtuPiece piece;
    piece.runs = {{shape, cells}};
    piece.order = order;
    piece.points = points.data();
    piece.point_fields = {{"Ez", field.data()}, {"a<b", points.data()}};
    write_vtu(path, piece, {single, compress, 1});
  }
  std::vector<double> points, field;
};

TEST(VtuFile, ReadsBackWhatWasWritten) {
  const Scratch scratch;
  for (const Shape shape : {Shape::line, Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::hexahedron})
    for (const bool single : {true, false})
      for (const bool compress : {true, false}) {
        const Written written(scratch / "a.vtu", shape, 4, single, compress);
        const VtuFile file(scratch / "a.vtu");
        ASSERT_EQ(file.runs().size(), 1u);
        EXPECT_EQ(file.runs()[0].shape, shape);
        EXPECT_EQ(file.order(), 4);
        EXPECT_EQ(file.cells(), 700);
        EXPECT_EQ(file.fields(), (std::vector<std::string>{"Ez", "a<b"}));
        EXPECT_EQ(file.points(), written.points);
        EXPECT_EQ(file.field("Ez"), std::vector<float>(written.field.begin(), written.field.end()));
      }
}

// A pyramid is written as a hexahedron one of whose faces is the apex; its rational functions keep their values there.
TEST(VtuFile, ReadsBackPrismsAndPyramids) {
  const Scratch scratch;
  const int order = 3, prism_points = mode_count(Shape::prism, order), points_of_cube = mode_count(Shape::hexahedron, order);
  const auto function = [](double x, double y, double z) { return 1 + x * y + x * z; };
  std::vector<double> points, field;
  for (const Shape shape : {Shape::prism, Shape::pyramid}) {
    const Matrix at = lattice(shape, order);
    for (Eigen::Index p = 0; p < at.rows(); ++p) {
      points.insert(points.end(), {at(p, 0), at(p, 1), at(p, 2)});
      field.push_back(function(at(p, 0), at(p, 1), at(p, 2)));
    }
  }
  VtuPiece piece;
  piece.runs = {{Shape::prism, 1}, {Shape::pyramid, 1}};
  piece.order = order;
  piece.points = points.data();
  piece.point_fields = {{"p", field.data()}};
  write_vtu(scratch / "a.vtu", piece, {});
  const VtuFile file(scratch / "a.vtu");
  ASSERT_EQ(file.runs().size(), 2u);
  EXPECT_EQ(file.runs()[0].shape, Shape::prism);
  EXPECT_EQ(file.runs()[1].shape, Shape::hexahedron);
  const auto back = file.points();
  const auto values = file.field("p");
  ASSERT_EQ(static_cast<int>(values.size()), prism_points + points_of_cube);
  const Matrix cube = lattice(Shape::hexahedron, order);
  for (int p = 0; p < points_of_cube; ++p) {
    const double* x = back.data() + 3 * (prism_points + p);
    const double z = cube(p, 2);
    EXPECT_NEAR(x[0], -1 + 0.5 * (1 + cube(p, 0)) * (1 - z), 1e-13);
    EXPECT_NEAR(x[1], -1 + 0.5 * (1 + cube(p, 1)) * (1 - z), 1e-13);
    EXPECT_NEAR(x[2], z, 1e-13);
    EXPECT_NEAR(values[static_cast<std::size_t>(prism_points + p)], function(x[0], x[1], x[2]), 1e-6);
  }
}

TEST(VtuFile, ReadsBackCellsOfSeveralShapes) {
  const Scratch scratch;
  const std::int64_t triangles = 300, squares = 200, count = 10 * triangles + 16 * squares;  // of order 3
  std::vector<double> points, field;
  for (std::int64_t i = 0; i < 3 * count; ++i) points.push_back(0.1 * static_cast<double>(i));
  for (std::int64_t i = 0; i < count; ++i) field.push_back(1.0 / static_cast<double>(i + 1));
  VtuPiece piece;
  piece.runs = {{Shape::triangle, triangles}, {Shape::quadrilateral, squares}};
  piece.order = 3;
  piece.points = points.data();
  piece.point_fields = {{"Ez", field.data()}};
  write_vtu(scratch / "a.vtu", piece, {false, true, 1});
  const VtuFile file(scratch / "a.vtu");
  ASSERT_EQ(file.runs().size(), 2u);
  for (const int i : {0, 1}) {
    EXPECT_EQ(file.runs()[i].shape, piece.runs[i].shape);
    EXPECT_EQ(file.runs()[i].cells, piece.runs[i].cells);
  }
  EXPECT_EQ(file.order(), 3);
  EXPECT_EQ(file.points(), points);
  EXPECT_EQ(file.field("Ez"), std::vector<float>(field.begin(), field.end()));
}

std::string complaint(const std::filesystem::path& path) {
  try {
    const VtuFile file(path);
    file.points();
    file.field("Ez");
  } catch (const InputError& failure) {
    return failure.what();
  }
  return "";
}

TEST(VtuFile, NamesWhatIsWrongWithADamagedFile) {
  const Scratch scratch;
  const Written written(scratch / "good.vtu", Shape::triangle, 2, true, true);
  const std::string good = text_of(scratch / "good.vtu");
  EXPECT_EQ(complaint(scratch / "good.vtu"), "");
  EXPECT_NE(complaint(scratch / "none.vtu").find("missing or empty"), std::string::npos);
  for (std::size_t part = 1; part < 20; ++part) {
    std::ofstream(scratch / "cut.vtu", std::ios::binary) << good.substr(0, good.size() * part / 20);
    EXPECT_NE(complaint(scratch / "cut.vtu").find("cut.vtu"), std::string::npos) << part;
  }
  const auto data = good.find("<AppendedData");
  for (std::size_t at = data + 31; at < data + 31 + 24; ++at) {  // the head of the first array: blocks, their size, the last
    if (at >= data + 31 + 8 && at < data + 31 + 16) continue;       // of whole blocks, and there is none
    std::string changed = good;
    changed[at] = static_cast<char>(changed[at] ^ 0x40);
    std::ofstream(scratch / "changed.vtu", std::ios::binary) << changed;
    EXPECT_NE(complaint(scratch / "changed.vtu"), "") << at - data;
  }
}

TEST(Pvd, ListsTimesAndFiles) {
  const Scratch scratch;
  PvdSeries series(scratch / "fields.pvd");
  series.add(0, "fields/000000.vtu");
  series.add(0.125, "fields/a&b.vtu");
  const auto entries = read_pvd(scratch / "fields.pvd");
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[1].time, 0.125);
  EXPECT_EQ(entries[1].file, scratch / "fields/a&b.vtu");
  EXPECT_EQ(vtu_pieces(entries[0].file), std::vector{entries[0].file});
  VtuPiece piece;
  piece.point_fields.push_back({"Ez", nullptr});
  write_pvtu(scratch / "000001.pvtu", {"000001-0.vtu", "000001-1.vtu"}, piece);
  EXPECT_EQ(vtu_pieces(scratch / "000001.pvtu"), (std::vector{scratch / "000001-0.vtu", scratch / "000001-1.vtu"}));
}

TEST(Signals, AreReadBackUpToTheLastWholeLine) {
  const Scratch scratch;
  {
    ReceiverFile file(scratch / "probe.csv", {"Ez", "Hx"});
    for (int i = 0; i < 3; ++i) {
      const double row[2] = {0.1 * i, -1e-300 * i};
      file.append(i / 3.0, row);
    }
    file.close();
  }
  const SignalTable table = read_signals(scratch / "probe.csv");
  EXPECT_EQ(table.columns, (std::vector<std::string>{"time", "Ez", "Hx"}));
  EXPECT_EQ(table.values, (std::vector<double>{0, 0, -0.0, 1 / 3.0, 0.1, -1e-300, 2 / 3.0, 0.2, -2e-300}));
  std::ofstream(scratch / "probe.csv", std::ios::app) << "1.0,0.3";
  EXPECT_EQ(read_signals(scratch / "probe.csv").values, table.values);
  std::ofstream(scratch / "probe.csv", std::ios::app) << "\n";
  EXPECT_THROW(read_signals(scratch / "probe.csv"), InputError);
}

}  // namespace
}  // namespace swell
