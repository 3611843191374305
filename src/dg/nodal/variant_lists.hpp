// SPDX-License-Identifier: Apache-2.0
// One list of variants for each kernel source.
#pragma once

#include "dg/variant.hpp"

namespace swell {

struct VariantSizes {
  const Problem& problem;
  const ReferenceElement& element;
  const Group& group;
  PointCounts points;
  const FluxCover& cover;
  int moving;  // fields that a weight-adjusted mass weighs; 0: none
  const DeviceInfo& info;

  int fields() const { return static_cast<int>(problem.model.fields.size()); }
  int scalars() const { return element.node_count * fields(); }                         // of an element
  int trace() const { return element.face_count * element.face_node_count * fields(); }  // of its faces
  std::size_t bytes(std::int64_t words) const { return static_cast<std::size_t>(words) * bytes_of(problem.precision); }
};

// The constants of kernels/nodal/simt.h: words of a node, and of an element for its own values, its traces and its rates.
struct SharedLayout {
  int room, own, jump, rate;
  bool planes = false;
};
// Words of an element's unit normals, scales and geometry.
int normal_words(const VariantSizes& sizes);
void add_layout(Variant& v, const VariantSizes& sizes, const SharedLayout& layout);

std::vector<Variant> simd_variants(const VariantSizes& sizes, int lanes);
std::vector<Variant> simt_simplex_variants(const VariantSizes& sizes);
// Straight simplices and linear models, by matrix cores.
std::vector<Variant> matrix_variants(const VariantSizes& sizes);
std::vector<Variant> simt_quadrature_variants(const VariantSizes& sizes);
std::vector<Variant> simt_tensor_variants(const VariantSizes& sizes);
// Tensor shapes that are integrated at Gauss points.
std::vector<Variant> simt_gauss_variants(const VariantSizes& sizes);
// Two-point fluxes.
std::vector<Variant> simt_pair_variants(const VariantSizes& sizes);

}  // namespace swell
