// SPDX-License-Identifier: Apache-2.0
// The measurement: the smallest constant C of dt = C / metric over cell shapes, Bloch phases and walls.
//
// Acoustics stands for all systems: advection, Maxwell and elastic waves of the same largest speed allow the same step
// or a longer one, to within 1 percent (tests/unit/time/test_stability.cpp). Walls count, also as the limit of two
// materials of very different impedance: on stretched triangles they allow about 14 percent less than any periodic mesh.
#pragma once

#include <numbers>

#include "bloch_operator.hpp"
#include "stability_region.hpp"

namespace swell::stability {

using Constants = std::array<double, schemes.size()>;

// Lattice vectors as columns: a cube, stretched 1:10 and 1:100, sheared, and pressed flat along its diagonal.
inline std::vector<Eigen::MatrixXd> lattices(int dim) {
  if (dim == 1) return {Eigen::MatrixXd::Identity(1, 1)};
  if (dim == 2) {
    Eigen::Matrix2d cube = Eigen::Matrix2d::Identity(), sheared, flat;
    sheared << 1.0, 0.9, 0.0, 0.3;
    flat << 1.0, 0.5, 0.0, 0.05;
    return {cube, Eigen::Vector2d(1, 10).asDiagonal() * cube, Eigen::Vector2d(1, 100).asDiagonal() * cube, sheared,
            flat};
  }
  Eigen::Matrix3d cube = Eigen::Matrix3d::Identity(), flat;
  const double half = 0.5 * std::sqrt(3.0);
  flat << 1.0, -0.5, -0.5, 0.0, half, -half, 0.05, 0.05, 0.05;
  return {cube, Eigen::Vector3d(1, 1, 10).asDiagonal() * cube, Eigen::Vector3d(1, 10, 10).asDiagonal() * cube,
          Eigen::Vector3d(1, 100, 100).asDiagonal() * cube, flat};
}

// Phases in units of pi / 3. The largest eigenvalues sit at these symmetric points of the Brillouin zone; a finer sweep
// changes nothing at low order, so that large tetrahedra and hexahedra get by with few.
inline std::vector<Eigen::VectorXd> phases(int dim, int order) {
  std::vector<Eigen::VectorXd> result;
  const auto add = [&](std::vector<double> steps) {
    result.push_back(Eigen::Map<Eigen::VectorXd>(steps.data(), dim) * std::numbers::pi / 3.0);
  };
  if (dim == 1)
    for (int a = 0; a <= 30; ++a) add({0.1 * a});
  else if (dim == 2)
    for (const double a : {0, 1, 2, 3})
      for (const double b : {0, 1, 2, 3, 4, 5}) add({a, b});
  else if (order <= 4)
    for (const double a : {0, 2, 3})
      for (const double b : {0, 2, 3, 4})
        for (const double c : {0, 2, 3, 4}) add({a, b, c});
  else
    for (const std::vector<double>& point :
         std::vector<std::vector<double>>{{0, 0, 0}, {2, 0, 0}, {2, 2, 2}, {2, 4, 0}, {3, 3, 3}, {3, 0, 0}})
      add(point);
  return result;
}

inline Constants measured_constants(const EnergyElement& element, const System& system, int krylov) {
  static const std::vector<Region> regions(schemes.begin(), schemes.end());
  const ReferenceElement& e = element.e;
  Constants smallest;
  smallest.fill(1e300);
  for (const Eigen::MatrixXd& lattice : lattices(e.dim)) {
    BlochOperator op(element, lattice, system);
    const auto record = [&] {
      const std::vector<Complex> spectrum = eigenvalues(op, krylov);
      for (std::size_t s = 0; s < schemes.size(); ++s)
        smallest[s] = std::min(smallest[s], regions[s].stable_step(spectrum) * op.metric());
    };
    for (const Eigen::VectorXd& phase : phases(e.dim, e.order)) op.set_phase(phase), record();
    if (system.fields() == 1) continue;  // advection has no walls that reflect
    const unsigned all = (1u << e.face_count) - 1;
    for (const unsigned walls : {0u, all, 3u, all - 3u}) op.set_walls(walls), record();
  }
  return smallest;
}

}  // namespace swell::stability
