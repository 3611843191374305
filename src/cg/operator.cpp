// SPDX-License-Identifier: Apache-2.0
#include "cg/operator.hpp"

#include <algorithm>

#include "base/timer.hpp"
#include "cg/text.hpp"
#include "mesh/geometry.hpp"

namespace swell {

namespace {

std::vector<char> fixed_boundaries(const HeatProblem& problem) {
  std::vector<char> fixed;
  for (const HeatBoundary& b : problem.boundary) fixed.push_back(b.kind == HeatBoundary::Kind::temperature);
  return fixed;
}

bool all_affine(const Mesh& mesh) {
  if (is_simplex(mesh.shape()) && mesh.cells().geometry_order == 1) return true;
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell)
    if (!is_affine(mesh, cell)) return false;
  return true;
}

}  // namespace

ContinuousOperator::ContinuousOperator(HeatProblem problem, Vectors& vectors, bool steady)
    : problem_(std::move(problem)),
      vectors_(vectors),
      steady_(steady),
      element_(problem_.mesh->shape(), problem_.order),
      rule_(element_rule(element_)),
      order_(space_filling_order(*problem_.mesh)),
      numbering_(number_nodes(*problem_.mesh, element_, fixed_boundaries(problem_), order_)),
      faces_(face_data(problem_, element_, numbering_)) {
  const ElementSet set{problem_, element_, rule_, numbering_, order_, vectors, all_affine(*problem_.mesh), steady_};
  products_ = problem_.form == HeatForm::vertices ? products_by_vertices(set) : products_by_blocks(set);
  const Stopwatch clock;
  gathers_ = vectors.device().compile(gather_text(element_, faces_, problem_.precision));
  compile_seconds_ = clock.seconds();
  make_faces();
  make_load();
}

void ContinuousOperator::make_faces() {
  face_unknown_ = vectors_.upload(faces_.unknown, "unknowns of the faces");
  face_boundary_ = vectors_.upload(faces_.boundary, "boundaries of the faces");
  transfer_ = vectors_.upload(faces_.transfer, "heat transfer");
  trace_ = vectors_.upload(faces_.trace, "trace");
  face_points_ = vectors_.upload(faces_.place, "points of the faces");
  face_weight_ = vectors_.upload(faces_.weight, "weights of the faces");
  face_result_ = vectors_.make(faces_.count * faces_.nodes, "results of the faces");
  const auto [on_face, lists] = sparse_gather(faces_.unknown);
  face_unknowns_ = static_cast<std::int64_t>(on_face.size());
  face_list_ = vectors_.upload(on_face, "unknowns on faces");
  face_start_ = vectors_.upload(lists.start, "gather lists of the faces");
  face_place_ = vectors_.upload(lists.place, "gather lists of the faces");
}

void ContinuousOperator::make_load() {
  const Mesh& mesh = *problem_.mesh;
  const int dim = mesh.dim;
  const Stopwatch clock;
  loads_ = vectors_.device().compile(load_text(problem_, element_, faces_));
  compile_seconds_ += clock.seconds();
  loads_in_time_ = problem_.source.uses("t");
  for (const HeatBoundary& b : problem_.boundary) {
    const bool fixed = b.kind == HeatBoundary::Kind::temperature;
    loads_in_time_ = loads_in_time_ || (!fixed && b.value.uses("t"));
  }
  if (!holds_values()) return;
  // Where two boundaries meet, the one with the smaller number gives the value.
  std::vector<double> place((length() - size()) * dim);
  std::vector<std::int32_t> boundary(length() - size(), -1);
  const CellMap map(mesh, element_.nodes);
  std::vector<double> x(element_.node_count * dim);
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell)
    for (int f = 0; f < element_.face_count; ++f) {
      const Neighbour& n = mesh.neighbour(cell, f);
      if (n.cell >= 0) continue;
      const auto number = static_cast<std::int32_t>(n.boundary >= 0 ? n.boundary : problem_.boundary.size() - 1);
      if (problem_.boundary[number].kind != HeatBoundary::Kind::temperature) continue;
      map.coordinates(cell, x.data());
      for (int i = 0; i < element_.face_node_count; ++i) {
        const int node = element_.face_node(f, i);
        const std::int64_t fixed = numbering_.of_node[cell * element_.node_count + node] - size();
        if (boundary[fixed] >= 0 && boundary[fixed] <= number) continue;
        boundary[fixed] = number;
        std::copy_n(x.data() + node * dim, dim, place.begin() + fixed * dim);
      }
    }
  fixed_points_ = vectors_.upload(place, "places of given values");
  fixed_boundary_ = vectors_.upload(boundary, "boundaries of given values");
}

