// SPDX-License-Identifier: Apache-2.0
#include "study/verify/verify.hpp"

#include <cmath>
#include <cstdio>

#include "app/commands.hpp"
#include "base/error.hpp"

namespace swell {

namespace {

constexpr int some_row_failed = 3;

struct VerifyWords {
  VerifyOptions options;
  std::string device = "auto", precision = "double";
  bool list = false, json = false;
};

void print_head() {
  fmt::print("{:<26} {:<13} {:>5} {:>5} {:>10} {:>6}  {:<34} {:<4} {:>7}\n", "case", "element", "order", "N", "error",
             "rate", "expected", "", "seconds");
}

void print_row(const VerifyRow& row) {
  const std::string rate = std::isfinite(row.observed_order) ? fmt::format("{:.2f}", row.observed_order) : "";
  fmt::print("{:<26} {:<13} {:>5} {:>5} {:>10.3e} {:>6}  {:<34} {:<4} {:>7.2f}{}\n", row.name, row.element, row.order,
             row.cells, row.error, rate, row.expected, row.passed ? "ok" : "FAIL", row.seconds,
             row.remark.empty() ? "" : "  " + row.remark);
  std::fflush(stdout);
}

void print_list(const std::vector<VerifyEntry>& entries) {
  for (const auto& entry : entries) fmt::print("{:<26} {} ({})\n", entry.name, entry.about, entry.quantity);
}

int verify(const VerifyWords& words) {
  const auto entries = select_entries(words.options);
  if (words.list) {
    print_list(entries);
    return 0;
  }
  const auto device = open_device(words.device);
  std::vector<VerifyRow> rows;
  if (!words.json) print_head();
  for (const auto& entry : entries)
    for (const auto& series : entry.series) {
      const auto more =
          run_series(entry, series, words.options, *device, words.json ? [](const VerifyRow&) {} : print_row);
      rows.insert(rows.end(), more.begin(), more.end());
    }
  if (rows.empty()) throw InputError("None of these cases has small meshes: leave --quick out.");
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
  auto words = std::make_shared<VerifyWords>();
  command.option("name", words->options.names, "Cases, or the words that names of several begin with; none: all");
  command.option("--element", words->options.elements, "Only triangle, quadrilateral, tetrahedron or hexahedron")
      .list()
      .single_word()
      .among({"triangle", "quadrilateral", "tetrahedron", "hexahedron"});
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
