// SPDX-License-Identifier: Apache-2.0
#include "model/transport.hpp"

#include "base/error.hpp"
#include "model/model_probe.hpp"

namespace swell {

TransportPage read_transport_page(const Model& model, Device& device) {
  const auto fail = [&](const std::string& what) {
    throw InputError("The model '{}' cannot be used: a page with a profile carries one field along in a velocity, and {}.", model.name, what);
  };
  if (model.fields.size() != 1) fail("it has several fields");
  const ModelProbe probe(model, device);
  Matrix material(1, probe.parameters());
  for (Eigen::Index i = 0; i < material.cols(); ++i) material(0, i) = 0.75 + 0.5 * static_cast<double>(i);  // exact in binary
  const Matrix q = Matrix::Constant(1, 1, 0.5);
  TransportPage page;
  for (int axis = 0; axis < model.dim; ++axis) {
    Matrix n = Matrix::Zero(1, model.dim);
    n(0, axis) = 1;
    const double speed = probe.flux(q, material, n)(0, 0) / q(0, 0);
    int found = -1;
    for (Eigen::Index i = 0; i < material.cols(); ++i)
      if (material(0, i) == speed) found = static_cast<int>(i);
    if (found < 0) fail("its flux along an axis is not one of the materials times the field");
    page.velocity.push_back(found);
  }
  const Matrix data = Matrix::Zero(1, 1), n = Matrix::Identity(1, model.dim);
  for (const BoundaryKind& kind : model.boundaries) {
    if (!kind.parameters.empty()) fail("its boundary '" + kind.name + "' has parameters");
    const double state = probe.boundary(kind.name, q, material, n, data)(0, 0);
    if (state != 0 && state != q(0, 0)) fail("its boundary '" + kind.name + "' gives neither the field nor 0");
    page.closed.push_back(state == 0);
  }
  return page;
}

}  // namespace swell
