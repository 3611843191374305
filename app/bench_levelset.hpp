// SPDX-License-Identifier: Apache-2.0
// `swell bench levelset`, `swell bench modal` and `swell bench families`, which have tables of their own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "device/device.hpp"

namespace swell {

void bench_levelset(const std::string& device_name, const std::vector<int>& orders, Precision precision, bool json);
// Sparse products in the kernel source, in tables and dense, side by side.
void bench_modal(const std::string& device_name, const std::vector<int>& orders, Precision precision, bool json);

// ADER in modes beside Runge-Kutta in nodes, at equal work.
void bench_families(const std::string& device_name, const std::vector<int>& orders, const std::string& precision,
                    std::optional<double> dofs, bool json);

}  // namespace swell
