// SPDX-License-Identifier: Apache-2.0
// Quadrilaterals and hexahedra, collocated at Gauss-Lobatto points, strong form, one line of nodes at a time:
//   rate = M(x)^-1 [ (-sum_d D_d G_d + (F.n - F*) |J_face| / w_0 on the faces) / J + sources ],  G_d = F(q) . J grad r_d.
// Arrays by lane: geometry[batch][node][J grad r_d .., 1/J] where CURVED, else [batch][grad r_d] with J divided out;
// material[batch][node][i] where VARYING, else [batch][i]; material_face[batch][face][node][own i .., behind i ..] where
// VARYING, else material_face[batch][face][i] (behind). Tables: derivative[i][j] of the line; END_WEIGHT = w_0.
// SPLIT (curved, linear, material not in the flux): half of D_d G_d is replaced by half of J grad r_d . F(D_d q). Both converge
// to the same, but only their mean keeps the energy where the metric terms vary (Kopriva and Gassner 2016).

#define POINT_GEOMETRY (CURVED ? DIM * DIM + 1 : 0)
#define POINT_MATERIAL (VARYING ? MATERIALS : 0)

FUNCTION void volume_terms(const real *q, const real *g, const real *m, real *sum)
{
  for (int i = 0; i < ELEMENT; ++i) sum[i] = real{};
  int stride = 1;
  for (int d = 0; d < DIM; ++d, stride *= LINE)
    for (int line = 0; line < NODES / LINE; ++line) {
      const int start = line / stride * stride * LINE + line % stride;
      real f[LINE][FIELDS];
      for (int j = 0; j < LINE; ++j) {
        const int n = start + j * stride;
        flux(q + n * FIELDS, m + n * POINT_MATERIAL, g + n * POINT_GEOMETRY + d * DIM, f[j]);
      }
      for (int i = 0; i < LINE; ++i) {
        const int n = start + i * stride;
        real *out = sum + n * FIELDS;
        real slope[FIELDS];
        UNROLL for (int k = 0; k < FIELDS; ++k) slope[k] = real{};
        for (int j = 0; j < LINE; ++j)
          UNROLL for (int k = 0; k < FIELDS; ++k) slope[k] += derivative[i][j] * f[j][k];
#if SPLIT
        real change[FIELDS], local[FIELDS];
        UNROLL for (int k = 0; k < FIELDS; ++k) change[k] = real{};
        for (int j = 0; j < LINE; ++j)
          UNROLL for (int k = 0; k < FIELDS; ++k) change[k] += derivative[i][j] * q[(start + j * stride) * FIELDS + k];
        flux(change, m + n * POINT_MATERIAL, g + n * POINT_GEOMETRY + d * DIM, local);
        UNROLL for (int k = 0; k < FIELDS; ++k) slope[k] = 0.5 * (slope[k] + local[k]);
#endif
        UNROLL for (int k = 0; k < FIELDS; ++k) out[k] -= slope[k];
      }
    }
}

FUNCTION void surface_terms(const scalar *all, const real *q, const real *g, const real *m, const real *face_m, const int *neighbour,
                            real *sum)
{
  for (int face = 0; face < FACES; ++face) {
    Behind behind;
    look_behind(all, neighbour, face, &behind);
    for (int j = 0; j < FACE_NODES; ++j) {
      const int n = face_node[face][j], at = face * FACE_NODES + j;
      real scaled[DIM], normal[DIM], qr[FIELDS], star[FIELDS], own[FIELDS];
      straight_normal(g + n * POINT_GEOMETRY, face, scaled);
      const real scale = unit_normal(scaled, normal) * (1.0 / END_WEIGHT);
#if VARYING
      const real *ml = face_m + at * 2 * MATERIALS, *mr = ml + MATERIALS;
#else
      const real *ml = m, *mr = face_m + face * MATERIALS;
#endif
      load_behind(&behind, j, qr);
      numerical_flux(q + n * FIELDS, ml, qr, mr, normal, star);
      flux(q + n * FIELDS, ml, normal, own);
      UNROLL for (int i = 0; i < FIELDS; ++i) sum[n * FIELDS + i] += scale * (own[i] - star[i]);
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
    const real *g = (const real *)geometry + item * (CURVED ? NODES * POINT_GEOMETRY : DIM * DIM);
    const real *m = (const real *)material + item * (VARYING ? NODES : 1) * MATERIALS;
    load_batch(q + batch * ELEMENT * LANES, own);
    prefetch_behind(q, around + FACES * 2 * LANES, 0, FACES * LANES);
    volume_terms(own, g, m, sum);
    surface_terms(q, own, g, m, (const real *)material_face + item * FACES * (VARYING ? FACE_NODES * 2 : 1) * MATERIALS, around, sum);
#if STREAM
    scalar *out = (scalar *)staged;
#else
    scalar *out = next + batch * ELEMENT * LANES;
#endif
    for (int n = 0; n < NODES; ++n) {
      real rate[FIELDS];
#if CURVED
      for (int i = 0; i < FIELDS; ++i) sum[n * FIELDS + i] *= g[n * POINT_GEOMETRY + DIM * DIM];
#endif
#if HAS_SOURCE
      const scalar *lane[LANES];
      real given[FIELDS];
      for (int l = 0; l < LANES; ++l) lane[l] = source + (batch * LANES + l) * ELEMENT + n * FIELDS;
      load_lanes<FIELDS>(lane, given);
      for (int i = 0; i < FIELDS; ++i) sum[n * FIELDS + i] += given[i];
#endif
      balance_to_rate(m + n * POINT_MATERIAL, own + n * FIELDS, sum + n * FIELDS, rate);
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

// Energy of each element, q . M(x) q / 2 integrated at the nodes.
KERNEL void energy(GLOBAL const scalar *q, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                   GLOBAL const scalar *material_face, GLOBAL const scalar *matrix, GLOBAL scalar *out, const INDEX first)
{
  real own[ELEMENT];
  ITEMS(item)
  {
    const INDEX batch = first + item;
    const real *g = (const real *)geometry + item * (CURVED ? NODES * POINT_GEOMETRY : DIM * DIM);
    const real *m = (const real *)material + item * (VARYING ? NODES : 1) * MATERIALS;
    load_batch(q + batch * ELEMENT * LANES, own);
    real sum = real{};
    for (int n = 0; n < NODES; ++n) {
      real moment[FIELDS], density = real{};
      mass(m + n * POINT_MATERIAL, own + n * FIELDS, moment);
      for (int i = 0; i < FIELDS; ++i) density += 0.5 * own[n * FIELDS + i] * moment[i];
#if CURVED
      sum += point_weight[n] * density / g[n * POINT_GEOMETRY + DIM * DIM];
#else
      sum += point_weight[n] * density / determinant(g);
#endif
    }
    ((real *)out)[batch] = sum;
  }
}
