// SPDX-License-Identifier: Apache-2.0
// Block by block of elements: kernels/continuous/blocks.h, cg_fans.h.
#include <algorithm>
#include <cmath>

#include "base/timer.hpp"
#include "cg/blocks/blocks.hpp"
#include "cg/blocks/chains.hpp"
#include "cg/blocks/fan_values.hpp"
#include "cg/element_forms.hpp"
#include "cg/products.hpp"
#include "cg/text.hpp"

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

BlockSize block_size(const ElementSet& set) {
  const DeviceInfo& info = set.vectors.device().info();
  const std::int64_t cells = set.problem.mesh->cell_count(), nodes = set.element.node_count;
  if (info.simt) {
    // No more unknowns than nodes: the room of kernels/continuous/block_groups.h is at most twice the results.
    const auto bytes = static_cast<std::int64_t>(bytes_of(set.problem.precision));
    const std::int64_t room = std::min(info.shared_bytes, grouped_bytes) / bytes - 65;
    return {1, std::clamp<std::int64_t>(room / (2 * nodes), 1, std::min(grouped_elements, cells))};
  }
  const int lanes = set.vectors.device().lanes(set.problem.precision);
  const bool chains = in_chains(set);
  const std::int64_t unknowns = chains ? chained_unknowns : cached_unknowns;
  const std::int64_t wanted = std::min(unknowns * cells / set.numbering.count, cells / fewest_blocks);
  const std::int64_t slots = std::max<std::int64_t>(lanes, wanted / lanes * lanes);
  return {lanes, slots, chains ? chains_apart : slots, chains ? chain_length : 1};
}

