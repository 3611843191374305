// SPDX-License-Identifier: Apache-2.0
#include "sim/simulation.hpp"
#include "study/verify/verify.hpp"

namespace swell {

namespace {

// The error of the integrators of order 4 must hide behind that of the elements, of order p+1: from order 4 on a
// smaller step.
double cfl_of_order(int order) {
  constexpr double by_order[] = {1, 1, 1, 1, 0.5, 0.25, 0.125};
  return by_order[order < 6 ? order : 6];
}

}  // namespace

std::function<double(Simulation&)> field_error(std::string field) {
  return [field](Simulation& simulation) {
    simulation.advance(simulation.end());
    const int index = simulation.dg().problem().model.field_index(field);
    const ErrorNorms errors = simulation.errors();
    return errors.l2[index] / errors.size[index];
  };
}

VerifySeries study(std::string element, int order, std::vector<int> cells, std::vector<int> quick) {
  VerifySeries series{std::move(element), order, std::move(cells), std::move(quick)};
  series.expected_order = order + 1;
  series.cfl = cfl_of_order(order);
  return series;
}

VerifySeries below(VerifySeries series, double at_most) {
  series.at_most = at_most;
  series.guard = true;
  return series;
}

VerifySeries up_to_phase(VerifySeries series) {
  series.highest_order = 2 * series.order + 1;
  return series;
}

VerifySeries limit(std::string element, int order, std::vector<int> cells, std::vector<int> quick, double at_most,
                   double cfl) {
  VerifySeries series{std::move(element), order, std::move(cells), std::move(quick)};
  series.at_most = at_most;
  series.cfl = cfl;
  return series;
}

VerifySeries lost(std::string element, int order, std::vector<int> cells, std::vector<int> quick, double at_most) {
  VerifySeries series{std::move(element), order, std::move(cells), std::move(quick)};
  series.lost_order = at_most;
  return series;
}

std::vector<VerifySeries> plane_studies() {
  return {study("triangle", 2, {8, 16, 32}),
          study("triangle", 3, {8, 16}, {4, 8}),
          study("triangle", 4, {8, 16}),
          study("quadrilateral", 2, {8, 16, 32}),
          study("quadrilateral", 3, {8, 16}, {4, 8}),
          study("quadrilateral", 4, {8, 16})};
}

std::vector<VerifySeries> space_studies() {
  return {study("tetrahedron", 2, {4, 8, 16}, {4, 8}), study("tetrahedron", 3, {4, 8}),
          study("hexahedron", 2, {4, 8, 16}), study("hexahedron", 3, {4, 8, 16}, {4, 8})};
}

}  // namespace swell
