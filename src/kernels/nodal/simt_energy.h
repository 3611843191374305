// SPDX-License-Identifier: Apache-2.0
// Energy of each straight simplex, q . M(x) q / 2 integrated; the mass matrix, [column][node], lies at MASS_MATRIX, or where ADJUSTED
// the matrix to the points, [column][point].
#if ADJUSTED
#define ENERGY_ROWS POINTS
#else
#define ENERGY_ROWS NODES
#endif

KERNEL void energy(GLOBAL const scalar *q, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                   GLOBAL const scalar *material_face, GLOBAL const scalar *matrix, GLOBAL scalar *out,
                   const INDEX first, const INDEX slot)
{
  SHARED(memory);
  GROUP(item);
  LOCAL scalar *own = memory, *part = memory + BATCH * OWN_ROOM;
  GLOBAL const scalar *mass_matrix = matrix + MASS_MATRIX;
  copy_own(q + (first + item * BATCH) * ELEMENT, own);
  COPY_CLOSE;
  COPY_WAIT(0);
  BARRIER;
  for (int i = THREAD; i < BATCH * ENERGY_ROWS; i += THREADS) {
    const int e = i / ENERGY_ROWS, n = i - e * ENERGY_ROWS;
    real weighted[FIELDS], m[MATERIALS], g[DIM * DIM], sum = 0.0;
    UNROLL for (int f = 0; f < FIELDS; ++f) weighted[f] = 0.0;
    for (int k = 0; k < NODES; ++k) {
      const real entry = mass_matrix[k * ENERGY_ROWS + n];
      UNROLL for (int f = 0; f < FIELDS; ++f) weighted[f] += entry * own[e * OWN_ROOM + k * ROOM + f];
    }
    UNROLL for (int k = 0; k < DIM * DIM; ++k) g[k] = geometry[(item * BATCH + e) * DIM * DIM + k];
#if ADJUSTED
    real weight[WEIGHTS];
    load_inside(material_face + item * BATCH * MEDIA * MATERIALS, 0, e, m);
    UNROLL for (int k = 0; k < WEIGHTS; ++k) weight[k] = material[((item * BATCH + e) * POINTS + n) * WEIGHTS + k];
    sum = point_weight[n] * adjusted_density(weight, m, weighted);
#else
    real moment[FIELDS];
    load_material(material, ((GLOBAL const int *)material_face)[item * BATCH + e], m);
    mass(m, weighted, moment);
    UNROLL for (int f = 0; f < FIELDS; ++f) sum += 0.5 * own[e * OWN_ROOM + n * ROOM + f] * moment[f];
#endif
    part[i] = sum / determinant(g);
  }
  BARRIER;
  write_sums(part, ENERGY_ROWS, out + slot + item * BATCH);
}
