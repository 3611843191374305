// SPDX-License-Identifier: Apache-2.0
// The runner and the judge of `swell verify`. The shipped suite is the files of the folder verify/, which the program carries.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "case/verify_file.hpp"
#include "device/device.hpp"

namespace swell {

// Tolerances: the deviation of an observed order, the factor of an error above its reference, and the error below which
// rounding hides the order (single and double precision).
inline constexpr double order_tolerance = 0.25, reference_factor = 1.5, floor_single = 1e-5, floor_double = 1e-12;

struct VerifyRow {
  std::string name, quantity, element, precision;
  int order = 0, cells = 0;
  double error = std::numeric_limits<double>::quiet_NaN();
  double observed_order = std::numeric_limits<double>::quiet_NaN();
  std::string expected;  // in words
  bool passed = false;
  std::string remark;  // why it failed, or which deviation was accepted
  double seconds = 0;
};

struct VerifyOptions {
  // Empty: the shipped suite. A name selects that case, or every case that begins with it and '-'; one that ends with .toml is
  // a file, all of whose cases are selected.
  std::vector<std::string> names;
  std::vector<std::string> elements;  // empty: all
  std::vector<int> orders;            // empty: all
  bool quick = false;
  Precision precision = Precision::double_;

  bool part() const { return !elements.empty() || !orders.empty(); }  // of a case's rows
};

// The shipped cases.
std::vector<VerifyEntry> verify_entries();

// The selected entries and series; throws InputError for a name that is none, where nothing is left, and for a file that is
// wrong.
std::vector<VerifyEntry> select_entries(const VerifyOptions& options);

// The meshes of a series in the selected form.
const std::vector<int>& meshes_of(const VerifySeries& series, const VerifyOptions& options);
// How many rows there will be. Throws InputError where a row's case is wrong, before anything has run.
std::size_t check_rows(const std::vector<VerifyEntry>& entries, const VerifyOptions& options);

// Runs the meshes of one series and judges them; `seen` gets each row as soon as it is known.
std::vector<VerifyRow> run_series(const VerifyEntry& entry, const VerifySeries& series, const VerifyOptions& options,
                                  Device& device, const std::function<void(const VerifyRow&)>& seen = {});

// Says what is expected of the last of `rows` and whether it came true; the rows before it have their errors.
void judge(const VerifySeries& series, Precision precision, bool finest, std::vector<VerifyRow>& rows);
// Puts the sentence of a check that did not hold in front of what is there.
void fail(VerifyRow& row, const std::string& why);

std::string rows_as_json(const std::vector<VerifyRow>& rows, const Device& device, bool part);

}  // namespace swell
