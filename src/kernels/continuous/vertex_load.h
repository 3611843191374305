// SPDX-License-Identifier: Apache-2.0
// The integrals of f v, unknown by unknown: kernels/continuous/source.h on the visits of kernels/continuous/vertices.h.

KERNEL void vertex_load(GLOBAL const int *start, GLOBAL const int *place, GLOBAL const scalar *points,
                        GLOBAL const scalar *weight, GLOBAL const scalar *values, GLOBAL scalar *y, const double t)
{
  ITEMS(i)
  {
    scalar sum = 0.0;
    for (int k = start[i]; k < start[i + 1]; ++k) {
      const INDEX element = place[k] / NODES;
      const int node = place[k] % NODES;
      scalar part = 0.0;
      for (int p = 0; p < POINTS; ++p)
        part += values[p * NODES + node] *
                weighted_source(p, points + element * PLACES_SIZE, weight + element * WEIGHT_SIZE, t);
      sum += part;
    }
    y[i] = ADDS ? y[i] + sum : sum;
  }
}
