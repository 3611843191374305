// SPDX-License-Identifier: Apache-2.0
// A verification file: the sections of a case, in which $words may stand for values, and [[verify]] tables that say what is
// measured on which meshes and what is expected (docs/verification.md).
#pragma once

#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "case/case.hpp"

namespace swell {

// The value of a $word, as TOML: 8, "sqrt(2)", [0, 1].
using VerifyWords = std::map<std::string, std::string>;

// One line of a convergence study: the case on one or several meshes, coarse to fine.
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
      std::numeric_limits<double>::infinity();  // the finest error; also lets an order above the expected one pass
  bool guard = false;                           // at_most was measured, with room: it guards what was reached once
  double cfl = 1;                               // $cfl
  VerifyWords words = {};                       // in place of the case's
  std::optional<Precision> precision = {};      // of this line, whatever is asked for
};

// A value that is known: of the field at a point, `factor` times the slope from `at` to `to`, its mean on that way, or how far from
// `at` it crosses a level there.
struct KnownValue {
  std::string field;  // empty: the model's only one
  std::vector<double> at, to;
  double factor = 1, value = 0;
  std::optional<double> crosses;  // the level
  bool mean = false;
  std::optional<double> time;  // empty: the end
};

// The measure that one row gives as its error; each kind reads the members that it needs.
struct VerifyMeasure {
  std::string kind = "l2";
  std::string field;           // l2: of this field alone; energy-growth, energy-change: of this integral
  std::optional<double> time;  // empty: the end
  std::vector<KnownValue> values;
  bool relative = false;         // values: differences relative to them
  std::vector<double> expected;  // farfield, stored: known numbers, each times `unit`
  double unit = 1;
  Formula inflow;                 // balance: what comes in from t to t + dt, in t and dt
  std::vector<Formula> velocity;  // carried: a steady flow, in x and y
  Formula where;                  // l2: only places at which this expression in x, y, z is not 0
  Formula clock;                  // carried: the time for which the steady flow carries until t
  int steps = 0;                  // carried: of the integration along the flow
  std::string against;            // difference: sections of the other case, as TOML
};

struct VerifyEntry {
  std::string name, shows;
  std::string quantity;  // the measure in words
  std::string file;      // where it stands, for messages
  std::filesystem::path folder = ".";
  std::string sections;  // of the case, as TOML; $words are filled in by case_text()
  VerifyWords words;
  VerifyMeasure measure;
  std::vector<VerifySeries> series;
};

// The cases of a file. Throws InputError with one sentence that names the key and the file.
std::vector<VerifyEntry> parse_verify_file(std::string_view toml, const std::string& name,
                                           const std::filesystem::path& folder = ".");
std::vector<VerifyEntry> read_verify_file(const std::filesystem::path& file);

// The case of one row as TOML: $N, $half (of N), $tenth (0.1 / N), $order, $element, $cfl and the words of the file are filled
// in. Throws InputError for a word without a value.
std::string case_text(const VerifyEntry& entry, const VerifySeries& series, int cells, Precision precision);
// The same, read and checked.
Case case_of_row(const VerifyEntry& entry, const VerifySeries& series, int cells, Precision precision);
// The case that a row with the measure "difference" is compared with.
Case case_compared_with(const VerifyEntry& entry, const Case& row);

}  // namespace swell
