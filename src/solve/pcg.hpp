// SPDX-License-Identifier: Apache-2.0
// Preconditioned conjugate gradients that never leave the device: the host queues iterations and polls their progress now and
// then. Where ranks share the unknowns, sums go between them through the host.
#pragma once

#include "base/error.hpp"
#include "solve/operator.hpp"
#include "solve/vectors.hpp"

namespace swell {

struct SolverOptions {
  double tolerance = 1e-10;            // of the residual, against the larger of |b| and the first residual
  std::int64_t most_iterations = 10000;
};

struct SolveReport {
  std::int64_t iterations = 0;
  double residual = 0;                 // at the end, against the same norm; NAN: the values are not finite
  std::vector<double> history;         // residuals, the first before the first iteration
  // Where the operator is singular: the sum of b, and |sum of b| / (|b| sqrt(n)), which is at most 1.
  double sum = 0, share = 0;
};

// A solver that did not reach its tolerance; it keeps the history for the summary.
class NotConverged : public RunError {
 public:
  NotConverged(const std::string& sentence, SolveReport report) : RunError(sentence), report_(std::move(report)) {}
  const SolveReport& report() const { return report_; }

 private:
  SolveReport report_;
};

class Pcg {
 public:
  Pcg(Vectors& vectors, LinearOperator& a);

  // The inverse of the diagonal, or a preconditioner; both must outlive this and may change between solves.
  void precondition(const Buffer& inverse_diagonal);
  void precondition(Preconditioner& by);
  // Iterates with an operator's own fused passes; nullptr: with the general kernels. precondition() with the inverse diagonal
  // is needed in both cases.
  void fuse(FusedPasses* passes);

  // Solves A x = b from the guess in x. `singular`: A maps constants to 0, so that b is made free of them first. Throws
  // NotConverged.
  SolveReport solve(const Buffer& b, Buffer& x, const SolverOptions& options, bool singular = false);

  std::int64_t reads() const { return reads_; }  // how often the host has polled the device

 private:
  void launch(const char* kernel, std::int64_t items, std::initializer_list<Argument> arguments, double words);
  void reduce(int sets, const Buffer& partial, std::int64_t chunks);
  // Partial sums that passes read themselves: with other ranks the first becomes the sum of all, and the others 0.
  void share(int sets, Buffer& partial, std::int64_t chunks);
  void iterate(Buffer& x);
  void replace_residual(const Buffer& b, const Buffer& x);
  void precondition_residual();
  void remove_constant();
  void make_room(std::int64_t iterations);
  std::vector<double> look();  // the scalars after what was queued; waits

  Vectors& vectors_;
  LinearOperator& a_;
  const Buffer* inverse_diagonal_ = nullptr;
  Preconditioner* preconditioner_ = nullptr;
  FusedPasses* fused_ = nullptr;
  std::unique_ptr<Program> program_;
  std::unique_ptr<Buffer> r_, p_, q_, z_, partial_, few_, scalars_, other_, seen_, history_, products_, energy_;
  std::int64_t chunks_, all_, history_room_ = 0, expected_ = 0, reads_ = 0, fused_room_ = 0;  // all_: unknowns of all ranks
  bool known_ = true;  // beta stands in the scalars
};

}  // namespace swell
