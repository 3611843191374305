// SPDX-License-Identifier: Apache-2.0
// Straight quadrilaterals and hexahedra with one material each and a linear model, on GPUs. Axis by axis, a
// thread takes a line of nodes into registers, with the faces at its two ends: the flux of the slopes, whose matrix is in
// constants of the text, and the jumps are added up in shared memory from one axis to the next.

// scale * (F(q).n - F*) at one end.
FUNCTION void end_jump(const real *ql, const real *ml, LOCAL const scalar *jump, LOCAL const scalar *normal, GLOBAL const scalar *material,
                       GLOBAL const int *neighbour, int at, real *out)
{
  real qr[FIELDS], mr[MATERIALS], n[DIM], flow[FIELDS];
  load_jump(jump, at, qr);
  UNROLL for (int d = 0; d < DIM; ++d) n[d] = normal[d];
#if HOMOGENEOUS
  constant_material(mr);
#else
  load_material(material, material_row(neighbour[1]), mr);
#endif
  numerical_flux(ql, ml, qr, mr, n, out);
  flux(ql, ml, n, flow);
  UNROLL for (int k = 0; k < FIELDS; ++k) out[k] = normal[3] * (flow[k] - out[k]);
}

FUNCTION void elements(const int update, LOCAL scalar *memory, const INDEX item, STAGE_PARAMETERS)
{
  const INDEX slot = (first + item) * ELEMENT;
  GLOBAL const int *around = neighbour + item * FACES * 2;
  LOCAL scalar *own = memory, *jump = own + BATCH * OWN_ROOM, *unit = jump + BATCH * JUMP_ROOM, *rates = unit + BATCH * NORMAL_ROOM;
  begin_batch(update, q, slot, residual, geometry + item * DIM * DIM, around, tables, own, jump, unit);
  COPY_WAIT(1);
  BARRIER;
  find_normals(unit);
  COPY_WAIT(0);
  UNROLL for (int d = 0; d < DIM; ++d) {
    BARRIER;
    for (int i = THREAD; i < BATCH * COLUMNS; i += THREADS) {
      const int e = i / COLUMNS, line = i - e * COLUMNS, start = line_start(d, line), stride = line_stride(d);
      real g[DIM], m[MATERIALS], along[LINE * FIELDS], ends[2 * FIELDS];
      UNROLL for (int k = 0; k < DIM; ++k) g[k] = unit[BATCH * FACES * 4 + (e * DIM + d) * DIM + k];
      load_material(material, ((GLOBAL const int *)material_face)[item + e], m);
      UNROLL for (int j = 0; j < LINE; ++j) load_own(own + e * OWN_ROOM, start + j * stride, along + j * FIELDS);
      UNROLL for (int side = 0; side < 2; ++side) {
        const int face = 2 * d + side;
        end_jump(along + side * ORDER * FIELDS, m, jump + e * JUMP_ROOM, unit + (e * FACES + face) * 4, material,
                 around + (e * FACES + face) * 2, face * FACE_NODES + line, ends + side * FIELDS);
      }
      UNROLL for (int n = 0; n < LINE; ++n) {
        const int node = start + n * stride;
        real slope[FIELDS], sum[FIELDS];
        UNROLL for (int k = 0; k < FIELDS; ++k) slope[k] = 0.0;
        UNROLL for (int j = 0; j < LINE; ++j)
          UNROLL for (int k = 0; k < FIELDS; ++k) slope[k] -= derivative[n][j] * along[j * FIELDS + k];
        flux(slope, m, g, sum);
        UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] += nodal_lift[0][n] * ends[k] + nodal_lift[1][n] * ends[FIELDS + k];
        if (d > 0) {
          real before[FIELDS];
          load_own(rates + e * RATE_ROOM, node, before);
          UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] += before[k];
        }
        if (d == DIM - 1) {
          real rate[FIELDS];
#if HAS_SOURCE
          UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] += source[slot + (INDEX)(e * NODES + node) * FIELDS + k];
#endif
          balance_to_rate(m, along + n * FIELDS, sum, rate);
          store_rate(rate, rates + e * RATE_ROOM, node);
        } else {
          store_rate(sum, rates + e * RATE_ROOM, node);
        }
      }
    }
  }
  BARRIER;
  update_batch(update, own, rates, residual + slot, next + slot, a, b, dt);
}
