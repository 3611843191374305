// SPDX-License-Identifier: Apache-2.0
// The macros of kernel source on a CPU; docs/kernels.md is their table. The device puts SINGLE, VECTORS and VECTOR_BYTES before
// this text, math.h, lanes.h and memory.h behind it, and one ENTRY(name) for each kernel at the end of the program. No header
// is included: that keeps a compile near 0.1 s.

#define KERNEL static
#define GLOBAL
#define TABLE static const
#define SIMT 0
#define FUNCTION static inline __attribute__((always_inline))
#define LONG_FUNCTION static __attribute__((noinline))
#define RESTRICT __restrict__
#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 64")
#endif

typedef long INDEX;

#if SINGLE
typedef float scalar;
typedef int scalar_bits;
#else
typedef double scalar;
typedef long scalar_bits;
#endif

#if VECTORS
#define LANES (VECTOR_BYTES / int(sizeof(scalar)))
typedef scalar real __attribute__((vector_size(VECTOR_BYTES)));
typedef scalar_bits truth __attribute__((vector_size(VECTOR_BYTES)));
typedef scalar real_unaligned __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(scalar)), may_alias));
#else
#define LANES 1
typedef scalar real;
typedef bool truth;
typedef scalar real_unaligned;
#endif

FUNCTION real splat(scalar x) { return x - real{}; }

FUNCTION real load(const scalar *from) { return *(const real_unaligned *)from; }
FUNCTION void store(scalar *to, real x) { *(real_unaligned *)to = x; }

#if VECTORS
FUNCTION scalar lane(real x, int l) { return x[l]; }
FUNCTION void set_lane(real &x, int l, scalar value) { x[l] = value; }
FUNCTION bool any(truth c) {
  scalar_bits found = 0;
  for (int l = 0; l < LANES; ++l) found |= c[l];
  return found != 0;
}
FUNCTION scalar sum_lanes(real x) {
  scalar sum = 0;
  for (int l = 0; l < LANES; ++l) sum += x[l];
  return sum;
}

#else
FUNCTION scalar lane(real x, int) { return x; }
FUNCTION void set_lane(real &x, int, scalar value) { x = value; }
FUNCTION bool any(truth c) { return c; }
FUNCTION scalar sum_lanes(real x) { return x; }

#endif

// This thread's items of the launch.
static __thread INDEX swell_begin, swell_end;
#define ITEMS(i) for (INDEX i = swell_begin, swell_last = swell_end; i < swell_last; ++i)

// Arguments come as pointers to INDEX, to scalar (reals), to double (times) and to pointers (buffers).
template <class T> struct Parameter {
  static constexpr char kind = 'i';
  static T read(void *from) { return T(*static_cast<INDEX *>(from)); }
};
template <class T> struct Parameter<T *> {
  static constexpr char kind = 'b';
  static T *read(void *from) { return static_cast<T *>(*static_cast<void **>(from)); }
};
template <> struct Parameter<double> {
  static constexpr char kind = 'd';
  static double read(void *from) { return *static_cast<double *>(from); }
};
template <> struct Parameter<float> {
  static constexpr char kind = 'f';
  static float read(void *from) { return *static_cast<float *>(from); }
};

template <class F> struct Signature;
template <class... T> struct Signature<void (*)(T...)> {
  static constexpr char kinds[] = {Parameter<T>::kind..., 0};
};
template <int... i> struct Indices {};
#ifdef __clang__
template <class T, T... i> struct SameIndices { typedef Indices<i...> type; };
template <int n> using FirstIndices = typename __make_integer_seq<SameIndices, int, n>::type;
#else
template <int n> using FirstIndices = Indices<__integer_pack(n)...>;
#endif

template <class... T, int... i>
FUNCTION void swell_call(void (*kernel)(T...), void *const *from, Indices<i...>) {
  kernel(Parameter<T>::read(from[i])...);
}
template <class... T> FUNCTION void swell_call(void (*kernel)(T...), void *const *from) {
  swell_call(kernel, from, FirstIndices<sizeof...(T)>());
}

#define ENTRY(name)                                                                              \
  extern "C" const char *const swell_kinds_##name = Signature<decltype(&name)>::kinds;          \
  extern "C" void swell_entry_##name(void *const *from, INDEX begin, INDEX end) {               \
    swell_begin = begin;                                                                         \
    swell_end = end;                                                                             \
    swell_call(&name, from);                                                                     \
  }
