// SPDX-License-Identifier: Apache-2.0
// A case file, read and checked: every key known, every value of its kind. Entries that depend on the model (field names,
// material names, boundary kinds) stay as named entries and are checked by the Simulation, which knows the model.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "mesh/partition.hpp"
#include "mesh/sources.hpp"
#include "model/model.hpp"

namespace swell {

// A number or an expression, as text that Expression::parse() takes, with the key that it came from for messages.
struct Formula {
  std::string text;
  std::string key;   // "material.glass.epsilon in cavity.toml"
};
using Formulas = std::map<std::string, Formula>;

// A plane wave: pulse(s) with s = t - direction . (x - origin) / speed.
struct PlaneWave {
  std::vector<double> direction;           // normalised by the reader
  std::vector<double> polarisation;        // empty: the model's own
  std::vector<double> origin;              // empty: the coordinates' origin
  std::string type;                        // elastic: "P" or "S"; else empty
  Formula pulse;                           // in s
};

struct BoundaryCase {
  std::string kind;                        // "pec"
  std::string key;                         // "boundary.xmin in cavity.toml"
  Formulas data;                           // every other entry that is a number or an expression in x, y, z, t
  std::optional<PlaneWave> wave;           // kind = "incident"
};

struct PointSourceCase {
  std::vector<double> at;
  std::string field;                       // empty where moment is given
  std::vector<double> moment;              // elastic: Mxx, Myy, Mxy or Mxx, Myy, Mzz, Mxy, Myz, Mxz
  double amplitude = 1;
  Formula signal;                          // in t
  std::string key;                         // "source.point[0] in cavity.toml"
};

// Total-field/scattered-field: inside `low`..`high` (by the cells' centroids) or inside the named regions the unknown is the
// total field, outside the scattered one.
struct IncidentCase {
  PlaneWave wave;
  std::vector<double> low, high;
  std::vector<std::string> regions;
  std::string key;
};

struct ReceiverCase {
  std::string name;
  std::vector<double> at;
  std::vector<std::string> fields;         // empty: all
  double every = 0;                        // 0: every step
  std::string key;
};

// Boundaries through which flows are recorded.
struct SurfaceCase {
  std::string name;
  std::vector<std::string> boundaries;
  double every = 0;                        // 0: every step
  std::vector<double> drag, lift;          // directions of length 1, or empty
  double reference = 1;                    // divides drag and lift
  std::string key;
};

// Points along a line at which fields are recorded.
struct ProbeCase {
  std::string name;
  std::vector<double> from, to;
  int points = 101;
  std::vector<std::string> fields;         // empty: all
  double every = 0;                        // 0: the first and the last state
  std::string key;
};

struct AveragesCase {
  double from = 0, every = 0;              // 0: every step
  std::string key;
};

// Frequencies of the far field, from the spectrum of the fields on a closed surface: a box, or a circle or sphere.
struct FarFieldCase {
  std::vector<double> frequencies;         // in cycles for each unit of time
  std::vector<double> low, high;           // of the box; empty: the circle or sphere
  std::vector<double> center;
  double radius = 0;
  double density = 16;                     // points for each wavelength
  std::vector<double> theta, phi;          // degrees; empty: the model's own
  std::string key;
};

struct PictureCase {
  std::string field;                       // empty: the first
  int width = 800;
  double every = 0;                        // 0: at the end only
  std::optional<double> low, high;         // of the colour scale
  std::vector<double> slice;               // 3D: a point and a normal, 6 numbers; empty: the middle, normal to z
};

struct FilterCase {
  double strength = 36;                    // -log of the factor on the highest mode
  int order = 16;
  double cutoff = 0.5;                     // part of the order up to which modes stay
};

struct LevelSetCase {
  double thickness = 0;
  std::int64_t every = 0;                  // steps between looks at the profile; 0: never restored
  double tolerance = 0.05, length = 1, at_end = 0;
};

struct SolverCase {
  double tolerance = 1e-10;
  std::int64_t iterations = 10000;
  std::string form = "auto";               // auto, elements, vertices, grid
  std::string preconditioner = "jacobi";   // jacobi, multigrid
};

// The runs that [sweep] asks for.
struct SweepCase {
  std::vector<std::string> keys;                 // "material.k"
  std::vector<std::vector<std::string>> values;  // [run][key], as TOML
};

struct CheckpointCase {
  double every = 0;  // 0: only at the end, and where the run is asked to stop
  int keep = 2;
};

struct Case {
  std::filesystem::path file;              // empty for a case built in memory
  std::string title;
  std::string text;                        // the case as it was run (overrides applied), as TOML

