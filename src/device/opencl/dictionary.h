// SPDX-License-Identifier: Apache-2.0
// The macros of kernel source in OpenCL C 1.2; docs/kernels.md is their table. The host puts SINGLE, DOUBLES (the device has
// them), GROUPED, THREADS and SHARED_BYTES before this text, and gives each kernel the last parameters swell_first and
// swell_items.

#if DOUBLES
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#else
#define double float
#endif

#define SIMT 1
#define LANES 1
#define KERNEL __kernel __attribute__((reqd_work_group_size(THREADS, 1, 1)))
#define GLOBAL __global
#define LOCAL __local
#define TABLE __constant
#define FUNCTION static inline __attribute__((always_inline))
#define LONG_FUNCTION FUNCTION
#define RESTRICT restrict
#if defined(__clang__) || defined(cl_nv_pragma_unroll)
#define UNROLL _Pragma("unroll")
#else
#define UNROLL
#endif

typedef long INDEX;
#if SINGLE
typedef float scalar;
#else
typedef double scalar;
#endif
typedef scalar real;
typedef int truth;

#define THREAD ((int)get_local_id(0))
#if GROUPED
#define GROUP(i) const INDEX i = swell_first + (INDEX)get_group_id(0)
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#define SHARED(name)                                                                           \
  __local scalar name##_bytes[SHARED_BYTES / sizeof(scalar)] __attribute__((aligned(128)));    \
  __local scalar *const name = name##_bytes
#else
#define ITEMS(i)                                                              \
  for (INDEX i = swell_first + (INDEX)get_global_id(0); i < swell_items; \
       i += (INDEX)get_global_size(0))
#endif

// One lane. Pointers may be of any kind, so that these are macros.
#define splat(x) ((scalar)(x))
#define load(from) (*(from))
#define store(to, x) (*(to) = (x))
#define lane(x, l) (x)
#define set_lane(x, l, value) ((x) = (value))
#define sum_lanes(x) (x)
#define stream_store(to, x) (*(to) = (x))
#define stream_load(from) (*(from))
#define stream_fence()
#define prefetch(address)

// OpenCL's functions are overloaded, so that one of an integer, or of a float and a double, is ambiguous: these take
// scalars, as on the CPU.
#define SCALAR_OF_ONE(name) \
  FUNCTION scalar swell_##name(scalar x) { return name(x); }
#define SCALAR_OF_TWO(name) \
  FUNCTION scalar swell_##name(scalar x, scalar y) { return name(x, y); }
SCALAR_OF_ONE(sqrt)
SCALAR_OF_ONE(cbrt)
SCALAR_OF_ONE(exp)
SCALAR_OF_ONE(log)
SCALAR_OF_ONE(sin)
SCALAR_OF_ONE(cos)
SCALAR_OF_ONE(tan)
SCALAR_OF_ONE(asin)
SCALAR_OF_ONE(acos)
SCALAR_OF_ONE(atan)
SCALAR_OF_ONE(sinh)
SCALAR_OF_ONE(cosh)
SCALAR_OF_ONE(tanh)
SCALAR_OF_ONE(erf)
SCALAR_OF_ONE(floor)
SCALAR_OF_ONE(ceil)
SCALAR_OF_ONE(fabs)
SCALAR_OF_TWO(pow)
SCALAR_OF_TWO(atan2)
FUNCTION scalar inverse_root(scalar x) { return rsqrt(x); }
FUNCTION scalar swell_fmin(scalar x, scalar y) { return y < x ? y : x; }
FUNCTION scalar swell_fmax(scalar x, scalar y) { return y > x ? y : x; }
FUNCTION bool swell_any(truth condition) { return condition; }

#undef sqrt
#define sqrt swell_sqrt
#undef cbrt
#define cbrt swell_cbrt
#undef exp
#define exp swell_exp
#undef log
#define log swell_log
#undef sin
#define sin swell_sin
#undef cos
#define cos swell_cos
#undef tan
#define tan swell_tan
#undef asin
#define asin swell_asin
#undef acos
#define acos swell_acos
#undef atan
#define atan swell_atan
#undef sinh
#define sinh swell_sinh
#undef cosh
#define cosh swell_cosh
#undef tanh
#define tanh swell_tanh
#undef erf
#define erf swell_erf
#undef floor
#define floor swell_floor
#undef ceil
#define ceil swell_ceil
#undef fabs
#define fabs swell_fabs
#undef abs
#define abs swell_fabs
#undef pow
#define pow swell_pow
#undef atan2
#define atan2 swell_atan2
#undef fmin
#define fmin swell_fmin
#undef fmax
#define fmax swell_fmax
#undef any
#define any swell_any
