// SPDX-License-Identifier: Apache-2.0
// `swell plot`: charts of what runs, sweeps and verification left, without code.
#include <fmt/format.h>

#include <set>

#include "app/commands.hpp"
#include "base/error.hpp"
#include "io/files.hpp"
#include "io/plots.hpp"

namespace swell {

namespace {

struct PlotWords {
  std::vector<std::string> paths;
  std::string output, format = "svg", only;
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

struct Drawn {
  std::filesystem::path place;  // without the ending
  Chart chart;
  std::string svg;
};

void plot(const PlotWords& words) {
  // All are drawn before the first is written: wrong input leaves nothing behind.
  std::vector<Drawn> all;
  std::set<std::filesystem::path> places;
  for (const std::string& path : words.paths)
    for (const Chart& chart : charts_of(path, words.only)) {
      const auto place = folder_for(words, path) / file_name(chart.name);
      if (!places.insert(place).second)
        throw InputError("Two pictures would be called '{}'; plot them one by one, each with an --output of its own.", place.string());
      all.push_back({place, chart, chart_svg(chart)});
    }
  for (const auto& [place, chart, svg] : all) {
    if (place.has_parent_path()) create_folder(place.parent_path());
    if (words.format != "png") {
      atomic_write(place.string() + ".svg", svg);
      fmt::print("{}.svg\n", place.string());
    }
    if (words.format != "svg") {
      write_png(place.string() + ".png", chart_image(chart));
      fmt::print("{}.png\n", place.string());
    }
  }
}

}  // namespace

void add_plot(CLI::App& app, int&) {
  auto* command = app.add_subcommand("plot", "Make pictures of receivers, energies, far fields, sweeps and convergence");
  auto words = std::make_shared<PlotWords>();
  command->add_option("path", words->paths, "Output folders of runs; or files: signals, farfield.csv, sweep.csv, verification as JSON")->required();
  command->add_option("--output", words->output, "The folder for the pictures")->type_name("FOLDER");
  command->add_option("--format", words->format, "svg, png or both")->check(CLI::IsMember({"svg", "png", "both"}));
  command->add_option("--only", words->only, "Of verification: the cases whose names begin so")->type_name("NAME");
  command->callback([=] { plot(*words); });
}

}  // namespace swell
