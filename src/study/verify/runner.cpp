// SPDX-License-Identifier: Apache-2.0
#include "base/timer.hpp"
#include "study/verify/measures.hpp"
#include "study/verify/verify.hpp"

namespace swell {

const std::vector<int>& meshes_of(const VerifySeries& series, const VerifyOptions& options) {
  return options.quick ? series.quick : series.cells;
}

std::size_t check_rows(const std::vector<VerifyEntry>& entries, const VerifyOptions& options) {
  std::size_t rows = 0;
  for (const VerifyEntry& entry : entries)
    for (const VerifySeries& series : entry.series)
      for (const int cells : meshes_of(series, options)) {
        const Case c = case_of_row(entry, series, cells, series.precision.value_or(options.precision));
        if (!entry.measure.against.empty()) case_compared_with(entry, c);
        ++rows;
      }
  return rows;
}

std::vector<VerifyRow> run_series(const VerifyEntry& entry, const VerifySeries& series, const VerifyOptions& options,
                                  Device& device, const std::function<void(const VerifyRow&)>& seen) {
  const auto& meshes = meshes_of(series, options);
  const Precision precision = series.precision.value_or(options.precision);
  std::vector<VerifyRow> rows;
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    const Stopwatch clock;
    VerifyRow row;
    row.name = entry.name;
    row.quantity = entry.quantity;
    row.element = series.element;
    row.precision = precision == Precision::single_ ? "single" : "double";
    row.order = series.order;
    row.cells = meshes[i];
    std::string failure;
    try {
      row.error = measured(entry, case_of_row(entry, series, meshes[i], precision), device);
    } catch (const std::exception& e) {
      failure = e.what();
    }
    row.seconds = clock.seconds();
    rows.push_back(row);
    judge(series, precision, i + 1 == meshes.size(), rows);
    if (!failure.empty()) fail(rows.back(), failure);
    if (seen) seen(rows.back());
  }
  return rows;
}

}  // namespace swell
