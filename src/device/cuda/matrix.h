// SPDX-License-Identifier: Apache-2.0
// Macros for kernel source that multiplies matrices by warps, and copies that go on while a thread computes. Sizes and
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

#if __CUDA_ARCH__ >= 800

#if SINGLE
// A float as the sum of two numbers of 11 bits: three products of such parts give what one of floats gives. The products
// ignore what the second one has beyond its 11 bits.
FUNCTION void split(float x, unsigned *high, unsigned *low) {
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(*high) : "f"(x));
  *low = __float_as_uint(x - __uint_as_float(*high));
}

FUNCTION void tensor_product(float *c, const unsigned *a, const unsigned *b) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

#define FRAGMENT_STEPS 2
#define FRAGMENT_WORDS 128
#else
#define FRAGMENT_STEPS 1
#define FRAGMENT_WORDS 32
#endif

// One step's part of a factor, as this lane needs it for its products.
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

// Loads a fragment of the matrix, which lies in memory as fragments of FRAGMENT_WORDS; floats are already split.
FUNCTION void load_fragment(const scalar *from, Fragment *out) {
#if SINGLE
  const float4 parts = ((const float4 *)from)[THREAD % 32];
  out->high[0] = __float_as_uint(parts.x);
  out->high[1] = __float_as_uint(parts.y);
  out->low[0] = __float_as_uint(parts.z);
  out->low[1] = __float_as_uint(parts.w);
#else
  out->value = from[THREAD % 32];
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

#if __CUDA_ARCH__ >= 900 && __CUDACC_VER_MAJOR__ >= 12
// Copies of whole blocks (multiples of 16 bytes) that one thread begins and nobody's registers hold. A place of 8 bytes in
// shared memory counts the bytes that have come: bulk_expect() once, by one thread, then copies by its warp, then all wait.
FUNCTION void bulk_expect(scalar *place, unsigned bytes) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(place)));
  asm volatile("fence.proxy.async.shared::cta;");
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(place)), "r"(bytes) : "memory");
}
FUNCTION void bulk_in(scalar *to, const scalar *from, unsigned bytes, scalar *place) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_address(to)),
               "l"(from), "r"(bytes), "r"(shared_address(place))
               : "memory");
}
FUNCTION void bulk_wait(scalar *place) {
  unsigned done;
  do
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(shared_address(place))
                 : "memory");
  while (!done);
}
// Before the barrier after which a thread copies out of shared memory what others wrote.
#define BULK_WRITTEN asm volatile("fence.proxy.async.shared::cta;" ::: "memory")
FUNCTION void bulk_out(scalar *to, const scalar *from, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(shared_address(from)), "r"(bytes)
               : "memory");
}
// By the threads that copy out, at the end: shared memory must live as long.
FUNCTION void bulk_finish() {
  asm volatile("cp.async.bulk.commit_group;");
  asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}
#define WARP_MEETS __syncwarp()
#endif

#define COPY_CLOSE asm volatile("cp.async.commit_group;")
#define COPY_WAIT(newer) asm volatile("cp.async.wait_group %0;" ::"n"(newer))

// The value of another lane of the warp; all lanes take part. The last argument is the place where it can be read instead.
#define FROM_LANE(value, lane, instead) __shfl_sync(0xffffffffu, value, lane)
// Warps need not take part in the products of others.
#define FOR_WARPS(condition) if (condition)
#define ROLL _Pragma("unroll 1")
#define UNROLL_UPDATE _Pragma("unroll 4")

FUNCTION void ask_for(const void *address) { asm volatile("prefetch.global.L2 [%0];" ::"l"(address)); }

#endif
