// SPDX-License-Identifier: Apache-2.0
// Continuous elements without a matrix: a M + b K applied by elements or by unknowns, its diagonal, right-hand sides and given values.
#pragma once

#include "cg/heat_operator.hpp"
#include "cg/products.hpp"

namespace swell {

// Vectors hold the unknowns of the numbering, the fixed ones last.
class ContinuousOperator : public HeatOperator {
 public:
  // `steady`: there is no M, and rhoC is not looked at. The problem's mesh must outlive this.
  ContinuousOperator(HeatProblem problem, Vectors& vectors, bool steady = false);

  const HeatProblem& problem() const override { return problem_; }
  const ReferenceElement& element() const override { return element_; }
  const Numbering& numbering() const override { return numbering_; }
  Vectors& vectors() const override { return vectors_; }
  std::int64_t size() const override { return numbering_.free; }
  std::int64_t length() const override { return numbering_.count; }
  std::int64_t nodes() const override { return numbering_.count; }
  std::int64_t given() const override { return numbering_.count - numbering_.free; }
  std::string form() const override { return problem_.form == HeatForm::vertices ? "vertices" : "elements"; }

  void apply(double a, double b, const Buffer& x, Buffer& y, std::int64_t count) override;
  void diagonal(double a, double b, Buffer& y, std::int64_t count) override;
  void invert(Buffer& y, std::int64_t count) override;
  void weigh(Buffer& y) override;
  void load(double t, Buffer& y) override;
  bool loads_in_time() const override { return loads_in_time_; }
  void set_fixed(double t, Buffer& x) override;
  void set_material(std::vector<HeatMaterial> material) override;
  void set_loads(std::vector<HeatBoundary> boundary, Expression source) override;
  void sample(const Buffer& x, const Buffer& unknown, const Buffer& weight, Buffer& out, std::int64_t count,
              std::int64_t offset) override;
  bool has_transfer() const override { return faces_.transfers; }
  double compile_seconds() const override { return compile_seconds_ + products_->compile_seconds(); }
  Work apply_work() const { return products_->work(); }
  const Buffer* dots() const override { return faces_.transfers ? nullptr : products_->dots(); }
  std::int64_t dot_count() const override { return products_->dot_count(); }

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
  bool loads_in_time_ = false;
  std::unique_ptr<Program> gathers_, loads_;
  std::unique_ptr<Buffer> face_unknown_, face_list_, face_start_, face_place_, transfer_, trace_, face_result_;
  std::unique_ptr<Buffer> face_points_, face_weight_, face_boundary_;
  std::unique_ptr<Buffer> fixed_points_, fixed_boundary_;
  double compile_seconds_ = 0;
};

}  // namespace swell
