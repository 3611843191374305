// SPDX-License-Identifier: Apache-2.0
#include "io/vtu_read.hpp"

#include <zlib.h>

#include <charconv>
#include <cstring>
#include <fstream>
#include <functional>
#include <optional>
#include <sstream>

#include "base/error.hpp"
#include "element/element.hpp"
#include "element/lattice.hpp"
#include "element/vtk_order.hpp"
#include "io/vtk_array.hpp"

namespace swell {

namespace {

constexpr std::size_t longest_head = 1 << 20;
constexpr std::string_view data_mark = "<AppendedData encoding=\"raw\">\n_";

using Attributes = std::map<std::string, std::string>;

std::string unescaped(std::string text) {
  for (const auto& [code, sign] : {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}})
    for (auto at = text.find(code); at != std::string::npos; at = text.find(code, at + 1)) text.replace(at, std::strlen(code), sign);
  return text;
}

// Calls back with every tag of a text and its attributes; the plain XML that Swell writes, no more.
void for_each_tag(const std::string& text, const std::function<void(const std::string& name, const Attributes&)>& visit) {
  for (auto at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
    const auto end = text.find('>', at);
    if (end == std::string::npos) return;
    const std::string tag = text.substr(at + 1, end - at - 1);
    const auto name_end = tag.find_first_of(" \n/", 1);
    Attributes attributes;
    for (auto equals = tag.find("=\""); equals != std::string::npos; equals = tag.find("=\"", equals + 1)) {
      const auto begin = tag.find_last_of(" \n", equals) + 1, close = tag.find('"', equals + 2);
      if (close == std::string::npos) break;
      attributes[tag.substr(begin, equals - begin)] = unescaped(tag.substr(equals + 2, close - equals - 2));
      equals = close;
    }
    visit(tag.substr(0, name_end), attributes);
  }
}

template <class Number>
std::optional<Number> number_of(const Attributes& attributes, const std::string& name) {
  const auto found = attributes.find(name);
  if (found == attributes.end()) return std::nullopt;
  const std::string& text = found->second;
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) throw InputError("The file '{}' cannot be read.", path.string());
  return text.str();
}

}  // namespace

VtuFile::VtuFile(std::filesystem::path path) : path_(std::move(path)) {
  read_head();
  find_element();
  check_order();
}

void VtuFile::fail(const std::string& why) const {
  throw InputError("The field file '{}' cannot be shown: {}.", path_.string(), why);
}

