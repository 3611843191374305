// SPDX-License-Identifier: Apache-2.0
// Charts of what Swell leaves: time signals, far fields, sweeps and tables of verification.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/chart.hpp"
#include "io/text_table.hpp"

namespace swell {

// All that a folder of a run, or one file, shows; `only`: of verification, the cases whose names begin so.
// Throws InputError, with one sentence, where there is nothing or a file is damaged.
std::vector<Chart> charts_of(const std::filesystem::path& path, const std::string& only = "");

// One for each column of time signals, with a curve for each file that has it; the title is that of the run.
std::vector<Chart> charts_of_signals(const std::vector<std::filesystem::path>& files, const std::string& name, const std::string& title);
// Decibels against the angle that varies, a curve for each frequency and cut.
std::vector<Chart> charts_of_far_field(const std::filesystem::path& file, const std::string& title);
// Results against the first key that takes several numbers, a curve for each combination of the others.
std::vector<Chart> charts_of_sweep(const std::filesystem::path& file, const std::string& title);
// Errors against the number of cells, with the slopes that are expected, a chart for each case and quantity.
std::vector<Chart> charts_of_verification(const std::filesystem::path& file, const std::string& only);

}  // namespace swell
