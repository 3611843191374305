// SPDX-License-Identifier: Apache-2.0
// A mesh is made by the threads of the host together: the same one, to the bit, by any number of them.
#include <algorithm>
#include <array>

#include "base/host_threads.hpp"
#include "helpers.hpp"

namespace swell::test {
namespace {

struct Made {
  Mesh mesh;
  std::vector<std::int64_t> order;
  std::vector<Locator::Hit> hits;
};

Made made(const BoxOptions& options, int threads) {
  set_host_threads(threads);
  Made all{make_box(options), {}, {}};
  all.order = space_filling_order(all.mesh);
  const Locator locator(all.mesh);
  for (int i = 0; i < 50; ++i) {
    const double x[3] = {0.5 + 0.49 * std::sin(i), 0.5 + 0.49 * std::sin(2.0 * i), 0.5 + 0.49 * std::cos(3.0 * i)};
    all.hits.push_back(locator.find(x));
  }
  set_host_threads(0);
  return all;
}

void expect_equal(const Made& one, const Made& other) {
  EXPECT_EQ(one.mesh.points, other.mesh.points);
  ASSERT_EQ(one.mesh.blocks.size(), other.mesh.blocks.size());
  for (std::size_t b = 0; b < one.mesh.blocks.size(); ++b) EXPECT_EQ(one.mesh.blocks[b].nodes, other.mesh.blocks[b].nodes);
  ASSERT_EQ(one.mesh.neighbours.size(), other.mesh.neighbours.size());
  const auto of = [](const Neighbour& n) { return std::array<std::int64_t, 4>{n.cell, n.face, n.orientation, n.boundary}; };
  EXPECT_TRUE(std::ranges::equal(one.mesh.neighbours, other.mesh.neighbours, {}, of, of));
  const auto of_inner = [](const InnerFace& f) { return std::array<std::int64_t, 3>{f.cell, f.face, f.boundary}; };
  EXPECT_TRUE(std::ranges::equal(one.mesh.inner_faces, other.mesh.inner_faces, {}, of_inner, of_inner));
  EXPECT_EQ(one.order, other.order);
  for (std::size_t i = 0; i < one.hits.size(); ++i) {
    EXPECT_EQ(one.hits[i].cell, other.hits[i].cell);
    EXPECT_EQ(one.hits[i].reference, other.hits[i].reference);
  }
}

// Several pieces of cells and of points, and enough cells for the sort by several threads.
TEST(Threads, MakeOneMeshHoweverManyThereAre) {
  const std::vector<double> low{0, 0, 0}, high{1, 1, 1};
  const BoxOptions boxes[] = {{low, high, {30, 30, 27}, Shape::tetrahedron, {true, false, false}},
                              {low, high, {17, 16, 18}, Shape::hexahedron, {}},
                              {low, high, {18, 18, 16}, Shape::prism, {}},
                              {low, high, {18, 18, 18}, Shape::pyramid, {}}};
  for (BoxOptions box : boxes) {
    box.move = box.shape == Shape::hexahedron ? 0.2 : 0;
    const Made alone = made(box, 1);
    expect_equal(alone, made(box, 3));
  }
}

// Two cells that are turned inside out, far apart: the first one is named, as by one thread.
TEST(Threads, NameTheFirstBadCell) {
  Mesh mesh = make_box({{0, 0}, {1, 1}, {120, 120}, Shape::triangle, {}});
  for (const std::int64_t cell : {9000, 20000}) {
    const auto nodes = mesh.nodes_of(cell);
    nodes[1] = nodes[0];
  }
  for (const int threads : {1, 4}) {
    set_host_threads(threads);
    try {
      check_geometry(mesh);
      FAIL() << "nobody looked";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("cell 9000 "), std::string::npos) << error.what();
    }
  }
  set_host_threads(0);
}

}  // namespace
}  // namespace swell::test
