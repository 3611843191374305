// SPDX-License-Identifier: Apache-2.0
#include "cg/element_forms.hpp"

#include "base/timer.hpp"

namespace swell {

ElementForms::ElementForms(const ElementSet& set, const ElementKind& kind, const Slots& slots, Text text, Matrices matrices)
    : set_(set),
      kind_(kind),
      text_(std::move(text)),
      matrices_(std::move(matrices)),
      fill_(set.problem, kind.shape, set.rule, slots, kind.lanes, set.steady, set.vectors) {}

ElementKind ElementForms::kind(bool varying) const {
  ElementKind kind = kind_;
  kind.varying = varying;
  return kind;
}

void ElementForms::renew() {
  kind_.varying = fill_.varies();
  make(kind_.varying);
}

void ElementForms::make(bool varying) {
  auto& program = program_[varying];
  if (program) return;
  const Stopwatch clock;
  program = set_.vectors.device().compile(text_(kind(varying)));
  compile_seconds_ += clock.seconds();
  matrix_[varying] = set_.vectors.upload(matrices_(kind(varying)), "matrices");
}

// An expression may have one value in each element, which shows only once it is evaluated.
std::vector<ProgramText> ElementForms::texts_for(const std::vector<DiffusionMaterial>& material) const {
  if (fill_.constant(material)) return {text_(kind(false))};
  return {fill_.text(), text_(kind(false)), text_(kind(true))};
}

void ElementForms::expect(const std::vector<DiffusionMaterial>& material) {
  make(false);
  if (fill_.constant(material)) return;
  fill_.make();
  fill_.make_room(true, material_[true]);
  make(true);
}

}  // namespace swell
