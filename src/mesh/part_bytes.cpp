// SPDX-License-Identifier: Apache-2.0
#include "mesh/part_bytes.hpp"

#include "base/bytes.hpp"

namespace swell {

namespace {

// Everything that a mesh holds, in one order for both ways.
template <class Each>
void for_all(auto& mesh, const Each& each) {
  each(mesh.dim);
  each(mesh.name);
  each(mesh.points);
  for (auto& cells : mesh.blocks) {
    each(cells.shape);
    each(cells.geometry_order);
    each(cells.nodes_per_cell);
    each(cells.nodes);
    each(cells.region);
    each(cells.tag);
  }
  each(mesh.whole_runs);
  each(mesh.regions);
  each(mesh.boundaries);
  each(mesh.neighbours);
  each(mesh.inner_faces);
  each(mesh.sheets);
  each(mesh.partition);
  each(mesh.number);
  each(mesh.halo_rank);
}

}  // namespace

std::vector<std::byte> bytes_of(const Mesh& mesh) {
  const std::int64_t blocks = static_cast<std::int64_t>(mesh.blocks.size());
  ByteCounter counter;
  counter.add(blocks);
  for_all(mesh, [&](const auto& member) { counter.add(member); });
  ByteWriter writer(counter.count());
  writer.add(blocks);
  for_all(mesh, [&](const auto& member) { writer.add(member); });
  return writer.take();
}

Mesh mesh_of_bytes(std::span<const std::byte> bytes) {
  Mesh mesh;
  ByteReader reader(bytes);
  std::int64_t blocks = 0;
  reader.get(blocks);
  mesh.blocks.resize(blocks);
  for_all(mesh, [&](auto& member) { reader.get(member); });
  return mesh;
}

}  // namespace swell
