// SPDX-License-Identifier: Apache-2.0
/* model
name        carried-sound
about       Sound that a uniform flow carries along, without an upwind flux of its own.
dimensions  1 2 3
fields      scalar p, vector v
material    rho = 1 positive, c = 1 positive, vector a = 0
linear      yes
wall        rigid
*/

FUNCTION real along(const real *vector, const real *n)
{
  real sum = n[0] * vector[0];
  for (int d = 1; d < DIM; ++d) sum += n[d] * vector[d];
  return sum;
}

FUNCTION void mass(const real *m, const real *q, real *out)
{
  out[p] = q[p] / (m[rho] * m[c] * m[c]);
  for (int d = 0; d < DIM; ++d) out[vx + d] = m[rho] * q[vx + d];
}

FUNCTION void inverse_mass(const real *m, const real *q, real *out)
{
  out[p] = m[rho] * m[c] * m[c] * q[p];
  for (int d = 0; d < DIM; ++d) out[vx + d] = q[vx + d] / m[rho];
}

FUNCTION void flux(const real *q, const real *m, const real *n, real *f)
{
  real flow = along(m + ax, n);
  mass(m, q, f);
  f[p] = flow * f[p] + along(q + vx, n);
  for (int d = 0; d < DIM; ++d) f[vx + d] = flow * f[vx + d] + n[d] * q[p];
}

FUNCTION real speed(const real *q, const real *m, const real *n)
{
  return fabs(along(m + ax, n)) + m[c];
}

FUNCTION void ghost_rigid(const real *q, const real *m, const real *n, const real *data, real *ghost)
{
  real vn = along(q + vx, n);
  ghost[p] = q[p];
  for (int d = 0; d < DIM; ++d) ghost[vx + d] = q[vx + d] - 2.0 * vn * n[d];
}
