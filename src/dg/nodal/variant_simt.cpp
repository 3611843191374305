// SPDX-License-Identifier: Apache-2.0
// Variants on GPUs: how many elements a group takes, and how they lie over its threads.
#include "dg/nodal/variant_lists.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>

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

// Words, rounded up so that every element begins at 16 bytes.
int aligned(int words) { return (words + 3) / 4 * 4; }

// The most scalars, of at most 16 bytes, that divide `count`.
int widest(int count, Precision precision) {
  for (int wide = static_cast<int>(16 / bytes_of(precision)); wide > 1; wide /= 2)
    if (count % wide == 0) return wide;
  return 1;
}

}  // namespace

int normal_words(const VariantSizes& sizes) {
  return sizes.element.face_count * 4 + aligned(sizes.element.dim * sizes.element.dim);
}

void add_layout(Variant& v, const VariantSizes& sizes, const SharedLayout& layout) {
  const int fields = sizes.fields();
  const Precision precision = sizes.problem.precision;
  int wide = layout.room == fields ? widest(layout.planes ? 2 : sizes.scalars(), precision) : 1;
  int trace_wide = layout.planes ? 2 : widest(fields, precision);
  // A wide copy must begin at a multiple of its width on both sides.
  while (layout.own % wide != 0 || layout.rate % wide != 0) wide /= 2;
  while (layout.room % trace_wide != 0 || layout.jump % trace_wide != 0) trace_wide /= 2;
  const int parts = sizes.element.face_node_count * fields / trace_wide, teams = std::max(1, warp / parts);
  for (const auto& [name, value] : {std::pair{"ROOM", layout.room}, {"OWN_ROOM", layout.own}, {"JUMP_ROOM", layout.jump},
                                    {"RATE_ROOM", layout.rate}, {"PLANES", layout.planes ? 1 : 0}, {"WIDE", wide},
                                    {"TRACE_WIDE", trace_wide}, {"WARP_TEAMS", teams}, {"TEAM_THREADS", warp / teams}})
    v.derived.emplace_back(name, value);
}

