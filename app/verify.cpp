// SPDX-License-Identifier: Apache-2.0
#include "study/verify/verify.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "app/commands.hpp"
#include "base/error.hpp"

namespace swell {

namespace {

constexpr int some_row_failed = 3;

struct VerifyCommand {
  VerifyOptions options;
  std::string device = "auto", precision = "double";
  bool list = false, json = false;
};

// Widths of the columns that depend on what is run: a table that grows line by line keeps its form.
struct Widths {
  std::size_t name = 4, expected = 8;
};

Widths widths_of(const std::vector<VerifyEntry>& entries, const VerifyOptions& options) {
  Widths widths;
  for (const auto& entry : entries)
    for (const auto& series : entry.series) {
      const auto& meshes = meshes_of(series, options);
      std::vector<VerifyRow> rows;
      for (std::size_t i = 0; i < meshes.size(); ++i) {
        rows.emplace_back().cells = meshes[i];
        judge(series, series.precision.value_or(options.precision), i + 1 == meshes.size(), rows);
        widths.expected = std::max(widths.expected, rows.back().expected.size());
        widths.name = std::max(widths.name, entry.name.size());
      }
    }
  return widths;
}

class Table {
 public:
  Table(Widths widths, std::size_t rows) : widths_(widths), rows_(rows) {
    fmt::print("{:>{}} {:<{}} {:<13} {:>5} {:>5} {:>10} {:>6}  {:<{}} {:<4} {:>7}\n", "row", of_all(0).size(), "case", widths_.name,
               "element", "order", "N", "error", "rate", "expected", widths_.expected, "", "seconds");
  }

  void print(const VerifyRow& row, std::size_t number) const {
    const std::string rate = std::isfinite(row.observed_order) ? fmt::format("{:.2f}", row.observed_order) : "";
    fmt::print("{} {:<{}} {:<13} {:>5} {:>5} {:>10.3e} {:>6}  {:<{}} {:<4} {:>7.2f}{}\n", of_all(number), row.name, widths_.name,
               row.element, row.order, row.cells, row.error, rate, row.expected, widths_.expected, row.passed ? "ok" : "FAIL",
               row.seconds, row.remark.empty() ? "" : "  " + row.remark);
    std::fflush(stdout);
  }

 private:
  // "  12/1045"
  std::string of_all(std::size_t number) const {
    const std::string all = fmt::format("{}", rows_);
    return fmt::format("{:>{}}/{}", number, all.size(), all);
  }

  Widths widths_;
  std::size_t rows_;
};

void print_list(const std::vector<VerifyEntry>& entries) {
  for (const auto& entry : entries) fmt::print("{:<26} {} ({})\n", entry.name, entry.shows, entry.quantity);
}

int verify(const VerifyCommand& words) {
  const auto entries = select_entries(words.options);
  if (words.list) {
    print_list(entries);
    return 0;
  }
  const std::size_t count = check_rows(entries, words.options);
  if (count == 0) throw InputError("None of these cases has small meshes: leave --quick out.");
  const auto device = open_device(words.device);
  std::vector<VerifyRow> rows;
  std::size_t number = 0;
  const auto table = words.json ? std::optional<Table>() : Table(widths_of(entries, words.options), count);
  const auto show = [&](const VerifyRow& row) {
    ++number;
    if (table)
      table->print(row, number);
    else  // whoever waits for the report sees how far it is
      fmt::print(stderr, "row {} of {}: {} {} {} {}\n", number, count, row.name, row.element, row.order, row.cells);
  };
  for (const auto& entry : entries)
    for (const auto& series : entry.series) {
      const auto more = run_series(entry, series, words.options, *device, show);
      rows.insert(rows.end(), more.begin(), more.end());
    }
  std::size_t failed = 0;
  for (const auto& row : rows) failed += !row.passed;
  if (words.json)
    fmt::print("{}", rows_as_json(rows, *device, words.options.part()));
  else
    fmt::print("{} rows, {} failed.\n", rows.size(), failed);
  return failed == 0 ? 0 : some_row_failed;
}

}  // namespace

Command verify_command() {
  Command command{"verify", "Run the verification suite: errors and observed orders against exact answers"};
  auto words = std::make_shared<VerifyCommand>();
  command.option("name", words->options.names,
                 "Cases, the words that names of several begin with, or files of your own (my-case.toml); none: all that come with Swell");
  command.option("--element", words->options.elements, "Only line, triangle, quadrilateral, tetrahedron, hexahedron, prism, pyramid or mixed")
      .list()
      .single_word()
      .among({"line", "triangle", "quadrilateral", "tetrahedron", "hexahedron", "prism", "pyramid", "mixed"});
  command.option("--order", words->options.orders, "Only these orders").list().single_word();
  command.option("--list", words->list, "Say what there is");
  command.option("--json", words->json, "Print the table as JSON");
  command.option("--quick", words->options.quick, "Small meshes: what the tests run");
  command.option("--precision", words->precision, "single or double").among({"single", "double"});
  command.option("--device", words->device, "cpu[:THREADS], opencl[:P:D], cuda[:D] or auto").value("DEVICE");
  command.run = [words](const Given&) {
    words->options.precision = words->precision == "single" ? Precision::single_ : Precision::double_;
    return verify(*words);
  };
  return command;
}

}  // namespace swell
