// SPDX-License-Identifier: Apache-2.0
// Lines, quadrilaterals and hexahedra with volume terms by two-point fluxes between the Gauss-Lobatto nodes of a line (Fisher and
// Carpenter 2013; Gassner, Winters and Kopriva 2016):
//   rate_i = M^-1 [ -1/J ( sum_d sum_(j != i) 2 D_ij F#(v_i, v_j; (G_i + G_j)/2) + sum_ends F* |J_face| / w_i ) + R + S ],
// with G = J grad r_d, the symmetric flux F# of the model in a direction, and v the model's variables, which are computed once a
// node. The terms j = i of the ends cancel with the surface terms F(q) . n of the strong form. Where the derivatives of G by the
// nodes add up to nothing, so do those of a constant state. Arrays by lane: geometry as MAP says, at the nodes;
// material[batch][node][i] where VARYING, else [batch][i]; material_face[batch][face][node][own i .., behind i ..] where VARYING,
// else [batch][face][i] (behind). Tables: over_weight[j] = 1 / w_j of a line.

// A line's faces are numbered as those of simplices: the first one is opposite of the first node.
#define END_FACE(D, side) (SIMPLEX ? 1 - (side) : 2 * (D) + (side))

struct Batch {
  const scalar *all;
  const int *neighbour;
  const real *g, *m, *face_m;
};

// F* |J_face| / w at both ends of a line, by the values of all nodes and J grad r_d at the ends.
template <int D>
FUNCTION void end_fluxes(const Batch *batch, const Behind *behind, int line, const LineMap *map, const real *own, real (*star)[FIELDS])
{
  UNROLL for (int side = 0; side < 2; ++side) {
    const int face = END_FACE(D, side), node = line_start<D>(line) + side * ORDER * line_stride<D>;
    real qr[FIELDS], scaled[DIM], normal[DIM];
    load_behind(&behind[side], line, qr);
    direction_at_point<D>(map, side * ORDER, scaled);
    if (side == 0)
      UNROLL for (int i = 0; i < DIM; ++i) scaled[i] = -scaled[i];
    const real scale = unit_normal(scaled, normal) * over_weight[side * ORDER];
#if VARYING
    const real *ml = batch->face_m + (face * COLUMNS + line) * 2 * MATERIALS, *mr = ml + MATERIALS;
#else
    const real *ml = batch->m, *mr = batch->face_m + face * MATERIALS;
#endif
    numerical_flux(own + node * FIELDS, ml, qr, mr, normal, star[side]);
    UNROLL for (int k = 0; k < FIELDS; ++k) star[side][k] *= scale;
  }
}

// The terms of the pairs of nodes of a line, subtracted from `total`.
template <int D>
FUNCTION void pair_terms(const Batch *batch, int line, const LineMap *map, const real *variables, real (*total)[FIELDS])
{
  real along[LINE][FIELDS];
  load_line<D>(variables, line, along);
#if MAP == AFFINE
  real both[DIM];
  direction_at_point<D>(map, 0, both);
  UNROLL for (int d = 0; d < DIM; ++d) both[d] += both[d];
#else
  real here[LINE][DIM];
  UNROLL_LINE for (int j = 0; j < LINE; ++j) direction_at_point<D>(map, j, here[j]);
#endif
  UNROLL_LINE for (int i = 0; i < LINE; ++i)
    UNROLL_LINE for (int j = i + 1; j < LINE; ++j) {
      real f[FIELDS];
#if MAP != AFFINE
      real both[DIM];
      UNROLL for (int d = 0; d < DIM; ++d) both[d] = here[i][d] + here[j][d];
#endif
#if VARYING
      const real *mi = batch->m + (line_start<D>(line) + i * line_stride<D>) * MATERIALS, *mj = mi + (j - i) * line_stride<D> * MATERIALS;
      real m[MATERIALS];
      UNROLL for (int k = 0; k < MATERIALS; ++k) m[k] = 0.5 * (mi[k] + mj[k]);
#else
      const real *m = batch->m;
#endif
      two_point_flux(along[i], along[j], m, both, f);
      UNROLL for (int k = 0; k < FIELDS; ++k) {
        total[i][k] -= derivative[i][j] * f[k];
        total[j][k] -= derivative[j][i] * f[k];
      }
    }
}

