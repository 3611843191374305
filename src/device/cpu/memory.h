// SPDX-License-Identifier: Apache-2.0
// Stores past the caches, and reads ahead of use.

FUNCTION void prefetch(const void *address) { __builtin_prefetch(address); }
// Into the second cache, which has more requests under way than the first: for long streams.
FUNCTION void prefetch_far(const void *address) { __builtin_prefetch(address, 0, 2); }

// Past the caches, for what is not read again soon: `to` is aligned as `real` is. Other threads see it after
// stream_fence().
#if VECTORS && defined(__clang__)
FUNCTION void stream_store(real *to, real x) { __builtin_nontemporal_store(x, to); }
#elif VECTORS && defined(__SSE2__)
FUNCTION void stream_store(real *to, real x) {
#if VECTOR_BYTES == 64 && SINGLE
  __builtin_ia32_movntps512((float *)to, x);
#elif VECTOR_BYTES == 64
  __builtin_ia32_movntpd512((double *)to, x);
#elif VECTOR_BYTES == 32 && SINGLE
  __builtin_ia32_movntps256((float *)to, x);
#elif VECTOR_BYTES == 32
  __builtin_ia32_movntpd256((double *)to, x);
#elif SINGLE
  __builtin_ia32_movntps((float *)to, x);
#else
  __builtin_ia32_movntpd((double *)to, x);
#endif
}
#else
FUNCTION void stream_store(real *to, real x) { *to = x; }
#endif

FUNCTION real stream_load(const real *from) { return *from; }

FUNCTION void stream_fence() {
#if defined(__SSE2__)
  __builtin_ia32_sfence();
#else
  __sync_synchronize();
#endif
}
