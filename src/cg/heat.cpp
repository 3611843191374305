// SPDX-License-Identifier: Apache-2.0
#include "cg/heat.hpp"

namespace swell {

HeatStepper::HeatStepper(HeatOperator& of, ImplicitScheme scheme, SolverOptions options)
    : of_(of), vectors_(of.vectors()), options_(options), matrix_(of, 1, 0), solver_(vectors_, matrix_), scheme_(*this, scheme) {
  for (auto* vector : {&inverse_diagonal_, &weights_}) *vector = vectors_.make(of.length(), "diagonal and weights");
  solver_.precondition(*inverse_diagonal_);
}

void HeatStepper::renew(ImplicitScheme scheme, SolverOptions options) {
  scheme_.set_scheme(scheme);
  options_ = options;
  scale_mass_ = scale_stiffness_ = -1;
  weighed_ = false;
}

void HeatStepper::begin(const std::vector<double>& values, double time) {
  write(values, temperature());
  of_.set_fixed(time, temperature());
  of_.complete(temperature());
  scheme_.restart();
}

std::vector<double> HeatStepper::projected(const std::vector<double>& right, const std::vector<double>& guess) {
  const auto moments = vectors_.upload(right, "moments"), inverse = vectors_.make(of_.length(), "diagonal");
  of_.add_copies(*moments);
  begin(guess);
  ScaledOperator mass(of_, 1, 0);
  Pcg solver(vectors_, mass);
  of_.inverse_diagonal(1, 0, *inverse);
  solver.precondition(*inverse);
  solver.solve(*moments, temperature(), options_);
  return vectors_.download(temperature(), of_.length());
}

// Cells may have different values at a node that they share: across a period, or by rounding. The first of them in the mesh decides,
// on whichever rank it is.
void HeatStepper::write(const std::vector<double>& values, Buffer& to) {
  vectors_.write(values, to);
  of_.agree(to);
}

void HeatStepper::resume(const std::vector<double>& values, const std::vector<std::vector<double>>& before, double last_dt,
                         double load_time) {
  write(values, temperature());
  const auto earlier = scheme_.earlier(before.size());
  for (std::size_t i = 0; i < earlier.size(); ++i) write(before[i], *earlier[i]);
  scheme_.resume(before.size(), last_dt, load_time);
}

double HeatStepper::stored_heat() {
  if (!weighed_) of_.weigh(*weights_);
  weighed_ = true;
  return vectors_.dot(*weights_, temperature(), of_.length());
}

void HeatStepper::set_scales(double a, double b) {
  if (a == scale_mass_ && b == scale_stiffness_) return;
  scale_mass_ = a, scale_stiffness_ = b;
  matrix_.scale(a, b);
  if (levels_) return solver_.precondition(levels_->scale(a, b));
  of_.inverse_diagonal(a, b, *inverse_diagonal_);
  solver_.fuse(of_.fused(a, b, *inverse_diagonal_));
}

void HeatStepper::solve(double a, double b, const Buffer& right, Buffer& y) {
  set_scales(a, b);
  report_ = solver_.solve(right, y, options_);
  of_.complete(y);
}

SolveReport HeatStepper::step(double t, double dt) {
  scheme_.step(t, dt);
  return report_;
}

SteadySolver::SteadySolver(HeatOperator& of, SolverOptions options)
    : of_(of), vectors_(of.vectors()), options_(options), matrix_(of, 0, 1), solver_(vectors_, matrix_) {
  for (auto* vector : {&now_, &right_, &inverse_diagonal_})
    *vector = vectors_.make(of.length(), "temperature and right-hand side");
  solver_.precondition(*inverse_diagonal_);
}

SolveReport SteadySolver::solve() {
  of_.inverse_diagonal(0, 1, *inverse_diagonal_);
  solver_.fuse(of_.fused(0, 1, *inverse_diagonal_));
  if (levels_) solver_.precondition(levels_->scale(0, 1));
  of_.load(0, *right_);
  now_->fill_zero();
  of_.set_fixed(0, *now_);
  const SolveReport report = solver_.solve(*right_, *now_, options_, floating());
  of_.complete(*now_);
  return report;
}

void SteadySolver::add(double constant) {
  vectors_.add_constant(constant, *now_, of_.size());
  of_.complete(*now_);
}

}  // namespace swell
