// SPDX-License-Identifier: Apache-2.0
#include "model/upwind_text.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "element/dense.hpp"
#include "model/derived_flux.hpp"
#include "model/face_matrices.hpp"
#include "model/model_probe.hpp"

namespace swell {

namespace {

constexpr double rounding = 1e-12;  // relative; smaller entries of a derived matrix are 0

[[noreturn]] void refuse(const Model& model, const std::string& why) {
  throw InputError(
      "The model '{}' has no function flux_upwind, and it cannot be derived because {}; set model.flux = \"rusanov\" "
      "or \"central\".",
      model.name, why);
}

// Empty where the material of a region is not constant.
std::vector<Vector> distinct_materials(const Problem& problem) {
  std::vector<Vector> all;
  for (const auto& region : problem.material) {
    Vector row = Vector::Zero(std::max<Eigen::Index>(1, static_cast<Eigen::Index>(region.size())));
    for (std::size_t i = 0; i < region.size(); ++i) {
      if (!region[i].is_constant()) return {};
      row(static_cast<Eigen::Index>(i)) = region[i].constant();
      // The kernels compare in the precision of the run.
      if (problem.precision == Precision::single_)
        row(static_cast<Eigen::Index>(i)) = static_cast<float>(row(static_cast<Eigen::Index>(i)));
    }
    if (std::none_of(all.begin(), all.end(), [&](const Vector& v) { return v == row; })) all.push_back(row);
  }
  return all;
}

// Turns all fields into the frame of a face whose normal is n: the matrix of what face_frame.h does.
Matrix field_rotation(const Model& model, const Vector& n) {
  const int dim = model.dim, fields = static_cast<int>(model.fields.size());
  Matrix r(dim, dim);
  if (dim == 1) {
    r << n(0);
  } else if (dim == 2) {
    r << n(0), n(1), -n(1), n(0);
  } else {
    const double side = n(2) < 0 ? -1 : 1, a = -1 / (side + n(2)), b = n(0) * n(1) * a;
    r << n(0), n(1), n(2), 1 + side * n(0) * n(0) * a, side * b, -side * n(0), b, side + n(1) * n(1) * a, -n(1);
  }
  static constexpr int plane[2][2] = {{0, 2}, {2, 1}}, space[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
  const auto at = [&](int i, int j) { return dim == 1 ? 0 : dim == 2 ? plane[i][j] : space[i][j]; };
  Matrix all = Matrix::Zero(fields, fields);
  for (const auto& g : model.groups) {
    if (g.kind == FieldKind::scalar) all(g.first, g.first) = 1;
    if (g.kind == FieldKind::vector) all.block(g.first, g.first, dim, dim) = r;
    if (g.kind == FieldKind::symmetric)
      for (int i = 0; i < dim; ++i)
        for (int j = i; j < dim; ++j)
          for (int k = 0; k < dim; ++k)
            for (int l = 0; l < dim; ++l) all(g.first + at(i, j), g.first + at(k, l)) += r(i, k) * r(j, l);
  }
  return all;
}

// The matrices of the flux F(n) and the mass in the face's frame do not depend on n. The residual of the equations turns like
// the transposed inverse where a tensor's shear counts twice, so the test is on M^-1 F, which maps fields to fields.
bool is_isotropic(const ModelProbe& probe, const Vector& material) {
  const int dim = probe.model().dim;
  Vector first = Vector::Zero(dim), other(dim);
  first(0) = 1;
  if (dim == 1)
    other << -1;
  else if (dim == 2)
    other << 0.6, -0.8;
  else
    other << 0.48, -0.6, 0.64;
  const auto rates = [&](const Vector& n) -> Matrix {
    return inverse(probe.mass_matrix(material)) * probe.flux_matrix(material, n);
  };
  const Matrix turn = field_rotation(probe.model(), other), here = rates(first),
               there = turn * rates(other) * inverse(turn);
  return (here - there).norm() <= 1e-9 * here.norm();
}

std::string product(const Matrix& p, int row, const char* vector) {
  std::string text;
  for (Eigen::Index j = 0; j < p.cols(); ++j)
    if (std::abs(p(row, j)) > rounding * p.norm()) text += fmt::format(" + ({:#.17g}) * {}[{}]", p(row, j), vector, j);
  return text;
}

std::string turning(const Model& model, const char* from, const char* to) {
  std::string text;
  for (const auto& g : model.groups) {
    if (g.kind == FieldKind::scalar)
      text += fmt::format("  {}[{}] = {}[{}];\n", to, g.first, from, g.first);
    else
      text += fmt::format("  turn_{}(r, 0, {} + {}, {} + {});\n", g.kind == FieldKind::vector ? "vector" : "tensor",
                          from, g.first, to, g.first);
  }
  return text;
}

// The function flux_upwind for isotropic waves and these materials.
std::string text_in_face_frame(const Model& model, const ModelProbe& probe, const std::vector<Vector>& materials) {
  Vector normal = Vector::Zero(model.dim);
  normal(0) = 1;
  std::string text(kernel_texts("kernels/shared/face_frame.h"));
  text +=
      "\n// Derived: in the frame of the face the flux between two media is a matrix for each side.\n"
      "FUNCTION void flux_upwind(const real *ql, const real *ml, const real *qr, const real *mr, const real *n, real "
      "*f)\n{\n"
      "  real r[DIM * DIM], l_[FIELDS], r_[FIELDS], state[FIELDS], q[FIELDS];\n  face_frame(n, r);\n";
  text += turning(model, "ql", "l_") + turning(model, "qr", "r_");
  // A state whose flux is f* turns like the fields, so that state is turned back and its flux taken.
  text += "  for (int i = 0; i < FIELDS; ++i) state[i] = splat(0.0);\n";
  for (const auto& left : materials)
    for (const auto& right : materials) {
      const LinearMedium a{probe.mass_matrix(left), probe.flux_matrix(left, normal)},
          b{probe.mass_matrix(right), probe.flux_matrix(right, normal)};
      const UpwindMatrices p = derive_upwind(a, b);
      // A state with this flux: F state = f*, of least length, since F has no inverse.
      const Matrix back = a.flux.completeOrthogonalDecomposition().pseudoInverse();
      const Matrix pl = back * p.left, pr = back * p.right;
      std::string same = "  {\n    const truth here =";
      for (Eigen::Index i = 0; i < left.size(); ++i)
        same += fmt::format("{} (ml[{}] == {:#.17g}) & (mr[{}] == {:#.17g})", i ? " &" : "", i, left(i), i, right(i));
      text += materials.size() > 1 ? same + ";\n" : "  {\n";
      for (int i = 0; i < probe.fields(); ++i) {
        const std::string sum = "splat(0.0)" + product(pl, i, "l_") + product(pr, i, "r_");
        text += materials.size() > 1 ? fmt::format("    state[{}] = here ? {} : state[{}];\n", i, sum, i)
                                     : fmt::format("    state[{}] = {};\n", i, sum);
      }
      text += "  }\n";
    }
  for (const auto& g : model.groups) {
    if (g.kind == FieldKind::scalar)
      text += fmt::format("  q[{}] = state[{}];\n", g.first, g.first);
    else
      text += fmt::format("  turn_{}(r, 1, state + {}, q + {});\n", g.kind == FieldKind::vector ? "vector" : "tensor",
                          g.first, g.first);
  }
  return text + "  flux(q, ml, n, f);\n}\n";
}

}  // namespace

void complete_model(Problem& problem, Device& device) {
  Model& model = problem.model;
  if (problem.flux != FluxKind::blend || problem.alpha == 0 || model.has("flux_" + problem.riemann)) return;
  if (!model.linear) refuse(model, "the model is not stated to be linear");
  if (problem.material_in_time()) refuse(model, "its material changes with time");
  const auto materials = distinct_materials(problem);
  const ModelProbe probe(model, device);
  if (!materials.empty() && std::all_of(materials.begin(), materials.end(), [&](const Vector& m) { return is_isotropic(probe, m); }))
    model.text += text_in_face_frame(model, probe, materials);
  else
    add_face_matrix(problem);
  model.functions.insert("flux_upwind");
  model.fluxes.emplace_back("upwind");
}

}  // namespace swell
