// SPDX-License-Identifier: Apache-2.0
// Parallelograms and parallelepipeds with one material each, strong form with the exact mass matrix, one line of
// Gauss-Lobatto nodes at a time:
//   rate = M^-1 [ sum_d ( -D_d G_d + lift (F.n - F*) |J_face| / J ) + sources ],   G_d = F(q) . grad r_d.
// The other factors of the mass matrix cancel, so that the flux at a face node reaches the nodes of its line only.
// Arrays by lane: geometry[batch][grad r_d]; material[batch][i]; material_face[batch][face][i] (behind).

// The two ends of the lines in one direction: unit normals, |J_face| / J, and the neighbours.
struct Sides {
  Behind behind[2];
  real normal[2][DIM], scale[2];
};

template <int D, bool FIRST>
FUNCTION void derive_lines(const scalar *all, const real *q, const real *g, const real *m, const real *face_m, const int *neighbour,
                           real *sum)
{
  Sides sides;
  for (int side = 0; side < 2; ++side) {
    real scaled[DIM];
    look_behind(all, neighbour, 2 * D + side, &sides.behind[side]);
    straight_normal(g, 2 * D + side, scaled);
    sides.scale[side] = unit_normal(scaled, sides.normal[side]);
  }
  for (int line = 0; line < COLUMNS; ++line) {
    real along[LINE][FIELDS], flow[LINE][FIELDS], jump[2][FIELDS];
    load_line<D>(q, line, along);
    UNROLL for (int side = 0; side < 2; ++side) {
      real qr[FIELDS], star[FIELDS];
      const real *ql = along[side * ORDER], *normal = sides.normal[side];
      load_behind(&sides.behind[side], line, qr);
      numerical_flux(ql, m, qr, face_m + (2 * D + side) * MATERIALS, normal, star);
      flux(ql, m, normal, jump[side]);
      UNROLL for (int k = 0; k < FIELDS; ++k) jump[side][k] = sides.scale[side] * (jump[side][k] - star[k]);
    }
    UNROLL for (int j = 0; j < LINE; ++j) flux(along[j], m, g + D * DIM, flow[j]);
    real *out = sum + line_start<D>(line) * FIELDS;
    UNROLL_LINE for (int i = 0; i < LINE; ++i) {
      real slope[FIELDS];
      row_times(derivative[i], flow, slope);
      UNROLL for (int k = 0; k < FIELDS; ++k) {
        const real add = nodal_lift[0][i] * jump[0][k] + nodal_lift[1][i] * jump[1][k] - slope[k];
        real *to = out + i * line_stride<D> * FIELDS + k;
        *to = FIRST ? add : *to + add;
      }
    }
  }
}

template <bool STAGE>
FUNCTION void elements(GLOBAL const scalar *q, GLOBAL scalar *next, GLOBAL scalar *residual, GLOBAL const scalar *geometry,
                       GLOBAL const scalar *normals, GLOBAL const scalar *material,
                       GLOBAL const scalar *material_face, GLOBAL const int *neighbour, GLOBAL const scalar *matrix,
                       GLOBAL const scalar *source, INDEX first, scalar a, scalar b, scalar dt)
{
  real own[ELEMENT], sum[ELEMENT];
#if STREAM
  real staged[ELEMENT];
#endif
  ITEMS(item)
  {
    const INDEX batch = first + item;
    const int *around = neighbour + item * FACES * 2 * LANES;
    const real *g = (const real *)geometry + item * GEOMETRY;
    const real *m = (const real *)material + item * MATERIALS;
    const real *face_m = (const real *)material_face + item * FACES * MATERIALS;
    load_batch(q + batch * ELEMENT * LANES, own);
    prefetch_behind(q, around + FACES * 2 * LANES, 0, FACES * LANES);
    derive_lines<0, true>(q, own, g, m, face_m, around, sum);
    derive_lines<1, false>(q, own, g, m, face_m, around, sum);
#if DIM == 3
    derive_lines<2, false>(q, own, g, m, face_m, around, sum);
#endif
#if STREAM
    scalar *out = (scalar *)staged;
#else
    scalar *out = next + batch * ELEMENT * LANES;
#endif
    for (int n = 0; n < NODES; ++n) {
      real rate[FIELDS];
#if HAS_SOURCE
      const scalar *lane[LANES];
      real given[FIELDS];
      for (int l = 0; l < LANES; ++l) lane[l] = source + (batch * LANES + l) * ELEMENT + n * FIELDS;
      load_lanes<FIELDS>(lane, given);
      for (int i = 0; i < FIELDS; ++i) sum[n * FIELDS + i] += given[i];
#endif
      balance_to_rate(m, own + n * FIELDS, sum + n * FIELDS, rate);
      update_node<STAGE>(rate, own + n * FIELDS, (real *)residual + (batch * NODES + n) * FIELDS, out, n, a, b, dt);
    }
#if STREAM
    stream_batch(out, next + batch * ELEMENT * LANES);
#endif
  }
#if STREAM
  stream_fence();
#endif
}