  // mesh: exactly one of the four
  std::optional<BoxOptions> box;
  std::optional<DiscOptions> disc;
  std::optional<ShellOptions> shell;
  std::filesystem::path mesh_file;         // resolved beside the case file
  PartitionKind partition = PartitionKind::automatic;  // among ranks
  std::vector<double> fractions;           // of the work for each rank; empty: equal

  std::string model = "";                  // name, or empty where model_file is given
  std::filesystem::path model_file;        // resolved beside the case file
  PageKind kind = PageKind::hyperbolic;    // of the model's page
  std::string model_text;                  // what a program gave in place of the model file's content; else empty
  int order = 3;
  std::string flux;                        // upwind, central, rusanov, or a flux of the model file; empty: the model's own default
  double alpha = 1;                        // blend; central = 0
  std::string form = "auto";               // nonlinear models: auto, collocated, quadrature, split
  std::optional<int> degree;               // of form = "quadrature"
  std::string pair;                        // two-point flux of form = "split"; empty: the first that the model has
  std::string shocks = "auto";             // auto, none, subcell, filter
  std::optional<bool> positivity;          // not given: where the model has admissible()
  std::optional<FilterCase> filter;        // not given: none
  std::string family = "nodal";            // nodal, modal; levelset: modal; heat: continuous; poisson: continuous, discontinuous
  int coefficient_order = 3;               // modal: degree of material inside an element

  std::optional<LevelSetCase> levelset;    // model levelset: how its profile is kept

  std::map<std::string, Formulas> material;   // "" is the default region
  std::map<std::string, BoundaryCase> boundary;
  Formulas initial, exact, source;
  std::string projection = "interpolation";   // of the initial state: interpolation, l2
  std::vector<PointSourceCase> points;
  std::optional<IncidentCase> incident;

  std::optional<double> end;               // exactly one of end and steps
  std::optional<std::int64_t> steps;
  std::string scheme = "lsrk54";           // lsrk54, rk4, ssprk33, ab3, rkp1, ader; heat: theta, bdf2
  double theta = 0.5;
  double cfl = 1;
  std::optional<double> dt;
  bool local = false;                      // clusters of elements with steps of their own
  std::int64_t max_clusters = 8;

  SolverCase solver;                       // heat and poisson

  std::string backend = "auto";
  Precision precision = Precision::double_;

  std::vector<ReceiverCase> receivers;
  std::vector<SurfaceCase> surfaces;
  std::vector<ProbeCase> probes;
  std::optional<AveragesCase> averages;
  std::optional<FarFieldCase> far_field;

  std::filesystem::path output_folder;     // empty: "out/<stem of the case file>"
  std::optional<double> fields_every;      // vtu output; 0: first and last state only
  std::string fields_format = "vtu";
  std::optional<PictureCase> picture;
  double energy_every = 0;                 // 0: only at start and end
  bool estimate = false;                   // of errors, in the summary
  std::optional<CheckpointCase> checkpoint;

  bool profile = false;

  SweepCase sweep;                         // of the file that this is one run of; no keys: it has none
};

// Solvers of linear systems bring it forward.
inline bool is_diffusion(const Case& c) { return c.kind == PageKind::parabolic || c.kind == PageKind::elliptic; }

// Reads a case file and applies `overrides` ("model.order=7", "mesh.box.cells=[8,8]"; the value is TOML, a bare word is
// taken as a string). With [sweep] in the file, the case is the run of this number, from 0 on. Throws InputError with one
// sentence that names the key, the file and the way out.
Case read_case(const std::filesystem::path& file, const std::vector<std::string>& overrides = {}, std::size_t run = 0);
// The text of a case file; throws InputError where it cannot be one.
std::string read_case_text(const std::filesystem::path& file);
// Reads a case from text; relative file names are resolved in `folder`.
Case parse_case(std::string_view toml, const std::string& name, const std::vector<std::string>& overrides = {},
                const std::filesystem::path& folder = ".", std::size_t run = 0);

}  // namespace swell
