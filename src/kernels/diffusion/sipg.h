// SPDX-License-Identifier: Apache-2.0
// The symmetric interior penalty method for -div(k grad u) (Arnold 1982; weighted averages as Ern, Stephansen and Zunino 2009),
//   sum over cells of k grad u . grad v, and over faces of - {k grad u . n} [v] - {k grad v . n} [u] + sigma [u] [v],
// in two passes over the cells. sipg_trace leaves u and the own part g of the average flux at the points of every face;
// sipg_apply reads what the cell behind has left there. n is the outer normal of the cell at hand, so that the average flux is
// g - g behind and the jump u - u behind; behind a boundary both are 0, and the coefficients of the face give its kind. Vectors
// are [cell][node]. Lanes are cells: metric[batch][(point)][...][lane], face[batch][face][(point)][slopes, penalty][lane]
// (kernels/sipg_*.h), behind[batch][face][lane] (dg/diffusion/geometry.hpp), trace[batch][face][point][u, g][lane]. The text
// before this gives volume_product(), volume_diagonal(), face_values() and face_back().

#if CONSTANT
#define FACE_NUMBER(f, p, i) (face_weights[0][p] * load(numbers + ((f) * PARTS + (i)) * LANES))
#define FACE_SIZE (FACES * PARTS * LANES)
#else
#define FACE_NUMBER(f, p, i) load(numbers + (((f) * FACE_POINTS + (p)) * PARTS + (i)) * LANES)
#define FACE_SIZE (FACES * FACE_POINTS * PARTS * LANES)
#endif
#define TRACE_SIZE (FACES * FACE_POINTS * 2 * LANES)

// Lanes past the last cell repeat it, and are not stored.
FUNCTION void load_cells(GLOBAL const scalar *x, const INDEX batch, const INDEX cells, real *u)
{
  UNROLL for (int l = 0; l < LANES; ++l) {
    const INDEX cell = batch * LANES + l < cells ? batch * LANES + l : cells - 1;
    for (int n = 0; n < NODES; ++n) set_lane(u[n], l, x[cell * NODES + n]);
  }
}

FUNCTION void store_cells(const real *y, const INDEX batch, const INDEX cells, GLOBAL scalar *to)
{
  UNROLL for (int l = 0; l < LANES; ++l)
    if (batch * LANES + l < cells)
      for (int n = 0; n < NODES; ++n) to[(batch * LANES + l) * NODES + n] = lane(y[n], l);
}

FUNCTION void trace_batch(GLOBAL const scalar *x, GLOBAL const scalar *matrix, GLOBAL const scalar *face, GLOBAL scalar *trace,
                          const INDEX cells, const INDEX batch)
{
  GLOBAL const scalar *numbers = face + batch * FACE_SIZE;
  real u[NODES], part[FACE_POINTS * PARTS];
  load_cells(x, batch, cells, u);
  for (int f = 0; f < FACES; ++f) {
    face_values(u, f, matrix, part);
    for (int p = 0; p < FACE_POINTS; ++p) {
      GLOBAL scalar *to = trace + batch * TRACE_SIZE + (f * FACE_POINTS + p) * 2 * LANES;
      real g = splat(0.0);
      for (int d = 0; d < DIM; ++d) g += FACE_NUMBER(f, p, d) * part[p * PARTS + 1 + d];
      store(to, part[p * PARTS]);
      store(to + LANES, g);
    }
  }
}

