// SPDX-License-Identifier: Apache-2.0
// Continuous elements without a matrix: a M + b K applied by elements or by unknowns, its diagonal, right-hand sides and given values.
#pragma once

#include <functional>

#include "cg/products.hpp"
#include "solve/operator.hpp"

namespace swell {

// M = integral of rhoC u v, K = integral of k grad u . grad v plus h u v over the faces with a heat transfer. Vectors hold the
// unknowns of the numbering, the fixed ones last. All is queued only unless said otherwise.
class ContinuousOperator {
 public:
  // `steady`: there is no M, and rhoC is not looked at. The problem's mesh must outlive this.
  ContinuousOperator(HeatProblem problem, Vectors& vectors, bool steady = false);

  const HeatProblem& problem() const { return problem_; }
  const Mesh& mesh() const { return *problem_.mesh; }
  const ReferenceElement& element() const { return element_; }
  const Numbering& numbering() const { return numbering_; }
  Vectors& vectors() const { return vectors_; }
  std::int64_t size() const { return numbering_.free; }
  std::int64_t length() const { return numbering_.count; }

  // The first `count` numbers of y = (a M + b K) x: size() or length().
  void apply(double a, double b, const Buffer& x, Buffer& y, std::int64_t count);
  void diagonal(double a, double b, Buffer& y, std::int64_t count);
  void invert(Buffer& y, std::int64_t count);
  // y_i = integral of f v_i and of the fluxes through the boundary at time t, for the unknowns.
  void load(double t, Buffer& y);
  bool loads_in_time() const { return loads_in_time_; }  // load() depends on t
  void set_fixed(double t, Buffer& x);
  bool fixed_in_time() const { return fixed_in_time_; }
  // Other materials on the same mesh: nothing else is made again. Waits.
  void set_material(std::vector<HeatMaterial> material);

  // The values of an expression in x, y, z, t at the nodes.
  std::vector<double> nodal_values(const std::function<double(const double*)>& value) const;
  // out[offset + i] = x at receiver i; unknown and weight hold [receiver][node of its element].
  void sample(const Buffer& x, const Buffer& unknown, const Buffer& weight, Buffer& out, std::int64_t count,
              std::int64_t offset);
  bool holds_values() const { return size() < length(); }      // some temperature is given
  bool has_transfer() const { return faces_.transfers; }
  double compile_seconds() const { return compile_seconds_ + products_->compile_seconds(); }
  Work apply_work() const { return products_->work(); }
  // As of a LinearOperator, of apply() to all unknowns.
  const Buffer* dots() const { return faces_.transfers ? nullptr : products_->dots(); }
  std::int64_t dot_count() const { return products_->dot_count(); }

 private:
  void make_faces();
  void make_load();
  void launch(const Program& program, const char* kernel, std::int64_t items, std::initializer_list<Argument> arguments,
              const Work& work = {});
  void apply_faces(double b, const Buffer& x, Buffer& y, std::int64_t count);

  HeatProblem problem_;
  Vectors& vectors_;
  bool steady_;
  ReferenceElement element_;
  Cubature rule_;
  std::vector<std::int64_t> order_;  // the cells along a curve
  Numbering numbering_;
  FaceData faces_;
  std::unique_ptr<HeatProducts> products_;
  std::int64_t face_unknowns_ = 0;
  bool loads_in_time_ = false, fixed_in_time_ = false;
  std::unique_ptr<Program> gathers_, loads_;
  std::unique_ptr<Buffer> face_unknown_, face_list_, face_start_, face_place_, transfer_, trace_, face_result_;
  std::unique_ptr<Buffer> face_points_, face_weight_, face_boundary_;
  std::unique_ptr<Buffer> fixed_points_, fixed_boundary_;
  double compile_seconds_ = 0;
};

// a M + b K as a solver sees it.
class ScaledOperator : public LinearOperator {
 public:
  ScaledOperator(ContinuousOperator& of, double a, double b) : of_(of), a_(a), b_(b) {}
  void scale(double a, double b) { a_ = a, b_ = b; }
  std::int64_t size() const override { return of_.size(); }
  std::int64_t length() const override { return of_.length(); }
  void apply(const Buffer& x, Buffer& y) override { of_.apply(a_, b_, x, y, of_.size()); }
  const Buffer* dots() const override { return of_.dots(); }
  std::int64_t dot_count() const override { return of_.dot_count(); }

 private:
  ContinuousOperator& of_;
  double a_, b_;
};

}  // namespace swell
