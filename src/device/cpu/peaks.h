// SPDX-License-Identifier: Apache-2.0
// Kernels that measure peaks: the streams of a Runge-Kutta stage, and multiply-adds that wait for nothing. The host defines
// ACCUMULATORS, enough to hide the latency and few enough to stay in registers.

// Reads q and r, writes w and r, as a fused stage does: neighbours still read q when w is written.
KERNEL void stage_plain(GLOBAL const scalar *q, GLOBAL scalar *w, GLOBAL scalar *r, const scalar a, const scalar b) {
  const real *old = (const real *)q;
  real *state = (real *)w, *residual = (real *)r;
  ITEMS(i) {
    const real sum = a * residual[i] + old[i];
    residual[i] = sum;
    state[i] = old[i] + b * sum;
  }
}

KERNEL void stage_stream_state(GLOBAL const scalar *q, GLOBAL scalar *w, GLOBAL scalar *r, const scalar a,
                               const scalar b) {
  const real *old = (const real *)q;
  real *state = (real *)w, *residual = (real *)r;
  ITEMS(i) {
    const real sum = a * residual[i] + old[i];
    residual[i] = sum;
    stream_store(state + i, old[i] + b * sum);
  }
  stream_fence();
}

KERNEL void stage_stream_both(GLOBAL const scalar *q, GLOBAL scalar *w, GLOBAL scalar *r, const scalar a,
                              const scalar b) {
  const real *old = (const real *)q;
  real *state = (real *)w, *residual = (real *)r;
  ITEMS(i) {
    const real sum = a * residual[i] + old[i];
    stream_store(residual + i, sum);
    stream_store(state + i, old[i] + b * sum);
  }
  stream_fence();
}

KERNEL void multiply_add(GLOBAL scalar *out, const scalar a, const scalar b, const INDEX repeats) {
  ITEMS(i) {
    const real factor = splat(a), term = splat(b);
    real sums[ACCUMULATORS];
    UNROLL for (int k = 0; k < ACCUMULATORS; ++k) sums[k] = splat(scalar(k));
    for (INDEX r = 0; r < repeats; ++r) {
      UNROLL for (int k = 0; k < ACCUMULATORS; ++k) sums[k] = factor * sums[k] + term;
    }
    real total = sums[0];
    UNROLL for (int k = 1; k < ACCUMULATORS; ++k) total += sums[k];
    store(out + i * LANES, total);
  }
}
