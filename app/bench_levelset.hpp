// SPDX-License-Identifier: Apache-2.0
// `swell bench levelset` and `swell bench modal`, which have tables of their own.
#pragma once

#include <string>
#include <vector>

namespace swell {

void bench_levelset(const std::string& device_name, const std::vector<int>& orders, bool json);
// Sparse products in the text, in tables and dense, side by side.
void bench_modal(const std::string& device_name, const std::vector<int>& orders, bool json);

void bench_families(const std::string& device_name, const std::vector<int>& orders, const std::string& precision,
                    const std::vector<std::string>& models, double dofs, bool json);

}  // namespace swell
