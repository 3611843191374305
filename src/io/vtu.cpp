// SPDX-License-Identifier: Apache-2.0
#include "io/vtu.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "base/error.hpp"
#include "element/dense.hpp"
#include "element/pyramid.hpp"
#include "element/vtk_order.hpp"
#include "io/vtk_array.hpp"

namespace swell {

static_assert(std::endian::native == std::endian::little, "The files declare little-endian numbers.");

void VtuSource::get(std::int64_t first, std::int64_t count, std::int64_t before, std::int64_t numbers_per_cell, double* out) const {
  if (all_)
    std::copy_n(all_ + before, count * numbers_per_cell, out);
  else
    fill_(first, count, out);
}

namespace {

// An offset stands in this many characters, blank until the array's place is known.
constexpr int offset_width = 20;

// The numbers of vtkCellType.h.
int lagrange_cell_type(Shape shape) {
  switch (shape) {
    case Shape::line: return 68;
    case Shape::triangle: return 69;
    case Shape::quadrilateral: return 70;
    case Shape::tetrahedron: return 71;
    case Shape::hexahedron: return 72;
    case Shape::prism: return 73;
    case Shape::pyramid:
    case Shape::point: break;
  }
  throw RunError("A .vtu file holds lines, triangles, quadrilaterals, tetrahedra, hexahedra or prisms, not cells of shape '{}'.",
                 shape_name(shape));
}

// VTK has no Lagrange pyramid. In collapsed coordinates a pyramid's functions have the degrees of a hexahedron's, one face of which
// is the apex: it is written as that, without loss.
Shape shape_in_file(Shape shape) { return shape == Shape::pyramid ? Shape::hexahedron : shape; }

std::string escaped(const std::string& text) {
  std::string result;
  for (char c : text) switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += c;
    }
  return result;
}

class VtuWriter {
 public:
  VtuWriter(OutputFile& file, const VtuPiece& piece, const VtuOptions& options)
      : file_(file), piece_(piece), options_(options) {
    std::int64_t given = 0;
    for (const ShapeRun& run : piece.runs) {
      const Shape shape = shape_in_file(run.shape);
      const int points = mode_count(shape, piece.order), given_points = mode_count(run.shape, piece.order);
      runs_.push_back({shape, lagrange_cell_type(shape), cells_, run.cells, points_, points, given, given_points, {}});
      if (shape != run.shape)
        runs_.back().from_given = modes(run.shape, piece.order, collapsed_to_pyramid(lattice(shape, piece.order))) *
                                  inverse(modes(run.shape, piece.order, lattice(run.shape, piece.order)));
      cells_ += run.cells;
      points_ += run.cells * points;
      given += run.cells * given_points;
    }
  }

  void write() {
    open();
    section("PointData", [&] {
      for (const VtuField& f : piece_.point_fields) real_array(f.name, f.source, 1, true, options_.single);
      for (const VtuField& f : piece_.point_vectors) real_array(f.name, f.source, 3, true, options_.single);
    });
    section("CellData", [&] {
      for (const VtuField& f : piece_.cell_fields) real_array(f.name, f.source, 1, false, options_.single);
      for (const VtuNumbers& n : piece_.cell_numbers)
        whole_array<std::int32_t>(n.name, "Int32", false, [values = n.values](const Run& run, std::int64_t i, std::int32_t* out) {
          *out = values[run.first_cell + i];
        });
    });
    // Coordinates stay double: in single a small cell far from the origin would fold over.
    section("Points", [&] { real_array("Points", piece_.points, 3, true, false); });
    section("Cells", [&] { topology(); });
    text_ += "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
    file_.write(text_);
    const std::uint64_t base = file_.position();
    for (const Array& array : arrays_) {
      const std::string offset = fmt::format("{}\"", file_.position() - base);
      array.write();
      file_.write_at(array.offset_at, offset.data(), offset.size());
    }
    file_.write("\n</AppendedData>\n</VTKFile>\n");
  }

 private:
  // Cells of one shape that follow each other.
  struct Run {
    Shape shape;
    int type;
    std::int64_t first_cell, cells, first_point;
    int points;  // of a cell
    // The source's points, and what turns them into those of the file where they differ.
    std::int64_t first_given;
    int given_points;
    Matrix from_given;
  };
  struct Array {
    std::size_t offset_at;  // where in the file its offset goes
    std::function<void()> write;
  };

  // Version 2.1 was the first whose hexahedra have the order of edges that vtk_lattice_order() follows; VTK reorders
  // the points of older files.
  void open() {
    text_ = fmt::format(
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"UnstructuredGrid\" version=\"2.2\" byte_order=\"LittleEndian\" header_type=\"UInt64\"{}>\n"
        "<UnstructuredGrid>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n",
        options_.compress ? " compressor=\"vtkZLibDataCompressor\"" : "", points_, cells_);
  }

  void section(const char* name, const std::function<void()>& body) {
    text_ += fmt::format("<{}>\n", name);
    body();
    text_ += fmt::format("</{}>\n", name);
  }

  void declare(const std::string& name, const char* type, int components, std::function<void()> write) {
    text_ += fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"",
                         type, escaped(name), components);
    arrays_.push_back({text_.size(), std::move(write)});
    // The closing quote follows the digits; XML lets the rest of the room be blank.
    text_.append(offset_width, ' ') += "/>\n";
  }

  // Numbers of points, or of cells.
  void real_array(const std::string& name, const VtuSource& source, int components, bool of_points, bool single) {
    declare(name, single ? "Float32" : "Float64", components, [this, &source, components, of_points, single] {
      VtkArrayWriter array(file_, compression(),
                           (of_points ? points_ : cells_) * components * (single ? sizeof(float) : sizeof(double)));
      for (const Run& run : runs_) put_reals(array, run, source, components, of_points, single);
      array.finish();
    });
  }

