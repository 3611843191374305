// SPDX-License-Identifier: Apache-2.0
// The volume term of kernels/modal/rate.h for one row, by teams of threads.

// Row i of sum_d (d_d phi_i, F(q) . grad r_d), added.
FUNCTION void add_volume_of_row(LOCAL const scalar *q, int i, const real *g, const real *m, const LANED *coefficients,
                                GLOBAL const scalar *numbers, GLOBAL const int *places, real *balance)
{
#if FLUX_ENTRIES
  for (int e = 0; e < FLUX_ENTRIES; ++e)
    for (int d = 0; d < DIM; ++d)
      weak_product(d, numbers, places, coefficients + (flux_entry[e][2] + d) * COEFFICIENTS * WIDTH,
                   q + flux_entry[e][1] * MODES * WIDTH, i, balance + flux_entry[e][0]);
#else
  UNROLL for (int d = 0; d < DIM; ++d) {
    real along[FIELDS], f[FIELDS];
    weak_derivatives(numbers, places, q, d * MODES + i, along);
    flux(along, m, g + d * DIM, f);
    UNROLL for (int k = 0; k < FIELDS; ++k) balance[k] += f[k];
  }
#endif
}
