// SPDX-License-Identifier: Apache-2.0
// The survey for the modal family, whose mass is exact on tensor shapes too, and for the schemes whose order is that of the
// space.
//
// Taylor series of degree 5 and 6 make waves without any damping grow, by (w dt)^6 / 720 and less in a step: an error of
// their order in time, which a well resolved wave keeps however small the step is. So growth counts here from 1e-5 on, and for
// ADER above order 3 from 1e-3 on: steady states are moved by a nilpotent map, whose computed eigenvalues then scatter by up to
// 1e-4 around one; at the limit itself growth rises to several percent within a percent of the step.
#pragma once

#include "element/lattice.hpp"
#include "survey.hpp"
#include "time/stability.hpp"

namespace swell::stability {

inline constexpr double growth_of_taylor = 1.0 + 1e-5;
inline double growth_of_ader(int order) { return order <= 3 ? 1.0 + 1e-5 : 1.0 + 1e-3; }

struct ModalConstants {
  Constants of_schemes{};  // as measured_constants()
  double rkp1 = 1e300;     // of the metric too
  double ader = 3.0;       // the largest stable cfl of dt = cfl / ((2 order + 1) crossing), where it is below 3
};

// The largest step below `known` up to which nothing grows, to a part in 500.
template <class Growth>
double largest_step(double known, double allowed, const Growth& growth) {
  if (growth(known) <= allowed) return known;
  double inside = 0.0, outside = known;
  while (outside - inside > 2e-3 * outside) {
    const double middle = 0.5 * (inside + outside);
    (growth(middle) <= allowed ? inside : outside) = middle;
  }
  return inside;
}

// The growth in one step of the Taylor series of this degree, on a spectrum.
inline double taylor_growth(const std::vector<Complex>& spectrum, int degree, double dt) {
  double largest = 0.0;
  for (const Complex& z : spectrum) {
    Complex power = 1.0, series = 1.0;
    for (int k = 1; k <= degree; ++k) series += power *= dt * z / static_cast<double>(k);
    largest = std::max(largest, std::abs(series));
  }
  return largest;
}

// The rows of a field, modes in lattice order, that ADER carries from step to step.
inline std::vector<int> remembered_rows(Shape shape, int order) {
  const int limit = ader_memory(order).degree;
  std::vector<int> rows;
  const std::vector<LatticeIndex> degrees = lattice_indices(shape, order);
  for (std::size_t row = 0; row < degrees.size(); ++row) {
    const auto& [i, j, k] = degrees[row];
    if ((is_simplex(shape) ? i + j + k : std::max({i, j, k})) <= limit) rows.push_back(static_cast<int>(row));
  }
  return rows;
}

// The growth in one ADER step: u + L (sum over r of dt^(r+1) / (r+1)! (d/dt)^r u), where du/dt = L_local u plus the carried
// history: the contribution of the faces to the remembered rows in the previous step, which stands below u, over dt.
inline double ader_growth(const BlochOperator& op, Shape shape, int order, double dt, int krylov) {
  const std::vector<int> rows = remembered_rows(shape, order);
  const double weight = ader_memory(order).weight;
  const int carried = static_cast<int>(rows.size());
  const auto step = [&](const Field& all) -> Field {
    Field derivative = all.topRows(op.nodes()), integral = dt * derivative;
    double factor = dt;
    for (int r = 1; r <= order; ++r) {
      derivative = op.apply_local(derivative);
      if (r == 1)
        for (int i = 0; i < carried; ++i) derivative.row(rows[i]) += weight / dt * all.row(op.nodes() + i);
      factor *= dt / (r + 1);
      integral += factor * derivative;
    }
    const Field change = op.apply(integral), through_faces = change - op.apply_local(integral);
    Field next = all;
    next.topRows(op.nodes()) += change;
    for (int i = 0; i < carried; ++i) next.row(op.nodes() + i) = through_faces.row(rows[i]);
    return next;
  };
  double largest = 0.0;
  for (const Complex& z : eigenvalues(op.nodes() + carried, op.columns(), krylov, step)) largest = std::max(largest, std::abs(z));
  return largest;
}

inline ModalConstants modal_constants(const EnergyElement& element, const System& system, int krylov) {
  static const std::vector<Region> regions(schemes.begin(), schemes.end());
  const ReferenceElement& e = element.e;
  ModalConstants smallest;
  smallest.of_schemes.fill(1e300);
  for (const Eigen::MatrixXd& lattice : lattices(e.dim)) {
    BlochOperator op(element, lattice, system);
    const double seconds = 1 / ((2 * e.order + 1) * op.crossing());
    const auto record = [&] {
      const std::vector<Complex> spectrum = eigenvalues(op, krylov);
      for (std::size_t s = 0; s < schemes.size(); ++s)
        smallest.of_schemes[s] = std::min(smallest.of_schemes[s], regions[s].stable_step(spectrum) * op.metric());
      const double known = std::min(smallest.rkp1, 10.0) / op.metric();
      smallest.rkp1 =
          largest_step(known, growth_of_taylor, [&](double dt) { return taylor_growth(spectrum, e.order + 1, dt); }) * op.metric();
      smallest.ader = largest_step(smallest.ader * seconds, growth_of_ader(e.order),
                                   [&](double dt) { return ader_growth(op, e.shape, e.order, dt, krylov); }) / seconds;
    };
    for (const Eigen::VectorXd& phase : phases(e.dim, e.order)) op.set_phase(phase), record();
    if (system.fields() == 1) continue;
    const unsigned all = (1u << e.face_count) - 1;
    for (const unsigned walls : {0u, all, 3u, all - 3u}) op.set_walls(walls), record();
  }
  return smallest;
}

}  // namespace swell::stability
