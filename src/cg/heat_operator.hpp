// SPDX-License-Identifier: Apache-2.0
// The time steppers' view of a discretisation of heat: a M + b K, right-hand sides, given values, on vectors of its own layout.
#pragma once

#include <functional>

#include "cg/numbering.hpp"
#include "model/diffusion_updates.hpp"
#include "solve/exchange.hpp"
#include "solve/operator.hpp"
#include "solve/vectors.hpp"

namespace swell {

// M = integral of rhoC u v, K = integral of k grad u . grad v plus h u v over the faces with a heat transfer. Vectors hold
// length() entries, of which the solver works on the first size(). All is queued only unless said otherwise.
class HeatOperator {
 public:
  HeatOperator(DiffusionProblem problem, Vectors& vectors)
      : problem_(std::move(problem)), vectors_(vectors), elements_(*problem_.mesh, problem_.order) {}
  virtual ~HeatOperator() = default;
  HeatOperator(const HeatOperator&) = delete;
  HeatOperator& operator=(const HeatOperator&) = delete;

  const DiffusionProblem& problem() const { return problem_; }
  const Elements& elements() const { return elements_; }
  const Numbering& numbering() const { return numbering_; }  // of_node tells the place of a node in a vector
  const std::int32_t* places_of(std::int64_t cell) const { return numbering_.of_node.data() + elements_.first_node(cell); }
  Vectors& vectors() const { return vectors_; }
  const Mesh& mesh() const { return *problem_.mesh; }
  std::int64_t size() const { return sizes_.size; }
  std::int64_t length() const { return sizes_.length; }
  std::int64_t owned() const { return sizes_.owned; }  // as of a LinearOperator
  std::int64_t nodes() const { return sizes_.nodes; }  // unknowns and given values
  std::int64_t given() const { return sizes_.given; }  // values
  // Sums over all ranks.
  std::int64_t all_nodes() const { return sizes_.all_nodes; }
  std::int64_t all_given() const { return sizes_.all_given; }
  bool holds_values() const { return sizes_.all_given > 0; }
  bool loads_in_time() const { return loads_in_time_; }  // load() depends on t
  bool has_transfer() const { return has_transfer_; }    // on any rank
  const std::string& form() const { return form_; }      // in a word or two, for the log
  const HaloExchange* exchange() const { return exchange_; }  // with other ranks

  // Copies of unknowns that ranks share, as of a LinearOperator.
  virtual void add_copies(Buffer&) {}
  virtual void agree(Buffer&) {}
  // Fills in the unknowns of other ranks that this rank's cells hold, where a solve does not keep them. Queued, except for
  // messages between ranks.
  virtual void complete(Buffer&) {}

  // The first `count` entries of y = (a M + b K) x: size(), or length() where the operator has such rows.
  virtual void apply(double a, double b, const Buffer& x, Buffer& y, std::int64_t count) = 0;
  // y = 1 / diagonal of a M + b K, for the unknowns.
  virtual void inverse_diagonal(double a, double b, Buffer& y) = 0;
  // y = M 1 of this rank's cells, for all nodes: y . T, added up over the ranks, is the integral of rhoC T.
  virtual void weigh(Buffer& y) = 0;
  // y_i = integral of f v_i and of the fluxes through the boundary at time t, for the unknowns.
  virtual void load(double t, Buffer& y) = 0;
  virtual void set_fixed(double t, Buffer& x) = 0;
  virtual DiffusionUpdates& updates() = 0;
  // a M + b K with the inverse of its diagonal in passes of its own, where it has them; for the last call's a and b.
  virtual FusedPasses* fused(double, double, const Buffer&) { return nullptr; }
  // Partial sums of x . y that the last apply() to all unknowns left, as of a LinearOperator.
  struct Dots {
    const Buffer* sums = nullptr;
    std::int64_t count = 0;
  };
  virtual Dots dots() const { return {}; }

  // out[offset + i] = x at receiver i; unknown and weight hold [receiver][node of its element], most_nodes() of the elements for
  // each receiver.
  virtual void sample(const Buffer& x, const Buffer& unknown, const Buffer& weight, Buffer& out, std::int64_t count,
                      std::int64_t offset) = 0;
  virtual double compile_seconds() const = 0;
  // The values of an expression in x, y, z, t at the nodes of this rank's cells, of which the first decides.
  std::vector<double> nodal_values(const std::function<double(const double*)>& value) const;

 protected:
  struct Sizes {
    std::int64_t size = 0, length = 0, owned = 0, nodes = 0, given = 0, all_nodes = 0, all_given = 0;
  };

  DiffusionProblem problem_;
  Vectors& vectors_;
  Elements elements_;
  Numbering numbering_;
  Sizes sizes_;
  bool loads_in_time_ = false, has_transfer_ = false;
  std::string form_;
  const HaloExchange* exchange_ = nullptr;
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
  const Buffer* dots() const override { return of_.dots().sums; }
  std::int64_t dot_count() const override { return of_.dots().count; }

 private:
  HeatOperator& of_;
  double a_, b_;
};

}  // namespace swell
