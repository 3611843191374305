// SPDX-License-Identifier: Apache-2.0
#include "solve/pcg.hpp"

#include <algorithm>
#include <cmath>

#include "comm/sums.hpp"

namespace swell {

namespace {

// Iterations between two residuals computed from their definition (Shewchuk 1994, B3).
constexpr std::int64_t replace_every = 50;
// Iterations that are queued before the host polls again, where nothing tells how many a solve takes.
constexpr std::int64_t look_every = 10;
constexpr std::int64_t few_chunks = 64;
enum { rz_, rr_, alpha_, beta_, target_, state_, count_, broken_, scalar_count };  // kernels/solve/scalars.h

}  // namespace

Pcg::Pcg(Vectors& vectors, LinearOperator& a) : vectors_(vectors), a_(a), chunks_(vectors.chunks(a.size())), all_(a.owned()) {
  vectors.ranks().sum(std::span(&all_, 1));
  program_ = vectors.device().compile({"pcg",
                                       vectors.totals_text() + std::string(solve_texts("kernels/solve/scalars.h")) +
                                           std::string(solve_texts("kernels/solve/pcg.h")),
                                       {"direct_jacobi", "direct", "advance", "advance_jacobi", "residual", "dot_partial",
                                        "dot_jacobi", "fewer", "begin_scalars", "make_alpha", "make_beta", "look"},
                                       vectors.precision(),
                                       false});
  r_ = vectors.make(a.length(), "residual");
  p_ = vectors.make(a.length(), "direction");
  q_ = vectors.make(a.length(), "operator times direction");
  Device& device = vectors.device();
  partial_ = device.allocate(2 * static_cast<std::size_t>(chunks_) * vectors.total_bytes(), "partial sums");
  few_ = device.allocate(2 * few_chunks * vectors.total_bytes(), "partial sums");
  for (auto* scalars : {&scalars_, &other_, &seen_})
    *scalars = device.allocate(scalar_count * vectors.total_bytes(), "scalars of the solver");
}

void Pcg::precondition(const Buffer& inverse_diagonal) {
  inverse_diagonal_ = &inverse_diagonal;
  preconditioner_ = nullptr;
}

void Pcg::precondition(Preconditioner& by) {
  if (!z_) z_ = vectors_.make(a_.length(), "preconditioned residual");
  preconditioner_ = &by;
}

void Pcg::fuse(FusedPasses* passes) {
  fused_ = passes;
  if (!passes || passes->chunks() <= fused_room_) return;
  fused_room_ = passes->chunks();
  const auto bytes = static_cast<std::size_t>(fused_room_) * vectors_.total_bytes();
  products_ = vectors_.device().allocate(2 * bytes, "partial sums");
  energy_ = vectors_.device().allocate(bytes, "partial sums");
}

void Pcg::launch(const char* kernel, std::int64_t items, std::initializer_list<Argument> arguments, double words) {
  const double numbers = words * static_cast<double>(a_.size());
  vectors_.device().queue().launch(program_->kernel(kernel), items, arguments,
                                   {numbers * static_cast<double>(bytes_of(vectors_.precision())), numbers});
}

void Pcg::reduce(int sets, const Buffer& partial, std::int64_t chunks) {
  launch("fewer", sets * few_chunks, {partial, *few_, chunks, few_chunks}, 0);
  share(sets, *few_, few_chunks);
}

// Between ranks sums go through the host; the rest of the iteration does not see that.
void Pcg::share(int sets, Buffer& partial, std::int64_t chunks) {
  if (vectors_.ranks().single()) return;
  const auto parts = vectors_.read_totals(partial, sets * chunks);
  const auto each = static_cast<std::size_t>(chunks);
  std::vector<double> sums(static_cast<std::size_t>(sets), 0.0), back(parts.size(), 0.0);
  for (std::size_t i = 0; i < parts.size(); ++i) sums[i / each] += parts[i];
  add_up(vectors_.ranks(), sums);
  for (std::size_t set = 0; set < sums.size(); ++set) back[set * each] = sums[set];
  vectors_.write_totals(back, partial);
}

std::vector<double> Pcg::look() {
  ++reads_;
  if (known_) return vectors_.read_totals(*scalars_, scalar_count);
  launch("fewer", 2 * few_chunks, {*products_, *few_, fused_->chunks(), few_chunks}, 0);
  launch("look", 1, {*few_, *scalars_, *seen_, *history_, few_chunks}, 0);
  return vectors_.read_totals(*seen_, scalar_count);
}

void Pcg::precondition_residual() {
  const auto n = a_.owned();
  if (preconditioner_) {
    preconditioner_->apply(*r_, *z_);
    launch("dot_partial", chunks_, {*r_, *z_, *partial_, n, chunks_}, 2);
  } else {
    launch("dot_jacobi", chunks_, {*r_, *inverse_diagonal_, *partial_, n, chunks_}, 2);
  }
}

void Pcg::replace_residual(const Buffer& b, const Buffer& x) {
  a_.apply(x, *q_);
  launch("residual", chunks_, {b, *q_, *r_, *partial_, a_.size(), a_.owned(), chunks_}, 3);
}

// Rounding brings back a constant part of the residual, which no iteration can lower.
void Pcg::remove_constant() {
  const auto n = a_.size();
  vectors_.add_constant(-vectors_.sum(*r_, a_.owned()) / static_cast<double>(all_), *r_, n);
  q_->fill_zero();
  launch("residual", chunks_, {*r_, *q_, *r_, *partial_, n, a_.owned(), chunks_}, 3);
}

void Pcg::make_room(std::int64_t iterations) {
  if (history_room_ > iterations) return;
  history_room_ = iterations + 1;
  history_ = vectors_.device().allocate(static_cast<std::size_t>(history_room_) * vectors_.total_bytes(), "history");
}

// An iteration up to the new x and r, with r . r in the second set of the partial sums; with the diagonal also r . d r in the
// first.
void Pcg::iterate(Buffer& x) {
  const auto n = a_.size();
  if (fused_) {
    const PassSums sums{*scalars_, *other_, *history_, *products_, *energy_};
    fused_->direct(*r_, sums, known_);
    share(1, *energy_, fused_->chunks());
    fused_->advance(x, *r_, sums);
    share(2, *products_, fused_->chunks());
    std::swap(scalars_, other_);
    known_ = false;
    return;
  }
  if (preconditioner_)
    launch("direct", chunks_, {*z_, *p_, *scalars_, n, chunks_}, 3);
  else
    launch("direct_jacobi", chunks_, {*inverse_diagonal_, *r_, *p_, *scalars_, n, chunks_}, 4);
  a_.apply(*p_, *q_);
  if (a_.dots()) {
    reduce(1, *a_.dots(), a_.dot_count());
  } else {
    launch("dot_partial", chunks_, {*p_, *q_, *partial_, a_.owned(), chunks_}, 2);
    reduce(1, *partial_, chunks_);
  }
  launch("make_alpha", 1, {*few_, *scalars_, few_chunks}, 0);
  if (preconditioner_)
    launch("advance", chunks_, {x, *r_, *p_, *q_, *scalars_, *partial_, n, a_.owned(), chunks_}, 6);
  else
    launch("advance_jacobi", chunks_, {x, *r_, *p_, *q_, *inverse_diagonal_, *scalars_, *partial_, n, a_.owned(), chunks_}, 7);
}

SolveReport Pcg::solve(const Buffer& b, Buffer& x, const SolverOptions& options, bool singular) {
  SolveReport report;
  if (all_ == 0) return report;
  make_room(options.most_iterations);
  const double bb = vectors_.dot(b, b, a_.owned());
  replace_residual(b, x);
  if (singular) {
    report.sum = vectors_.sum(b, a_.owned());
    report.share = bb > 0 ? std::abs(report.sum) / std::sqrt(bb * static_cast<double>(all_)) : 0;
    remove_constant();
  }
  precondition_residual();
  reduce(2, *partial_, chunks_);
  launch("begin_scalars", 1,
         {*few_, *scalars_, *history_, few_chunks, Argument::time(singular ? 0 : bb), Argument::time(options.tolerance)},
         0);
  known_ = true;

  std::vector<double> scalars;
  std::int64_t queued = 0, until = std::max<std::int64_t>(expected_, 1);
  for (;;) {
    until = std::min(until, options.most_iterations);
    for (; queued < until; ++queued) {
      iterate(x);
      const bool replace = (queued + 1) % replace_every == 0;
      if (replace) replace_residual(b, x);
      if (replace && singular) remove_constant();
      if (fused_ && !replace) continue;
      if (replace || preconditioner_) precondition_residual();
      reduce(2, *partial_, chunks_);
      launch("make_beta", 1, {*few_, *scalars_, *history_, few_chunks}, 0);
      known_ = true;
    }
    scalars = look();
    if (scalars[state_] != 0 || queued >= options.most_iterations) break;
    until = queued + look_every;
  }
  report.iterations = static_cast<std::int64_t>(scalars[count_]);
  expected_ = std::max<std::int64_t>(1, report.iterations);
  report.history = vectors_.read_totals(*history_, report.iterations + 1);
  const double scale = std::sqrt(scalars[target_]) / options.tolerance;
  for (double& norm : report.history) norm = scale > 0 ? std::sqrt(norm) / scale : 0;
  const bool finite = std::isfinite(bb) && std::isfinite(scalars[rr_]);
  report.residual = !finite ? NAN : scale > 0 ? std::sqrt(scalars[rr_]) / scale : 0;
  if (scalars[state_] == 1) return report;
  const std::string why = !finite                ? "met numbers that are not finite"
                          : scalars[state_] == 2 ? "broke down, since the operator is not positive definite,"
                                                 : "did not converge";
  throw NotConverged(
      fmt::format("The solver {} after {} iterations: the residual is {:.3e} of the right-hand side, above the tolerance "
                  "{:.3e}; look at the material, or change solver.tolerance and solver.iterations.",
                  why, report.iterations, report.residual, options.tolerance),
      report);
}

}  // namespace swell
