// SPDX-License-Identifier: Apache-2.0
// What is asked of a level set's interface, where G = 1/2: what it encloses, its size, where it is off, normals, curvature.
#pragma once

#include <optional>

#include "base/expression.hpp"
#include "dg/levelset/operator.hpp"
#include "io/receivers.hpp"

namespace swell {

struct InterfaceMeasures {
  double enclosed = 0;   // area (2D) or volume (3D) where G > 1/2
  double surface = 0;    // length (2D) or area (3D) of the interface
  double misplaced = 0;  // area or volume where G and the exact G lie on different sides of 1/2; 0 without an exact one
  double exact = 0;      // what the exact G encloses
};

// Cells are cut into small simplices on which G is taken for linear; `exact` may be nullptr.
InterfaceMeasures measure_interface(const LevelSetOperator& dg, const Buffer& state, const Expression* exact, double t);

// At the nodes of all cells, [cell][node]: the components of the normal grad G / |grad G|, which points to where G is larger,
// then the curvature, minus its divergence: positive for a drop with G = 1 inside.
std::vector<std::vector<double>> normals_and_curvature(const LevelSetOperator& dg, const Buffer& state);

// interface.csv: time, mass, enclosed, surface, thickness and how often the profile was restored.
class InterfaceSeries {
 public:
  // `before`: how often the profile had been restored when the file was continued.
  InterfaceSeries(LevelSetOperator& dg, std::optional<ReceiverFile> file, std::int64_t before);
  static const std::vector<std::string>& columns();
  void note(Buffer& state, double t);
  std::int64_t reinitialisations() const { return before_ + dg_.reinitialisations(); }
  ReceiverFile* file() { return file_ ? &*file_ : nullptr; }

 private:
  LevelSetOperator& dg_;
  std::optional<ReceiverFile> file_;  // of the first rank
  std::int64_t before_;
};

}  // namespace swell
