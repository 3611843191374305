// SPDX-License-Identifier: Apache-2.0
/* model
name        advection-diffusion
about       A scalar that a flow carries and that spreads: u_t + div(a u) = div(nu grad u).
dimensions  1 2 3
fields      scalar u
material    vector a = 1, nu = 0.1 not-negative
linear      yes
wall        closed
boundary    held u0 = 0
boundary    inflow rate = 0
*/

FUNCTION real along(const real *v, const real *n)
{
  real sum = v[0] * n[0];
  for (int d = 1; d < DIM; ++d) sum += v[d] * n[d];
  return sum;
}

FUNCTION void flux(const real *q, const real *m, const real *n, real *f)
{
  f[u] = along(m + ax, n) * q[u];
}

FUNCTION real speed(const real *q, const real *m, const real *n)
{
  return fabs(along(m + ax, n));
}

FUNCTION void viscous_flux(const real *q, const real *dq, const real *m, const real *n, real *f)
{
  f[u] = m[nu] * along(dq, n);
}

FUNCTION real diffusivity(const real *q, const real *m)
{
  return m[nu];
}

FUNCTION void flux_upwind(const real *ql, const real *ml, const real *qr, const real *mr, const real *n, real *f)
{
  real al = along(ml + ax, n), ar = along(mr + ax, n);
  f[u] = fmax(al, splat(0.0)) * ql[u] + fmin(ar, splat(0.0)) * qr[u];
}

// Nothing spreads through the wall.
FUNCTION void ghost_closed(const real *q, const real *m, const real *n, const real *data, real *ghost)
{
  ghost[u] = q[u];
}

FUNCTION void through_closed(const real *q, const real *dq, const real *m, const real *n, const real *data, real *f)
{
  f[u] = splat(0.0);
}

// The value of the wall.
FUNCTION void ghost_held(const real *q, const real *m, const real *n, const real *data, real *ghost)
{
  ghost[u] = 2.0 * data[0] - q[u];
}

// So much spreads into the domain.
FUNCTION void gradient_inflow(const real *q, const real *m, const real *n, const real *data, real *f)
{
  f[u] = data[0];
}
