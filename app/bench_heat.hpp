// SPDX-License-Identifier: Apache-2.0
// `swell bench heat`: an iteration of conjugate gradients, beside Eigen's.
#pragma once

#include <optional>
#include <string>

namespace swell {

void bench_heat(const std::string& device, const std::string& precision, std::optional<double> dofs, bool json);

}  // namespace swell
