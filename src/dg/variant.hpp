// SPDX-License-Identifier: Apache-2.0
// The ways to make the operator's kernels for one group of elements on one device. The first is the default; the tuner
// measures them all and remembers which is best.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "device/tuner.hpp"
#include "dg/layout.hpp"
#include "model/flux_cover.hpp"

namespace swell {

// Sizes of the points at which curved or varying elements are integrated; 0 for groups that do not need them.
struct PointCounts {
  int volume = 0;
  int face = 0;
};

struct Variant {
  enum class Text : std::uint8_t { simd, simt, matrix };  // vectors; threads; threads with matrix (tensor) cores
  Text text = Text::simd;
  int batch = 1;           // elements of one item of a launch
  int threads = 0;         // of a group; 0: no groups
  std::size_t shared = 0;  // bytes of a group
  int resident = 0;        // groups that should fit on one processor
  // Constants of the kernel source, besides BATCH: those that make the variant's name, and those that follow from them.
  std::vector<std::pair<std::string, int>> constants, derived;

  int constant(std::string_view name) const;  // 0 where there is none
  std::string name() const;                   // such as "simt SETS=8 INLINE=2": what the tuner's file holds
};

// Whether a group's elements are integrated at points that are not its nodes, since their map is not affine or material varies where
// no weight-adjusted mass is enough: boundary states then lie at the points of faces too.
bool by_points(const Group& group);

// `cover`: empty where no kernel source can use it.
std::vector<Variant> operator_variants(const Problem& problem, const ReferenceElement& element, const Group& group,
                                       PointCounts points, const FluxCover& cover, const AdjustedMass& adjusted,
                                       const Device& device);

// The variant that Problem::variant names, else what the tuner remembers for `key`, else the default.
Variant choose_variant(const Problem& problem, const std::vector<Variant>& all, const TuningKey& key);

}  // namespace swell
