// SPDX-License-Identifier: Apache-2.0
// The passes of the fixed grid on a CPU: a thread takes slabs of planes, rows of vertices are vectors. The last vector of a row
// reaches beyond it and keeps what is there: the next row of the same chunk, or the end of the plane, which has room for it.
// The ends of a row go one by one, since their neighbours may lie at its other end.

#define TAIL ((NX - 2) % LANES)
#define WRAPPED_UP(i, n, bit) ((i) + 1 < (n) ? (i) + 1 : PERIODIC & (bit) ? 0 : (i) + 1)
#define WRAPPED_DOWN(i, n, bit) ((i) > 0 ? (i) - 1 : PERIODIC & (bit) ? (n) - 1 : (i) - 1)
#if SLAB
#define PLANE_AFTER(k) ((k) + 1)
#define PLANE_BEFORE(k) ((k) - 1)
#else
#define PLANE_AFTER(k) (WRAPS_Z && (k) + 1 == NZ ? 0 : (k) + 1)
#define PLANE_BEFORE(k) (WRAPS_Z && (k) == 0 ? NZ - 1 : (k) - 1)
#endif

// The rows around one: towards +y, +z, +yz and the opposites, each from its first vertex.
struct Rows {
  const scalar *here, *up, *ahead, *up_ahead, *down, *behind, *down_behind;
};

FUNCTION Rows rows_around(const scalar *p, INDEX j, INDEX k GRID_PARAMETERS)
{
  const INDEX up = WRAPPED_UP(j, NY, 2) * NX, down = WRAPPED_DOWN(j, NY, 2) * NX;
  const scalar *here = p + FIRST + k * PLANE, *ahead = p + FIRST + PLANE_AFTER(k) * PLANE,
               *behind = p + FIRST + PLANE_BEFORE(k) * PLANE;
  return {here + j * NX, here + up, ahead + j * NX, ahead + up, here + down, behind + j * NX, behind + down};
}

// The terms of the stencil at vertices i, i + 1, ... of the row.
FUNCTION void terms_of(const Rows &p, INDEX i, real *u)
{
  u[0] = load(p.here + i);
  u[1] = load(p.here + i + 1);
  u[2] = load(p.up + i);
  u[3] = load(p.ahead + i);
  u[HALF + 1] = load(p.here + i - 1);
  u[HALF + 2] = load(p.down + i);
  u[HALF + 3] = load(p.behind + i);
#if TERMS == 15
  u[4] = load(p.up + i + 1);
  u[5] = load(p.ahead + i + 1);
  u[6] = load(p.up_ahead + i);
  u[7] = load(p.up_ahead + i + 1);
  u[HALF + 4] = load(p.down + i - 1);
  u[HALF + 5] = load(p.behind + i - 1);
  u[HALF + 6] = load(p.down_behind + i);
  u[HALF + 7] = load(p.down_behind + i - 1);
#endif
}

// The terms of one vertex at an end of the row, in every lane.
FUNCTION void terms_of_end(const Rows &p, INDEX i, real *u GRID_PARAMETERS)
{
  const INDEX right = WRAPPED_UP(i, NX, 1), left = WRAPPED_DOWN(i, NX, 1);
  u[0] = splat(p.here[i]);
  u[1] = splat(p.here[right]);
  u[2] = splat(p.up[i]);
  u[3] = splat(p.ahead[i]);
  u[HALF + 1] = splat(p.here[left]);
  u[HALF + 2] = splat(p.down[i]);
  u[HALF + 3] = splat(p.behind[i]);
#if TERMS == 15
  u[4] = splat(p.up[right]);
  u[5] = splat(p.ahead[right]);
  u[6] = splat(p.up_ahead[i]);
  u[7] = splat(p.up_ahead[right]);
  u[HALF + 4] = splat(p.down[left]);
  u[HALF + 5] = splat(p.behind[left]);
  u[HALF + 6] = splat(p.down_behind[i]);
  u[HALF + 7] = splat(p.down_behind[left]);
#endif
}

// All ones in the lanes of a row's last vector that belong to it.
FUNCTION truth tail_lanes(const int tail)
{
  real number = {};
  for (int l = 0; l < LANES; ++l) set_lane(number, l, l);
  return number < splat(tail);
}

#if SLAB
#define PLANES_OF(chunk) const INDEX first = FIRST_PLANE(chunk), last = END_PLANE(chunk)
#else
#define PLANES_OF(chunk) const INDEX first = NZ * (chunk) / chunks, last = NZ * ((chunk) + 1) / chunks
#endif
#define ROW_GIVEN(j, k) (GIVEN(j, NY, 4) || GIVEN_Z(k))

