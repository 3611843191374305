// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "study/verify/verify.hpp"

namespace swell {

namespace {

std::string words_of_order(const VerifySeries& series) {
  const double low = series.expected_order, high = series.highest_order;
  return high > low ? fmt::format("order {:.4g} to {:.4g} +- {:.4g}", low, high, order_tolerance)
                    : fmt::format("order {:.4g} +- {:.4g}", low, order_tolerance);
}

void judge_order(const VerifySeries& series, double floor, VerifyRow& row) {
  const double excess = row.observed_order - series.expected_order;
  const double room = std::max(0.0, series.highest_order - series.expected_order);
  if (excess >= -order_tolerance && excess <= room + order_tolerance) return;
  if (row.error <= floor)
    row.remark = fmt::format("at the rounding floor of {:.0e}", floor);
  else if (excess > 0 && std::isfinite(series.at_most) && row.error <= series.at_most)
    row.remark = fmt::format("faster than the theory, and the error is below {:.3g}", series.at_most);
  else
    fail(row, fmt::format("order {:.2f} is not within {:.2f} of {:.4g}", row.observed_order, order_tolerance,
                          series.expected_order));
}

}  // namespace

void fail(VerifyRow& row, const std::string& why) {
  row.passed = false;
  row.remark = row.remark.empty() ? why : why + "; " + row.remark;
}

void judge(const VerifySeries& series, Precision precision, bool finest, std::vector<VerifyRow>& rows) {
  const double floor = precision == Precision::single_ ? floor_single : floor_double;
  VerifyRow& row = rows.back();
  row.passed = true;
  std::vector<std::string> expected;
  if (rows.size() > 1) {
    const VerifyRow& coarser = rows[rows.size() - 2];
    row.observed_order = std::log(coarser.error / row.error) / std::log(static_cast<double>(row.cells) / coarser.cells);
    if (finest && series.expected_order > 0) {
      expected.push_back(words_of_order(series));
      judge_order(series, floor, row);
    }
    if (finest && series.lost_order > 0) {
      expected.push_back(fmt::format("order at most {:.4g}", series.lost_order));
      if (!(row.observed_order <= series.lost_order))
        fail(row, fmt::format("order {:.2f} is above {:.4g}", row.observed_order, series.lost_order));
    }
  }
  if (const auto reference = series.reference.find(row.cells); reference != series.reference.end()) {
    const double ratio = row.error / reference->second;
    expected.push_back(fmt::format("{:.3g} within {:.4g}x", reference->second, reference_factor));
    const bool near = ratio <= reference_factor && ratio >= 1 / reference_factor;
    if (!near && !(row.error <= floor)) fail(row, fmt::format("the error is {:.3g} times the reference", ratio));
  }
  if (finest && std::isfinite(series.at_most)) {
    expected.push_back(fmt::format("at most {:.3g}{}", series.at_most, series.guard ? " (guard)" : ""));
    if (!(row.error <= std::max(series.at_most, floor)))
      fail(row, fmt::format("the error is above {:.3g}", series.at_most));
  }
  if (!std::isfinite(row.error)) fail(row, "the error is not a finite number");
  row.expected = fmt::format("{}", fmt::join(expected, ", "));
}

}  // namespace swell
