// SPDX-License-Identifier: Apache-2.0
// The command line: parses words, calls sim, turns failures into one sentence and an exit code.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "app/commands.hpp"
#include "base/error.hpp"
#include "base/names.hpp"
#include "comm/launch.hpp"

namespace {

constexpr int input_is_wrong = 2, run_failed = 3;

// One rank may fail while the others wait for it, or all may fail alike: the first speaks at once and ends them all, the others
// leave it time to. Returns the exit code where this process is alone.
int fail(swell::Ranks& ranks, const std::string& sentence, int code) {
  constexpr std::chrono::seconds patience(1);
  if (!ranks.first()) std::this_thread::sleep_for(patience);
  const std::string who = ranks.first() ? "swell" : fmt::format("swell: rank {}", ranks.rank());
  std::fprintf(stderr, "%s: %s\n", who.c_str(), sentence.c_str());
  if (!ranks.alone()) ranks.abort(code);
  return code;
}

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

// The words behind the program's name, the last one first, as CLI11 takes them. A number behind --view belongs to it, which a
// flag with a value of its own would not see.
std::vector<std::string> told(int count, char** words) {
  std::vector<std::string> all;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const bool port = !all.empty() && all.back() == "--view" && !word.empty() && word.find_first_not_of("0123456789") == word.npos;
    if (port)
      all.back() += "=" + word;
    else
      all.push_back(word);
  }
  std::reverse(all.begin(), all.end());
  return all;
}

int work(int count, char** words) {
  swell::Ranks& ranks = swell::world();
  CLI::App app{"Swell solves time-dependent partial differential equations with high-order finite elements."};
  app.require_subcommand(1);
  app.set_version_flag("--version", SWELL_VERSION);
  int code = 0;
  swell::add_commands(app, code);
  try {
    const std::string command = count > 1 ? words[1] : "", what = count > 2 ? words[2] : "";
    if (!ranks.alone() && command != "run" && !(command == "bench" && what == "ranks"))
      throw swell::InputError(
          "Several processes work together in `swell run` and `swell bench ranks` alone; start one for anything else.");
    app.parse(told(count, words));
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);
    return fail(ranks, usage_sentence(app, e, count, words), input_is_wrong);
  } catch (const swell::InputError& e) {
    return fail(ranks, e.what(), input_is_wrong);
  } catch (const std::bad_alloc&) {
    return fail(ranks, "There is not enough memory; `swell plan` says how much a case needs.", run_failed);
  } catch (const std::exception& e) {
    return fail(ranks, e.what(), run_failed);
  }
  return code;
}

}  // namespace

int main(int count, char** words) {
  try {
    const swell::Launch launch(&count, &words);
    return work(count, words);
  } catch (const std::exception& e) {
    return fail(swell::lone_rank(), e.what(), run_failed);
  }
}