// Row (j, k) of a slab; `low`, `inner` and `high` are at hand for the first vertex, those between and the last one.
#if VARYING
#define ROW_OF(j, k) move_material(material, j, k, number GRID_ARGUMENTS)
#define PRODUCT(u, i, class_of_end) varying_product(u, material, i, j, k, a, b GRID_ARGUMENTS)
#define DIAGONAL(i, class_of_end) varying_diagonal(material, i, j, k, a, b GRID_ARGUMENTS)
#else
#define ROW_OF(j, k)                                                                                          \
  const scalar *low = coefficient + ((PERIODIC & 1 ? 1 : 0) + 3 * CLASS(j, NY, 2) + 9 * CLASS_Z(k)) * TERMS, \
               *inner = low + (PERIODIC & 1 ? 0 : TERMS), *high = inner + (PERIODIC & 1 ? 0 : TERMS)
#define PRODUCT(u, i, c) constant_product(u, c)
#define DIAGONAL(i, c) splat(c[0])
FUNCTION real constant_product(const real *u, const scalar *c)
{
  real sum = c[0] * u[0];
  UNROLL for (int s = 1; s <= HALF; ++s) sum += c[s] * u[s] + c[HALF + s] * u[HALF + s];
  return sum;
}
#endif

KERNEL void grid_apply(GLOBAL const scalar *x, GLOBAL scalar *y, GLOBAL scalar *scratch, GLOBAL const scalar *coefficient,
                       GLOBAL const scalar *number, const scalar a, const scalar b, const int all,
                       const INDEX chunks GRID_PARAMETERS)
{
  ITEMS(chunk)
  {
    PLANES_OF(chunk);
    scalar *material = scratch + chunk * (INDEX)SCRATCH;
    const truth tail = tail_lanes(TAIL);
    real u[TERMS];
    for (INDEX k = first; k < last; ++k)
      for (INDEX j = 0; j < NY; ++j) {
        scalar *const row = y + FIRST + k * PLANE + j * NX;
        ROW_OF(j, k);
        if (!all && ROW_GIVEN(j, k)) {
          for (INDEX i = 0; i < NX; ++i) row[i] = 0.0;
          continue;
        }
        const Rows p = rows_around(x, j, k GRID_ARGUMENTS);
        INDEX i = 1;
        for (; i + LANES <= NX - 1; i += LANES) {
          terms_of(p, i, u);
          store(row + i, PRODUCT(u, i, inner));
        }
        if (TAIL > 0) {
          terms_of(p, i, u);
          store(row + i, tail ? PRODUCT(u, i, inner) : load(row + i));
        }
        terms_of_end(p, 0, u GRID_ARGUMENTS);
        row[0] = !all && (FIXED & 1) ? 0.0 : lane(PRODUCT(u, 0, low), 0);
        terms_of_end(p, NX - 1, u GRID_ARGUMENTS);
        row[NX - 1] = !all && (FIXED & 2) ? 0.0 : lane(PRODUCT(u, NX - 1, high), 0);
      }
  }
}

KERNEL void grid_diagonal(GLOBAL scalar *y, GLOBAL scalar *scratch, GLOBAL const scalar *coefficient,
                          GLOBAL const scalar *number, const scalar a, const scalar b, const INDEX chunks GRID_PARAMETERS)
{
  ITEMS(chunk)
  {
    PLANES_OF(chunk);
    scalar *material = scratch + chunk * (INDEX)SCRATCH;
    for (INDEX k = first; k < last; ++k)
      for (INDEX j = 0; j < NY; ++j) {
        scalar *const row = y + FIRST + k * PLANE + j * NX;
        ROW_OF(j, k);
        for (INDEX i = 0; i < NX; ++i) {
          const bool given = ROW_GIVEN(j, k) || GIVEN(i, NX, 1);
          row[i] = given ? 0.0 : lane(DIAGONAL(i, (i == 0 ? low : i == NX - 1 ? high : inner)), 0);
        }
      }
  }
}

