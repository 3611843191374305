// SPDX-License-Identifier: Apache-2.0
// The blocks of the cells of one shape on the device: what they add to products, diagonals and right-hand sides.
#pragma once

#include "cg/blocks/blocks.hpp"
#include "cg/element_forms.hpp"
#include "cg/products.hpp"
#include "cg/text.hpp"

namespace swell {

// The cells of a set for element_blocks(), on the device of its vectors: those with unknowns that other ranks have first.
BlockedCells blocked_cells(const ElementSet& set);

// All is queued only. Unknowns of no other block are written into y, the others into the places of `sums` that BlockList gives.
class ShapeBlocks {
 public:
  // Parts of x . y go to `dots` from `first_dot` on, one for each block.
  ShapeBlocks(const ElementSet& set, const BlockedCells& cells, ElementBlocks blocks, std::int64_t first_dot);

  // `work`: of all blocks.
  void apply(double a, double b, const Buffer& x, Buffer& y, Buffer& sums, Buffer& dots, std::int64_t count, Part part, const Work& work);
  void diagonal(double a, double b, Buffer& y, Buffer& sums, std::int64_t count, Part part);
  void load(double t, Buffer& y, Buffer& sums, std::int64_t count, Part part);
  // See HeatProducts.
  void renew_material();
  void renew_source();
  std::vector<ProgramText> texts_for(const std::vector<DiffusionMaterial>& material) const;
  void expect(const std::vector<DiffusionMaterial>& material);

  std::int64_t entries() const { return entries_; }  // of the lists of unknowns
  Work work() const;  // of apply(), without vectors and sums
  double compile_seconds() const { return compile_seconds_ + forms_.compile_seconds(); }

 private:
  // That apply() and diagonal() read; sources are integrated cell by cell.
  const Buffer& numbers() const { return chain_ ? *chain_ : *local_; }
  std::unique_ptr<Buffer> upload(const std::vector<std::uint16_t>& values, std::string_view label) const;
  BlockGroup group() const;
  void set_fans();
  bool set_by_blocks();
  void launch(const char* kernel, const Program& program, Part part, std::initializer_list<Argument> arguments, const Work& work);

  const ElementSet set_;
  ElementBlocks blocks_;
  std::int64_t first_dot_, entries_;
  std::int64_t border_;  // of the blocks: the first, which hold all unknowns that other ranks have too
  std::vector<std::uint8_t> turns_;  // of the cells of chains
  std::int64_t block_step_ = 0, batch_step_ = 0;  // of the material
  ElementForms forms_;
  std::unique_ptr<Program> load_program_;
  std::unique_ptr<Buffer> head_, unknown_, local_, chain_, list_start_, list_place_, geometry_, points_, weight_, values_;
  double compile_seconds_ = 0;
};

}  // namespace swell
