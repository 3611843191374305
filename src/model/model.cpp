// SPDX-License-Identifier: Apache-2.0
#include "model/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

#include "base/error.hpp"
#include "base/names.hpp"
#include "model/head.hpp"

namespace swell {

std::string_view kernel_texts_list();

namespace {

void find_functions(Model& model) {
  const std::regex definition(R"(\bFUNCTION\s+(void|real)\s+([A-Za-z0-9_]+)\s*\()");
  for (std::sregex_iterator i(model.text.begin(), model.text.end(), definition), end; i != end; ++i) model.functions.insert((*i)[2]);
}

// Every ghost_KIND, state_KIND and gradient_KIND of the text is a boundary kind, stated in the head or not.
void find_boundaries(Model& model, const std::string& origin) {
  const std::regex function(R"(\bFUNCTION\s+void\s+(ghost|state|gradient)_([A-Za-z0-9_]+)\s*\()");
  for (std::sregex_iterator i(model.text.begin(), model.text.end(), function), end; i != end; ++i) {
    const std::string name = (*i)[2];
    auto found =
        std::find_if(model.boundaries.begin(), model.boundaries.end(), [&](const auto& b) { return b.name == name; });
    if (found == model.boundaries.end()) found = model.boundaries.insert(found, BoundaryKind{name, false, false, {}});
    found->mirror = (*i)[1] == "ghost";
    found->gradient = (*i)[1] == "gradient";
  }
  for (const auto& b : model.boundaries)
    if (!b.mirror && !b.gradient && !model.has("state_" + b.name))
      throw InputError(
          "The model {} cannot be used: its head states the boundary '{}', but there is no function ghost_{} or "
          "state_{}.",
          origin, b.name, b.name, b.name);
}

// NAME of every PREFIX_NAME that the text defines with this type and so many arrays as input; helpers take other arguments.
std::vector<std::string> named(const Model& model, const std::string& type, const std::string& prefix, int inputs) {
  std::string arguments;
  for (int i = 0; i < inputs; ++i) arguments += (i ? R"(,\s*)" : R"(\s*)") + std::string(R"(const\s+real\s*\*\s*\w+\s*)");
  if (type == "void") arguments += R"(,\s*real\s*\*\s*\w+\s*)";
  const std::regex function(R"(\bFUNCTION\s+)" + type + R"(\s+)" + prefix + R"(_([A-Za-z0-9_]+)\s*\()" + arguments + R"(\))");
  std::vector<std::string> all;
  for (std::sregex_iterator i(model.text.begin(), model.text.end(), function), end; i != end; ++i) all.push_back((*i)[1]);
  return all;
}

// Every two-point flux is a numerical flux as well, that of both sides of a face, unless the page has another of this name.
void add_pair_fluxes(Model& model) {
  for (const auto& name : model.pairs) {
    if (std::find(model.fluxes.begin(), model.fluxes.end(), name) != model.fluxes.end()) continue;
    model.text += fmt::format(
        "\nFUNCTION void flux_{}(const real *ql, const real *ml, const real *qr, const real *mr, const real *n, real *f)\n{{\n"
        "  real m[MATERIALS];\n  for (int i = 0; i < MATERIALS; ++i) m[i] = 0.5 * (ml[i] + mr[i]);\n", name);
    model.text += model.variables.empty() ? fmt::format("  pair_{}(ql, qr, m, n, f);\n}}\n", name)
                                          : fmt::format("  real vl[FIELDS], vr[FIELDS];\n  variables_of(ql, ml, vl);\n"
                                                        "  variables_of(qr, mr, vr);\n  pair_{}(vl, vr, m, n, f);\n}}\n", name);
    model.fluxes.push_back(name);
    model.functions.insert("flux_" + name);
  }
}

}  // namespace

bool in_range(const Parameter& p, double value) {
  return std::isfinite(value) && (p.range != Parameter::Range::positive || value > 0) &&
         (p.range != Parameter::Range::not_negative || value >= 0) && (p.range != Parameter::Range::above || value > p.bound);
}

std::string range_words(const Parameter& p) {
  switch (p.range) {
    case Parameter::Range::positive: return "finite and positive";
    case Parameter::Range::not_negative: return "finite and not negative";
    case Parameter::Range::above: return fmt::format("finite and above {}", p.bound);
    case Parameter::Range::any: break;
  }
  return "finite";
}

int Model::field_index(std::string_view field) const {
  const auto i = std::find(fields.begin(), fields.end(), field);
  return i == fields.end() ? -1 : static_cast<int>(i - fields.begin());
}

int Model::variable_index(std::string_view variable) const {
  const auto i = std::find(variables.begin(), variables.end(), variable);
  return i == variables.end() ? -1 : static_cast<int>(i - variables.begin());
}

int Model::material_index(std::string_view parameter) const {
  const auto i = std::find_if(material.begin(), material.end(), [&](const auto& p) { return p.name == parameter; });
  return i == material.end() ? -1 : static_cast<int>(i - material.begin());
}

const BoundaryKind* Model::boundary(std::string_view kind) const {
  const auto i = std::find_if(boundaries.begin(), boundaries.end(), [&](const auto& b) { return b.name == kind; });
  return i == boundaries.end() ? nullptr : &*i;
}

PageKind Model::kind() const {
  if (has("viscous_flux") && !has("flux")) return has("mass") ? PageKind::parabolic : PageKind::elliptic;
  return profile.empty() ? PageKind::hyperbolic : PageKind::interface;
}

namespace {

// The built-in page that a page's head says it extends; empty: none.
std::string extended_page(std::string_view text) {
  std::istringstream lines{std::string(head_of(text))};
  for (std::string line; std::getline(lines, line);)
    if (const auto all = words(line); all.size() > 1 && all[0] == "extends") return all[1];
  return "";
}

// The pages that make this one, the first of them first; without those that are not known.
std::vector<std::string> pages_of(std::string_view text) {
  std::vector<std::string> all{std::string(text)};
  for (std::string base = extended_page(text); !base.empty(); base = extended_page(all.front())) {
    std::string page(kernel_texts("models/" + base + ".h"));
    if (page.empty() || std::find(all.begin(), all.end(), page) != all.end()) break;
    all.insert(all.begin(), std::move(page));
  }
  return all;
}

}  // namespace

PageKind page_kind(std::string_view text) {
  Model model;
  for (const auto& page : pages_of(text)) model.text += page;
  find_functions(model);
  const std::string_view head = head_of(text);
  std::istringstream lines{std::string(head)};
  for (std::string line; std::getline(lines, line);)
    if (const auto all = words(line); all.size() > 1 && all[0] == "profile") model.profile = all[1];
  return model.kind();
}

Model parse_model(std::string_view text, const std::string& origin, int dim) {
  Model model;
  model.dim = dim;
  const auto pages = pages_of(text);
  if (const std::string base = extended_page(pages.front()); !base.empty())
    throw InputError("The model {} cannot be used: its head extends '{}', which is no other built-in model{}.", origin, base,
                     name_hint(base, model_names()));
  for (const auto& page : pages) {
    model.text += page;
    read_head(page, origin, model);
  }
  find_functions(model);
  find_boundaries(model, origin);
  model.fluxes = named(model, "void", "flux", 5);
  model.quantities = named(model, "real", "quantity", 2);
  model.pairs = named(model, "void", "pair", 4);
  for (const auto& name : named(model, "real", "derived", 2)) model.derived.push_back({name, false});
  for (const auto& name : named(model, "real", "derived", 3)) model.derived.push_back({name, true});
  check_head(origin, model);
  add_pair_fluxes(model);
  return model;
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const auto& path : split(std::string(kernel_texts_list()), '\n'))
    if (path.starts_with("models/")) names.push_back(path.substr(7, path.size() - 9));
  return names;
}

