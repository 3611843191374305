// SPDX-License-Identifier: Apache-2.0
// The operator of continuous elements, element by element: result = (a M + b K) x on each, M with rhoC and K with k. The
// text before this gives element_product() and element_diagonal(), for simplices or for tensor products. Lanes are elements:
// index[batch][node][lane], geometry[batch][number][lane] (straight elements) or [batch][point][number][lane] with the
// point's weight, material[batch][rhoC, k][lane] or [batch][point][rhoC, k][lane]; result[batch][node][lane].
// A gather then adds up what belongs to one unknown, in the order of its list: the same bits every time, no atomics.

KERNEL void element_apply(GLOBAL const scalar *x, GLOBAL const int *index, GLOBAL const scalar *geometry,
                          GLOBAL const scalar *material, GLOBAL const scalar *matrix, GLOBAL scalar *result,
                          const scalar a, const scalar b)
{
  ITEMS(batch)
  {
    real u[NODES], y[NODES];
    for (int n = 0; n < NODES; ++n)
      UNROLL for (int l = 0; l < LANES; ++l) set_lane(u[n], l, x[index[(batch * NODES + n) * LANES + l]]);
    element_product(u, geometry + batch * GEOMETRY_SIZE * LANES, material + batch * MATERIAL_SIZE * LANES, matrix, a, b,
                    y);
    for (int n = 0; n < NODES; ++n) store(result + (batch * NODES + n) * LANES, y[n]);
  }
}

KERNEL void element_diagonals(GLOBAL const scalar *geometry, GLOBAL const scalar *material, GLOBAL const scalar *matrix,
                              GLOBAL scalar *result, const scalar a, const scalar b)
{
  ITEMS(batch)
  {
    real y[NODES];
    element_diagonal(geometry + batch * GEOMETRY_SIZE * LANES, material + batch * MATERIAL_SIZE * LANES, matrix, a, b, y);
    for (int n = 0; n < NODES; ++n) store(result + (batch * NODES + n) * LANES, y[n]);
  }
}