// to = d r + beta old for one plane; d r is 0 at given values, where r is.
FUNCTION void direct_plane(const scalar *r, const scalar *old, const scalar *inverse, scalar *to, const scalar *coefficient,
                           const scalar beta, const INDEX k GRID_PARAMETERS)
{
  const INDEX plane = FIRST + k * PLANE;
  for (INDEX j = 0; j < NY; ++j) {
    const INDEX row = j * NX, end = row + NX - 1;
    const scalar *r_plane = r + plane, *old_plane = old + plane;
    // Values beyond the row are written again by the next one, or lie behind the plane.
#if VARYING
    const scalar *d = inverse + plane;
    for (INDEX i = row; i <= end; i += LANES) store(to + i, load(d + i) * load(r_plane + i) + beta * load(old_plane + i));
#else
    ROW_OF(j, k);
    const scalar d = ROW_GIVEN(j, k) ? 0.0 : 1.0 / inner[0];
    to[row] = r_plane[row] / low[0] + beta * old_plane[row];
    for (INDEX i = row + 1; i < end; i += LANES) store(to + i, d * load(r_plane + i) + beta * load(old_plane + i));
    to[end] = r_plane[end] / high[0] + beta * old_plane[end];
#endif
  }
}

#if !VARYING
// p (c_0 p / 2 + the half of the stencil ahead): summed over all vertices it is p . A p / 2.
FUNCTION real half_energy(real p, real right, real up, real ahead, real right_up, real right_ahead, real up_ahead, real all,
                          const scalar *c)
{
  real sum = 0.5 * c[0] * p + c[1] * right + c[2] * up + c[3] * ahead;
#if TERMS == 15
  sum += c[4] * right_up + c[5] * right_ahead + c[6] * up_ahead + c[7] * all;
#endif
  return p * sum;
}
#endif

// The row's part of p . A p from the planes `here` and `ahead` of p in the cache.
FUNCTION total row_energy(const scalar *here, const scalar *ahead, const scalar *coefficient, scalar *material,
                          const scalar *number, const INDEX j, const INDEX k, const scalar a, const scalar b GRID_PARAMETERS)
{
  const INDEX up = WRAPPED_UP(j, NY, 2) * NX, row = j * NX;
  const scalar *rows[4] = {here + row, here + up, ahead + row, ahead + up};
#if VARYING
  return varying_energy(rows, material, j, k, number, a, b GRID_ARGUMENTS);
#else
  if (ROW_GIVEN(j, k)) return 0;
  ROW_OF(j, k);
  const scalar *p = rows[0], *q = rows[1], *s = rows[2], *t = rows[3];
  real wide = splat(0.0);
  INDEX i = 1;
#define ENERGY_AT(i)                                                                                                  \
  half_energy(load(p + (i)), load(p + (i) + 1), load(q + (i)), load(s + (i)), load(q + (i) + 1), load(s + (i) + 1), \
              load(t + (i)), load(t + (i) + 1), inner)
  for (; i + LANES <= NX - 1; i += LANES) wide += ENERGY_AT(i);
  if (TAIL > 0) wide += tail_lanes(TAIL) ? ENERGY_AT(i) : splat(0.0);
  total sum = sum_lanes(wide);
  for (int side = 0; side < 2; ++side) {
    const INDEX at = side == 0 ? 0 : NX - 1, right = WRAPPED_UP(at, NX, 1);
    sum += lane(half_energy(splat(p[at]), splat(p[right]), splat(q[at]), splat(s[at]), splat(q[right]), splat(s[right]),
                            splat(t[at]), splat(t[right]), side == 0 ? low : high), 0);
  }
  return 2.0 * sum;
#endif
}

