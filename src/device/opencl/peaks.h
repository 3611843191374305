// SPDX-License-Identifier: Apache-2.0
// Kernels that measure peaks: the streams of a Runge-Kutta stage, and multiply-adds that wait for nothing. The host defines
// ACCUMULATORS, enough to hide the latency and few enough to stay in registers. An item is one scalar.

// A thread moves 16 bytes at once: the first threads of a launch take the pieces, the others have nothing to do.
#if SINGLE
typedef float4 Piece;
#define PIECE 4
#else
typedef double2 Piece;
#define PIECE 2
#endif
#define PIECES(i) ITEMS(i) if (i < swell_items / PIECE)

// Reads q and r, writes w and r, as a fused stage does: neighbours still read q when w is written.
KERNEL void stage_plain(GLOBAL const scalar *q, GLOBAL scalar *w, GLOBAL scalar *r, const scalar a, const scalar b) {
  PIECES(i) {
    const Piece state = ((GLOBAL const Piece *)q)[i];
    const Piece residual = a * ((GLOBAL const Piece *)r)[i] + state;
    ((GLOBAL Piece *)r)[i] = residual;
    ((GLOBAL Piece *)w)[i] = state + b * residual;
  }
}

KERNEL void multiply_add(GLOBAL scalar *out, const scalar a, const scalar b, const INDEX repeats) {
  ITEMS(i) {
    scalar sums[ACCUMULATORS];
    UNROLL for (int k = 0; k < ACCUMULATORS; ++k) sums[k] = (scalar)k;
    for (INDEX n = 0; n < repeats; ++n) {
      UNROLL for (int k = 0; k < ACCUMULATORS; ++k) sums[k] = a * sums[k] + b;
    }
    scalar total = sums[0];
    UNROLL for (int k = 1; k < ACCUMULATORS; ++k) total += sums[k];
    out[i] = total;
  }
}
