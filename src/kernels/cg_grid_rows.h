// SPDX-License-Identifier: Apache-2.0
// The passes of the fixed grid on a CPU: a thread takes slabs of planes, rows of vertices are vectors. The last vector of a row
// reaches beyond it and keeps what is there: the next row of the same chunk, or the end of the plane, which has room for it.

#define INNER (NX - 2)
#define TAIL (INNER % LANES)

FUNCTION real row_product(const scalar *p, const scalar *c)
{
  real sum = c[0] * load(p);
  UNROLL for (int s = 0; s < HALF; ++s) sum += c[1 + s] * load(p + step_to[s]) + c[1 + HALF + s] * load(p - step_to[s]);
  return sum;
}

FUNCTION real row_energy(const scalar *here, const scalar *ahead, const scalar *c)
{
  const real p = load(here);
  real sum = 0.5 * c[0] * p + c[1] * load(here + 1) + c[2] * load(here + NX) + c[3] * load(ahead);
#if TERMS == 15
  sum += c[4] * load(here + 1 + NX) + c[5] * load(ahead + 1) + c[6] * load(ahead + NX) + c[7] * load(ahead + 1 + NX);
#endif
  return p * sum;
}

// All ones in the lanes of a row's last vector that belong to it.
FUNCTION truth tail_lanes()
{
  real number = {};
  for (int l = 0; l < LANES; ++l) set_lane(number, l, l);
  return number < splat(TAIL);
}

#define PLANES_OF(chunk) const INDEX first = NZ * (chunk) / chunks, last = NZ * ((chunk) + 1) / chunks
#define ROW_OF(j, k)                                                                                  \
  const bool row_given = GIVEN(j, NY, 4) || GIVEN(k, NZ, 16);                                         \
  const scalar *low = coefficient + (3 * CLASS(j, NY) + 9 * CLASS(k, NZ)) * TERMS, *inner = low + TERMS, \
               *high = low + 2 * TERMS

KERNEL void grid_apply(GLOBAL const scalar *x, GLOBAL scalar *y, GLOBAL const scalar *coefficient, const INDEX chunks)
{
  ITEMS(chunk)
  {
    PLANES_OF(chunk);
    const truth tail = tail_lanes();
    for (INDEX k = first; k < last; ++k)
      for (INDEX j = 0; j < NY; ++j) {
        ROW_OF(j, k);
        if (row_given) continue;
        const INDEX row = FIRST + k * PLANE + j * NX;
        if (!(FIXED & 1)) y[row] = point_product(x + row, low);
        INDEX i = row + 1;
        for (; i + LANES <= row + NX - 1; i += LANES) store(y + i, row_product(x + i, inner));
        if (TAIL > 0) store(y + i, tail ? row_product(x + i, inner) : load(y + i));
        if (!(FIXED & 2)) y[row + NX - 1] = point_product(x + row + NX - 1, high);
      }
  }
}

// to = d r + beta old for one plane; d r is 0 at given values, where r is.
FUNCTION void direct_plane(const scalar *r, const scalar *old, scalar *to, const scalar *coefficient, const scalar beta,
                           const INDEX k)
{
  for (INDEX j = 0; j < NY; ++j) {
    ROW_OF(j, k);
    const INDEX row = j * NX, end = row + NX - 1;
    const scalar d = row_given ? 0.0 : 1.0 / inner[0];
    INDEX i = row + 1;
    to[row] = r[row] / low[0] + beta * old[row];
    // What reaches beyond the row is written again by the next one, or lies behind the plane.
    for (; i < end; i += LANES) store(to + i, d * load(r + i) + beta * load(old + i));
    to[end] = r[end] / high[0] + beta * old[end];
  }
}

