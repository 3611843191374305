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
  auto& cells = mesh.blocks.front();
  each(cells.shape);
  each(cells.geometry_order);
  each(cells.nodes_per_cell);
  each(cells.nodes);
  each(cells.region);
  each(cells.tag);
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
  ByteCounter counter;
  for_all(mesh, [&](const auto& member) { counter.add(member); });
  ByteWriter writer(counter.count());
  for_all(mesh, [&](const auto& member) { writer.add(member); });
  return writer.take();
}

Mesh mesh_of_bytes(std::span<const std::byte> bytes) {
  Mesh mesh;
  mesh.blocks.emplace_back();
  ByteReader reader(bytes);
  for_all(mesh, [&](auto& member) { reader.get(member); });
  return mesh;
}

}  // namespace swell
