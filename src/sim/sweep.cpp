// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep.hpp"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/log.hpp"
#include "io/files.hpp"
#include "sim/run_parts.hpp"
#include "sim/run_session.hpp"

namespace swell {

namespace {

using Json = nlohmann::ordered_json;

constexpr int was_interrupted = 130;
constexpr const char* failed_status = "failed";
constexpr const char* refused_status = "refused";

struct SweepRow {
  std::string folder;
  std::vector<std::string> values;
  Summary summary;
};

std::string unquoted(const std::string& value) {
  const bool text = value.size() >= 2 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front();
  return text ? value.substr(1, value.size() - 2) : value;
}

std::string as_cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted(1, '"');
  for (const char c : text) {
    if (c == '"') quoted.push_back(c);
    quoted.push_back(c);
  }
  quoted.push_back('"');
  return quoted;
}

std::vector<std::pair<std::string, double>> results(const Summary& s) {
  return {{"unknowns", static_cast<double>(s.dofs)},
          {"steps", static_cast<double>(s.steps)},
          {"time", s.time},
          {"iterations", s.solver ? static_cast<double>(s.solver->iterations) : unknown},
          {"energy", s.energy_final},
          {"error_l2", s.total_l2},
          {"seconds_setup", s.seconds_setup},
          {"seconds_compile", s.seconds_compile},
          {"seconds_solve", s.seconds_solve}};
}

void write_tables(const std::filesystem::path& folder, const SweepCase& sweep, const std::vector<SweepRow>& rows) {
  std::string csv = "run";
  for (const auto& key : sweep.keys) csv += fmt::format(",{}", as_cell(key));
  csv += ",status";
  for (const auto& [name, value] : results(Summary())) csv += fmt::format(",{}", name);
  csv += '\n';
  Json all = Json::array();
  for (const SweepRow& row : rows) {
    csv += row.folder;
    Json entry{{"run", row.folder}, {"set", Json::object()}, {"status", row.summary.status}};
    for (std::size_t i = 0; i < sweep.keys.size(); ++i) {
      csv += fmt::format(",{}", as_cell(unquoted(row.values[i])));
      entry["set"][sweep.keys[i]] = unquoted(row.values[i]);
    }
    csv += fmt::format(",{}", row.summary.status);
    for (const auto& [name, value] : results(row.summary)) {
      csv += std::isfinite(value) ? fmt::format(",{}", value) : ",";
      entry[name] = std::isfinite(value) ? Json(value) : Json();
    }
    csv += '\n';
    all.push_back(std::move(entry));
  }
  atomic_write(folder / "sweep.csv", csv);
  atomic_write(folder / "sweep.json", Json{{"keys", sweep.keys}, {"runs", all}}.dump(2) + "\n");
}

}  // namespace

int run_sweep(const std::vector<Case>& cases, const RunOptions& options) {
  const SweepCase& sweep = cases.front().sweep;
  if (!options.restart.empty()) throw InputError("--restart goes on with one run, but the case has a [sweep].");
  if (options.view) throw InputError("--view shows one run, but the case has a [sweep]; `swell view` shows each run's folder.");
  Ranks& ranks = *options.ranks;
  const std::filesystem::path folder = writable(cases.front().output_folder);
  if (ranks.first()) create_folder(folder);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> nowhere(std::fopen("/dev/null", "w"), std::fclose);
  std::unique_ptr<RunSession> session;
  std::vector<SweepRow> rows;
  std::size_t failed = 0;
  int code = 0;
  for (std::size_t run = 0; run < cases.size() && code == 0; ++run) {
    Log log(options.quiet, ranks.first() ? stderr : nowhere.get());
    SweepRow& row = rows.emplace_back(fmt::format("run-{:04}", run), sweep.values[run]);
    Case c = cases[run];
    c.output_folder = folder / row.folder;
    std::string set;
    for (std::size_t i = 0; i < sweep.keys.size(); ++i)
      set += fmt::format("{}{} = {}", i ? ", " : "", sweep.keys[i], row.values[i]);
    log_info("Run {} of {}: {}", run + 1, cases.size(), set);
    try {
      if (!session || session->backend() != c.backend) session = std::make_unique<RunSession>(c.backend, ranks);
      session->expect(std::span(cases).subspan(run + 1));
      code = run_case(c, log, options, *session, row.summary);
    } catch (const RunError& failure) {
      // A failure that all ranks see is in the summary; about any other one the other ranks do not know, and they wait
      // elsewhere.
      if (!ranks.single() && row.summary.status != failed_status) throw;
      log_warning("Run {} failed: {}", run + 1, failure.what());
      row.summary.status = failed_status;
      ++failed;
    } catch (const InputError& refusal) {
      if (!ranks.single()) throw;  // as above
      log_warning("Run {} was refused: {}", run + 1, refusal.what());
      row.summary.status = refused_status;
      ++failed;
      session.reset();  // which has half of the new case
    }
    if (ranks.first()) write_tables(folder, sweep, rows);
  }
  if (failed > 0)
    throw RunError("{} of {} runs of the sweep failed: sweep.csv in {} tells which.", failed,
                   cases.size(), folder.string());
  return code == was_interrupted ? code : 0;
}

}  // namespace swell
