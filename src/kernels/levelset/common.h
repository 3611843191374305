// SPDX-License-Identifier: Apache-2.0
// The element data that both forms of the kernels of a level set read, which lie [batch][row][lane]; `batch` and `column` (the
// lane) are the element's place.

#define FACE_GEOMETRY (DIM + 4)
#define NORMAL (DIM + 1)
#define ROW(rows, row) (((batch) * (rows) + (row)) * WIDTH + column)
#define FACE_NUMBER(face, number) load(face_geometry + ROW(FACES * FACE_GEOMETRY, (face) * FACE_GEOMETRY + (number)))

// The outward normal of a reference face times its measure over that of the face's own reference shape.
FUNCTION scalar reference_normal(int face, int axis)
{
#if SIMPLEX
  return face == 0 ? 1.0 : face - 1 == axis ? -1.0 : 0.0;
#else
  return face / 2 != axis ? 0.0 : face % 2 == 0 ? -1.0 : 1.0;
#endif
}

// G (1 - G), but 0 outside of [0, 1]: there it would drive over- and undershoots away without bound.
FUNCTION real compression(real g)
{
  const real inside = fmin(fmax(g, splat(0.0)), splat(1.0));
  return inside * (1.0 - inside);
}

// A part that goes from 0 at `low` to 1 at `high`.
FUNCTION real ramp(real value, scalar low, scalar high)
{
  return fmin(fmax((value - low) / (high - low), splat(0.0)), splat(1.0));
}

// The part of an element's flux in a reinitialisation, from sums over its points with the same weights: `whole` of the
// gradient (the square of its length), `surface` of |grad G| and `spread` of G (1 - G), both times what makes them equal along
// the profile. Normals that differ much inside an element belong to a ridge or to a thread thinner than the element:
// there is no profile to restore. A profile that is thinner than it should be is left alone but where `both` is 1.
FUNCTION real restored_part(real whole, real surface, real spread, INDEX both)
{
  const real least = surface + 1e-30;
  const real part = ramp(sqrt(whole) / least, 0.8, 0.95);
  return both ? part : part * ramp(spread / least, 1.0, 1.1);
}

// The excess of `spread` over `surface`, where restored_part() takes the element for one with a profile.
FUNCTION real excess(real whole, real surface, real spread)
{
  return restored_part(whole, surface, spread, 1) * fmax(spread - surface, splat(0.0));
}

// A reference point in space.
FUNCTION void place_of(GLOBAL const scalar *affine, INDEX batch, int column, const scalar *reference, scalar *at)
{
  at[2] = 0.0;
  for (int k = 0; k < DIM; ++k) {
    scalar sum = affine[ROW(DIM * (DIM + 1), k)];
    for (int d = 0; d < DIM; ++d) sum += affine[ROW(DIM * (DIM + 1), DIM * (d + 1) + k)] * reference[d];
    at[k] = sum;
  }
}

// A velocity times the metric of time/stability.hpp: the sum over the directions of |u . grad r_d| on tensor shapes, |u|
// times the surface over the volume on simplices.
FUNCTION scalar rate_of(GLOBAL const scalar *geometry, INDEX batch, int column, const scalar *u)
{
  scalar sum = 0.0;
#if SIMPLEX
  scalar surface = 0.0;
  for (int d = -1; d < DIM; ++d) {
    scalar square = 0.0;
    for (int k = 0; k < DIM; ++k) {
      scalar slope = 0.0;
      for (int e = 0; e < DIM; ++e)
        if (d < 0 || d == e) slope += geometry[ROW(DIM * DIM + 1, e * DIM + k)];
      square += slope * slope;
    }
    surface += sqrt(square);
  }
  for (int k = 0; k < DIM; ++k) sum += u[k] * u[k];
  sum = 0.5 * DIM * sqrt(sum) * surface;
#else
  for (int d = 0; d < DIM; ++d) {
    scalar along = 0.0;
    for (int k = 0; k < DIM; ++k) along += geometry[ROW(DIM * DIM + 1, d * DIM + k)] * u[k];
    sum += fabs(along);
  }
#endif
  return sum;
}
