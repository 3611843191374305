// SPDX-License-Identifier: Apache-2.0
// The fixed grid: linear tetrahedra, six a brick, all bricks alike. The operator is a stencil, or where material varies a sum
// over tetrahedra whose material is evaluated in the kernel; an iteration of conjugate gradients is two passes over vectors.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>

#include "cg/grid/slab.hpp"
#include "model/diffusion.hpp"
#include "solve/pcg.hpp"

namespace swell {

struct GridProblem {
  std::array<std::int64_t, 3> cells{1, 1, 1};
  std::array<double, 3> low{0, 0, 0}, high{1, 1, 1};
  std::array<bool, 3> periodic{false, false, false};
  unsigned fixed = 0;  // bits: given values at xmin, xmax, ymin, ymax, zmin, zmax
  bool mass = true;    // there is an M; without it the stencil is smaller
  DiffusionMaterial material = {};
  std::optional<bool> keeps = {};     // on a GPU: p and r stay in its cache from pass to pass; by their size where not said
  std::optional<GridSlab> slab = {};  // this rank's planes, where others have the rest

  double edge(int axis) const { return (high[axis] - low[axis]) / static_cast<double>(cells[axis]); }
  std::int64_t count(int axis) const { return cells[axis] + (periodic[axis] ? 0 : 1); }  // of vertices
  bool varies() const { return !material.conductivity.is_constant() || (mass && !material.capacity.is_constant()); }
};

// a M + b K on the vertices of the grid; entries of the solver's vectors at given values and around the grid are 0. With other
// ranks it has the rows of this rank's planes. The planes beside them in a vector are room for copies from the neighbouring
// ranks: an application fetches them, and leaves 0 there in its result, so that sums over vectors count each vertex once.
class GridOperator : public LinearOperator, public FusedPasses {
 public:
  static constexpr int group = 256;  // threads of a group on a GPU

  GridOperator(const GridProblem& problem, double a, double b, Vectors& vectors);

  const GridProblem& problem() const { return problem_; }
  std::int64_t vertices() const { return counts_[0] * counts_[1] * counts_[2]; }  // of this rank
  std::int64_t all_vertices() const { return counts_[0] * counts_[1] * problem_.count(2); }
  // The place of a vertex in a vector; k counts from this rank's first plane.
  std::int64_t place(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return (2 + k) * plane_ + j * counts_[0] + i;
  }
  bool given(std::int64_t i, std::int64_t j, std::int64_t k) const;
  std::int64_t first_plane() const { return problem_.slab ? problem_.slab->first : 0; }  // of this rank, among all
  const std::array<std::int64_t, 3>& counts() const { return counts_; }
  // Planes that a launch covers, `count` from `from` on in so many chunks; `seams`: those that need copies from other ranks.
  struct Planes {
    std::int64_t from = 0, count = 0, cuts = 1;
    bool seams = false;
  };
  // The beginning of this grid's kernel sources, the same on all ranks and for all sizes; kernels take grid_arguments() last.
  std::string constants() const;
  std::string text_of(const char* path) const;   // of a kernel file, after constants()
  std::vector<Argument> grid_arguments(const Planes& planes) const;
  std::vector<Argument> grid_arguments() const { return grid_arguments(all_planes()); }

  // Sets the operator of LinearOperator and the passes from now on; `inverse_diagonal` must outlive them. Waits for the other
  // ranks.
  void scale(double a, double b, const Buffer& inverse_diagonal);
  // Fetches the planes of a vector that the neighbouring ranks own. Waits for them; the rest is queued.
  void fill_copies(const Buffer& x);
  const HaloExchange* exchange() const { return halo_.get(); }
  // The constants of an expression go to a small buffer: kernel source is compiled only where the expression itself is new.
  // Waits.
  void set_material(DiffusionMaterial material);
  ProgramText text_for(const DiffusionMaterial& material) const;
  // Loads the program for a material that will come.
  void expect(const DiffusionMaterial& material);
  // Tetrahedra of this rank whose material is not above 0. Waits.
  std::int64_t count_bad_material();

  std::int64_t size() const override { return (counts_[2] + 4) * plane_; }
  std::int64_t length() const override { return size(); }
  std::int64_t owned() const override { return problem_.slab ? (counts_[2] + 2) * plane_ : size(); }
  void apply(const Buffer& x, Buffer& y) override { apply(a_, b_, x, y, false); }
  // 0 at given values, or where `all` their rows too.
  void apply(double a, double b, const Buffer& x, Buffer& y, bool all);
  void diagonal(double a, double b, Buffer& y);  // 0 where there is no unknown
  // The inverse diagonal for the current a and b, for use by the passes. Waits.
  const Buffer& inverse_diagonal();
  double compile_seconds() const { return compile_seconds_; }

  std::int64_t chunks() const override { return chunks_; }
  void direct(const Buffer& r, const PassSums& sums, bool known) override;
  void advance(Buffer& x, Buffer& r, const PassSums& sums) override;

 private:
  // Coefficients of one a M + b K.
  struct Scaled {
    double a = 0, b = 0;
    std::unique_ptr<Buffer> coefficients;
  };
  ProgramText text_for(const DiffusionMaterial& material, std::vector<double>& numbers) const;
  const Program& load(const ProgramText& text);
  const Buffer& coefficients(double a, double b);
  void launch(const char* kernel, std::initializer_list<Argument> arguments, double words, const Planes& planes);
  Planes all_planes() const { return {0, counts_[2], simt() ? slabs_ : chunks_}; }
  void with_copies(const Buffer& x, const std::function<void(const Planes&)>& work);
  std::int64_t slabs_of_gpu() const;
  bool fits_cache() const;
  bool simt() const { return vectors_.device().info().simt; }

  Vectors& vectors_;
  GridProblem problem_;
  std::array<std::int64_t, 3> counts_;
  std::int64_t plane_, chunks_, tiles_ = 1, slabs_ = 1, room_, width_, scratch_size_;
  bool keeps_ = false;
  double a_ = 0, b_ = 0, compile_seconds_ = 0;
  std::map<std::string, std::unique_ptr<Program>> programs_;  // by their text
  const Program* program_ = nullptr;
  std::array<Scaled, 2> scaled_;  // the solver's, and another one
  const Buffer* inverse_diagonal_ = nullptr;
  std::unique_ptr<HaloExchange> halo_;
  std::unique_ptr<Buffer> own_inverse_, numbers_, p_, old_, scratch_;
};

// [class x + 3 y + 9 z][term] as kernels/continuous/grid.h has them; 7 terms without mass, else 15. The material is constant.
std::vector<double> grid_coefficients(const GridProblem& problem, double a, double b);

}  // namespace swell
