// SPDX-License-Identifier: Apache-2.0
// Products block by block of elements, the blocks of each shape with kernels of their own.
#include <algorithm>

#include "base/timer.hpp"
#include "cg/blocks/shape_blocks.hpp"

namespace swell {

namespace {

class BlockProducts : public HeatProducts {
 public:
  explicit BlockProducts(const std::vector<ElementSet>& sets)
      : vectors_(sets.front().vectors), numbering_(sets.front().numbering), precision_(sets.front().problem.precision) {
    std::vector<BlockedCells> cells;
    for (const ElementSet& set : sets) cells.push_back(blocked_cells(set));
    BlockList list = element_blocks(numbering_, sets.front().elements, cells);
    for (std::size_t i = 0; i < sets.size(); ++i) {
      const std::int64_t blocks = list.of[i].count;
      shapes_.push_back(std::make_unique<ShapeBlocks>(sets[i], cells[i], std::move(list.of[i]), blocks_));
      blocks_ += blocks;
      entries_ += shapes_.back()->entries();
    }
    sum_count_ = list.sums;
    sums_ = vectors_.make(list.sums, "sums of the blocks");
    dots_ = vectors_.device().allocate(static_cast<std::size_t>(blocks_) * vectors_.total_bytes(), "partial sums");
    shared_ = vectors_.upload(list.shared, "unknowns in several blocks");
    shared_start_ = vectors_.upload(list.lists.start, "sums of the blocks");
    shared_place_ = vectors_.upload(list.lists.place, "sums of the blocks");
    shared_count_ = std::ssize(list.shared);
    const auto from = [&](std::int64_t unknown) {
      return std::lower_bound(list.shared.begin(), list.shared.end(), unknown) - list.shared.begin();
    };
    shared_interior_ = from(sets.front().interior);
    shared_given_ = std::max(shared_interior_, from(numbering_.free));
    const Stopwatch clock;
    gathers_ = vectors_.device().compile(gather_sums_text(precision_));
    compile_seconds_ += clock.seconds();
  }

  void apply(double a, double b, const Buffer& x, Buffer& y, std::int64_t count, Part part) override {
    for (const auto& shape : shapes_) shape->apply(a, b, x, y, *sums_, *dots_, count, part, work_of(*shape));
    gather(y, count, part);
  }

  void diagonal(double a, double b, Buffer& y, std::int64_t count, Part part) override {
    for (const auto& shape : shapes_) shape->diagonal(a, b, y, *sums_, count, part);
    gather(y, count, part);
  }

  void load(double t, Buffer& y, std::int64_t count, Part part) override {
    for (const auto& shape : shapes_) shape->load(t, y, *sums_, count, part);
    gather(y, count, part);
  }

  void renew_material() override {
    for (const auto& shape : shapes_) shape->renew_material();
  }
  void renew_source() override {
    for (const auto& shape : shapes_) shape->renew_source();
  }
  std::vector<ProgramText> texts_for(const std::vector<DiffusionMaterial>& material) const override {
    std::vector<ProgramText> all;
    for (const auto& shape : shapes_)
      for (ProgramText& text : shape->texts_for(material)) all.push_back(std::move(text));
    return all;
  }
  void expect(const std::vector<DiffusionMaterial>& material) override {
    for (const auto& shape : shapes_) shape->expect(material);
  }

  Work work() const override {
    Work all;
    for (const auto& shape : shapes_) {
      const Work of_shape = work_of(*shape);
      all.bytes += of_shape.bytes;
      all.flops += of_shape.flops;
    }
    return all;
  }

  const Buffer* dots() const override { return dots_.get(); }
  std::int64_t dot_count() const override { return blocks_; }
  double compile_seconds() const override {
    double seconds = compile_seconds_;
    for (const auto& shape : shapes_) seconds += shape->compile_seconds();
    return seconds;
  }

 private:
  // With its part in vectors, sums and their lists.
  Work work_of(const ShapeBlocks& shape) const {
    const double word = static_cast<double>(bytes_of(precision_)), share = static_cast<double>(shape.entries()) / static_cast<double>(entries_);
    const double unknowns = static_cast<double>(numbering_.count), sums = static_cast<double>(sum_count_);
    Work work = shape.work();
    work.bytes += share * (static_cast<double>(shared_->bytes() + shared_start_->bytes() + shared_place_->bytes()) + 2 * word * (unknowns + sums));
    return work;
  }

  // Unknowns in blocks of both parts are Dirichlet values or shared with no other rank: they are summed with the second part.
  void gather(Buffer& y, std::int64_t count, Part part) {
    if (part == Part::border) return gather(y, count, Items(shared_interior_, shared_given_ - shared_interior_));
    gather(y, count, Items(shared_interior_));
    if (count > numbering_.free) gather(y, count, Items(shared_given_, shared_count_ - shared_given_));
  }

  void gather(Buffer& y, std::int64_t count, Items items) {
    if (items.count == 0) return;
    const double word = static_cast<double>(bytes_of(precision_)), sums = static_cast<double>(sum_count_);
    const double all = static_cast<double>(shared_count_), share = static_cast<double>(items.count) / all;
    vectors_.device().queue().launch(gathers_->kernel("gather_sums"), items, {*sums_, *shared_, *shared_start_, *shared_place_, y, count},
                                     {share * (sums * (word + 4) + all * (word + 8)), share * sums});
  }

  Vectors& vectors_;
  const Numbering& numbering_;
  Precision precision_;
  std::vector<std::unique_ptr<ShapeBlocks>> shapes_;
  std::int64_t blocks_ = 0, entries_ = 0, sum_count_ = 0;
  std::unique_ptr<Program> gathers_;
  std::unique_ptr<Buffer> shared_, shared_start_, shared_place_, sums_, dots_;
  // Unknowns in several blocks: how many; where those begin that other ranks have too, and where those that are given.
  std::int64_t shared_count_ = 0, shared_interior_ = 0, shared_given_ = 0;
};

}  // namespace

std::unique_ptr<HeatProducts> products_by_blocks(const std::vector<ElementSet>& sets) { return std::make_unique<BlockProducts>(sets); }

}  // namespace swell
