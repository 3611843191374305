// SPDX-License-Identifier: Apache-2.0
// Kernels: kernels/continuous/blocks.h, kernels/continuous/fans.h.
#include "cg/blocks/shape_blocks.hpp"

#include <algorithm>
#include <cmath>

#include "base/timer.hpp"
#include "cg/blocks/chains.hpp"
#include "cg/blocks/fan_values.hpp"

namespace swell {

namespace {

// Unknowns that a block is made for where it is held in a thread's caches: twice as many numbers stay in the first one.
constexpr std::int64_t cached_unknowns = 1024;
// Blocks of chains are larger, which leaves fewer sums to several blocks, and their chains lie this far apart along the curve:
// a few hundred are at work at a time, and their unknowns stay near.
constexpr std::int64_t chained_unknowns = 4096, chains_apart = 32;
// Blocks that there should be at least, so that threads share them evenly; of a mesh alone, never of the threads.
constexpr std::int64_t fewest_blocks = 64;
// On GPUs: elements of a block, the bytes of shared memory that several blocks leave to one another, threads.
constexpr std::int64_t grouped_elements = 256;
constexpr std::int64_t grouped_bytes = 48 * 1024;
constexpr int group_threads = 128;

// Where gathering takes more time than the product. Lines share no edges.
bool in_chains(const ElementSet& set) {
  return set.element.order == 1 && is_simplex(set.element.shape) && set.element.dim > 1 && set.affine &&
         !set.vectors.device().info().simt;
}

// Unknowns that the cells of a set have.
std::int64_t unknowns_of(const ElementSet& set) {
  if (!set.elements.mixed()) return set.numbering.count;
  std::vector<char> seen(static_cast<std::size_t>(set.numbering.count), 0);
  for (const std::int64_t cell : set.order)
    for (int n = 0; n < set.element.node_count; ++n) seen[set.unknowns_of(cell)[n]] = 1;
  return std::count(seen.begin(), seen.end(), 1);
}

BlockSize block_size(const ElementSet& set) {
  const DeviceInfo& info = set.vectors.device().info();
  const std::int64_t cells = std::ssize(set.order), nodes = set.element.node_count;
  if (info.simt) {
    // No more unknowns than nodes: the room of kernels/continuous/block_groups.h is at most twice the results.
    const auto bytes = static_cast<std::int64_t>(bytes_of(set.problem.precision));
    const std::int64_t room = std::min(info.shared_bytes, grouped_bytes) / bytes - 65;
    return {1, std::clamp<std::int64_t>(room / (2 * nodes), 1, std::min(grouped_elements, cells))};
  }
  const int lanes = set.vectors.device().lanes(set.problem.precision);
  const bool chains = in_chains(set);
  const std::int64_t unknowns = chains ? chained_unknowns : cached_unknowns;
  const std::int64_t wanted = std::min(unknowns * cells / unknowns_of(set), cells / fewest_blocks);
  const std::int64_t slots = std::max<std::int64_t>(lanes, wanted / lanes * lanes);
  return {lanes, slots, chains ? chains_apart : slots, chains ? chain_length : 1};
}

// Cells with unknowns that other ranks have too, then the others, each along the curve.
std::vector<std::int64_t> border_first(const ElementSet& set) {
  std::vector<std::int64_t> order = set.order;
  std::stable_partition(order.begin(), order.end(), [&](std::int64_t cell) {
    const auto* const of_cell = set.unknowns_of(cell);
    return std::any_of(of_cell, of_cell + set.element.node_count,
                       [&](auto unknown) { return unknown >= set.interior && unknown < set.numbering.free; });
  });
  return order;
}

// How many of the first blocks hold all unknowns that other ranks have too.
std::int64_t border_blocks(const ElementBlocks& blocks, const ElementSet& set) {
  for (std::int64_t block = blocks.count; block > 0; --block) {
    const auto first = blocks.unknown.begin() + blocks.head[4 * (block - 1)], last = first + blocks.head[4 * (block - 1) + 1];
    if (std::any_of(first, last, [&](auto unknown) { return unknown >= set.interior && unknown < set.numbering.free; }))
      return block;
  }
  return 0;
}

// Fans look at the unknowns of the next block, also from the last one.
std::vector<std::int32_t> unknowns_to_read(const ElementBlocks& blocks) {
  auto unknowns = blocks.unknown;
  if (blocks.chain > 1) unknowns.resize(unknowns.size() + static_cast<std::size_t>(fan_next_step * blocks.batches / blocks.chain), 0);
  return unknowns;
}

}  // namespace

BlockedCells blocked_cells(const ElementSet& set) {
  BlockedCells cells{border_first(set), {}, set.element.node_count, block_size(set)};
  if (in_chains(set)) {
    CellChains chains = cell_chains(*set.problem.mesh, set.elements, set.numbering, cells.order);
    cells.order = std::move(chains.cell);
    cells.turn = std::move(chains.turn);
  }
  return cells;
}

ShapeBlocks::ShapeBlocks(const ElementSet& set, const BlockedCells& cells, ElementBlocks blocks, std::int64_t first_dot)
    : set_(set),
      blocks_(std::move(blocks)),
      first_dot_(first_dot),
      entries_(std::ssize(blocks_.unknown)),
      border_(border_blocks(blocks_, set)),
      forms_(set_, {.shape = set.element.shape, .affine = set.affine, .varying = false, .steady = set.steady, .lanes = blocks_.lanes},
             blocks_.cell, [this](const ElementKind& kind) { return block_text(set_.element, kind, set_.rule, set_.vectors, group()); },
             [this](const ElementKind& kind) { return element_matrices(set_.element, kind, set_.rule); }) {
  Vectors& vectors = set.vectors;
  const int nodes = set.element.node_count;
  head_ = vectors.upload(blocks_.head, "blocks");
  unknown_ = vectors.upload(unknowns_to_read(blocks_), "unknowns of the blocks");
  local_ = upload(blocks_.local, "unknowns of the elements");
  if (blocks_.chain > 1) {
    chain_ = upload(chained_numbers(blocks_, nodes, cells.turn), "chains");
    turns_ = slot_turns(blocks_, nodes, cells.turn);
  } else {
    geometry_ = vectors.upload(element_geometry(*set.problem.mesh, forms_.kind(), set.rule, blocks_.cell), "geometry");
  }
  const BlockLists lists = vectors.device().info().simt ? block_lists(blocks_, nodes) : BlockLists{};
  list_start_ = upload(lists.start, "lists of the blocks");
  list_place_ = upload(lists.place, "lists of the blocks");
  renew_material();
  renew_source();
  // Data that only the set-up needs are released.
  blocks_.local = {};
  blocks_.unknown = {};
  blocks_.from = {};
}

void ShapeBlocks::apply(double a, double b, const Buffer& x, Buffer& y, Buffer& sums, Buffer& dots, std::int64_t count, Part part,
                        const Work& work) {
  launch("block_apply", forms_.program(), part,
         {x, *head_, *unknown_, numbers(), *list_start_, *list_place_, *geometry_, forms_.material(), forms_.matrix(), y, sums, dots,
          Argument::real(a), Argument::real(b), blocks_.batches, block_step_, batch_step_, first_dot_, count},
         work);
}

void ShapeBlocks::diagonal(double a, double b, Buffer& y, Buffer& sums, std::int64_t count, Part part) {
  launch("block_diagonal", forms_.program(), part,
         {*head_, *unknown_, numbers(), *list_start_, *list_place_, *geometry_, forms_.material(), forms_.matrix(), y, sums,
          Argument::real(a), Argument::real(b), blocks_.batches, block_step_, batch_step_, count},
         {static_cast<double>(geometry_->bytes()), 0});
}

void ShapeBlocks::load(double t, Buffer& y, Buffer& sums, std::int64_t count, Part part) {
  launch("block_load", *load_program_, part,
         {*head_, *unknown_, *local_, *list_start_, *list_place_, *points_, *weight_, *values_, y, sums, Argument::time(t),
          blocks_.batches, count},
         {static_cast<double>(points_->bytes() + weight_->bytes()), 0});
}

void ShapeBlocks::renew_material() {
  forms_.renew();
  if (blocks_.chain > 1) return set_fans();
  if (set_by_blocks()) return;
  forms_.fill();
  block_step_ = 0;
  batch_step_ = static_cast<std::int64_t>(forms_.material().bytes() / bytes_of(set_.problem.precision)) /
                (blocks_.count * blocks_.batches);
}

// The weights of fans are the same text whatever the material is.
std::vector<ProgramText> ShapeBlocks::texts_for(const std::vector<DiffusionMaterial>& material) const {
  return blocks_.chain > 1 ? std::vector<ProgramText>() : forms_.texts_for(material);
}

void ShapeBlocks::expect(const std::vector<DiffusionMaterial>& material) {
  if (blocks_.chain == 1) forms_.expect(material);
}

void ShapeBlocks::renew_source() {
  if (!has_source(set_.problem)) return;
  const Stopwatch clock;
  load_program_ =
      set_.vectors.device().compile(block_load_text(set_.problem, set_.element, forms_.constant_kind(), set_.rule, group()));
  compile_seconds_ += clock.seconds();
  const SourceData data = source_data(set_.problem, set_.element, forms_.kind(), set_.rule, blocks_.cell);
  points_ = set_.vectors.upload(data.points, "points of the source");
  weight_ = set_.vectors.upload(data.weight, "weights of the source");
  values_ = set_.vectors.upload(data.values, "test functions");
}

Work ShapeBlocks::work() const {
  const auto bytes = head_->bytes() + unknown_->bytes() + numbers().bytes() + list_start_->bytes() + list_place_->bytes() +
                     geometry_->bytes() + forms_.material().bytes();
  const double flops = blocks_.chain > 1 ? fan_flops(set_.element.dim, blocks_.chain, set_.steady)
                                         : product_flops(set_.element, forms_.kind(), set_.rule);
  return {static_cast<double>(bytes), static_cast<double>(set_.order.size()) * flops};
}

std::unique_ptr<Buffer> ShapeBlocks::upload(const std::vector<std::uint16_t>& values, std::string_view label) const {
  auto buffer = set_.vectors.device().allocate(std::max<std::size_t>(2, 2 * values.size()), label);
  if (!values.empty()) buffer->write(values.data(), 2 * values.size());
  return buffer;
}

BlockGroup ShapeBlocks::group() const {
  const auto results = static_cast<std::size_t>(
      std::max<std::int64_t>(blocks_.batches * set_.element.node_count + blocks_.most + 1, group_threads));
  return {blocks_.most, set_.vectors.device().info().simt ? group_threads : 0, results * bytes_of(set_.problem.precision),
          blocks_.chain, first_dot_ > 0};
}

// Fans have the material in the weights of their edges.
void ShapeBlocks::set_fans() {
  const auto all = element_material(set_.problem, forms_.kind(), set_.rule, blocks_.cell);
  const auto values = fan_values(*set_.problem.mesh, blocks_, turns_, set_.steady, all);
  if (geometry_) return set_.vectors.write(values, *geometry_);
  geometry_ = set_.vectors.upload(values, "edges of the fans");
  forms_.room() = set_.vectors.make(1, "material");
}

// [block][value][lane] where all are numbers and each block has one of them, by the same text; false where not.
bool ShapeBlocks::set_by_blocks() {
  if (!forms_.all_numbers()) return false;
  const Mesh& mesh = *set_.problem.mesh;
  const int values = set_.steady ? 1 : 2, lanes = blocks_.lanes;
  const std::int64_t slots = blocks_.batches * lanes;
  std::vector<double> each;
  for (std::int64_t block = 0; block < blocks_.count; ++block) {
    const std::int64_t* const cell = blocks_.cell.data() + block * slots;  // the first is never empty
    const std::int32_t region = mesh.region_of(cell[0]);
    const auto other = [&](std::int64_t c) { return c >= 0 && mesh.region_of(c) != region; };
    if (set_.problem.material.size() > 1 && std::any_of(cell, cell + slots, other)) return false;
    const DiffusionMaterial& material = set_.problem.material[region];
    for (int v = 0; v < values; ++v) {
      const double value = (v == 0 ? material.conductivity : material.capacity).constant();
      if (!(value > 0) || std::isinf(value)) return false;  // and is refused
      each.insert(each.end(), static_cast<std::size_t>(lanes), value);
    }
  }
  block_step_ = std::int64_t{values} * lanes;
  batch_step_ = 0;
  forms_.room() = set_.vectors.upload(each, "material");
  return true;
}

// The blocks of a part, of which all take the `work`.
void ShapeBlocks::launch(const char* kernel, const Program& program, Part part, std::initializer_list<Argument> arguments,
                         const Work& work) {
  const Items items = part == Part::border ? Items(border_) : Items(border_, blocks_.count - border_);
  if (items.count == 0) return;
  const double share = static_cast<double>(items.count) / static_cast<double>(blocks_.count);
  set_.vectors.device().queue().launch(program.kernel(kernel), items, arguments, {share * work.bytes, share * work.flops});
}

}  // namespace swell
