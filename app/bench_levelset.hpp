// SPDX-License-Identifier: Apache-2.0
// `swell bench levelset`, which has a table of its own.
#pragma once

#include <string>
#include <vector>

namespace swell {

void bench_levelset(const std::string& device_name, const std::vector<int>& orders, bool json);

}  // namespace swell
