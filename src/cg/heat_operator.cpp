// SPDX-License-Identifier: Apache-2.0
#include "cg/heat_operator.hpp"

#include <algorithm>

#include "mesh/geometry.hpp"

namespace swell {

std::vector<double> HeatOperator::nodal_values(const std::function<double(const double*)>& value) const {
  const CellMap map(mesh(), element().nodes);
  const int dim = mesh().dim, per_cell = element().node_count;
  const auto& of_node = numbering().of_node;
  std::vector<double> x(per_cell * dim), out(length(), 0.0);
  std::vector<char> known(out.size(), 0);
  for (std::int64_t cell = 0; cell < mesh().cell_count(); ++cell) {
    const auto* const places = of_node.data() + cell * per_cell;
    if (std::all_of(places, places + per_cell, [&](auto place) { return known[place]; })) continue;
    map.coordinates(cell, x.data());
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
