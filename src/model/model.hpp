// SPDX-License-Identifier: Apache-2.0
// A model: what a model file states in its head, and which of the pointwise functions it has.
#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace swell {

enum class FieldKind { scalar, vector, symmetric };

struct FieldGroup {
  FieldKind kind = FieldKind::scalar;
  std::string name;
  int first = 0;  // index of its first component among the fields
};

struct Parameter {
  enum class Range { any, positive, not_negative, above };
  std::string name;
  double value = 0;
  Range range = Range::any;
  double bound = 0;     // of Range::above
  bool needed = false;  // it has no default
  // A material that no case gives: the derivative of the material with this index along this axis (-1: it is given).
  int derivative_of = -1, axis = 0;
};

bool in_range(const Parameter& parameter, double value);
std::string range_words(const Parameter& parameter);  // "finite and not negative"

struct BoundaryKind {
  std::string name;                   // "impedance"
  bool mirror = false;                // ghost_NAME gives a mirror state, else state_NAME the state at the wall
  bool gradient = false;              // gradient_NAME gives the viscous flux through the wall
  std::vector<Parameter> parameters;  // data of the function, in its order
  std::string function() const { return (gradient ? "gradient_" : mirror ? "ghost_" : "state_") + name; }
};

// A quantity that files and receivers take besides the fields: derived_NAME(q, m), or derived_NAME(q, dq, m) with the gradients
// dq[field][axis].
struct DerivedOutput {
  std::string name;
  bool gradients = false;
  std::string function() const { return "derived_" + name; }
};

// The kind of equation that a page states, which decides how it is discretised and stepped.
enum class PageKind {
  hyperbolic,  // it has a flux
  interface,   // a flux, and a profile that is restored between steps
  parabolic,   // a viscous flux alone
  elliptic,    // the same at rest: it has no mass
};

struct Model {
  std::string name;
  std::string about;
  std::string text;  // the whole file, and the fluxes that its two-point fluxes make
  std::set<std::string, std::less<>> functions;  // that the text defines
  int dim = 0;
  bool linear = false;
  std::vector<FieldGroup> groups;
  std::vector<std::string> fields;
  std::vector<Parameter> material;
  // Materials that hold a face's matrix for the derived upwind flux, row by row, behind all others (model/face_matrices.hpp); the
  // first one's index, -1: there are none.
  int face_matrix = -1;
  std::vector<std::string> reaction;  // materials that switch the reaction on where they are not 0
  std::vector<BoundaryKind> boundaries;
  std::vector<std::string> fluxes;      // NAME of every flux_NAME(ql, ml, qr, mr, n, f) of the text
  std::vector<std::string> quantities;  // NAME of every quantity_NAME(q, m): densities whose integrals are logged
  std::vector<std::string> pairs;       // NAME of every pair_NAME(vl, vr, m, n, f): symmetric two-point fluxes of the variables
  std::vector<DerivedOutput> derived;   // in the order of the text
  std::vector<std::string> admissible;  // quantities that must be positive, in the order of admissible(q, m, margin)
  // A second set of names, as many as fields, with both conversions: variables_of(q, m, v) and fields_of(v, m, q). A name that is
  // a field's too has the field's place.
  std::vector<std::string> variables;
  std::string default_flux = "upwind";  // where the case names none
  std::string wall;  // the boundary kind of a side that the case does not name
  std::string profile;  // the field whose profile is restored between steps; empty: none

  bool has(std::string_view function) const { return functions.contains(function); }
  PageKind kind() const;
  bool viscous() const { return has("viscous_flux") && has("flux"); }  // a flux, and one of gradients besides
  bool diffusive() const { return kind() == PageKind::parabolic || kind() == PageKind::elliptic; }
  int field_index(std::string_view field) const;  // -1: no such field
  int variable_index(std::string_view variable) const;
  int material_index(std::string_view parameter) const;
  const BoundaryKind* boundary(std::string_view kind) const;  // nullptr: no such kind
};

// A model that ships with Swell, for a mesh of this dimension. Throws InputError for names that are not known.
Model load_model(const std::string& name, int dim);
// A user's own model file.
// A page that a user wrote: compilers name its file and its lines.
Model parse_user_model(std::string_view text, const std::filesystem::path& file, int dim);
Model load_model_file(const std::filesystem::path& file, int dim);
Model parse_model(std::string_view text, const std::string& origin, int dim);
std::vector<std::string> model_names();
std::vector<std::string> model_names(int dim);  // those for meshes of this dimension
// The kind of a page that need not be right otherwise.
PageKind page_kind(std::string_view text);

// Names of fields, materials and variables as indices, for the model's functions.
std::string names_text(const Model& model);

// The text embedded under src/: "models/maxwell.h", "kernels/nodal/simplex.h"; empty where there is none.
std::string_view kernel_texts(std::string_view path);

}  // namespace swell
