// SPDX-License-Identifier: Apache-2.0
// Ten thousand ADER steps at cfl = 0.9 from noise, which holds every mode: the energy of a closed box must not grow. With
// SWELL_LONG set: both families, all shapes, orders 1 to 7, regular, stretched and distorted cells; tools/long_runs --ader
// runs these.
#include <fmt/format.h>
#include <unistd.h>

#include "mesh/gmsh_write.hpp"
#include "mesh/sources.hpp"
#include "support.hpp"

namespace swell {
namespace {

constexpr int many_steps = 10000;

struct AderRun {
  std::string model, family, element;
  int order;
  std::string cells;  // regular, stretched, distorted
};

std::string words(const AderRun& run) {
  return fmt::format("{}_{}_{}_{}_{}", run.model, run.family, run.element, run.order, run.cells);
}

// Names the parameters where a test fails.
void PrintTo(const AderRun& run, std::ostream* out) { *out << words(run); }

bool is_plane(const std::string& element) { return element == "triangle" || element == "quadrilateral"; }

// Acoustics stands for all systems (decision 0007); advection in a velocity that turns with time is integrated at Gauss
// times of the step in place of the Taylor series.
std::vector<AderRun> ader_runs() {
  if (!std::getenv("SWELL_LONG"))
    return {{"acoustics", "modal", "triangle", 3, "distorted"}, {"acoustics", "nodal", "quadrilateral", 3, "stretched"}};
  std::vector<AderRun> all;
  for (const std::string element : {"triangle", "quadrilateral", "tetrahedron", "hexahedron"})
    for (const std::string family : {"modal", "nodal"})
      for (int order = 1; order <= 7; ++order) {
        for (const std::string cells : {"regular", "stretched", "distorted"})
          all.push_back({"acoustics", family, element, order, cells});
        for (const std::string model : {"elastic", "maxwell"})
          if (order <= 4) all.push_back({model, family, element, order, "stretched"});
        if (family == "modal" && is_plane(element) && order <= 4)
          all.push_back({"turning", family, element, order, "stretched"});
      }
  return all;
}

// A box with its points moved, as a file that is gone with this object. Points of simplices move each on its own, by up to
// 0.15 of a cell and never off their side; tensor shapes stay parallelepipeds, so their planes move, and the box leans.
class DistortedBox {
 public:
  explicit DistortedBox(const std::string& element)
      : file_(std::filesystem::temp_directory_path() / fmt::format("swell-distorted-{}-{}.msh", element, getpid())) {
    const Shape shape = shape_from_name(element).value();
    const int dim = dimension(shape), count = dim == 2 ? 3 : 2;
    Mesh mesh = make_box({std::vector<double>(dim, 0.0), std::vector<double>(dim, 1.0),
                          std::vector<std::int64_t>(dim, count), shape, {}});
    std::mt19937_64 engine(11);
    const auto shift = [&] { return 0.15 / count * (2 * std::generate_canonical<double, 53>(engine) - 1); };
    std::map<std::pair<int, long>, double> planes;  // by direction and number
    for (std::size_t i = 0; i < mesh.points.size(); ++i) {
      const long plane = std::lround(mesh.points[i] * count);
      if (plane == 0 || plane == count) continue;
      if (is_simplex(shape)) {
        mesh.points[i] += shift();
      } else {
        const auto [entry, is_new] = planes.try_emplace({static_cast<int>(i % dim), plane}, 0.0);
        if (is_new) entry->second = 2 * shift();
        mesh.points[i] += entry->second;
      }
    }
    if (!is_simplex(shape))
      for (std::size_t i = 0; i < mesh.points.size(); i += dim) mesh.points[i] += 0.4 * mesh.points[i + 1];
    write_gmsh(mesh, file_);
  }
  ~DistortedBox() { std::filesystem::remove(file_); }
  DistortedBox(const DistortedBox&) = delete;
  DistortedBox& operator=(const DistortedBox&) = delete;
  std::string name() const { return file_.string(); }

 private:
  std::filesystem::path file_;
};

std::string mesh_text(const AderRun& run, const std::optional<DistortedBox>& distorted) {
  if (distorted) return fmt::format("file = \"{}\"", distorted->name());
  const bool plane = is_plane(run.element);
  const int length = run.cells == "stretched" ? 10 : 1;
  const bool everywhere = run.model == "turning";
  return plane ? fmt::format("box = {{ low = [0, 0], high = [{}, 1], cells = [2, 2], element = \"{}\", "
                             "periodic = [true, {}] }}",
                             length, run.element, everywhere)
               : fmt::format("box = {{ low = [0, 0, 0], high = [{}, 1, 1], cells = [2, 1, 1], element = \"{}\", "
                             "periodic = [true, {}, {}] }}",
                             length, run.element, everywhere, everywhere);
}

std::string model_text(const AderRun& run) {
  if (run.model == "turning") return "name = \"advection\"";
  return fmt::format("name = \"{}\"", run.model == "maxwell" && is_plane(run.element) ? "maxwell-tm" : run.model);
}

class AderLongRun : public testing::TestWithParam<AderRun> {};

TEST_P(AderLongRun, StaysBounded) {
  const AderRun& given = GetParam();
  std::optional<DistortedBox> distorted;
  if (given.cells == "distorted") distorted.emplace(given.element);
  const char* device = std::getenv("SWELL_LONG_DEVICE");
  Simulation run(parse_case(fmt::format("[mesh]\n{}\n[model]\n{}\nfamily = \"{}\"\norder = {}\n{}[time]\nsteps = {}\n"
                                        "scheme = \"ader\"\ncfl = 0.9\n",
                                        mesh_text(given, distorted), model_text(given), given.family, given.order,
                                        given.model == "turning" ? "[material]\nax = \"cos(t)\"\nay = \"sin(t)\"\n" : "",
                                        many_steps),
                            "test.toml"),
                 device_named(device ? device : "cpu:1"));
  write_noise(run.dg(), run.state());
  const double before = run.energy();
  double half = 0;
  run.advance(run.end(), [&] {
    if (run.steps() == many_steps / 2) half = run.energy();
    return true;
  });
  EXPECT_EQ(run.steps(), many_steps);
  EXPECT_LE(half, before);
  EXPECT_LE(run.energy(), before);
  // The remaining modes have hardly any damping; decision 0009 says which of them ADER lets grow.
  RecordProperty("energy", fmt::format("{:.4e}", run.energy() / before));
  RecordProperty("second_half", fmt::format("{:.3e}", run.energy() / half - 1));
}

INSTANTIATE_TEST_SUITE_P(Runs, AderLongRun, testing::ValuesIn(ader_runs()),
                         [](const auto& tested) { return words(tested.param); });

}  // namespace
}  // namespace swell
