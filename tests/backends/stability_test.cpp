// SPDX-License-Identifier: Apache-2.0
// Ten thousand steps at cfl = 1 from noise, which holds every mode: the energy of a closed box must not grow. With
// SWELL_LONG set: all models, shapes, schemes and orders 1 to 8, and with lsrk54 the orders above; curved elements in discs and
// in bent boxes, there with all schemes to order 6; tools/long_runs runs these.
#include <fmt/format.h>
#include <unistd.h>

#include "mesh/geometry.hpp"
#include "mesh/gmsh_write.hpp"
#include "mesh/sources.hpp"
#include "support.hpp"

namespace swell {
namespace {

constexpr int many_steps = 10000;

struct Long {
  std::string model, element;
  int order;
  std::string scheme = "lsrk54";
  double stretch = 1;
  bool curved = false;  // a disc or a bent box
  double move = 0;      // of vertices, at random
};

// Names the parameters where a test fails.
void PrintTo(const Long& run, std::ostream* out) {
  *out << fmt::format("{} {} {} {} {}{}", run.model, run.element, run.order, run.scheme, run.stretch,
                      run.curved ? " curved" : run.move > 0 ? " moved" : "");
}

std::string long_name(const testing::TestParamInfo<Long>& given) {
  const Long& run = given.param;
  std::string name = fmt::format("{}_{}_{}_{}{}{}", run.model, run.element, run.order, run.scheme,
                                 run.curved     ? "_curved"
                                 : run.move > 0 ? "_moved"
                                                : "",
                                 run.stretch == 1 ? "" : "_stretched");
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

bool is_plane(const std::string& element) { return element == "triangle" || element == "quadrilateral"; }

std::vector<Long> long_runs() {
  if (!std::getenv("SWELL_LONG"))
    return {{"maxwell-tm", "triangle", 4},
            {"elastic", "triangle", 2, "lsrk54", 7},
            {"acoustics", "quadrilateral", 5, "rk4", 3},
            {"advection", "quadrilateral", 2, "ssprk33"},
            {"maxwell", "tetrahedron", 2, "lsrk54", 4},
            {"acoustics", "hexahedron", 2, "ab3", 3},
            {"acoustics", "triangle", 1, "lsrk54", 1, true},
            {"maxwell", "tetrahedron", 1, "rk4", 1, true},
            {"acoustics", "quadrilateral", 3, "lsrk54", 1, false, 0.3},
            {"maxwell", "hexahedron", 1, "rk4", 5, false, 0.3}};
  std::vector<Long> all;
  for (const std::string element : {"triangle", "quadrilateral", "tetrahedron", "hexahedron"})
    for (const std::string model : {"advection", "acoustics", "maxwell-tm", "maxwell-te", "maxwell", "elastic"}) {
      const bool plane = is_plane(element);
      if (model == "maxwell" ? plane : model.starts_with("maxwell-") && !plane) continue;
      for (int order = 1; order <= (plane ? 12 : 10); ++order)
        for (const std::string scheme : {"lsrk54", "rk4", "ssprk33", "ab3"}) {  // the nodal family's
          // Points of integration make bent boxes of high order slow: those have the scheme with one stage.
          if (plane ? order <= 8 || scheme == "lsrk54" : order <= 6 || scheme == "ab3")
            all.push_back({model, element, order, scheme, 1, true});
          if (order <= 8 || scheme == "lsrk54")
            for (const double stretch : {1.0, 10.0}) {
              all.push_back({model, element, order, scheme, stretch});
              all.push_back({model, element, order, scheme, stretch, false, 0.3});
            }
        }
    }
  return all;
}

std::string long_device() {
  const char* given = std::getenv("SWELL_LONG_DEVICE");
  return given ? given : "cpu:1";
}

// A box of two hexahedra or six tetrahedra, all of them curved, as a file that is gone with this object.
class BentBox {
 public:
  explicit BentBox(const std::string& element)
      : file_(std::filesystem::temp_directory_path() / fmt::format("swell-bent-{}-{}.msh", element, getpid())) {
    const bool simplex = element == "tetrahedron";
    Mesh mesh = make_box({{0, 0, 0},
                          {1, 1, 1},
                          {simplex ? 1 : 2, 1, 1},
                          simplex ? Shape::tetrahedron : Shape::hexahedron,
                          {}});
    bend(mesh, simplex ? 2 : 3);
    write_gmsh(mesh, file_);
  }
  ~BentBox() { std::filesystem::remove(file_); }
  BentBox(const BentBox&) = delete;
  BentBox& operator=(const BentBox&) = delete;
  std::string name() const { return file_.string(); }

 private:
  static void bend(Mesh& mesh, int geometry_order) {
    const CellMap places(mesh, lattice(mesh.shape(), geometry_order));
    std::map<std::array<long, 3>, std::int64_t> known;  // points that cells share, by their place in billionths
    std::vector<double> x(places.point_count() * 3), points;
    CellBlock& block = mesh.blocks.front();
    std::vector<std::int64_t> nodes;
    for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell) {
      places.coordinates(cell, x.data());
      for (int i = 0; i < places.point_count(); ++i) {
        const double *at = x.data() + 3 * i, r = at[0], s = at[1], t = at[2];
        const auto [entry, is_new] = known.try_emplace({std::lround(1e9 * r), std::lround(1e9 * s), std::lround(1e9 * t)},
                                                       static_cast<std::int64_t>(known.size()));
        nodes.push_back(entry->second);
        if (is_new)
          points.insert(points.end(), {r + 0.2 * s * s - 0.1 * t * r, s - 0.15 * r * r + 0.1 * s * t, t + 0.15 * r * s});
      }
    }
    block.geometry_order = geometry_order;
    block.nodes_per_cell = places.point_count();
    block.nodes = std::move(nodes);
    mesh.points = std::move(points);
  }

  std::filesystem::path file_;
};

class LongRun : public testing::TestWithParam<Long> {};

TEST_P(LongRun, StaysBounded) {
  const auto& [model, element, order, scheme, stretch, curved, move] = GetParam();
  const bool plane = is_plane(element);
  // The inflow through a side of advection adds to it.
  const std::string wall = model == "advection" ? "true" : "false";
  const std::string closed = plane ? fmt::format("[true, {}]", wall) : fmt::format("[true, {0}, {0}]", wall);
  const std::string box = fmt::format("box = {{ low = {}, high = {}, cells = {}, element = \"{}\", periodic = {}, move = {} }}",
                                      plane ? "[0, 0]" : "[0, 0, 0]",
                                      plane ? fmt::format("[{}, 1]", stretch) : fmt::format("[{}, 1, 1]", stretch),
                                      move > 0 ? plane ? "[4, 4]" : "[2, 2, 2]"
                                      : plane  ? "[2, 2]"
                                               : "[2, 1, 1]",
                                      element, closed, move);
  const std::string disc = fmt::format("disc = {{ cells = 1, geometry_order = 3, element = \"{}\" }}", element);
  std::optional<BentBox> bent;
  if (curved && !plane) bent.emplace(element);
  Simulation run(parse_case(fmt::format(R"toml(
[mesh]
{}
[model]
name = "{}"
order = {}
[time]
steps = {}
scheme = "{}"
)toml",
                                        bent     ? fmt::format("file = \"{}\"", bent->name())
                                        : curved ? disc
                                                 : box,
                                        model, order, many_steps, scheme),
                            "test.toml"),
                 device_named(long_device()));
  write_noise(run.dg(), run.state());
  const double before = run.energy();
  run.advance(run.end());
  EXPECT_EQ(run.steps(), many_steps);
  EXPECT_LE(run.energy(), before);
}

INSTANTIATE_TEST_SUITE_P(Runs, LongRun, testing::ValuesIn(long_runs()), long_name);

}  // namespace
}  // namespace swell