// Cells with unknowns that other ranks have too, then the others, each along the curve.
std::vector<std::int64_t> border_first(const ElementSet& set) {
  std::vector<std::int64_t> order = set.order;
  const int nodes = set.element.node_count;
  std::stable_partition(order.begin(), order.end(), [&](std::int64_t cell) {
    const auto* const of_node = set.numbering.of_node.data() + cell * nodes;
    return std::any_of(of_node, of_node + nodes,
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

class BlockProducts : public HeatProducts {
 public:
  explicit BlockProducts(const ElementSet& set)
      : set_(set),
        order_(border_first(set)),
        chains_(in_chains(set) ? cell_chains(*set.problem.mesh, set.numbering, order_) : CellChains{}),
        blocks_(element_blocks(set.numbering, in_chains(set) ? chains_.cell : order_, set.element.node_count, block_size(set))),
        border_(border_blocks(blocks_, set)),
        forms_(set_, {.affine = set.affine, .varying = false, .steady = set.steady, .lanes = blocks_.lanes}, blocks_.cell,
               [this](const ElementKind& kind) { return block_text(set_.element, kind, set_.rule, set_.vectors, group()); },
               [this](const ElementKind& kind) { return element_matrices(set_.element, kind, set_.rule); }) {
    Vectors& vectors = set.vectors;
    Device& device = vectors.device();
    const bool groups = device.info().simt;
    head_ = vectors.upload(blocks_.head, "blocks");
    unknown_ = vectors.upload(unknowns_to_read(blocks_), "unknowns of the blocks");
    local_ = upload(blocks_.local, "unknowns of the elements");
    if (blocks_.chain > 1) {
      chain_ = upload(chained_numbers(blocks_, set.element.node_count, chains_.turn), "chains");
      turns_ = slot_turns(blocks_, set.element.node_count, chains_.turn);
    } else {
      geometry_ = vectors.upload(element_geometry(*set.problem.mesh, forms_.kind(), set.rule, blocks_.cell), "geometry");
    }
    const BlockLists lists = groups ? block_lists(blocks_, set.element.node_count) : BlockLists{};
    list_start_ = upload(lists.start, "lists of the blocks");
    list_place_ = upload(lists.place, "lists of the blocks");
    shared_ = vectors.upload(blocks_.shared, "unknowns in several blocks");
    shared_start_ = vectors.upload(blocks_.lists.start, "sums of the blocks");
    shared_place_ = vectors.upload(blocks_.lists.place, "sums of the blocks");
    sums_ = vectors.make(blocks_.sums, "sums of the blocks");
    shared_count_ = static_cast<std::int64_t>(blocks_.shared.size());
    const auto from = [&](std::int64_t unknown) {
      return std::lower_bound(blocks_.shared.begin(), blocks_.shared.end(), unknown) - blocks_.shared.begin();
    };
    shared_interior_ = from(set.interior);
    shared_given_ = std::max(shared_interior_, from(set.numbering.free));
    dots_ = device.allocate(static_cast<std::size_t>(blocks_.count) * vectors.total_bytes(), "partial sums");
    const Stopwatch clock;
    gathers_ = device.compile(gather_sums_text(set.problem.precision));
    compile_seconds_ += clock.seconds();
    renew_material();
    renew_source();
    // Data that only the set-up needs are released.
    blocks_.local = {};
    blocks_.unknown = blocks_.shared = {};
    blocks_.lists = {};
    blocks_.from = {};
    chains_ = {};
    order_ = {};
  }

  void apply(double a, double b, const Buffer& x, Buffer& y, std::int64_t count, Part part) override {
    launch("block_apply", forms_.program(), part,
           {x, *head_, *unknown_, numbers(), *list_start_, *list_place_, *geometry_, forms_.material(), forms_.matrix(), y, *sums_, *dots_,
            Argument::real(a), Argument::real(b), blocks_.batches, block_step_, batch_step_, count},
           work());
    gather(y, count, part);
  }

  void diagonal(double a, double b, Buffer& y, std::int64_t count, Part part) override {
    launch("block_diagonal", forms_.program(), part,
           {*head_, *unknown_, numbers(), *list_start_, *list_place_, *geometry_, forms_.material(), forms_.matrix(), y, *sums_,
            Argument::real(a), Argument::real(b), blocks_.batches, block_step_, batch_step_, count},
           {static_cast<double>(geometry_->bytes()), 0});
    gather(y, count, part);
  }

  void load(double t, Buffer& y, std::int64_t count, Part part) override {
    launch("block_load", *load_program_, part,
           {*head_, *unknown_, *local_, *list_start_, *list_place_, *points_, *weight_, *values_, y, *sums_,
            Argument::time(t), blocks_.batches, count},
           {static_cast<double>(points_->bytes() + weight_->bytes()), 0});
    gather(y, count, part);
  }

  void renew_material() override {
    forms_.renew();
    if (blocks_.chain > 1) return set_fans();
    if (set_by_blocks()) return;
    forms_.fill();
    block_step_ = 0;
    batch_step_ = static_cast<std::int64_t>(forms_.material().bytes() / bytes_of(set_.problem.precision)) /
                  (blocks_.count * blocks_.batches);
  }

  // The weights of fans are the same text whatever the material is.
  std::vector<ProgramText> texts_for(const std::vector<DiffusionMaterial>& material) const override {
    return blocks_.chain > 1 ? std::vector<ProgramText>() : forms_.texts_for(material);
  }

  void expect(const std::vector<DiffusionMaterial>& material) override {
    if (blocks_.chain == 1) forms_.expect(material);
  }

  void renew_source() override {
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

  Work work() const override {
    const double word = static_cast<double>(bytes_of(set_.problem.precision));
    const auto bytes = head_->bytes() + unknown_->bytes() + numbers().bytes() + list_start_->bytes() + list_place_->bytes() +
                       geometry_->bytes() + forms_.material().bytes() + shared_->bytes() + shared_start_->bytes() +
                       shared_place_->bytes();
    const double unknowns = static_cast<double>(set_.numbering.count), sums = static_cast<double>(blocks_.sums);
    const double flops = blocks_.chain > 1 ? fan_flops(set_.element.dim, blocks_.chain, set_.steady)
                                           : product_flops(set_.element, forms_.kind(), set_.rule);
    return {static_cast<double>(bytes) + 2 * word * (unknowns + sums),
            static_cast<double>(set_.problem.mesh->cell_count()) * flops};
  }

  const Buffer* dots() const override { return dots_.get(); }
  std::int64_t dot_count() const override { return blocks_.count; }
  double compile_seconds() const override { return compile_seconds_ + forms_.compile_seconds(); }

 private:
  // That apply() and diagonal() read; sources are integrated cell by cell.
  const Buffer& numbers() const { return chain_ ? *chain_ : *local_; }

  std::unique_ptr<Buffer> upload(const std::vector<std::uint16_t>& values, std::string_view label) const {
    auto buffer = set_.vectors.device().allocate(std::max<std::size_t>(2, 2 * values.size()), label);
    if (!values.empty()) buffer->write(values.data(), 2 * values.size());
    return buffer;
  }

  BlockGroup group() const {
    const auto results = static_cast<std::size_t>(
        std::max<std::int64_t>(blocks_.batches * set_.element.node_count + blocks_.most + 1, group_threads));
    return {blocks_.most, set_.vectors.device().info().simt ? group_threads : 0,
            results * bytes_of(set_.problem.precision), blocks_.chain};
  }

  // Fans have the material in the weights of their edges.
  void set_fans() {
    const auto all = element_material(set_.problem, forms_.kind(), set_.rule, blocks_.cell);
    const auto values = fan_values(*set_.problem.mesh, blocks_, turns_, set_.steady, all);
    if (geometry_) return set_.vectors.write(values, *geometry_);
    geometry_ = set_.vectors.upload(values, "edges of the fans");
    forms_.room() = set_.vectors.make(1, "material");
  }

  // [block][value][lane] where all are numbers and each block has one of them, by the same text; false where not.
  bool set_by_blocks() {
    if (!forms_.all_numbers()) return false;
    const auto& regions = set_.problem.mesh->cells().region;
    const int values = set_.steady ? 1 : 2, lanes = blocks_.lanes;
    const std::int64_t slots = blocks_.batches * lanes;
    std::vector<double> each;
    for (std::int64_t block = 0; block < blocks_.count; ++block) {
      const std::int64_t* const cell = blocks_.cell.data() + block * slots;  // the first is never empty
      const auto other = [&](std::int64_t c) { return c >= 0 && regions[c] != regions[cell[0]]; };
      if (set_.problem.material.size() > 1 && std::any_of(cell, cell + slots, other)) return false;
      const DiffusionMaterial& material = set_.problem.material[regions[cell[0]]];
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

  // The items of a part, of which all take the `work`.
  void launch(const Kernel& kernel, Items items, std::int64_t all, std::initializer_list<Argument> arguments, const Work& work) {
    if (items.count == 0) return;
    const double share = static_cast<double>(items.count) / static_cast<double>(all);
    set_.vectors.device().queue().launch(kernel, items, arguments, {share * work.bytes, share * work.flops});
  }

  void launch(const char* kernel, const Program& program, Part part, std::initializer_list<Argument> arguments, const Work& work) {
    launch(program.kernel(kernel), part == Part::border ? Items(border_) : Items(border_, blocks_.count - border_), blocks_.count,
           arguments, work);
  }

  // Unknowns in blocks of both parts are Dirichlet values or shared with no other rank: they are summed with the second part.
  void gather(Buffer& y, std::int64_t count, Part part) {
    if (part == Part::border) return gather(y, count, Items(shared_interior_, shared_given_ - shared_interior_));
    gather(y, count, Items(shared_interior_));
    if (count > set_.numbering.free) gather(y, count, Items(shared_given_, shared_count_ - shared_given_));
  }

  void gather(Buffer& y, std::int64_t count, Items items) {
    const double word = static_cast<double>(bytes_of(set_.problem.precision));
    launch(gathers_->kernel("gather_sums"), items, shared_count_,
           {*sums_, *shared_, *shared_start_, *shared_place_, y, count},
           {static_cast<double>(blocks_.sums) * (word + 4) + static_cast<double>(shared_count_) * (word + 8),
            static_cast<double>(blocks_.sums)});
  }

  const ElementSet set_;
  std::vector<std::int64_t> order_;
  CellChains chains_;
  std::vector<std::uint8_t> turns_;  // of the cells of chains
  ElementBlocks blocks_;
  std::int64_t border_ = 0;  // of the blocks, the first
  std::int64_t block_step_ = 0, batch_step_ = 0;  // of the material
  ElementForms forms_;
  std::unique_ptr<Program> gathers_, load_program_;
  std::unique_ptr<Buffer> head_, unknown_, local_, chain_, list_start_, list_place_, shared_, shared_start_, shared_place_, sums_;
  std::unique_ptr<Buffer> dots_, geometry_, points_, weight_, values_;
  // Unknowns in several blocks: how many; where those begin that other ranks have too, and where those that are given.
  std::int64_t shared_count_ = 0, shared_interior_ = 0, shared_given_ = 0;
};

}  // namespace

std::unique_ptr<HeatProducts> products_by_blocks(const ElementSet& set) { return std::make_unique<BlockProducts>(set); }

}  // namespace swell
