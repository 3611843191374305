// SPDX-License-Identifier: Apache-2.0
// Values and fluxes that the viscous terms find behind boundaries, an item each place of a ghost face: `real` is a scalar. The generated functions
// wall_value() and wall_flux() come before this text; they hold the case's own expressions. ghost_index, ghost_x, ghost_n and
// ghost_m are those of pointwise.h; ghost_places.h stands before this text.

FUNCTION void load_place(GLOBAL const scalar *ghost_x, GLOBAL const scalar *ghost_n, GLOBAL const scalar *ghost_m, const INDEX at,
                         real *x, real *n, real *m)
{
  x[1] = x[2] = 0.0;
  for (int d = 0; d < DIM; ++d) {
    x[d] = ghost_x[at * DIM + d];
    n[d] = ghost_n[at * DIM + d];
  }
  for (int k = 0; k < MATERIALS; ++k) m[k] = ghost_m[at * MATERIALS + k];
}

// Mirrors of the own values at the values of the wall.
KERNEL void wall_values(GLOBAL scalar *q, GLOBAL const int *ghost_index, GLOBAL const scalar *ghost_x, GLOBAL const scalar *ghost_n,
                        GLOBAL const scalar *ghost_m, GLOBAL const scalar *to_places, const INDEX places, const INDEX at_points,
                        const double t)
{
  ITEMS(at)
  {
    const INDEX ghost = at / places, place = at - ghost * places;
    GLOBAL const int *index = ghost_index + ghost * GHOST_INDEX;
    real own[FIELDS], value[FIELDS], x[3], n[DIM], m[MATERIALS];
    own_trace(q, index, to_places, places, place, own);
    load_place(ghost_x, ghost_n, ghost_m, at, x, n, m);
    wall_value(index[6], own, m, n, x, t, value);
    GLOBAL scalar *to = q + ghost_place(index, at_points, place);
    for (int k = 0; k < FIELDS; ++k) to[k] = 2.0 * value[k] - own[k];
  }
}

// The viscous flux through the wall, in the place of the first plane of its gradient.
KERNEL void wall_fluxes(GLOBAL const scalar *q, GLOBAL scalar *gradient, GLOBAL const int *ghost_index, GLOBAL const scalar *ghost_x,
                        GLOBAL const scalar *ghost_n, GLOBAL const scalar *ghost_m, GLOBAL const scalar *to_places,
                        GLOBAL const scalar *penalty, const INDEX places, const INDEX at_points, const INDEX plane, const double t)
{
  ITEMS(at)
  {
    const INDEX ghost = at / places, place = at - ghost * places;
    GLOBAL const int *index = ghost_index + ghost * GHOST_INDEX;
    real own[FIELDS], value[FIELDS], dq[FIELDS * DIM], x[3], n[DIM], m[MATERIALS], f[FIELDS];
    own_trace(q, index, to_places, places, place, own);
    load_place(ghost_x, ghost_n, ghost_m, at, x, n, m);
    wall_value(index[6], own, m, n, x, t, value);
    for (int a = 0; a < DIM; ++a) {
      real slope[FIELDS];
      own_trace(gradient + a * plane, index, to_places, places, place, slope);
      for (int k = 0; k < FIELDS; ++k) dq[k * DIM + a] = slope[k] + 2.0 * penalty[ghost] * (value[k] - own[k]) * n[a];
    }
    wall_flux(index[6], own, value, dq, m, n, x, t, f);
    GLOBAL scalar *to = gradient + ghost_place(index, at_points, place);
    for (int k = 0; k < FIELDS; ++k) to[k] = f[k];
  }
}
