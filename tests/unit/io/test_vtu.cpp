// SPDX-License-Identifier: Apache-2.0
// The bytes of a .vtu by the format's description; tests/vtk lets VTK itself judge.
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>

#include "base/error.hpp"
#include "element/basis.hpp"
#include "element/vtk_order.hpp"
#include "io/vtu.hpp"
#include "scratch.hpp"

namespace swell {
namespace {

struct Sample {
  Sample(Shape shape, int order, std::int64_t cells) {
    const std::int64_t count = mode_count(shape, order) * cells;
    for (std::int64_t i = 0; i < 3 * count; ++i) points.push_back(0.01 * static_cast<double>(i));
    for (std::int64_t i = 0; i < count; ++i) field.push_back(1.0 / static_cast<double>(i + 1));
    for (std::int64_t i = 0; i < cells; ++i) region.push_back(static_cast<std::int32_t>(i % 3));
    piece.runs = {{shape, cells}};
    piece.order = order;
    piece.points = points.data();
    piece.point_fields.push_back({"Ez", field.data()});
    piece.point_vectors.push_back({"E", points.data()});
    piece.cell_numbers.push_back({"region", region.data()});
  }
  std::vector<double> points, field;
  std::vector<std::int32_t> region;
  VtuPiece piece;
};

std::uint64_t u64(const std::string& bytes, std::size_t at) {
  std::uint64_t value;
  std::memcpy(&value, bytes.substr(at, 8).data(), 8);
  return value;
}

// The decoded bytes of a named array.
std::string array_of(const std::string& file, const std::string& name, const std::string& type) {
  const std::string head = file.substr(0, file.find("<AppendedData")), key = "offset=\"";
  const std::size_t line = head.find("<DataArray type=\"" + type + "\" Name=\"" + name + "\"");
  if (line == std::string::npos) throw std::runtime_error("no array " + name + " of type " + type);
  const std::size_t digits = head.find(key, line) + key.size();
  EXPECT_EQ(head.substr(head.find_first_not_of("0123456789", digits), 1), "\"");
  const std::size_t at = file.find('_', head.size()) + 1 + std::stoull(head.substr(digits));
  if (file.find("vtkZLibDataCompressor") == std::string::npos) return file.substr(at + 8, u64(file, at));
  const std::uint64_t blocks = u64(file, at), block_bytes = u64(file, at + 8), last_bytes = u64(file, at + 16);
  std::string bytes;
  std::size_t next = at + 24 + 8 * blocks;
  for (std::uint64_t b = 0; b < blocks; ++b) {
    std::string block(b + 1 == blocks && last_bytes > 0 ? last_bytes : block_bytes, '\0');
    uLongf size = block.size();
    const std::uint64_t packed = u64(file, at + 24 + 8 * b);
    if (uncompress(reinterpret_cast<Bytef*>(block.data()), &size, reinterpret_cast<const Bytef*>(&file[next]),
                   packed) != Z_OK ||
        size != block.size())
      throw std::runtime_error("a block does not inflate");
    bytes += block;
    next += packed;
  }
  return bytes;
}

template <class Number>
std::vector<Number> numbers_of(const std::string& file, const std::string& name, const std::string& type) {
  const std::string bytes = array_of(file, name, type);
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

class VtuForms : public testing::TestWithParam<bool> {};

TEST_P(VtuForms, HoldsEveryArrayWhole) {
  Scratch scratch;
  const Sample sample(Shape::hexahedron, 4, 600);  // 1.8 MB of points: several blocks
  write_vtu(scratch / "a.vtu", sample.piece, {.single = false, .compress = GetParam()});
  const std::string file = text_of(scratch / "a.vtu");
  EXPECT_NE(file.find("NumberOfPoints=\"75000\" NumberOfCells=\"600\""), std::string::npos);
  EXPECT_EQ(numbers_of<double>(file, "Points", "Float64"), sample.points);
  EXPECT_EQ(numbers_of<double>(file, "Ez", "Float64"), sample.field);
  EXPECT_EQ(numbers_of<double>(file, "E", "Float64"), sample.points);
  EXPECT_EQ(numbers_of<std::int32_t>(file, "region", "Int32"), sample.region);
  EXPECT_EQ(numbers_of<std::uint8_t>(file, "types", "UInt8"), std::vector<std::uint8_t>(600, 72));
  const auto offsets = numbers_of<std::int64_t>(file, "offsets", "Int64");
  const auto connectivity = numbers_of<std::int64_t>(file, "connectivity", "Int64");
  const std::vector<int> order = vtk_lattice_order(Shape::hexahedron, 4);
  ASSERT_EQ(offsets.size(), 600u);
  ASSERT_EQ(connectivity.size(), 75000u);
  EXPECT_EQ(offsets[599], 75000);
  for (int i = 0; i < 125; ++i) EXPECT_EQ(connectivity[125 * 7 + i], 125 * 7 + order[i]);
}

INSTANTIATE_TEST_SUITE_P(RawAndCompressed, VtuForms, testing::Bool());

TEST(Vtu, StoresFieldsInSingleAndPointsInDoubleUnlessAsked) {
  Scratch scratch;
  const Sample sample(Shape::triangle, 3, 2);
  write_vtu(scratch / "a.vtu", sample.piece);
  const std::string file = text_of(scratch / "a.vtu");
  EXPECT_EQ(numbers_of<double>(file, "Points", "Float64"), sample.points);
  EXPECT_EQ(numbers_of<float>(file, "Ez", "Float32"), std::vector<float>(sample.field.begin(), sample.field.end()));
}

TEST(Vtu, AsksForFieldsInSmallPieces) {
  Scratch scratch;
  Sample sample(Shape::tetrahedron, 2, 50000);
  std::int64_t largest = 0, next = 0;
  sample.piece.point_fields = {{"u", VtuSource([&](std::int64_t first, std::int64_t count, double* out) {
                                  EXPECT_EQ(first, next);
                                  next = first + count;
                                  largest = std::max(largest, count);
                                  std::fill_n(out, 10 * count, 1.0);
                                })}};
  write_vtu(scratch / "a.vtu", sample.piece);
  EXPECT_EQ(next, 50000);
  EXPECT_LT(largest, 5000);
}

TEST(Vtu, LeavesNoFileWhenAFieldThrows) {
  Scratch scratch;
  Sample sample(Shape::triangle, 1, 4);
  sample.piece.point_fields = {{"u", VtuSource([](std::int64_t, std::int64_t, double*) { throw RunError("Lost."); })}};
  EXPECT_THROW(write_vtu(scratch / "a.vtu", sample.piece), RunError);
  EXPECT_EQ(scratch.count(), 0u);
}

TEST(Vtu, RefusesPoints) {
  Scratch scratch;
  VtuPiece piece;
  piece.runs = {{Shape::point, 1}};
  EXPECT_THROW(write_vtu(scratch / "a.vtu", piece), RunError);
  EXPECT_EQ(scratch.count(), 0u);
}

TEST(Pvd, IsWholeAfterEachAdd) {
  Scratch scratch;
  PvdSeries series(scratch / "fields.pvd");
  series.add(0, "fields-0.vtu");
  const std::string one = text_of(scratch / "fields.pvd");
  series.add(0.1, "fields-1.vtu", 2);
  const std::string two = text_of(scratch / "fields.pvd");
  EXPECT_NE(one.find("<DataSet timestep=\"0\" part=\"0\" file=\"fields-0.vtu\"/>"), std::string::npos) << one;
  EXPECT_NE(one.find("</VTKFile>"), std::string::npos);
  EXPECT_NE(two.find("file=\"fields-0.vtu\""), std::string::npos);
  EXPECT_NE(two.find("<DataSet timestep=\"0.1\" part=\"2\" file=\"fields-1.vtu\"/>"), std::string::npos) << two;
  EXPECT_EQ(scratch.count(), 1u);
}

}  // namespace
}  // namespace swell
