// SPDX-License-Identifier: Apache-2.0
// Affine simplices, prisms and pyramids with one material each, strong form, on GPUs:
//   rate = M^-1 [ -sum_d F(D_d q) . grad r_d + LIFT (F(q).n - F*) |J_face| / J ]      (linear models),
// or with D_d (F(q) . grad r_d) in place of the sum's terms. A thread takes one node of INLINE elements; the matrix
// [-D | LIFT] lies [column][node], so that neighbouring threads read neighbouring words.

#define MASS_MATRIX ((DIM * NODES + TRACE) * NODES)  // or where ADJUSTED the matrices of simt_adjusted.h
#define FROM_POINTS (MASS_MATRIX + POINTS * NODES)

#if !LINEAR
// Fluxes along the reference coordinates: terms[element][d][node][field].
FUNCTION void volume_fluxes(LOCAL const scalar *own, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                            GLOBAL const int *material_of, LOCAL scalar *terms)
{
  for (int i = THREAD; i < BATCH * NODES; i += THREADS) {
    const int e = i / NODES, n = i - e * NODES;
    real q[FIELDS], m[MATERIALS];
    load_own(own + e * OWN_ROOM, n, q);
    load_inside(material, material_of, e, m);
    UNROLL for (int d = 0; d < DIM; ++d) {
      real g[DIM], f[FIELDS];
      UNROLL for (int axis = 0; axis < DIM; ++axis) g[axis] = geometry[(e * DIM + d) * DIM + axis];
      flux(q, m, g, f);
      UNROLL for (int k = 0; k < FIELDS; ++k) terms[((e * DIM + d) * NODES + n) * FIELDS + k] = f[k];
    }
  }
}
#endif

// The volume's part at node n of the elements first .. first + INLINE - 1 of the batch.
FUNCTION void volume_sum(LOCAL const scalar *values, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                         GLOBAL const int *material_of, GLOBAL const scalar *matrix, int first, int n, real *sum)
{
#if LINEAR
  real slope[INLINE * DIM * FIELDS];
  UNROLL for (int i = 0; i < INLINE * DIM * FIELDS; ++i) slope[i] = 0.0;
  for (int k = 0; k < NODES; ++k) {
    real entry[DIM];
    UNROLL for (int d = 0; d < DIM; ++d) entry[d] = matrix[(d * NODES + k) * NODES + n];
    UNROLL for (int e = 0; e < INLINE; ++e) {
      real value[FIELDS];
      load_own(values + (first + e) * OWN_ROOM, k, value);
      UNROLL for (int i = 0; i < FIELDS; ++i)
        UNROLL for (int d = 0; d < DIM; ++d) slope[(e * DIM + d) * FIELDS + i] += entry[d] * value[i];
    }
  }
  UNROLL for (int e = 0; e < INLINE; ++e) {
    real m[MATERIALS];
    load_inside(material, material_of, first + e, m);
    UNROLL for (int i = 0; i < FIELDS; ++i) sum[e * FIELDS + i] = 0.0;
    UNROLL for (int d = 0; d < DIM; ++d) {
      real g[DIM], f[FIELDS];
      UNROLL for (int axis = 0; axis < DIM; ++axis) g[axis] = geometry[((first + e) * DIM + d) * DIM + axis];
      flux(slope + (e * DIM + d) * FIELDS, m, g, f);
      UNROLL for (int i = 0; i < FIELDS; ++i) sum[e * FIELDS + i] += f[i];
    }
  }
#else
  UNROLL for (int i = 0; i < INLINE * FIELDS; ++i) sum[i] = 0.0;
  for (int k = 0; k < DIM * NODES; ++k) {
    const real entry = matrix[k * NODES + n];
    UNROLL for (int e = 0; e < INLINE; ++e)
      UNROLL for (int i = 0; i < FIELDS; ++i)
        sum[e * FIELDS + i] += entry * values[((first + e) * DIM * NODES + k) * FIELDS + i];
  }
#endif
}

FUNCTION void elements(const int update, LOCAL scalar *memory, const INDEX item, STAGE_PARAMETERS)
{
  const INDEX slot = (first + item) * ELEMENT;
  GLOBAL const scalar *shape = geometry + item * DIM * DIM;
  GLOBAL const int *material_of = (GLOBAL const int *)material_face + item, *around = neighbour + item * FACES * 2;
  GLOBAL const scalar *media = ADJUSTED ? material_face + item * MEDIA * MATERIALS : material;
  LOCAL scalar *own = memory, *jump = own + BATCH * OWN_ROOM, *unit = jump + BATCH * JUMP_ROOM,
               *rates = unit + BATCH * NORMAL_ROOM;
  begin_batch(update, q, slot, residual, shape, around, tables, own, jump, unit);
  COPY_WAIT(1);
  BARRIER;
  find_normals(unit);
  COPY_WAIT(0);
  BARRIER;
  make_jumps(own, unit, media, material_of, around, tables, jump);
#if LINEAR
  LOCAL const scalar *values = own;
#else
  LOCAL scalar *values = rates + BATCH * RATE_ROOM;
  volume_fluxes(own, shape, media, material_of, values);
#endif
  BARRIER;
  for (int i = THREAD; i < SETS * NODES; i += THREADS) {
    const int set = i / NODES, n = i - set * NODES, begin = set * INLINE;
    real sum[INLINE * FIELDS];
    volume_sum(values, shape, media, material_of, matrix, begin, n, sum);
    for (int k = 0; k < TRACE; ++k) {
      const real entry = matrix[(DIM * NODES + k) * NODES + n];
      UNROLL for (int e = 0; e < INLINE; ++e) {
        real value[FIELDS];
        load_jump(jump + (begin + e) * JUMP_ROOM, k, value);
        UNROLL for (int f = 0; f < FIELDS; ++f) sum[e * FIELDS + f] += entry * value[f];
      }
    }
    UNROLL for (int e = 0; e < INLINE; ++e) {
      real m[MATERIALS], old[FIELDS], rate[FIELDS];
      load_inside(media, material_of, begin + e, m);
      load_own(own + (begin + e) * OWN_ROOM, n, old);
#if HAS_SOURCE
      UNROLL for (int f = 0; f < FIELDS; ++f) sum[e * FIELDS + f] += source[slot + ((begin + e) * NODES + n) * FIELDS + f];
#endif
#if ADJUSTED
      store_rate(sum + e * FIELDS, rates + (begin + e) * RATE_ROOM, n);
#else
      balance_to_rate(m, old, sum + e * FIELDS, rate);
      store_rate(rate, rates + (begin + e) * RATE_ROOM, n);
#endif
    }
  }
  BARRIER;
#if ADJUSTED
  weigh_points(own, rates, material + item * POINTS * WEIGHTS, matrix + MASS_MATRIX, jump);
  BARRIER;
  project_points(jump, own, media, matrix + FROM_POINTS, rates);
  BARRIER;
#endif
  update_batch(update, own, rates, residual + slot, next + slot, a, b, dt);
}