  void put_reals(VtkArrayWriter& array, const Run& run, const VtuSource& source, int components, bool of_points, bool single) const {
    const bool changed = of_points && run.from_given.size() > 0;
    const std::int64_t per_cell = std::int64_t{components} * (of_points ? run.points : 1);
    const std::int64_t given_per_cell = std::int64_t{components} * (of_points ? run.given_points : 1);
    const std::int64_t before = components * (of_points ? run.first_given : run.first_cell);
    const std::int64_t chunk = std::max<std::int64_t>(1, vtk_block_bytes / (per_cell * sizeof(double)));
    std::vector<double> values(chunk * per_cell), given(changed ? chunk * given_per_cell : 0);
    std::vector<float> narrow;
    for (std::int64_t first = 0; first < run.cells; first += chunk) {
      const std::int64_t count = std::min(chunk, run.cells - first);
      source.get(run.first_cell + first, count, before + first * given_per_cell, given_per_cell, changed ? given.data() : values.data());
      for (std::int64_t cell = 0; changed && cell < count; ++cell)
        Eigen::Map<Matrix>(values.data() + cell * per_cell, run.points, components) =
            run.from_given * Eigen::Map<const Matrix>(given.data() + cell * given_per_cell, run.given_points, components);
      if (single) {
        narrow.assign(values.begin(), values.begin() + count * per_cell);
        array.put(narrow.data(), narrow.size() * sizeof(float));
      } else {
        array.put(values.data(), count * per_cell * sizeof(double));
      }
    }
  }

  template <class Number>
  void whole_array(const std::string& name, const char* type, bool of_points,
                   std::function<void(const Run&, std::int64_t, Number*)> cell_numbers) {
    declare(name, type, 1, [this, of_points, cell_numbers = std::move(cell_numbers)] {
      VtkArrayWriter array(file_, compression(), (of_points ? points_ : cells_) * sizeof(Number));
      for (const Run& run : runs_) {
        std::vector<Number> numbers(of_points ? run.points : 1);
        for (std::int64_t i = 0; i < run.cells; ++i) {
          cell_numbers(run, i, numbers.data());
          array.put(numbers.data(), numbers.size() * sizeof(Number));
        }
      }
      array.finish();
    });
  }

  // Every cell has its own points, in lattice order; the connectivity lists them in VTK's order.
  void topology() {
    std::map<Shape, std::vector<int>> orders;
    for (const Run& run : runs_) orders[run.shape] = vtk_lattice_order(run.shape, piece_.order);
    whole_array<std::int64_t>("connectivity", "Int64", true,
                              [orders = std::move(orders)](const Run& run, std::int64_t cell, std::int64_t* out) {
                                const std::vector<int>& order = orders.at(run.shape);
                                for (int i = 0; i < run.points; ++i) out[i] = run.first_point + cell * run.points + order[i];
                              });
    whole_array<std::int64_t>("offsets", "Int64", false, [](const Run& run, std::int64_t cell, std::int64_t* out) {
      *out = run.first_point + (cell + 1) * run.points;
    });
    whole_array<std::uint8_t>("types", "UInt8", false, [](const Run& run, std::int64_t, std::uint8_t* out) {
      *out = static_cast<std::uint8_t>(run.type);
    });
  }

  int compression() const { return options_.compress ? options_.level : 0; }

  OutputFile& file_;
  const VtuPiece& piece_;
  const VtuOptions& options_;
  std::vector<Run> runs_;
  std::int64_t cells_ = 0, points_ = 0;
  std::string text_;
  std::vector<Array> arrays_;
};

}  // namespace

void write_vtu(const std::filesystem::path& path, const VtuPiece& piece, const VtuOptions& options) {
  atomic_write(path, [&](OutputFile& file) { VtuWriter(file, piece, options).write(); });
}

void write_pvtu(const std::filesystem::path& path, const std::vector<std::string>& pieces, const VtuPiece& piece,
                const VtuOptions& options) {
  const char* real = options.single ? "Float32" : "Float64";
  const auto array = [](const std::string& name, const char* type, int components) {
    return fmt::format("<PDataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\"/>\n", type, escaped(name), components);
  };
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PUnstructuredGrid\" version=\"2.2\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n<PUnstructuredGrid GhostLevel=\"0\">\n<PPointData>\n";
  for (const VtuField& field : piece.point_fields) text += array(field.name, real, 1);
  for (const VtuField& field : piece.point_vectors) text += array(field.name, real, 3);
  text += "</PPointData>\n<PCellData>\n";
  for (const VtuField& field : piece.cell_fields) text += array(field.name, real, 1);
  for (const VtuNumbers& field : piece.cell_numbers) text += array(field.name, "Int32", 1);
  text += "</PCellData>\n<PPoints>\n" + array("Points", "Float64", 3) + "</PPoints>\n";
  for (const std::string& file : pieces) text += fmt::format("<Piece Source=\"{}\"/>\n", escaped(file));
  atomic_write(path, text + "</PUnstructuredGrid>\n</VTKFile>\n");
}

void PvdSeries::add(double time, const std::filesystem::path& file, int part) {
  entries_ += fmt::format("<DataSet timestep=\"{}\" part=\"{}\" file=\"{}\"/>\n", time, part, escaped(file.string()));
  atomic_write(path_,
               "<?xml version=\"1.0\"?>\n"
               "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n" +
                   entries_ + "</Collection>\n</VTKFile>\n");
}

}  // namespace swell
