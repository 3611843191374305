// SPDX-License-Identifier: Apache-2.0
#include "model/model.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

#include "base/error.hpp"
#include "base/expression.hpp"
#include "base/names.hpp"

namespace swell {

std::string_view kernel_texts_list();

namespace {

constexpr std::string_view axes[] = {"x", "y", "z"};
// Voigt-like order: diagonal first, then xy, yz, xz.
constexpr std::string_view tensor_2d[] = {"xx", "yy", "xy"};
constexpr std::string_view tensor_3d[] = {"xx", "yy", "zz", "xy", "yz", "xz"};

std::vector<std::string> components(FieldKind kind, const std::string& name, int dim) {
  std::vector<std::string> names;
  if (kind == FieldKind::scalar) return {name};
  if (kind == FieldKind::vector)
    for (int d = 0; d < dim; ++d) names.push_back(name + std::string(axes[d]));
  else if (dim == 2)
    for (auto c : tensor_2d) names.push_back(name + std::string(c));
  else
    for (auto c : tensor_3d) names.push_back(name + std::string(c));
  return names;
}

std::vector<std::string> words(std::string_view line) {
  std::istringstream in{std::string(line)};
  return {std::istream_iterator<std::string>(in), {}};
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(part);
  return parts;
}

bool is_name(std::string_view text) {
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

// The comment at the head of a page, without its first words; empty where there is none.
std::string_view head_of(std::string_view text) {
  constexpr std::string_view first = "/* model";
  const auto begin = text.find(first);
  const auto end = begin == std::string_view::npos ? begin : text.find("*/", begin);
  return end == std::string_view::npos ? std::string_view() : text.substr(begin + first.size(), end - begin - first.size());
}

// Reads the head of a model file line by line.
class Head {
 public:
  Head(std::string_view text, const std::string& origin, Model& model) : origin_(origin), model_(model) {
    const std::string_view head = head_of(text);
    if (head.empty())
      fail("it has no head: a comment that begins with '/* model' and states name, dimensions, fields and material");
    std::istringstream lines{std::string(head)};
    for (std::string line; std::getline(lines, line);) read(line);
  }

  void finish() const {
    if (model_.name.empty()) fail("its head states no 'name'");
    if (model_.fields.empty()) fail("its head states no 'fields'");
    if (!model_.has("flux") && !model_.has("viscous_flux")) fail("it has no function 'flux'");
    if (model_.has("flux") && !model_.has("speed")) fail("it has no function 'speed'");
    if (model_.has("mass") != model_.has("inverse_mass"))
      fail("it has only one of the functions 'mass' and 'inverse_mass'");
    std::set<std::string> seen;
    for (const auto& f : model_.fields) unique(seen, f);
    for (const auto& p : model_.material) unique(seen, p.name);
    for (const auto& r : model_.reaction)
      if (model_.material_index(r) < 0) fail(fmt::format("its 'reaction' names '{}', which is no material", r));
    if (!model_.profile.empty() && model_.field_index(model_.profile) < 0)
      fail(fmt::format("its 'profile' names '{}', which is no field", model_.profile));
    if (!model_.wall.empty() && !model_.boundary(model_.wall))
      fail(fmt::format("its 'wall' is '{}', but there is no function ghost_{} or state_{}", model_.wall, model_.wall,
                       model_.wall));
    if (model_.admissible.empty() == model_.has("admissible"))
      fail("'admissible' in its head, which names quantities that must be positive, and the function admissible(q, m, margin) go "
           "together");
    for (const auto& name : model_.fluxes)
      if (name == "central" || name == "rusanov") fail(fmt::format("it has a function flux_{}, which every model has already", name));
    check_variables(seen);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError("The model {} cannot be used: {}.", origin_, what);
  }

  void unique(std::set<std::string>& seen, const std::string& name) const {
    const auto& functions = expression_functions();
    if (!is_name(name)) fail(fmt::format("'{}' is not a name (letters, digits and _)", name));
    if (std::find(functions.begin(), functions.end(), name) != functions.end())
      fail(fmt::format("the name '{}' is a function of expressions", name));
    // Words of kernel text that a name would hide.
    static const std::set<std::string> taken{"q", "m", "n", "f",    "ql",    "qr",    "ml",   "mr",    "x",
                                             "y", "z", "t", "data", "ghost", "state", "real", "scalar"};
    if (taken.contains(name)) fail(fmt::format("the name '{}' is a word of the kernel text", name));
    if (!seen.insert(name).second) fail(fmt::format("the name '{}' stands twice among fields and material", name));
  }

  void check_variables(std::set<std::string>& seen) const {
    for (const char* conversion : {"variables_of", "fields_of"})
      if (model_.variables.empty() == model_.has(conversion))
        fail("'variables' in its head and the functions variables_of(q, m, v) and fields_of(v, m, q) go together");
    if (!model_.variables.empty() && model_.variables.size() != model_.fields.size())
      fail(fmt::format("it has {} 'variables' for {} fields", model_.variables.size(), model_.fields.size()));
    for (std::size_t i = 0; i < model_.variables.size(); ++i) {
      const int field = model_.field_index(model_.variables[i]);
      if (field < 0) unique(seen, model_.variables[i]);
      if (field >= 0 && field != static_cast<int>(i))
        fail(fmt::format("'{}' is a field and a variable, but not at the same place in both lists", model_.variables[i]));
    }
  }

  void read(const std::string& line) {
    const auto all = words(line);
    if (all.empty()) return;
    const std::string& key = all[0];
    const std::string rest = line.substr(line.find(key) + key.size());
    if (key == "name") {
      model_.name = all.size() > 1 ? all[1] : "";
    } else if (key == "about") {
      model_.about = rest.substr(rest.find_first_not_of(' '));
    } else if (key == "dimensions") {
      const bool fits = std::find(all.begin() + 1, all.end(), std::to_string(model_.dim)) != all.end();
      if (!fits)
        fail(fmt::format("it has dimensions{}, but the mesh has {}", rest.substr(rest.find_last_of(' ')), model_.dim));
    } else if (key == "fields") {
      for (const auto& part : split(rest, ',')) add_field(words(part));
    } else if (key == "variables") {
      for (const auto& part : split(rest, ',')) add_variable(words(part));
    } else if (key == "admissible") {
      model_.admissible.assign(all.begin() + 1, all.end());
    } else if (key == "material") {
      for (const auto& part : split(rest, ',')) add_material(words(part));
    } else if (key == "linear") {
      model_.linear = all.size() > 1 && all[1] == "yes";
    } else if (key == "reaction") {
      model_.reaction.assign(all.begin() + 1, all.end());
    } else if (key == "wall") {
      model_.wall = all.size() > 1 ? all[1] : "";
    } else if (key == "profile") {
      model_.profile = all.size() > 1 ? all[1] : "";
    } else if (key == "boundary") {
      add_boundary(rest);
    } else {
      fail(fmt::format("its head has the unknown word '{}'{}", key,
                       name_hint(key, {"name", "about", "dimensions", "fields", "material", "linear", "reaction",
                                       "wall", "profile", "boundary", "variables", "admissible"})));
    }
  }

  // KIND NAME
  FieldGroup group_of(const std::vector<std::string>& part, const char* key) const {
    if (part.size() != 2) fail(fmt::format("each of its '{}' is a kind (scalar, vector, symmetric) and a name", key));
    FieldGroup group;
    if (part[0] == "vector")
      group.kind = FieldKind::vector;
    else if (part[0] == "symmetric")
      group.kind = FieldKind::symmetric;
    else if (part[0] != "scalar")
      fail(fmt::format("'{}' is no kind of field (scalar, vector, symmetric)", part[0]));
    group.name = part[1];
    return group;
  }

  void add_variable(const std::vector<std::string>& part) {
    const FieldGroup group = group_of(part, "variables");
    for (auto& c : components(group.kind, group.name, model_.dim)) model_.variables.push_back(std::move(c));
  }

  void add_field(const std::vector<std::string>& part) {
    FieldGroup group = group_of(part, "fields");
    group.first = static_cast<int>(model_.fields.size());
    model_.groups.push_back(group);
    for (auto& c : components(group.kind, part[1], model_.dim)) model_.fields.push_back(std::move(c));
  }

  // NAME = NUMBER [positive | not-negative]; of a boundary also NAME alone, which then must be given
  Parameter parameter(const std::vector<std::string>& part) const {
    Parameter p;
    if (part.size() == 1) {
      p.name = part[0];
      p.needed = true;
      return p;
    }
    const bool shape = (part.size() == 3 || part.size() == 4) && part[1] == "=";
    if (!shape)
      fail("each parameter is written 'name = number', 'name = number positive' or 'name = number not-negative'");
    p.name = part[0];
    const auto [end, code] = std::from_chars(part[2].data(), part[2].data() + part[2].size(), p.value);
    if (code != std::errc() || end != part[2].data() + part[2].size()) fail(fmt::format("'{}' is no number", part[2]));
    if (part.size() == 4) {
      if (part[3] == "positive")
        p.range = Parameter::Range::positive;
      else if (part[3] == "not-negative")
        p.range = Parameter::Range::not_negative;
      else
        fail(fmt::format("'{}' is no range (positive, not-negative)", part[3]));
    }
    return p;
  }

  void add_material(std::vector<std::string> part) {
    const bool vector = !part.empty() && part[0] == "vector";
    if (vector) part.erase(part.begin());
    const Parameter p = parameter(part);
    if (p.needed) fail(fmt::format("its material '{}' has no default", p.name));
    for (auto& c : components(vector ? FieldKind::vector : FieldKind::scalar, p.name, model_.dim)) {
      Parameter each = p;
      each.name = std::move(c);
      model_.material.push_back(each);
    }
  }

  // KIND [PARAMETER [, PARAMETER]...]
  void add_boundary(const std::string& rest) {
    const auto first = words(rest);
    if (first.empty()) fail("its 'boundary' names no kind");
    BoundaryKind kind;
    kind.name = first[0];
    const std::string list = rest.substr(rest.find(first[0]) + first[0].size());
    if (!words(list).empty())
      for (const auto& part : split(list, ',')) kind.parameters.push_back(parameter(words(part)));
    model_.boundaries.push_back(std::move(kind));
  }

  const std::string& origin_;
  Model& model_;
};

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

}  // namespace

bool in_range(const Parameter& p, double value) {
  return std::isfinite(value) && (p.range != Parameter::Range::positive || value > 0) &&
         (p.range != Parameter::Range::not_negative || value >= 0);
}

std::string_view range_words(const Parameter& p) {
  return p.range == Parameter::Range::positive       ? "finite and positive"
         : p.range == Parameter::Range::not_negative ? "finite and not negative"
                                                     : "finite";
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

PageKind page_kind(std::string_view text) {
  Model model;
  model.text = text;
  find_functions(model);
  const std::string_view head = head_of(text);
  std::istringstream lines{std::string(head)};
  for (std::string line; std::getline(lines, line);)
    if (const auto all = words(line); all.size() > 1 && all[0] == "profile") model.profile = all[1];
  return model.kind();
}

Model parse_model(std::string_view text, const std::string& origin, int dim) {
  Model model;
  model.text = text;
  model.dim = dim;
  find_functions(model);
  Head head(text, origin, model);
  find_boundaries(model, origin);
  model.fluxes = named(model, "void", "flux", 5);
  model.quantities = named(model, "real", "quantity", 2);
  head.finish();
  return model;
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const auto& path : split(std::string(kernel_texts_list()), '\n'))
    if (path.starts_with("models/")) names.push_back(path.substr(7, path.size() - 9));
  return names;
}

Model load_model(const std::string& name, int dim) {
  const auto text = kernel_texts("models/" + name + ".h");
  if (text.empty()) throw InputError("There is no model '{}'{}.", name, name_hint(name, model_names()));
  return parse_model(text, "'" + name + "'", dim);
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
  return parse_model(text, file.string(), dim);
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
