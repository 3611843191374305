// SPDX-License-Identifier: Apache-2.0
#include "cg/grid/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/timer.hpp"
#include "cg/text.hpp"

namespace swell {

namespace {

constexpr std::int64_t most_slabs = 32;            // of planes on a CPU: few enough that a slab's first plane is cheap
// The number of groups of threads that share the grid on a GPU. Best are as many as a large GPU runs at once (3 on each of 132
// processors, by the registers of a pass), or else several times as many, but few enough that each finds the sum of all groups'
// parts in no time. Slabs of few planes read much of their neighbours, so that they are made only where the GPU would not be
// full otherwise (bench/results/grid-h200-2026-11-16.json).
constexpr std::int64_t groups_at_once = 3 * 132, usual_groups = 1056, least_groups = 528, usual_planes = 16;
// Axes as bits, in the order of the stencil's terms.
constexpr unsigned directions[7] = {1, 2, 4, 3, 5, 6, 7};
constexpr int factorial[4] = {1, 1, 2, 6};

// The tetrahedra of a brick are the ways from its lowest to its highest corner along its axes (Kuhn 1960). Those that hold the
// edge from corner `from` to corner `from | edge`:
int ways(unsigned from, unsigned edge) {
  const int before = std::popcount(from), along = std::popcount(edge);
  return factorial[before] * factorial[along] * factorial[3 - before - along];
}

// Whether there is a brick on this side of a vertex whose class along an axis is first, inner or last.
bool exists(int place, bool behind) { return behind ? place != 0 : place != 2; }

// Tetrahedra around a vertex that hold the edge towards `edge`, or the one opposite to it; edge 0: all.
int around(const std::array<int, 3>& place, unsigned edge, bool opposite) {
  int count = 0;
  for (unsigned from = 0; from < 8; ++from) {
    if (from & edge) continue;
    bool there = true;
    for (int axis = 0; axis < 3; ++axis) {
      const unsigned bit = 1u << axis;
      there = there && exists(place[axis], edge & bit ? opposite : (from & bit) != 0);
    }
    if (there) count += ways(from, edge);
  }
  return count;
}

}  // namespace

std::vector<double> grid_coefficients(const GridProblem& problem, double a, double b) {
  const int half = problem.mass ? 7 : 3;
  double volume = 1.0 / 6;
  for (int axis = 0; axis < 3; ++axis) volume *= problem.edge(axis);
  // On one tetrahedron of a way the gradient's parts are differences along its three axial edges; the mass is V/10, V/20.
  const double mass = problem.mass ? a * problem.material.capacity.constant() * volume / 20 : 0;
  const double stiffness = b * problem.material.conductivity.constant() * volume;
  std::vector<double> all;
  for (int c = 0; c < 27; ++c) {
    const std::array<int, 3> place{c % 3, c / 3 % 3, c / 9};
    std::vector<double> terms(1 + 2 * half);
    terms[0] = 2 * mass * around(place, 0, false);
    for (int s = 0; s < half; ++s)
      for (const bool opposite : {false, true}) {
        const int count = around(place, directions[s], opposite);
        const double edge = s < 3 ? stiffness * count / (problem.edge(s) * problem.edge(s)) : 0;
        terms[0] += edge;
        terms[1 + (opposite ? half : 0) + s] = mass * count - edge;
      }
    all.insert(all.end(), terms.begin(), terms.end());
  }
  return all;
}

GridOperator::GridOperator(const GridProblem& problem, double a, double b, Vectors& vectors)
    : vectors_(vectors), problem_(problem) {
  for (int axis = 0; axis < 3; ++axis) counts_[axis] = problem.count(axis);
  if (problem.slab) counts_[2] = problem.slab->planes;
  const std::int64_t lanes = vectors.device().lanes(vectors.precision());
  // A row's last vector may reach this far beyond its plane, and planes begin where vectors are aligned.
  plane_ = (counts_[0] * counts_[1] + 2 * lanes - 1) / lanes * lanes;
  room_ = (counts_[0] + 2 * lanes) / lanes * lanes;
  width_ = (counts_[0] + 2 + 3 * lanes) / lanes * lanes;
  if (simt()) {
    tiles_ = (counts_[0] * counts_[1] + group - 1) / group;
    const std::int64_t least = problem.slab ? 2 : 1;  // sums have a place for each seam
    slabs_ = std::min(std::max(slabs_of_gpu(), least), counts_[2]);
  }
  // All ranks get one answer, since they run one kernel source.
  keeps_ = problem.keeps.value_or(problem.slab ? vectors.ranks().all(fits_cache()) : fits_cache());
  chunks_ = simt() ? tiles_ * slabs_ : std::min(counts_[2], most_slabs);
  const std::int64_t sets = problem.mass ? 2 : 1, brick_rows = 4 * 6 * sets * width_;
  scratch_size_ = simt() ? 1 : brick_rows + 2 * (plane_ + room_);
  scratch_ = vectors.make(simt() ? 1 : chunks_ * scratch_size_, "planes in the cache");
  p_ = vectors.make(length(), "direction");
  old_ = vectors.make(length(), "direction before");
  if (problem.slab)
    halo_ = std::make_unique<HaloExchange>(vectors.device(), vectors.precision(), vectors.ranks(),
                                           slab_halo(*problem.slab, counts_[1], counts_[0], plane_, place(0, 0, 0)), counts_[0]);
  set_material(problem.material);
  a_ = a, b_ = b;
}

std::int64_t GridOperator::slabs_of_gpu() const {
  const std::int64_t once = groups_at_once / tiles_;
  if (once * tiles_ >= groups_at_once * 9 / 10) return once;
  return std::max(std::min(usual_groups / tiles_, counts_[2] / usual_planes), least_groups / tiles_);
}

// Both passes of an iteration read p and r: where these fit, most of what one pass leaves is there for the next.
bool GridOperator::fits_cache() const {
  return 2 * vertices() * static_cast<std::int64_t>(bytes_of(vectors_.precision())) <= vectors_.device().info().cache_bytes;
}

// The copies do not change the vector's value, so that a const vector may receive them.
void GridOperator::fill_copies(const Buffer& x) {
  if (!halo_) return;
  Buffer& room = const_cast<Buffer&>(x);
  halo_->start(room);
  halo_->finish(room);
}

// Planes that do not depend on other ranks are computed while the messages are on their way, then those beside the halo; a slab
// without inner planes waits first.
void GridOperator::with_copies(const Buffer& x, const std::function<void(const Planes&)>& work) {
  if (!halo_) return work(all_planes());
  const std::int64_t below = problem_.slab->below >= 0 ? 1 : 0, above = problem_.slab->above >= 0 ? 1 : 0;
  Planes inner = all_planes();
  inner.from = below;
  inner.count -= below + above;
  if (inner.count <= 0) {
    fill_copies(x);
    return work(all_planes());
  }
  Buffer& room = const_cast<Buffer&>(x);
  halo_->start(room);
  work(inner);
  halo_->finish(room);
  work({below ? 0 : counts_[2] - 1, below + above, below + above, true});
}

const Buffer& GridOperator::inverse_diagonal() {
  if (!own_inverse_) own_inverse_ = vectors_.make(length(), "inverse diagonal");
  diagonal(a_, b_, *own_inverse_);
  auto inverse = vectors_.download(*own_inverse_, length());
  for (double& d : inverse) d = d == 0 ? 0 : 1 / d;
  vectors_.write(inverse, *own_inverse_);
  scale(a_, b_, *own_inverse_);
  return *own_inverse_;
}

const Program& GridOperator::load(const ProgramText& text) {
  auto& program = programs_[text.text];
  if (!program) {
    const Stopwatch clock;
    program = vectors_.device().compile(text);
    compile_seconds_ += clock.seconds();
  }
  return *program;
}

void GridOperator::expect(const DiffusionMaterial& material) { load(text_for(material)); }

void GridOperator::set_material(DiffusionMaterial material) {
  problem_.material = std::move(material);
  std::vector<double> numbers;
  program_ = &load(text_for(problem_.material, numbers));
  numbers.resize(std::max<std::size_t>(numbers.size(), 1), 0.0);
  if (numbers_ && numbers_->bytes() == numbers.size() * bytes_of(vectors_.precision()))
    vectors_.write(numbers, *numbers_);
  else
    numbers_ = vectors_.upload(numbers, "numbers of the material");
  for (Scaled& scaled : scaled_) scaled.coefficients.reset();
}

std::int64_t GridOperator::count_bad_material() {
  if (!problem_.varies()) {
    const bool good = problem_.material.conductivity.constant() > 0 &&
                      (!problem_.mass || problem_.material.capacity.constant() > 0);
    return good ? 0 : 1;
  }
  const auto bad = vectors_.device().allocate(static_cast<std::size_t>(chunks_) * vectors_.total_bytes(), "checks");
  if (simt())
    launch("grid_check", {*bad, *numbers_}, 0, all_planes());
  else
    launch("grid_check", {*bad, *scratch_, *numbers_, chunks_}, 0, all_planes());
  double count = 0;
  for (const double part : vectors_.read_totals(*bad, chunks_)) count += part;
  return static_cast<std::int64_t>(count);
}

void GridOperator::scale(double a, double b, const Buffer& inverse_diagonal) {
  a_ = a, b_ = b;
  inverse_diagonal_ = &inverse_diagonal;
  fill_copies(inverse_diagonal);
}

// The coefficients are not read where the material varies.
const Buffer& GridOperator::coefficients(double a, double b) {
  if (problem_.varies()) return *numbers_;
  Scaled& scaled = scaled_[a == a_ && b == b_ ? 0 : 1];
  if (scaled.coefficients && scaled.a == a && scaled.b == b) return *scaled.coefficients;
  scaled.a = a, scaled.b = b;
  const auto values = grid_coefficients(problem_, a, b);
  if (scaled.coefficients)
    vectors_.write(values, *scaled.coefficients);
  else
    scaled.coefficients = vectors_.upload(values, "coefficients");
  return *scaled.coefficients;
}

bool GridOperator::given(std::int64_t i, std::int64_t j, std::int64_t k) const {
  const std::int64_t at[3] = {i, j, k + first_plane()};
  for (int axis = 0; axis < 3; ++axis)
    if ((at[axis] == 0 && (problem_.fixed >> (2 * axis) & 1)) ||
        (at[axis] == problem_.count(axis) - 1 && (problem_.fixed >> (2 * axis + 1) & 1)))
      return true;
  return false;
}

void GridOperator::launch(const char* kernel, std::initializer_list<Argument> arguments, double words, const Planes& planes) {
  const double numbers = words * static_cast<double>(counts_[0] * counts_[1] * planes.count);
  const Work work{numbers * static_cast<double>(bytes_of(vectors_.precision())), numbers};
  std::vector<Argument> all(arguments);
  for (const Argument& argument : grid_arguments(planes)) all.push_back(argument);
  vectors_.device().queue().launch(program_->kernel(kernel), tiles_ * planes.cuts, all, work);
}

void GridOperator::apply(double a, double b, const Buffer& x, Buffer& y, bool all) {
  const Buffer& c = coefficients(a, b);
  const Argument a_number = Argument::real(a), b_number = Argument::real(b);
  with_copies(x, [&](const Planes& planes) {
    if (simt())
      launch("grid_apply", {x, y, c, *numbers_, a_number, b_number, std::int64_t{all}}, 2, planes);
    else
      launch("grid_apply", {x, y, *scratch_, c, *numbers_, a_number, b_number, std::int64_t{all}, chunks_}, 2, planes);
  });
}

void GridOperator::diagonal(double a, double b, Buffer& y) {
  const Buffer& c = coefficients(a, b);
  if (simt())
    launch("grid_diagonal", {y, c, *numbers_, Argument::real(a), Argument::real(b)}, 1, all_planes());
  else
    launch("grid_diagonal", {y, *scratch_, c, *numbers_, Argument::real(a), Argument::real(b), chunks_}, 1, all_planes());
}

// The direction of the planes beside this rank's is made here too: only the residual goes between ranks.
void GridOperator::direct(const Buffer& r, const PassSums& s, bool known) {
  std::swap(p_, old_);
  const Buffer& c = coefficients(a_, b_);
  const Argument a = Argument::real(a_), b = Argument::real(b_), is_known = std::int64_t{known};
  const double words = problem_.varies() ? 4 : 3;
  with_copies(r, [&](const Planes& planes) {
    if (simt())
      launch("grid_direct",
             {r, *old_, *p_, *inverse_diagonal_, c, *numbers_, s.before, s.after, s.history, s.products, s.energy, a, b, is_known},
             words, planes);
    else
      launch("grid_direct",
             {r, *old_, *p_, *inverse_diagonal_, *scratch_, c, *numbers_, s.before, s.after, s.history, s.products, s.energy, a,
              b, is_known, chunks_},
             words, planes);
  });
}

void GridOperator::advance(Buffer& x, Buffer& r, const PassSums& s) {
  const Buffer& c = coefficients(a_, b_);
  const Argument a = Argument::real(a_), b = Argument::real(b_);
  const double words = problem_.varies() ? 6 : 5;
  if (simt())
    launch("grid_advance", {x, r, *p_, *inverse_diagonal_, c, *numbers_, s.after, s.energy, s.products, a, b}, words,
           all_planes());
  else
    launch("grid_advance",
           {x, r, *p_, *inverse_diagonal_, *scratch_, c, *numbers_, s.after, s.energy, s.products, a, b, chunks_}, words,
           all_planes());
}

}  // namespace swell
