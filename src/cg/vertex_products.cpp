// SPDX-License-Identifier: Apache-2.0
// Unknown by unknown: kernels/cg_vertices.h.
#include <numeric>

#include <algorithm>

#include "base/timer.hpp"
#include "cg/products.hpp"
#include "cg/text.hpp"

namespace swell {

namespace {

class VertexProducts : public HeatProducts {
 public:
  explicit VertexProducts(const ElementSet& set) : set_(set) {
    const auto cells = set.problem.mesh->cell_count();
    slots_.resize(static_cast<std::size_t>(cells));
    std::iota(slots_.begin(), slots_.end(), std::int64_t{0});
    kind_ = {.affine = set.affine, .varying = material_varies(set.problem, set.rule), .steady = set.steady};
    Vectors& vectors = set.vectors;
    const GatherLists lists = gather_lists(set.numbering.of_node, set.numbering.count);
    start_ = vectors.upload(lists.start, "elements of the unknowns");
    place_ = vectors.upload(lists.place, "elements of the unknowns");
    index_ = vectors.upload(set.numbering.of_node, "unknowns of the elements");
    geometry_ = vectors.upload(element_geometry(*set.problem.mesh, kind_, set.rule, slots_), "geometry");
    compile();
    material_ = vectors.upload(element_material(set.problem, kind_, set.rule, slots_), "material");
    renew_source();
  }

  void apply(double a, double b, const Buffer& x, Buffer& y, std::int64_t count, Part part) override {
    launch("vertex_apply", *program_, count, part,
           {x, *start_, *place_, *index_, *geometry_, *material_, *matrix_, y, Argument::real(a), Argument::real(b)}, work());
  }

  void diagonal(double a, double b, Buffer& y, std::int64_t count, Part part) override {
    launch("vertex_diagonal", *program_, count, part,
           {*start_, *place_, *geometry_, *material_, *matrix_, y, Argument::real(a), Argument::real(b)},
           {static_cast<double>(geometry_->bytes()), 0});
  }

  void load(double t, Buffer& y, std::int64_t count, Part part) override {
    launch("vertex_load", *load_program_, count, part, {*start_, *place_, *points_, *weight_, *values_, y, Argument::time(t)},
           {static_cast<double>(points_->bytes() + weight_->bytes()), 0});
  }

  void renew_material() override {
    if (!kind_.varying && material_varies(set_.problem, set_.rule)) {
      kind_.varying = true;
      compile();
    }
    material_ = set_.vectors.upload(element_material(set_.problem, kind_, set_.rule, slots_), "material");
  }

  void renew_source() override {
    if (!has_source(set_.problem)) return;
    const Stopwatch clock;
    load_program_ = set_.vectors.device().compile(vertex_load_text(set_.problem, set_.element, kind_, set_.rule));
    compile_seconds_ += clock.seconds();
    const SourceData data = source_data(set_.problem, set_.element, kind_, set_.rule, slots_);
    points_ = set_.vectors.upload(data.points, "points of the source");
    weight_ = set_.vectors.upload(data.weight, "weights of the source");
    values_ = set_.vectors.upload(data.values, "test functions");
  }

  Work work() const override {
    // Each unknown reads its list and the numbers of its elements, which its neighbours read soon after.
    const auto unknowns = static_cast<double>(set_.numbering.count), word = static_cast<double>(bytes_of(set_.problem.precision));
    const auto bytes = start_->bytes() + place_->bytes() + index_->bytes() + geometry_->bytes() + material_->bytes();
    const auto nodes = static_cast<double>(set_.element.node_count);
    const auto visits = static_cast<double>(set_.numbering.of_node.size());
    const double terms = 2 + set_.element.dim * (set_.element.dim + 1) / 2.0;
    const double parts = 1 + set_.element.dim;
    const double row = kind_.affine && !kind_.varying
                           ? 2 * terms * nodes
                           : static_cast<double>(set_.rule.points.rows()) * (2 * parts * nodes + 4 * parts * parts);
    return {static_cast<double>(bytes) + 2 * word * unknowns, visits * row};
  }

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
  void compile() {
    const Stopwatch clock;
    program_ = set_.vectors.device().compile(vertex_text(set_.element, kind_, set_.rule, set_.problem.precision));
    compile_seconds_ += clock.seconds();
    matrix_ = set_.vectors.upload(row_matrices(set_.element, kind_, set_.rule), "matrices");
  }

  const ElementSet set_;
  ElementKind kind_;
  std::vector<std::int64_t> slots_;  // cells as they are
  std::unique_ptr<Program> program_, load_program_;
  std::unique_ptr<Buffer> start_, place_, index_, geometry_, material_, matrix_, points_, weight_, values_;
};

}  // namespace

std::unique_ptr<HeatProducts> products_by_vertices(const ElementSet& set) {
  return std::make_unique<VertexProducts>(set);
}

}  // namespace swell
