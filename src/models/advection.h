// SPDX-License-Identifier: Apache-2.0
/* model
name        advection
about       Transport of a density u by a given velocity: u_t + div(a u) = 0.
dimensions  2 3
fields      scalar u
material    vector a = 1
linear      yes
wall        outflow
*/

FUNCTION void flux(const real *q, const real *m, const real *n, real *f)
{
  real an = n[0] * m[ax] + n[1] * m[ay];
#if DIM == 3
  an += n[2] * m[az];
#endif
  f[u] = an * q[u];
}

FUNCTION real speed(const real *q, const real *m, const real *n)
{
  real an = n[0] * m[ax] + n[1] * m[ay];
#if DIM == 3
  an += n[2] * m[az];
#endif
  return fabs(an);
}

// What leaves the left side comes with the left velocity, what enters from the right with the right one.
FUNCTION void flux_upwind(const real *ql, const real *ml, const real *qr, const real *mr, const real *n, real *f)
{
  real al = n[0] * ml[ax] + n[1] * ml[ay];
  real ar = n[0] * mr[ax] + n[1] * mr[ay];
#if DIM == 3
  al += n[2] * ml[az];
  ar += n[2] * mr[az];
#endif
  f[u] = fmax(al, splat(0.0)) * ql[u] + fmin(ar, splat(0.0)) * qr[u];
}

FUNCTION void ghost_outflow(const real *q, const real *m, const real *n, const real *data, real *ghost)
{
  ghost[u] = q[u];
}

// Nothing comes in.
FUNCTION void state_absorbing(const real *q, const real *m, const real *n, const real *data, real *state)
{
  real an = n[0] * m[ax] + n[1] * m[ay];
#if DIM == 3
  an += n[2] * m[az];
#endif
  state[u] = an > 0.0 ? q[u] : splat(0.0);
}

FUNCTION real plane_wave_speed(const real *m, const real *direction, const real *polarisation)
{
  real an = direction[0] * m[ax] + direction[1] * m[ay];
#if DIM == 3
  an += direction[2] * m[az];
#endif
  return an;
}

FUNCTION void plane_wave(const real *m, const real *direction, const real *polarisation, real value, real *q)
{
  q[u] = value;
}
