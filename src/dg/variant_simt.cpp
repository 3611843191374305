// SPDX-License-Identifier: Apache-2.0
// Variants where threads are lanes: how many elements a group takes, and how they lie over its threads.
#include "dg/variant_lists.hpp"

#include <algorithm>
#include <cmath>

namespace swell {

namespace {

constexpr int warp = 32;
constexpr int most_threads = 512;  // in a group; larger ones wait for each other too long

int whole_warps(int threads) { return std::min(most_threads, (threads + warp - 1) / warp * warp); }

// Part of a group's threads that has no work in a loop over `items`.
double idle(int items, int threads) {
  const int rounds = (items + threads - 1) / threads;
  return 1 - static_cast<double>(items) / (rounds * threads);
}

}  // namespace

std::vector<Variant> simt_simplex_variants(const VariantSizes& sizes) {
  const int nodes = sizes.element.node_count;
  std::vector<std::pair<double, Variant>> scored;
  for (int in_line = 1; in_line <= 4; in_line *= 2)
    for (int sets = 1; sets * in_line <= largest_batch; sets *= 2) {
      Variant v;
      v.text = Variant::Text::simt;
      v.batch = sets * in_line;
      v.threads = whole_warps(sets * nodes);
      const int values = sizes.problem.model.linear ? sizes.scalars() : (1 + sizes.element.dim) * sizes.scalars();
      v.shared = sizes.bytes(std::int64_t{v.batch} * (values + std::max(sizes.trace(), nodes)));
      v.constants = {{"SETS", sets}, {"INLINE", in_line}};
      v.derived = {{"LINE_PAD", 0}};
      if (sets > 1 && sets * nodes > most_threads) continue;
      // A group of about 160 threads whose warps are full, with one or two elements for each thread.
      const double size = std::abs(std::log2(v.threads / 160.0)), shared = static_cast<double>(v.shared) / 32768;
      const bool heavy = in_line * sizes.element.dim * sizes.fields() > 40;  // sums that a thread keeps in registers
      scored.push_back({idle(sets * nodes, v.threads) * 4 + size * 0.5 + std::max(0.0, shared - 1) + (heavy ? 2 : 0) +
                            (in_line == 1 ? 0.2 : 0),
                        v});
    }
  std::stable_sort(scored.begin(), scored.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Variant> all;
  for (auto& [score, v] : scored) all.push_back(std::move(v));
  return all;
}

std::vector<Variant> simt_quadrature_variants(const VariantSizes& sizes) {
  std::vector<Variant> all;
  const int widest = std::max(sizes.element.node_count, sizes.points.volume);
  for (const int batch : {1, 2, 4, 8})
    for (const int chunk : {16, 32, 64}) {
      Variant v;
      v.text = Variant::Text::simt;
      v.batch = batch;
      v.threads = std::min(256, whole_warps(batch * std::min(widest, 128)));
      const int part = std::min(sizes.points.volume, warp);
      v.shared = sizes.bytes(std::int64_t{batch} *
                             (3 * sizes.scalars() + std::max(sizes.element.dim * chunk * sizes.fields(), part)));
      v.constants = {{"CHUNK", chunk}, {"PARTS", part}, {"ELEMENTS", batch}};
      v.derived = {{"LINE_PAD", 0}};
      all.push_back(v);
    }
  // Small elements want company in their group; a large one has work for all threads.
  const int wanted = widest <= 16 ? 8 : widest <= 32 ? 4 : widest <= 64 ? 2 : 1;
  std::stable_partition(all.begin(), all.end(),
                        [&](const Variant& v) { return v.batch == wanted && v.constant("CHUNK") == 32; });
  return all;
}

std::vector<Variant> simt_tensor_variants(const VariantSizes& sizes) {
  const int columns = sizes.element.node_count / (sizes.element.order + 1);
  // Lines that fill whole rows of banks would all begin in the same one.
  const int lines = columns, pad = (sizes.element.order + 1) * sizes.fields() % 8 == 0 ? 2 : 0;
  const bool direct = sizes.problem.model.linear && !sizes.group.curved && !sizes.group.varying;
  std::vector<std::pair<double, Variant>> scored;
  for (int batch = 1; batch <= largest_batch; batch *= 2)
    for (const int staged : {1, 0}) {
      Variant v;
      v.text = Variant::Text::simt;
      v.batch = batch;
      v.threads = whole_warps(batch * columns);
      v.derived = {{"LINE_PAD", pad}};
      v.shared = sizes.bytes(std::int64_t{batch} * ((1 + staged) * (sizes.scalars() + pad * lines) + sizes.trace()));
      v.constants = {{"DIRECT", direct}, {"STAGED", staged}, {"ELEMENTS", batch}};
      if (batch > 1 && batch * columns > most_threads) continue;
      const double size = std::abs(std::log2(v.threads / 128.0)), shared = static_cast<double>(v.shared) / 49152;
      scored.push_back(
          {idle(batch * columns, v.threads) * 4 + size * 0.5 + std::max(0.0, shared - 1) * 2 + (staged ? 0 : 0.3), v});
    }
  std::stable_sort(scored.begin(), scored.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Variant> all;
  for (auto& [score, v] : scored) all.push_back(std::move(v));
  return all;
}

}  // namespace swell
