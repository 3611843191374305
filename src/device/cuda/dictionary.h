// SPDX-License-Identifier: Apache-2.0
// The macros of kernel source on an NVIDIA GPU; docs/kernels.md is their table. The device puts SINGLE, GROUPED, THREADS and,
// where the program says it, RESIDENT before this text. NVRTC knows the mathematical functions in both precisions.

#ifdef RESIDENT
#define KERNEL extern "C" __global__ __launch_bounds__(THREADS, RESIDENT)
#else
#define KERNEL extern "C" __global__ __launch_bounds__(THREADS)
#endif
#define GLOBAL
#define LOCAL
#define TABLE static __device__ const
#define FUNCTION static __device__ __forceinline__
#define LONG_FUNCTION FUNCTION
#define RESTRICT __restrict__
#define UNROLL _Pragma("unroll")
#define SIMT 1
#define LANES 1

typedef long INDEX;
#if SINGLE
typedef float scalar;
#else
typedef double scalar;
#endif
typedef scalar real;
typedef bool truth;

#define THREAD ((int)threadIdx.x)
#if GROUPED
// The host adds `swell_first` and `swell_items`, the first item of the launch and the end, to the parameters of each kernel.
#define GROUP(i) const INDEX i = swell_first + blockIdx.x
#define BARRIER __syncthreads()
#define SHARED(name)                                             \
  extern __shared__ __align__(128) unsigned char swell_shared[]; \
  scalar *const name = (scalar *)swell_shared
#else
#define ITEMS(i)                                                                                   \
  for (INDEX i = swell_first + (INDEX)blockIdx.x * THREADS + threadIdx.x; i < swell_items; \
       i += (INDEX)gridDim.x * THREADS)
#endif

FUNCTION real splat(scalar x) { return x; }
FUNCTION real load(const scalar *from) { return *from; }
FUNCTION void store(scalar *to, real x) { *to = x; }
FUNCTION scalar lane(real x, int) { return x; }
FUNCTION void set_lane(real &x, int, scalar value) { x = value; }
FUNCTION bool any(truth c) { return c; }
FUNCTION scalar sum_lanes(real x) { return x; }
FUNCTION real inverse_root(real x) { return rsqrt(x); }

// The second where it is smaller (larger), else the first, NaN or not. NVRTC has functions of these names that differ.
FUNCTION double swell_fmin(double x, double y) { return y < x ? y : x; }
FUNCTION double swell_fmax(double x, double y) { return y > x ? y : x; }
FUNCTION float swell_fmin(float x, float y) { return y < x ? y : x; }
FUNCTION float swell_fmax(float x, float y) { return y > x ? y : x; }
#define fmin(x, y) swell_fmin(x, y)
#define fmax(x, y) swell_fmax(x, y)

// Past the caches, for what is not read again soon.
FUNCTION void stream_store(scalar *to, scalar x) { __stcs(to, x); }
FUNCTION scalar stream_load(const scalar *from) { return __ldcs(from); }
FUNCTION void stream_fence() {}
FUNCTION void prefetch(const void *) {}
