// SPDX-License-Identifier: Apache-2.0
// The passes of the fixed grid where threads are lanes: a thread takes vertices.

#define VERTEX(item)                                                                                      \
  const INDEX k = item / ((INDEX)NX * NY), j = item / NX % NY, i = item % NX;                             \
  const INDEX at = FIRST + k * PLANE + j * NX + i;                                                        \
  const int given = GIVEN(i, NX, 1) || GIVEN(j, NY, 4) || GIVEN(k, NZ, 16);                               \
  GLOBAL const scalar *c = coefficient + (CLASS(i, NX) + 3 * CLASS(j, NY) + 9 * CLASS(k, NZ)) * TERMS

KERNEL void grid_apply(GLOBAL const scalar *x, GLOBAL scalar *y, GLOBAL const scalar *coefficient)
{
  ITEMS(item)
  {
    VERTEX(item);
    y[at] = given ? 0.0 : point_product(x + at, c);
  }
}

KERNEL void grid_direct(GLOBAL const scalar *r, GLOBAL const scalar *old, GLOBAL scalar *p, GLOBAL scalar *scratch,
                        GLOBAL const scalar *coefficient, GLOBAL const total *scalars, GLOBAL total *partial,
                        const INDEX chunks)
{
  ITEMS(chunk)
  {
    const scalar beta = scalars[BETA];
    CHUNK(item, chunk, chunks, (INDEX)NX * NY * NZ)
    {
      VERTEX(item);
      p[at] = given ? 0.0 : r[at] / c[0] + beta * old[at];
    }
  }
}

KERNEL void grid_energy(GLOBAL const scalar *p, GLOBAL const scalar *coefficient, GLOBAL total *partial,
                        const INDEX chunks)
{
  ITEMS(chunk)
  {
    total sum = 0;
    CHUNK(item, chunk, chunks, (INDEX)NX * NY * NZ)
    {
      VERTEX(item);
      if (!given) sum += 2.0 * point_energy(p[at], p + at, p + at + PLANE, c);
    }
    partial[chunk] = sum;
  }
}

KERNEL void grid_advance(GLOBAL scalar *x, GLOBAL scalar *r, GLOBAL const scalar *p, GLOBAL const scalar *coefficient,
                         GLOBAL const total *scalars, GLOBAL total *partial, const INDEX chunks)
{
  ITEMS(chunk)
  {
    const scalar alpha = scalars[ALPHA];
    total rz = 0, rr = 0;
    CHUNK(item, chunk, chunks, (INDEX)NX * NY * NZ)
    {
      VERTEX(item);
      if (!given) {
        x[at] += alpha * p[at];
        const scalar left = r[at] - alpha * point_product(p + at, c);
        r[at] = left;
        rz += (total)left * left / c[0];
        rr += (total)left * left;
      }
    }
    partial[chunk] = rz;
    partial[chunks + chunk] = rr;
  }
}
