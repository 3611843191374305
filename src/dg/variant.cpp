// SPDX-License-Identifier: Apache-2.0
#include "dg/variant.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/log.hpp"
#include "dg/nodal/variant_lists.hpp"

namespace swell {

int Variant::constant(std::string_view name) const {
  for (const auto* list : {&constants, &derived})
    for (const auto& [key, value] : *list)
      if (key == name) return value;
  return 0;
}

std::string Variant::name() const {
  std::string words = text == Text::simd ? "simd" : text == Text::simt ? "simt" : "matrix";
  for (const auto& [key, value] : constants) words += fmt::format(" {}={}", key, value);
  if (resident > 0) words += fmt::format(" RESIDENT={}", resident);
  return words;
}

namespace {

// Matrix cores take the four faces of a tetrahedron at the most. Without matrix cores their kernel source is only used where it is selected by name: devices can emulate it, slowly.
std::vector<Variant> straight_simplex_variants(const VariantSizes& sizes) {
  std::vector<Variant> all = simt_simplex_variants(sizes);
  const bool cores = sizes.info.tensor_cores >= 80;
  if (!is_simplex(sizes.element.shape) || !sizes.problem.model.linear || !(cores || sizes.problem.variant.starts_with("matrix"))) return all;
  const auto more = matrix_variants(sizes);
  // With few nodes there is little to multiply: the plain sources stand among the first.
  const bool little = sizes.element.node_count <= 8 && (sizes.element.dim == 2 || sizes.problem.precision == Precision::single_);
  all.insert(!cores ? all.end() : all.begin() + (little ? std::min<std::ptrdiff_t>(3, std::ssize(all)) : 0), more.begin(), more.end());
  return all;
}

}  // namespace

bool by_points(const Group& group) {
  return !group.pairs && (group.curved || (group.varying && !group.adjusted()));
}

std::vector<Variant> operator_variants(const Problem& problem, const ReferenceElement& element, const Group& group,
                                       PointCounts points, const FluxCover& cover, const AdjustedMass& adjusted,
                                       const Device& device) {
  const int moving = group.adjusted() ? static_cast<int>(adjusted.moving().size()) : 0;
  const VariantSizes sizes{problem, element, group, points, cover, moving, device.info()};
  if (!device.info().simt) return simd_variants(sizes, device.lanes(problem.precision));
  std::vector<Variant> all;
  if (group.pairs)
    all = simt_pair_variants(sizes);
  else if (by_points(group))
    all = is_tensor(element.shape) ? simt_gauss_variants(sizes) : simt_quadrature_variants(sizes);
  else if (is_tensor(element.shape))
    all = simt_tensor_variants(sizes);
  else
    all = straight_simplex_variants(sizes);
  const auto least = std::min_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
                       return a.shared < b.shared;
                     })->shared;
  std::erase_if(all, [&](const Variant& v) { return v.shared > static_cast<std::size_t>(device.info().shared_bytes); });
  if (all.empty())
    throw InputError(
        "The model '{}' at order {} on {}s needs {} bytes of a group's shared memory, and {} has {}; take a lower order "
        "or single precision.",
        problem.model.name, element.order, shape_name(element.shape), least, device.info().name,
        device.info().shared_bytes);
  return all;
}

Variant choose_variant(const Problem& problem, const std::vector<Variant>& all, const TuningKey& key) {
  for (const Variant& v : all)
    if (v.name() == problem.variant) return v;
  const auto remembered = remembered_choice(key);
  if (!remembered || remembered->variant == default_is_best) return all.front();
  for (const Variant& v : all)
    if (v.name() == remembered->variant) return v;
  log_info("{} on {} has no variant '{}', which {} remembers: it runs in its default.", key.kernel, key.device,
           remembered->variant, tuning_path());
  return all.front();
}

}  // namespace swell
