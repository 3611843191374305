// SPDX-License-Identifier: Apache-2.0
// The fields of a finished run at the times at which it wrote them, read when they are asked for.
#pragma once

#include <deque>
#include <filesystem>
#include <vector>

#include "io/vtu_read.hpp"
#include "view/scene.hpp"

namespace swell {

class FieldSeries {
 public:
  // The folder of a run, its fields.pvd, or one picture of it (.vtu, .pvtu), whose time is then not known. Throws InputError
  // where there are no fields, or they cannot be read.
  explicit FieldSeries(const std::filesystem::path& path);

  const VtuFile& first() const { return first_.front(); }
  std::int64_t cells() const { return cells_; }
  const std::vector<ShapeRun>& runs() const { return runs_; }  // of all pieces
  int dim() const { return dimension(runs_.front().shape); }
  const std::vector<double>& points() const { return points_; }  // [cell][lattice point][3]
  std::size_t count() const { return entries_.size(); }
  double time(std::size_t picture) const { return entries_[picture].time; }  // NaN where it is not known
  const std::vector<float>& values(std::size_t picture, int field);          // [cell][lattice point]

  // The cells, for scenes; the series must outlive them.
  ShownCells shown_cells() const;

 private:
  struct Kept {
    std::size_t picture;
    int field;
    std::vector<float> values;
  };
  std::filesystem::path list_;
  std::vector<PvdEntry> entries_;  // one file each, or one of each rank
  std::vector<VtuFile> first_;
  std::vector<double> points_;
  std::int64_t cells_ = 0;
  std::vector<ShapeRun> runs_;
  std::deque<Kept> kept_;  // those that were looked at last
};

}  // namespace swell
