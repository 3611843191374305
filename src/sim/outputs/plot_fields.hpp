// SPDX-License-Identifier: Apache-2.0
// Fields of a finished run as pictures: the work of `swell plot` on fields.pvd and its files.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "io/draw/png.hpp"

namespace swell {

struct FieldPlots {
  std::vector<std::string> fields;  // empty: all
  bool frames = false;              // every time that was written, in one scale of colours; otherwise the last
  bool mesh = false;                // lines along the faces of cells
  std::vector<double> slice;        // in three dimensions: a point and a normal; empty: across z through the middle
  bool surface = false;             // in three dimensions: the boundary as seen from afar, in place of a slice
  std::vector<double> range;        // of the colours, low and high; empty: from the values
  int width = 900;                  // of the field, in pixels
};

struct FieldPlot {
  std::string name;  // for its file
  std::function<Image()> image;
};

// Whether the path is a folder with fields, a .pvd, .vtu or .pvtu.
bool has_fields(const std::filesystem::path& path);
// Checks the request; files are read again when an image is drawn. Throws InputError.
std::vector<FieldPlot> plots_of_fields(const std::filesystem::path& path, const std::string& title, const FieldPlots& wanted);

}  // namespace swell
