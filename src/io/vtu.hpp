// SPDX-License-Identifier: Apache-2.0
// VTK XML files of Lagrange cells of the run's own order, for ParaView and VisIt, and the .pvd list of their times.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "mesh/mesh.hpp"

namespace swell {

// Numbers for the cells [first, first + count), made when the writer asks for them so that no copy of a whole field
// need exist: out[cell - first][lattice point][component], or out[cell - first][component] for data of cells. An array
// of all cells in that layout, which must outlive the writing, serves as well.
class VtuSource {
 public:
  using Fill = std::function<void(std::int64_t first, std::int64_t count, double* out)>;
  VtuSource(Fill fill) : fill_(std::move(fill)) {}
  VtuSource(const double* all) : all_(all) {}

  // `before`: the numbers of all cells before the first one.
  void get(std::int64_t first, std::int64_t count, std::int64_t before, std::int64_t numbers_per_cell, double* out) const;

 private:
  Fill fill_;
  const double* all_ = nullptr;
};

struct VtuField {
  std::string name;
  VtuSource source;
};

struct VtuNumbers {
  std::string name;
  const std::int32_t* values;  // [cell]
};

struct VtuPiece {
  std::vector<ShapeRun> runs;  // of any shapes but points
  int order = 1;               // of the lattice (element/basis.hpp), in whose order the points of a cell come
  VtuSource points = nullptr;            // 3 components, also in one and two dimensions
  std::vector<VtuField> point_fields;    // 1 component
  std::vector<VtuField> point_vectors;   // 3 components
  std::vector<VtuField> cell_fields;     // 1 component per cell
  std::vector<VtuNumbers> cell_numbers;  // whole numbers per cell, such as the region
};

struct VtuOptions {
  bool single = true;    // fields as Float32 (coordinates stay Float64), else all Float64
  bool compress = true;  // with zlib
  int level = 1;         // of zlib: 1 is fast, 9 is small
};

void write_vtu(const std::filesystem::path& path, const VtuPiece& piece, const VtuOptions& options = {});

// A file that joins the pieces of several ranks, which lie beside it. `piece` says what they hold; its numbers are not read.
void write_pvtu(const std::filesystem::path& path, const std::vector<std::string>& pieces, const VtuPiece& piece,
                const VtuOptions& options = {});

// The list of a run's files and their times, whole on disk after each add(). File names are relative to its folder.
class PvdSeries {
 public:
  explicit PvdSeries(std::filesystem::path path) : path_(std::move(path)) {}
  void add(double time, const std::filesystem::path& file, int part = 0);
  // The entries so far, with which another run can go on.
  const std::string& entries() const { return entries_; }
  void resume(std::string entries) { entries_ = std::move(entries); }

 private:
  std::filesystem::path path_;
  std::string entries_;
};

}  // namespace swell
