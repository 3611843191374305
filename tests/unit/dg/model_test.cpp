// SPDX-License-Identifier: Apache-2.0
// Properties that every model must have: of its mass, its flux, its speed, its Riemann flux, its plane waves.
#include "element/dense.hpp"
#include "model/derived_flux.hpp"
#include "support.hpp"

namespace swell {
namespace {

constexpr int rows = 40;

class EveryModel : public testing::TestWithParam<ModelIn> {
 protected:
  const ModelProbe& probe = probe_of(GetParam());
  Random random{7};
  Matrix ql = random.matrix(rows, probe.fields()), qr = random.matrix(rows, probe.fields());
  Matrix ml = random.materials(probe.model(), rows), mr = random.materials(probe.model(), rows);
  Matrix n = random.unit_rows(rows, probe.model().dim);

  LinearMedium medium(const Matrix& m, int row) const {
    return {probe.mass_matrix(m.row(row)), probe.flux_matrix(m.row(row), n.row(row))};
  }
  // Velocities that meet at a face or part there leave the flux open: both sides get the same sign along n. Mean flows on both sides
  // carry the same mass, and are slower than sound or both faster.
  void make_advection_one_way() {
    if (GetParam().carried()) {
      const int first = probe.model().material_index("ux0"), rho0 = probe.model().material_index("rho0"),
                c0 = probe.model().material_index("c0"), dim = probe.model().dim;
      for (int i = 0; i < rows; ++i) {
        const double speed = (i % 4 == 0 ? 1.4 : 0.8) * random.between(0.1, 1) * (i % 3 == 0 ? -1 : 1) / ml(i, rho0);
        const double own = ml.row(i).segment(first, dim).dot(n.row(i)), other = mr.row(i).segment(first, dim).dot(n.row(i));
        const double behind = speed * ml(i, rho0) / mr(i, rho0);
        ml.row(i).segment(first, dim) += (speed - own) * n.row(i);
        mr.row(i).segment(first, dim) += (behind - other) * n.row(i);
        if ((std::abs(speed) > ml(i, c0)) != (std::abs(behind) > mr(i, c0))) mr(i, c0) = std::abs(behind) * ml(i, c0) / std::abs(speed);
      }
    }
    if (GetParam().waves()) return;
    for (int i = 0; i < rows; ++i)
      if (ml.row(i).dot(n.row(i)) * mr.row(i).dot(n.row(i)) < 0) mr.row(i) *= -1;
  }
};

TEST_P(EveryModel, HasTheUpwindFluxThatItsFluxAndMassImply) {
  make_advection_one_way();
  const Matrix f = probe.numerical_flux("upwind", ql, ml, qr, mr, n);
  for (int i = 0; i < rows; ++i) {
    const UpwindMatrices derived = derive_upwind(medium(ml, i), medium(mr, i));
    const Vector expected = derived.left * ql.row(i).transpose() + derived.right * qr.row(i).transpose();
    EXPECT_LT((f.row(i).transpose() - expected).norm(), 1e-12 * (1 + expected.norm())) << "row " << i;
  }
}

TEST_P(EveryModel, HasConsistentNumericalFluxes) {
  const Matrix exact = probe.flux(ql, ml, n);
  for (const char* kind : {"upwind", "central", "rusanov"})
    EXPECT_LT(largest(probe.numerical_flux(kind, ql, ml, ql, ml, n) - exact), 1e-13 * (1 + largest(exact))) << kind;
}

TEST_P(EveryModel, HasConservativeNumericalFluxes) {
  if (GetParam().carried()) make_advection_one_way();  // two streams that are faster than sound do not meet at a face
  for (const char* kind : {"upwind", "central", "rusanov"}) {
    const Matrix here = probe.numerical_flux(kind, ql, ml, qr, mr, n),
                 there = probe.numerical_flux(kind, qr, mr, ql, ml, -n);
    EXPECT_LT(largest(here + there), 1e-13 * (1 + largest(here))) << kind;
  }
}

TEST_P(EveryModel, HasAMassThatItsInverseUndoes) {
  EXPECT_LT(largest(probe.inverse_mass(ml, probe.mass(ml, ql)) - ql), 1e-13);
  EXPECT_LT(largest(probe.mass(ml, probe.inverse_mass(ml, ql)) - ql), 1e-13);
}

TEST_P(EveryModel, HasASymmetricPositiveMass) {
  for (int i = 0; i < rows; ++i) {
    const Matrix mass = probe.mass_matrix(ml.row(i));
    EXPECT_LT(largest(mass - mass.transpose()), 1e-14 * largest(mass));
    EXPECT_GT(symmetric_eigenvalues(mass).minCoeff(), 0);
  }
}

TEST_P(EveryModel, HasASymmetricFluxThatIsLinearInStateAndNormal) {
  const Matrix a = probe.flux(ql, ml, n), b = probe.flux(qr, ml, n);
  if (!GetParam().carried()) {
    EXPECT_LT(((qr.cwiseProduct(a) - ql.cwiseProduct(b)).rowwise().sum().cwiseAbs().maxCoeff()), 1e-13);
  }
  EXPECT_LT(largest(probe.flux(2 * ql - 3 * qr, ml, n) - (2 * a - 3 * b)), 1e-13);
  const Matrix other = random.unit_rows(rows, probe.model().dim);
  EXPECT_LT(largest(probe.flux(ql, ml, 2 * n + other) - 2 * a - probe.flux(ql, ml, other)), 1e-13);
}

TEST_P(EveryModel, HasTheLargestWaveSpeedAsItsSpeed) {
  const Vector speed = probe.speed(ql, ml, n);
  for (int i = 0; i < rows; ++i)
    EXPECT_NEAR(speed(i), wave_speeds(medium(ml, i)).cwiseAbs().maxCoeff(), 1e-12 * speed(i)) << "row " << i;
}

// The energy that leaves one side through the face and does not reach the other: q . F / 2 flows out of a cell by its own flux,
// q . F* by the face's, so the jump [q . F / 2 - q . F*] over both sides is the energy that the face adds in a unit of time.
TEST_P(EveryModel, LosesEnergyAtFacesWithUpwindAndRusanovAndKeepsItWithCentral) {
  if (GetParam().carried()) return;  // q . M q / 2 is no energy of it
  if (!GetParam().waves()) ml = mr;  // a velocity that changes compresses
  const Matrix fl = probe.flux(ql, ml, n), fr = probe.flux(qr, mr, n);
  for (const char* kind : {"upwind", "central", "rusanov"}) {
    const Matrix star = probe.numerical_flux(kind, ql, ml, qr, mr, n);
    for (int i = 0; i < rows; ++i) {
      const double gain = ql.row(i).dot(0.5 * fl.row(i) - star.row(i)) - qr.row(i).dot(0.5 * fr.row(i) - star.row(i));
      if (kind == std::string("central"))
        EXPECT_NEAR(gain, 0, 1e-13);
      else
        EXPECT_LT(gain, -1e-6) << kind << ", row " << i;
    }
  }
}

TEST_P(EveryModel, HasAReactionThatTakesEnergyAway) {
  if (!probe.model().has("reaction") || GetParam().carried()) return;  // a mean flow that varies gives and takes
  const Matrix r = probe.reaction(ql, ml);
  for (int i = 0; i < rows; ++i) EXPECT_LT(ql.row(i).dot(r.row(i)), 0);
  EXPECT_EQ(largest(probe.reaction(ql, Matrix::Zero(rows, ml.cols()))), 0);
}

TEST_P(EveryModel, HasPlaneWavesThatSolveTheEquation) {
  const int dim = probe.model().dim;
  Matrix direction = Matrix::Zero(rows, 3), along = Matrix::Zero(rows, 3), across = Matrix::Zero(rows, 3);
  direction.leftCols(dim) = n;
  along = direction;
  across.leftCols(std::max(2, dim)) = random.unit_rows(rows, std::max(2, dim));
  for (int i = 0; i < rows; ++i) {
    across.row(i) -= across.row(i).dot(direction.row(i)) * direction.row(i).eval();
    across.row(i).normalize();
  }
  std::vector<Matrix> polarisations;
  if (GetParam().name != "elastic" || dim > 1) polarisations.push_back(across);  // a line has P waves only
  if (GetParam().name == "elastic") polarisations.push_back(along);
  const Vector value = random.matrix(rows, 1).col(0);
  for (const Matrix& polarisation : polarisations) {
    const Vector speed = probe.plane_wave_speed(ml, direction, polarisation);
    const Matrix q = probe.plane_wave(ml, direction, polarisation, value), f = probe.flux(q, ml, n),
                 mass = probe.mass(ml, q);
    for (int i = 0; i < rows; ++i) {
      EXPECT_LT((f.row(i) - speed(i) * mass.row(i)).norm(), 1e-13 * (1 + f.row(i).norm())) << "row " << i;
      EXPECT_GT(q.row(i).norm(), 0.1 * std::abs(value(i)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, EveryModel, testing::ValuesIn(all_models()),
                         [](const auto& given) { return test_name(given.param); });

TEST(DerivedFlux, FollowsTheWindOfAdvection) {
  const auto medium = [](double velocity) {
    return LinearMedium{Matrix::Identity(1, 1), Matrix::Constant(1, 1, velocity)};
  };
  const UpwindMatrices right = derive_upwind(medium(2), medium(3)), left = derive_upwind(medium(-2), medium(-3));
  EXPECT_NEAR(right.left(0, 0), 2, 1e-15);
  EXPECT_NEAR(right.right(0, 0), 0, 1e-15);
  EXPECT_NEAR(left.left(0, 0), 0, 1e-15);
  EXPECT_NEAR(left.right(0, 0), -3, 1e-15);
}

// Two streams of different density along the face: pressure and normal velocity pass as between two media at rest.
TEST(DerivedFlux, LetsSoundThroughASheetBetweenTwoStreams) {
  const ModelProbe& probe = probe_of({"linear-euler", 2});
  Random random{11};
  Matrix ml = random.materials(probe.model(), 1), mr = random.materials(probe.model(), 1), n(1, 2);
  n << 1, 0;
  const int across = probe.model().material_index("ux0");
  ml(0, across) = mr(0, across) = 0;
  const Matrix ql = random.matrix(1, 4), qr = random.matrix(1, 4), f = probe.numerical_flux("upwind", ql, ml, qr, mr, n);
  const auto medium = [&](const Matrix& m) { return LinearMedium{probe.mass_matrix(m.row(0)), probe.flux_matrix(m.row(0), n.row(0))}; };
  const UpwindMatrices derived = derive_upwind(medium(ml), medium(mr));
  const Vector expected = derived.left * ql.row(0).transpose() + derived.right * qr.row(0).transpose();
  EXPECT_LT((f.row(0).transpose() - expected).norm(), 1e-12);
}

// Speeds of the mean flow through the face on its two sides, in speeds of sound: streams that meet or part, slow and supersonic.
TEST(LinearEuler, LetsNothingAppearBetweenTwoStreams) {
  const ModelProbe& probe = probe_of({"linear-euler", 2});
  Random random{17};
  Matrix ml = random.materials(probe.model(), 1), mr = random.materials(probe.model(), 1), n(1, 2);
  n << 0.6, 0.8;
  const Matrix ql = random.matrix(1, 4), qr = random.matrix(1, 4);
  const int flow = probe.model().material_index("ux0"), c = probe.model().material_index("c0");
  const auto stream = [&](Matrix& m, double mach) {
    for (int d = 0; d < 2; ++d) m(0, flow + d) = mach * m(0, c) * n(0, d);
  };
  for (const double left : {-2.0, -0.5, 0.0, 0.5, 2.0})
    for (const double right : {-2.0, -0.5, 0.0, 0.5, 2.0}) {
      stream(ml, left);
      stream(mr, right);
      const Matrix here = probe.numerical_flux("upwind", ql, ml, qr, mr, n), there = probe.numerical_flux("upwind", qr, mr, ql, ml, -n);
      EXPECT_LT((here + there).norm(), 1e-13 * (1 + here.norm())) << left << " " << right;
    }
}

TEST(DerivedFlux, DoesNotDependOnTheUnitsOfTheFields) {
  // Rock in SI units: stresses of the order 1e6, velocities of the order 1e-1.
  const ModelIn elastic{"elastic", 2};
  const ModelProbe& probe = probe_of(elastic);
  Vector granite(3), sandstone(3), n(2);
  granite << 2700, 3.2e10, 3.1e10;
  sandstone << 2200, 1.1e10, 0.9e10;
  n << 0.6, 0.8;
  Matrix ql(1, 5), qr(1, 5);
  ql << 1e6, 2e6, -1.5e6, 0.2, -0.1;
  qr << -2e6, 1e6, 0.5e6, -0.1, 0.3;
  const UpwindMatrices derived = derive_upwind({probe.mass_matrix(granite), probe.flux_matrix(granite, n)},
                                               {probe.mass_matrix(sandstone), probe.flux_matrix(sandstone, n)});
  const Matrix f = probe.numerical_flux("upwind", ql, granite.transpose(), qr, sandstone.transpose(), n.transpose());
  const Vector expected = derived.left * ql.transpose() + derived.right * qr.transpose();
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(f(0, i), expected(i), 1e-11 * std::abs(expected(i))) << i;
}

TEST(DerivedFlux, RefusesWhatIsNotHyperbolic) {
  Matrix turn(2, 2);
  turn << 0, 1, -1, 0;
  const LinearMedium rotating{Matrix::Identity(2, 2), turn}, massless{Matrix::Zero(2, 2), turn};
  EXPECT_THROW(derive_upwind(rotating, rotating), std::runtime_error);
  EXPECT_THROW(derive_upwind(massless, massless), std::runtime_error);
}

}  // namespace
}  // namespace swell
