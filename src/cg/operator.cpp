// SPDX-License-Identifier: Apache-2.0
#include "cg/operator.hpp"

#include <algorithm>
#include <atomic>

#include "base/host_threads.hpp"
#include "base/set_up_phase.hpp"
#include "base/timer.hpp"
#include "cg/text.hpp"
#include "mesh/geometry.hpp"

namespace swell {

namespace {

bool all_affine(const Mesh& mesh, Shape shape, const std::vector<std::int64_t>& cells) {
  if (is_simplex(shape) && mesh.geometry_order() == 1) return true;
  std::atomic<bool> all = true;
  for_pieces(std::ssize(cells), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end && all.load(std::memory_order_relaxed); ++i)
      if (!is_affine(mesh, cells[i])) all = false;
  });
  return all;
}

}  // namespace

ContinuousOperator::ContinuousOperator(DiffusionProblem problem, Vectors& vectors, bool steady, std::optional<RankNodes> nodes)
    : HeatOperator(std::move(problem), vectors), steady_(steady), nodes_(std::move(nodes)), points_(vectors) {
  SetUpPhase phase("the numbers of the unknowns");
  const auto order = space_filling_order(*problem_.mesh);
  numbering_ = nodes_ ? std::move(nodes_->numbering) : number_nodes(*problem_.mesh, elements_, fixed_boundaries(problem_), order);
  given_ = nodes_ ? std::move(nodes_->given) : given_nodes(problem_, elements_, numbering_);
  const std::int64_t given = numbering_.count - numbering_.free;
  sizes_ = {numbering_.free, numbering_.count, numbering_.free, numbering_.count, given, numbering_.count, given};
  if (nodes_) {
    sizes_.owned = nodes_->owned;
    sizes_.all_nodes = nodes_->all;
    sizes_.all_given = nodes_->all - nodes_->all_free;
  }
  form_ = problem_.form == DiffusionForm::vertices ? "vertices" : "elements";
  phase.next("the blocks of elements");
  const auto sets = element_sets(order);
  products_ = problem_.form == DiffusionForm::vertices ? products_by_vertices(sets) : products_by_blocks(sets);
  if (nodes_) {
    copies_ = std::make_unique<Copies>(*nodes_, vectors);
    exchange_ = &copies_->exchange();
  }
  fixed_points_ = vectors_.upload(given_.place, "places of given values");
  fixed_boundary_ = vectors_.upload(given_.boundary, "boundaries of given values");
  for (const Shape shape : face_shapes(elements_)) faces_.push_back(std::make_unique<FaceKind>(shape, vectors));
  make_faces();
  make_loads();
  make_points();
}

// A rank that has no cells of a shape needs no kernels for it.
std::vector<ElementSet> ContinuousOperator::element_sets(const std::vector<std::int64_t>& order) {
  std::vector<ElementSet> sets;
  for (const auto& [shape, element] : elements_.all()) {
    ShapeCells& cells = cells_[shape];
    cells.rule = element_rule(element);
    std::copy_if(order.begin(), order.end(), std::back_inserter(cells.order), [&](std::int64_t cell) { return mesh().shape_of(cell) == shape; });
    const bool affine = vectors_.ranks().all(all_affine(mesh(), shape, cells.order));
    if (!cells.order.empty())
      sets.push_back({problem_, elements_, element, cells.rule, numbering_, cells.order, vectors_, affine, steady_, interior_unknowns()});
  }
  return sets;
}

double ContinuousOperator::compile_seconds() const {
  double seconds = compile_seconds_ + products_->compile_seconds() + points_.compile_seconds();
  for (const auto& kind : faces_) seconds += kind->faces.compile_seconds();
  return seconds;
}

void ContinuousOperator::make_points() {
  std::vector<PointLoad> loads;
  for (const PointSourceSpec& p : problem_.points) {
    if (p.cell < 0) continue;
    const ReferenceElement& element = elements_.of_cell(p.cell);
    const std::span places(places_of(p.cell), static_cast<std::size_t>(element.node_count));
    loads.push_back(point_load(element, p.reference, places, p.balance[0], p.signal));
  }
  points_.set(std::move(loads));
  loads_in_time_ = swell::loads_in_time(problem_);
}

void ContinuousOperator::make_faces() {
  bool transfers = false;
  for (const auto& kind : faces_) {
    kind->faces.renew(problem_, elements_, kind->shape, numbering_, {}, interior_unknowns());
    transfers = transfers || kind->faces.transfers();
  }
  has_transfer_ = vectors_.ranks().any(transfers);
}

void ContinuousOperator::make_loads() {
  for (const auto& kind : faces_) {
    const ProgramText text = load_text(problem_, elements_, kind->faces.data());
    if (text.text == kind->load_text) continue;
    const Stopwatch clock;
    kind->loads = vectors_.device().compile(text);
    compile_seconds_ += clock.seconds();
    kind->load_text = text.text;
  }
  loads_in_time_ = swell::loads_in_time(problem_);
}

void ContinuousOperator::launch(const Program& program, const char* kernel, std::int64_t items,
                                std::initializer_list<Argument> arguments, const Work& work) {
  if (items > 0) vectors_.device().queue().launch(program.kernel(kernel), items, arguments, work);
}

void ContinuousOperator::apply_part(double a, double b, const Buffer& x, Buffer& y, std::int64_t count, Part part) {
  if (count > 0) products_->apply(a, b, x, y, count, part);
  for (const auto& kind : faces_) kind->faces.apply(b, x, y, count, part);
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
    for (const auto& kind : faces_) kind->faces.diagonal(b, y, count, part);
  });
}

void ContinuousOperator::inverse_diagonal(double a, double b, Buffer& y) {
  diagonal(a, b, y, size());
  faces_.front()->faces.invert(y, size());
}

void ContinuousOperator::load(double t, Buffer& y) {
  const bool heated = has_source(problem_) && size() > 0;
  if (!heated) vectors_.combine(0, y, 0, y, size());
  sum_over_ranks(y, [&](Part part) {
    if (heated) products_->load(t, y, size(), part);
    for (const auto& kind : faces_) kind->faces.load(*kind->loads, t, y, size(), part);
    const std::int64_t shared = std::min(interior_unknowns(), size());  // the first that other ranks have too
    part == Part::border ? points_.add(t, y, shared, size()) : points_.add(t, y, 0, shared);
  });
}

void ContinuousOperator::set_fixed(double t, Buffer& x) {
  launch(*faces_.front()->loads, "set_fixed", length() - size(), {*fixed_points_, *fixed_boundary_, x, size(), Argument::time(t)});
}

void ContinuousOperator::set_material(std::vector<DiffusionMaterial> material) {
  problem_.material = std::move(material);
  products_->renew_material();
}

void ContinuousOperator::set_loads(std::vector<DiffusionBoundary> boundary, Expression source) {
  problem_.boundary = std::move(boundary);
  problem_.source = std::move(source);
  make_faces();
  make_loads();
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
  launch(*faces_.front()->loads, "sample", count, {x, unknown, weight, out, offset});
}

}  // namespace swell