void ContinuousOperator::launch(const Program& program, const char* kernel, std::int64_t items,
                                std::initializer_list<Argument> arguments, const Work& work) {
  if (items > 0) vectors_.device().queue().launch(program.kernel(kernel), items, arguments, work);
}

void ContinuousOperator::apply(double a, double b, const Buffer& x, Buffer& y, std::int64_t count) {
  products_->apply(a, b, x, y, count);
  apply_faces(b, x, y, count);
}

void ContinuousOperator::apply_faces(double b, const Buffer& x, Buffer& y, std::int64_t count) {
  if (!faces_.transfers || b == 0) return;
  launch(*gathers_, "face_apply", faces_.count,
         {x, *face_unknown_, *transfer_, *trace_, *face_result_, Argument::real(b)});
  launch(*gathers_, "gather_faces", face_unknowns_, {*face_result_, *face_list_, *face_start_, *face_place_, y, count});
}

void ContinuousOperator::diagonal(double a, double b, Buffer& y, std::int64_t count) {
  products_->diagonal(a, b, y, count);
  if (!faces_.transfers || b == 0) return;
  launch(*gathers_, "face_diagonal", faces_.count, {*transfer_, *trace_, *face_result_, Argument::real(b)});
  launch(*gathers_, "gather_faces", face_unknowns_, {*face_result_, *face_list_, *face_start_, *face_place_, y, count});
}

void ContinuousOperator::invert(Buffer& y, std::int64_t count) {
  launch(*gathers_, "invert", count, {y}, {16.0 * static_cast<double>(count), 0});
}

void ContinuousOperator::load(double t, Buffer& y) {
  if (has_source(problem_))
    products_->load(t, y, size());
  else
    vectors_.combine(0, y, 0, y, size());
  launch(*loads_, "load_faces", faces_.count,
         {*face_points_, *face_weight_, *face_boundary_, *trace_, *face_result_, Argument::time(t)},
         {static_cast<double>(face_points_->bytes()), 0});
  launch(*gathers_, "gather_faces", face_unknowns_,
         {*face_result_, *face_list_, *face_start_, *face_place_, y, size()});
}

void ContinuousOperator::set_fixed(double t, Buffer& x) {
  if (!holds_values()) return;
  launch(*loads_, "set_fixed", length() - size(), {*fixed_points_, *fixed_boundary_, x, size(), Argument::time(t)});
}

void ContinuousOperator::set_material(std::vector<HeatMaterial> material) {
  problem_.material = std::move(material);
  products_->renew_material();
}

void ContinuousOperator::set_loads(std::vector<HeatBoundary> boundary, Expression source) {
  problem_.boundary = std::move(boundary);
  problem_.source = std::move(source);
  faces_ = face_data(problem_, element_, numbering_);
  gathers_ = vectors_.device().compile(gather_text(element_, faces_, problem_.precision));
  make_faces();
  make_load();
  products_->renew_source();
}

void ContinuousOperator::weigh(Buffer& y) {
  const auto ones = vectors_.upload(std::vector<double>(static_cast<std::size_t>(length()), 1.0), "ones");
  apply(1, 0, *ones, y, length());
  vectors_.device().queue().finish();
}

void ContinuousOperator::sample(const Buffer& x, const Buffer& unknown, const Buffer& weight, Buffer& out,
                                std::int64_t count, std::int64_t offset) {
  launch(*loads_, "sample", count, {x, unknown, weight, out, offset});
}

}  // namespace swell
