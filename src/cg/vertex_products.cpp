// SPDX-License-Identifier: Apache-2.0
// Unknown by unknown: kernels/cg_vertices.h.
#include <numeric>

#include <algorithm>

#include "base/timer.hpp"
#include "cg/material_fill.hpp"
#include "cg/products.hpp"
#include "cg/text.hpp"

namespace swell {

namespace {

class VertexProducts : public HeatProducts {
 public:
  explicit VertexProducts(const ElementSet& set)
      : set_(set), slots_(all_cells(*set.problem.mesh)), fill_(set.problem, set.rule, slots_, 1, set.steady, set.vectors) {
    kind_ = {.affine = set.affine, .varying = false, .steady = set.steady};
    Vectors& vectors = set.vectors;
    const GatherLists lists = gather_lists(set.numbering.of_node, set.numbering.count);
    start_ = vectors.upload(lists.start, "elements of the unknowns");
    place_ = vectors.upload(lists.place, "elements of the unknowns");
    index_ = vectors.upload(set.numbering.of_node, "unknowns of the elements");
    geometry_ = vectors.upload(element_geometry(*set.problem.mesh, kind_, set.rule, slots_), "geometry");
    renew_material();
    renew_source();
  }

  void apply(double a, double b, const Buffer& x, Buffer& y, std::int64_t count, Part part) override {
    launch("vertex_apply", program(), count, part,
           {x, *start_, *place_, *index_, *geometry_, material(), matrix(), y, Argument::real(a), Argument::real(b)}, work());
  }

  void diagonal(double a, double b, Buffer& y, std::int64_t count, Part part) override {
    launch("vertex_diagonal", program(), count, part,
           {*start_, *place_, *geometry_, material(), matrix(), y, Argument::real(a), Argument::real(b)},
           {static_cast<double>(geometry_->bytes()), 0});
  }

  void load(double t, Buffer& y, std::int64_t count, Part part) override {
    launch("vertex_load", *load_program_, count, part, {*start_, *place_, *points_, *weight_, *values_, y, Argument::time(t)},
           {static_cast<double>(points_->bytes() + weight_->bytes()), 0});
  }

  void renew_material() override {
    kind_.varying = fill_.varies();
    make_form(kind_.varying);
    fill_.fill(kind_.varying, material_[kind_.varying]);
  }

  std::vector<ProgramText> texts_for(const std::vector<HeatMaterial>& material) const override {
    if (fill_.constant(material)) return {form_text(false)};
    return {fill_.text(), form_text(false), form_text(true)};  // an expression may have one value in each element
  }

  void expect(const std::vector<HeatMaterial>& material) override {
    make_form(false);
    if (fill_.constant(material)) return;
    fill_.make();
    fill_.make_room(true, material_[true]);
    make_form(true);
  }

  void renew_source() override {
    if (!has_source(set_.problem)) return;
    const Stopwatch clock;
    load_program_ = set_.vectors.device().compile(vertex_load_text(set_.problem, set_.element, kind(false), set_.rule));
    compile_seconds_ += clock.seconds();
    const SourceData data = source_data(set_.problem, set_.element, kind_, set_.rule, slots_);
    points_ = set_.vectors.upload(data.points, "points of the source");
    weight_ = set_.vectors.upload(data.weight, "weights of the source");
    values_ = set_.vectors.upload(data.values, "test functions");
  }

  Work work() const override {
    // Each unknown reads its list and the numbers of its elements, which its neighbours read soon after.
    const auto unknowns = static_cast<double>(set_.numbering.count), word = static_cast<double>(bytes_of(set_.problem.precision));
    const auto bytes = start_->bytes() + place_->bytes() + index_->bytes() + geometry_->bytes() + material().bytes();
    const auto nodes = static_cast<double>(set_.element.node_count);
    const auto visits = static_cast<double>(set_.numbering.of_node.size());
    const double terms = 2 + set_.element.dim * (set_.element.dim + 1) / 2.0;
    const double parts = 1 + set_.element.dim;
    const double row = kind_.affine && !kind_.varying
                           ? 2 * terms * nodes
                           : static_cast<double>(set_.rule.points.rows()) * (2 * parts * nodes + 4 * parts * parts);
    return {static_cast<double>(bytes) + 2 * word * unknowns, visits * row};
  }

  double compile_seconds() const override { return compile_seconds_ + fill_.compile_seconds(); }

 private:
  // `work`: of all `count` unknowns.
  void launch(const char* kernel, const Program& program, std::int64_t count, Part part,
              std::initializer_list<Argument> arguments, const Work& work) {
    const std::int64_t alone = std::min(count, set_.alone);
    const Items items = part == Part::border ? Items(alone, count - alone) : Items(alone);
    if (items.count == 0) return;
    const double share = static_cast<double>(items.count) / static_cast<double>(count);
    set_.vectors.device().queue().launch(program.kernel(kernel), items, arguments, {share * work.bytes, share * work.flops});
  }

  static std::vector<std::int64_t> all_cells(const Mesh& mesh) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(mesh.cell_count()));
    std::iota(all.begin(), all.end(), std::int64_t{0});
    return all;
  }

  ElementKind kind(bool varying) const {
    ElementKind kind = kind_;
    kind.varying = varying;
    return kind;
  }

  const Program& program() const { return *program_[kind_.varying]; }
  const Buffer& matrix() const { return *matrix_[kind_.varying]; }
  const Buffer& material() const { return *material_[kind_.varying]; }
  ProgramText form_text(bool varying) const {
    return vertex_text(set_.element, kind(varying), set_.rule, set_.problem.precision);
  }

  // Once for material that varies inside elements, and once for material that does not.
  void make_form(bool varying) {
    auto& program = program_[varying];
    if (program) return;
    const Stopwatch clock;
    program = set_.vectors.device().compile(form_text(varying));
    compile_seconds_ += clock.seconds();
    matrix_[varying] = set_.vectors.upload(row_matrices(set_.element, kind(varying), set_.rule), "matrices");
  }

  const ElementSet set_;
  ElementKind kind_;
  std::vector<std::int64_t> slots_;  // cells as they are
  MaterialFill fill_;
  std::unique_ptr<Program> program_[2];  // for material that does not vary inside elements, and that does
  std::unique_ptr<Buffer> matrix_[2], material_[2];  // as program_
  std::unique_ptr<Program> load_program_;
  std::unique_ptr<Buffer> start_, place_, index_, geometry_, points_, weight_, values_;
};

}  // namespace

std::unique_ptr<HeatProducts> products_by_vertices(const ElementSet& set) {
  return std::make_unique<VertexProducts>(set);
}

}  // namespace swell
