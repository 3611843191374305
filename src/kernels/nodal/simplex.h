// SPDX-License-Identifier: Apache-2.0
// Affine simplices, prisms and pyramids with one material each, strong form, in one product:
//   rate = M^-1 [ -D_r G_r - D_s G_s - D_t G_t + LIFT (F(q).n - F*) |J_face| / J ],  G_d = F(q) . grad r_d.
// With ADJUSTED material varies inside, and the fields MOVING_FIELD take a weight-adjusted mass in place of M (adjusted.h).
// With COVER, for linear models: only the fluxes of the fields cover_row and the values of the fields cover_column are
// differentiated, and D_d G_d = F(D_d q) . grad r_d gives the rest (model/flux_cover.hpp).
// Faces with fewer nodes than FACE_NODES repeat their last one, whose columns of LIFT are 0.
// Arrays: geometry[batch][d][axis][lane] = grad r_d; material[batch][i][lane]; material_face[batch][face][i][lane] (behind the face), or
// with ADJUSTED material_face[batch][face][side][i][lane], then that of the element;
// neighbour[batch][face][element, code][lane]; the matrix [-D | LIFT] in blocks of TILE_ROWS rows, each [k][row].

#define TRACE (FACES * FACE_NODES)
#define TERMS (DIM * NODES + TRACE)  // columns of the matrix
#define FACE_MATERIALS (ADJUSTED ? 2 * FACES + 1 : FACES)
#if COVER
#define FLUX_WORDS (DIM * NODES * COVER_ROWS)  // of the volume's terms; those of the faces follow

FUNCTION void volume_terms(const real *q, const real *g, const real *m, real *terms)
{
  for (int n = 0; n < NODES; ++n)
    UNROLL for (int d = 0; d < DIM; ++d) {
      real f[FIELDS];
      flux(q + n * FIELDS, m, g + d * DIM, f);
      UNROLL for (int i = 0; i < COVER_ROWS; ++i) terms[(n * DIM + d) * COVER_ROWS + i] = f[cover_row[i]];
    }
}

// The volume's part of ROWS nodes: sum[row][field].
template <int ROWS>
FUNCTION void volume_rows(const scalar *RESTRICT matrix, const real *RESTRICT terms, const real *RESTRICT q, const real *g,
                          const real *m, real *RESTRICT sum)
{
  real total[ROWS][COVER_ROWS], slope[ROWS][DIM][COVER_COLUMNS];
  UNROLL for (int r = 0; r < ROWS; ++r) {
    UNROLL for (int i = 0; i < COVER_ROWS; ++i) total[r][i] = real{};
    UNROLL for (int d = 0; d < DIM; ++d)
      UNROLL for (int i = 0; i < COVER_COLUMNS; ++i) slope[r][d][i] = real{};
  }
  for (int k = 0; k < NODES; ++k) {
    real value[COVER_COLUMNS], flow[DIM][COVER_ROWS];
    UNROLL for (int i = 0; i < COVER_COLUMNS; ++i) value[i] = q[k * FIELDS + cover_column[i]];
    UNROLL for (int d = 0; d < DIM; ++d)
      UNROLL for (int i = 0; i < COVER_ROWS; ++i) flow[d][i] = terms[(k * DIM + d) * COVER_ROWS + i];
    UNROLL for (int r = 0; r < ROWS; ++r)
      UNROLL for (int d = 0; d < DIM; ++d) {
        const real entry = splat(matrix[(d * NODES + k) * ROWS + r]);
        UNROLL for (int i = 0; i < COVER_ROWS; ++i) total[r][i] += entry * flow[d][i];
        UNROLL for (int i = 0; i < COVER_COLUMNS; ++i) slope[r][d][i] += entry * value[i];
      }
  }
  UNROLL for (int r = 0; r < ROWS; ++r) {
    real all[FIELDS];
    UNROLL for (int i = 0; i < FIELDS; ++i) all[i] = real{};
    UNROLL for (int d = 0; d < DIM; ++d) {
      real change[FIELDS], f[FIELDS];
      UNROLL for (int i = 0; i < FIELDS; ++i) change[i] = real{};
      UNROLL for (int i = 0; i < COVER_COLUMNS; ++i) change[cover_column[i]] = slope[r][d][i];
      flux(change, m, g + d * DIM, f);
      UNROLL for (int i = 0; i < FIELDS; ++i) all[i] += f[i];
    }
    UNROLL for (int i = 0; i < COVER_ROWS; ++i) all[cover_row[i]] = total[r][i];
    UNROLL for (int i = 0; i < FIELDS; ++i) sum[r * FIELDS + i] = all[i];
  }
}
#else
#define FLUX_WORDS (DIM * NODES * FIELDS)