void VtuFile::read_head() {
  std::ifstream file(path_, std::ios::binary);
  std::string head(longest_head, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  if (head.empty()) fail("it is missing or empty");
  const auto mark = head.find(data_mark);
  if (mark == std::string::npos) fail("it has no raw arrays behind its head, as files of Swell have");
  base_ = mark + data_mark.size();
  head.resize(mark);
  std::string section;
  for_each_tag(head, [&](const std::string& name, const Attributes& given) {
    if (name == "VTKFile") compressed_ = given.contains("compressor");
    if (name == "Piece") {
      point_count_ = number_of<std::int64_t>(given, "NumberOfPoints").value_or(0);
      cells_ = number_of<std::int64_t>(given, "NumberOfCells").value_or(0);
    }
    if (name == "PointData" || name == "CellData" || name == "Points" || name == "Cells") section = name;
    if (name != "DataArray") return;
    const auto offset = number_of<std::uint64_t>(given, "offset");
    if (!offset || !given.contains("Name") || !given.contains("type")) fail("an array in its head has no name, type or offset");
    const Array array{given.at("type"), number_of<int>(given, "NumberOfComponents").value_or(1), *offset};
    arrays_[section + "/" + given.at("Name")] = array;
    if (section == "PointData" && array.components == 1) fields_.push_back(given.at("Name"));
  });
  if (cells_ <= 0 || point_count_ <= 0) fail("it has no cells");
  if (fields_.empty()) fail("it has no fields");
}

const VtuFile::Array& VtuFile::array(const std::string& section, const std::string& name) const {
  const auto found = arrays_.find(section + "/" + name);
  if (found == arrays_.end()) fail(fmt::format("it has no array '{}'", name));
  return found->second;
}

std::string VtuFile::bytes_of(const Array& array, std::uint64_t expected) const {
  std::ifstream file(path_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(base_ + array.offset));
  const auto take = [&](void* to, std::uint64_t count) {
    if (!file.read(static_cast<char*>(to), static_cast<std::streamsize>(count))) fail("it ends too early");
  };
  std::string bytes;
  if (!compressed_) {
    std::uint64_t size = 0;
    take(&size, sizeof size);
    if (size != expected) fail("an array has another length than the head says");
    bytes.resize(size);
    take(bytes.data(), size);
    return bytes;
  }
  std::uint64_t head[3] = {};
  take(head, sizeof head);
  const auto [blocks, block, last] = head;
  const bool whole = last == 0;
  if (block == 0 || blocks == 0 || block > expected + vtk_block_bytes || blocks > expected ||
      (blocks - (whole ? 0 : 1)) * block + last != expected)
    fail("an array has another length than the head says");
  std::vector<std::uint64_t> sizes(blocks);
  take(sizes.data(), sizes.size() * sizeof sizes[0]);
  bytes.resize(expected);
  std::string packed;
  for (std::uint64_t b = 0; b < blocks; ++b) {
    if (sizes[b] > compressBound(block)) fail("a compressed block is too long");
    packed.resize(sizes[b]);
    take(packed.data(), packed.size());
    const std::uint64_t size = b + 1 == blocks && !whole ? last : block;
    uLongf written = size;
    if (uncompress(reinterpret_cast<Bytef*>(bytes.data() + b * block), &written, reinterpret_cast<const Bytef*>(packed.data()),
                   packed.size()) != Z_OK ||
        written != size)
      fail("a compressed block is damaged");
  }
  return bytes;
}

void VtuFile::find_element() {
  const std::string types = bytes_of(array("Cells", "types"), static_cast<std::uint64_t>(cells_));
  constexpr Shape shapes[] = {Shape::line, Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::hexahedron, Shape::prism};
  constexpr int first_type = 68;  // VTK_LAGRANGE_CURVE of vtkCellType.h; the others follow
  for (const char of_cell : types) {
    const int type = static_cast<unsigned char>(of_cell) - first_type;
    if (type < 0 || type >= static_cast<int>(std::size(shapes)))
      fail("its cells are not Lagrange curves, triangles, quadrilaterals, tetrahedra, hexahedra or wedges");
    if (runs_.empty() || runs_.back().shape != shapes[type]) runs_.push_back({shapes[type], 0});
    if (dimension(runs_.back().shape) != dimension(runs_.front().shape)) fail("it has cells of several dimensions");
    ++runs_.back().cells;
  }
  for (order_ = 1; order_ <= max_order(runs_.front().shape); ++order_) {
    std::int64_t points = 0;
    for (const ShapeRun& run : runs_) points += run.cells * lattice_count(run.shape, order_);
    if (points == point_count_) return;
  }
  fail(fmt::format("its {} points belong to no order", point_count_));
}

// Every cell has points of its own, in lattice order: what Swell writes, and what the numbers of fields are read by.
void VtuFile::check_order() const {
  const std::string bytes = bytes_of(array("Cells", "connectivity"), static_cast<std::uint64_t>(point_count_) * sizeof(std::int64_t));
  std::int64_t i = 0;
  for (const ShapeRun& run : runs_) {
    const auto order = vtk_lattice_order(run.shape, order_);
    for (std::int64_t cell = 0; cell < run.cells; ++cell) {
      const std::int64_t first = i;
      for (const int node : order) {
        std::int64_t point = 0;
        std::memcpy(&point, bytes.data() + i++ * sizeof point, sizeof point);
        if (point != first + node) fail("its cells do not have their points in Swell's order");
      }
    }
  }
}

std::vector<double> VtuFile::points() const {
  const Array& given = array("Points", "Points");
  if (given.type != "Float64" || given.components != 3) fail("its points are not three doubles each");
  std::vector<double> points(3 * point_count_);
  const std::string bytes = bytes_of(given, points.size() * sizeof(double));
  std::memcpy(points.data(), bytes.data(), bytes.size());
  return points;
}

std::vector<float> VtuFile::field(const std::string& name) const {
  const Array& given = array("PointData", name);
  std::vector<float> values(point_count_);
  if (given.type == "Float32") {
    const std::string bytes = bytes_of(given, values.size() * sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
  } else if (given.type == "Float64") {
    const std::string bytes = bytes_of(given, values.size() * sizeof(double));
    for (std::size_t i = 0; i < values.size(); ++i) {
      double value = 0;
      std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
      values[i] = static_cast<float>(value);
    }
  } else {
    fail(fmt::format("the field '{}' is of type {}", name, given.type));
  }
  return values;
}

std::vector<PvdEntry> read_pvd(const std::filesystem::path& path) {
  std::vector<PvdEntry> entries;
  for_each_tag(text_of(path), [&](const std::string& name, const Attributes& given) {
    if (name != "DataSet") return;
    const auto time = number_of<double>(given, "timestep");
    if (!time || !given.contains("file")) throw InputError("The list '{}' has an entry without a time or a file.", path.string());
    entries.push_back({*time, path.parent_path() / given.at("file")});
  });
  return entries;
}

std::vector<std::filesystem::path> vtu_pieces(const std::filesystem::path& path) {
  if (path.extension() != ".pvtu") return {path};
  std::vector<std::filesystem::path> pieces;
  for_each_tag(text_of(path), [&](const std::string& name, const Attributes& given) {
    if (name == "Piece" && given.contains("Source")) pieces.push_back(path.parent_path() / given.at("Source"));
  });
  if (pieces.empty()) throw InputError("The file '{}' names no pieces.", path.string());
  return pieces;
}

}  // namespace swell
