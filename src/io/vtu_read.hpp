// SPDX-License-Identifier: Apache-2.0
// Field files that Swell has written (io/vtu.hpp), read back: cells in lattice order, arrays when they are asked for. Everything
// that is not so in a file is an InputError that names it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "mesh/mesh.hpp"

namespace swell {

class VtuFile {
 public:
  explicit VtuFile(std::filesystem::path path);

  const std::vector<ShapeRun>& runs() const { return runs_; }  // cells of one shape that follow each other
  int order() const { return order_; }
  std::int64_t cells() const { return cells_; }
  // Fields of points with one component.
  const std::vector<std::string>& fields() const { return fields_; }
  std::vector<double> points() const;                        // [cell][lattice point][3]
  std::vector<float> field(const std::string& name) const;  // [cell][lattice point]

 private:
  struct Array {
    std::string type;
    int components = 1;
    std::uint64_t offset = 0;
  };
  void read_head();
  void find_element();
  void check_order() const;
  const Array& array(const std::string& section, const std::string& name) const;
  std::string bytes_of(const Array& array, std::uint64_t expected) const;
  [[noreturn]] void fail(const std::string& why) const;

  std::filesystem::path path_;
  std::map<std::string, Array> arrays_;  // by section/name
  std::vector<std::string> fields_;
  bool compressed_ = false;
  std::uint64_t base_ = 0;  // where the arrays begin
  std::int64_t point_count_ = 0, cells_ = 0;
  std::vector<ShapeRun> runs_;
  int order_ = 1;
};

struct PvdEntry {
  double time = 0;
  std::filesystem::path file;  // beside the .pvd, unless it is absolute
};
std::vector<PvdEntry> read_pvd(const std::filesystem::path& path);
// The pieces that a .pvtu names, or the .vtu itself.
std::vector<std::filesystem::path> vtu_pieces(const std::filesystem::path& path);

}  // namespace swell
