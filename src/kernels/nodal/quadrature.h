// SPDX-License-Identifier: Apache-2.0
// Simplices, prisms and pyramids that are not affine, or whose material varies inside them: weak form by quadrature that is exact for the products of
// the metric terms, and a weight-adjusted inverse of the mass matrix (Chan, Hewett and Warburton 2017):
//   r = sum_d P_d [G_d] - L [F*.n |J_face|],   G_d = F(q) . J grad r_d  at the volume points,
//   rate = P [ M(x)^-1 ( (V r) / J + sources ) ].
// V interpolates to the POINTS volume points, W = V_face to the FACE_POINTS points of a face, P, P_d, L project back.
// Arrays by lane: geometry[batch][point][J grad r_d .., 1/J] where CURVED, else [batch][grad r_d] with J divided out;
// normal[batch][face][point][axis] = n |J_face| where CURVED; material[batch][point][i];
// material_face[batch][face][point][own i .., behind i ..]. Matrices lie one behind the other in `matrix`, see the offsets.
// SPLIT (beside quadrilaterals, whose points on faces do not integrate maps of high degree exactly): half of the weak volume term is
// replaced by half of the strong one, which keeps the energy whatever the rule of the faces; matrices of derivatives lie last.
// MASS_ROWS (prisms and pyramids that are not affine, whose Jacobian is no smooth weight): the mass with J falls into blocks of so many
// rows in functions of its own (dg/matrices.cpp). P_d and L test with them, the inverse blocks M_J^-1 lie behind an element's
// geometry, and
//   rate = M_J^-1 (., J M(x)^-1 ( M_J^-1 r + sources )).
// Behind boundaries (POINT_CODE) the state lies at the points of the face: a mirror turns by the normal, which varies along a
// curved face, and only a mirror at each point keeps the energy.

#define TERMS (DIM * POINTS + FACES * FACE_POINTS)
#define FACE_MATRIX (POINTS * NODES)
#define WEAK_MATRIX (FACE_MATRIX + SIDES * FACE_POINTS * FACE_NODES)
#define PROJECTION (WEAK_MATRIX + NODES * TERMS)
#define SLOPES (PROJECTION + NODES * POINTS)
#define BLOCK_VALUES (PROJECTION + NODES * POINTS)  // with MASS_ROWS: the functions at the points, then at the nodes
#define BLOCK_NODES (BLOCK_VALUES + POINTS * NODES)
#define POINT_GEOMETRY (CURVED ? DIM * DIM + 1 : 0)
#define GEOMETRY (CURVED ? POINTS * POINT_GEOMETRY + NODES * MASS_ROWS : DIM * DIM)

FUNCTION void volume_terms(const real *q, const real *g, const real *m, real *terms)
{
  for (int at = 0; at < POINTS; ++at)
    UNROLL for (int d = 0; d < DIM; ++d) {
      real f[FIELDS];
      flux(q + at * FIELDS, m + at * MATERIALS, g + at * POINT_GEOMETRY + d * DIM, f);
      UNROLL for (int i = 0; i < FIELDS; ++i) terms[(d * POINTS + at) * FIELDS + i] = SPLIT ? 0.5 * f[i] : f[i];
    }
}

#if SPLIT
// Half of div F at the points.
FUNCTION void strong_terms(const real *q, const real *g, const real *m, const scalar *slopes, real *out)
{
  real slope[POINTS * FIELDS];
  for (int d = 0; d < DIM; ++d) {
    multiply<POINTS, NODES>(slopes + d * POINTS * NODES, q, slope);
    for (int at = 0; at < POINTS; ++at) {
      real f[FIELDS];
      flux(slope + at * FIELDS, m + at * MATERIALS, g + at * POINT_GEOMETRY + d * DIM, f);
      UNROLL for (int i = 0; i < FIELDS; ++i) out[at * FIELDS + i] = d == 0 ? 0.5 * f[i] : out[at * FIELDS + i] + 0.5 * f[i];
    }
  }
}
#endif

