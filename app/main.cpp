// SPDX-License-Identifier: Apache-2.0
// The command line: parses words, calls sim, turns failures into one sentence and an exit code.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "app/commands.hpp"
#include "base/error.hpp"

namespace {

constexpr int input_is_wrong = 2, run_failed = 3;

void complain(const char* sentence) { std::fprintf(stderr, "swell: %s\n", sentence); }

}  // namespace

int main(int count, char** words) {
  CLI::App app{"Swell solves time-dependent partial differential equations with high-order finite elements."};
  app.require_subcommand(1);
  app.set_version_flag("--version", SWELL_VERSION);
  int code = 0;
  swell::add_commands(app, code);
  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : input_is_wrong;
  } catch (const swell::InputError& e) {
    complain(e.what());
    return input_is_wrong;
  } catch (const swell::RunError& e) {
    complain(e.what());
    return run_failed;
  } catch (const std::bad_alloc&) {
    complain("There is not enough memory; `swell plan` says how much a case needs.");
    return run_failed;
  } catch (const std::exception& e) {
    complain(e.what());
    return run_failed;
  }
  return code;
}
