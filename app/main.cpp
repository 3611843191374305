// SPDX-License-Identifier: Apache-2.0
// The command line: parses words, calls sim, turns failures into one sentence and an exit code.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "app/commands.hpp"
#include "base/error.hpp"
#include "base/names.hpp"

namespace {

constexpr int input_is_wrong = 2, run_failed = 3;

void complain(const char* sentence) { std::fprintf(stderr, "swell: %s\n", sentence); }

std::string usage_sentence(const CLI::App& app, const CLI::ParseError& e, int count, char** words) {
  const auto used = app.get_subcommands();
  if (used.empty() && count > 1 && words[1][0] != '-') {
    std::vector<std::string> known;
    for (const auto* command : app.get_subcommands({})) known.push_back(command->get_name());
    return fmt::format("There is no command '{}'{}.", swell::shown(words[1]), swell::name_hint(words[1], known));
  }
  return fmt::format("{}; `swell {}--help` shows what can be said.", swell::shown(e.what(), 300),
                     used.empty() ? "" : used[0]->get_name() + " ");
}

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
    if (e.get_exit_code() == 0) return app.exit(e);
    complain(usage_sentence(app, e, count, words).c_str());
    return input_is_wrong;
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