std::vector<Variant> simt_simplex_variants(const VariantSizes& sizes) {
  const int nodes = sizes.element.node_count;
  std::vector<std::pair<double, Variant>> scored;
  for (int in_line = 1; in_line <= 4; in_line *= 2)
    for (int sets = 1; sets * in_line <= largest_batch; sets *= 2) {
      Variant v;
      v.text = Variant::Text::simt;
      v.batch = sets * in_line;
      v.threads = whole_warps(sets * nodes);
      const int values = sizes.problem.model.linear ? 0 : sizes.element.dim * sizes.scalars();
      const int own = aligned(sizes.scalars()), jump = aligned(std::max({sizes.trace(), nodes, sizes.points.volume * sizes.moving}));
      v.shared = sizes.bytes(std::int64_t{v.batch} * (2 * own + jump + normal_words(sizes) + values));
      v.constants = {{"SETS", sets}, {"INLINE", in_line}};
      v.derived = {{"CACHED", 1}, {"TEAMS", 1}, {"FUSED", 0}, {"PAST", 0}, {"BULK", 0}, {"ROW_PAD", 0}};
      add_layout(v, sizes, {sizes.fields(), own, jump, own});
      if (sets > 1 && sets * nodes > most_threads) continue;
      // A group of about 160 threads whose warps are full, with one or two elements for each thread; where copies pass through
      // registers, smaller groups, which wait less for each other.
      const bool copies = sizes.info.backend == "cuda";
      const double size = std::abs(std::log2(v.threads / (copies ? 160.0 : 32.0))), shared = static_cast<double>(v.shared) / 32768;
      const bool heavy = in_line * sizes.element.dim * sizes.fields() > 40;  // sums that a thread keeps in registers
      scored.push_back({idle(sets * nodes, v.threads) * (copies ? 4 : 0.3) + size * 0.5 + std::max(0.0, shared - 1) + (heavy ? 2 : 0) +
                            (in_line == (nodes <= 35 ? 1 : 2) ? 0 : 0.3),
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
      v.constants = {{"CHUNK", chunk}, {"ELEMENTS", batch}};
      v.derived = {{"PARTS", part}, {"CACHED", 1}, {"TEAMS", 1}, {"FUSED", 0}, {"PAST", 0}, {"BULK", 0}, {"ROW_PAD", 0}};
      add_layout(v, sizes, {sizes.fields(), sizes.scalars(), sizes.fields(), sizes.scalars()});
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
  const bool direct = sizes.problem.model.linear;
  std::vector<std::pair<double, Variant>> scored;
  struct Way {
    int lines, staged, past, wanted;
  };
  constexpr Way ways[] = {{1, 1, 1, 0}, {1, 1, 0, 0}, {1, 1, 1, 512}, {1, 1, 1, 640}, {0, 1, 0, 0}, {0, 1, 1, 0}, {0, 0, 0, 0}};
  for (int batch = 1; batch <= largest_batch; batch *= 2)
    for (const auto& [lines, staged, past, wanted] : ways) {
      if (lines && !direct) continue;
      Variant v;
      v.text = Variant::Text::simt;
      v.batch = batch;
      v.threads = whole_warps(batch * columns);
      // Rows of an even number of nodes, read by neighbouring threads, would meet in the same banks.
      const bool planes = sizes.fields() % 2 == 0, pad = lines && planes && sizes.element.order % 2 == 1;
      const int rows = sizes.element.node_count / (sizes.element.order + 1);
      const int own = aligned(sizes.scalars() + (pad ? rows * sizes.fields() : 0)), jump = aligned(sizes.trace());
      v.shared = sizes.bytes(std::int64_t{batch} * ((1 + staged) * own + jump + normal_words(sizes)));
      v.constants = {{"LINES", lines}, {"STAGED", staged}, {"ELEMENTS", batch}, {"PAST", past}};
      v.resident = wanted / v.threads;  // groups with fewer registers, of which more fit
      v.derived = {{"DIRECT", direct}, {"ROW_PAD", pad}, {"JUMP_PAD", 0}, {"CACHED", 1}, {"TEAMS", 1}, {"FUSED", 0}, {"BULK", 0}};
      add_layout(v, sizes, {sizes.fields(), own, jump, own, planes});
      if (batch > 1 && batch * columns > most_threads / 2) continue;
      if (v.resident * static_cast<std::int64_t>(v.shared + 1024) > sizes.info.shared_bytes) continue;
      // Small groups: one waits for memory while many others compute.
      scored.push_back({idle(batch * columns, v.threads) * 2 + std::log2(v.threads / 32.0) + (staged ? 0 : 1.5) +
                            (wanted > 0 ? 0.2 : 0) + (past ? 0 : 0.1) + (lines ? 0 : 1),
                        v});
    }
  std::stable_sort(scored.begin(), scored.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Variant> all;
  for (auto& [score, v] : scored) all.push_back(std::move(v));
  return all;
}

namespace {

// A thread takes a line of nodes: of the elements of a batch, with so many threads wanted on a processor (0: as they come), the variants
// with the least score first.
std::vector<Variant> line_variants(const VariantSizes& sizes, std::initializer_list<int> wanted_threads,
                                   const std::function<double(const Variant&, int wanted)>& score) {
  const int dim = sizes.element.dim, line = sizes.element.order + 1, columns = sizes.element.node_count / line;
  std::vector<std::pair<double, Variant>> scored;
  for (int batch = 1; batch <= largest_batch; batch *= 2)
    for (const int wanted : wanted_threads) {
      if (batch > 1 && batch * columns > most_threads / 2) continue;
      Variant v;
      v.text = Variant::Text::simt;
      v.batch = batch;
      v.threads = whole_warps(batch * columns);
      // Rows of an even number of nodes, read by neighbouring threads, would meet in the same banks.
      const bool planes = sizes.fields() % 2 == 0, pad = planes && line % 2 == 0;
      const int own = aligned(sizes.scalars() + (pad ? columns * sizes.fields() : 0));
      const int jump = aligned(sizes.trace() + (pad ? sizes.trace() / line : 0)), map = aligned(((1 << dim) - 1) * dim);
      v.shared = sizes.bytes(std::int64_t{batch} * (2 * own + jump + map));
      v.constants = {{"ELEMENTS", batch}};
      v.resident = wanted / v.threads;  // groups with fewer registers, of which more fit
      v.derived = {{"PAST", 1}, {"ROW_PAD", pad}, {"JUMP_PAD", pad}, {"CACHED", 1}, {"TEAMS", 1}, {"FUSED", 0}, {"BULK", 0}};
      add_layout(v, sizes, {sizes.fields(), own, jump, own, planes});
      if (v.resident * static_cast<std::int64_t>(v.shared + 1024) > sizes.info.shared_bytes) continue;
      scored.emplace_back(score(v, wanted), v);
    }
  std::stable_sort(scored.begin(), scored.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Variant> all;
  for (auto& [value, v] : scored) all.push_back(std::move(v));
  return all;
}

}  // namespace

std::vector<Variant> simt_gauss_variants(const VariantSizes& sizes) {
  const int columns = sizes.element.node_count / (sizes.element.order + 1);
  // Full warps first, then small groups, which wait less for each other and of which several fit.
  constexpr std::size_t several = 48 * 1024;
  return line_variants(sizes, {0, 512}, [&](const Variant& v, int wanted) {
    return idle(v.batch * columns, v.threads) * 4.4 + std::log2(v.threads / 32.0) * 0.5 + (v.shared > several ? 0.3 : 0) + (wanted > 0 ? 0.1 : 0);
  });
}

std::vector<Variant> simt_pair_variants(const VariantSizes& sizes) {
  const int columns = sizes.element.node_count / (sizes.element.order + 1);
  return line_variants(sizes, {0, 256, 512}, [&](const Variant& v, int wanted) {
    return idle(v.batch * columns, v.threads) * 4.4 + std::log2(v.threads / 32.0) * 0.5 + (wanted > 0 ? 0.1 : 0);
  });
}

}  // namespace swell
