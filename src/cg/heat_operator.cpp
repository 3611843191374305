// SPDX-License-Identifier: Apache-2.0
#include "cg/heat_operator.hpp"

#include <algorithm>

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
  const CellMap map(mesh(), element().nodes);
  const int dim = mesh().dim, per_cell = element().node_count;
  const auto& of_node = numbering().of_node;
  std::vector<double> x(per_cell * dim), out(length(), 0.0);
  std::vector<char> known(out.size(), 0);
  // At a sheet, where unknowns are split, each side sees its own value of a jump.
  const bool from_inside = !mesh().sheets.empty();
  for (std::int64_t cell = 0; cell < mesh().cell_count(); ++cell) {
    const auto* const places = of_node.data() + cell * per_cell;
    if (std::all_of(places, places + per_cell, [&](auto place) { return known[place]; })) continue;
    map.coordinates(cell, x.data());
    if (from_inside) move_inside(x, dim);
    for (int n = 0; n < per_cell; ++n) {
      if (known[places[n]]) continue;
      known[places[n]] = 1;
      double at[4] = {0, 0, 0, 0};
      std::copy_n(x.data() + n * dim, dim, at);
      out[places[n]] = value(at);
    }
  }
  return out;
}

}  // namespace swell
