// SPDX-License-Identifier: Apache-2.0
// Functions on scalars and, lane by lane, on vectors: the same names for both forms of `real`.

#define MATH_OF_ONE(name)                                          \
  FUNCTION double name(double x) { return __builtin_##name(x); }   \
  FUNCTION float name(float x) { return __builtin_##name##f(x); }
#define MATH_OF_TWO(name)                                                        \
  FUNCTION double name(double x, double y) { return __builtin_##name(x, y); }    \
  FUNCTION float name(float x, float y) { return __builtin_##name##f(x, y); }

MATH_OF_ONE(sqrt)
MATH_OF_ONE(cbrt)
MATH_OF_ONE(exp)
MATH_OF_ONE(log)
MATH_OF_ONE(sin)
MATH_OF_ONE(cos)
MATH_OF_ONE(tan)
MATH_OF_ONE(asin)
MATH_OF_ONE(acos)
MATH_OF_ONE(atan)
MATH_OF_ONE(sinh)
MATH_OF_ONE(cosh)
MATH_OF_ONE(tanh)
MATH_OF_ONE(erf)
MATH_OF_ONE(floor)
MATH_OF_ONE(ceil)
MATH_OF_ONE(fabs)
MATH_OF_TWO(pow)
MATH_OF_TWO(atan2)
FUNCTION double abs(double x) { return __builtin_fabs(x); }
FUNCTION float abs(float x) { return __builtin_fabsf(x); }

// The second where it is smaller (larger), else the first, NaN or not: one instruction, unlike the C library's.
FUNCTION double fmin(double x, double y) { return y < x ? y : x; }
FUNCTION double fmax(double x, double y) { return y > x ? y : x; }
FUNCTION float fmin(float x, float y) { return y < x ? y : x; }
FUNCTION float fmax(float x, float y) { return y > x ? y : x; }

// For loops over numbers, which the compiler then does by vectors, to 4 units in the last place, where the C library has such.
#if VECTOR_MATH && !SINGLE
#define MANY_OF_ONE(name) extern "C" double many_##name(double) __asm__(#name) __attribute__((const, nothrow, simd("notinbranch")));
#define MANY_OF_TWO(name) \
  extern "C" double many_##name(double, double) __asm__(#name) __attribute__((const, nothrow, simd("notinbranch")));
#else
#define MANY_OF_ONE(name) FUNCTION scalar many_##name(scalar x) { return name(x); }
#define MANY_OF_TWO(name) FUNCTION scalar many_##name(scalar x, scalar y) { return name(x, y); }
#endif
MANY_OF_ONE(cbrt)
MANY_OF_ONE(exp)
MANY_OF_ONE(log)
MANY_OF_ONE(sin)
MANY_OF_ONE(cos)
MANY_OF_ONE(tan)
MANY_OF_ONE(asin)
MANY_OF_ONE(acos)
MANY_OF_ONE(atan)
MANY_OF_ONE(sinh)
MANY_OF_ONE(cosh)
MANY_OF_ONE(tanh)
MANY_OF_ONE(erf)
MANY_OF_TWO(pow)
MANY_OF_TWO(atan2)

#if VECTORS

#define LANES_OF_ONE(name)                            \
  FUNCTION real name(real x) {                        \
    real y;                                           \
    for (int l = 0; l < LANES; ++l) y[l] = name(x[l]); \
    return y;                                         \
  }
#define LANES_OF_TWO(name)                                   \
  FUNCTION real name(real x, real y) {                       \
    real z;                                                  \
    for (int l = 0; l < LANES; ++l) z[l] = name(x[l], y[l]);  \
    return z;                                                \
  }                                                          \
  FUNCTION real name(real x, scalar y) { return name(x, splat(y)); } \
  FUNCTION real name(scalar x, real y) { return name(splat(x), y); }

// g++ takes a loop over lanes through memory, in halves; clang does not know these names and does not need them.
#if !defined(__clang__) && defined(__SSE2__)
FUNCTION real sqrt(real x) {
#if VECTOR_BYTES == 64 && SINGLE
  return (real)__builtin_ia32_sqrtps512_mask(x, x, -1, 4);
#elif VECTOR_BYTES == 64
  return (real)__builtin_ia32_sqrtpd512_mask(x, x, -1, 4);
#elif VECTOR_BYTES == 32 && SINGLE
  return (real)__builtin_ia32_sqrtps256(x);
#elif VECTOR_BYTES == 32
  return (real)__builtin_ia32_sqrtpd256(x);
#elif SINGLE
  return (real)__builtin_ia32_sqrtps(x);
#else
  return (real)__builtin_ia32_sqrtpd(x);
#endif
}
#else
LANES_OF_ONE(sqrt)
#endif

// 1/sqrt(x) of positive numbers. Where there is an estimate of 14 bits, steps of Newton's method double them, in a quarter of
// the time of a root and a division.
FUNCTION real inverse_root(real x) {
#if !defined(__clang__) && defined(__AVX512F__) && VECTOR_BYTES == 64
#if SINGLE
  real root = (real)__builtin_ia32_rsqrt14ps512_mask(x, x, -1);
#else
  real root = (real)__builtin_ia32_rsqrt14pd512_mask(x, x, -1);
  root *= 1.5 - 0.5 * x * root * root;
#endif
  return root * (1.5 - 0.5 * x * root * root);
#else
  return 1.0 / sqrt(x);
#endif
}

LANES_OF_ONE(cbrt)
LANES_OF_ONE(exp)
LANES_OF_ONE(log)
LANES_OF_ONE(sin)
LANES_OF_ONE(cos)
LANES_OF_ONE(tan)
LANES_OF_ONE(asin)
LANES_OF_ONE(acos)
LANES_OF_ONE(atan)
LANES_OF_ONE(sinh)
LANES_OF_ONE(cosh)
LANES_OF_ONE(tanh)
LANES_OF_ONE(erf)
LANES_OF_ONE(floor)
LANES_OF_ONE(ceil)
LANES_OF_TWO(pow)
LANES_OF_TWO(atan2)

FUNCTION real fabs(real x) { return (real)((truth)x & ~(truth)splat(-0.0)); }
FUNCTION real abs(real x) { return fabs(x); }
FUNCTION real fmin(real x, real y) { return y < x ? y : x; }
FUNCTION real fmax(real x, real y) { return y > x ? y : x; }
FUNCTION real fmin(real x, scalar y) { return fmin(x, splat(y)); }
FUNCTION real fmax(real x, scalar y) { return fmax(x, splat(y)); }
FUNCTION real fmin(scalar x, real y) { return fmin(splat(x), y); }
FUNCTION real fmax(scalar x, real y) { return fmax(splat(x), y); }

#endif