std::vector<std::string> model_names(int dim) {
  const auto is_for = [dim](const std::string& name) {
    const std::string_view head = head_of(kernel_texts("models/" + name + ".h"));
    std::istringstream lines{std::string(head)};
    for (std::string line; std::getline(lines, line);)
      if (const auto all = words(line); !all.empty() && all[0] == "dimensions")
        return std::find(all.begin() + 1, all.end(), std::to_string(dim)) != all.end();
    return true;
  };
  std::vector<std::string> names = model_names();
  std::erase_if(names, [&](const std::string& name) { return !is_for(name); });
  return names;
}

Model load_model(const std::string& name, int dim) {
  const auto text = kernel_texts("models/" + name + ".h");
  if (text.empty()) throw InputError("There is no model '{}'{}.", name, name_hint(name, model_names()));
  return parse_model(text, "'" + name + "'", dim);
}

Model parse_user_model(std::string_view text, const std::filesystem::path& file, int dim) {
  Model model = parse_model(text, file.string(), dim);
  std::string name = file.filename().string();
  std::erase_if(name, [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' '; });
  model.text = fmt::format("#line 1 \"{}\"\n{}\n#line 1 \"kernel source behind {}\"\n", name, model.text, name);
  return model;
}

Model load_model_file(const std::filesystem::path& file, int dim) {
  constexpr std::uintmax_t largest = 1 << 20;
  std::error_code code;
  const auto size = std::filesystem::file_size(file, code);
  if (code) throw InputError("The model file {} cannot be read: {}.", file.string(), code.message());
  if (size > largest) throw InputError("The model file {} is larger than 1 MiB.", file.string());
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw InputError("The model file {} cannot be read.", file.string());
  return parse_user_model(text, file, dim);
}

std::string names_text(const Model& model) {
  std::string text = "enum {";
  for (std::size_t i = 0; i < model.fields.size(); ++i) text += fmt::format("{}{}", i ? ", " : " ", model.fields[i]);
  text += " };\n";
  if (!model.material.empty()) {
    text += "enum {";
    for (std::size_t i = 0; i < model.material.size(); ++i)
      text += fmt::format("{}{}", i ? ", " : " ", model.material[i].name);
    text += " };\n";
  }
  for (std::size_t i = 0; i < model.variables.size(); ++i)
    if (model.field_index(model.variables[i]) < 0) text += fmt::format("enum {{ {} = {} }};\n", model.variables[i], i);
  return text;
}

}  // namespace swell
