// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "case/schema.hpp"
#include "case_example.hpp"

namespace swell {
namespace {

TEST(WrongCase, NamesTheUnknownKeyAndTheNearestOne) {
  EXPECT_EQ(refused(small_case + "[modle]\n"), "unknown key 'modle' in cavity.toml (did you mean 'model'?)");
  EXPECT_EQ(refused("[model]\nordr = 5\n"), "unknown key 'model.ordr' in cavity.toml (did you mean 'model.order'?)");
  EXPECT_EQ(refused("order = 5\n"), "unknown key 'order' in cavity.toml (did you mean 'model.order'?)");
  EXPECT_EQ(refused("[[receiver]]\nname=\"a\"\nposition=[0,0]\n"),
            "unknown key 'receiver[0].position' in cavity.toml "
            "(known: receiver[0].name, receiver[0].at, receiver[0].fields, receiver[0].every)");
  EXPECT_EQ(refused("[output]\npicture = { widht = 20 }\n"),
            "unknown key 'output.picture.widht' in cavity.toml (did you mean 'output.picture.width'?)");
  EXPECT_EQ(refused_with("model.ordr=7"), "unknown key 'model.ordr' given by -D (did you mean 'model.order'?)");
  EXPECT_EQ(refused_with("modl.order=7"), "unknown key 'modl' given by -D (did you mean 'model'?)");
}

TEST(WrongCase, SaysWhatAValueMustBe) {
  EXPECT_EQ(refused("[model]\norder = \"five\"\n"),
            "model.order in cavity.toml must be a whole number from 1 to 12, not \"five\"");
  EXPECT_EQ(refused_with("model.order=0"), "model.order given by -D must be a whole number from 1 to 12, not 0");
  EXPECT_EQ(refused_with("model.order=13"), "model.order given by -D must be a whole number from 1 to 12, not 13");
  EXPECT_EQ(refused_with("model.order=5.0"), "model.order given by -D must be a whole number from 1 to 12, not 5.0");
  EXPECT_EQ(refused_with("mesh.partition.method=metsi"),
            "mesh.partition.method given by -D must be one of auto, metis, curve, slabs, file, not \"metsi\" (did you mean 'metis'?)");
  EXPECT_EQ(refused_with("model.alpha=1.5"), "model.alpha given by -D must be a number from 0 to 1, not 1.5");
  EXPECT_EQ(refused_with("time.cfl=0"), "time.cfl given by -D must be a number above 0, not 0");
  EXPECT_EQ(refused_with("time.cfl=nan"), "time.cfl given by -D must be a number above 0, not nan");
  EXPECT_EQ(refused_with("time.end=-1"), "time.end given by -D must be a number above 0, not -1");
  EXPECT_EQ(refused_with("time.end=inf"), "time.end given by -D must be a number above 0, not inf");
  EXPECT_EQ(refused_with("time.dt=0.0"), "time.dt given by -D must be a number above 0, not 0.0");
  EXPECT_NE(refused_with("time.steps=0").find("must be a whole number from 1 to"), std::string::npos);
  EXPECT_EQ(refused_with("mesh=5"), "mesh given by -D must be a table, not 5");
  EXPECT_EQ(refused_with("mesh.box.low=[0, 0, 0, 0]"),
            "mesh.box.low given by -D must be a list of 1 to 3 numbers, not [ 0, 0, 0, 0 ]");
  EXPECT_EQ(refused_with("mesh.box.low=[0]"), "mesh.box.high in cavity.toml has 2 entries where mesh.box.low given by -D has 1");
  EXPECT_EQ(refused_with("mesh.box.cells=[4, 0]"),
            "mesh.box.cells given by -D must be a list of 1 to 3 whole numbers from 1 to 1000000, not [ 4, 0 ]");
  EXPECT_EQ(refused_with("mesh.box.periodic=[1,0]"),
            "mesh.box.periodic given by -D must be a list of 1 to 3 values, each true or false, not [ 1, 0 ]");
  EXPECT_EQ(refused_with("initial.Ez=true"),
            "initial.Ez given by -D must be a number or an expression in quotes, not true");
  EXPECT_EQ(refused_with("initial.Ez=nan"),
            "initial.Ez given by -D must be a number or an expression in quotes, not nan");
  EXPECT_EQ(refused_with("receiver=1"),
            "receiver given by -D must be a list of tables, each begun with [[receiver]], not 1");
  EXPECT_EQ(refused_with("device.precision=quad"),
            "device.precision given by -D must be one of single, double, not \"quad\"");
  EXPECT_EQ(refused_with("output.picture.width=15"),
            "output.picture.width given by -D must be a whole number from 16 to 10000, not 15");
  EXPECT_EQ(refused_with("mesh.file=\"a\\u0000b\""), "mesh.file given by -D must be a text in quotes, not \"a\\x00b\"");
  EXPECT_EQ(refused_with("title=7"), "title given by -D must be a text in quotes, not 7");
}

TEST(WrongCase, NamesWhatIsMissing) {
  EXPECT_EQ(refused("[model]\nname=\"a\"\n[time]\nend=1\n"),
            "mesh is missing in cavity.toml (the mesh: a box, a disc, a shell or a file)");
  EXPECT_EQ(
      refused("[mesh]\n[model]\nname=\"a\"\n[time]\nend=1\n"),
      "cavity.toml has none of mesh.box, mesh.disc, mesh.shell or mesh.file: give one of them to say where the mesh comes from");
  EXPECT_EQ(
      refused("[mesh]\nbox={low=[0,0],high=[1,1]}\n"),
      "mesh.box.cells is missing in cavity.toml (cells along each axis; each is cut where the element is a simplex)");
  EXPECT_EQ(refused("[mesh]\nfile=\"a\"\n[model]\n[time]\nend=1\n"),
            "cavity.toml has none of model.name or model.file: give one of them to say which equation is solved");
  EXPECT_EQ(refused("[mesh]\nfile=\"a\"\n[model]\nname=\"a\"\n[time]\n"),
            "cavity.toml has none of time.end or time.steps: give one of them to say when the run ends");
  EXPECT_EQ(refused(small_case + "[[receiver]]\nname=\"a\"\n"), "receiver[0].at is missing in cavity.toml (the point)");
  EXPECT_EQ(refused(small_case + "[boundary]\nxmin={Ez=1}\n"),
            "boundary.xmin.kind is missing in cavity.toml (waves: dirichlet, exact, absorbing, incident and the model's own; "
            "levelset: outflow, wall, absorbing; heat and poisson: temperature, dirichlet, exact, flux, robin)");
  EXPECT_EQ(refused(small_case + "[boundary]\nxmin=\"incident\"\n"),
            "boundary.xmin in cavity.toml needs direction for its incident wave");
}

TEST(WrongCase, TakesOnlyOneOfTwoAlternatives) {
  EXPECT_EQ(
      refused(small_case + "steps = 5\n"),
      "cavity.toml has time.end and time.steps: give only one of time.end or time.steps to say when the run ends");
  EXPECT_EQ(refused(small_case, {"time.cfl=1", "time.dt=0.1"}),
            "cavity.toml has time.cfl and time.dt: give only one of time.cfl or time.dt to say how long a step is");
}

TEST(WrongCase, KeepsWavesAndHeatApart) {
  EXPECT_EQ(refused_with("time.scheme=theta"),
            "time.scheme given by -D is \"theta\", but theta and bdf2 go with model.name = \"heat\"");
  EXPECT_EQ(refused_with("solver.tolerance=1e-3"),
            "solver given by -D goes with model.name = \"heat\" or \"poisson\"");
  EXPECT_EQ(refused(small_case, {"model.name=heat", "time.scheme=rk4"}),
            "time.scheme given by -D is \"rk4\", but heat takes theta or bdf2");
  EXPECT_EQ(refused(small_case, {"model.name=heat"}),
            "time.dt in cavity.toml is missing: heat is solved in steps of a given length");
  EXPECT_EQ(refused(small_case, {"model.name=heat", "time.dt=0.1", "time.scheme=bdf2", "time.theta=1"}),
            "time.theta given by -D goes with scheme = \"theta\", not with \"bdf2\"");
}

TEST(WrongCase, RefusesWhatHeatAndPoissonHaveNoUseFor) {
  const std::string box = "[mesh]\nbox = { low = [0, 0], high = [1, 1], cells = [4, 4] }\n";
  const std::string heat = box + "[time]\nend = 1\ndt = 0.1\n[model]\nname = \"heat\"\n", rest = box + "[model]\nname = \"poisson\"\n";
  EXPECT_EQ(refused(heat), "accepted");
  EXPECT_EQ(refused(rest), "accepted");
  EXPECT_EQ(refused(heat, {"model.flux=upwind"}), "accepted");
  EXPECT_EQ(refused(heat, {"model.flux=central"}),
            "model.flux given by -D goes with models of waves, and model.name = \"heat\" has none: leave it out");
  EXPECT_EQ(refused(rest + "alpha = 0.5\n"),
            "model.alpha in cavity.toml goes with models of waves, and model.name = \"poisson\" has none: leave it out");
  EXPECT_EQ(refused(heat + "[farfield]\nfrequencies = [1]\nsurface = { radius = 0.4 }\n"),
            "farfield in cavity.toml goes with Maxwell's equations and acoustics, and model.name = \"heat\" has no waves: "
            "leave it out");
  EXPECT_EQ(refused(rest + "[time]\nend = 1\n[output]\nfields = {}\npicture = {}\n"), "accepted");
}

TEST(WrongCase, RefusesWhatALevelSetHasNoUseFor) {
  const std::string text = small_case + "[levelset]\nthickness = 0.1\n";
  const auto with = [&](const std::string& key) { return refused(text, {"model.name=levelset", key}); };
  for (const char* own : {"model.family=modal", "model.flux=upwind", "model.alpha=1", "model.coefficient_order=3"})
    EXPECT_EQ(with(own), "accepted") << own;
  EXPECT_EQ(with("model.family=nodal"), "model.family given by -D is \"nodal\", but the model 'levelset' takes modal");
  EXPECT_EQ(with("model.flux=central"), "model.flux given by -D is \"central\", but the model 'levelset' takes upwind");
  EXPECT_EQ(with("model.alpha=0.5"),
            "model.alpha given by -D is 0.5, but the model 'levelset' takes the whole upwind flux: leave it out");
  EXPECT_EQ(with("model.coefficient_order=1"),
            "model.coefficient_order given by -D is 1, but the model 'levelset' takes its velocity to model.order: leave it out");
}

TEST(WrongCase, SaysWhatThisVersionDoesNotHaveYet) {
  EXPECT_EQ(refused_with("output.fields.format=vtkhdf"),
            "output.fields.format given by -D is \"vtkhdf\", which this version of Swell does not have yet (it has vtu)");
}

TEST(WrongCase, TakesACoefficientOrderOfTheModalFamilyOnly) {
  EXPECT_EQ(refused_with("model.coefficient_order=2"),
            "model.coefficient_order given by -D goes with family = \"modal\", not with \"nodal\"");
}

TEST(WrongCase, FindsWhatDoesNotFitTogether) {
  EXPECT_EQ(refused_with("mesh.box.high=[1,1,1]"),
            "mesh.box.high given by -D has 3 entries where mesh.box.low in cavity.toml has 2");
  EXPECT_EQ(refused_with("mesh.box.high=[1,0]"),
            "mesh.box.high given by -D must be above low along each axis, but 0 is not above 0");
  EXPECT_EQ(refused_with("mesh.box={low=[0,0],high=[1,1],cells=[2,2],element='quadrilateral',scatter=0.2}"),
            "mesh.box.scatter given by -D is for triangles and tetrahedra, but the cells are quadrilaterals: take mesh.box.move");
  EXPECT_EQ(refused_with("mesh.box={low=[0,0],high=[1,1],cells=[2,2],move=0.1,scatter=0.2}"),
            "mesh.box.scatter given by -D moves the vertices itself: leave mesh.box.move out");
  EXPECT_EQ(refused_with("mesh.box={low=[0,0],high=[1,1],cells=[1,2],periodic=[true,false],scatter=0.2}"),
            "mesh.box.scatter given by -D needs 2 cells or more along a periodic axis");
  EXPECT_EQ(refused_with("mesh.box={low=[0,0],high=[1,1],cells=[2,2],inner={sheet='x > 0'},scatter=0.2}"),
            "mesh.box.scatter given by -D leaves no faces in rows, of which mesh.box.inner could choose: give one of them");
  EXPECT_EQ(refused_with("mesh.box.element=hexahedron"),
            "mesh.box.element given by -D is \"hexahedron\", which has 3 dimensions, but the box has 2");
  EXPECT_EQ(refused_with("mesh.box.element=line"), "mesh.box.element given by -D is \"line\", which has 1 dimension, but the box has 2");
  EXPECT_EQ(refused_with("mesh.box.cells=[1000000,1000000]"),
            "mesh.box.cells given by -D asks for 1e+12 cells, more than 1e+09");
  EXPECT_EQ(refused(small_case, {"mesh.box={low=[0,0,0],high=[1,1,1],cells=[1,1,1]}", "model.order=11"}),
            "model.order given by -D must be a whole number from 1 to 10 in 3 dimensions, not 11");
  EXPECT_EQ(refused(small_case, {"model.flux=central", "model.alpha=0.5"}),
            "model.alpha given by -D blends the central and the upwind flux, so it goes with flux = \"upwind\", not "
            "with \"central\"");
  EXPECT_EQ(refused(small_case + "[boundary]\nxmin={kind=\"pec\", direction=[1,0]}\n"),
            "boundary.xmin.direction in cavity.toml goes with kind = \"incident\" only, not with \"pec\"");
  EXPECT_EQ(refused(small_case + "[boundary]\nxmin={kind=\"incident\", direction=[0,0], pulse=1}\n"),
            "boundary.xmin.direction in cavity.toml must not be zero");
  EXPECT_EQ(refused(small_case + "[[receiver]]\nname=\"a\"\nat=[0,0,0]\n"),
            "receiver[0].at in cavity.toml must be a list of 2 numbers, since the mesh has 2 dimensions, not of 3");
  EXPECT_EQ(refused(small_case + "[[source.point]]\nat=[0,0]\nsignal=\"t\"\n"),
            "source.point[0] in cavity.toml must have either field or moment, and only one of them");
  EXPECT_EQ(refused(small_case + "[[source.point]]\nat=[0,0]\nsignal=\"t\"\nmoment=[1,1,1,0]\n"),
            "source.point[0].moment in cavity.toml must be a list of 3 numbers in 2 dimensions, not of 4");
  EXPECT_EQ(refused(small_case + "[output]\npicture={low=1,high=1}\n"),
            "output.picture.high in cavity.toml must be above low, but 1 is not above 1");
}

TEST(WrongCase, RefusesReceiverNamesThatAreNoFileNames) {
  const auto named = [](const std::string& name) {
    return refused(small_case + "[[receiver]]\nat=[0,0]\nname=\"" + name + "\"\n");
  };
  EXPECT_EQ(named("probe-1"), "accepted");
  for (const char* name : {"", "../x", "a/b", "a b", ".hidden", "a\\nb"})
    EXPECT_NE(named(name).find("but it names a file"), std::string::npos) << name;
  const std::string one = "[[receiver]]\nat=[0,0]\nname=\"a\"\n";
  EXPECT_EQ(refused(small_case + one + one),
            "receiver[1].name in cavity.toml is \"a\", a name that another receiver has already");
}

TEST(WrongCase, PlacesBrokenTomlByLineAndColumn) {
  EXPECT_EQ(refused("[mesh\n").substr(0, 29), "cavity.toml, line 1, column 6");
  EXPECT_EQ(refused("a = 1\nb = = 2\n").substr(0, 29), "cavity.toml, line 2, column 5");
  EXPECT_NE(refused("a = 1\na = 2\n").find("line 2"), std::string::npos);
  EXPECT_NE(refused("title = \"\xFF\"\n").find("line 1"), std::string::npos);
}

TEST(WrongCase, IsRefusedWhereOverridesHaveNoForm) {
  for (const char* text :
       {"model.order", "=5", "model..order=5", "model.order=", "receiver[x].at=1", "receiver[0]=1", ".a=1"})
    EXPECT_NE(refused_with(text).find("-D needs a key and a value"), std::string::npos)
        << text << ": " << refused_with(text);
  EXPECT_EQ(refused_with("receiver[3].at=[0,0]"),
            "-D receiver[3].at=[0,0]: there is no table receiver[3] in cavity.toml");
  EXPECT_EQ(refused_with("model.name.x=1"), "-D model.name.x=1: there is no table model.name in cavity.toml");
  EXPECT_NE(refused_with("model.order=5\ntime.cfl=2").find("must be a whole number"), std::string::npos);
}

TEST(WrongCase, DoesNotExhaustTheStack) {
  std::string key = "a";
  for (int i = 0; i < 1'000'000; ++i) key += ".a";
  EXPECT_EQ(refused("[" + key + "]\n"), "cavity.toml, line 1: a key has more than 16 parts");
  EXPECT_EQ(refused("# one\n" + key + " = 1\n"), "cavity.toml, line 2: a key has more than 16 parts");
  EXPECT_NE(refused("a = " + std::string(1'000'000, '[')), "accepted");
  EXPECT_EQ(refused(small_case +
                    "[initial]\nEz = \"1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0\" # 1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1\n"),
            "accepted");
}

TEST(WrongCase, IsReadOrRefusedAtEveryLength) {
  std::set<std::string> answers;  // any exception but an InputError ends the test
  for (std::size_t length = 0; length <= example_case.size(); ++length)
    answers.insert(refused(example_case.substr(0, length)));
  EXPECT_GT(answers.size(), 50u);
  EXPECT_TRUE(answers.contains("accepted"));
}

TEST(WrongCase, IsReadOrRefusedWithAnyByteChanged) {
  std::mt19937 random(6);
  std::set<std::string> answers;
  for (int i = 0; i < 5'000; ++i) {
    std::string text = example_case;
    const int changes = 1 + static_cast<int>(random() % 3);
    for (int k = 0; k < changes; ++k) text[random() % text.size()] = static_cast<char>(random() % 256);
    answers.insert(refused(text));
  }
  EXPECT_GT(answers.size(), 100u);
}

TEST(Schema, HasHelpForEveryKeyAndNoKeyTwice) {
  std::set<std::string_view> paths;
  for (const SchemaKey& key : schema()) {
    EXPECT_FALSE(key.help.empty()) << key.path;
    EXPECT_FALSE(expectation(key).empty()) << key.path;
    EXPECT_TRUE(paths.insert(key.path).second) << key.path;
    EXPECT_EQ(key.kind == KeyKind::choice, !key.rules.choices.empty()) << key.path;
  }
  for (const SchemaAlternatives& group : schema_alternatives())
    for (const std::string_view path : group.paths) EXPECT_TRUE(paths.contains(path)) << path;
}

}  // namespace
}  // namespace swell
