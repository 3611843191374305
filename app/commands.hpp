// SPDX-License-Identifier: Apache-2.0
// The commands of `swell`, one function each; they set `code` to the exit code.
#pragma once

#include <CLI/CLI.hpp>

namespace swell {

void add_commands(CLI::App& app, int& code);

void add_run(CLI::App& app, int& code);
void add_plan(CLI::App& app, int& code);
void add_verify(CLI::App& app, int& code);
void add_bench(CLI::App& app, int& code);
void add_tune(CLI::App& app, int& code);
void add_info(CLI::App& app, int& code);
void add_mesh(CLI::App& app, int& code);
void add_view(CLI::App& app, int& code);
void add_help(CLI::App& app, int& code);
void add_completion(CLI::App& app, int& code);
void add_manual(CLI::App& app, int& code);

}  // namespace swell