FUNCTION void volume_terms(const real *q, const real *g, const real *m, real *terms)
{
  for (int n = 0; n < NODES; ++n)
    UNROLL for (int d = 0; d < DIM; ++d) {
      real f[FIELDS];
      flux(q + n * FIELDS, m, g + d * DIM, f);
      UNROLL for (int i = 0; i < FIELDS; ++i) terms[(d * NODES + n) * FIELDS + i] = f[i];
    }
}
#endif

FUNCTION void surface_terms(const scalar *all, const real *q, const real *g, const real *own_m, const real *face_m, const int *neighbour,
                            const int *next_neighbour, real *terms)
{
  for (int face = 0; face < FACES; ++face) {
    real scaled[DIM], normal[DIM], mr[MATERIALS];
    Behind behind;
    straight_normal(g, face, scaled);
    const real scale = unit_normal(scaled, normal);
#if ADJUSTED
    real m[MATERIALS];
    UNROLL for (int i = 0; i < MATERIALS; ++i) {
      m[i] = face_m[2 * face * MATERIALS + i];
      mr[i] = face_m[(2 * face + 1) * MATERIALS + i];
    }
#else
    const real *m = own_m;
    UNROLL for (int i = 0; i < MATERIALS; ++i) mr[i] = face_m[face * MATERIALS + i];
#endif
    look_behind(all, neighbour, face, &behind);
    for (int j = 0; j < FACE_NODES; ++j) {
      real qr[FIELDS], star[FIELDS], own[FIELDS];
      const real *ql = q + face_node[face][j] * FIELDS;
      load_behind(&behind, j, qr);
#if PREFETCH_EARLY
      const int step = face * FACE_NODES + j, steps = FACES * FACE_NODES;
      prefetch_behind(all, next_neighbour, FACES * LANES * step / steps, FACES * LANES * (step + 1) / steps);
#endif
      numerical_flux(ql, m, qr, mr, normal, star);
      flux(ql, m, normal, own);
      UNROLL for (int i = 0; i < FIELDS; ++i)
        terms[FLUX_WORDS + (face * FACE_NODES + j) * FIELDS + i] = scale * (own[i] - star[i]);
    }
  }
}

// The balance of ROWS nodes from `row` on: sum[row][field].
template <int ROWS>
FUNCTION void balance_rows(const scalar *matrix, const real *terms, const real *q, const real *g, const real *m, const scalar *source,
                           int row, real *sum)
{
#if COVER
  volume_rows<ROWS>(matrix + row * TERMS, terms, q, g, m, sum);
  multiply_rows<ROWS, TRACE, true>(matrix + row * TERMS + DIM * NODES * ROWS, terms + FLUX_WORDS, sum);
#else
  multiply_rows<ROWS, TERMS>(matrix + row * TERMS, terms, sum);
#endif
#if HAS_SOURCE
  for (int r = 0; r < ROWS; ++r) {
    const scalar *lane[LANES];
    real given[FIELDS];
    for (int l = 0; l < LANES; ++l) lane[l] = source + l * ELEMENT + (row + r) * FIELDS;
    load_lanes<FIELDS>(lane, given);
    for (int i = 0; i < FIELDS; ++i) sum[r * FIELDS + i] += given[i];
  }
#endif
}

#if !ADJUSTED
// The product and the update of ROWS nodes from `row` on.
template <bool STAGE, int ROWS>
FUNCTION void finish_rows(const scalar *matrix, const real *terms, const real *q, const real *g, const real *m,
                          const scalar *source, int row, real *residual, scalar *next, scalar a, scalar b, scalar dt)
{
  real sum[ROWS * FIELDS];
  balance_rows<ROWS>(matrix, terms, q, g, m, source, row, sum);
  for (int r = 0; r < ROWS; ++r) {
    const int n = row + r;
    real rate[FIELDS];
    balance_to_rate(m, q + n * FIELDS, sum + r * FIELDS, rate);
    update_node<STAGE>(rate, q + n * FIELDS, residual + n * FIELDS, next, n, a, b, dt);
  }
}
#endif

