// SPDX-License-Identifier: Apache-2.0
#include "mesh/outer_faces.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "element/lattice.hpp"

namespace swell {

namespace {

using Place = std::array<std::int64_t, 3>;
using Face = std::array<std::int64_t, 4>;  // numbers of vertices, ascending; -1 before those of a triangle

struct Hash {
  template <std::size_t Count>
  std::size_t operator()(const std::array<std::int64_t, Count>& numbers) const {
    std::uint64_t hash = 14695981039346656037u;
    for (const auto number : numbers) hash = (hash ^ static_cast<std::uint64_t>(number)) * 1099511628211u;
    return hash ^ hash >> 29;
  }
};

// Gives points at the same place the same number. Two cells may see a place with another last digit, on two sides of a bound
// of the grid: its neighbours are checked as well.
class Places {
 public:
  Places(std::array<double, 3> low, double width) : low_(low), width_(width) {}

  std::int64_t number(const double* point) {
    Place at;
    for (int d = 0; d < 3; ++d) at[d] = static_cast<std::int64_t>(std::floor((point[d] - low_[d]) / width_));
    for (std::int64_t k = -1; k <= 1; ++k)
      for (std::int64_t j = -1; j <= 1; ++j)
        for (std::int64_t i = -1; i <= 1; ++i)
          if (const auto found = known_.find({at[0] + i, at[1] + j, at[2] + k}); found != known_.end()) return found->second;
    return known_.emplace(at, static_cast<std::int64_t>(known_.size())).first->second;
  }

 private:
  std::array<double, 3> low_;
  double width_;
  std::unordered_map<Place, std::int64_t, Hash> known_;
};

}  // namespace

std::vector<std::pair<std::int64_t, int>> outer_faces(const std::vector<ShapeRun>& runs, int order, const std::vector<double>& points) {
  constexpr double same = 1e-9;
  std::array<double, 3> low{}, high{};
  low.fill(std::numeric_limits<double>::infinity());
  high.fill(-std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < points.size(); ++i) low[i % 3] = std::min(low[i % 3], points[i]), high[i % 3] = std::max(high[i % 3], points[i]);
  const double size = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2], std::numeric_limits<double>::min()});
  Places places(low, same * size);
  std::unordered_map<Face, std::pair<std::int64_t, int>, Hash> open;
  std::int64_t cell = 0, first = 0;  // point of the cell
  for (const ShapeRun& run : runs) {
    const Shape shape = run.shape;
    std::vector<std::int64_t> vertex(vertex_count(shape));
    for (std::int64_t i = 0; i < run.cells; ++i, ++cell, first += lattice_count(shape, order)) {
      for (int v = 0; v < vertex_count(shape); ++v) {
        LatticeIndex index = lattice_vertex(shape, v);
        for (int& step : index) step *= order;
        vertex[v] = places.number(points.data() + 3 * (first + lattice_number(shape, order, index)));
      }
      for (int face = 0; face < face_count(shape); ++face) {
        std::vector<std::int64_t> corners;
        for (const int v : face_vertices(shape, face)) corners.push_back(vertex[v]);
        std::sort(corners.begin(), corners.end());
        corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
        if (corners.size() < 3) continue;
        Face key{-1, -1, -1, -1};
        std::copy_backward(corners.begin(), corners.end(), key.end());
        if (const auto [found, is_new] = open.try_emplace(key, cell, face); !is_new) open.erase(found);
      }
    }
  }
  std::vector<std::pair<std::int64_t, int>> outer;
  for (const auto& [key, face] : open) outer.push_back(face);
  std::sort(outer.begin(), outer.end());
  return outer;
}

}  // namespace swell