// The terms of direction D at all nodes, written to `sum` or added to it.
template <int D, bool FIRST>
FUNCTION void derive_lines(const Batch *batch, const real *own, const real *variables, real *sum)
{
  Behind behind[2];
  for (int side = 0; side < 2; ++side) look_behind(batch->all, batch->neighbour, END_FACE(D, side), &behind[side]);
  for (int line = 0; line < COLUMNS; ++line) {
    real total[LINE][FIELDS], star[2][FIELDS];
    LineMap map;
    map_line<D>(batch->g, line, &map);
    end_fluxes<D>(batch, behind, line, &map, own, star);
    UNROLL for (int j = 0; j < LINE; ++j)
      UNROLL for (int k = 0; k < FIELDS; ++k) total[j][k] = j == 0 ? -star[0][k] : j == ORDER ? -star[1][k] : real{};
    pair_terms<D>(batch, line, &map, variables, total);
    real *out = sum + line_start<D>(line) * FIELDS;
    UNROLL_LINE for (int j = 0; j < LINE; ++j)
      UNROLL for (int k = 0; k < FIELDS; ++k) {
        real *to = out + j * line_stride<D> * FIELDS + k;
        *to = FIRST ? total[j][k] : *to + total[j][k];
      }
  }
}

FUNCTION void find_variables(const real *q, const real *m, real *variables)
{
  for (int n = 0; n < NODES; ++n)
#if HAS_VARIABLES
    variables_of(q + n * FIELDS, m + n * POINT_MATERIAL, variables + n * FIELDS);
#else
    UNROLL for (int k = 0; k < FIELDS; ++k) variables[n * FIELDS + k] = q[n * FIELDS + k];
#endif
}

// From the sums of all directions to the rates at the nodes.
template <bool STAGE>
FUNCTION void finish_nodes(const Batch *batch, const real *own, real *sum, const scalar *source, real *residual, scalar *out, scalar a,
                           scalar b, scalar dt)
{
  for (int line = 0; line < COLUMNS; ++line) {
    LineMap map;
    map_line<0>(batch->g, line, &map);
    for (int j = 0; j < LINE; ++j) {
      const int n = line * LINE + j;
      real rate[FIELDS];
#if MAP != AFFINE
      real direction[DIM];
      direction_at_point<0>(&map, j, direction);
      const real over = over_jacobian<0>(&map, j, direction);
      UNROLL for (int k = 0; k < FIELDS; ++k) sum[n * FIELDS + k] *= over;
#endif
#if HAS_SOURCE
      const scalar *lane[LANES];
      real given[FIELDS];
      for (int l = 0; l < LANES; ++l) lane[l] = source + l * ELEMENT + n * FIELDS;
      load_lanes<FIELDS>(lane, given);
      UNROLL for (int k = 0; k < FIELDS; ++k) sum[n * FIELDS + k] += given[k];
#endif
      balance_to_rate(batch->m + n * POINT_MATERIAL, own + n * FIELDS, sum + n * FIELDS, rate);
      update_node<STAGE>(rate, own + n * FIELDS, residual + n * FIELDS, out, n, a, b, dt);
    }
  }
}

template <bool STAGE>
FUNCTION void elements(GLOBAL const scalar *q, GLOBAL scalar *next, GLOBAL scalar *residual, GLOBAL const scalar *geometry,
                       GLOBAL const scalar *normals, GLOBAL const scalar *material,
                       GLOBAL const scalar *material_face, GLOBAL const int *neighbour, GLOBAL const scalar *matrix,
                       GLOBAL const scalar *source, INDEX first, scalar a, scalar b, scalar dt)
{
  real own[ELEMENT], variables[ELEMENT], sum[ELEMENT];
#if STREAM
  real staged[ELEMENT];
#endif
  ITEMS(item)
  {
    const INDEX at = first + item;
    const int *around = neighbour + item * FACES * 2 * LANES;
    const Batch batch = {q, around, (const real *)geometry + item * GEOMETRY, (const real *)material + item * MATERIAL_ROOM,
                         (const real *)material_face + item * FACES * (VARYING ? COLUMNS * 2 : 1) * MATERIALS};
    load_batch(q + at * ELEMENT * LANES, own);
    prefetch_behind(q, around + FACES * 2 * LANES, 0, FACES * LANES);
    find_variables(own, batch.m, variables);
    derive_lines<0, true>(&batch, own, variables, sum);
#if DIM > 1
    derive_lines<1, false>(&batch, own, variables, sum);
#endif
#if DIM == 3
    derive_lines<2, false>(&batch, own, variables, sum);
#endif
#if STREAM
    scalar *out = (scalar *)staged;
#else
    scalar *out = next + at * ELEMENT * LANES;
#endif
    finish_nodes<STAGE>(&batch, own, sum, source + at * ELEMENT * LANES, (real *)residual + at * ELEMENT, out, a, b, dt);
#if STREAM
    stream_batch(out, next + at * ELEMENT * LANES);
#endif
  }
#if STREAM
  stream_fence();
#endif
}
