// SPDX-License-Identifier: Apache-2.0
// Products that go unknown by unknown: kernels/continuous/vertices.h.
#include <algorithm>

#include "base/timer.hpp"
#include "cg/element_forms.hpp"
#include "cg/products.hpp"
#include "cg/text.hpp"

namespace swell {

namespace {

// The rows of the cells of one shape. All but those of the first shape are added to what is there.
class ShapeRows {
 public:
  ShapeRows(const ElementSet& set, bool adds)
      : set_(set),
        adds_(adds),
        slots_(set.order),
        forms_(set_, {.shape = set.element.shape, .affine = set.affine, .varying = false, .steady = set.steady}, slots_,
               [this](const ElementKind& kind) { return vertex_text(set_.element, kind, set_.rule, set_.problem.precision, adds_); },
               [this](const ElementKind& kind) { return row_matrices(set_.element, kind, set_.rule); }) {
    std::sort(slots_.begin(), slots_.end());
    std::vector<std::int32_t> of_node;
    for (const std::int64_t cell : slots_)
      of_node.insert(of_node.end(), set.unknowns_of(cell), set.unknowns_of(cell) + set.element.node_count);
    Vectors& vectors = set.vectors;
    const GatherLists lists = gather_lists(of_node, set.numbering.count);
    visits_ = std::ssize(of_node);
    start_ = vectors.upload(lists.start, "elements of the unknowns");
    place_ = vectors.upload(lists.place, "elements of the unknowns");
    index_ = vectors.upload(of_node, "unknowns of the elements");
    geometry_ = vectors.upload(element_geometry(*set.problem.mesh, forms_.kind(), set.rule, slots_), "geometry");
    renew_material();
    renew_source();
  }

  void apply(double a, double b, const Buffer& x, Buffer& y, std::int64_t count, Part part) {
    launch("vertex_apply", forms_.program(), count, part,
           {x, *start_, *place_, *index_, *geometry_, forms_.material(), forms_.matrix(), y, Argument::real(a), Argument::real(b)}, work());
  }

  void diagonal(double a, double b, Buffer& y, std::int64_t count, Part part) {
    launch("vertex_diagonal", forms_.program(), count, part,
           {*start_, *place_, *geometry_, forms_.material(), forms_.matrix(), y, Argument::real(a), Argument::real(b)},
           {static_cast<double>(geometry_->bytes()), 0});
  }

  void load(double t, Buffer& y, std::int64_t count, Part part) {
    launch("vertex_load", *load_program_, count, part, {*start_, *place_, *points_, *weight_, *values_, y, Argument::time(t)},
           {static_cast<double>(points_->bytes() + weight_->bytes()), 0});
  }

  void renew_material() {
    forms_.renew();
    forms_.fill();
  }

  void renew_source() {
    if (!has_source(set_.problem)) return;
    const Stopwatch clock;
    load_program_ = set_.vectors.device().compile(vertex_load_text(set_.problem, set_.element, forms_.constant_kind(), set_.rule, adds_));
    compile_seconds_ += clock.seconds();
    const SourceData data = source_data(set_.problem, set_.element, forms_.kind(), set_.rule, slots_);
    points_ = set_.vectors.upload(data.points, "points of the source");
    weight_ = set_.vectors.upload(data.weight, "weights of the source");
    values_ = set_.vectors.upload(data.values, "test functions");
  }

  std::vector<ProgramText> texts_for(const std::vector<DiffusionMaterial>& material) const { return forms_.texts_for(material); }
  void expect(const std::vector<DiffusionMaterial>& material) { forms_.expect(material); }
  double compile_seconds() const { return compile_seconds_ + forms_.compile_seconds(); }

  Work work() const {
    // Each unknown reads its list and the numbers of its elements, which its neighbours read soon after.
    const auto unknowns = static_cast<double>(set_.numbering.count), word = static_cast<double>(bytes_of(set_.problem.precision));
    const auto bytes = start_->bytes() + place_->bytes() + index_->bytes() + geometry_->bytes() + forms_.material().bytes();
    const auto nodes = static_cast<double>(set_.element.node_count);
    const double terms = 2 + set_.element.dim * (set_.element.dim + 1) / 2.0;
    const double parts = 1 + set_.element.dim;
    const double row = forms_.kind().affine && !forms_.kind().varying
                           ? 2 * terms * nodes
                           : static_cast<double>(set_.rule.points.rows()) * (2 * parts * nodes + 4 * parts * parts);
    return {static_cast<double>(bytes) + 2 * word * unknowns, static_cast<double>(visits_) * row};
  }

 private:
  // `work` is that of all `count` unknowns.
  void launch(const char* kernel, const Program& program, std::int64_t count, Part part,
              std::initializer_list<Argument> arguments, const Work& work) {
    const std::int64_t interior = std::min(count, set_.interior);
    const Items items = part == Part::border ? Items(interior, count - interior) : Items(interior);
    if (items.count == 0) return;
    const double share = static_cast<double>(items.count) / static_cast<double>(count);
    set_.vectors.device().queue().launch(program.kernel(kernel), items, arguments, {share * work.bytes, share * work.flops});
  }

  const ElementSet set_;
  bool adds_;
  std::vector<std::int64_t> slots_;  // cells as they are
  ElementForms forms_;
  std::int64_t visits_ = 0;
  std::unique_ptr<Program> load_program_;
  std::unique_ptr<Buffer> start_, place_, index_, geometry_, points_, weight_, values_;
  double compile_seconds_ = 0;
};

class VertexProducts : public HeatProducts {
 public:
  explicit VertexProducts(const std::vector<ElementSet>& sets) {
    for (const ElementSet& set : sets) shapes_.push_back(std::make_unique<ShapeRows>(set, !shapes_.empty()));
  }

  void apply(double a, double b, const Buffer& x, Buffer& y, std::int64_t count, Part part) override {
    for (const auto& shape : shapes_) shape->apply(a, b, x, y, count, part);
  }
  void diagonal(double a, double b, Buffer& y, std::int64_t count, Part part) override {
    for (const auto& shape : shapes_) shape->diagonal(a, b, y, count, part);
  }
  void load(double t, Buffer& y, std::int64_t count, Part part) override {
    for (const auto& shape : shapes_) shape->load(t, y, count, part);
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
      const Work of_shape = shape->work();
      all.bytes += of_shape.bytes;
      all.flops += of_shape.flops;
    }
    return all;
  }
  double compile_seconds() const override {
    double seconds = 0;
    for (const auto& shape : shapes_) seconds += shape->compile_seconds();
    return seconds;
  }

 private:
  std::vector<std::unique_ptr<ShapeRows>> shapes_;
};

}  // namespace

std::unique_ptr<HeatProducts> products_by_vertices(const std::vector<ElementSet>& sets) {
  return std::make_unique<VertexProducts>(sets);
}

}  // namespace swell
