// SPDX-License-Identifier: Apache-2.0
// The coefficients, material included, that the kernels of the symmetric interior penalty method read, as doubles on the host,
// in the layouts of kernels/diffusion/sipg.h.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>

#include "base/expression_steps.hpp"
#include "dg/diffusion/geometry.hpp"
#include "dg/diffusion/penalty.hpp"
#include "mesh/geometry.hpp"

namespace swell {

// [cell]: the material, where all cells are straight with one value each and transfers are numbers. Its values are not checked.
// `rules` are those of cells whose coefficients differ from point to point.
std::optional<std::vector<double>> one_value_each(const DiffusionProblem& problem, const DiffusionRules& rules,
                                                  const DiffusionGeometry& geometry, int threads);

class DiffusionNumbers {
 public:
  // Receives the coefficients for the places from `first` on; they come in pieces that stay in a cache, in any order, one at a
  // time.
  using Sink = std::function<void(const std::vector<double>& numbers, std::int64_t first)>;

  // All must outlive this. `rules` may be those of constant cells.
  DiffusionNumbers(const DiffusionProblem& problem, const DiffusionRules& rules, const DiffusionGeometry& geometry,
                   const DiffusionSides& sides, int threads = 1);

  std::int64_t metric_size() const { return rules_.batches * metric_of_batch(); }
  std::int64_t face_size() const { return rules_.batches * face_of_batch(); }
  // Evaluates the problem's material; `each` has it where the rules are constant. Throws InputError where it is not above 0.
  // [batch][(point)][upper triangle][lane]: k J w grad r_d . grad r_e
  void set_material(const std::vector<double>& each, const Sink& metric);
  // Writes the coefficients of faces with the material of the last set_material() and the problem's transfers. Throws
  // InputError where a transfer is below 0. [batch][face][(point)][slopes, penalty][lane]. False: no boundary of these cells
  // has a Dirichlet value or a transfer condition.
  bool write_faces(const Sink& face);

 private:
  std::int64_t metric_of_batch() const { return rules_.volume_sets() * dim_ * (dim_ + 1) / 2 * lanes_; }
  std::int64_t face_of_batch() const { return rules_.face_sets() * faces_ * (dim_ + 1) * lanes_; }
  std::int64_t cells_end(std::int64_t batch) const { return std::min((batch + 1) * lanes_, mesh_.cell_count()); }
  struct Behind {
    bool boundary = true;
    double part = 0;      // w there
    const double* k;      // at its first point; the own one at a boundary
    const int* turned;    // which of its points lies at each of the face's
    double steepness = 0;
  };
  // Scratch arrays of one thread for the batch that it works on.
  struct Work {
    std::vector<double> value;                // [point][lane]: the material
    std::vector<const Expression*> material;  // [lane]
    std::vector<ExpressionRunner> runner;     // [region]
    std::vector<double> place;                // [axis][point][lane]
    std::vector<double> x;                    // [point][axis], of one cell that is not straight
    std::vector<Behind> behind;               // [lane], of one face
  };
  template <class Make>
  void in_pieces(std::int64_t batches, std::int64_t of_batch, const Sink& sink, const Make& make);
  void look_at(std::int64_t batch, const std::vector<double>& each, Work& work);
  void find_frames();
  void place_points(std::int64_t batch, Work& work);
  void look_at_points(std::int64_t batch, Work& work);
  void check_material(std::int64_t batch, const Work& work) const;
  void find_steepness(std::int64_t batch, Work& work);
  void write_metric(std::int64_t batch, const Work& work, double* to) const;
  void find_behind(std::int64_t batch, int f, Work& work) const;
  void write_face(std::int64_t batch, int f, const Work& work, double* to) const;
  bool write_transfers(std::size_t side, double* batch) const;

  const DiffusionProblem& problem_;
  const Mesh& mesh_;
  const DiffusionRules& rules_;
  const DiffusionGeometry& geometry_;
  const DiffusionSides& sides_;
  const int dim_, faces_, lanes_;
  std::vector<double> at_faces_;   // [batch][face][(point)][lane]: material, a little inside the cell
  std::vector<double> steepness_;  // [batch][face][lane]

  // The points at which the material is evaluated: those of the volume, then those of all faces.
  Matrix points_;
  std::vector<std::array<double, 3>> way_;  // [point]: from the middle of the element
  CellMap middle_;
  std::optional<CellMap> map_;              // of the points, where cells are not straight
  std::vector<double> frame_;               // [batch][axis i][x_i, dx_i/dr_j][lane], at the middle of each straight cell
  std::vector<int> first_;                  // [point of a face]: 0, in place of turned points
  std::vector<Work> work_;                  // [thread]
  std::unique_ptr<DiffusionPenalty> penalty_;  // where cells may have several materials
};

}  // namespace swell
