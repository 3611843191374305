// SPDX-License-Identifier: Apache-2.0
// The shipped verification suite: cases with exact answers as data, the runner and the judge of `swell verify`.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.hpp"

namespace swell {

class HeatSimulation;
class Simulation;

// What an observed order may be off, what factor an error may be above its reference, and the error below which
// rounding hides the order (single and double precision).
inline constexpr double order_tolerance = 0.25, reference_factor = 1.5, floor_single = 1e-5, floor_double = 1e-12;

// One line of a convergence study: the same case on one or several meshes, coarse to fine.
struct VerifySeries {
  std::string element;
  int order = 0;
  std::vector<int> cells;                // full form: $N of each mesh
  std::vector<int> quick = {};           // quick form; empty: not in it
  double expected_order = 0;             // of the finest pair; 0: not judged
  double highest_order = 0;              // where above the expected one: all orders between them are right
  double lost_order = 0;                 // the order of the finest pair is at most this; 0: not judged
  std::map<int, double> reference = {};  // by $N: the error must be this within reference_factor
  double at_most =
      std::numeric_limits<double>::infinity();    // the finest error; also lets an order above the expected one pass
  bool guard = false;                             // at_most was measured, with room: it guards what was reached once
  double cfl = 1;                                 // $cfl
  std::map<std::string, std::string> words = {};  // further words of the text
  std::optional<Precision> precision = {};        // of this line, whatever is asked for
};

struct VerifyEntry {
  std::string name, about;
  std::string text;  // the case: $N, $half (of N), $tenth (0.1 / N), $order, $element, $cfl and `words` are filled in
  std::map<std::string, std::string> words;  // of all series; their values may hold words themselves
  std::vector<VerifySeries> series;
  std::function<double(Simulation&)> measure = {};  // default: relative L2 error over all fields at the end
  std::string quantity = "relative L2";             // what `measure` gives
  std::function<double(HeatSimulation&)> measure_heat = {};  // of heat and poisson
};

struct VerifyRow {
  std::string name, quantity, element, precision;
  int order = 0, cells = 0;
  double error = std::numeric_limits<double>::quiet_NaN();
  double observed_order = std::numeric_limits<double>::quiet_NaN();
  std::string expected;  // in words
  bool passed = false;
  std::string remark;  // why it failed, or what was let pass
  double seconds = 0;
};

struct VerifyOptions {
  std::vector<std::string> names;     // empty: all; a name also takes every entry that begins with it and '-'
  std::vector<std::string> elements;  // empty: all
  std::vector<int> orders;            // empty: all
  bool quick = false;
  Precision precision = Precision::double_;

  bool part() const { return !elements.empty() || !orders.empty(); }  // of a case's rows
};

// The relative L2 error of one field at the end, as a measure.
std::function<double(Simulation&)> field_error(std::string field);

// Order p+1 on the meshes `cells`, and in the quick form on `quick`.
VerifySeries study(std::string element, int order, std::vector<int> cells, std::vector<int> quick = {});
// The same, where the finest error may fall faster than it must while it is at most `at_most`, a guard: on coarse meshes the
// error of the phase, of order 2p+1, leads.
VerifySeries below(VerifySeries series, double at_most);
// Orders from p+1 to 2p+1: where the error of the phase and of the damping of an upwind method, of order 2p+1, has not yet
// fallen below that of the approximation, of order p+1 (Ainsworth 2004, J. Comput. Phys. 198).
VerifySeries up_to_phase(VerifySeries series);
// Errors of at most `at_most`, with steps short enough by `cfl`.
VerifySeries limit(std::string element, int order, std::vector<int> cells, std::vector<int> quick, double at_most,
                   double cfl = 1);
// An order of at most `at_most`: what must be seen where something that the order needs is left out.
VerifySeries lost(std::string element, int order, std::vector<int> cells, std::vector<int> quick, double at_most);
// The study of each order on two meshes and of each of the two elements: what smooth cases in the plane and in space
// take.
std::vector<VerifySeries> plane_studies();
std::vector<VerifySeries> space_studies();

std::vector<VerifyEntry> verify_entries();

// The entries of one physics each.
std::vector<VerifyEntry> verify_advection();
std::vector<VerifyEntry> verify_maxwell_plane();
std::vector<VerifyEntry> verify_maxwell_media();
std::vector<VerifyEntry> verify_maxwell_space();
std::vector<VerifyEntry> verify_far_field();
std::vector<VerifyEntry> verify_acoustics();
std::vector<VerifyEntry> verify_elastic();
std::vector<VerifyEntry> verify_modal();
std::vector<VerifyEntry> verify_modal_elastic();
std::vector<VerifyEntry> verify_ader();
std::vector<VerifyEntry> verify_levelset();
std::vector<VerifyEntry> verify_heat();
std::vector<VerifyEntry> verify_discontinuous();
std::vector<VerifyEntry> verify_multigrid();

// The entries and series that are asked for; throws InputError for a name that is none, and where nothing is left.
std::vector<VerifyEntry> select_entries(const VerifyOptions& options);

// `text` with every $word replaced; throws InputError for a word without a value.
std::string filled(std::string_view text, const std::map<std::string, std::string>& words);

// The case of one row as TOML.
std::string case_text(const VerifyEntry& entry, const VerifySeries& series, int cells, Precision precision);

// Runs the meshes of one series and judges them; `seen` gets each row as soon as it is known.
std::vector<VerifyRow> run_series(const VerifyEntry& entry, const VerifySeries& series, const VerifyOptions& options,
                                  Device& device, const std::function<void(const VerifyRow&)>& seen = {});

// Says what is expected of the last of `rows` and whether it came true; the rows before it have their errors.
void judge(const VerifySeries& series, Precision precision, bool finest, std::vector<VerifyRow>& rows);

std::string rows_as_json(const std::vector<VerifyRow>& rows, const Device& device, bool part);

}  // namespace swell
