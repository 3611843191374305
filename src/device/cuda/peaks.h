// SPDX-License-Identifier: Apache-2.0
// Kernels that measure peaks: the streams of a Runge-Kutta stage, and multiply-adds that wait for nothing. The host defines
// ACCUMULATORS, enough to hide the latency and few enough to stay in registers. An item is one scalar.

// A thread moves 16 bytes at once: the first threads of a launch take the pieces, the others have nothing to do.
#define PIECE (16 / (int)sizeof(scalar))
struct __align__(16) Piece {
  scalar part[PIECE];
};
#define PIECES(i) ITEMS(i) if (i < swell_items / PIECE)

FUNCTION void store_streaming(Piece *to, const Piece &x) { __stcs((float4 *)to, *(const float4 *)&x); }

FUNCTION void advance(Piece &state, Piece &residual, scalar a, scalar b) {
  UNROLL for (int k = 0; k < PIECE; ++k) {
    residual.part[k] = a * residual.part[k] + state.part[k];
    state.part[k] += b * residual.part[k];
  }
}

// Reads q and r, writes w and r, as a fused stage does: neighbours still read q when w is written.
KERNEL void stage_plain(GLOBAL const scalar *q, GLOBAL scalar *w, GLOBAL scalar *r, const scalar a, const scalar b) {
  PIECES(i) {
    Piece state = ((const Piece *)q)[i], residual = ((const Piece *)r)[i];
    advance(state, residual, a, b);
    ((Piece *)r)[i] = residual;
    ((Piece *)w)[i] = state;
  }
}

KERNEL void stage_stream_state(GLOBAL const scalar *q, GLOBAL scalar *w, GLOBAL scalar *r, const scalar a,
                               const scalar b) {
  PIECES(i) {
    Piece state = ((const Piece *)q)[i], residual = ((const Piece *)r)[i];
    advance(state, residual, a, b);
    ((Piece *)r)[i] = residual;
    store_streaming((Piece *)w + i, state);
  }
}

KERNEL void stage_stream_both(GLOBAL const scalar *q, GLOBAL scalar *w, GLOBAL scalar *r, const scalar a,
                              const scalar b) {
  PIECES(i) {
    Piece state = ((const Piece *)q)[i], residual = ((const Piece *)r)[i];
    advance(state, residual, a, b);
    store_streaming((Piece *)r + i, residual);
    store_streaming((Piece *)w + i, state);
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
