// SPDX-License-Identifier: Apache-2.0
#include "dg/nodal_predictor.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/timer.hpp"
#include "dg/modal/geometry.hpp"
#include "dg/modal/text.hpp"
#include "dg/transfer.hpp"

namespace swell {

namespace {

void check(const Problem& problem, const MaterialField& material) {
  const char* key = problem.cluster.empty() ? "time.scheme = \"ader\"" : "time.local, of time.scheme = \"ader\",";
  if (!problem.model.linear)
    throw InputError("{} is for linear models, and '{}' is not stated to be linear.", key, problem.model.name);
  if (problem.model.viscous())
    throw InputError("{} does not take the viscous terms of '{}'; use \"lsrk54\".", key, problem.model.name);
  for (std::int64_t cell = 0; cell < problem.mesh->cell_count(); ++cell) {
    if (!is_affine(*problem.mesh, cell))
      throw InputError("{} needs straight elements, and {} of {} is curved; use \"lsrk54\".", key, problem.mesh->label(cell), problem.mesh->name);
    if (material.varies(cell) && material.in_time())
      throw InputError("{} with material that changes with time needs model.family = \"modal\".", key);
    if (material.varies(cell))
      throw InputError("{} with material that varies inside an element, as in {} of {}, needs model.family = \"modal\".", key,
                       problem.mesh->label(cell), problem.mesh->name);
  }
}

class ModalPredictor final : public NodalPredictor {
 public:
  ModalPredictor(const Problem& problem, const ReferenceElement& element, const Layout& layout, const MaterialField& material,
                 Device& device);
  void predict(Buffer& q, double dt, Buffer& integral, const Carried& carried, const Work& work, Items slots, bool renew) override;
  void remember(Buffer& q, Buffer& predicted, const Work& work) override;
  void carried_rate(Buffer& q, const Carried& carried, Buffer& out, const Work& work) override;
  void local_rate(Buffer& q, Buffer& source, Buffer& out, const Work& work) override;
  double compile_seconds() const override { return compile_seconds_; }

 private:
  Device& device_;
  ModalElement modes_;
  ModalPattern pattern_;
  std::int64_t items_, together_;  // elements of an item
  double compile_seconds_ = 0;
  std::unique_ptr<Program> program_;
  std::unique_ptr<Buffer> geometry_, material_, values_, columns_;
};

ModalPredictor::ModalPredictor(const Problem& problem, const ReferenceElement& element, const Layout& layout,
                               const MaterialField& material, Device& device)
    : device_(device), modes_(element.shape, element.order, 0, false) {
  check(problem, material);
  const ModalBatch batch =
      modal_batch(device, layout, modes_, static_cast<int>(problem.model.fields.size()), problem.precision);
  together_ = device.info().simt && batch.rows == 0 ? 1 : batch.width;
  items_ = layout.slots / together_;
  ContractionTables tables;
  const Stopwatch clock;
  const ModalText text{problem, modes_, pattern_, batch};
  const auto variants = modal_variants(ModalProgram::prediction, text.sizes(ModalProgram::prediction, false), device);
  program_ = device.compile(text.prediction(variants.front(), tables, &element.nodes));
  compile_seconds_ = clock.seconds();
  const auto upload = [&](const std::vector<double>& values, const char* label) {
    return upload_reals(device, problem.precision, values, label);
  };
  const ModalGeometry geometry = modal_geometry(problem, layout, material, batch.width);
  geometry_ = upload(geometry.gradients, "geometry");
  material_ = upload(geometry.material, "material");
  values_ = upload(tables.numbers, "numbers of contractions");
  columns_ = upload_integers(device, tables.places, "places of contractions");
}

// `work` is that of all elements.
void ModalPredictor::predict(Buffer& q, double dt, Buffer& integral, const Carried& carried, const Work& work, Items slots, bool renew) {
  const Items items(slots.first / together_, (slots.count + together_ - 1) / together_);
  const double part = static_cast<double>(items.count) / static_cast<double>(items_);
  device_.queue().launch(
      program_->kernel("predict"), items,
      {q, integral, carried.predicted ? *carried.predicted : *values_, *geometry_, *material_, *values_, *values_,
       *columns_, std::int64_t{!carried.predicted ? 0 : renew ? 1 : 2}, Argument::real(carried.factor), Argument::real(dt)},
      {part * work.bytes, part * work.flops});
}

void ModalPredictor::remember(Buffer& q, Buffer& predicted, const Work& work) {
  device_.queue().launch(program_->kernel("remember"), items_, {q, predicted, *values_, *columns_}, work);
}

void ModalPredictor::carried_rate(Buffer& q, const Carried& carried, Buffer& out, const Work& work) {
  device_.queue().launch(program_->kernel("carried_rate"), items_,
                         {q, *carried.predicted, out, *values_, *columns_, Argument::real(carried.factor)}, work);
}

void ModalPredictor::local_rate(Buffer& q, Buffer& source, Buffer& out, const Work& work) {
  device_.queue().launch(program_->kernel("local_rate"), items_,
                         {q, out, *geometry_, *material_, *values_, source, *values_, *columns_}, work);
}

}  // namespace

std::unique_ptr<NodalPredictor> make_nodal_predictor(const Problem& problem, const ReferenceElement& element, const Layout& layout,
                                                     const MaterialField& material, Device& device) {
  return std::make_unique<ModalPredictor>(problem, element, layout, material, device);
}

}  // namespace swell
