// SPDX-License-Identifier: Apache-2.0
// Words for kernel text that multiplies matrices by warps, and copies that go on while a thread computes. Sizes and
// fragments are those of the PTX instructions mma.m16n8k4 (f64) and m16n8k8 (tf32).

#if SINGLE
typedef float2 scalar2;
typedef float4 scalar4;
#else
typedef double2 scalar2;
#endif

FUNCTION scalar2 pair_of(scalar x, scalar y) {
  scalar2 both;
  both.x = x;
  both.y = y;
  return both;
}

// Past the caches, for what is not read again soon.
FUNCTION void store_past(scalar *to, scalar x) { __stcs(to, x); }
FUNCTION void store_past(scalar2 *to, scalar2 x) { __stcs(to, x); }
#if SINGLE
FUNCTION void store_past(scalar4 *to, scalar4 x) { __stcs(to, x); }
#endif

// What the neighbouring lane of an even and an odd one has.
FUNCTION scalar2 trade(scalar2 x, scalar *) {
  return pair_of(__shfl_xor_sync(0xffffffffu, x.x, 1), __shfl_xor_sync(0xffffffffu, x.y, 1));
}

#if __CUDA_ARCH__ >= 800

#if SINGLE
// A float as the sum of two numbers of 11 bits: three products of such parts give what one of floats gives.
FUNCTION void split(float x, unsigned *high, unsigned *low) {
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(*high) : "f"(x));
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(*low) : "f"(x - __uint_as_float(*high)));
}

FUNCTION void tensor_product(float *c, const unsigned *a, const unsigned *b) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

#define FRAGMENT_STEPS 2
#else
#define FRAGMENT_STEPS 1
#endif

// One step's part of the matrix, as this lane needs it for its products.
struct Fragment {
#if SINGLE
  unsigned high[2], low[2];
#else
  double value;
#endif
};

FUNCTION void prepare_fragment(const scalar *b, Fragment *out) {
#if SINGLE
  UNROLL for (int s = 0; s < 2; ++s) split(b[s], out->high + s, out->low + s);
#else
  out->value = b[0];
#endif
}

FUNCTION void matrix_step(scalar *c, const Fragment *a_low, const Fragment *a_high, const Fragment *b, scalar *) {
#if SINGLE
  const unsigned high[4] = {a_low->high[0], a_high->high[0], a_low->high[1], a_high->high[1]};
  const unsigned low[4] = {a_low->low[0], a_high->low[0], a_low->low[1], a_high->low[1]};
  tensor_product(c, low, b->high);
  tensor_product(c, high, b->low);
  tensor_product(c, high, b->high);
#else
  asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a_low->value), "d"(a_high->value), "d"(b->value));
#endif
}

FUNCTION unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

// copy_N and copy_cached_N: N scalars, aligned to N; the second keeps them in the first-level cache too.
#define COPY_CACHED(name, count)                                                                                        \
  FUNCTION void name(scalar *to, const scalar *from) {                                                                  \
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared_address(to)), "l"(from), "n"(count * sizeof(scalar))); \
  }
#define COPY_PAST(name)                                                                                 \
  FUNCTION void name(scalar *to, const scalar *from) {                                                  \
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from));     \
  }
COPY_CACHED(copy_1, 1)
COPY_CACHED(copy_cached_1, 1)
COPY_CACHED(copy_cached_2, 2)
#if SINGLE
COPY_CACHED(copy_2, 2)
COPY_CACHED(copy_cached_4, 4)
COPY_PAST(copy_4)
#else
COPY_PAST(copy_2)
#endif

#define COPY_CLOSE asm volatile("cp.async.commit_group;")
#define COPY_WAIT(newer) asm volatile("cp.async.wait_group %0;" ::"n"(newer))

// What another lane of the warp has; all lanes ask. The last argument says where it can be read instead.
#define FROM_LANE(value, lane, instead) __shfl_sync(0xffffffffu, value, lane)
// Warps need not take part in the products of others.
#define FOR_WARPS(condition) if (condition)
#define ROLL _Pragma("unroll 1")
#define UNROLL_UPDATE _Pragma("unroll 4")

FUNCTION void ask_for(const void *address) { asm volatile("prefetch.global.L2 [%0];" ::"l"(address)); }

#endif
