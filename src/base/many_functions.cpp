// SPDX-License-Identifier: Apache-2.0
#include "base/many_functions.hpp"

#include <array>
#include <cstdlib>

// libmvec of glibc has them all since 2.35, and g++ knows how they are called: a declaration says that there are vector forms.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__GLIBC__)
#define SWELL_VECTOR_FUNCTIONS __GLIBC_PREREQ(2, 35)
#else
#define SWELL_VECTOR_FUNCTIONS 0
#endif

namespace swell {

#if SWELL_VECTOR_FUNCTIONS

namespace {

struct Named {
  std::string_view name;
  ManyFunction function;
};

#define SWELL_LOOP(name)                               \
  __attribute__((target("avx2,fma"), optimize("O3"))) \
  void loop_##name(const double* a, const double* b, double* to, int count)
#define SWELL_OF_ONE(name)                                                                                      \
  extern "C" double many_##name(double) __asm__(#name) __attribute__((const, nothrow, simd("notinbranch")));   \
  SWELL_LOOP(name) {                                                                                            \
    (void)b;                                                                                                    \
    _Pragma("GCC ivdep") for (int i = 0; i < count / many_together * many_together; ++i) to[i] = many_##name(a[i]); \
  }
#define SWELL_OF_TWO(name)                                                                                            \
  extern "C" double many_##name(double, double) __asm__(#name) __attribute__((const, nothrow, simd("notinbranch"))); \
  SWELL_LOOP(name) {                                                                                                  \
    _Pragma("GCC ivdep") for (int i = 0; i < count / many_together * many_together; ++i) to[i] = many_##name(a[i], b[i]); \
  }

SWELL_OF_ONE(acos)
SWELL_OF_ONE(asin)
SWELL_OF_ONE(atan)
SWELL_OF_TWO(atan2)
SWELL_OF_ONE(cbrt)
SWELL_OF_ONE(cos)
SWELL_OF_ONE(cosh)
SWELL_OF_ONE(erf)
SWELL_OF_ONE(exp)
SWELL_OF_ONE(log)
SWELL_OF_TWO(pow)
SWELL_OF_ONE(sin)
SWELL_OF_ONE(sinh)
SWELL_OF_ONE(tan)
SWELL_OF_ONE(tanh)

constexpr std::array<Named, 15> table{{{"acos", loop_acos}, {"asin", loop_asin}, {"atan", loop_atan}, {"atan2", loop_atan2},
                                       {"cbrt", loop_cbrt}, {"cos", loop_cos}, {"cosh", loop_cosh}, {"erf", loop_erf},
                                       {"exp", loop_exp}, {"log", loop_log}, {"pow", loop_pow}, {"sin", loop_sin},
                                       {"sinh", loop_sinh}, {"tan", loop_tan}, {"tanh", loop_tanh}}};

}  // namespace

ManyFunction find_many_function(std::string_view name) {
  static const bool usable = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (!usable) return nullptr;
  for (const Named& one : table)
    if (one.name == name) return one.function;
  return nullptr;
}

#else

ManyFunction find_many_function(std::string_view) { return nullptr; }

#endif

}  // namespace swell
