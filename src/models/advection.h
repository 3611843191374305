// SPDX-License-Identifier: Apache-2.0
/* model
name        advection
about       Transport of a density u by a given velocity: u_t + div(a u) = 0.
dimensions  1 2 3
fields      scalar u
material    vector a = 1
linear      yes
wall        outflow
boundary    inflow u = 0
*/

FUNCTION real along(const real *m, const real *n)
{
#if DIM == 1
  return n[0] * m[ax];
#elif DIM == 2
  return n[0] * m[ax] + n[1] * m[ay];
#else
  return n[0] * m[ax] + n[1] * m[ay] + n[2] * m[az];
#endif
}

FUNCTION void flux(const real *q, const real *m, const real *n, real *f)
{
  f[u] = along(m, n) * q[u];
}

FUNCTION real speed(const real *q, const real *m, const real *n)
{
  return fabs(along(m, n));
}

// The flux that leaves the left side has the left velocity, the flux that enters from the right has the right one.
FUNCTION void flux_upwind(const real *ql, const real *ml, const real *qr, const real *mr, const real *n, real *f)
{
  f[u] = fmax(along(ml, n), splat(0.0)) * ql[u] + fmin(along(mr, n), splat(0.0)) * qr[u];
}

// The interior state leaves; where the velocity points inwards nothing comes in.
FUNCTION void ghost_outflow(const real *q, const real *m, const real *n, const real *data, real *ghost)
{
  ghost[u] = along(m, n) > 0.0 ? q[u] : splat(0.0);
}

FUNCTION void ghost_inflow(const real *q, const real *m, const real *n, const real *data, real *ghost)
{
  ghost[u] = along(m, n) > 0.0 ? q[u] : data[0];
}

FUNCTION void state_absorbing(const real *q, const real *m, const real *n, const real *data, real *state)
{
  state[u] = along(m, n) > 0.0 ? q[u] : splat(0.0);
}

FUNCTION real plane_wave_speed(const real *m, const real *direction, const real *polarisation)
{
  return along(m, direction);
}

FUNCTION void plane_wave(const real *m, const real *direction, const real *polarisation, real value, real *q)
{
  q[u] = value;
}
