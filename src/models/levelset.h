// SPDX-License-Identifier: Apache-2.0
/* model
name        levelset
about       A conservative level set G, whose interface is where G = 1/2, moved by a velocity: G_t + div(a G) = 0.
dimensions  2 3
fields      scalar G
material    vector a = 0
linear      yes
wall        outflow
profile     G
*/

FUNCTION real along(const real *m, const real *n)
{
  real an = n[0] * m[ax] + n[1] * m[ay];
#if DIM == 3
  an += n[2] * m[az];
#endif
  return an;
}

FUNCTION void flux(const real *q, const real *m, const real *n, real *f)
{
  f[G] = along(m, n) * q[G];
}

FUNCTION real speed(const real *q, const real *m, const real *n)
{
  return fabs(along(m, n));
}

// The flux that leaves the left side has the left velocity, the flux that enters from the right has the right one.
FUNCTION void flux_upwind(const real *ql, const real *ml, const real *qr, const real *mr, const real *n, real *f)
{
  f[G] = fmax(along(ml, n), splat(0.0)) * ql[G] + fmin(along(mr, n), splat(0.0)) * qr[G];
}

// The interior state itself leaves or comes in.
FUNCTION void ghost_outflow(const real *q, const real *m, const real *n, const real *data, real *ghost)
{
  ghost[G] = q[G];
}

// Nothing passes: the velocity through the side is taken for 0.
FUNCTION void state_wall(const real *q, const real *m, const real *n, const real *data, real *state)
{
  state[G] = 0.0 * q[G];
}

FUNCTION void state_absorbing(const real *q, const real *m, const real *n, const real *data, real *state)
{
  state[G] = q[G];
}