// p = d r + beta old and energy[chunk] = p . A p. Each plane is made in the cache, where the energy reads it, and goes past
// the caches to memory; the first plane of the next chunk is made once more. Copies of what other ranks have are made of copies.
KERNEL void grid_direct(GLOBAL const scalar *r, GLOBAL const scalar *old, GLOBAL scalar *p, GLOBAL const scalar *inverse,
                        GLOBAL scalar *scratch, GLOBAL const scalar *coefficient, GLOBAL const scalar *number,
                        GLOBAL const total *before, GLOBAL total *after, GLOBAL total *history,
                        GLOBAL const total *products, GLOBAL total *energy, const scalar a, const scalar b, const int known,
                        const INDEX chunks GRID_PARAMETERS)
{
  ITEMS(chunk)
  {
    PLANES_OF(chunk);
    const total rz = known ? 0 : summed(products, 0, chunks), rr = known ? 0 : summed(products, chunks, chunks);
    const scalar beta = next_beta(before, after, history, rz, rr, known, chunk == 0);
    scalar *material = scratch + chunk * (INDEX)SCRATCH;
    scalar *here = material + MATERIAL_ROOM, *ahead = here + PLANE + ROOM;
    total sum = 0;
    direct_plane(r, old, inverse, here, coefficient, beta, first GRID_ARGUMENTS);
    for (INDEX k = first; k < last; ++k) {
      const INDEX plane = FIRST + k * PLANE;
      if (k + 1 < NZ || WRAPS_Z || ABOVE) direct_plane(r, old, inverse, ahead, coefficient, beta, PLANE_AFTER(k) GRID_ARGUMENTS);
      for (INDEX i = 0; i < (INDEX)NX * NY; i += LANES) stream_store((real *)(p + plane + i), load(here + i));
      for (INDEX j = 0; j < NY; ++j) sum += row_energy(here, ahead, coefficient, material, number, j, k, a, b GRID_ARGUMENTS);
      scalar *const made = ahead;
      ahead = here;
      here = made;
    }
    if (ABOVE && last == NZ)
      for (INDEX i = 0; i < (INDEX)NX * NY; ++i) p[FIRST + NZ * PLANE + i] = here[i];
    if (BELOW && first == 0) direct_plane(r, old, inverse, p + FIRST - PLANE, coefficient, beta, -1 GRID_ARGUMENTS);
    stream_fence();
    LEAVE_SUM(energy[chunk], sum);
  }
}

// x += alpha p, r -= alpha A p; products = r . d r and r . r
KERNEL void grid_advance(GLOBAL scalar *x, GLOBAL scalar *r, GLOBAL const scalar *p, GLOBAL const scalar *inverse,
                         GLOBAL scalar *scratch, GLOBAL const scalar *coefficient, GLOBAL const scalar *number,
                         GLOBAL total *scalars, GLOBAL const total *energy, GLOBAL total *products, const scalar a,
                         const scalar b, const INDEX chunks GRID_PARAMETERS)
{
  ITEMS(chunk)
  {
    PLANES_OF(chunk);
    const scalar alpha = next_alpha(scalars, summed(energy, 0, chunks), chunk == 0);
    scalar *material = scratch + chunk * (INDEX)SCRATCH;
    const truth tail = tail_lanes(TAIL);
    real u[TERMS];
    total rz = 0, rr = 0;
    for (INDEX k = first; k < last; ++k) {
      for (INDEX j = 0; j < NY; ++j) {
        ROW_OF(j, k);
        if (ROW_GIVEN(j, k)) continue;
        const INDEX row = FIRST + k * PLANE + j * NX;
        const Rows around = rows_around(p, j, k GRID_ARGUMENTS);
        real squares = splat(0.0), weighted = splat(0.0);
        INDEX i = 1;
        for (; i + LANES <= NX - 1; i += LANES) {
          terms_of(around, i, u);
          store(x + row + i, load(x + row + i) + alpha * u[0]);
          const real left = load(r + row + i) - alpha * PRODUCT(u, i, inner);
          store(r + row + i, left);
          squares += left * left;
#if VARYING
          weighted += left * left * load(inverse + row + i);
#endif
        }
        if (TAIL > 0) {
          terms_of(around, i, u);
          store(x + row + i, tail ? load(x + row + i) + alpha * u[0] : load(x + row + i));
          const real left = load(r + row + i) - alpha * PRODUCT(u, i, inner);
          store(r + row + i, tail ? left : load(r + row + i));
          squares += tail ? left * left : splat(0.0);
#if VARYING
          weighted += tail ? left * left * load(inverse + row + i) : splat(0.0);
#endif
        }
        const total row_rr = sum_lanes(squares);
        rr += row_rr;
#if VARYING
        rz += sum_lanes(weighted);
#else
        rz += row_rr / inner[0];
#endif
        for (int side = 0; side < 2; ++side) {
          if (FIXED & (side == 0 ? 1 : 2)) continue;
          const INDEX end = side == 0 ? 0 : NX - 1;
          terms_of_end(around, end, u GRID_ARGUMENTS);
          const scalar left = r[row + end] - alpha * lane(PRODUCT(u, end, (side == 0 ? low : high)), 0);
          x[row + end] += alpha * lane(u[0], 0);
          r[row + end] = left;
          rr += (total)left * left;
#if VARYING
          rz += (total)left * left * inverse[row + end];
#else
          rz += (total)left * left / (side == 0 ? low : high)[0];
#endif
        }
      }
    }
    products[chunk] = rz;
    products[chunks + chunk] = rr;
  }
}
