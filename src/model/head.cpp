// SPDX-License-Identifier: Apache-2.0
#include "model/head.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>
#include <set>
#include <sstream>

#include "base/error.hpp"
#include "base/expression.hpp"
#include "base/names.hpp"

namespace swell {

namespace {

constexpr std::string_view axes[] = {"x", "y", "z"};
// Voigt-like order: diagonal first, then xy, yz, xz.
constexpr std::string_view tensor_2d[] = {"xx", "yy", "xy"};
constexpr std::string_view tensor_3d[] = {"xx", "yy", "zz", "xy", "yz", "xz"};

std::vector<std::string> components(FieldKind kind, const std::string& name, int dim) {
  std::vector<std::string> names;
  if (kind == FieldKind::scalar) return {name};
  const auto star = name.find('*');   // u*0: ux0, uy0, uz0
  const auto list = name.find('[');  // rho[uvw]: rhou, rhov, rhow
  if (kind == FieldKind::vector && list != std::string::npos && name.size() == list + 5) {
    for (int d = 0; d < dim; ++d) names.push_back(name.substr(0, list) + name[list + 1 + static_cast<std::size_t>(d)]);
    return names;
  }
  if (kind == FieldKind::vector)
    for (int d = 0; d < dim; ++d)
      names.push_back(star == std::string::npos ? name + std::string(axes[d])
                                                : name.substr(0, star) + std::string(axes[d]) + name.substr(star + 1));
  else if (dim == 1)
    names.push_back(name + "xx");
  else if (dim == 2)
    for (auto c : tensor_2d) names.push_back(name + std::string(c));
  else
    for (auto c : tensor_3d) names.push_back(name + std::string(c));
  return names;
}

bool is_name(std::string_view text) {
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

// Reads the head of a model file line by line.
class Head {
 public:
  Head(const std::string& origin, Model& model) : origin_(origin), model_(model) {}

  void read_all(std::string_view text) {
    const std::string_view head = head_of(text);
    if (head.empty())
      fail("it has no head: a comment that begins with '/* model' and states name, dimensions, fields and material");
    std::istringstream lines{std::string(head)};
    for (std::string line; std::getline(lines, line);) read(line);
    add_gradients();
  }

  void finish() const {
    if (model_.name.empty()) fail("its head states no 'name'");
    if (model_.fields.empty()) fail("its head states no 'fields'");
    if (!model_.has("flux") && !model_.has("viscous_flux")) fail("it has no function 'flux'");
    if (model_.has("flux") && !model_.has("speed")) fail("it has no function 'speed'");
    if (model_.viscous() != model_.has("diffusivity"))
      fail("the functions 'viscous_flux', beside 'flux', and 'diffusivity', which says how long its steps may be, go together");
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
    const auto& fluxes = model_.fluxes;
    if (const auto& name = model_.default_flux;
        name != "upwind" && name != "rusanov" && name != "central" && std::find(fluxes.begin(), fluxes.end(), name) == fluxes.end())
      fail(fmt::format("its 'flux' is '{}', but there is no function flux_{}", name, name));
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
    } else if (key == "extends") {
      // Its page came first (model.cpp).
    } else if (key == "about") {
      model_.about = rest.substr(rest.find_first_not_of(' '));
    } else if (key == "dimensions") {
      const bool fits = std::find(all.begin() + 1, all.end(), std::to_string(model_.dim)) != all.end();
      if (!fits)
        fail(fmt::format("it is for {} dimensions, but the mesh has {}, for which there are the models {}",
                         fmt::join(all.begin() + 1, all.end(), " or "), model_.dim, fmt::join(model_names(model_.dim), ", ")));
    } else if (key == "fields") {
      for (const auto& part : split(rest, ',')) add_field(words(part));
    } else if (key == "variables") {
      for (const auto& part : split(rest, ',')) add_variable(words(part));
    } else if (key == "admissible") {
      model_.admissible.assign(all.begin() + 1, all.end());
    } else if (key == "material") {
      for (const auto& part : split(rest, ',')) add_material(words(part));
    } else if (key == "gradients") {
      gradients_.assign(all.begin() + 1, all.end());
    } else if (key == "linear") {
      model_.linear = all.size() > 1 && all[1] == "yes";
    } else if (key == "reaction") {
      model_.reaction.assign(all.begin() + 1, all.end());
      reaction_of_gradients_ = all.size() == 2 && all[1] == "gradients";
    } else if (key == "flux") {
      model_.default_flux = all.size() > 1 ? all[1] : "";
    } else if (key == "wall") {
      model_.wall = all.size() > 1 ? all[1] : "";
    } else if (key == "profile") {
      model_.profile = all.size() > 1 ? all[1] : "";
    } else if (key == "boundary") {
      add_boundary(rest);
    } else {
      fail(fmt::format("its head has the unknown word '{}'{}", key,
                       name_hint(key, {"name", "about", "dimensions", "fields", "material", "linear", "reaction",
                                       "flux", "wall", "profile", "boundary", "variables", "admissible", "gradients",
                                       "extends"})));
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

  // NAME = NUMBER [RANGE]; of a boundary also NAME [RANGE], which then must be given
  Parameter parameter(const std::vector<std::string>& part) const {
    Parameter p;
    if (part.empty()) fail("one of its parameters has no name");
    p.name = part[0];
    p.needed = part.size() < 2 || part[1] != "=";
    const std::size_t range = p.needed ? 1 : 3;
    if (part.size() < range) fail("each parameter is written 'name = number' or 'name', with a range behind it or none");
    if (!p.needed) p.value = number(part[2]);
    if (part.size() > range) read_range({part.begin() + static_cast<std::ptrdiff_t>(range), part.end()}, p);
    return p;
  }

  double number(const std::string& text) const {
    double value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size()) fail(fmt::format("'{}' is no number", text));
    return value;
  }

  void read_range(const std::vector<std::string>& range, Parameter& p) const {
    if (range.size() == 2 && range[0] == "above") {
      p.range = Parameter::Range::above;
      p.bound = number(range[1]);
    } else if (range.size() == 1 && range[0] == "positive") {
      p.range = Parameter::Range::positive;
    } else if (range.size() == 1 && range[0] == "not-negative") {
      p.range = Parameter::Range::not_negative;
    } else {
      fail(fmt::format("'{}' is no range (positive, not-negative, above NUMBER)", fmt::join(range, " ")));
    }
  }

  // The components of a parameter that says that it is a vector.
  std::vector<Parameter> components_of(std::vector<std::string> part) const {
    const bool vector = !part.empty() && part[0] == "vector";
    if (vector) part.erase(part.begin());
    const Parameter p = parameter(part);
    std::vector<Parameter> all;
    for (auto& c : components(vector ? FieldKind::vector : FieldKind::scalar, p.name, model_.dim)) {
      all.push_back(p);
      all.back().name = std::move(c);
    }
    return all;
  }

  void add_material(const std::vector<std::string>& part) {
    for (auto& p : components_of(part)) {
      if (p.needed) fail(fmt::format("its material '{}' has no default", p.name));
      model_.material.push_back(std::move(p));
    }
  }

  // NAME_x, NAME_y[, NAME_z] behind all other materials, for each NAME in turn; u*0 stands for all components of that vector.
  void add_gradients() {
    for (const auto& name : gradients_) {
      std::vector<std::string> all{name};
      if (name.find('*') != std::string::npos) all = components(FieldKind::vector, name, model_.dim);
      for (const auto& of : all) {
        const int index = model_.material_index(of);
        if (index < 0) fail(fmt::format("its 'gradients' name '{}', which is no material", of));
        for (int d = 0; d < model_.dim; ++d) {
          Parameter p;
          p.name = of + "_" + std::string(axes[d]);
          p.derivative_of = index;
          p.axis = d;
          model_.material.push_back(std::move(p));
        }
      }
    }
    std::vector<std::string> reaction;  // g* stands for all components of that vector
    for (const auto& name : model_.reaction)
      for (auto& c : components(name.find('*') == std::string::npos ? FieldKind::scalar : FieldKind::vector, name, model_.dim))
        reaction.push_back(std::move(c));
    model_.reaction = std::move(reaction);
    if (!reaction_of_gradients_) return;
    model_.reaction.clear();
    for (const auto& p : model_.material)
      if (p.derivative_of >= 0) model_.reaction.push_back(p.name);
    if (model_.reaction.empty()) fail("its 'reaction' is switched on by 'gradients', and its head states none");
  }

  // KIND [PARAMETER [, PARAMETER]...]
  void add_boundary(const std::string& rest) {
    const auto first = words(rest);
    if (first.empty()) fail("its 'boundary' names no kind");
    BoundaryKind kind;
    kind.name = first[0];
    const std::string list = rest.substr(rest.find(first[0]) + first[0].size());
    if (!words(list).empty())
      for (const auto& part : split(list, ','))
        for (auto& p : components_of(words(part))) kind.parameters.push_back(std::move(p));
    model_.boundaries.push_back(std::move(kind));
  }

  const std::string& origin_;
  Model& model_;
  std::vector<std::string> gradients_;
  bool reaction_of_gradients_ = false;
};

}  // namespace

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

std::string_view head_of(std::string_view text) {
  constexpr std::string_view first = "/* model";
  const auto begin = text.find(first);
  const auto end = begin == std::string_view::npos ? begin : text.find("*/", begin);
  return end == std::string_view::npos ? std::string_view() : text.substr(begin + first.size(), end - begin - first.size());
}

void read_head(std::string_view text, const std::string& origin, Model& model) { Head(origin, model).read_all(text); }

void check_head(const std::string& origin, Model& model) { Head(origin, model).finish(); }

}  // namespace swell
