// SPDX-License-Identifier: Apache-2.0
#include "cg/operator.hpp"

#include <algorithm>

#include "base/timer.hpp"
#include "cg/text.hpp"
#include "mesh/geometry.hpp"

namespace swell {

namespace {

bool all_affine(const Mesh& mesh) {
  if (is_simplex(mesh.shape()) && mesh.cells().geometry_order == 1) return true;
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell)
    if (!is_affine(mesh, cell)) return false;
  return true;
}

}  // namespace

ContinuousOperator::ContinuousOperator(DiffusionProblem problem, Vectors& vectors, bool steady, std::optional<RankNodes> nodes)
    : HeatOperator(problem, ReferenceElement(problem.mesh->shape(), problem.order), vectors),
      steady_(steady),
      rule_(element_rule(element_)),
      order_(space_filling_order(*problem_.mesh)),
      nodes_(std::move(nodes)),
      faces_(vectors),
      points_(vectors) {
  numbering_ = nodes_ ? std::move(nodes_->numbering) : number_nodes(*problem_.mesh, element_, fixed_boundaries(problem_), order_);
  given_ = nodes_ ? std::move(nodes_->given) : given_nodes(problem_, element_, numbering_);
  const std::int64_t given = numbering_.count - numbering_.free;
  sizes_ = {numbering_.free, numbering_.count, numbering_.free, numbering_.count, given, numbering_.count, given};
  if (nodes_) {
    sizes_.owned = nodes_->owned;
    sizes_.all_nodes = nodes_->all;
    sizes_.all_given = nodes_->all - nodes_->all_free;
  }
  form_ = problem_.form == DiffusionForm::vertices ? "vertices" : "elements";
  const bool affine = vectors.ranks().all(all_affine(*problem_.mesh));
  const ElementSet set{problem_, element_, rule_, numbering_, order_, vectors, affine, steady_, interior_unknowns()};
  products_ = problem_.form == DiffusionForm::vertices ? products_by_vertices(set) : products_by_blocks(set);
  if (nodes_) {
    copies_ = std::make_unique<Copies>(*nodes_, vectors);
    exchange_ = &copies_->exchange();
  }
  fixed_points_ = vectors_.upload(given_.place, "places of given values");
  fixed_boundary_ = vectors_.upload(given_.boundary, "boundaries of given values");
  make_faces();
  make_load();
  make_points();
}

void ContinuousOperator::make_points() {
  const std::int64_t nodes = element_.node_count;
  std::vector<PointLoad> loads;
  for (const PointSourceSpec& p : problem_.points)
    if (p.cell >= 0)
      loads.push_back(point_load(element_, p.reference, std::span(numbering_.of_node).subspan(p.cell * nodes, nodes), p.balance[0], p.signal));
  points_.set(std::move(loads));
  loads_in_time_ = swell::loads_in_time(problem_);
}

void ContinuousOperator::make_faces() {
  faces_.renew(problem_, element_, numbering_, {}, interior_unknowns());
  has_transfer_ = vectors_.ranks().any(faces_.transfers());
}

void ContinuousOperator::make_load() {
  const ProgramText text = load_text(problem_, element_, faces_.data());
  if (text.text != load_text_) {
    const Stopwatch clock;
    loads_ = vectors_.device().compile(text);
    compile_seconds_ += clock.seconds();
    load_text_ = text.text;
  }
  loads_in_time_ = swell::loads_in_time(problem_);
}

void ContinuousOperator::launch(const Program& program, const char* kernel, std::int64_t items,
                                std::initializer_list<Argument> arguments, const Work& work) {
  if (items > 0) vectors_.device().queue().launch(program.kernel(kernel), items, arguments, work);
}

void ContinuousOperator::apply_part(double a, double b, const Buffer& x, Buffer& y, std::int64_t count, Part part) {
  if (count > 0) products_->apply(a, b, x, y, count, part);
  faces_.apply(b, x, y, count, part);
}

template <class Make>
void ContinuousOperator::sum_over_ranks(Buffer& y, const Make& make) {
  make(Part::border);
  if (copies_) copies_->start(y);
  make(Part::inside);
  if (copies_) copies_->add(y);
}

void ContinuousOperator::add_copies(Buffer& y) {
  sum_over_ranks(y, [](Part) {});
}

void ContinuousOperator::agree(Buffer& y) {
  if (copies_) copies_->agree(y);
}

void ContinuousOperator::apply(double a, double b, const Buffer& x, Buffer& y, std::int64_t count) {
  sum_over_ranks(y, [&](Part part) { apply_part(a, b, x, y, count, part); });
}

void ContinuousOperator::diagonal(double a, double b, Buffer& y, std::int64_t count) {
  sum_over_ranks(y, [&](Part part) {
    if (count > 0) products_->diagonal(a, b, y, count, part);
    faces_.diagonal(b, y, count, part);
  });
}

void ContinuousOperator::inverse_diagonal(double a, double b, Buffer& y) {
  diagonal(a, b, y, size());
  faces_.invert(y, size());
}

void ContinuousOperator::load(double t, Buffer& y) {
  const bool heated = has_source(problem_) && size() > 0;
  if (!heated) vectors_.combine(0, y, 0, y, size());
  sum_over_ranks(y, [&](Part part) {
    if (heated) products_->load(t, y, size(), part);
    faces_.load(*loads_, t, y, size(), part);
    const std::int64_t shared = std::min(interior_unknowns(), size());  // the first that other ranks have too
    part == Part::border ? points_.add(t, y, shared, size()) : points_.add(t, y, 0, shared);
  });
}

void ContinuousOperator::set_fixed(double t, Buffer& x) {
  launch(*loads_, "set_fixed", length() - size(), {*fixed_points_, *fixed_boundary_, x, size(), Argument::time(t)});
}

void ContinuousOperator::set_material(std::vector<DiffusionMaterial> material) {
  problem_.material = std::move(material);
  products_->renew_material();
}

void ContinuousOperator::set_loads(std::vector<DiffusionBoundary> boundary, Expression source) {
  problem_.boundary = std::move(boundary);
  problem_.source = std::move(source);
  make_faces();
  make_load();
  products_->renew_source();
}

void ContinuousOperator::set_points(std::vector<PointSourceSpec> points) {
  problem_.points = std::move(points);
  make_points();
}

void ContinuousOperator::weigh(Buffer& y) {
  const auto ones = vectors_.upload(std::vector<double>(static_cast<std::size_t>(length()), 1.0), "ones");
  for (const Part part : both_parts) apply_part(1, 0, *ones, y, length(), part);
  vectors_.device().queue().finish();
}

void ContinuousOperator::sample(const Buffer& x, const Buffer& unknown, const Buffer& weight, Buffer& out,
                                std::int64_t count, std::int64_t offset) {
  launch(*loads_, "sample", count, {x, unknown, weight, out, offset});
}

}  // namespace swell
