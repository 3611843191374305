// SPDX-License-Identifier: Apache-2.0
// The kernels of each group of elements: which there are, which one is used.
#include "dg/nodal/operator.hpp"
#include "dg/text.hpp"

namespace swell {

std::vector<Variant> NodalOperator::group_variants(std::size_t g) const {
  const GroupPoints& points = groups_[g].points;
  const PointCounts counts{static_cast<int>(points.volume.rows()), static_cast<int>(points.face.rows())};
  return operator_variants(problem_, *groups_[g].element, groups_[g].group, counts, cover_, *adjusted_, device_);
}

TuningKey NodalOperator::group_key(std::size_t g) const {
  const Group& group = groups_[g].group;
  // State and residual, read and written.
  const double scalars = 4.0 * static_cast<double>(group.everywhere) * groups_[g].element->node_count * fields();
  return tuning_key(device_.info(), operator_name(problem_, *groups_[g].element, group), problem_.precision,
                    scalars * static_cast<double>(bytes_of(problem_.precision)));
}

Range NodalOperator::group_scalars(std::size_t g) const {
  const std::int64_t element = std::int64_t{groups_[g].element->node_count} * fields();
  return {groups_[g].group.place * element, groups_[g].group.count * element};
}

void NodalOperator::group_answer(std::size_t, Buffer& q, std::unique_ptr<Buffer>& next, Buffer& residual, double dt) {
  residual.fill_zero();
  stage(0, q, *next, residual, 0, 1, dt);
}

void NodalOperator::set_variant(std::size_t g, const Variant& variant) {
  GroupOnDevice& on = groups_[g];
  auto program = compile(operator_text(problem_, *on.element, *layout_, on.group, variant, on.points, on.constants, cover_, *adjusted_));
  on.matrix = upload(group_matrices(*on.element, on.group, on.points, variant), "matrices");
  on.program = std::move(program);
  on.variant = variant;
}

}  // namespace swell