// Lanes whose face has its other side at points take it as it is.
FUNCTION void take_points(const scalar *all, const int *neighbour, int face, real *behind)
{
  for (int l = 0; l < LANES; ++l) {
    if (neighbour[(2 * face + 1) * LANES + l] != POINT_CODE) continue;
    const scalar *from = all + (INDEX)neighbour[2 * face * LANES + l] * BEHIND;
    for (int i = 0; i < FACE_POINTS * FIELDS; ++i) set_lane(behind[i], l, from[i]);
  }
}

FUNCTION void surface_terms(const scalar *all, const real *q, const real *g, const real *normals, const real *face_m,
                            const int *neighbour, const scalar *to_points, real *terms)
{
  real left[FACE_NODES * FIELDS], right[FACE_NODES * FIELDS], ql[FACE_POINTS * FIELDS], qr[FACE_POINTS * FIELDS];
  for (int face = 0; face < FACES; ++face) {
    Behind behind;
    look_behind(all, neighbour, face, &behind);
    for (int j = 0; j < FACE_NODES; ++j) {
      load_behind(&behind, j, right + j * FIELDS);
      UNROLL for (int i = 0; i < FIELDS; ++i) left[j * FIELDS + i] = q[face_node[face][j] * FIELDS + i];
    }
#if SIDES > 1
    const scalar *to_side = to_points + face_side[0][face] * FACE_POINTS * FACE_NODES;
#else
    const scalar *to_side = to_points;
#endif
    multiply<FACE_POINTS, FACE_NODES>(to_side, left, ql);
    multiply<FACE_POINTS, FACE_NODES>(to_side, right, qr);
    take_points(all, neighbour, face, qr);
    for (int j = 0; j < FACE_POINTS; ++j) {
      const int at = face * FACE_POINTS + j;
      real scaled[DIM], normal[DIM], star[FIELDS];
#if CURVED
      for (int d = 0; d < DIM; ++d) scaled[d] = normals[at * DIM + d];
#else
      straight_normal(g, face, scaled);
#endif
      const real scale = unit_normal(scaled, normal);
      const real *ml = face_m + at * 2 * MATERIALS, *mr = ml + MATERIALS;
      numerical_flux(ql + j * FIELDS, ml, qr + j * FIELDS, mr, normal, star);
#if SPLIT
      real own[FIELDS];
      flux(ql + j * FIELDS, ml, normal, own);
      UNROLL for (int i = 0; i < FIELDS; ++i) star[i] -= 0.5 * own[i];
#endif
      UNROLL for (int i = 0; i < FIELDS; ++i) terms[(DIM * POINTS + at) * FIELDS + i] = scale * star[i];
    }
  }
}

#if MASS_ROWS
// Multiplies integrals against the functions of the blocks by the inverse blocks.
FUNCTION void solve_mass(const real *inverse, real *values)
{
  real out[MASS_ROWS * FIELDS];
  for (int block = 0; block < NODES / MASS_ROWS; ++block, values += MASS_ROWS * FIELDS) {
    for (int r = 0; r < MASS_ROWS; ++r, inverse += MASS_ROWS) {
      UNROLL for (int i = 0; i < FIELDS; ++i) out[r * FIELDS + i] = real{};
      for (int c = 0; c < MASS_ROWS; ++c)
        UNROLL for (int i = 0; i < FIELDS; ++i) out[r * FIELDS + i] += inverse[c] * values[c * FIELDS + i];
    }
    for (int i = 0; i < MASS_ROWS * FIELDS; ++i) values[i] = out[i];
  }
}
#endif

