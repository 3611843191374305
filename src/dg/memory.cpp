// SPDX-License-Identifier: Apache-2.0
#include "dg/memory.hpp"

#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/error.hpp"
#include "dg/near_points.hpp"
#include "dg/group_data.hpp"
#include "dg/monitor.hpp"
#include "time/integrator.hpp"
#include "time/stability.hpp"

namespace swell {

MemoryNeed memory_need(const Problem& problem, const Elements& elements, const Layout& layout,
                       bool material_in_time, const Device& device, int states) {
  const auto word = static_cast<std::int64_t>(bytes_of(problem.precision));
  const std::int64_t dim = problem.mesh->dim, trace = static_cast<std::int64_t>(layout.codes.front().size()),
                     fields = static_cast<std::int64_t>(problem.model.fields.size());
  const std::int64_t parameters = std::max<std::int64_t>(1, static_cast<std::int64_t>(problem.model.material.size()));
  MemoryNeed need;
  for (const Group& group : layout.groups) {
    const ReferenceElement& element = elements.of(group.shape);
    const std::int64_t faces = element.face_count;
    const GroupPoints points = group_points(element, group, problem.mesh->geometry_order());
    const std::int64_t volume = points.volume.rows(), face = faces * points.face.rows();
    std::int64_t words = 0, whole = (group.padded + layout.lanes) * faces * 2;
    const TensorMap map = tensor_map(group, element, problem.mesh->geometry_order());
    if (is_tensor(element.shape)) words += tensor_geometry_words(element, map);
    else words += group.curved ? curved_geometry_words(element, points, mass_blocks(element, group, points)) : dim * dim;
    if (group.curved && !group.pairs && (!is_tensor(element.shape) || map == TensorMap::at_points)) words += face * dim;
    if (group.adjusted()) words += volume * group.weights + (2 * faces + 1) * parameters;
    else words += group.varying ? (volume + 2 * face) * parameters : (1 + faces) * parameters;
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
                     places = layout.nodal_ghosts * trace +
                              (ghosts - layout.nodal_ghosts) * layout.face_points;
  need.setup += ghosts * 7 * 4 + places * (2 * dim + parameters) * word;
  if (material_in_time) need.setup += places * (dim * word + 4);
  if (problem.model.viscous()) {
    need.setup += dim * layout.all_nodes * fields * word;  // gradients
    if (problem.source.empty()) need.setup += layout.nodes * fields * word;
  }
  if (!problem.source.empty()) need.setup += layout.nodes * (fields + dim) * word;
  const std::int64_t state = layout.all_nodes * fields * word;
  need.device = need.setup + states * state + layout.slots * word +  // the energy of each element
                Monitor::bytes(device, layout.groups.size());
  return need;
}

int limiter_states(const Problem& problem, const DeviceInfo& info) {
  return info.simt && (problem.shocks == ShockDevice::filter || problem.filter.strength > 0) ? 1 : 0;
}

int states_kept(const Problem& problem, const Layout& layout, const MaterialField& material, Device& device) {
  if (problem.scheme != "ader") return 1 + extra_states(problem.scheme, problem.order, false) + limiter_states(problem, device.info());
  const bool autonomous = !problem.cluster.empty() || is_autonomous(problem, layout, material, device);
  const bool varying = problem.ranks->any(
      std::any_of(layout.groups.begin(), layout.groups.end(), [](const Group& group) { return group.varying; }));
  // ModalOperator::advance() works in place where each element has one material.
  const bool modal = problem.family == Family::modal, in_place = modal && autonomous && !varying;
  return 1 + (modal || problem.points.empty() ? 0 : 1) + (in_place ? ader_memory(problem.order) ? 1 : 0 : extra_states(problem.scheme, problem.order, autonomous));
}

namespace {

// A number for the device that two ranks have in common where they are on one machine and opened the same one: all threads of a
// processor are one device.
double device_number(const Problem& problem) {
  char host[HOST_NAME_MAX + 1] = "";
  gethostname(host, sizeof host - 1);
  const std::string& name = problem.device_name;
  const std::string place = fmt::format("{} {}", host, name.starts_with("cpu") ? "cpu" : name);
  constexpr int bits = 53;  // of a double
  return static_cast<double>(std::hash<std::string>{}(place) >> (64 - bits));
}

struct Crowd {
  double ranks = 0, need = 0, memory = 0;  // the least memory that one of them saw
};

}  // namespace

void check_memory(const MemoryNeed& need, const Problem& problem, const Device& device) {
  Ranks& ranks = *problem.ranks;
  const auto megabytes = [](double bytes) { return bytes / 1e6; };
  const std::array<double, 3> mine{device_number(problem), static_cast<double>(need.device),
                                   static_cast<double>(device.info().memory)};
  std::map<double, Crowd> crowds;
  for (const auto& theirs : ranks.gather(mine)) {
    Crowd& crowd = crowds[theirs[0]];
    crowd.memory = crowd.ranks == 0 ? theirs[2] : std::min(crowd.memory, theirs[2]);
    crowd.ranks += 1;
    crowd.need += theirs[1];
  }
  std::array<double, 3> worst{};
  for (const auto& [number, crowd] : crowds)
    if (crowd.memory > 0 && crowd.need > crowd.memory && crowd.need - crowd.memory > worst[1] - worst[2])
      worst = {crowd.ranks, crowd.need, crowd.memory};
  ranks.broadcast(std::as_writable_bytes(std::span(worst)), 0);
  if (worst[0] == 0) return;
  if (worst[0] == 1)
    throw RunError(
        "The case needs {:.1f} MB of memory on the device, which has {:.1f} MB; `swell plan` shows what it would take.",
        megabytes(worst[1]), megabytes(worst[2]));
  throw RunError(
      "The {} ranks that share a device need {:.1f} MB of memory on it, which has {:.1f} MB; `swell plan` shows what the "
      "case takes on one rank.",
      worst[0], megabytes(worst[1]), megabytes(worst[2]));
}

}  // namespace swell
