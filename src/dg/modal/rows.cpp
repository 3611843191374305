// SPDX-License-Identifier: Apache-2.0
#include "dg/modal/rows.hpp"

#include <cmath>

namespace swell {

namespace {

constexpr double rounding = 1e-12;

// Whether the trace b mirrors the trace a, and how.
bool mirrors(const Matrix& a, const Matrix& b, MirroredFaces& m) {
  m.sign.assign(a.rows(), 0);
  m.parity.assign(a.cols(), 0);
  m.sign[0] = 1;
  for (Eigen::Index pass = 0; pass < a.rows(); ++pass)
    for (Eigen::Index i = 0; i < a.rows(); ++i)
      for (Eigen::Index j = 0; j < a.cols(); ++j) {
        if (std::abs(a(i, j)) < rounding || (m.sign[i] == 0 && m.parity[j] == 0)) continue;
        const int same = a(i, j) * b(i, j) > 0 ? 1 : -1;
        if (m.sign[i] == 0) m.sign[i] = same * m.parity[j];
        if (m.parity[j] == 0) m.parity[j] = same * m.sign[i];
      }
  for (Eigen::Index i = 0; i < a.rows(); ++i)
    for (Eigen::Index j = 0; j < a.cols(); ++j)
      if (std::abs(b(i, j) - m.sign[i] * m.parity[j] * a(i, j)) > rounding) return false;
  return true;
}

}  // namespace

MirroredFaces mirrored_faces(const ModalElement& element) {
  MirroredFaces m;
  if (element.shape != Shape::triangle || !element.signed_values) return m;
  for (m.a = 0; m.a < element.faces; ++m.a)
    for (m.b = m.a + 1; m.b < element.faces; ++m.b)
      if (mirrors(element.trace[m.a], element.trace[m.b], m)) return m;
  return {};
}

Matrix stacked_derivatives(const ModalElement& element, int rows, int columns) {
  Matrix all(element.dim * rows, columns);
  for (int d = 0; d < element.dim; ++d) all.middleRows(d * rows, rows) = element.derivative[d].topLeftCorner(rows, columns);
  return all;
}

Matrix stacked_weak_derivatives(const ModalElement& element) {
  Matrix all(element.dim * element.count, element.count);
  for (int d = 0; d < element.dim; ++d) all.middleRows(d * element.count, element.count) = element.derivative[d].transpose();
  return all;
}

Matrix stacked_traces(const ModalElement& element) {
  Matrix all(element.faces * element.values, element.count);
  for (int f = 0; f < element.faces; ++f) all.middleRows(f * element.values, element.values) = element.trace[f];
  if (const MirroredFaces mirror = mirrored_faces(element))
    for (int j = 0; j < element.count; ++j) {
      const int of = mirror.parity[j] > 0 ? mirror.a : mirror.b, other = mirror.a + mirror.b - of;
      all.block(of * element.values, j, element.values, 1) = element.trace[mirror.a].col(j);
      all.block(other * element.values, j, element.values, 1).setZero();
    }
  return all;
}

Matrix stacked_lifts(const ModalElement& element) {
  Matrix all(element.count, element.faces * element.values);
  for (int f = 0; f < element.faces; ++f) all.middleCols(f * element.values, element.values) = element.lift[f];
  if (const MirroredFaces mirror = mirrored_faces(element))
    for (int i = 0; i < element.count; ++i) {
      const int of = mirror.parity[i] > 0 ? mirror.a : mirror.b, other = mirror.a + mirror.b - of;
      all.block(i, of * element.values, 1, element.values) = element.lift[mirror.a].row(i);
      all.block(i, other * element.values, 1, element.values).setZero();
    }
  return all;
}

}  // namespace swell
