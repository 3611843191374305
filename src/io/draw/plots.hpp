// SPDX-License-Identifier: Apache-2.0
// Charts of Swell's results: time signals, far fields, sweeps, verification, benchmarks, tuning and scaling.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "io/draw/chart.hpp"
#include "io/text_table.hpp"

namespace swell {

// All that a folder of a run, or one file, shows; `only`: of verification, benchmarks and tuning, what has a name that begins
// so. A folder may show nothing. Throws InputError, with one sentence, where a file does not, or is damaged.
std::vector<Chart> charts_of(const std::filesystem::path& path, const std::string& only = "");

// The title of the run whose folder it is, from summary.json; the folder's name where there is none. Throws InputError.
std::string title_of_run(const std::filesystem::path& folder);
// One for each column of time signals, with a curve for each file that has it; the title is that of the run.
std::vector<Chart> charts_of_signals(const std::vector<std::filesystem::path>& files, const std::string& name, const std::string& title);
// Fields along lines (probes/NAME.csv) at the last time, against the distance.
std::vector<Chart> charts_of_lines(const std::vector<std::filesystem::path>& files, const std::string& name, const std::string& title);
// Decibels against the angle that varies, a curve for each frequency and cut.
std::vector<Chart> charts_of_far_field(const std::filesystem::path& file, const std::string& title);
// Results against the first key that takes several numbers, a curve for each combination of the others.
std::vector<Chart> charts_of_sweep(const std::filesystem::path& file, const std::string& title);
// Charts of a JSON file: verification, a benchmark, tuning or scaling.
std::vector<Chart> charts_of_json(const std::filesystem::path& file, const std::string& only);
// Errors against the number of cells, with the slopes that are expected, a chart for each case and quantity.
std::vector<Chart> charts_of_verification(const std::filesystem::path& file, const std::string& only);
// Rooflines: operations a second against operations a byte, below what the device can do; a chart for each device and
// precision.
std::vector<Chart> charts_of_bench(const std::filesystem::path& file, const nlohmann::json& all, const std::string& only);
// The fastest variants of each kernel, as `swell tune --json` prints them.
std::vector<Chart> charts_of_tuning(const std::filesystem::path& file, const nlohmann::json& all, const std::string& only);
// How much faster than the default the choices of a tuning file are (device/tuner.hpp).
std::vector<Chart> charts_of_choices(const std::filesystem::path& file, const std::string& only);
// Efficiency against ranks, weak and strong, as measured and as predicted (bench/scaling).
std::vector<Chart> charts_of_scaling(const std::filesystem::path& file, const nlohmann::json& all);

}  // namespace swell
