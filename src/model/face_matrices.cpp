// SPDX-License-Identifier: Apache-2.0
#include "model/face_matrices.hpp"

#include <fmt/format.h>

#include <cmath>

#include "model/derived_flux.hpp"

namespace swell {

namespace {

constexpr std::size_t most_kept = 1 << 16;  // of a cache: where material varies nothing comes twice
constexpr double steps_of_normal = 0x1p40;  // faces that are parallel but for rounding share a matrix

}  // namespace

void add_face_matrix(Problem& problem) {
  Model& model = problem.model;
  const int fields = static_cast<int>(model.fields.size());
  model.face_matrix = static_cast<int>(model.material.size());
  for (int i = 0; i < fields * fields; ++i) {
    Parameter p;
    p.name = fmt::format("upwind_{}", i);
    model.material.push_back(p);
    for (auto& region : problem.material) region.emplace_back(0.0);
  }
  model.text += R"(
// Derived: the matrix of this place was found from the waves of both sides along n.
FUNCTION void flux_upwind(const real *ql, const real *ml, const real *qr, const real *mr, const real *n, real *f)
{
  real fl[FIELDS], jump[FIELDS];
  flux(ql, ml, n, fl);
  flux(qr, mr, n, jump);
  for (int i = 0; i < FIELDS; ++i) jump[i] -= fl[i];
  for (int i = 0; i < FIELDS; ++i) {
    f[i] = fl[i];
    for (int j = 0; j < FIELDS; ++j) f[i] += mr[upwind_0 + i * FIELDS + j] * jump[j];
  }
}
)";
}

FaceMatrices::FaceMatrices(const Model& model)
    : given_(model.face_matrix), device_(open_device("cpu:1")), probe_(model, *device_) {}

FaceMatrices::~FaceMatrices() = default;

const FaceMatrices::Medium& FaceMatrices::medium(const std::vector<double>& material) {
  if (const auto found = media_.find(material); found != media_.end()) return found->second;
  Vector row = Vector::Zero(probe_.parameters());
  for (int i = 0; i < given_; ++i) row(i) = material[static_cast<std::size_t>(i)];
  Medium medium{probe_.mass_matrix(row), {}};
  for (int d = 0; d < probe_.model().dim; ++d) {
    Vector axis = Vector::Zero(probe_.model().dim);
    axis(d) = 1;
    medium.flux.push_back(probe_.flux_matrix(row, axis));
  }
  return media_.emplace(material, std::move(medium)).first->second;
}

const Matrix& FaceMatrices::split(const std::vector<double>& left, const std::vector<double>& right,
                                  const std::vector<double>& normal) {
  std::vector<double> key = left;
  key.insert(key.end(), right.begin(), right.end());
  key.insert(key.end(), normal.begin(), normal.end());
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  if (known_.size() >= most_kept) known_.clear();
  if (media_.size() >= most_kept) media_.clear();
  const auto along = [&](const Medium& medium) {
    LinearMedium out{medium.mass, Matrix::Zero(medium.mass.rows(), medium.mass.cols())};
    for (std::size_t d = 0; d < normal.size(); ++d) out.flux += normal[d] * medium.flux[d];
    return out;
  };
  const LinearMedium l = along(medium(left));
  return known_.emplace(std::move(key), derive_split(l, left == right ? l : along(medium(right)))).first->second;
}

void FaceMatrices::find(const double* own, const double* behind, const double* normal, double* out) {
  const std::vector<double> mine(own, own + given_), theirs(behind, behind + given_);
  std::vector<double> n(normal, normal + probe_.model().dim);
  for (double& each : n) each = std::round(each * steps_of_normal) / steps_of_normal + 0.0;
  double ahead = 0;
  for (std::size_t d = n.size(); d-- > 0;) ahead = n[d] != 0 ? n[d] : ahead;
  const bool turned = ahead < 0;
  if (turned)
    for (double& each : n) each = 0.0 - each;
  const Matrix& p = turned ? split(theirs, mine, n) : split(mine, theirs, n);
  for (Eigen::Index i = 0; i < p.rows(); ++i)
    for (Eigen::Index j = 0; j < p.cols(); ++j) out[i * p.cols() + j] = turned ? (i == j ? 1 : 0) - p(i, j) : p(i, j);
}

}  // namespace swell
