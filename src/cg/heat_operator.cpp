// SPDX-License-Identifier: Apache-2.0
#include "cg/heat_operator.hpp"

#include <algorithm>
#include <map>

#include "mesh/geometry.hpp"
#include "model/material.hpp"

namespace swell {

namespace {

void move_inside(std::vector<double>& x, int dim) {
  const double inset = inset_of(x, dim);
  for (int d = 0; d < dim; ++d) {
    double sum = 0;
    for (std::size_t i = d; i < x.size(); i += dim) sum += x[i];
    const double middle = sum * dim / static_cast<double>(x.size());
    for (std::size_t i = d; i < x.size(); i += dim) x[i] += inset * (middle - x[i]);
  }
}

}  // namespace

std::vector<double> HeatOperator::nodal_values(const std::function<double(const double*)>& value) const {
  std::map<Shape, CellMap> maps;
  for (const auto& [shape, element] : elements().all()) maps.emplace(shape, CellMap(mesh(), shape, element.nodes));
  const int dim = mesh().dim;
  std::vector<double> x, out(length(), 0.0);
  std::vector<char> known(out.size(), 0);
  // At a sheet, where unknowns are split, each side sees its own value of a jump.
  const bool from_inside = !mesh().sheets.empty();
  elements().for_cells([&](std::int64_t cell, const ReferenceElement& element, std::int64_t) {
    const int per_cell = element.node_count;
    const auto* const places = places_of(cell);
    if (std::all_of(places, places + per_cell, [&](auto place) { return known[place]; })) return;
    x.resize(per_cell * dim);
    maps.at(element.shape).coordinates(cell, x.data());
    if (from_inside) move_inside(x, dim);
    for (int n = 0; n < per_cell; ++n) {
      if (known[places[n]]) continue;
      known[places[n]] = 1;
      double at[4] = {0, 0, 0, 0};
      std::copy_n(x.data() + n * dim, dim, at);
      out[places[n]] = value(at);
    }
  });
  return out;
}

}  // namespace swell