FUNCTION void apply_batch(GLOBAL const scalar *x, GLOBAL const scalar *matrix, GLOBAL const scalar *metric,
                          GLOBAL const scalar *face, GLOBAL const int *behind, GLOBAL const scalar *trace, GLOBAL scalar *to,
                          const INDEX cells, const INDEX batch)
{
  GLOBAL const scalar *numbers = face + batch * FACE_SIZE;
  real u[NODES], y[NODES], part[FACE_POINTS * PARTS];
  load_cells(x, batch, cells, u);
  volume_product(u, metric + batch * METRIC_SIZE, matrix, y);
  for (int f = 0; f < FACES; ++f) {
    for (int p = 0; p < FACE_POINTS; ++p) {
      GLOBAL const scalar *own = trace + batch * TRACE_SIZE + (f * FACE_POINTS + p) * 2 * LANES;
      real jump = load(own), flux = load(own + LANES), u_behind = splat(0.0), g_behind = splat(0.0);
      UNROLL for (int l = 0; l < LANES; ++l) {
        const int code = behind[(batch * FACES + f) * LANES + l];
        if (code >= 0) {
          const INDEX side = code / TURNS, cell = side / FACES;
          const INDEX at = (cell / LANES * FACES + side % FACES) * FACE_POINTS + turned[code % TURNS][p];
          set_lane(u_behind, l, trace[at * 2 * LANES + cell % LANES]);
          set_lane(g_behind, l, trace[(at * 2 + 1) * LANES + cell % LANES]);
        }
      }
      jump -= u_behind;
      flux -= g_behind;
      part[p * PARTS] = FACE_NUMBER(f, p, DIM) * jump - flux;
      for (int d = 0; d < DIM; ++d) part[p * PARTS + 1 + d] = -FACE_NUMBER(f, p, d) * jump;
    }
    face_back(part, f, matrix, y);
  }
  store_cells(y, batch, cells, to);
}

#if LISTED
// Where ranks share the cells, batches go by a list: those that touch other ranks lie last in it, wherever they are in the vectors.
KERNEL void sipg_trace_listed(GLOBAL const scalar *x, GLOBAL const scalar *matrix, GLOBAL const scalar *face,
                              GLOBAL scalar *trace, GLOBAL const int *list, const INDEX cells)
{
  ITEMS(item) trace_batch(x, matrix, face, trace, cells, list[item]);
}

KERNEL void sipg_apply_listed(GLOBAL const scalar *x, GLOBAL const scalar *matrix, GLOBAL const scalar *metric,
                              GLOBAL const scalar *face, GLOBAL const int *behind, GLOBAL const scalar *trace,
                              GLOBAL scalar *to, GLOBAL const int *list, const INDEX cells)
{
  ITEMS(item) apply_batch(x, matrix, metric, face, behind, trace, to, cells, list[item]);
}
#else
KERNEL void sipg_trace(GLOBAL const scalar *x, GLOBAL const scalar *matrix, GLOBAL const scalar *face, GLOBAL scalar *trace,
                       const INDEX cells)
{
  ITEMS(batch) trace_batch(x, matrix, face, trace, cells, batch);
}

KERNEL void sipg_apply(GLOBAL const scalar *x, GLOBAL const scalar *matrix, GLOBAL const scalar *metric,
                       GLOBAL const scalar *face, GLOBAL const int *behind, GLOBAL const scalar *trace, GLOBAL scalar *to,
                       const INDEX cells)
{
  ITEMS(batch) apply_batch(x, matrix, metric, face, behind, trace, to, cells, batch);
}
#endif

// The inverse of the diagonal.
KERNEL void sipg_inverse_diagonal(GLOBAL const scalar *matrix, GLOBAL const scalar *metric, GLOBAL const scalar *face,
                                  GLOBAL scalar *to, const INDEX cells)
{
  ITEMS(batch)
  {
    GLOBAL const scalar *numbers = face + batch * FACE_SIZE;
    real y[NODES];
    volume_diagonal(metric + batch * METRIC_SIZE, matrix, y);
    for (int f = 0; f < FACES; ++f)
      for (int p = 0; p < FACE_POINTS; ++p)
        for (int n = 0; n < NODES; ++n) {
          GLOBAL const scalar *of = matrix + FACE_MATRICES + ((f * FACE_POINTS + p) * NODES + n) * PARTS;
          real g = splat(0.0);
          for (int d = 0; d < DIM; ++d) g += of[1 + d] * FACE_NUMBER(f, p, d);
          y[n] += of[0] * (of[0] * FACE_NUMBER(f, p, DIM) - 2.0 * g);
        }
    for (int n = 0; n < NODES; ++n) y[n] = 1.0 / y[n];
    store_cells(y, batch, cells, to);
  }
}