template <bool STAGE>
FUNCTION void elements(GLOBAL const scalar *q, GLOBAL scalar *next, GLOBAL scalar *residual, GLOBAL const scalar *geometry,
                       GLOBAL const scalar *normals, GLOBAL const scalar *material,
                       GLOBAL const scalar *material_face, GLOBAL const int *neighbour, GLOBAL const scalar *matrix,
                       GLOBAL const scalar *source, INDEX first, scalar a, scalar b, scalar dt)
{
  real terms[FLUX_WORDS + TRACE * FIELDS], own[ELEMENT];
#if ADJUSTED
  real sums[ELEMENT], weighed[POINTS * MOVING];
#endif
#if STREAM
  real staged[ELEMENT];
#endif
  ITEMS(item)
  {
    const INDEX batch = first + item;  // its state; geometry and the rest count from the group's first batch
    const scalar *from = q + batch * ELEMENT * LANES;
    scalar *to = next + batch * ELEMENT * LANES;
    real *left = (real *)residual + batch * ELEMENT;
    const int *around = neighbour + item * FACES * 2 * LANES, *around_next = around + FACES * 2 * LANES;
    const real *face_m = (const real *)material_face + item * FACE_MATERIALS * MATERIALS;
    const real *own_m = ADJUSTED ? face_m + 2 * FACES * MATERIALS : (const real *)material + item * MATERIALS;
    real g[DIM * DIM], m[MATERIALS];
    UNROLL for (int i = 0; i < DIM * DIM; ++i) g[i] = ((const real *)geometry)[item * DIM * DIM + i];
    UNROLL for (int i = 0; i < MATERIALS; ++i) m[i] = own_m[i];
    load_batch(from, own);
    volume_terms(own, g, m, terms);
    surface_terms(q, own, g, m, face_m, around, around_next, terms);
#if STREAM
    scalar *out = (scalar *)staged;
#else
    scalar *out = to;
#endif
    int row = 0;
    for (; row + TILE_ROWS <= NODES; row += TILE_ROWS) {
#if ADJUSTED
      balance_rows<TILE_ROWS>(matrix, terms, own, g, m, source + batch * ELEMENT * LANES, row, sums + row * FIELDS);
#else
      finish_rows<STAGE, TILE_ROWS>(matrix, terms, own, g, m, source + batch * ELEMENT * LANES, row, left, out, a, b, dt);
#endif
#if !PREFETCH_EARLY
      prefetch_behind(q, around_next, FACES * LANES * row / NODES, FACES * LANES * (row + TILE_ROWS) / NODES);
#endif
      if (PREFETCH_OWN) prefetch_own(from + ELEMENT * LANES, left + ELEMENT, row, row + TILE_ROWS);
    }
#if ADJUSTED
    if constexpr (NODES % TILE_ROWS != 0)
      balance_rows<NODES % TILE_ROWS>(matrix, terms, own, g, m, source + batch * ELEMENT * LANES, row, sums + row * FIELDS);
    weigh_points(own, sums, (const real *)material + item * POINTS * WEIGHTS, matrix + TO_POINTS, weighed);
    for (row = 0; row + ADJUST_ROWS <= NODES; row += ADJUST_ROWS)
      finish_adjusted<STAGE, ADJUST_ROWS>(matrix + FROM_POINTS, weighed, own, m, sums, row, left, out, a, b, dt);
    if constexpr (NODES % ADJUST_ROWS != 0)
      finish_adjusted<STAGE, NODES % ADJUST_ROWS>(matrix + FROM_POINTS, weighed, own, m, sums, row, left, out, a, b, dt);
#else
    if constexpr (NODES % TILE_ROWS != 0)
      finish_rows<STAGE, NODES % TILE_ROWS>(matrix, terms, own, g, m, source + batch * ELEMENT * LANES, row, left, out, a, b, dt);
#endif
#if STREAM
    stream_batch(out, to);
#endif
  }
#if STREAM
  stream_fence();
#endif
}

#if !ADJUSTED
// Energy of each element, q . M(x) q / 2 integrated; the mass matrix lies behind [-D | LIFT].
KERNEL void energy(GLOBAL const scalar *q, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                   GLOBAL const scalar *material_face, GLOBAL const scalar *matrix, GLOBAL scalar *out,
                   const INDEX first, const INDEX slot)
{
  real own[ELEMENT], weighted[ELEMENT];
  ITEMS(item)
  {
    const INDEX batch = first + item;
    const real *g = (const real *)geometry + item * DIM * DIM, *m = (const real *)material + item * MATERIALS;
    load_batch(q + batch * ELEMENT * LANES, own);
    multiply<NODES, NODES>(matrix + NODES * TERMS, own, weighted);
    real sum = real{};
    for (int n = 0; n < NODES; ++n) {
      real moment[FIELDS];
      mass(m, weighted + n * FIELDS, moment);
      for (int i = 0; i < FIELDS; ++i) sum += 0.5 * own[n * FIELDS + i] * moment[i];
    }
    ((real *)out)[slot + item] = sum / determinant(g);
  }
}
#endif