template <bool STAGE>
FUNCTION void elements(GLOBAL const scalar *q, GLOBAL scalar *next, GLOBAL scalar *residual, GLOBAL const scalar *geometry,
                       GLOBAL const scalar *normals, GLOBAL const scalar *material,
                       GLOBAL const scalar *material_face, GLOBAL const int *neighbour, GLOBAL const scalar *matrix,
                       GLOBAL const scalar *source, INDEX first, scalar a, scalar b, scalar dt)
{
  real own[ELEMENT], points[POINTS * FIELDS], terms[TERMS * FIELDS], rates[ELEMENT], given[HAS_SOURCE ? POINTS * FIELDS : 1];
  ITEMS(item)
  {
    const INDEX batch = first + item;
    const real *g = (const real *)geometry + item * GEOMETRY;
    const real *m = (const real *)material + item * POINTS * MATERIALS;
    load_batch(q + batch * ELEMENT * LANES, own);
    multiply<POINTS, NODES>(matrix, own, points);
    volume_terms(points, g, m, terms);
    surface_terms(q, own, g, (const real *)normals + item * FACES * FACE_POINTS * DIM,
                  (const real *)material_face + item * FACES * FACE_POINTS * 2 * MATERIALS, neighbour + item * FACES * 2 * LANES,
                  matrix + FACE_MATRIX, terms);
    multiply<NODES, TERMS>(matrix + WEAK_MATRIX, terms, rates);
#if SPLIT
    real strong[ELEMENT];
    strong_terms(own, g, m, matrix + SLOPES, terms);
    multiply<NODES, POINTS>(matrix + PROJECTION, terms, strong);
    for (int i = 0; i < ELEMENT; ++i) rates[i] -= strong[i];
#endif
#if MASS_ROWS
    solve_mass(g + POINTS * POINT_GEOMETRY, rates);
    multiply<POINTS, NODES>(matrix + BLOCK_VALUES, rates, terms);
#else
    multiply<POINTS, NODES>(matrix, rates, terms);
#endif
#if HAS_SOURCE
    load_batch(source + batch * ELEMENT * LANES, rates);
    multiply<POINTS, NODES>(matrix, rates, given);
#endif
    for (int at = 0; at < POINTS; ++at) {
      real sum[FIELDS];
      UNROLL for (int i = 0; i < FIELDS; ++i) {
        sum[i] = terms[at * FIELDS + i];
#if CURVED && !MASS_ROWS
        sum[i] *= g[at * POINT_GEOMETRY + DIM * DIM];
#endif
#if HAS_SOURCE
        sum[i] += given[at * FIELDS + i];
#endif
      }
      balance_to_rate(m + at * MATERIALS, points + at * FIELDS, sum, terms + at * FIELDS);
#if MASS_ROWS
      const real size = 1.0 / g[at * POINT_GEOMETRY + DIM * DIM];
      UNROLL for (int i = 0; i < FIELDS; ++i) terms[at * FIELDS + i] *= size;
#endif
    }
#if MASS_ROWS
    real tested[ELEMENT];
    multiply<NODES, POINTS>(matrix + PROJECTION, terms, tested);
    solve_mass(g + POINTS * POINT_GEOMETRY, tested);
    multiply<NODES, NODES>(matrix + BLOCK_NODES, tested, rates);
#else
    multiply<NODES, POINTS>(matrix + PROJECTION, terms, rates);
#endif
    for (int n = 0; n < NODES; ++n)
      update_node<STAGE>(rates + n * FIELDS, own + n * FIELDS, (real *)residual + (batch * NODES + n) * FIELDS,
                         next + batch * ELEMENT * LANES, n, a, b, dt);
  }
}

// Energy of each element, q . M(x) q / 2 integrated at the volume points.
KERNEL void energy(GLOBAL const scalar *q, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                   GLOBAL const scalar *material_face, GLOBAL const scalar *matrix, GLOBAL scalar *out,
                   const INDEX first, const INDEX slot)
{
  real own[ELEMENT], points[POINTS * FIELDS];
  ITEMS(item)
  {
    const INDEX batch = first + item;
    const real *g = (const real *)geometry + item * GEOMETRY;
    const real *m = (const real *)material + item * POINTS * MATERIALS;
    load_batch(q + batch * ELEMENT * LANES, own);
    multiply<POINTS, NODES>(matrix, own, points);
    real sum = real{};
    for (int at = 0; at < POINTS; ++at) {
      real moment[FIELDS], density = real{};
      mass(m + at * MATERIALS, points + at * FIELDS, moment);
      for (int i = 0; i < FIELDS; ++i) density += 0.5 * points[at * FIELDS + i] * moment[i];
#if CURVED
      sum += point_weight[at] * density / g[at * POINT_GEOMETRY + DIM * DIM];
#else
      sum += point_weight[at] * density / determinant(g);
#endif
    }
    ((real *)out)[slot + item] = sum;
  }
}
