// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <fstream>

#include "case_example.hpp"

namespace swell {
namespace {

namespace fs = std::filesystem;

TEST(Case, HoldsEveryPartOfTheDocumentedExample) {
  const Case read = parsed(example_case);
  EXPECT_EQ(read.title, "Mode (1,1) in a square cavity");
  EXPECT_EQ(read.text, example_case);
  ASSERT_TRUE(read.box);
  EXPECT_FALSE(read.disc);
  EXPECT_EQ(read.box->low, (std::vector<double>{0, 0}));
  EXPECT_EQ(read.box->high, (std::vector<double>{1, 1}));
  EXPECT_EQ(read.box->cells, (std::vector<std::int64_t>{16, 16}));
  EXPECT_EQ(read.box->shape, Shape::triangle);
  EXPECT_EQ(read.box->periodic, (std::vector<bool>{false, false}));
  EXPECT_EQ(read.model, "maxwell-tm");
  EXPECT_EQ(read.order, 5);
  EXPECT_EQ(read.flux, "upwind");
  EXPECT_EQ(read.alpha, 1);
  ASSERT_EQ(read.material.size(), 2u);
  EXPECT_EQ(read.material.at("").at("epsilon").text, "1");
  EXPECT_EQ(read.material.at("").at("mu").key, "material.mu in cavity.toml");
  EXPECT_EQ(read.material.at("glass").at("epsilon").text, "2.25 + 0.1*sin(x)");
  EXPECT_EQ(read.material.at("glass").at("epsilon").key, "material.glass.epsilon in cavity.toml");
  ASSERT_EQ(read.boundary.size(), 3u);
  EXPECT_EQ(read.boundary.at("xmin").kind, "pec");
  EXPECT_EQ(read.boundary.at("xmin").key, "boundary.xmin in cavity.toml");
  EXPECT_FALSE(read.boundary.at("xmin").wave);
  const BoundaryCase& ymin = read.boundary.at("ymin");
  EXPECT_EQ(ymin.kind, "incident");
  ASSERT_TRUE(ymin.wave);
  EXPECT_EQ(ymin.wave->direction, (std::vector<double>{0, 1}));
  EXPECT_EQ(ymin.wave->pulse.text, "exp(-(s/0.1)^2)");
  EXPECT_EQ(ymin.wave->pulse.key, "boundary.ymin.pulse in cavity.toml");
  EXPECT_TRUE(ymin.data.empty());
  EXPECT_EQ(read.initial.at("Ez").text, "sin(pi*x)*sin(pi*y)");
  EXPECT_EQ(read.exact.at("Ez").text, "cos(sqrt(2)*pi*t)*sin(pi*x)*sin(pi*y)");
  EXPECT_EQ(read.source.size(), 1u);
  ASSERT_EQ(read.points.size(), 1u);
  EXPECT_EQ(read.points[0].at, (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(read.points[0].field, "Ez");
  EXPECT_EQ(read.points[0].signal.text, "ricker(t, 10.0, 0.15)");
  EXPECT_EQ(read.points[0].key, "source.point[0] in cavity.toml");
  EXPECT_EQ(read.points[0].amplitude, 1);
  EXPECT_EQ(read.end, 10.0);
  EXPECT_FALSE(read.steps);
  EXPECT_EQ(read.scheme, "lsrk54");
  EXPECT_EQ(read.cfl, 1);
  EXPECT_FALSE(read.dt);
  EXPECT_EQ(read.backend, "auto");
  EXPECT_EQ(read.precision, Precision::double_);
  ASSERT_EQ(read.receivers.size(), 1u);
  EXPECT_EQ(read.receivers[0].name, "probe");
  EXPECT_EQ(read.receivers[0].at, (std::vector<double>{0.2, 0.2}));
  EXPECT_TRUE(read.receivers[0].fields.empty());
  EXPECT_EQ(read.receivers[0].every, 0);
  EXPECT_EQ(read.output_folder, "out/cavity");
  EXPECT_EQ(read.fields_every, 0.1);
  EXPECT_EQ(read.fields_format, "vtu");
  EXPECT_FALSE(read.picture);
}

TEST(Case, FillsInItsDefaults) {
  const Case read = parsed(small_case);
  EXPECT_EQ(read.title, "cavity");
  EXPECT_EQ(read.order, 3);
  EXPECT_EQ(read.output_folder, "out/cavity");
  EXPECT_FALSE(read.fields_every);
  EXPECT_TRUE(read.box->periodic.empty());
  EXPECT_TRUE(read.file.empty());
  EXPECT_EQ(parsed(small_case, {"mesh.box={low=[0,0,0],high=[1,1,1],cells=[2,2,2]}"}).box->shape, Shape::tetrahedron);
}

TEST(Case, ReadsTheLessCommonTables) {
  const Case read = parsed(R"toml(
[mesh]
disc = { center = [1, -2], radius = 2.5, cells = 3, geometry_order = 4, element = "quadrilateral" }
[model]
file = "mine.h"
flux = "upwind"
alpha = 0.25
[boundary]
rim = { kind = "dirichlet", Ez = "sin(x)", Hx = 2 }
"a b.c" = { kind = "incident", direction = [3, 4], polarisation = [0, 0, 1], origin = [1, 1], type = "S", pulse = 1 }
[[source.point]]
at = [0, 0]
moment = [1, 1, 0]
amplitude = 2
signal = "gauss(t, 1)"
[incident]
wave = "plane"
direction = [1, 0]
pulse = "sin(s)"
total = { low = [-1, -1], high = [1, 1] }
[time]
steps = 100
dt = 1e-3
scheme = "ab3"
[device]
backend = "cpu:2"
precision = "single"
[[receiver]]
name = "a.b_c-1"
at = [0, 0]
fields = ["Ez", "Hx"]
every = 0.01
[[surface]]
name = "walls"
boundaries = ["rim", "a b.c"]
every = 0.02
drag = [0, -3]
reference = 0.5
[[probe]]
name = "line"
from = [0, 0]
to = [1, 0]
points = 11
fields = "Ez"
[output]
averages = { from = 0.05, every = 0.001 }
fields = {}
picture = { field = "Ez", width = 640, every = 0.5, low = -1, high = 1, slice = [0, 0, 0, 0, 0, 1] }
energy_every = 0.5
checkpoint = { every = 0.25, keep = 3 }
)toml");
  ASSERT_TRUE(read.disc);
  EXPECT_EQ(read.disc->center, (std::array<double, 2>{1, -2}));
  EXPECT_EQ(read.disc->radius, 2.5);
  EXPECT_EQ(read.disc->cells, 3);
  EXPECT_EQ(read.disc->geometry_order, 4);
  EXPECT_EQ(read.disc->shape, Shape::quadrilateral);
  EXPECT_EQ(read.model, "");
  EXPECT_EQ(read.model_file, "cases/mine.h");
  EXPECT_EQ(read.alpha, 0.25);
  EXPECT_EQ(read.boundary.at("rim").data.at("Ez").text, "sin(x)");
  EXPECT_EQ(read.boundary.at("rim").data.at("Hx").text, "2");
  const PlaneWave& wave = *read.boundary.at("a b.c").wave;
  EXPECT_DOUBLE_EQ(wave.direction[0], 0.6);
  EXPECT_DOUBLE_EQ(wave.direction[1], 0.8);
  EXPECT_EQ(wave.polarisation, (std::vector<double>{0, 0, 1}));
  EXPECT_EQ(wave.origin, (std::vector<double>{1, 1}));
  EXPECT_EQ(wave.type, "S");
  EXPECT_EQ(wave.pulse.text, "1");
  EXPECT_EQ(wave.pulse.key, "boundary.\"a b.c\".pulse in cavity.toml");
  EXPECT_EQ(read.points[0].moment, (std::vector<double>{1, 1, 0}));
  EXPECT_EQ(read.points[0].amplitude, 2);
  ASSERT_TRUE(read.incident);
  EXPECT_EQ(read.incident->low, (std::vector<double>{-1, -1}));
  EXPECT_EQ(read.incident->high, (std::vector<double>{1, 1}));
  EXPECT_TRUE(read.incident->regions.empty());
  EXPECT_EQ(read.steps, 100);
  EXPECT_FALSE(read.end);
  EXPECT_EQ(read.dt, 1e-3);
  EXPECT_EQ(read.scheme, "ab3");
  EXPECT_EQ(read.backend, "cpu:2");
  EXPECT_EQ(read.precision, Precision::single_);
  EXPECT_EQ(read.receivers[0].fields, (std::vector<std::string>{"Ez", "Hx"}));
  EXPECT_EQ(read.receivers[0].every, 0.01);
  EXPECT_EQ(read.surfaces[0].boundaries, (std::vector<std::string>{"rim", "a b.c"}));
  EXPECT_EQ(read.surfaces[0].every, 0.02);
  EXPECT_EQ(read.surfaces[0].drag, (std::vector<double>{0, -1}));
  EXPECT_TRUE(read.surfaces[0].lift.empty());
  EXPECT_EQ(read.surfaces[0].reference, 0.5);
  EXPECT_EQ(read.probes[0].to, (std::vector<double>{1, 0}));
  EXPECT_EQ(read.probes[0].points, 11);
  EXPECT_EQ(read.probes[0].fields, (std::vector<std::string>{"Ez"}));
  EXPECT_EQ(read.probes[0].every, 0);
  ASSERT_TRUE(read.averages);
  EXPECT_EQ(read.averages->from, 0.05);
  EXPECT_EQ(read.averages->every, 0.001);
  EXPECT_EQ(read.fields_every, 0);
  ASSERT_TRUE(read.picture);
  EXPECT_EQ(read.picture->field, "Ez");
  EXPECT_EQ(read.picture->width, 640);
  EXPECT_EQ(read.picture->every, 0.5);
  EXPECT_EQ(read.picture->low, -1);
  EXPECT_EQ(read.picture->high, 1);
  EXPECT_EQ(read.picture->slice.size(), 6u);
  EXPECT_EQ(read.energy_every, 0.5);
  ASSERT_TRUE(read.checkpoint);
  EXPECT_EQ(read.checkpoint->every, 0.25);
  EXPECT_EQ(read.checkpoint->keep, 3);
}

TEST(Case, TakesTheTotalFieldAsOneRegionOrSeveral) {
  const std::string text = small_case + "[incident]\ndirection = [1, 0]\npulse = \"s\"\ntotal = ";
  EXPECT_EQ(parsed(text + "\"inner\"").incident->regions, (std::vector<std::string>{"inner"}));
  EXPECT_EQ(parsed(text + "[\"a\", \"b\"]").incident->regions, (std::vector<std::string>{"a", "b"}));
}

TEST(Case, KeepsNumbersExactlyWhereExpressionsAreExpected) {
  const Case read = parsed(small_case + "[material]\nepsilon = 0.1\nmu = 1e-300\nsigma = 123456789012345678\n");
  EXPECT_EQ(std::stod(read.material.at("").at("epsilon").text), 0.1);
  EXPECT_EQ(std::stod(read.material.at("").at("mu").text), 1e-300);
  EXPECT_EQ(std::stod(read.material.at("").at("sigma").text), 123456789012345678.0);
}

TEST(Case, MakesTheCentralFluxABlendOfZero) {
  EXPECT_EQ(parsed(small_case, {"model.flux=central"}).alpha, 0);
  EXPECT_EQ(parsed(small_case, {"model.flux=rusanov"}).alpha, 1);
}

TEST(Case, IsChangedByOverrides) {
  const Case read =
      parsed(example_case, {"model.order=7", "mesh.box.cells=[8,8]", "title=bare words", "device.precision=single",
                            "initial.Hx=sin(pi*x)", "receiver[0].at=[0.1, 0.9]", "material.glass.mu = 2"});
  EXPECT_EQ(read.order, 7);
  EXPECT_EQ(read.box->cells, (std::vector<std::int64_t>{8, 8}));
  EXPECT_EQ(read.title, "bare words");
  EXPECT_EQ(read.precision, Precision::single_);
  EXPECT_EQ(read.initial.at("Hx").text, "sin(pi*x)");
  EXPECT_EQ(read.initial.at("Hx").key, "initial.Hx given by -D");
  EXPECT_EQ(read.receivers[0].at, (std::vector<double>{0.1, 0.9}));
  EXPECT_EQ(read.material.at("glass").at("mu").text, "2");
}

TEST(Case, LetsAnOverrideTakeThePlaceOfItsAlternative) {
  const Case read = parsed(example_case, {"time.steps=10", "time.dt=0.01", "mesh.file=other.msh"});
  EXPECT_EQ(read.steps, 10);
  EXPECT_FALSE(read.end);
  EXPECT_EQ(read.dt, 0.01);
  EXPECT_FALSE(read.box);
  EXPECT_EQ(read.mesh_file, "cases/other.msh");
}

TEST(Case, ReadsItsOwnTextAgain) {
  const Case read = parsed(example_case, {"model.order=7", "time.cfl=0.1"});
  EXPECT_NE(read.text, example_case);
  const Case again = parsed(read.text);
  EXPECT_EQ(again.order, 7);
  EXPECT_EQ(again.cfl, 0.1);
  EXPECT_EQ(again.text, read.text);
  EXPECT_EQ(again.initial.at("Ez").text, read.initial.at("Ez").text);
  EXPECT_EQ(again.receivers[0].at, read.receivers[0].at);
  EXPECT_EQ(again.boundary.at("ymin").wave->pulse.text, read.boundary.at("ymin").wave->pulse.text);
  EXPECT_EQ(again.points[0].signal.text, read.points[0].signal.text);
}

struct CaseFile : testing::Test {
  fs::path folder = fs::temp_directory_path() / ("swell-case-" + std::to_string(getpid()));
  CaseFile() { fs::create_directories(folder); }
  ~CaseFile() override { fs::remove_all(folder); }

  fs::path written(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name, std::ios::binary) << text;
    return folder / name;
  }
  static std::string refused_file(const fs::path& file) {
    try {
      read_case(file);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }
};

TEST_F(CaseFile, IsReadWithItsFolderAndItsName) {
  const Case read = read_case(written("wave.toml", small_case), {"mesh.file=a.msh"});
  EXPECT_EQ(read.file, folder / "wave.toml");
  EXPECT_EQ(read.mesh_file, folder / "a.msh");
  EXPECT_EQ(read.output_folder, "out/wave");
}

TEST_F(CaseFile, ThatCannotBeReadIsRefusedInASentence) {
  EXPECT_EQ(refused_file(folder / "none.toml"), "there is no case file " + (folder / "none.toml").string());
  EXPECT_EQ(refused_file(folder), folder.string() + " is a folder, not a case file");
  EXPECT_EQ(refused_file("/dev/zero"), "/dev/zero is not a plain file, so it cannot be a case file");
  EXPECT_EQ(refused_file(written("empty.toml", "")),
            "mesh is missing in " + (folder / "empty.toml").string() + " (the mesh: a box, a disc, a shell or a file)");
  EXPECT_EQ(refused_file(written("large.toml", std::string(10'000'001, '\n'))),
            (folder / "large.toml").string() + " has 10000001 bytes, more than the 10000000 that a case file may have");
}

}  // namespace
}  // namespace swell
