// SPDX-License-Identifier: Apache-2.0
/* model
name        burgers
about       Burgers' equation u_t + div(a u^2 / 2) = 0 along a direction a.
dimensions  1 2 3
fields      scalar u
material    vector a = 1
linear      no
*/

FUNCTION real along(const real *m, const real *n)
{
  real sum = m[ax] * n[0];
  for (int d = 1; d < DIM; ++d) sum += m[ax + d] * n[d];
  return sum;
}

FUNCTION void flux(const real *q, const real *m, const real *n, real *f)
{
  f[u] = 0.5 * along(m, n) * q[u] * q[u];
}

FUNCTION real speed(const real *q, const real *m, const real *n)
{
  return fabs(along(m, n) * q[u]);
}

// Engquist and Osher (1981): the flux is split where the wave turns round.
FUNCTION void flux_osher(const real *ql, const real *ml, const real *qr, const real *mr, const real *n, real *f)
{
  real al = along(ml, n), ar = along(mr, n);
  real left = al > 0.0 ? fmax(ql[u], splat(0.0)) : fmin(ql[u], splat(0.0));
  real right = ar > 0.0 ? fmin(qr[u], splat(0.0)) : fmax(qr[u], splat(0.0));
  f[u] = 0.5 * (al * left * left + ar * right * right);
}

// Tadmor (1987): keeps u^2 / 2.
FUNCTION void pair_tadmor(const real *ql, const real *qr, const real *m, const real *n, real *f)
{
  f[u] = along(m, n) * (ql[u] * ql[u] + ql[u] * qr[u] + qr[u] * qr[u]) / 6.0;
}

FUNCTION void ghost_outflow(const real *q, const real *m, const real *n, const real *data, real *ghost)
{
  ghost[u] = q[u];
}
