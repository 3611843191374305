// SPDX-License-Identifier: Apache-2.0
// The promises of every boundary kind about the state at the wall. At a wall with a mirror state the wall's flux is the Riemann
// flux with the ghost; a kind that gives the state at the wall is asked for that state itself.
#include "element/dense.hpp"
#include "model/derived_flux.hpp"
#include "support.hpp"

namespace swell {
namespace {

constexpr int rows = 30;

class Wall {
 public:
  Wall(const ModelIn& model, const std::string& kind, double data = 0)
      : probe(probe_of(model)),
        q(random.matrix(rows, probe.fields())),
        m(random.materials(probe.model(), rows)),
        n(random.unit_rows(rows, model.dim)),
        state(probe.boundary(kind, q, m, n, Matrix::Constant(rows, 1, data))) {
    // The flux only knows what A sees: the state at the wall has this flux.
    flux = probe.model().boundary(kind)->mirror ? probe.numerical_flux("upwind", q, m, state, m, n)
                                                : probe.flux(state, m, n);
  }
  double material(int row, const char* name) const { return m(row, probe.model().material_index(name)); }
  int field(const char* name) const { return probe.model().field_index(name); }

  Random random{3};
  const ModelProbe& probe;
  Matrix q, m, n, state, flux;
};

// Every state_KIND lets the outgoing waves be the interior's: A+ state = A+ q, with the flux between state and interior
// upwind.
TEST(Walls, KeepTheOutgoingWavesOfTheInterior) {
  for (const ModelIn& model : all_models())
    for (const BoundaryKind& kind : probe_of(model).model().boundaries) {
      const Wall wall(model, kind.name, 0.7);
      const Matrix nothing = Matrix::Zero(rows, wall.q.cols());
      if (kind.mirror) continue;
      const Matrix from_state = wall.probe.numerical_flux("upwind", wall.state, wall.m, nothing, wall.m, wall.n);
      const Matrix from_interior = wall.probe.numerical_flux("upwind", wall.q, wall.m, nothing, wall.m, wall.n);
      EXPECT_LT(largest(from_state - from_interior), 1e-13 * (1 + largest(from_interior)))
          << test_name(model) << " " << kind.name;
    }
}

TEST(AbsorbingWall, LetsOutgoingWavesLeaveAndNothingIn) {
  for (const ModelIn& model : all_models()) {
    Random random(5);
    const ModelProbe& probe = probe_of(model);
    const Matrix m = random.materials(probe.model(), rows), n = random.unit_rows(rows, model.dim),
                 none = Matrix::Zero(rows, 1);
    Matrix outgoing = Matrix::Zero(rows, probe.fields()), incoming = outgoing;
    for (int i = 0; i < rows; ++i) {
      const Matrix mass = probe.mass_matrix(m.row(i)), a = probe.flux_matrix(m.row(i), n.row(i));
      // A flow makes the flux unsymmetric; its waves have real speeds all the same.
      const GeneralEigenpairs waves = general_eigenpairs(inverse(mass) * a);
      ASSERT_TRUE(waves.found && waves.values.imag().isZero(1e-12)) << test_name(model);
      for (int k = 0; k < probe.fields(); ++k) {
        const Vector wave = random.between(0.5, 1) * waves.vectors.col(k);
        if (waves.values(k).real() > 1e-9) outgoing.row(i) += wave;
        if (waves.values(k).real() < -1e-9) incoming.row(i) += wave;
      }
    }
    const Matrix out = probe.boundary("absorbing", outgoing, m, n, none),
                 in = probe.boundary("absorbing", incoming, m, n, none);
    EXPECT_LT(largest(probe.flux(out - outgoing, m, n)), 1e-12) << test_name(model);
    EXPECT_LT(largest(probe.flux(in, m, n)), 1e-12) << test_name(model);
  }
}

TEST(AbsorbingWall, TakesEnergyOut) {
  for (const ModelIn& model : all_models()) {
    if (model.carried()) continue;  // q . M q / 2 is no energy of it
    const Wall wall(model, "absorbing");
    for (int i = 0; i < rows; ++i) EXPECT_GE(wall.state.row(i).dot(wall.flux.row(i)), -1e-13) << test_name(model);
  }
}

TEST(AcousticWall, RigidHasNoNormalVelocitySoftHasNoPressure) {
  for (int dim : {1, 2, 3}) {
    const Wall rigid({"acoustics", dim}, "rigid"), soft({"acoustics", dim}, "soft");
    EXPECT_LT(rigid.flux.col(0).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_LT(largest(soft.flux.rightCols(dim)), 1e-14);
    EXPECT_GT(largest(rigid.flux), 0.1);
    EXPECT_GT(largest(soft.flux), 0.1);
  }
}

TEST(AcousticWall, ImpedanceHoldsItsRatioOfPressureAndVelocity) {
  for (int dim : {1, 2, 3})
    for (double z : {0.0, 0.5, 1.0, 4.0}) {
      const Wall wall({"acoustics", dim}, "impedance", z);
      for (int i = 0; i < rows; ++i) {
        const double normal = wall.state.row(i).tail(dim).dot(wall.n.row(i));
        EXPECT_NEAR(wall.state(i, 0), z * wall.material(i, "rho") * wall.material(i, "c") * normal, 1e-13);
      }
    }
}

// Components of the flux: E_t along with n x E, H_t along with n x H; a wall of the other kind has the other one left.
TEST(MaxwellWall, PecHasNoTangentialElectricFieldPmcNoTangentialMagneticField) {
  struct Expected {
    ModelIn model;
    std::vector<const char*> electric, magnetic;
  };
  for (const auto& [model, electric, magnetic] :
       {Expected{{"maxwell-tem", 1}, {"Ey"}, {"Hz"}}, Expected{{"maxwell-tm", 2}, {"Ez"}, {"Hx", "Hy"}}, Expected{{"maxwell-te", 2}, {"Ex", "Ey"}, {"Hz"}},
        Expected{{"maxwell", 3}, {"Ex", "Ey", "Ez"}, {"Hx", "Hy", "Hz"}}}) {
    const Wall pec(model, "pec"), pmc(model, "pmc");
    // E enters the flux of H and H the flux of E.
    for (const char* name : magnetic)
      EXPECT_LT(pec.flux.col(pec.field(name)).cwiseAbs().maxCoeff(), 1e-14) << test_name(model);
    for (const char* name : electric)
      EXPECT_LT(pmc.flux.col(pmc.field(name)).cwiseAbs().maxCoeff(), 1e-14) << test_name(model);
    EXPECT_GT(largest(pec.flux), 0.1);
    EXPECT_GT(largest(pmc.flux), 0.1);
  }
}

TEST(MaxwellWall, ImpedanceHoldsItsRatioOfTangentialFields) {
  for (double z : {0.3, 1.0, 5.0}) {
    const Wall tm({"maxwell-tm", 2}, "impedance", z), te({"maxwell-te", 2}, "impedance", z),
        full({"maxwell", 3}, "impedance", z);
    for (int i = 0; i < rows; ++i) {
      const double h = tm.n(i, 0) * tm.state(i, 1) - tm.n(i, 1) * tm.state(i, 0);
      EXPECT_NEAR(tm.state(i, 2), -z * h, 1e-13);
      const double e = te.n(i, 0) * te.state(i, 1) - te.n(i, 1) * te.state(i, 0);
      EXPECT_NEAR(e, z * te.state(i, 2), 1e-13);
      const Eigen::Vector3d normal = full.n.row(i), electric = full.state.row(i).head(3),
                            magnetic = full.state.row(i).tail(3);
      EXPECT_LT((electric - normal * normal.dot(electric) + z * normal.cross(magnetic)).norm(), 1e-13);
    }
  }
}

TEST(ElasticWall, FreeHasNoTractionClampedDoesNotMove) {
  for (int dim : {2, 3}) {
    const Wall free({"elastic", dim}, "free"), clamped({"elastic", dim}, "clamped");
    // The traction is the flux of the velocities, the velocity that of the stresses.
    EXPECT_LT(largest(free.flux.rightCols(dim)), 1e-14);
    EXPECT_LT(largest(clamped.flux.leftCols(clamped.flux.cols() - dim)), 1e-14);
    EXPECT_GT(largest(free.flux), 0.1);
    EXPECT_GT(largest(clamped.flux), 0.1);
  }
}

TEST(AdvectionWall, OutflowCarriesTheInteriorOutAndLetsNothingIn) {
  for (int dim : {2, 3}) {
    const Wall wall({"advection", dim}, "outflow");
    const Matrix carried = wall.probe.flux(wall.q, wall.m, wall.n);
    int leaving = 0;
    for (Eigen::Index i = 0; i < carried.rows(); ++i) {
      const bool leaves = wall.m.row(i).dot(wall.n.row(i)) > 0;
      EXPECT_NEAR(wall.flux(i, 0), leaves ? carried(i, 0) : 0.0, 1e-15);
      leaving += leaves;
    }
    EXPECT_GT(leaving, 0);
    EXPECT_LT(leaving, carried.rows());
  }
}

}  // namespace
}  // namespace swell
