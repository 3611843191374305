// SPDX-License-Identifier: Apache-2.0
#include "dg/memory.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "dg/group_data.hpp"

namespace swell {

MemoryNeed memory_need(const Problem& problem, const ReferenceElement& element, const Layout& layout,
                       bool material_in_time, int states) {
  const auto word = static_cast<std::int64_t>(bytes_of(problem.precision));
  const std::int64_t dim = element.dim, faces = element.face_count,
                     fields = static_cast<std::int64_t>(problem.model.fields.size());
  const std::int64_t parameters = std::max<std::int64_t>(1, static_cast<std::int64_t>(problem.model.material.size()));
  MemoryNeed need;
  for (const Group& group : layout.groups) {
    const GroupPoints points = group_points(element, group, problem.mesh->cells().geometry_order);
    const std::int64_t volume = points.volume.rows(), face = faces * points.face.rows();
    std::int64_t words = 0, whole = (group.padded + layout.lanes) * faces * 2;
    words += group.curved ? volume * (dim * dim + 1) : dim * dim;
    if (group.curved && is_simplex(element.shape)) words += face * dim;
    words += group.varying ? (volume + 2 * face) * parameters : (1 + faces) * parameters;
    if (group.varying && material_in_time) {
      words += (volume + 2 * face) * dim;
      whole += group.padded * (volume + 2 * face);
    }
    words *= group.padded;
    Variant any;
    any.text = Variant::Text::simt;  // the packing changes the order of the entries, not their number
    const auto matrices = static_cast<std::int64_t>(group_matrices(element, group, points, any).size());
    need.setup += (words + matrices) * word + whole * 4;
    need.transient = std::max(need.transient, words * 8 + whole * 4);
  }
  const std::int64_t ghosts = static_cast<std::int64_t>(layout.ghosts.size()),
                     places = layout.nodal_ghosts * element.face_node_count +
                              (ghosts - layout.nodal_ghosts) * layout.face_points;
  need.setup += ghosts * 7 * 4 + places * (2 * dim + parameters) * word;
  if (material_in_time) need.setup += places * (dim * word + 4);
  if (!problem.source.empty()) need.setup += layout.slots * element.node_count * (fields + dim) * word;
  const std::int64_t state = layout.all_slots() * element.node_count * fields * word;
  need.device = need.setup + states * state + layout.slots * word;  // and the energy of each element
  return need;
}

void check_memory(const MemoryNeed& need, const Device& device) {
  if (device.info().memory > 0 && need.device > device.info().memory)
    throw RunError(
        "The case needs {:.1f} GB of memory on the device, which has {:.1f} GB; `swell plan` shows what it would take.",
        static_cast<double>(need.device) / 1e9, static_cast<double>(device.info().memory) / 1e9);
}

}  // namespace swell