// p = d r + beta old and partial[chunk] = p . A p. Each plane is made in the cache, where the energy reads it, and goes past
// the caches to memory; the first plane of the next chunk is made once more.
KERNEL void grid_direct(GLOBAL const scalar *r, GLOBAL const scalar *old, GLOBAL scalar *p, GLOBAL scalar *scratch,
                        GLOBAL const scalar *coefficient, GLOBAL const total *scalars, GLOBAL total *partial,
                        const INDEX chunks)
{
  ITEMS(chunk)
  {
    PLANES_OF(chunk);
    const scalar beta = scalars[BETA];
    scalar *here = scratch + chunk * 2 * (INDEX)(PLANE + ROOM), *ahead = here + PLANE + ROOM;
    const truth tail = tail_lanes();
    real wide = splat(0.0);
    total sum = 0;
    direct_plane(r + FIRST + first * PLANE, old + FIRST + first * PLANE, here, coefficient, beta, first);
    for (INDEX k = first; k < last; ++k) {
      const INDEX plane = FIRST + k * PLANE;
      if (k + 1 < NZ)
        direct_plane(r + plane + PLANE, old + plane + PLANE, ahead, coefficient, beta, k + 1);
      for (INDEX i = 0; i < (INDEX)NX * NY; i += LANES) stream_store((real *)(p + plane + i), load(here + i));
      for (INDEX j = 0; j < NY; ++j) {
        ROW_OF(j, k);
        if (row_given) continue;
        const INDEX row = j * NX;
        if (!(FIXED & 1)) sum += point_energy(here[row], here + row, ahead + row, low);
        INDEX i = row + 1;
        for (; i + LANES <= row + NX - 1; i += LANES) wide += row_energy(here + i, ahead + i, inner);
        if (TAIL > 0) wide += tail ? row_energy(here + i, ahead + i, inner) : splat(0.0);
        if (!(FIXED & 2)) sum += point_energy(here[row + NX - 1], here + row + NX - 1, ahead + row + NX - 1, high);
      }
      scalar *const made = ahead;
      ahead = here;
      here = made;
    }
    stream_fence();
    partial[chunk] = 2.0 * (sum + sum_lanes(wide));
  }
}

// x += alpha p, r -= alpha A p, partial = r . d r and r . r
KERNEL void grid_advance(GLOBAL scalar *x, GLOBAL scalar *r, GLOBAL const scalar *p, GLOBAL const scalar *coefficient,
                         GLOBAL const total *scalars, GLOBAL total *partial, const INDEX chunks)
{
  ITEMS(chunk)
  {
    PLANES_OF(chunk);
    const scalar alpha = scalars[ALPHA];
    const truth tail = tail_lanes();
    total rz = 0, rr = 0;
    for (INDEX k = first; k < last; ++k) {
      for (INDEX j = 0; j < NY; ++j) {
        ROW_OF(j, k);
        if (row_given) continue;
        const INDEX row = FIRST + k * PLANE + j * NX, end = row + NX - 1;
        real wide = splat(0.0);
        INDEX i = row + 1;
        for (; i + LANES <= end; i += LANES) {
          store(x + i, load(x + i) + alpha * load(p + i));
          const real left = load(r + i) - alpha * row_product(p + i, inner);
          store(r + i, left);
          wide += left * left;
        }
        if (TAIL > 0) {
          store(x + i, tail ? load(x + i) + alpha * load(p + i) : load(x + i));
          const real left = load(r + i) - alpha * row_product(p + i, inner);
          store(r + i, tail ? left : load(r + i));
          wide += tail ? left * left : splat(0.0);
        }
        const total row_rr = sum_lanes(wide);
        rr += row_rr;
        rz += row_rr / inner[0];
        for (int side = 0; side < 2; ++side) {
          if (FIXED & (side == 0 ? 1 : 2)) continue;
          const INDEX at = side == 0 ? row : end;
          const scalar *c = side == 0 ? low : high;
          x[at] += alpha * p[at];
          r[at] -= alpha * point_product(p + at, c);
          rr += (total)r[at] * r[at];
          rz += (total)r[at] * r[at] / c[0];
        }
      }
    }
    partial[chunk] = rz;
    partial[chunks + chunk] = rr;
  }
}
