// SPDX-License-Identifier: Apache-2.0
// The material of a problem, sampled inside the cells: never exactly on a face, so that a jump on a face is seen by each side
// as its own value.
#pragma once

#include <map>
#include <vector>

#include "mesh/geometry.hpp"
#include "model/problem.hpp"
#include "model/separated.hpp"

namespace swell {

// The part of the way to a cell's middle by which its points `x` ([point][dim]) move to lie inside of it, too small to matter.
double inset_of(const std::vector<double>& x, int dim);

class MaterialField {
 public:
  // Samples every cell at `points` (reference coordinates) to tell which cells have one material. Throws InputError for values
  // that are not finite or outside the parameter's range, naming cell and place.
  MaterialField(const Problem& problem, const Matrix& points);
  MaterialField(const Problem& problem, const std::map<Shape, Matrix>& points);  // of cells of each shape

  int parameters() const { return static_cast<int>(problem_.model.material.size()); }
  bool varies(std::int64_t cell) const { return varies_[cell]; }
  // Whether a parameter varies inside some cell.
  bool parameter_varies(int parameter) const { return parameter_varies_[parameter]; }
  bool in_time() const { return in_time_; }
  // [parameter] of a cell that does not vary.
  const double* constant(std::int64_t cell) const { return constant_.data() + cell * parameters(); }
  // The values at a physical point of a cell at time t; `checked` points throw where the value is not physical.
  void sample(std::int64_t cell, const double* position, double t, double* out) const;
  // The position moved towards the middle of the cell by a part too small to matter.
  void inside(std::int64_t cell, const double* position, double* out) const;
  // The values from which the kernel `coefficients` finds material in time, one for each axis: the place inside, or where
  // material is separated the field there.
  void changing(std::int64_t cell, const double* position, double* out) const;
  int region(std::int64_t cell) const { return problem_.mesh->region_of(cell); }

 private:
  const Problem& problem_;
  bool in_time_ = false;
  std::optional<Separated> separated_;
  std::vector<char> varies_, parameter_varies_;
  std::vector<double> constant_;
  std::vector<double> middle_;  // [cell][dim]
  std::vector<double> inset_;   // [cell]: part of the way to the middle
};

}  // namespace swell
