// SPDX-License-Identifier: Apache-2.0
// Sums in parts: `total` is their type, CHUNK the loop over one part of `count` numbers. On GPUs, chunk c
// takes the numbers c, c + chunks, ...; on a CPU it takes consecutive ones. The host sets DOUBLES where the device has them.

#if DOUBLES
typedef double total;
#else
typedef scalar total;
#endif

#if SIMT
#define CHUNK(i, chunk, chunks, count) for (INDEX i = chunk; i < count; i += chunks)
#else
#define CHUNK(i, chunk, chunks, count) \
  for (INDEX i = count * chunk / chunks, i##_end = count * (chunk + 1) / chunks; i < i##_end; ++i)
#endif

// sum += term over what a chunk has of the first `owned` numbers; `term` is written in i. On a CPU in WIDE sums side by side,
// which become vectors.
#if SIMT
#define SUM_OWNED(sum, i, chunk, chunks, count, owned, term) CHUNK(i, chunk, chunks, owned) sum += (term)
#else
#define WIDE 16
#define SUM_OWNED(sum, i, chunk, chunks, count, owned, term)                                         \
  do {                                                                                               \
    total wide_sum[WIDE] = {};                                                                       \
    const INDEX chunk_end = count * (chunk + 1) / chunks, wide_end = chunk_end < owned ? chunk_end : owned; \
    INDEX wide_begin = count * chunk / chunks;                                                       \
    for (; wide_begin + WIDE <= wide_end; wide_begin += WIDE)                                        \
      for (int wide = 0; wide < WIDE; ++wide) {                                                      \
        const INDEX i = wide_begin + wide;                                                           \
        wide_sum[wide] += (term);                                                                    \
      }                                                                                              \
    for (INDEX i = wide_begin; i < wide_end; ++i) wide_sum[0] += (term);                             \
    for (int wide = 0; wide < WIDE; ++wide) sum += wide_sum[wide];                                   \
  } while (0)
#endif
#define SUM_CHUNK(sum, i, chunk, chunks, count, term) SUM_OWNED(sum, i, chunk, chunks, count, count, term)
