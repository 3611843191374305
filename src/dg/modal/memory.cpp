// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "dg/memory.hpp"
#include "dg/modal/element.hpp"
#include "dg/modal/pattern.hpp"
#include "dg/monitor.hpp"
#include "dg/text.hpp"

namespace swell {

MemoryNeed modal_memory_need(const Problem& problem, const Layout& layout, const MaterialField& material, Device& device,
                             int states) {
  bool varying = false;
  for (std::int64_t cell = 0; cell < layout.elements; ++cell) varying = varying || material.varies(cell);
  const ModalElement e(problem.mesh->shape(), problem.order, varying ? problem.coefficient_order : 0, varying);
  const std::int64_t coefficients =
      varying ? find_pattern(ModelProbe(problem.model, device), reacts(problem)).coefficients * e.coefficient_count : 0;
  const auto word = static_cast<std::int64_t>(bytes_of(problem.precision));
  const std::int64_t dim = e.dim, fields = static_cast<std::int64_t>(problem.model.fields.size()),
                     parameters = std::max(1, material.parameters()), points = e.rule.points.rows(),
                     ghosts = static_cast<std::int64_t>(layout.ghosts.size()), between = static_cast<std::int64_t>(layout.between.size()),
                     records = (layout.slots + layout.halo_slots) * e.faces + ghosts + between;
  const std::int64_t state = layout.slots * e.count * fields;
  std::int64_t words = layout.slots * (dim * dim + 1 + parameters) + records * e.values * fields;  // shapes and traces
  std::int64_t whole = layout.slots * e.faces * 2 + ghosts * 5 + between * 4;
  words += varying ? records * e.values * parameters : layout.slots * e.faces * parameters;
  words += ghosts * (e.face_points.rows() * dim + dim + parameters);
  if (varying) words += layout.slots * (coefficients + points * parameters);
  if (std::any_of(layout.groups.begin(), layout.groups.end(), [](const Group& group) { return group.near; })) {
    for (const Group& group : layout.groups)
      if (group.near) words += 3 * group.padded * e.count * fields;  // two terms and an integral
    whole += layout.slots * e.faces * 2;
  }
  if (!problem.source.empty()) words += state + layout.slots * points * dim;
  if (material.in_time()) {
    words += layout.slots * points * dim;
    whole += layout.slots * points;
  }
  MemoryNeed need;
  need.setup = words * word + whole * 4;
  need.transient = 8 * layout.slots * (varying ? std::max(points * parameters, points * dim) : e.faces * parameters);
  need.device = need.setup + states * state * word + 2 * layout.slots * word +  // energy and mark of each element
                Monitor::bytes(device, layout.groups.size());
  return need;
}

}  // namespace swell
