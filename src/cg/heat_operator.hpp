// SPDX-License-Identifier: Apache-2.0
// What the steppers of heat see of a discretisation: a M + b K, right-hand sides, given values, on vectors of its own layout.
#pragma once

#include <functional>

#include "cg/numbering.hpp"
#include "model/diffusion.hpp"
#include "solve/exchange.hpp"
#include "solve/operator.hpp"
#include "solve/vectors.hpp"

namespace swell {

// M = integral of rhoC u v, K = integral of k grad u . grad v plus h u v over the faces with a heat transfer. Vectors hold
// length() numbers, of which the solver works on the first size(). All is queued only unless said otherwise.
class HeatOperator {
 public:
  virtual ~HeatOperator() = default;

  virtual const DiffusionProblem& problem() const = 0;
  virtual const ReferenceElement& element() const = 0;
  // of_node tells the place of a node in a vector.
  virtual const Numbering& numbering() const = 0;
  virtual Vectors& vectors() const = 0;
  const Mesh& mesh() const { return *problem().mesh; }
  virtual std::int64_t size() const = 0;
  virtual std::int64_t length() const = 0;
  virtual std::int64_t owned() const { return size(); }  // as of a LinearOperator
  virtual void add_copies(Buffer&) {}
  virtual void agree(Buffer&) {}
  // What this rank's cells hold of other ranks' unknowns, where a solve does not keep that. Queued, but for what goes between
  // ranks.
  virtual void complete(Buffer&) {}
  virtual std::int64_t nodes() const = 0;   // unknowns and given values
  virtual std::int64_t given() const = 0;   // values
  // Of all ranks together.
  virtual std::int64_t all_nodes() const { return nodes(); }
  virtual std::int64_t all_given() const { return given(); }
  virtual const HaloExchange* exchange() const { return nullptr; }  // with other ranks
  virtual std::string form() const = 0;     // in a word or two, for the log

  // The first `count` numbers of y = (a M + b K) x: size(), or length() where the operator has such rows.
  virtual void apply(double a, double b, const Buffer& x, Buffer& y, std::int64_t count) = 0;
  virtual void diagonal(double a, double b, Buffer& y, std::int64_t count) = 0;
  virtual void invert(Buffer& y, std::int64_t count) = 0;
  // y = M 1 of this rank's cells, for all nodes: y . T, added up over the ranks, is the integral of rhoC T.
  virtual void weigh(Buffer& y) = 0;
  // y_i = integral of f v_i and of the fluxes through the boundary at time t, for the unknowns.
  virtual void load(double t, Buffer& y) = 0;
  virtual bool loads_in_time() const = 0;  // load() depends on t
  virtual void set_fixed(double t, Buffer& x) = 0;
  // Other materials on the same mesh: nothing else is made again. Waits.
  virtual void set_material(std::vector<DiffusionMaterial> material) = 0;
  // The texts that such a material needs; and, once they have been compiled, all that set_material() would make for it but the
  // material itself: for those who know what will come.
  virtual std::vector<ProgramText> texts_for(const std::vector<DiffusionMaterial>& material) const = 0;
  virtual void expect(const std::vector<DiffusionMaterial>& material) = 0;
  // Other fluxes, transfers, given values and source, each boundary of the kind that it was. Waits.
  virtual void set_loads(std::vector<DiffusionBoundary> boundary, Expression source) = 0;
  // a M + b K with the inverse of its diagonal in passes of its own, where it has them; for the last call's a and b.
  virtual FusedPasses* fused(double, double, const Buffer&) { return nullptr; }

  // out[offset + i] = x at receiver i; unknown and weight hold [receiver][node of its element].
  virtual void sample(const Buffer& x, const Buffer& unknown, const Buffer& weight, Buffer& out, std::int64_t count,
                      std::int64_t offset) = 0;
  // The values of an expression in x, y, z, t at the nodes of this rank's cells, of which the first decides.
  std::vector<double> nodal_values(const std::function<double(const double*)>& value) const;
  // On any rank.
  virtual bool has_transfer() const = 0;
  bool holds_values() const { return all_given() > 0; }
  virtual double compile_seconds() const = 0;
  // As of a LinearOperator, of apply() to all unknowns.
  virtual const Buffer* dots() const { return nullptr; }
  virtual std::int64_t dot_count() const { return 0; }
};

// a M + b K as a solver sees it.
class ScaledOperator : public LinearOperator {
 public:
  ScaledOperator(HeatOperator& of, double a, double b) : of_(of), a_(a), b_(b) {}
  void scale(double a, double b) { a_ = a, b_ = b; }
  std::int64_t size() const override { return of_.size(); }
  std::int64_t length() const override { return of_.length(); }
  std::int64_t owned() const override { return of_.owned(); }
  void apply(const Buffer& x, Buffer& y) override { of_.apply(a_, b_, x, y, of_.size()); }
  void add_copies(Buffer& y) override { of_.add_copies(y); }
  void agree(Buffer& y) override { of_.agree(y); }
  const Buffer* dots() const override { return of_.dots(); }
  std::int64_t dot_count() const override { return of_.dot_count(); }

 private:
  HeatOperator& of_;
  double a_, b_;
};

}  // namespace swell
