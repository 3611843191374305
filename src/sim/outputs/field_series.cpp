// SPDX-License-Identifier: Apache-2.0
#include "sim/outputs/field_series.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "element/lattice.hpp"
#include "mesh/outer_faces.hpp"

namespace swell {

namespace {

constexpr std::size_t fields_kept = 8;  // in memory

}  // namespace

FieldSeries::FieldSeries(const std::filesystem::path& path) : list_(path) {
  if (path.extension() == ".vtu" || path.extension() == ".pvtu") {
    entries_.push_back({std::numeric_limits<double>::quiet_NaN(), path});
  } else {
    if (std::filesystem::is_directory(path)) list_ = path / "fields.pvd";
    if (!std::filesystem::exists(list_))
      throw InputError("The folder '{}' has no fields.pvd to show; a case asks for it with fields = {{ every = ... }} in [output].", path.string());
    entries_ = read_pvd(list_);
  }
  if (entries_.empty()) throw InputError("The list '{}' names no files.", list_.string());
  for (const auto& piece : vtu_pieces(entries_[0].file)) first_.emplace_back(piece);
  for (const VtuFile& piece : first_) {
    const auto points = piece.points();
    points_.insert(points_.end(), points.begin(), points.end());
    cells_ += piece.cells();
    for (const ShapeRun& run : piece.runs())
      if (runs_.empty() || runs_.back().shape != run.shape) runs_.push_back(run);
      else runs_.back().cells += run.cells;
  }
}

const std::vector<float>& FieldSeries::values(std::size_t picture, int field) {
  for (const Kept& one : kept_)
    if (one.picture == picture && one.field == field) return one.values;
  Kept next{picture, field, {}};
  for (const auto& name : vtu_pieces(entries_[picture].file)) {
    const VtuFile piece(name);
    const auto values = piece.field(first().fields()[field]);
    next.values.insert(next.values.end(), values.begin(), values.end());
  }
  if (3 * next.values.size() != points_.size())
    throw InputError("The picture '{}' has other cells than the first one of '{}'.", entries_[picture].file.string(), list_.string());
  if (kept_.size() == fields_kept) kept_.pop_front();
  kept_.push_back(std::move(next));
  return kept_.back().values;
}

ShownCells FieldSeries::shown_cells() const {
  ShownCells shown;
  shown.runs = runs_;
  shown.order = first().order();
  std::vector<std::int64_t> first_cell{0}, first_point{0};
  for (const ShapeRun& run : runs_) {
    first_cell.push_back(first_cell.back() + run.cells);
    first_point.push_back(first_point.back() + run.cells * lattice_count(run.shape, shown.order));
  }
  shown.coordinates = [this, order = shown.order, first_cell, first_point](std::int64_t cell, double* out) {
    const auto run = static_cast<std::size_t>(std::upper_bound(first_cell.begin() + 1, first_cell.end(), cell) - first_cell.begin() - 1);
    const std::int64_t nodes = lattice_count(runs_[run].shape, order), at = first_point[run] + (cell - first_cell[run]) * nodes;
    std::copy_n(points_.begin() + 3 * at, 3 * nodes, out);
  };
  if (dim() == 3) shown.outer_faces = outer_faces(runs_, shown.order, points_);
  return shown;
}

}  // namespace swell
