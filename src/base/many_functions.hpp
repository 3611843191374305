// SPDX-License-Identifier: Apache-2.0
// Functions of many numbers at once, by vectors where the processor and the C library have such.
#pragma once

#include <string_view>

namespace swell {

// to[i] = f(a[i]), or f(a[i], b[i]); `count` is a multiple of many_together. To 4 units in the last place.
using ManyFunction = void (*)(const double* a, const double* b, double* to, int count);
constexpr int many_together = 4;

// nullptr where there is no such form of the function.
ManyFunction find_many_function(std::string_view name);

}  // namespace swell
