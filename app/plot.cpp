// SPDX-License-Identifier: Apache-2.0
// `swell plot`: pictures of what runs, sweeps, verification and measurements left, without code.
#include <fmt/format.h>

#include <functional>
#include <set>

#include "app/commands.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/names.hpp"
#include "io/draw/plots.hpp"
#include "io/files.hpp"
#include "sim/outputs/plot_fields.hpp"

namespace swell {

namespace {

struct PlotWords {
  std::vector<std::string> paths;
  std::string output, format = "svg", only;
  FieldPlots fields;
};

// A name fit for a file on any system.
std::string file_name(const std::string& name) {
  std::string result = name;
  for (char& c : result)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '-' && c != '_') c = '_';
  return result;
}

// Charts of a run's folder stand in a folder of their own in it, those of a file beside it.
std::filesystem::path folder_for(const PlotWords& words, const std::filesystem::path& path) {
  if (!words.output.empty()) return words.output;
  return std::filesystem::is_directory(path) ? path / "plots" : path.parent_path();
}

// A picture that can be written: as vectors where it is a chart, always as pixels.
struct Drawn {
  std::filesystem::path place;  // without the ending
  std::string svg;
  std::function<Image()> image;
};

std::vector<Drawn> drawn(const PlotWords& words, const std::filesystem::path& path) {
  std::vector<Drawn> found;
  const auto folder = folder_for(words, path);
  const bool fields = has_fields(path);
  if (fields) {
    const std::string title = std::filesystem::is_directory(path) ? title_of_run(path) : path.filename().string();
    for (const FieldPlot& plot : plots_of_fields(path, title, words.fields)) found.push_back({folder / file_name(plot.name), "", plot.image});
  }
  // A request for certain fields draws these only.
  if (std::filesystem::is_directory(path) ? words.fields.fields.empty() : !fields)
    for (const Chart& chart : charts_of(path, words.only))
      found.push_back({folder / file_name(chart.name), chart_svg(chart), [chart] { return chart_image(chart); }});
  if (found.empty())
    throw InputError("There is nothing to plot in '{}': no fields.pvd, receivers, surfaces, probes, energy.csv, interface.csv, farfield.csv or sweep.csv.", shown(path.string(), 300));
  return found;
}

void plot(const PlotWords& words) {
  const Log log;  // for warnings of unfinished files
  // All are checked before the first is written: wrong input leaves no file behind.
  std::vector<Drawn> all;
  std::set<std::filesystem::path> places;
  for (const std::string& path : words.paths)
    for (Drawn& one : drawn(words, path)) {
      if (!places.insert(one.place).second)
        throw InputError("Two pictures would be called '{}'; plot them one by one, each with an --output of its own.", one.place.string());
      all.push_back(std::move(one));
    }
  for (const auto& [place, svg, image] : all) {
    if (place.has_parent_path()) create_folder(place.parent_path());
    if (!svg.empty() && words.format != "png") {
      atomic_write(place.string() + ".svg", svg);
      fmt::print("{}.svg\n", place.string());
    }
    if (svg.empty() || words.format != "svg") {
      write_png(place.string() + ".png", image());
      fmt::print("{}.png\n", place.string());
    }
  }
}

}  // namespace

Command plot_command() {
  Command command{"plot", "Make pictures of fields, receivers, energies, far fields, sweeps, convergence, rooflines, tuning and scaling"};
  auto words = std::make_shared<PlotWords>();
  command.option("path", words->paths, "Output folders of runs; or files: fields, signals, farfield.csv, sweep.csv, tuning.txt; verify, bench, tune and scaling as JSON").required();
  command.option("--output", words->output, "The folder for the pictures").value("FOLDER");
  command.option("--format", words->format, "Format of charts: svg, png or both; fields are always png").among({"svg", "png", "both"});
  command.option("--only", words->only, "Only entries of verification, bench and tuning whose names begin so").value("NAME");
  FieldPlots& fields = words->fields;
  command.option("--field", fields.fields, "Fields to draw, and nothing else of a folder; all where none is named").list().value("NAME");
  command.option("--frames", fields.frames, "Fields at all times, in one scale of colours; otherwise at the last");
  command.option("--mesh", fields.mesh, "Lines along the faces of cells, over fields");
  command.option("--slice", fields.slice, "In space: where fields are cut, a point and a normal; otherwise across z in the middle")
      .list()
      .words(6, 6)
      .value("X,Y,Z,NX,NY,NZ");
  command.option("--surface", fields.surface, "In space: the boundary as seen from above and aside, in place of a slice").excludes("--slice");
  command.option("--range", fields.range, "The ends of the scale of colours").list().words(2, 2).value("LOW,HIGH");
  command.option("--width", fields.width, "Width of a field in pixels").within(50, 8000);
  command.run = [words](const Given&) {
    plot(*words);
    return 0;
  };
  return command;
}

}  // namespace swell
