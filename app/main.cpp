// SPDX-License-Identifier: Apache-2.0
// The command line: parses words, calls sim, turns failures into one sentence and an exit code.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <thread>

#include "app/commands.hpp"
#include "base/error.hpp"
#include "comm/launch.hpp"

namespace {

constexpr int input_is_wrong = 2, run_failed = 3;

// One rank may fail while the others wait for it, or all may fail alike: the first rank prints its sentence and ends all ranks
// at once, the others wait a moment before they do. Returns the exit code where there is a single process.
int fail(swell::Ranks& ranks, const std::string& sentence, int code) {
  constexpr std::chrono::seconds patience(1);
  if (!ranks.first()) std::this_thread::sleep_for(patience);
  const std::string who = ranks.first() ? "swell" : fmt::format("swell: rank {}", ranks.rank());
  std::fprintf(stderr, "%s: %s\n", who.c_str(), sentence.c_str());
  if (!ranks.single()) ranks.abort(code);
  return code;
}

int work(int count, char** words) {
  swell::Ranks& ranks = swell::world();
  swell::CommandLine line("Swell solves time-dependent partial differential equations with high-order finite elements.", SWELL_VERSION);
  swell::add_commands(line);
  try {
    const std::string command = count > 1 ? words[1] : "", what = count > 2 ? words[2] : "";
    if (!ranks.single() && command != "run" && !(command == "bench" && what == "ranks"))
      throw swell::InputError(
          "Several processes work together in `swell run` and `swell bench ranks` alone; start one for anything else.");
    return line.run(count, words);
  } catch (const swell::InputError& e) {
    return fail(ranks, e.what(), input_is_wrong);
  } catch (const std::bad_alloc&) {
    return fail(ranks, "There is not enough memory; `swell plan` says how much a case needs.", run_failed);
  } catch (const std::exception& e) {
    return fail(ranks, e.what(), run_failed);
  }
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
