// SPDX-License-Identifier: Apache-2.0
// Poisson's equation with discontinuous elements: the symmetric interior penalty operator without a matrix, and its solution.
#pragma once

#include <algorithm>

#include "dg/diffusion/numbers.hpp"
#include "model/diffusion_updates.hpp"
#include "solve/exchange.hpp"
#include "solve/pcg.hpp"
#include "solve/point_loads.hpp"

namespace swell {

// Vectors are [cell][node] of this rank's cells; all of them are unknowns. With other ranks apply() sends them what they need of
// the traces on shared faces, and works on the cells that touch nobody meanwhile. All is queued only, but for what goes between
// ranks.
class DiffusionOperator : public LinearOperator, public DiffusionUpdates {
 public:
  // The problem's mesh must outlive this.
  DiffusionOperator(DiffusionProblem problem, Vectors& vectors);

  const DiffusionProblem& problem() const { return problem_; }
  const Mesh& mesh() const { return *problem_.mesh; }
  const ReferenceElement& element() const { return rules_.element; }
  // Throws InputError where k is not above 0, naming place and value. Geometric factors and compiled programs are kept.
  void set_material(std::vector<DiffusionMaterial> material) override;
  // Throws InputError where a transfer is below 0.
  void set_loads(std::vector<DiffusionBoundary> boundary, Expression source) override;
  void set_points(std::vector<PointSourceSpec> points) override;
  std::vector<ProgramText> texts_for(const std::vector<DiffusionMaterial>& material) const override;
  void expect(const std::vector<DiffusionMaterial>& material) override;
  Vectors& vectors() const { return vectors_; }
  std::int64_t size() const override { return mesh().own_count() * element().node_count; }
  std::int64_t length() const override { return size(); }

  void apply(const Buffer& x, Buffer& y) override;
  double apply_bytes() const;  // that an application moves
  void inverse_diagonal(Buffer& y);
  // y_i = integral of f v_i, and what the boundaries give.
  void load(Buffer& y);
  // out[offset + i] = x at receiver i; unknown and weight hold [receiver][node of its cell].
  void sample(const Buffer& x, const Buffer& unknown, const Buffer& weight, Buffer& out, std::int64_t count,
              std::int64_t offset);
  // No value is given anywhere and nothing leaves by transfer: constants are mapped to 0.
  bool floating() const { return floating_; }
  double compile_seconds() const { return compile_seconds_ + points_.compile_seconds(); }
  const HaloExchange* exchange() const { return exchange_.get(); }  // with other ranks

 private:
  // The data of one kind of operator: cells and faces with one set of coefficients each, or with several; kept once it was
  // made.
  struct Kind {
    explicit Kind(DiffusionRules rules_) : rules(std::move(rules_)) {}
    DiffusionRules rules;
    std::unique_ptr<DiffusionNumbers> numbers;
    std::unique_ptr<Program> cells, loads;  // loads: as the problem has them, where this kind was needed since
    std::unique_ptr<Buffer> matrix, metric, face;
  };
  ProgramText cells_text(const DiffusionRules& rules) const;
  ProgramText loads_text(const DiffusionRules& rules) const;
  std::vector<bool> kinds_for(const std::vector<DiffusionMaterial>& material) const;  // constant or not
  Kind& kind_for(bool constant);
  void compile_loads(Kind& kind);
  void renew_material();
  void renew_faces();
  void make_load();
  void make_exchange();
  std::int64_t own_batches() const { return (mesh().own_count() + rules_.lanes - 1) / rules_.lanes; }
  void launch(const Program& program, const char* kernel, Items items, std::initializer_list<Argument> arguments, double bytes);
  double part_of_all(Items batches) const {
    return static_cast<double>(batches.count) / static_cast<double>(std::max<std::int64_t>(1, own_batches()));
  }
  void trace(const Buffer& x, Items batches);
  void product(const Buffer& x, Buffer& y, Items batches);

  DiffusionProblem problem_;
  Vectors& vectors_;
  DiffusionRules rules_;  // of cells whose numbers differ
  DiffusionGeometry geometry_;
  DiffusionSides sides_;
  PointLoads points_;
  bool floating_ = false;
  std::int64_t inner_batches_ = 0;
  double compile_seconds_ = 0;
  std::unique_ptr<Kind> constant_, varying_;
  Kind* kind_ = nullptr;  // one of these
  std::unique_ptr<HaloExchange> exchange_;
  std::unique_ptr<Buffer> behind_, trace_;
  std::unique_ptr<Buffer> list_;  // with other ranks: batches, those that touch them last
  std::unique_ptr<Buffer> side_cell_, side_spec_, side_place_, side_weight_, load_points_, load_weight_, load_values_;
};

// div(k grad u) + f = 0.
class DiffusionSolver {
 public:
  DiffusionSolver(DiffusionOperator& of, SolverOptions options);
  // In place of the diagonal; it must outlive this.
  void precondition(Preconditioner& by) { solver_.precondition(by); }
  // The inverse of the diagonal, for a preconditioner's own use; solve() makes it.
  const Buffer& inverse_diagonal() const { return *inverse_diagonal_; }
  void make_inverse_diagonal() { of_.inverse_diagonal(*inverse_diagonal_); }
  void renew(SolverOptions options) { options_ = options; }
  // From 0 on. Where the operator is floating the answer is known up to a constant only. Throws NotConverged.
  SolveReport solve();
  void add(double constant) { vectors_.add_constant(constant, *now_, of_.size()); }  // to the answer
  Buffer& values() { return *now_; }

 private:
  DiffusionOperator& of_;
  Vectors& vectors_;
  SolverOptions options_;
  Pcg solver_;
  std::unique_ptr<Buffer> now_, right_, inverse_diagonal_;
};

}  // namespace swell
