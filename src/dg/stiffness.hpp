// SPDX-License-Identifier: Apache-2.0
// How stiff a problem is: what the stable step of an explicit scheme is divided by.
#pragma once

#include <map>

#include "dg/text.hpp"
#include "model/material.hpp"

namespace swell {

struct Stiffness {
  // Largest wave speed times surface over volume (simplices) or times the sum of |grad r_d| (tensor shapes) of the worst cell.
  double transport = 0;
  double crossing = 0;  // largest wave speed over the way from the middle of the cell to its nearest face
  double reaction = 0;  // the fastest rate of the reaction alone
};

using StiffnessOfShapes = std::map<Shape, Stiffness>;

// Over all cells of the element's shape and all times in [0, end]. `of_cells`: that of each of these cells too, viscous terms left out.
Stiffness measure_stiffness(const Problem& problem, const ReferenceElement& element, const MaterialField& field,
                            Device& device, const Program& pointwise, double end, std::vector<Stiffness>* of_cells = nullptr);

// The factor of a wave speed in Stiffness::transport for one element, from the Jacobians at its nodes.
double transport_stiffness(Shape shape, const std::vector<double>& jacobians);
// Directions that come near to every other one, up to their sign: [direction][axis].
std::vector<double> few_directions(int dim);

}  // namespace swell
