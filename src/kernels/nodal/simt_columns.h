// SPDX-License-Identifier: Apache-2.0
// Parallelograms and parallelepipeds with one material each on GPUs. A thread takes a column of nodes
// along the last axis, so that rows of the derivative's matrix stay in its registers and, in the loop over the column,
// are constants of the text. DIRECT (linear): the flux of the slopes is taken in place of the slopes of the flux.

// The volume's part at a node of a column, whose values are `along`.
#if DIRECT
FUNCTION void volume_sum(LOCAL const scalar *own, const real *g, const real *m, const real *row, const real *along, int column,
                         int last, real *sum)
{
  UNROLL for (int f = 0; f < FIELDS; ++f) sum[f] = 0.0;
  int stride = 1, rest = column;
  UNROLL for (int d = 0; d < DIM; ++d) {
    real slope[FIELDS], f[FIELDS];
    const int start = column + last * COLUMNS - rest % LINE * stride;
    UNROLL for (int k = 0; k < FIELDS; ++k) slope[k] = 0.0;
    UNROLL for (int j = 0; j < LINE; ++j)
      if (d == DIM - 1) {
        UNROLL for (int k = 0; k < FIELDS; ++k) slope[k] += derivative[last][j] * along[j * FIELDS + k];
      } else {
        real value[FIELDS];
        load_own(own, start + j * stride, value);
        UNROLL for (int k = 0; k < FIELDS; ++k) slope[k] += row[d * LINE + j] * value[k];
      }
    flux(slope, m, g + d * DIM, f);
    UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] -= f[k];
    rest /= LINE;
    stride *= LINE;
  }
}
#else
FUNCTION void volume_sum(LOCAL const scalar *own, LOCAL const scalar *geometry, const real *m, int node, real *sum)
{
  UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] = 0.0;
  int stride = 1;
  for (int d = 0; d < DIM; ++d, stride *= LINE) {
    const int place = node / stride % LINE, start = node - place * stride;
    real g[DIM], q[FIELDS], f[FIELDS];
    UNROLL for (int axis = 0; axis < DIM; ++axis) g[axis] = geometry[d * DIM + axis];
    for (int j = 0; j < LINE; ++j) {
      load_own(own, start + j * stride, q);
      flux(q, m, g, f);
      UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] -= derivative[place][j] * f[k];
    }
  }
}
#endif

// The contribution of the faces at the ends of a node's lines.
FUNCTION void surface_sum(LOCAL const scalar *jump, const int *place, real *sum)
{
  UNROLL for (int d = 0; d < DIM; ++d) {
    int at = 0, stride = 1;
    UNROLL for (int axis = 0; axis < DIM; ++axis)
      if (axis != d) {
        at += place[axis] * stride;
        stride *= LINE;
      }
    UNROLL for (int side = 0; side < 2; ++side) {
      real value[FIELDS];
      load_jump(jump, (2 * d + side) * FACE_NODES + at, value);
      UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] += nodal_lift[side][place[d]] * value[k];
    }
  }
}

FUNCTION void elements(const int update, LOCAL scalar *memory, const INDEX item, STAGE_PARAMETERS)
{
  const INDEX slot = (first + item) * ELEMENT;
  GLOBAL const int *around = neighbour + item * FACES * 2;
  LOCAL scalar *own = memory, *jump = own + BATCH * OWN_ROOM, *unit = jump + BATCH * JUMP_ROOM;
#if STAGED
  LOCAL scalar *rates = unit + BATCH * NORMAL_ROOM;
#endif
  begin_batch(update, q, slot, residual, geometry + item * DIM * DIM, around, tables, own, jump, unit);
  COPY_WAIT(1);
  BARRIER;
  find_normals(unit);
  COPY_WAIT(0);
  BARRIER;
  make_jumps(own, unit, material, (GLOBAL const int *)material_face + item, around, tables, jump);
  BARRIER;
  for (int i = THREAD; i < BATCH * COLUMNS; i += THREADS) {
    const int e = i / COLUMNS, column = i - e * COLUMNS;
    const INDEX element = item + e;
    int place[3];
    real m[MATERIALS];
    node_material(material, material_face, element, 0, m);
    place[0] = column % LINE;
    place[1] = column / LINE;
#if DIRECT
    real g[DIM * DIM], row[(DIM - 1) * LINE], along[LINE * FIELDS];
    UNROLL for (int k = 0; k < DIM * DIM; ++k) g[k] = unit[BATCH * FACES * 4 + e * DIM * DIM + k];
    UNROLL for (int d = 0; d < DIM - 1; ++d)
      UNROLL for (int j = 0; j < LINE; ++j) row[d * LINE + j] = derivative[place[d]][j];
    UNROLL for (int j = 0; j < LINE; ++j)
      load_own(own + e * OWN_ROOM, column + j * COLUMNS, along + j * FIELDS);
    UNROLL for (int last = 0; last < LINE; ++last) {
#else
    for (int last = 0; last < LINE; ++last) {
#endif
      const int node = column + last * COLUMNS;
      const INDEX at = slot + (INDEX)(e * NODES + node) * FIELDS;
      real sum[FIELDS], old[FIELDS], rate[FIELDS];
      place[DIM - 1] = last;
#if DIRECT
      volume_sum(own + e * OWN_ROOM, g, m, row, along, column, last, sum);
#else
      volume_sum(own + e * OWN_ROOM, unit + BATCH * FACES * 4 + e * DIM * DIM, m, node, sum);
#endif
      surface_sum(jump + e * JUMP_ROOM, place, sum);
#if HAS_SOURCE
      UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] += source[at + k];
#endif
      load_own(own + e * OWN_ROOM, node, old);
      balance_to_rate(m, old, sum, rate);
#if STAGED
      store_rate(rate, rates + e * RATE_ROOM, node);
#else
      UNROLL for (int k = 0; k < FIELDS; ++k) {
        real r = rate[k];
        if (update) {
          r = a * residual[at + k] + dt * r;
          residual[at + k] = r;
          r = old[k] + b * r;
        }
        next[at + k] = r;
      }
#endif
    }
  }
#if STAGED
  BARRIER;
  update_batch(update, own, rates, residual + slot, next + slot, a, b, dt);
#endif
}
