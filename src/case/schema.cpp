// SPDX-License-Identifier: Apache-2.0
#include "case/schema.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace swell {

namespace {

using K = KeyKind;

constexpr KeyLimits positive{.low = 0, .above = true};
constexpr KeyLimits not_negative{.low = 0};
constexpr KeyLimits cell_counts{.low = 1, .high = 1'000'000};

// A row of the table is a line or two.
// clang-format off
constexpr SchemaKey keys[] = {
    {"title", K::text, "what the case is, in words", {.standard = "the file's name"}},

    {"mesh", K::table, "the mesh: a box, a disc, a shell or a file", {.required = true}},
    {"mesh.box", K::table, "a box of equal cells, or of cells that are moved and bent; its sides are named xmin, xmax, ymin, ymax, zmin, zmax"},
    {"mesh.box.low", K::reals, "the corner with the smallest coordinates; 1, 2 or 3 numbers give the dimension",
     {.required = true}},
    {"mesh.box.high", K::reals, "the corner with the largest coordinates", {.required = true}},
    {"mesh.box.cells", K::wholes, "cells along each axis; each is cut where the element is a simplex",
     {.limits = cell_counts, .required = true}},
    {"mesh.box.element", K::choice, "the shape of the elements; mixed: triangles beside quadrilaterals in two dimensions; hexahedra, prisms, pyramids and tetrahedra in three",
     {.standard = "line in 1D, triangle in 2D, tetrahedron in 3D", .choices = "line triangle quadrilateral tetrahedron hexahedron prism pyramid mixed"}},
    {"mesh.box.periodic", K::truths, "along which axes opposite sides are one", {.standard = "false along each"}},
    {"mesh.box.move", K::real, "moves the vertices at random, along each axis by at most this part of a cell; sides stay",
     {.standard = "0", .limits = {.low = 0, .high = 0.3}}},
    {"mesh.box.bend", K::real, "bends the box inside by a smooth map, along each axis by at most this part of its size; sides stay",
     {.standard = "0", .limits = {.low = 0, .high = 0.15}}},
    {"mesh.box.grade", K::reals, "along each axis, how many times longer the cells at both sides are than those in the middle; between them lengths change geometrically",
     {.standard = "1 along each", .limits = positive}},
    {"mesh.box.scatter", K::real, "triangles and tetrahedra: as move, and then joins the vertices as a mesher does, by Delaunay's rule or at random",
     {.standard = "0", .limits = {.low = 0, .high = 0.4}}},
    {"mesh.box.inner", K::table, "groups of faces inside the box, which [boundary] may make boundaries"},
    {"mesh.box.inner.*", K::formula, "faces at whose middle this expression in x, y, z is not 0, before they are moved and bent"},
    {"mesh.box.geometry_order", K::whole, "polynomial degree of the cells' maps, which follow bend; 1: straight",
     {.standard = "1", .limits = {.low = 1, .high = 4}}},
    {"mesh.disc", K::table, "a disc with a curved boundary named rim"},
    {"mesh.disc.center", K::reals, "its center", {.standard = "[0, 0]", .limits = {.fewest = 2, .most = 2}}},
    {"mesh.disc.radius", K::real, "its radius", {.standard = "1", .limits = positive}},
    {"mesh.disc.cells", K::whole, "cells along each edge of the inner square",
     {.standard = "4", .limits = {.low = 1, .high = 10'000}}},
    {"mesh.disc.geometry_order", K::whole, "polynomial degree of the curved edges; 1: straight",
     {.standard = "2", .limits = {.low = 1, .high = 4}}},
    {"mesh.disc.element", K::choice, "the shape of the elements",
     {.standard = "triangle", .choices = "triangle quadrilateral"}},
    {"mesh.shell", K::table, "the space between two circles or spheres, with curved boundaries named inner and outer"},
    {"mesh.shell.center", K::reals, "their center; 2 or 3 numbers give the dimension",
     {.standard = "[0, 0]", .limits = {.fewest = 2, .most = 3}}},
    {"mesh.shell.inner", K::real, "the inner radius", {.standard = "1", .limits = positive}},
    {"mesh.shell.outer", K::real, "the outer radius", {.standard = "2", .limits = positive}},
    {"mesh.shell.cells", K::whole, "cells along each edge of the square or cube that it is the image of",
     {.standard = "4", .limits = {.low = 1, .high = 10'000}}},
    {"mesh.shell.layers", K::whole, "cells between the two radii", {.standard = "4", .limits = {.low = 1, .high = 10'000}}},
    {"mesh.shell.geometry_order", K::whole, "polynomial degree of the curved edges; 1: straight",
     {.standard = "2", .limits = {.low = 1, .high = 4}}},
    {"mesh.shell.element", K::choice, "the shape of the elements",
     {.standard = "triangle in 2D, tetrahedron in 3D", .choices = "triangle quadrilateral tetrahedron hexahedron"}},
    {"mesh.file", K::text, "a Gmsh file (2.2 or 4.1), looked up beside the case file"},
    {"mesh.partition", K::table, "how the mesh is shared out among ranks"},
    {"mesh.partition.method", K::choice, "auto: the file's partitions where they fit, else METIS, else the curve; slabs: along the last axis",
     {.standard = "auto", .choices = "auto metis curve slabs file"}},
    {"mesh.partition.fractions", K::reals, "the share of the work of each rank, to any scale",
     {.standard = "equal", .limits = {.low = 0, .above = true, .fewest = 1, .most = 1'000'000}}},

    {"model", K::table, "the equation and its discretisation", {.required = true}},
    {"model.name", K::text, "advection, acoustics, maxwell-tm, maxwell-te, maxwell, maxwell-tem, elastic, linear-euler, euler, navier-stokes, levelset, heat or poisson"},
    {"model.file", K::text, "a model file of your own, looked up beside the case file; it is code and will be run"},
    {"model.order", K::whole, "polynomial degree; up to 12 in 1D and 2D and 10 in 3D",
     {.standard = "3", .limits = {.low = 1, .high = 12}}},
    {"model.flux", K::text, "waves: the numerical flux: upwind, central, rusanov, or NAME of a flux_NAME in the model file (euler: hll, hllc, roe, entropy); levelset: upwind",
     {.standard = "upwind; euler: rusanov"}},
    {"model.alpha", K::real, "waves: blends the central (0) and the upwind flux (1)",
     {.standard = "1", .limits = {.low = 0, .high = 1}}},
    {"model.family", K::choice, "the family of operators: nodal or modal for waves, modal for levelset, the others for heat and poisson",
     {.standard = "nodal; levelset: modal; heat and poisson: continuous", .choices = "nodal modal continuous discontinuous"}},
    {"model.coefficient_order", K::whole, "modal family: degree of material that varies inside an element; levelset: order",
     {.standard = "order", .limits = {.low = 0, .high = 12}}},

    {"model.form", K::choice, "nonlinear models: how volume terms are integrated: by the nodes, by points for a higher degree, or by two-point fluxes",
     {.standard = "auto", .choices = "auto collocated quadrature split"}},
    {"model.degree", K::whole, "of form = \"quadrature\": the degree that the volume's points integrate exactly",
     {.limits = {.low = 1, .high = 60}}},
    {"model.pair", K::text, "of form = \"split\": NAME of a pair_NAME, a symmetric two-point flux, in the model file",
     {.standard = "the first in the file"}},
    {"model.shocks", K::choice, "nonlinear models: how shocks are kept in hand; filter: a modal filter that keeps the entropy from falling",
     {.standard = "auto", .choices = "auto none filter", .later = "subcell"}},
    {"model.positivity", K::truth, "nonlinear models: states that are not admissible are brought back after each stage",
     {.standard = "true where the model says what is admissible"}},
    {"model.filter", K::table, "nonlinear models: a modal filter after each step"},
    {"model.filter.strength", K::real, "the highest modes are multiplied by exp(-strength)", {.standard = "36", .limits = positive}},
    {"model.filter.order", K::whole, "how steeply the strength grows with the degree", {.standard = "16", .limits = {.low = 1, .high = 64}}},
    {"model.filter.cutoff", K::real, "the part of the order up to which modes stay as they are",
     {.standard = "0.5", .limits = {.low = 0, .high = 0.99}}},

    {"levelset", K::table, "model levelset: how its profile 1 / (1 + exp(d / thickness)) is kept"},
    {"levelset.thickness", K::real, "of the profile: about the length of a cell at order 4",
     {.limits = positive, .required = true}},
    {"levelset.every", K::whole, "steps between looks at the profile; 0: it is never restored",
     {.standard = "0", .limits = {.low = 0, .high = 1e9}}},
    {"levelset.tolerance", K::real, "it is restored once it is thicker by this part, on average over the interface; 0: at every look",
     {.standard = "0.05", .limits = not_negative}},
    {"levelset.length", K::real, "pseudo-time of a reinitialisation, in thicknesses",
     {.standard = "1", .limits = positive}},
    {"levelset.at_end", K::real, "the same at the end of the run, whatever the thickness; 0: none",
     {.standard = "0", .limits = not_negative}},

    {"material", K::table, "parameters of the model in the default region, and a table for each named region"},
    {"material.*", K::formula_or_table, "a parameter: a number or an expression in x, y, z; or a region"},
    {"material.*.*", K::formula, "a parameter in this region: a number or an expression in x, y, z"},

    {"boundary", K::table, "a condition for each side of a box or physical group of faces, also inside the domain; other sides get the model's wall"},
    {"boundary.*", K::text_or_table, "the kind, or a table with kind and its data"},
    {"boundary.*.kind", K::text,
     "waves: dirichlet, exact, absorbing, incident and the model's own; levelset: outflow, wall, absorbing; heat and poisson: "
     "temperature, dirichlet, exact, flux, robin",
     {.required = true}},
    {"boundary.*.wave", K::choice, "the incident wave", {.standard = "plane", .choices = "plane"}},
    {"boundary.*.direction", K::reals, "where the incident wave goes; of any length"},
    {"boundary.*.polarisation", K::reals, "of the incident wave", {.standard = "the model's own"}},
    {"boundary.*.origin", K::reals, "the point at which s = t", {.standard = "the origin of the coordinates"}},
    {"boundary.*.type", K::choice, "elastic: pressure or shear wave", {.standard = "P", .choices = "P S"}},
    {"boundary.*.pulse", K::formula, "its shape, an expression in s = t - direction . (x - origin) / speed"},
    {"boundary.*.*", K::formula, "a field or parameter of the condition: a number or an expression in x, y, z, t (poisson: no t)"},

    {"initial", K::table, "the fields at time 0; one that is not named starts at 0"},
    {"initial.projection", K::choice, "how they become a state: by their values at the nodes, or by projection in L2",
     {.standard = "interpolation", .choices = "interpolation l2"}},
    {"initial.*", K::formula, "a field: a number or an expression in x, y, z"},
    {"exact", K::table, "the exact solution, against which errors are measured at the end"},
    {"exact.*", K::formula, "a field: a number or an expression in x, y, z, t (poisson: no t)"},
    {"source", K::table, "volume sources by field, and point sources"},
    {"source.*", K::formula, "a field: a number or an expression in x, y, z, t (poisson: no t)"},
    {"source.point", K::tables, "sources at a point"},
    {"source.point[].at", K::reals, "the point", {.required = true}},
    {"source.point[].field", K::text, "the field it drives; or give moment"},
    {"source.point[].moment", K::reals, "elastic: Mxx, Myy, Mxy, in 3D Mxx, Myy, Mzz, Mxy, Myz, Mxz, in 1D Mxx",
     {.limits = {.fewest = 1, .most = 6}}},
    {"source.point[].amplitude", K::real, "multiplies the signal", {.standard = "1"}},
    {"source.point[].signal", K::formula, "a number or an expression in t (poisson: a number)", {.required = true}},

    {"incident", K::table, "a plane wave in a total-field region, with the scattered field around it"},
    {"incident.wave", K::choice, "the incident wave", {.standard = "plane", .choices = "plane"}},
    {"incident.direction", K::reals, "where it goes; of any length", {.required = true}},
    {"incident.polarisation", K::reals, "its polarisation", {.standard = "the model's own"}},
    {"incident.origin", K::reals, "the point at which s = t", {.standard = "the origin of the coordinates"}},
    {"incident.type", K::choice, "elastic: pressure or shear wave", {.standard = "P", .choices = "P S"}},
    {"incident.pulse", K::formula, "its shape, an expression in s = t - direction . (x - origin) / speed",
     {.required = true}},
    {"incident.total", K::words_or_table, "where the field is the total one: regions, or a box with low and high",
     {.required = true}},
    {"incident.total.low", K::reals, "the box's corner with the smallest coordinates", {.required = true}},
    {"incident.total.high", K::reals, "the box's corner with the largest coordinates", {.required = true}},

    {"time", K::table, "how far and how; not for poisson", {.required = true}},
    {"time.end", K::real, "the time at which the run ends", {.limits = positive}},
    {"time.steps", K::whole, "the number of steps after which it ends", {.limits = {.low = 1, .high = 1e15}}},
    {"time.scheme", K::choice, "the integrator",
     {.standard = "lsrk54; heat: theta", .choices = "lsrk54 ssprk33 rk4 ab3 rkp1 ader theta bdf2"}},
    {"time.cfl", K::real, "the step as a fraction of the stable one that Swell computes",
     {.standard = "1", .limits = positive}},
    {"time.dt", K::real, "the step itself; a message tells where it is longer than the stable one", {.limits = positive}},
    {"time.local", K::truth, "linear models: clusters of elements step by dt, 2 dt, 4 dt, ..., as small ones must and large ones may; scheme is then ader",
     {.standard = "false"}},
    {"time.max_clusters", K::whole, "the most clusters with local = true", {.standard = "8", .limits = {.low = 1, .high = 30}}},
    {"time.theta", K::real, "heat: 0.5 is Crank and Nicolson's scheme, 1 the implicit Euler scheme",
     {.standard = "0.5", .limits = {.low = 0.5, .high = 1}}},

    {"solver", K::table, "heat and poisson: how far the linear systems are solved"},
    {"solver.tolerance", K::real, "of the residual, against the right-hand side",
     {.standard = "1e-10, single: 1e-5", .limits = {.low = 0, .high = 1, .above = true}}},
    {"solver.form", K::choice,
     "how the operator is applied: by elements, by unknowns that visit theirs, or on the fixed grid of a box of linear "
     "tetrahedra; auto: on the grid where there is one, else by elements",
     {.standard = "auto", .choices = "auto elements vertices grid"}},
    {"solver.preconditioner", K::choice, "the diagonal, or a cycle over lower orders and then coarser boxes or aggregates",
     {.standard = "jacobi", .choices = "jacobi multigrid"}},
    {"solver.iterations", K::whole, "the most in one solve; a run that needs more fails",
     {.standard = "10000", .limits = {.low = 1, .high = 10'000'000}}},

    {"device", K::table, "where it runs"},
    {"device.backend", K::text, "cpu[:THREADS], opencl[:P:D], cuda[:D] or auto", {.standard = "auto"}},
    {"device.precision", K::choice, "of the fields", {.standard = "double", .choices = "single double"}},

    {"receiver", K::tables, "points at which the fields are recorded in receivers/NAME.csv"},
    {"receiver[].name", K::text, "names its file: letters, digits, '.', '_' and '-'", {.required = true}},
    {"receiver[].at", K::reals, "the point", {.required = true}},
    {"receiver[].fields", K::words, "the fields recorded", {.standard = "all", .limits = {.fewest = 1, .most = 1000}}},
    {"receiver[].every", K::real, "time between records", {.standard = "every step", .limits = not_negative}},

    {"surface", K::tables, "waves and flow: what leaves through boundaries, of each field, recorded in surfaces/NAME.csv"},
    {"surface[].name", K::text, "names its file: letters, digits, '.', '_' and '-'", {.required = true}},
    {"surface[].boundaries", K::words, "sides of a box, or physical groups of faces that are boundaries", {.limits = {.fewest = 1, .most = 1000}, .required = true}},
    {"surface[].every", K::real, "time between records", {.standard = "every step", .limits = not_negative}},
    {"surface[].drag", K::reals, "a direction, of any length: records the force along it, the flow of the model's vector"},
    {"surface[].lift", K::reals, "another such direction"},
    {"surface[].reference", K::real, "what drag and lift are divided by, such as rho U^2 A / 2: they are coefficients then",
     {.standard = "1", .limits = positive}},

    {"probe", K::tables, "straight lines along which the fields are recorded in probes/NAME.csv"},
    {"probe[].name", K::text, "names its file: letters, digits, '.', '_' and '-'", {.required = true}},
    {"probe[].from", K::reals, "the first point", {.required = true}},
    {"probe[].to", K::reals, "the last point", {.required = true}},
    {"probe[].points", K::whole, "how many points, both ends among them", {.standard = "101", .limits = {.low = 2, .high = 100'000}}},
    {"probe[].fields", K::words, "the fields recorded", {.standard = "all", .limits = {.fewest = 1, .most = 1000}}},
    {"probe[].every", K::real, "time between records", {.standard = "first and last state only", .limits = not_negative}},

    {"farfield", K::table, "Maxwell and acoustics: the far field at some frequencies, in farfield.csv"},
    {"farfield.frequencies", K::reals, "in cycles for each unit of time",
     {.limits = {.low = 0, .above = true, .fewest = 1, .most = 1000}, .required = true}},
    {"farfield.surface", K::table, "a closed surface around all that scatters, in one medium: low and high of a box, or radius",
     {.required = true}},
    {"farfield.surface.low", K::reals, "the box's corner with the smallest coordinates", {.limits = {.fewest = 2}}},
    {"farfield.surface.high", K::reals, "the box's corner with the largest coordinates", {.limits = {.fewest = 2}}},
    {"farfield.surface.center", K::reals, "of the circle or sphere", {.standard = "the origin of the coordinates", .limits = {.fewest = 2}}},
    {"farfield.surface.radius", K::real, "of the circle or sphere", {.limits = positive}},
    {"farfield.surface.density", K::real, "points of the surface for each wavelength, along each of its directions",
     {.standard = "16", .limits = {.low = 4, .high = 1000}}},
    {"farfield.phi", K::reals, "angles from the x axis towards the y axis, in degrees",
     {.standard = "0 to 359; in space 0 and 90", .limits = {.low = -360, .high = 360, .fewest = 1, .most = 100'000}}},
    {"farfield.theta", K::reals, "in space: angles from the z axis, in degrees; each with each phi",
     {.standard = "0 to 180", .limits = {.low = 0, .high = 180, .fewest = 1, .most = 100'000}}},

    {"output", K::table, "the files that the run leaves"},
    {"output.folder", K::text, "where", {.standard = "out/ and the case file's name"}},
    {"output.fields", K::table, "the fields on the whole mesh, for ParaView"},
    {"output.fields.every", K::real, "time between them",
     {.standard = "first and last state only", .limits = not_negative}},
    {"output.fields.format", K::choice, "the files' format", {.standard = "vtu", .choices = "vtu", .later = "vtkhdf"}},
    {"output.picture", K::table, "pictures of one field as PNG"},
    {"output.picture.field", K::text, "the field", {.standard = "the model's first"}},
    {"output.picture.width", K::whole, "pixels across", {.standard = "800", .limits = {.low = 16, .high = 10'000}}},
    {"output.picture.every", K::real, "time between pictures", {.standard = "at the end only", .limits = not_negative}},
    {"output.picture.low", K::real, "the lowest value of the colour scale", {.standard = "from the field"}},
    {"output.picture.high", K::real, "the highest value of the colour scale", {.standard = "from the field"}},
    {"output.picture.slice", K::reals, "3D: a point and a normal of the plane shown",
     {.standard = "the middle, normal to z", .limits = {.fewest = 6, .most = 6}}},
    {"output.averages", K::table, "averages over time of the fields and of what follows from them, in averages.vtu at the end"},
    {"output.averages.from", K::real, "the time at which they begin", {.standard = "0", .limits = not_negative}},
    {"output.averages.every", K::real, "time between the states that count", {.standard = "every step", .limits = not_negative}},
    {"output.energy_every", K::real, "time between measurements of the energy, of level sets also of the interface; each step where that is longer; 0: none on the way",
     {.standard = "start and end only", .limits = not_negative}},
    {"output.estimate", K::truth, "errors that a run measures by itself, in summary.json: changes of means and integrals, and how much of each field only the highest order holds",
     {.standard = "false"}},
    {"output.checkpoint", K::table, "states from which `swell run --restart` goes on, in checkpoint-STEP.h5; also when asked to stop"},
    {"output.checkpoint.every", K::real, "time between them", {.standard = "at the end only", .limits = not_negative}},
    {"output.checkpoint.keep", K::whole, "how many are kept", {.standard = "2", .limits = {.low = 1, .high = 1'000'000}}},

    {"sweep", K::table, "runs of this case with other values, each in a folder of its own, and a table of their results"},
    {"sweep.*", K::values, "any key of the case, as in material.k = [1, 2]: the values that the runs take, in all combinations"},
    {"sweep.together", K::truth, "all lists are stepped through at once instead", {.standard = "false"}},
};
// clang-format on

const SchemaAlternatives alternatives[] = {
    {{"mesh.box", "mesh.disc", "mesh.shell", "mesh.file"}, true, "where the mesh comes from"},
    {{"model.name", "model.file"}, true, "which equation is solved"},
    {{"time.end", "time.steps"}, true, "when the run ends"},
    {{"time.cfl", "time.dt"}, false, "how long a step is"},
};

// The part of `path` after its last dot, where what stands before it is `parent`; else empty.
std::string_view last_word(std::string_view path, std::string_view parent) {
  if (parent.empty()) return path.find('.') == std::string_view::npos ? path : std::string_view();
  if (!path.starts_with(parent) || path.size() <= parent.size() || path[parent.size()] != '.') return {};
  const std::string_view rest = path.substr(parent.size() + 1);
  return rest.find('.') == std::string_view::npos ? rest : std::string_view();
}

std::string number_words(std::string_view noun, const KeyLimits& limits) {
  const bool bounded_below = std::isfinite(limits.low), bounded_above = std::isfinite(limits.high);
  if (bounded_below && bounded_above) return fmt::format("{} from {:.15g} to {:.15g}", noun, limits.low, limits.high);
  if (bounded_below) return fmt::format("{} {} {:.15g}", noun, limits.above ? "above" : "of at least", limits.low);
  return std::string(noun);
}

std::string list_words(const std::string& things, const KeyLimits& limits) {
  if (limits.fewest == limits.most) return fmt::format("a list of {} {}", limits.fewest, things);
  return fmt::format("a list of {} {} {} {}", limits.fewest, limits.most == limits.fewest + 1 ? "or" : "to",
                     limits.most, things);
}

}  // namespace

std::span<const SchemaKey> schema() { return keys; }
std::span<const SchemaAlternatives> schema_alternatives() { return alternatives; }

const SchemaKey* find_schema_key(std::string_view parent, std::string_view name, std::span<const SchemaKey> among) {
  const SchemaKey* any = nullptr;
  for (const SchemaKey& key : among) {
    const std::string_view word = last_word(key.path, parent);
    if (word.empty()) continue;
    if (word == "*")
      any = &key;
    else if (word == name)
      return &key;
  }
  return any;
}

std::vector<std::string> schema_names(std::string_view parent, std::span<const SchemaKey> among) {
  std::vector<std::string> result;
  for (const SchemaKey& key : among)
    if (const std::string_view word = last_word(key.path, parent); !word.empty() && word != "*")
      result.emplace_back(word);
  return result;
}

std::vector<std::string> schema_paths_ending(std::string_view name, std::span<const SchemaKey> among) {
  std::vector<std::string> result;
  for (const SchemaKey& key : among)
    if (key.path == name || key.path.ends_with(fmt::format(".{}", name))) result.emplace_back(key.path);
  return result;
}

std::string expectation(const SchemaKey& key) {
  switch (key.kind) {
    case K::table: return "a table";
    case K::tables: return fmt::format("a list of tables, each begun with [[{}]]", key.path);
    case K::text: return "a text in quotes";
    case K::choice: {
      const std::vector<std::string> words = split_words(key.rules.choices);
      return words.size() == 1 ? fmt::format("\"{}\"", words[0]) : fmt::format("one of {}", fmt::join(words, ", "));
    }
    case K::whole: return number_words("a whole number", key.rules.limits);
    case K::real: return number_words("a number", key.rules.limits);
    case K::truth: return "true or false";
    case K::formula: return "a number or an expression in quotes";
    case K::reals: return list_words(number_words("numbers", key.rules.limits), key.rules.limits);
    case K::wholes: return list_words(number_words("whole numbers", key.rules.limits), key.rules.limits);
    case K::truths: return list_words("values, each true or false", key.rules.limits);
    case K::words: return "a text or a list of texts";
    case K::values: return "a list of values";
    case K::formula_or_table: return "a number, an expression in quotes or a table";
    case K::text_or_table: return "a text in quotes or a table";
    case K::words_or_table: return "a text, a list of texts or a table";
  }
  return "";
}

std::vector<std::string> split_words(std::string_view words) {
  std::vector<std::string> result;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (end > 0) result.emplace_back(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return result;
}

}  // namespace swell
