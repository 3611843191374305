// SPDX-License-Identifier: Apache-2.0
#include "dg/modal/geometry.hpp"

#include <algorithm>
#include <memory>

#include "dg/group_data.hpp"
#include "model/face_matrices.hpp"

namespace swell {

namespace {

constexpr int width_simt = 32;  // elements whose numbers lie side by side on GPUs
static_assert(largest_batch % width_simt == 0);
constexpr int warp = 32;
// Elements up to this size have a thread of their own, which keeps them in its registers: on an H200 a step of ADER then takes
// 0.55 ms instead of 0.65 with acoustics of order 4 in double precision (360 bytes), and 0.80 instead of 0.68 with elastic
// waves (600 bytes). Where material varies a thread needs more of them.
constexpr std::int64_t alone_bytes = 384, alone_numbers_varying = 16;

// grad r_d as [d][axis] of an affine cell; returns its Jacobian.
double gradients(const CellMap& map, int dim, std::int64_t cell, double* out) {
  double jacobian[9];
  map.jacobians(cell, jacobian);
  const double j = cofactors(dim, jacobian, out);
  for (int i = 0; i < dim * dim; ++i) out[i] /= j;
  return j;
}

}  // namespace

// The operation keeps the state, the balance where the mass varies, and fluxes; the prediction keeps two derivatives and the
// integral, or fluxes and a mark.
ModalRoom modal_room(const ModalElement& element, int fields) {
  const std::int64_t state = std::int64_t{element.count} * fields, fluxes = std::int64_t{element.faces} * element.values * fields;
  return {(element.varying ? 2 : 1) * state + fluxes, std::max(3 * state, fluxes + 1)};
}

// As many elements as leave room for three groups on a processor: neighbouring threads then read neighbouring values, and whole
// warps one coefficient of the method.
ModalBatch modal_batch(const Device& device, const Layout& layout, const ModalElement& element, int fields, Precision precision) {
  if (!device.info().simt) return {layout.lanes, 0};
  constexpr std::int64_t usual_shared = 72 * 1024;
  constexpr int usual_threads = 256;
  const std::int64_t bytes = modal_room(element, fields).largest() * static_cast<std::int64_t>(bytes_of(precision)),
                     most = device.info().shared_bytes;
  const std::int64_t numbers = std::int64_t{element.count} * fields;
  const bool alone = element.varying ? numbers <= alone_numbers_varying
                                     : numbers * static_cast<std::int64_t>(bytes_of(precision)) <= alone_bytes;
  if (alone || bytes > most) return {width_simt, 0};
  int width = width_simt;
  while (width > 1 && width * bytes > std::min(most, usual_shared)) width /= 2;
  int rows = usual_threads / width;
  // No more rows than modes, and fewer still where a second round fills them better.
  while (rows > 1 && rows >= element.count && rows / 2 * width >= warp) rows /= 2;
  return {width, rows};
}

std::int64_t modal_cell(const Layout& layout, std::int64_t slot) {
  return layout.cell_of_slot[slot] >= 0 ? layout.cell_of_slot[slot] : layout.cell_of_slot[0];
}

std::vector<double> by_batch(const std::vector<double>& of_slot, int numbers, int width) {
  std::vector<double> out(of_slot.size());
  const auto slots = static_cast<std::int64_t>(of_slot.size()) / numbers;
  for (std::int64_t slot = 0; slot < slots; ++slot)
    for (int i = 0; i < numbers; ++i)
      out[(slot / width * numbers + i) * width + slot % width] = of_slot[slot * numbers + i];
  return out;
}

ModalGeometry modal_geometry(const Problem& problem, const Layout& layout, const MaterialField& field, int width) {
  const Mesh& mesh = *problem.mesh;
  const int dim = mesh.dim, faces = face_count(mesh.shape()), parameters = std::max(1, field.parameters());
  const CellMap map(mesh, Matrix::Zero(1, dim));
  std::vector<double> gradient(layout.slots * dim * dim), volume(layout.slots), material(layout.slots * parameters, 0.0),
      behind(layout.slots * faces * parameters, 0.0);
  const int matrix = problem.model.face_matrix;
  const auto matrices = matrix >= 0 ? std::make_unique<FaceMatrices>(problem.model) : nullptr;
  double normal[3];
  for (std::int64_t slot = 0; slot < layout.slots; ++slot) {
    const auto cell = modal_cell(layout, slot);
    volume[slot] = gradients(map, dim, cell, gradient.data() + slot * dim * dim);
    std::copy_n(field.constant(cell), field.parameters(), material.data() + slot * parameters);
    for (int f = 0; f < faces; ++f) {
      const auto other = mesh.neighbour(cell, f).cell;  // behind a boundary is what is before it
      std::copy_n(field.constant(other >= 0 ? other : cell), field.parameters(),
                  behind.data() + (slot * faces + f) * parameters);
      if (!matrices) continue;
      outward_normal(mesh.shape(), f, gradient.data() + slot * dim * dim, normal);
      matrices->find(field.constant(cell), field.constant(other >= 0 ? other : cell), normal,
                     behind.data() + (slot * faces + f) * parameters + matrix);
    }
  }
  return {by_batch(gradient, dim * dim, width), volume, by_batch(material, parameters, width),
          by_batch(behind, faces * parameters, width)};
}

void affine_normal(const Mesh& mesh, std::int64_t cell, int face, double* n) {
  const int dim = mesh.dim;
  const CellMap map(mesh, Matrix::Zero(1, dim));
  double g[9];
  gradients(map, dim, cell, g);
  outward_normal(mesh.shape(), face, g, n);
}

}  // namespace swell
