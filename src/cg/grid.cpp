// SPDX-License-Identifier: Apache-2.0
#include "cg/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "cg/text.hpp"

namespace swell {

namespace {

constexpr std::int64_t most_slabs = 32;            // of planes on a CPU: few enough that a slab's first plane is cheap
constexpr std::int64_t most_chunks_simt = 16384;
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
  const int half = a == 0 ? 3 : 7;
  std::array<double, 3> h{};
  double volume = 1.0 / 6;
  for (int axis = 0; axis < 3; ++axis) {
    h[axis] = (problem.high[axis] - problem.low[axis]) / static_cast<double>(problem.cells[axis]);
    volume *= h[axis];
  }
  // On one tetrahedron of a way the gradient's parts are differences along its three axial edges; the mass is V/10, V/20.
  const double mass = a * problem.capacity * volume / 20, stiffness = b * problem.conductivity * volume;
  std::vector<double> all;
  for (int c = 0; c < 27; ++c) {
    const std::array<int, 3> place{c % 3, c / 3 % 3, c / 9};
    std::vector<double> terms(1 + 2 * half);
    terms[0] = 2 * mass * around(place, 0, false);
    for (int s = 0; s < half; ++s)
      for (const bool opposite : {false, true}) {
        const int count = around(place, directions[s], opposite);
        const double edge = s < 3 ? stiffness * count / (h[s] * h[s]) : 0;
        terms[0] += edge;
        terms[1 + (opposite ? half : 0) + s] = mass * count - edge;
      }
    all.insert(all.end(), terms.begin(), terms.end());
  }
  return all;
}

GridOperator::GridOperator(const GridProblem& problem, double a, double b, Vectors& vectors)
    : vectors_(vectors), problem_(problem) {
  for (int axis = 0; axis < 3; ++axis) counts_[axis] = problem.cells[axis] + 1;
  const std::int64_t lanes = vectors.device().lanes(vectors.precision());
  const bool simt = vectors.device().info().threads_are_lanes;
  // A row's last vector may reach this far beyond its plane, and planes begin where vectors are aligned.
  plane_ = (counts_[0] * counts_[1] + 2 * lanes - 1) / lanes * lanes;
  chunks_ = simt ? std::min(vertices(), most_chunks_simt) : std::min(counts_[2], most_slabs);
  const std::int64_t room = (counts_[0] + 2 * lanes) / lanes * lanes;
  std::string text = vectors.totals_text() + "enum { RZ, RR, ALPHA, BETA };\n";
  const auto constant = [&](const char* name, std::int64_t value) { text += fmt::format("#define {} {}\n", name, value); };
  constant("NX", counts_[0]), constant("NY", counts_[1]), constant("NZ", counts_[2]), constant("PLANE", plane_);
  constant("ROOM", room), constant("FIXED", problem.fixed), constant("TERMS", a == 0 ? 7 : 15);
  text += cg_texts("kernels/cg_grid.h");
  text += cg_texts(simt ? "kernels/cg_grid_points.h" : "kernels/cg_grid_rows.h");
  std::vector<std::string> kernels{"grid_apply", "grid_direct", "grid_advance"};
  if (simt) kernels.emplace_back("grid_energy");
  program_ = vectors.device().compile({"heat-grid", text, kernels, vectors.precision(), !simt});
  const auto coefficients = grid_coefficients(problem, a, b);
  coefficients_ = vectors.upload(coefficients, "coefficients");
  std::vector<double> inverse(static_cast<std::size_t>(length()), 0.0);
  const auto terms = coefficients.size() / 27;
  const auto place_of = [&](std::int64_t i, int axis) { return i == 0 ? 0 : i == counts_[axis] - 1 ? 2 : 1; };
  for (std::int64_t k = 0; k < counts_[2]; ++k)
    for (std::int64_t j = 0; j < counts_[1]; ++j)
      for (std::int64_t i = 0; i < counts_[0]; ++i)
        if (!given(i, j, k))
          inverse[place(i, j, k)] = 1 / coefficients[(place_of(i, 0) + 3 * place_of(j, 1) + 9 * place_of(k, 2)) * terms];
  inverse_diagonal_ = vectors.upload(inverse, "inverse diagonal");
  p_ = vectors.make(length(), "direction");
  old_ = vectors.make(length(), "direction before");
  scratch_ = vectors.make(simt ? 1 : chunks_ * 2 * (plane_ + room), "planes in the cache");
}

bool GridOperator::given(std::int64_t i, std::int64_t j, std::int64_t k) const {
  const std::int64_t at[3] = {i, j, k};
  for (int axis = 0; axis < 3; ++axis)
    if ((at[axis] == 0 && (problem_.fixed >> (2 * axis) & 1)) ||
        (at[axis] == counts_[axis] - 1 && (problem_.fixed >> (2 * axis + 1) & 1)))
      return true;
  return false;
}

void GridOperator::apply(const Buffer& x, Buffer& y) {
  const double bytes = 2.0 * static_cast<double>(vertices()) * static_cast<double>(bytes_of(vectors_.precision()));
  auto& queue = vectors_.device().queue();
  if (vectors_.device().info().threads_are_lanes)
    queue.launch(program_->kernel("grid_apply"), vertices(), {x, y, *coefficients_}, {bytes, bytes});
  else
    queue.launch(program_->kernel("grid_apply"), chunks_, {x, y, *coefficients_, chunks_}, {bytes, bytes});
}

void GridOperator::direct(const Buffer& r, const Buffer& scalars, Buffer& partial) {
  const double word = static_cast<double>(vertices()) * static_cast<double>(bytes_of(vectors_.precision()));
  std::swap(p_, old_);
  auto& queue = vectors_.device().queue();
  queue.launch(program_->kernel("grid_direct"), chunks_,
               {r, *old_, *p_, *scratch_, *coefficients_, scalars, partial, chunks_}, {3 * word, 2 * word});
  if (vectors_.device().info().threads_are_lanes)
    queue.launch(program_->kernel("grid_energy"), chunks_, {*p_, *coefficients_, partial, chunks_}, {word, word});
}

void GridOperator::advance(Buffer& x, Buffer& r, const Buffer& scalars, Buffer& partial) {
  const double word = static_cast<double>(vertices()) * static_cast<double>(bytes_of(vectors_.precision()));
  vectors_.device().queue().launch(program_->kernel("grid_advance"), chunks_,
                                   {x, r, *p_, *coefficients_, scalars, partial, chunks_}, {5 * word, 3 * word});
}

}  // namespace swell
