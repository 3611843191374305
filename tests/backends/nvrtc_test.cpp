// SPDX-License-Identifier: Apache-2.0
// Every text of a simulation compiles for an NVIDIA GPU, where NVRTC is: no GPU is needed.
#include <fmt/format.h>

#include <set>

#include "base/error.hpp"
#include "case/problem_of_case.hpp"
#include "cg/grid/grid.hpp"
#include "cg/operator.hpp"
#include "dg/diffusion/operator.hpp"
#include "dg/halo.hpp"
#include "dg/modal/text.hpp"
#include "dg/nodal/operator.hpp"
#include "nvrtc_support.hpp"
#include "solve/pcg.hpp"
#include "study/absent_ranks.hpp"
#include "support.hpp"

namespace swell {
namespace {

class WithNvrtc : public testing::Test {
 protected:
  void SetUp() override {
    keep_cache_beside_program();
    try {
      device_ = open_noted_nvrtc();
    } catch (const RunError& absent) {
      GTEST_SKIP() << absent.what();
    }
  }
  std::unique_ptr<Device> device_;
};

TEST_F(WithNvrtc, TakesTheTextOfTheExchangeBetweenRanks) {
  for (const Precision precision : {Precision::single_, Precision::double_})
    EXPECT_NO_THROW(HaloExchange(*device_, precision, lone_rank(), {}, 3));
}

struct Asked {
  const char* model;
  const char* element;
  const char* precision;
};

class CompiledForCuda : public WithNvrtc, public testing::WithParamInterface<Asked> {};

TEST_P(CompiledForCuda, TakesEveryTextOfASimulation) {
  const Asked& asked = GetParam();
  const bool solid = std::string(asked.element) == "tetrahedron" || std::string(asked.element) == "hexahedron";
  const bool line = std::string(asked.element) == "line";
  // A given step: the stable one would be measured on the device.
  const std::string text = fmt::format(
      "[mesh]\nbox = {{ low = {0}, high = {1}, cells = {1}, element = \"{2}\" }}\n"
      "[model]\nname = \"{3}\"\norder = 2\n[device]\nprecision = \"{4}\"\n[time]\ndt = 0.01\nsteps = 1\n",
      solid ? "[0, 0, 0]" : line ? "[0]" : "[0, 0]", solid ? "[1, 2, 1]" : line ? "[2]" : "[1, 2]", asked.element, asked.model, asked.precision);
  EXPECT_NO_THROW(Simulation(parse_case(text, "test.toml"), *device_));
}

INSTANTIATE_TEST_SUITE_P(Models, CompiledForCuda,
                         testing::Values(Asked{"acoustics", "line", "double"}, Asked{"advection", "line", "single"},
                                         Asked{"elastic", "line", "double"}, Asked{"advection", "triangle", "double"},
                                         Asked{"advection", "hexahedron", "single"},
                                         Asked{"acoustics", "quadrilateral", "double"},
                                         Asked{"acoustics", "tetrahedron", "single"},
                                         Asked{"maxwell-tm", "triangle", "single"},
                                         Asked{"maxwell-te", "quadrilateral", "double"},
                                         Asked{"maxwell", "tetrahedron", "double"},
                                         Asked{"elastic", "triangle", "single"},
                                         Asked{"elastic", "hexahedron", "double"}));

// Hexahedra, prisms, pyramids and tetrahedra: affine, moved, bent, and with a material that varies.
TEST_F(WithNvrtc, TakesMeshesOfSeveralShapesInSpace) {
  for (const auto& [more, material, precision] :
       {std::tuple{"", "", "single"}, {", move = 0.1", "", "double"}, {", move = 0.1", "[material]\nrho = \"1 + 0.5*x\"\n", "single"},
        {", bend = 0.05, geometry_order = 2", "", "double"}}) {
    const std::string text = fmt::format(
        "[mesh]\nbox = {{ low = [0, 0, 0], high = [1, 1, 1], cells = [3, 1, 4], element = \"mixed\"{} }}\n{}"
        "[model]\nname = \"acoustics\"\norder = 2\n[device]\nprecision = \"{}\"\n[time]\ndt = 0.01\nsteps = 1\n",
        more, material, precision);
    EXPECT_NO_THROW(Simulation(parse_case(text, "test.toml"), *device_)) << more;
  }
}

// Viscous terms by nodes and by points, of every shape and map, and flows through their boundaries.
TEST_F(WithNvrtc, TakesViscousTerms) {
  for (const std::string element : {"line", "triangle", "quadrilateral", "tetrahedron", "hexahedron", "prism", "pyramid"})
    for (const char* more : {"", ", move = 0.2", ", bend = 0.1, geometry_order = 3"}) {
      const bool wedge = element == "prism" || element == "pyramid";
      const bool solid = element == "tetrahedron" || element == "hexahedron" || wedge, line = element == "line";
      // Simplices that are moved are affine still.
      if (*more != 0 && (line || (std::string(more).starts_with(", move") && (element == "triangle" || element == "tetrahedron")))) continue;
      const std::string text = fmt::format(
          "[mesh]\nbox = {{ low = {0}, high = {1}, cells = {1}, element = \"{2}\"{3} }}\n"
          "[model]\nfile = \"{4}/tests/data/models/advection-diffusion.h\"\norder = 2\n[device]\nprecision = \"{5}\"\n"
          "[time]\ndt = 0.01\nsteps = 1\n",
          solid ? "[0, 0, 0]" : line ? "[0]" : "[0, 0]", wedge ? "[2, 2, 2]" : solid ? "[1, 2, 1]" : line ? "[2]" : "[1, 2]", element, more, SWELL_SOURCE_DIR,
          solid ? "single" : "double");
      EXPECT_NO_THROW({
        Simulation run(parse_case(text, "test.toml"), *device_);
        run.dg().observer().flows_through(std::vector<char>(run.problem().boundary.size(), 1));
      }) << element << more;
    }
}

// Triangles beside quadrilaterals: affine, moved, and curved so far that triangles take the split form too.
TEST_F(WithNvrtc, TakesMeshesOfSeveralShapes) {
  for (const char* precision : {"single", "double"})
    for (const char* more : {"", ", move = 0.2", ", bend = 0.1, geometry_order = 3"}) {
      const std::string text = fmt::format(
          "[mesh]\nbox = {{ low = [0, 0], high = [1, 1], cells = [4, 1], element = \"mixed\"{} }}\n"
          "[model]\nname = \"acoustics\"\norder = 2\n[device]\nprecision = \"{}\"\n[time]\ndt = 0.01\nsteps = 1\n",
          more, precision);
      EXPECT_NO_THROW(Simulation(parse_case(text, "test.toml"), *device_)) << more;
    }
}

// Nonlinear pages have kernel sources of their own, straight and curved, measures of the state and flows through boundaries.
TEST_F(WithNvrtc, TakesNonlinearPages) {
  for (const char* precision : {"single", "double"})
    for (const char* mesh : {"box = { low = [0], high = [1], cells = [3] }",
                             "disc = { cells = 1, geometry_order = 2, element = \"triangle\" }",
                             "disc = { cells = 1, geometry_order = 2, element = \"quadrilateral\" }",
                             "box = { low = [0, 0, 0], high = [1, 1, 1], cells = [1, 1, 1], element = \"tetrahedron\" }",
                             "box = { low = [0, 0, 0], high = [1, 1, 1], cells = [1, 1, 1], element = \"hexahedron\" }",
                             "box = { low = [0, 0], high = [1, 1], cells = [2, 2], element = \"quadrilateral\", move = 0.2 }",
                             "box = { low = [0, 0, 0], high = [1, 1, 1], cells = [2, 2, 2], element = \"hexahedron\", move = 0.2 }"}) {
      const std::string text =
          fmt::format("[mesh]\n{}\n[model]\nname = \"euler\"\nflux = \"hll\"\norder = 2\n[initial]\nrho = 1\nE = 2\n[device]\n"
                      "precision = \"{}\"\n[time]\ndt = 0.01\nsteps = 1\n",
                      mesh, precision);
      const Case c = parse_case(text, "test.toml", {}, SWELL_SOURCE_DIR "/tests/data/models");
      const Mesh cells = mesh_of_case(c);
      EXPECT_NO_THROW({
        NodalOperator dg(problem_of_case(c, cells), *device_);
        dg.measures();
        dg.flows_through(std::vector<char>(dg.problem().boundary.size(), 1));
      }) << mesh;
    }
}

// Every kernel source for a weight-adjusted mass, with a source and a reaction: even and odd numbers of weighted fields, coupled ones.
TEST_F(WithNvrtc, TakesMaterialThatVariesInTheMass) {
  for (const auto& [model, element, material] :
       {std::tuple{"maxwell", "tetrahedron", "epsilon = \"1 + 0.1*x\"\nsigma = 0.2\n"},
        {"elastic", "tetrahedron", "mu = \"1 + 0.1*x\"\n"}, {"acoustics", "triangle", "rho = \"1 + 0.1*y\"\n"}})
    for (const char* precision : {"double", "single"})
      for (const int order : {1, 4}) {
        const bool solid = std::string(element) == "tetrahedron";
        const std::string text = fmt::format(
            "[mesh]\nbox = {{ low = {0}, high = {1}, cells = {2}, element = \"{3}\" }}\n[model]\nname = \"{4}\"\norder = {5}\n"
            "[material]\n{6}[source]\n{7} = \"x*sin(t)\"\n[device]\nprecision = \"{8}\"\n[time]\ndt = 0.01\nsteps = 1\n",
            solid ? "[0, 0, 0]" : "[0, 0]", solid ? "[1, 1, 1]" : "[1, 1]", solid ? "[2, 1, 1]" : "[2, 1]", element, model, order, material,
            std::string(model) == "maxwell" ? "Ex" : "vx", precision);
        Simulation run(parse_case(text, "test.toml"), *device_);
        auto& dg = dynamic_cast<NodalOperator&>(run.dg());
        ASSERT_TRUE(dg.layout().groups.front().adjusted()) << model;
        // The first of each kernel source.
        std::set<Variant::Text> seen;
        for (const Variant& v : dg.group_variants(0))
          if (seen.insert(v.text).second) {
            EXPECT_NO_THROW(dg.set_variant(0, v)) << model << " " << v.name();
          }
      }
}

// Expressions in place of numbers, in each precision.
TEST_F(WithNvrtc, TakesMaterialsBoundariesAndSourcesByExpressions) {
  const std::string text = R"toml(
[mesh]
box = { low = [0, 0], high = [1, 1], cells = [2, 2], element = "triangle" }
[model]
name = "maxwell-tm"
order = 2
[material]
epsilon = "1 + 0.3*sin(x)*erf(y)"
[boundary]
xmin = { kind = "incident", wave = "plane", direction = [1, 0], pulse = "gauss(s, 0.1) + ricker(s, 2.0, 0.5)" }
xmax = "absorbing"
ymin = { kind = "impedance", Z = "1 + 0.2*x^2.5" }
[source]
Hx = "0.1*j0(x)*jn(3, y)*y1(1 + x)*sin(t) + cbrt(x)*atan2(y, x)*if(x < 0.5, min(x, y), max(x, y))"
[time]
dt = 0.01
steps = 1
)toml";
  for (const char* precision : {"double", "single"})
    EXPECT_NO_THROW(Simulation(
        parse_case(text, "test.toml", {fmt::format("device.precision={}", precision)}), *device_)) << precision;
}

// Heat and Poisson: every text that their set-up compiles, for simplices, tensor products and both in one mesh.
TEST_F(WithNvrtc, TakesTheTextsOfContinuousElements) {
  for (const auto& [element, precision] :
       {std::pair{"triangle", Precision::double_}, {"quadrilateral", Precision::single_}, {"tetrahedron", Precision::single_},
        {"hexahedron", Precision::double_}, {"mixed", Precision::double_}}) {
    const bool solid = std::string(element) == "tetrahedron" || std::string(element) == "hexahedron", mixed = std::string(element) == "mixed";
    BoxOptions box{std::vector<double>(solid ? 3 : 2, 0.0), std::vector<double>(solid ? 3 : 2, 1.0),
                   std::vector<std::int64_t>(solid ? 3 : 2, mixed ? 3 : 1), shape_from_name(element).value_or(Shape::quadrilateral), {}};
    box.mixed = mixed;
    const Mesh mesh = make_box(box);
    DiffusionProblem problem;
    problem.mesh = &mesh;
    problem.order = 2;
    problem.precision = precision;
    problem.material = {{Expression(2.0), Expression(2.0)}};
    problem.boundary.resize(mesh.boundaries.size() + 1);
    problem.boundary[0].value = Expression::parse("sin(x)*exp(-t)", space_time_variables, "test");
    EXPECT_NO_THROW({
      Vectors vectors(*device_, problem.precision);
      for (const DiffusionForm form : {DiffusionForm::vertices, DiffusionForm::elements}) {
        problem.form = form;
        ContinuousOperator of(problem, vectors);
        of.expect({{Expression(2.0), Expression::parse("1 + x*y", space_time_variables, "test")}});
      }
      ContinuousOperator of(problem, vectors);
      ScaledOperator scaled(of, 1, 1);
      Pcg solver(vectors, scaled);
    }) << element;
  }
}

// The kernel sources of a single rank, and of one among several.
TEST_F(WithNvrtc, TakesTheTextsOfDiscontinuousPoisson) {
  AbsentRanks second(1, 3);
  for (const auto& [element, precision, conductivity] :
       {std::tuple{"triangle", Precision::double_, "2"}, {"quadrilateral", Precision::single_, "2 + x"},
        {"tetrahedron", Precision::single_, "2 + x"}, {"hexahedron", Precision::double_, "2"}}) {
    const Shape shape = *shape_from_name(element);
    const std::size_t dim = dimension(shape);
    const Mesh mesh = make_box(
        {std::vector<double>(dim, 0.0), std::vector<double>(dim, 1.0), std::vector<std::int64_t>(dim, 1), shape, {}});
    DiffusionProblem problem;
    problem.mesh = &mesh;
    problem.order = 3;
    problem.precision = precision;
    problem.material = {{Expression(1.0), Expression::parse(conductivity, space_time_variables, "test")}};
    problem.boundary.resize(mesh.boundaries.size() + 1);
    problem.boundary[0].value = Expression::parse("sin(x)*exp(-y)", space_time_variables, "test");
    for (Ranks* ranks : {&lone_rank(), static_cast<Ranks*>(&second)})
      EXPECT_NO_THROW({
        Vectors vectors(*device_, problem.precision, *ranks);
        DiffusionOperator of(problem, vectors);
      }) << element << " on " << ranks->count();
  }
}

TEST_F(WithNvrtc, TakesTheTextOfMultigrid) {
  for (const Precision precision : {Precision::double_, Precision::single_}) {
    const Vectors vectors(*device_, precision);
    EXPECT_NO_THROW(device_->compile({"multigrid",
                                      vectors.totals_text() + std::string(solve_texts("kernels/solve/multigrid.h")),
                                      {"chebyshev_step", "chebyshev_first", "subtract", "sparse_rows", "dense_rows"},
                                      precision,
                                      false}));
  }
}

// The kernel sources of the whole grid, and of the slab that the second of three ranks has.
TEST_F(WithNvrtc, TakesTheTextsOfTheFixedGrid) {
  AbsentRanks second(1, 3);
  for (const bool mass : {false, true})
    for (const bool varying : {false, true})
      for (const bool slab : {false, true}) {
        // Each kind in one precision: they differ in the type of numbers only.
        const Precision precision = mass != slab ? Precision::double_ : Precision::single_;
        GridProblem problem;
        problem.cells = {4, 3, 5};
        problem.periodic = {mass, false, mass};
        problem.mass = mass;
        problem.keeps = varying != slab;
        problem.material.conductivity = Expression::parse(varying ? "if(x < 0.5, 1, tanh(z))" : "2", {"x", "y", "z"}, "test");
        if (slab) problem.slab = GridSlab{2, 2, 0, 2};
        EXPECT_NO_THROW({
          Vectors vectors(*device_, precision, slab ? second : lone_rank());
          GridOperator(problem, 1, 1, vectors);
        });
      }
}

// The modal family's texts, with one material in each element and with material that varies; which entries there are is
// probed on the CPU.
TEST_F(WithNvrtc, TakesTheTextsOfTheModalFamily) {
  for (const auto& [model, shape] : {std::pair{"advection", Shape::triangle}, {"acoustics", Shape::quadrilateral},
                                     {"elastic", Shape::tetrahedron}, {"maxwell", Shape::hexahedron}})
    for (const bool varying : {false, true})
      for (const Precision precision : {Precision::double_, Precision::single_}) {
        // The long texts of the others in one precision each: they take seconds to compile.
        if (shape != Shape::triangle && varying != (precision == Precision::single_)) continue;
        const int dim = dimension(shape);
        const Mesh mesh = make_box({std::vector<double>(dim, 0.0), std::vector<double>(dim, 1.0),
                                    std::vector<std::int64_t>(dim, 1), shape, std::vector<bool>(dim, true)});
        Problem problem;
        problem.mesh = &mesh;
        problem.model = load_model(model, dim);
        problem.order = 2;
        problem.precision = precision;
        problem.material.emplace_back();
        for (const auto& parameter : problem.model.material) problem.material[0].emplace_back(parameter.value + 0.1);
        const ModalElement element(shape, 2, varying ? 1 : 0, varying);
        ModalPattern pattern;
        if (varying) pattern = find_pattern(ModelProbe(problem.model, device_named("cpu")), problem.model.has("reaction"));
        const ModalText text{problem, element, pattern, {8, 32}};
        const auto variants = [&](ModalProgram program) {
          auto all = modal_variants(program, text.sizes(program, false), *device_);
          if (shape != Shape::triangle || precision == Precision::single_) all.resize(1);  // one case has them all
          return all;
        };
        ContractionTables tables;
        for (const Variant& v : variants(ModalProgram::operation)) {
          EXPECT_NO_THROW(device_->compile(text.operation(v, tables))) << model << " " << v.name();
        }
        for (const Variant& v : variants(ModalProgram::prediction)) {
          EXPECT_NO_THROW(device_->compile(text.prediction(v, tables))) << model << " " << v.name();
        }
        EXPECT_NO_THROW(device_->compile(text.pointwise())) << model;
        const Matrix points = nodes(shape, 2);
        if (!varying) {
          EXPECT_NO_THROW(device_->compile(text.prediction(variants(ModalProgram::prediction).front(), tables, &points))) << model;
        }
      }
}

}  // namespace
}  // namespace swell
