// SPDX-License-Identifier: Apache-2.0
// Work for other programs besides advancing a case: its keys, its predicted cost, a whole run, and a description of this
// machine.
#pragma once

#include <string>

#include "case/given_case.hpp"
#include "study/plan.hpp"

namespace swell {

// The case as JSON: what was written and overridden, unchecked. Throws InputError for what is no TOML.
std::string keys_of(const GivenCase& given);
// The case with its overrides as TOML text.
std::string text_of(const GivenCase& given);

Plan plan_given(const GivenCase& given);

// `swell run` with its folder (empty: the case's own); the exit code. Ends early where a signal comes, as the command does; one
// at a time in a process.
int run_given(const GivenCase& given, const std::filesystem::path& folder, bool quiet);
// The folder that it writes to.
std::filesystem::path folder_of(const GivenCase& given);

// Version, models, schemes, devices, cache folders, as JSON: `swell info --json`.
std::string info_json();

}  // namespace swell
