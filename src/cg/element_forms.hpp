// SPDX-License-Identifier: Apache-2.0
// The two forms that products of elements have: one for material that does not vary inside elements, one for material that
// does. Each is made once it is needed, and stays with its memory.
#pragma once

#include "cg/material_fill.hpp"
#include "cg/products.hpp"

namespace swell {

class ElementForms {
 public:
  using Text = std::function<ProgramText(const ElementKind&)>;
  using Matrices = std::function<std::vector<double>(const ElementKind&)>;
  // `set` and `slots` must outlive this; `kind` is set without the material.
  ElementForms(const ElementSet& set, const ElementKind& kind, const Slots& slots, Text text, Matrices matrices);

  // Evaluates the problem's material and selects the form for it. Waits.
  void renew();
  // Writes the material, as MaterialFill.
  void fill() { fill_.fill(kind_.varying, room()); }

  const ElementKind& kind() const { return kind_; }
  ElementKind constant_kind() const { return kind(false); }
  const Program& program() const { return *program_[kind_.varying]; }
  const Buffer& matrix() const { return *matrix_[kind_.varying]; }
  const Buffer& material() const { return *material_[kind_.varying]; }
  std::unique_ptr<Buffer>& room() { return material_[kind_.varying]; }  // for the material
  bool all_numbers() const { return fill_.constant(); }

  // See HeatProducts::texts_for().
  std::vector<ProgramText> texts_for(const std::vector<DiffusionMaterial>& material) const;
  void expect(const std::vector<DiffusionMaterial>& material);
  double compile_seconds() const { return compile_seconds_ + fill_.compile_seconds(); }

 private:
  ElementKind kind(bool varying) const;
  void make(bool varying);

  const ElementSet& set_;
  ElementKind kind_;
  Text text_;
  Matrices matrices_;
  MaterialFill fill_;
  double compile_seconds_ = 0;
  std::unique_ptr<Program> program_[2];
  std::unique_ptr<Buffer> matrix_[2], material_[2];
};

}  // namespace swell
