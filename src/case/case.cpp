// SPDX-License-Identifier: Apache-2.0
#include "case/case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "base/error.hpp"
#include "base/names.hpp"
#include "case/section.hpp"

namespace swell {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest_file = 10'000'000;
constexpr int highest_order_3d = 10;

void read_family(const CaseSection& model, Case& to) {
  const auto known = [&]() -> std::vector<std::string> {
    switch (to.kind) {
      case PageKind::elliptic: return {"continuous", "discontinuous"};
      case PageKind::parabolic: return {"continuous"};
      case PageKind::interface: return {"modal"};
      case PageKind::hyperbolic: break;
    }
    return {"nodal", "modal"};
  }();
  to.family = model.text("family").value_or(known.front());
  if (std::find(known.begin(), known.end(), to.family) == known.end())
    throw InputError("{} is \"{}\", but the model '{}' takes {}", model.place("family"), to.family, to.model,
                     fmt::join(known, " or "));
}

// A page that cannot be read is told of when it is parsed.
std::string page_text(const Case& c) {
  if (c.model_file.empty()) return std::string(kernel_texts("models/" + c.model + ".h"));
  std::ifstream in(c.model_file, std::ios::binary);
  std::string text(static_cast<std::size_t>(largest_file), '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

void read_nonlinear(const CaseSection& model, Case& to) {
  to.form = model.text("form").value_or(to.form);
  if (const auto degree = model.whole("degree")) to.degree = static_cast<int>(*degree);
  if (to.degree && to.form != "quadrature")
    throw InputError("{} goes with form = \"quadrature\", not with \"{}\"", model.place("degree"), to.form);
  to.pair = model.text("pair").value_or(to.pair);
  if (model.has("pair") && to.form != "split" && to.form != "auto")
    throw InputError("{} goes with form = \"split\", not with \"{}\"", model.place("pair"), to.form);
  to.shocks = model.text("shocks").value_or(to.shocks);
  to.positivity = model.truth("positivity");
  if (!model.has("filter")) return;
  const CaseSection filter = model.section("filter");
  FilterCase result;
  result.strength = filter.real("strength").value_or(result.strength);
  result.order = static_cast<int>(filter.whole("order").value_or(result.order));
  result.cutoff = filter.real("cutoff").value_or(result.cutoff);
  to.filter = result;
}

void read_model(const CaseSection& model, const fs::path& folder, Case& to) {
  to.model = model.text("name").value_or("");
  const std::string file = model.text("file").value_or("");
  if (to.model.empty() && file.empty())
    throw InputError("{} is empty", model.place(model.has("name") ? "name" : "file"));
  if (!file.empty()) to.model_file = folder / file;
  to.kind = page_kind(page_text(to));
  to.order = static_cast<int>(model.whole("order").value_or(to.order));
  if (dimension_of(to) == 3 && to.order > highest_order_3d)
    throw InputError("{} must be a whole number from 1 to {} in 3 dimensions, not {}", model.place("order"),
                     highest_order_3d, to.order);
  to.flux = model.text("flux").value_or(to.flux);
  to.alpha = to.flux == "central" ? 0 : 1;
  const double alpha = model.real("alpha").value_or(to.alpha);
  if (to.flux != "upwind" && !to.flux.empty() && alpha != to.alpha)
    throw InputError("{} blends the central and the upwind flux, so it goes with flux = \"upwind\", not with \"{}\"",
                     model.place("alpha"), to.flux);
  to.alpha = alpha;
  read_family(model, to);
  to.coefficient_order = static_cast<int>(model.whole("coefficient_order").value_or(to.order));
  if (model.has("coefficient_order") && to.family != "modal")
    throw InputError("{} goes with family = \"modal\", not with \"{}\"", model.place("coefficient_order"), to.family);
  if (to.coefficient_order > to.order)
    throw InputError("{} must not be above model.order, but {} is above {}", model.place("coefficient_order"),
                     to.coefficient_order, to.order);
  read_nonlinear(model, to);
}

void read_levelset(const CaseSection& root, Case& to) {
  const bool asked = to.kind == PageKind::interface;
  if (!asked && root.has("levelset"))
    throw InputError("{} goes with model.name = \"levelset\"", root.place("levelset"));
  if (!asked) return;
  if (!root.has("levelset"))
    throw InputError("{} is missing: the model levelset needs its thickness there", root.place("levelset"));
  const CaseSection section = root.section("levelset");
  LevelSetCase result;
  result.thickness = section.real("thickness").value_or(0);
  result.every = section.whole("every").value_or(result.every);
  result.tolerance = section.real("tolerance").value_or(result.tolerance);
  result.length = section.real("length").value_or(result.length);
  result.at_end = section.real("at_end").value_or(result.at_end);
  to.levelset = result;
}

void read_time(const CaseSection& time, Case& to) {
  const bool heat = to.kind == PageKind::parabolic;
  to.end = time.real("end");
  to.steps = time.whole("steps");
  to.local = time.truth("local").value_or(false);
  to.scheme = time.text("scheme").value_or(heat ? "theta" : to.local ? "ader" : to.scheme);
  if (heat != (to.scheme == "theta" || to.scheme == "bdf2"))
    throw InputError("{} is \"{}\", but {}", time.place("scheme"), to.scheme,
                     heat ? "heat takes theta or bdf2" : "theta and bdf2 go with model.name = \"heat\"");
  to.cfl = time.real("cfl").value_or(to.cfl);
  to.dt = time.real("dt");
  to.theta = time.real("theta").value_or(to.theta);
  to.max_clusters = time.whole("max_clusters").value_or(to.max_clusters);
  if (to.local && to.scheme != "ader")
    throw InputError("{} goes with linear models and scheme = \"ader\", not with \"{}\": take that scheme, or leave local out",
                     time.place("local"), to.scheme);
  if (time.has("max_clusters") && !to.local) throw InputError("{} goes with local = true", time.place("max_clusters"));
  if (time.has("theta") && to.scheme != "theta")
    throw InputError("{} goes with scheme = \"theta\", not with \"{}\"", time.place("theta"), to.scheme);
  if (heat && !to.dt)
    throw InputError("{} is missing: heat is solved in steps of a given length", time.place("dt"));
}

void read_solver(const CaseSection& root, Case& to) {
  const CaseSection solver = root.section("solver");
  if (to.precision == Precision::single_) to.solver.tolerance = 1e-5;
  to.solver.tolerance = solver.real("tolerance").value_or(to.solver.tolerance);
  to.solver.form = solver.text("form").value_or(to.solver.form);
  to.solver.preconditioner = solver.text("preconditioner").value_or(to.solver.preconditioner);
  to.solver.iterations = solver.whole("iterations").value_or(to.solver.iterations);
}

PictureCase read_picture(const CaseSection& picture) {
  PictureCase result{.field = picture.text("field").value_or(""),
                     .width = static_cast<int>(picture.whole("width").value_or(PictureCase().width)),
                     .every = picture.real("every").value_or(0),
                     .low = picture.real("low"),
                     .high = picture.real("high"),
                     .slice = picture.reals("slice")};
  if (result.low && result.high && !(*result.high > *result.low))
    throw InputError("{} must be above low, but {} is not above {}", picture.place("high"), *result.high, *result.low);
  if (!result.slice.empty() && result.slice[3] == 0 && result.slice[4] == 0 && result.slice[5] == 0)
    throw InputError("{} has a normal (its last 3 numbers) of length 0", picture.place("slice"));
  return result;
}

void read_output(const CaseSection& output, const std::string& stem, Case& to) {
  const std::string folder = output.text("folder").value_or("out/" + stem);
  if (folder.empty()) throw InputError("{} must name a folder", output.place("folder"));
  to.output_folder = folder;
  const CaseSection fields = output.section("fields");
  if (output.has("fields")) to.fields_every = fields.real("every").value_or(0);
  to.fields_format = fields.text("format").value_or(to.fields_format);
  if (output.has("picture")) to.picture = read_picture(output.section("picture"));
  if (output.has("checkpoint")) {
    const CaseSection checkpoint = output.section("checkpoint");
    to.checkpoint.emplace();
    to.checkpoint->every = checkpoint.real("every").value_or(to.checkpoint->every);
    to.checkpoint->keep = checkpoint.whole("keep").value_or(to.checkpoint->keep);
  }
  to.energy_every = output.real("energy_every").value_or(to.energy_every);
  to.estimate = output.truth("estimate").value_or(to.estimate);
}

std::string stem_of(const std::string& name) {
  const std::string stem = fs::path(name).stem().string();
  return stem.empty() ? "case" : stem;
}

}  // namespace

Case parse_case(std::string_view toml, const std::string& name, const std::vector<std::string>& overrides,
                const fs::path& folder, std::size_t run) {
  CaseDocument document = parse_document(toml, name);
  if (document.root.contains("verify"))
    throw InputError("{} has [[verify]], so it stands for several runs with expected errors: `swell verify {}` makes them", name, name);
  for (const std::string& text : overrides) apply_override(document, text);
  SweepCase sweep = take_sweep(document);
  for (std::size_t i = 0; i < sweep.keys.size(); ++i)
    apply_override(document, fmt::format("{}={}", sweep.keys[i], sweep.values.at(run)[i]), Override::sweep);
  check_document(document);

  const CaseSection root(document);
  Case result;
  result.title = root.text("title").value_or(stem_of(name));
  result.text = overrides.empty() && sweep.keys.empty() ? std::string(toml) : printed_value(document.root) + "\n";
  read_mesh(root.section("mesh"), folder, result);
  read_model(root.section("model"), folder, result);
  read_levelset(root, result);
  check_unused(root, result);
  read_physics(root, result);
  read_time(root.section("time"), result);
  const CaseSection device = root.section("device");
  result.backend = device.text("backend").value_or(result.backend);
  result.precision = device.text("precision") == "single" ? Precision::single_ : Precision::double_;
  read_solver(root, result);
  read_samples(root, result);
  read_far_field(root, result);
  read_output(root.section("output"), stem_of(name), result);
  result.sweep = std::move(sweep);
  return result;
}

std::string read_case_text(const fs::path& file) {
  const std::string name = file.string();
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) throw InputError("there is no case file {}", shown(name, 200));
  if (fs::is_directory(status)) throw InputError("{} is a folder, not a case file", name);
  if (!fs::is_regular_file(status)) throw InputError("{} is not a plain file, so it cannot be a case file", name);
  const std::uintmax_t size = fs::file_size(file, error);
  if (!error && size > largest_file)
    throw InputError("{} has {} bytes, more than the {} that a case file may have", name, size, largest_file);
  std::ifstream input(file, std::ios::binary);
  std::ostringstream text;
  if (size > 0) text << input.rdbuf();
  if (!input || !text) throw InputError("the case file {} cannot be read", name);
  return text.str();
}

Case read_case(const fs::path& file, const std::vector<std::string>& overrides, std::size_t run) {
  Case result = parse_case(read_case_text(file), file.string(), overrides, file.parent_path(), run);
  result.file = file;
  return result;
}

}  // namespace swell
