// SPDX-License-Identifier: Apache-2.0
// Sizes and matrices as kernel source.
#pragma once

#include <string>
#include <string_view>

#include "element/basis.hpp"

namespace swell {

std::string constant_text(std::string_view name, std::int64_t value);
// TABLE scalar name[rows][columns], with all digits.
std::string table_text(std::string_view name, const Matrix& matrix);

}  // namespace swell
